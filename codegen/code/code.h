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
 *              many lanes are stored; cond may be a mask, and lanes that it leaves out need not exist
 *     POINTER  buffer is there until the end of the list, and begins at element `value` of the buffer
 *              `of`
 *     ADVANCE  buffer, a pointer, begins `value` elements further on
 *     FRESH    nothing: compilers know no longer what the name, a pointer's or VARIABLE's, holds
 *     BLOCK    body, in a scope of its own
 *     UNUSED   nothing: the name need not be used
 *     TRANSPOSE  buffer is an array of as many registers as each has lanes: lane l of register i and lane i
 *              of register l change places
 *     COPY     `run` of elements of the buffer `of` go to buffer, from index[0] on
 *     CALL     `part`, whose parameters are `arg`
 *     COMMENT  nothing: name is for who reads the text
 *
 * All of it is owned by the arena of the expressions' pool. */
#ifndef SQ_CODE_CODE_H
#define SQ_CODE_CODE_H
#include "codegen/code/expr.h"

typedef enum sq_code_storage {
    SQ_CODE_MEMORY,   /* an array of the kernel: elements lie where the strides say */
    SQ_CODE_STACK,    /* the same, declared where it is used */
    SQ_CODE_PANEL,    /* the same, of a packed copy: its place is chosen when it is printed */
    SQ_CODE_REGISTER, /* a variable, or an array of them whose subscripts are known once loops are
                         unrolled; of f16 and bf16 it holds the value */
} sq_code_storage;

typedef struct sq_code_buffer {
    const char *name;
    sq_type type; /* of its elements */
    int lanes;    /* REGISTER: of a vector; 0 or 1: a single value */
    sq_code_storage storage;
    bool is_readonly;
    bool is_restrict; /* a part's parameter: nothing else leads to what it points to */
    bool is_anywhere; /* MEMORY: of int32_t, which begin at any byte and are bytes of another type */
    bool is_own;      /* PANEL: each thread has one */
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
    SQ_CODE_FRESH,
    SQ_CODE_TRANSPOSE,
    SQ_CODE_COPY,
    SQ_CODE_CALL,
    SQ_CODE_COMMENT
} sq_code_kind;

typedef enum sq_code_runs {
    SQ_CODE_SERIAL,
    SQ_CODE_THREADS, /* shared by threads */
    SQ_CODE_GRID,    /* shared by blocks and threads of a grid */
    SQ_CODE_LANES,   /* a single STORE, in lanes of vectors */
    SQ_CODE_SUMS,    /* a single STORE that adds to one element; lanes add separately */
    SQ_CODE_UNROLLED /* written out by the compiler, `unroll` iterations in a row; 0: all */
} sq_code_runs;

/* What a parallel loop does, in flops: a sum of products that are known when the sizes are. Threads
 * share the loop only where it is at least that much. */
typedef struct sq_code_product {
    double number;
    int n;
    const sq_code_expr **factor;
} sq_code_product;

typedef struct sq_code_work {
    int n;
    sq_code_product *term;
    double least;
} sq_code_work;

/* Elements of a COPY: n of a row of an array, from element lo on, `stride` elements between two, to
 * places `step` elements apart. They are converted to the type of what they go to. Where there are
 * several rows, each begins `between` elements behind the one before, and goes one place further. */
typedef struct sq_code_run {
    const sq_code_expr *row; /* where the row begins */
    const sq_code_expr *lo, *n;
    int64_t stride, step;
    const sq_code_expr *rows, *between; /* NULL: one row */
    const sq_code_expr
        *extent;       /* elements of the row: `outside` stands for others; NULL: all are */
    sq_number outside; /* of the type of what they go to */
} sq_code_run;

/* A parameter of a part that is no pointer. */
typedef enum sq_code_param_kind {
    SQ_CODE_INDEX, /* an index expression */
    SQ_CODE_FLAG,  /* 0, or not */
    SQ_CODE_VALUE  /* the scalar of the kernel that has its name and type */
} sq_code_param_kind;

typedef struct sq_code_param {
    sq_code_param_kind kind;
    sq_type type; /* VALUE */
    const char *name;
} sq_code_param;

/* A list of statements that computes points of some statements of the description. It is called, a
 * function of the emitted text; or it stands in place, as the body of an IF or BLOCK, and has nothing
 * but lanes and statements. */
typedef struct sq_code_part {
    const char *name, *comment;
    int npointers, nparams;
    const sq_code_buffer *const *pointer;
    const sq_code_param *param;
    struct sq_code *body;
    const char *along; /* the dimension of its loop; NULL: it has none */
    int along_lanes;   /* lanes of its vectors along that: points of a step; 1: none */
    bool is_whole;     /* it computes all points of a tile; others what is left over */
    bool overlaps;     /* some call computes points of another once more */
    bool owns;         /* all vector registers: no value of the code around may stay in one */
    int lanes;         /* of the statements of the description that it computes */
    int nstmts;
    const sq_stmt *const *stmt;
    int npasses; /* that have changed its body: the first of their table (codegen/passes/passes.h) */
} sq_code_part;

/* What a CALL passes for a pointer: the address of an element. */
typedef struct sq_code_address {
    const sq_code_buffer *of;
    const sq_code_expr *at;
} sq_code_address;

struct sq_member; /* ir/schedule/tree.h */

typedef struct sq_code {
    sq_code_kind kind;
    const char *name; /* LOOP, LET, VARIABLE, ASSIGN, FRESH, UNUSED, COMMENT */
    const sq_code_expr *lo, *hi;
    int64_t step;
    sq_code_runs runs;
    int unroll;
    bool is_scalar;  /* LOOP: the description's own, which nothing has given lanes so far */
    bool any_order; /* LOOP: is_scalar, and no iteration depends on another */
    bool is_int;    /* LET, VARIABLE: of 32 bits, which hold its values */
    bool is_cyclic; /* THREADS: iterations are dealt in turn, not in blocks */
    int64_t least;  /* THREADS: only where hi - lo is more */
    const sq_code_work *work; /* THREADS: only where it is worth them; NULL: always */
    bool is_limited;          /* THREADS: by the copies that threads have of their own */
    const sq_stmt *stmt;      /* STORE: the description's statement that it finishes; or NULL */
    const struct sq_member *member; /* GRID: what it is of the schedule */
    const sq_code_expr *cond;
    const sq_code_buffer *buffer; /* DECLARE, STORE, POINTER, ADVANCE, TRANSPOSE, COPY */
    bool zeroed;
    bool in_threads; /* DECLARE of a PANEL: inside a loop that threads share */
    const sq_code_expr *const *index;
    const sq_code_expr *lane_step, *left; /* STORE of a vector; NULL: all of its lanes */
    bool is_read_soon; /* STORE: or elements right behind it; a load waits until a masked store is done */
    const sq_code_expr *value;            /* LET, VARIABLE, ASSIGN, STORE, POINTER, ADVANCE */
    const sq_code_buffer *of;             /* POINTER, COPY */
    const sq_code_run *run;               /* COPY */
    sq_code_part *part;                   /* CALL; IF, BLOCK: what it is; or NULL */
    const sq_code_address *pointer;       /* CALL: one a pointer of the part */
    const sq_code_expr *const *arg;       /* CALL: one a parameter; NULL for a VALUE */
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
                                      bool is_readonly, bool is_restrict);
/* Words in another array, which is only read: so many, one after the other; NULL: a pointer to them. */
const sq_code_buffer *sq_code_words(sq_code_pool *p, const char *name, const sq_code_expr *elements);
/* True if the buffer is such a pointer. */
bool sq_code_is_pointer(const sq_code_buffer *b);
/* An array of the kernel as its elements one after the other. */
const sq_code_buffer *sq_code_row(sq_code_pool *p, const char *name, sq_type type,
                                  const sq_code_expr *elements, bool is_readonly);
/* The copy of a packed array, with this number of elements. */
const sq_code_buffer *sq_code_panel(sq_code_pool *p, const char *name, sq_type type,
                                    int64_t elements, bool is_own);
/* To a register. */
sq_code *sq_code_set(sq_code_pool *p, const sq_code_buffer *b, const sq_code_expr *value);
/* "for (name = lo; name < hi; name += step)", its body empty. */
sq_code *sq_code_loop(sq_code_pool *p, const char *name, const sq_code_expr *lo,
                      const sq_code_expr *hi, int64_t step);
/* Iterations of a loop between known bounds; -1 where they are not known. */
int64_t sq_code_iterations(const sq_code *loop);
/* True if a loop is known to have a few iterations at most, such as one over the channels of a pixel: copies of
 * its body may take lanes of the loop around it. */
enum { SQ_CODE_BRIEF = 4 };
bool sq_code_is_brief(const sq_code *loop);
/* if (cond) body; where cond is NULL a block. */
sq_code *sq_code_guarded(sq_code_pool *p, const sq_code_expr *cond, sq_code *body);
sq_code *sq_code_comment(sq_code_pool *p, const char *text);
sq_code *sq_code_unused(sq_code_pool *p, const char *name);
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
