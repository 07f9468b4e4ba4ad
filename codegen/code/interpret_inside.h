/* Interpret, inside: code with its names and buffers looked up (interpret_link.c), which is what runs:
 * its statements (interpret.c) and their expressions (interpret_value.c). */
#ifndef SQ_CODE_INTERPRET_INSIDE_H
#define SQ_CODE_INTERPRET_INSIDE_H
#include "codegen/code/interpret.h"
#include "support/stats.h"

/* What was never written, of which something was computed: an element; of nothing where cells is NULL. */
typedef struct sq_unknown {
    const struct sq_cells *cells;
    int64_t at;
} sq_unknown;

/* A buffer, and what it holds: elements, of registers with their lanes one after the other. A pointer has no elements:
 * its first one is number `begin` of `of`, which is none. */
typedef struct sq_cells {
    const sq_code_buffer *buffer;
    int64_t *extent;
    int lanes; /* of an element of a register */
    int64_t count;
    sq_number *at;
    bool *defined;
    struct sq_unknown *unknown; /* of registers: what of their lanes is not known; else NULL */
    struct sq_cells *of;
    int64_t begin;
} sq_cells;

/* An expression. */
typedef struct sq_linked {
    const sq_code_expr *e;
    struct sq_linked **arg;
    int64_t *variable; /* NAME */
    sq_number scalar;  /* SCALAR */
    sq_cells *cells;   /* LOAD */
} sq_linked;

/* What is defined around a statement, innermost first: a variable or a buffer. */
typedef struct sq_defined {
    const char *name;
    int64_t *variable;
    sq_cells *cells;
    const struct sq_defined *before;
} sq_defined;

/* A part. */
typedef struct sq_linked_part {
    const sq_code_part *part;
    int64_t **variable; /* of its parameters; NULL of a VALUE */
    sq_cells **pointer;
    struct sq_step *body;
    struct sq_linked_part *before;
} sq_linked_part;

/* A statement. */
typedef struct sq_step {
    const sq_code *x;
    const sq_defined *around;
    sq_linked *lo, *hi, *cond, *value, **index, *lane_step, *left;
    int64_t *variable; /* LOOP, LET, VARIABLE, ASSIGN */
    sq_cells *cells;   /* DECLARE, STORE, POINTER, ADVANCE, TRANSPOSE, COPY */
    sq_cells **of;     /* POINTER, COPY: one; CALL: one a pointer */
    sq_linked *row, *first, *n, *extent, *rows, *between; /* COPY */
    sq_linked **at;                                       /* CALL: where pointers point to */
    sq_linked **arg;                                      /* CALL */
    const sq_linked_part *part;                           /* CALL */
    struct sq_step *body, *other, *next;
} sq_step;

/* A call whose part runs. */
typedef struct sq_caller {
    const sq_step *call;
    const struct sq_caller *before;
} sq_caller;

/* A run of code. */
typedef struct sq_run {
    sq_interpret_options o;
    int64_t left; /* of what may run */
    sq_rng rng;
    const sq_step *at;       /* in hand */
    const sq_caller *caller; /* of the part that it is in; NULL: none */
    const char *wrong;
    sq_unknown unknown; /* that the value in hand was computed of */
    sq_arena *arena;
} sq_run;

/* The first thing that is wrong stays. */
void sq_run_fail(sq_run *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* interpret_value.c: an index expression, a condition of either kind, a lane of a value. */
int64_t sq_run_index(sq_run *r, const sq_linked *x);
bool sq_run_is_true(sq_run *r, const sq_linked *x, int lane);
sq_number sq_run_value(sq_run *r, const sq_linked *x, int lane);
/* The elements of a buffer, where it is a pointer those it points to: *i is moved to the place there. */
sq_cells *sq_run_elements(sq_cells *c, int64_t *i);
/* The number of the element at the subscripts, which are put in at; -1 where there is none, after a
 * failure that begins with `what`. Lanes go on from it: `lane` elements. */
enum { SQ_RUN_SUBSCRIPTS = 32 };
int64_t sq_run_element(sq_run *r, sq_cells *c, sq_linked *const *index, int64_t lane,
                       const char *what, int64_t *at);
/* "B[0][3]" of element i, for messages. */
const char *sq_run_place(sq_run *r, const sq_cells *c, int64_t i);

/* In the arena; NULL with *why, which is in the arena, too. */
sq_step *sq_interpret_link(const sq_code *x, sq_image *m, sq_arena *arena, const char **why);
#endif
