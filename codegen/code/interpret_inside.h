/* Interpret, inside: code with its names and buffers resolved (interpret_link.c), as it is run:
 * statements (interpret.c) and their expressions (interpret_value.c). */
#ifndef SQ_CODE_INTERPRET_INSIDE_H
#define SQ_CODE_INTERPRET_INSIDE_H
#include "codegen/code/interpret.h"
#include "support/stats.h"

/* An element that was never written but used by a computation; cells NULL: none. */
typedef struct sq_unknown {
    const struct sq_cells *cells;
    int64_t at;
} sq_unknown;

/* Which threads last wrote and read an element of a block's memory, SQ_RUN_MANY if there are several, and behind
 * which barrier. */
enum { SQ_RUN_MANY = -1 };
typedef struct sq_touched {
    int writer, reader;
    int64_t written, read;
} sq_touched;

/* A buffer and its elements; for registers, the lanes of each are contiguous. A pointer has no
 * elements: its first one is element `begin` of `of`, which is not a pointer. */
typedef struct sq_cells {
    const sq_code_buffer *buffer;
    int64_t *extent;
    int lanes; /* lanes of a register */
    int64_t count;
    sq_number *at;
    bool *defined;
    struct sq_unknown *unknown; /* for registers and stacks: which of their lanes are unknown; else NULL */
    sq_touched *touched; /* for memory of a block; else NULL */
    struct sq_cells *of;
    int64_t begin;
} sq_cells;

/* A resolved expression. */
typedef struct sq_linked {
    const sq_code_expr *e;
    struct sq_linked **arg;
    int64_t *variable; /* NAME */
    sq_number scalar;  /* SCALAR */
    sq_cells *cells;   /* LOAD */
} sq_linked;

/* The variables, pointers and registers of a thread of a grid, which are in one place. */
typedef struct sq_thread_frame {
    char *at;
    size_t used, room;
} sq_thread_frame;

/* The variables and buffers in scope at a statement, innermost first. */
typedef struct sq_defined {
    const char *name;
    int64_t *variable;
    sq_cells *cells;
    const struct sq_defined *before;
} sq_defined;

/* A resolved part. */
typedef struct sq_linked_part {
    const sq_code_part *part;
    int64_t **variable; /* variables of its parameters; NULL for a VALUE */
    sq_cells **pointer;
    struct sq_linked_step *body;
    struct sq_linked_part *before;
} sq_linked_part;

/* A resolved statement. */
typedef struct sq_linked_step {
    const sq_code *x;
    const sq_defined *around;
    sq_linked *lo, *hi, *cond, *value, **index, *lane_step, *left;
    bool meets;        /* threads of a grid run it, or a statement inside of it, together */
    sq_thread_frame *frame;   /* LOOP over threads of a block */
    int64_t *variable; /* LOOP, LET, VARIABLE, ASSIGN */
    sq_cells *cells;   /* DECLARE, STORE, POINTER, ADVANCE, TRANSPOSE, COPY */
    sq_cells **of;     /* POINTER, COPY: one; CALL: one for each pointer; INSTRUCTION: one for each operand */
    sq_linked *row, *first, *n, *extent, *rows, *between; /* COPY */
    /* CALL: the elements that pointers point to; INSTRUCTION: those of operands */
    sq_linked **at;
    sq_linked **arg;            /* CALL */
    const sq_linked_part *part; /* CALL */
    struct sq_linked_step *body, *other, *next;
} sq_linked_step;

/* A call that is running. */
typedef struct sq_caller {
    const sq_linked_step *call;
    const struct sq_caller *before;
} sq_caller;

/* The state of a run. */
typedef struct sq_interpretation {
    sq_interpret_options o;
    int64_t left; /* statements and iterations until the limit */
    sq_rng rng;
    const sq_linked_step *at; /* the statement that is running */
    const sq_caller *caller;  /* the call of the part that is running; NULL: none */
    const char *wrong;
    struct sq_run_block *block; /* whose threads run; NULL: none */
    int first, stride;          /* the order of its threads */
    int64_t barriers;           /* that threads have met at so far */
    sq_unknown unknown; /* what the value being computed derives from */
    sq_arena *arena;
} sq_interpretation;

/* Records a failure; the first one is kept. */
void sq_run_fail(sq_interpretation *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* interpret_threads.c: the current thread reads or writes element i; another one must not write it before the next
 * barrier. */
void sq_run_touch(sq_interpretation *r, const sq_cells *c, int64_t i, bool writes);
/* interpret.c: runs a statement. */
void sq_run_one(sq_interpretation *r, const sq_linked_step *s);
/* interpret_value.c: returns where an element of a swizzled copy is. */
int64_t sq_run_swizzled(int64_t element);
/* interpret_value.c: evaluates an index expression, a condition of either kind, a lane of a
 * value. */
int64_t sq_run_index(sq_interpretation *r, const sq_linked *x);
bool sq_run_is_true(sq_interpretation *r, const sq_linked *x, int lane);
sq_number sq_run_value(sq_interpretation *r, const sq_linked *x, int lane);
/* Returns the elements of a buffer; for a pointer, those that it points to, with *i adjusted. */
sq_cells *sq_run_elements(sq_cells *c, int64_t *i);
/* Returns the number of the element at the subscripts, which are written to at; -1 where there is
 * none, after a failure that begins with `what`. `lane` elements are added for a lane. */
enum { SQ_RUN_SUBSCRIPTS = 32 };
int64_t sq_run_element(sq_interpretation *r, sq_cells *c, sq_linked *const *index, int64_t lane,
                       const char *what, int64_t *at);
/* Returns "B[0][3]" for element i, for messages. */
const char *sq_run_place(sq_interpretation *r, const sq_cells *c, int64_t i);

/* Returns the resolved code in the arena; NULL with *why, which is in the arena as well. */
sq_linked_step *sq_interpret_link(const sq_code *x, sq_image *m, sq_arena *arena, const char **why);
#endif
