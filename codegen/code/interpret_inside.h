/* Interpret, inside: code with its names and buffers looked up (interpret_link.c), which is what runs
 * (interpret.c). */
#ifndef SQ_CODE_INTERPRET_INSIDE_H
#define SQ_CODE_INTERPRET_INSIDE_H
#include "codegen/code/interpret.h"

/* A buffer, and what it holds. */
typedef struct sq_cells {
    const sq_code_buffer *buffer;
    int64_t *extent;
    int64_t count;
    sq_number *at;
    bool *defined;
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

/* A statement. */
typedef struct sq_step {
    const sq_code *x;
    const sq_defined *around;
    sq_linked *lo, *hi, *cond, *value, **index;
    int64_t *variable; /* LOOP, LET */
    sq_cells *cells;   /* DECLARE, STORE */
    struct sq_step *body, *other, *next;
} sq_step;

/* In the arena; NULL with *why, which is in the arena, too. */
sq_step *sq_interpret_link(const sq_code *x, sq_image *m, sq_arena *arena, const char **why);
#endif
