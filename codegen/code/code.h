/* Code: the statements of emitted code, as data: what a schedule is lowered to and what printers
 * print. A list of statements is linked by `next`; NULL is the empty one. Names are those of the
 * emitted text: a loop's variable, a buffer, a size. Nothing here is text of a language.
 *
 *     LOOP     for (name = lo; name < hi; name += step) body. Where hi is NULL it goes on while cond
 *              is true; without lo the name is that of a VARIABLE, without a name the body changes
 *              what cond reads. `runs` says how its iterations may run
 *     IF       if (cond) body else other
 *     LET      name = value, an index expression that holds until the end of the list
 *     VARIABLE the same, but for ASSIGN and loops, which change it
 *     ASSIGN   name = value, of a VARIABLE
 *     DECLARE  buffer is there until the end of the list; what it holds is 0 if `zeroed`, else
 *              undefined
 *     STORE    buffer[index] = value, a value of the buffer's type, where cond holds. Of a vector
 *              index is the first lane's place, lane_step the elements between two, and `left` how
 *              many lanes are stored
 *     POINTER  buffer is there until the end of the list, and begins at element `value` of the buffer
 *              `of`
 *     ADVANCE  buffer, a pointer, begins `value` elements further on
 *     FRESH    nothing: compilers know no longer what the name, a pointer's or VARIABLE's, holds
 *     BLOCK    body, in a scope of its own
 *     UNUSED   nothing: the name need not be used
 *
 * All of it is owned by the arena of the expressions' pool. */
#ifndef SQ_CODE_CODE_H
#define SQ_CODE_CODE_H
#include "codegen/code/expr.h"

typedef enum sq_code_storage {
    SQ_CODE_MEMORY,   /* an array of the kernel: elements lie where the strides say */
    SQ_CODE_STACK,    /* the same, declared where it is used */
    SQ_CODE_REGISTER, /* a variable: no dimensions; of f16 and bf16 it holds the value */
} sq_code_storage;

typedef struct sq_code_buffer {
    const char *name;
    sq_type type; /* of its elements */
    int lanes;    /* REGISTER: of a vector; 0 or 1: a single value */
    sq_code_storage storage;
    bool is_readonly;
    bool is_constant; /* REGISTER: stored to once, behind its declaration */
    int row;          /* REGISTER: of an accumulator, from 1 on: a row's are declared together */
    int ndim;
    const sq_code_expr **extent; /* over the sizes */
    const sq_code_expr **stride; /* in elements: a number, or the name of a variable */
} sq_code_buffer;

typedef enum sq_code_kind {
    SQ_CODE_LOOP,
    SQ_CODE_IF,
    SQ_CODE_LET,
    SQ_CODE_DECLARE,
    SQ_CODE_STORE,
    SQ_CODE_BLOCK,
    SQ_CODE_UNUSED,
    SQ_CODE_VARIABLE,
    SQ_CODE_ASSIGN,
    SQ_CODE_POINTER,
    SQ_CODE_ADVANCE,
    SQ_CODE_FRESH
} sq_code_kind;

typedef enum sq_code_runs {
    SQ_CODE_SERIAL,
    SQ_CODE_THREADS, /* shared by threads */
    SQ_CODE_GRID,    /* shared by blocks and threads of a grid */
    SQ_CODE_LANES,   /* a single STORE, in lanes of vectors */
    SQ_CODE_SUMS,    /* a single STORE that adds to one element; lanes add up apart */
    SQ_CODE_UNROLLED /* written out by the compiler, `unroll` iterations in a row; 0: all */
} sq_code_runs;

struct sq_member; /* ir/tree.h */

typedef struct sq_code {
    sq_code_kind kind;
    const char *name; /* LOOP, LET, VARIABLE, ASSIGN, FRESH, UNUSED */
    const sq_code_expr *lo, *hi;
    int64_t step;
    sq_code_runs runs;
    int unroll;
    bool is_int;         /* LET, VARIABLE: of 32 bits, which hold its values */
    bool is_cyclic;      /* THREADS: iterations are dealt in turn, not in blocks */
    int64_t least;       /* THREADS: only where hi - lo is more */
    const sq_stmt *stmt; /* STORE: the description's statement that it finishes; or NULL */
    const struct sq_member *member; /* GRID: what it is of the schedule */
    const sq_code_expr *cond;
    const sq_code_buffer *buffer; /* DECLARE, STORE, POINTER, ADVANCE */
    bool zeroed;
    const sq_code_expr *const *index;
    const sq_code_expr *lane_step, *left; /* STORE of a vector; NULL: all of its lanes */
    const sq_code_expr *value;            /* LET, VARIABLE, ASSIGN, STORE, POINTER, ADVANCE */
    const sq_code_buffer *of;             /* POINTER */
    struct sq_code *body, *other, *next;
} sq_code;

/* A list in the making. */
typedef struct sq_code_list {
    sq_code *first, **end; /* end: where the next goes; NULL while it is empty */
} sq_code_list;

/* Appends a statement, or the statements that are linked to it; NULL appends none. */
void sq_code_append(sq_code_list *l, sq_code *x);
sq_code *sq_code_new(sq_code_pool *p, sq_code_kind kind);
sq_code *sq_code_store(sq_code_pool *p, const sq_code_buffer *b, const sq_code_expr *const *index,
                       const sq_code_expr *value);
sq_code *sq_code_let(sq_code_pool *p, const char *name, const sq_code_expr *value);
sq_code *sq_code_declare(sq_code_pool *p, const sq_code_buffer *b, bool zeroed);
/* A buffer of one element in a register; the name is not copied. */
const sq_code_buffer *sq_code_register(sq_code_pool *p, const char *name, sq_type type);
/* A pointer to elements: a buffer of one dimension whose extent is not known. */
const sq_code_buffer *sq_code_pointer(sq_code_pool *p, const char *name, sq_type type,
                                      bool is_readonly);
/* True if the buffer is such a pointer. */
bool sq_code_is_pointer(const sq_code_buffer *b);
/* To a register. */
sq_code *sq_code_set(sq_code_pool *p, const sq_code_buffer *b, const sq_code_expr *value);
/* A loop's statement that makes x, a VARIABLE's name, `value`. */
sq_code *sq_code_assign(sq_code_pool *p, const char *name, const sq_code_expr *value);

/* True if the statement defines a name for those behind it in its list: LET, VARIABLE, DECLARE,
 * POINTER. */
bool sq_code_defines(const sq_code *x);
/* True if e is the element that the store writes to, read. */
bool sq_code_loads(const sq_code_expr *e, const sq_code *store);
/* True if a statement of the list loads from the buffer or stores to it. */
bool sq_code_uses(const sq_code *x, const sq_code_buffer *b);
/* True if a statement of the list loads from the buffer. */
bool sq_code_reads(const sq_code *x, const sq_code_buffer *b);
/* True if the name stands in an expression of the list. */
bool sq_code_names(const sq_code *x, const char *name);
#endif
