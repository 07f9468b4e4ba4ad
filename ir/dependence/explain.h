/* Explain: which transforms the loops of a kernel, as they are written, allow, in the user's names
 * and lines. A loop is C's, that of an index, or a reduction's. */
#ifndef SQ_IR_DEPENDENCE_EXPLAIN_H
#define SQ_IR_DEPENDENCE_EXPLAIN_H
#include "ir/kernel/kernel.h"

/* A verdict; `why` is a sentence about the reason, never NULL. */
typedef struct sq_permission {
    bool can;
    const char *why;
} sq_permission;

typedef struct sq_loop_facts {
    const char *name;
    int depth;        /* loops around it */
    int parent;       /* the loop directly around it, -1 */
    bool sum;         /* loop of a reduction */
    const char *over; /* that reduction as written, "rmax"; NULL */
    int nstmts;
    const sq_stmt **stmt; /* statements inside, in textual order */
    sq_permission parallel;  /* whether its iterations may run in threads */
    sq_permission vector;    /* whether its iterations may be vectorized, and the strides of the arrays */
    sq_permission tile;      /* whether it may be tiled together with the loops around it */
} sq_loop_facts;

/* Lists the loops of all statements, outer ones before inner ones, with their verdicts; everything
 * in arena. Returns their number, or -1 if the dependences exceed the limit on work. */
int sq_explain_loops(const sq_kernel *k, sq_arena *arena, sq_loop_facts **loops);
#endif
