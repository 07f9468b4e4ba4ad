/* Code: the IR of statements. A schedule is lowered to it, and printers print it. A list of
 * statements is linked by `next`; NULL is the empty one. Names are those of the emitted text: a
 * loop's variable, a buffer, a size. Nothing here depends on the printed language.
 *
 *     LOOP     for (name = lo; name < hi; name += step) body. Where hi is NULL it runs while cond
 *              is true; without lo the name is that of a VARIABLE, without a name the body changes
 *              what cond reads. `runs` says how its iterations may run
 *     IF       if (cond) body else other; cond may be a value
 *     LET      name = value, an index expression that holds until the end of the list
 *     VARIABLE the same, except that ASSIGN and loops change it
 *     ASSIGN   name = value, of a VARIABLE
 *     DECLARE  buffer exists until the end of the list; its elements are 0 if `zeroed`, else
 *              undefined
 *     STORE    buffer[index] = value, a value of the buffer's type, where cond holds. For a vector,
 *              index is that of the first lane, lane_step the distance of two lanes in elements,
 *              and `left` the number of lanes stored; cond may be a mask, and lanes that it
 *              excludes need not exist
 *     POINTER  buffer exists until the end of the list, and begins at element `value` of the buffer
 *              `of`
 *     ADVANCE  buffer, a pointer, begins `value` elements further on
 *     FRESH    no effect; hides the value of the name, a pointer or a VARIABLE, from compilers
 *     BLOCK    body, in a scope of its own
 *     UNUSED   no effect; the name need not be used
 *     TRANSPOSE  buffer is an array of registers, as many as each has lanes; lane l of register i and
 *              lane i of register l are exchanged
 *     COPY     copies the elements `run` of the buffer `of` to buffer, from index[0] on
 *     CALL     `part`, whose parameters are `arg`
 *     INSTRUCTION  `instruction`, of threads of a grid (instruction.h)
 *     COMMENT  no effect; name is a comment of the emitted text
 *
 * The arena of the expressions' pool owns all statements. */
#ifndef SQ_CODE_CODE_H
#define SQ_CODE_CODE_H
#include "codegen/code/expr.h"

typedef enum sq_code_storage {
    SQ_CODE_MEMORY, /* an array of the kernel, with its strides */
    SQ_CODE_STACK,  /* the same, declared locally */
    SQ_CODE_SHARED, /* the same, declared once for all threads of a block */
    SQ_CODE_PANEL,  /* the same, for a packed copy; the printer chooses where it is allocated */
    /* a variable, or an array of them whose subscripts are known once loops are unrolled; one of
     * f16 or bf16 holds the converted value */
    SQ_CODE_REGISTER,
} sq_code_storage;

typedef struct sq_code_buffer {
    const char *name;
    sq_type type; /* the type of its elements */
    int lanes;    /* REGISTER: lanes of a vector; 0 or 1: a single value */
    sq_code_storage storage;
    bool is_mask; /* REGISTER: of several lanes, holds a mask */
    bool is_readonly;
    bool is_restrict; /* a part's parameter that nothing else aliases */
    bool is_anywhere; /* MEMORY: int32_t words at any byte address, which are bytes of another type */
    bool is_own;      /* PANEL: each thread has one */
    bool is_constant; /* REGISTER: stored to once, right after its declaration */
    bool is_bits;     /* REGISTER: of f16 or bf16, holds the bits, for copies */
    /* REGISTER: the row of an accumulator, from 1 on; those of a row are declared together */
    int row;
    int alignment; /* PANEL: of its address in bytes; 0: any */
    int ndim;
    const sq_code_expr **extent; /* expressions over the sizes */
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
    SQ_CODE_INSTRUCTION,
    SQ_CODE_COMMENT
} sq_code_kind;

typedef enum sq_code_runs {
    SQ_CODE_SERIAL,
    SQ_CODE_THREADS, /* shared by threads */
    SQ_CODE_GRID,    /* shared by blocks and threads of a grid; not yet a kernel */
    /* a kernel of a grid, which the host launches: an iteration is a thread of a block. SHARED
     * buffers and PANELs in it exist once for all of them */
    SQ_CODE_BLOCK_THREADS,
    SQ_CODE_BLOCKS,  /* inside of that: shared by the blocks of the grid */
    SQ_CODE_LANES,   /* a single STORE, vectorized */
    SQ_CODE_SUMS,    /* a single STORE that adds to one element; each lane has a partial sum */
    SQ_CODE_UNROLLED /* unrolled by the compiler, `unroll` iterations at a time; 0: completely */
} sq_code_runs;

/* The work of a parallel loop in flops, a sum of products that are known when the sizes are.
 * Threads share the loop only if its work is at least this much. */
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

/* How the host launches a kernel of a grid. */
typedef struct sq_code_launch {
    const sq_code_expr *blocks; /* their number at this launch */
    const sq_code_expr *most;   /* the largest number at any launch, an expression over the sizes */
    const sq_code_expr *cond;   /* over the sizes: launched only if it holds; NULL: always */
    int together;               /* blocks that shall fit on a multiprocessor; 0: any number */
    const char *stmts;          /* "S0, S1": the statements that it computes */
    int nouter;                 /* variables of the host in whose scope it is */
    const char *const *outer;
    /* The flops of a nest, at the first of its kernels; of the others it has no terms. NULL: not
     * known. */
    const sq_code_work *work;
} sq_code_launch;

/* The elements of a COPY: n elements of a row of an array, from element lo on and `stride` elements
 * from each other, stored with the distance `step` and converted to the type of the destination. If
 * there are several rows, each begins `between` elements behind the previous one and is stored one
 * element further. */
typedef struct sq_code_run {
    const sq_code_expr *row; /* where the row begins */
    const sq_code_expr *lo, *n;
    int64_t stride, step;
    const sq_code_expr *rows, *between; /* NULL: one row */
    const sq_code_expr *extent; /* elements of the row, beyond which `outside` is stored; or NULL */
    sq_number outside; /* has the type of the destination */
} sq_code_run;

/* A parameter of a part that is not a pointer. */
typedef enum sq_code_param_kind {
    SQ_CODE_INDEX, /* an index expression */
    SQ_CODE_FLAG,  /* 0 or 1 */
    SQ_CODE_VALUE  /* the scalar of the kernel that has its name and type */
} sq_code_param_kind;

typedef struct sq_code_param {
    sq_code_param_kind kind;
    sq_type type; /* type of a VALUE */
    const char *name;
} sq_code_param;

/* A list of statements that computes points of some statements of the description. It is either
 * called, as a function of the emitted text, or inlined as the body of an IF or BLOCK; an inlined
 * part has lanes and statements only. */
typedef struct sq_code_part {
    const char *name, *comment;
    int npointers, nparams;
    const sq_code_buffer *const *pointer;
    const sq_code_param *param;
    struct sq_code *body;
    const char *along; /* the dimension of its vector loop; NULL: none */
    int along_lanes;   /* its lanes along that dimension, that is, points per step; 1: scalar */
    bool is_whole;     /* it computes full tiles; other parts compute remainders */
    bool overlaps;     /* some call computes points of another call again */
    bool owns;         /* it uses all vector registers: the caller should keep no value in one */
    bool serves_both;  /* one call computes full tiles and remainders: inlined, it would be no shorter */
    int lanes;         /* the lanes of the statements that it computes */
    int nstmts;
    const sq_stmt *const *stmt;
    /* the passes that have changed its body: the first of their table (codegen/passes/passes.h) */
    int npasses;
} sq_code_part;

/* The address of an element that a CALL passes as a pointer. */
typedef struct sq_code_address {
    const sq_code_buffer *of;
    const sq_code_expr *at;
} sq_code_address;

struct sq_member; /* ir/schedule/tree.h */
typedef struct sq_code_instruction sq_code_instruction; /* codegen/code/instruction.h */

typedef struct sq_code {
    sq_code_kind kind;
    const char *name; /* LOOP, LET, VARIABLE, ASSIGN, FRESH, UNUSED, COMMENT */
    const sq_code_expr *lo, *hi;
    int64_t step;
    sq_code_runs runs;
    int unroll; /* LOOP: iterations that the compiler is asked to write out at a time; 0: it decides */
    bool is_scalar;  /* LOOP: the description's own, which nothing has given lanes so far */
    bool any_order; /* LOOP: is_scalar, and no iteration depends on another */
    int jam;        /* LOOP: an sq_jam of ir/schedule/tree.h */
    bool is_int;    /* LOOP, LET, VARIABLE: of 32 bits, which hold its values */
    bool is_cyclic; /* THREADS: iterations are dealt in turn, not in blocks */
    int64_t least;  /* THREADS: the loop is parallel only where hi - lo is more */
    /* THREADS: the loop is parallel only where it has this work; NULL: always */
    const sq_code_work *work;
    /* THREADS: the thread count is limited by the copies that each thread has */
    bool is_limited;
    const sq_stmt *stmt;      /* STORE: the statement of the description that it completes; or NULL */
    const struct sq_member *member; /* GRID: the loop of the schedule */
    const sq_code_launch *launch;   /* BLOCK_THREADS */
    const sq_code_expr *cond;
    const sq_code_buffer *buffer; /* DECLARE, STORE, POINTER, ADVANCE, TRANSPOSE, COPY */
    bool zeroed;
    bool in_threads; /* DECLARE of a PANEL: inside a parallel loop */
    const sq_code_expr *const *index;
    const sq_code_expr *lane_step, *left; /* STORE of a vector; left NULL: all lanes */
    bool is_aligned; /* STORE of a vector: its address is a multiple of its size */
    /* STORE: it or elements right behind it are read soon; a load waits for a masked store to
     * complete */
    bool is_read_soon;
    const sq_code_expr *value;      /* LET, VARIABLE, ASSIGN, STORE, POINTER, ADVANCE */
    const sq_code_buffer *of;       /* POINTER, COPY */
    const sq_code_run *run;         /* COPY */
    sq_code_part *part;             /* CALL; IF, BLOCK: the part that it inlines; or NULL */
    const sq_code_address *pointer; /* CALL: one for each pointer of the part */
    const sq_code_expr *const *arg; /* CALL: one for each parameter; NULL for a VALUE */
    const sq_code_instruction *instruction; /* INSTRUCTION */
    struct sq_code *body, *other, *next;
} sq_code;

/* A list under construction. */
typedef struct sq_code_list {
    sq_code *first, **end; /* end: where the next statement is linked; NULL while the list is empty */
} sq_code_list;

/* Appends a statement, or a list of statements; NULL appends nothing. */
void sq_code_append(sq_code_list *l, sq_code *x);
sq_code *sq_code_new(sq_code_pool *p, sq_code_kind kind);
/* Returns a copy of one statement. */
sq_code *sq_code_copy(sq_code_pool *p, const sq_code *x);
/* Returns a copy of a STORE with `by` in place of the name. */
sq_code *sq_code_store_with(sq_code_pool *p, const sq_code *store, const char *name, const sq_code_expr *by);
sq_code *sq_code_store(sq_code_pool *p, const sq_code_buffer *b, const sq_code_expr *const *index,
                       const sq_code_expr *value);
sq_code *sq_code_let(sq_code_pool *p, const char *name, const sq_code_expr *value);
sq_code *sq_code_declare(sq_code_pool *p, const sq_code_buffer *b, bool zeroed);
/* Returns a buffer of one element in a register; the name is not copied. */
const sq_code_buffer *sq_code_register(sq_code_pool *p, const char *name, sq_type type);
/* Returns a pointer to elements: a buffer of one dimension whose extent is not known. */
const sq_code_buffer *sq_code_pointer(sq_code_pool *p, const char *name, sq_type type,
                                      bool is_readonly, bool is_restrict);
/* Returns a read-only array of this number of contiguous words in another array; elements NULL: a
 * pointer to them. */
const sq_code_buffer *sq_code_words(sq_code_pool *p, const char *name, const sq_code_expr *elements);
/* True if the buffer is such a pointer. */
bool sq_code_is_pointer(const sq_code_buffer *b);
/* Returns an array of the kernel as a buffer of one dimension. */
const sq_code_buffer *sq_code_row(sq_code_pool *p, const char *name, sq_type type,
                                  const sq_code_expr *elements, bool is_readonly);
/* Returns the packed copy of an array, with this number of elements. */
const sq_code_buffer *sq_code_panel(sq_code_pool *p, const char *name, sq_type type,
                                    int64_t elements, bool is_own);
/* Returns where such a copy is in the memory of a block, whose first *used bytes are taken; adds to them. */
int64_t sq_code_block_place(const sq_code_buffer *panel, int64_t *used);
/* Returns an array of this number of elements: SHARED memory of a block, registers. */
sq_code_buffer *sq_code_array(sq_code_pool *p, const char *name, sq_type type, int64_t elements,
                              sq_code_storage storage);
/* Returns a STORE to a register. */
sq_code *sq_code_set(sq_code_pool *p, const sq_code_buffer *b, const sq_code_expr *value);
/* Returns "for (name = lo; name < hi; name += step)" with an empty body. */
sq_code *sq_code_loop(sq_code_pool *p, const char *name, const sq_code_expr *lo,
                      const sq_code_expr *hi, int64_t step);
/* Returns the trip count of a loop whose bounds are known; -1 where they are not. */
int64_t sq_code_iterations(const sq_code *loop);
/* True if a loop is known to have few iterations, such as one over the channels of a pixel: copies
 * of its body may be vectorized along the loop around it. */
enum { SQ_CODE_BRIEF = 4 };
bool sq_code_is_brief(const sq_code *loop);
/* Returns "if (cond) body"; a BLOCK if cond is NULL. */
sq_code *sq_code_guarded(sq_code_pool *p, const sq_code_expr *cond, sq_code *body);
sq_code *sq_code_comment(sq_code_pool *p, const char *text);
sq_code *sq_code_unused(sq_code_pool *p, const char *name);
/* Returns the ASSIGN of `value` to the VARIABLE that x defines, for the body of a loop. */
sq_code *sq_code_assign(sq_code_pool *p, const char *name, const sq_code_expr *value);

/* True if the statement defines a name for the statements behind it in its list: LET, VARIABLE,
 * DECLARE, POINTER. */
bool sq_code_defines(const sq_code *x);
/* True if x declares a constant register, to which the next statement stores its value. */
bool sq_code_is_constant(const sq_code *x);
/* True if e loads the element that the store writes. */
bool sq_code_loads(const sq_code_expr *e, const sq_code *store);
/* True if a statement of the list loads from the buffer or stores to it. */
bool sq_code_uses(const sq_code *x, const sq_code_buffer *b);
/* True if a statement of the list loads from the buffer. */
bool sq_code_reads(const sq_code *x, const sq_code_buffer *b);
/* True if an expression of the list mentions the name. */
bool sq_code_names(const sq_code *x, const char *name);
#endif
