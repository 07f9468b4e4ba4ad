/* Explain: what the loops of a kernel, as they are written, allow and what they forbid, in the
 * user's names and lines. A loop is C's or that of an index, or a reduction's. */
#ifndef SQ_IR_DEPENDENCE_EXPLAIN_H
#define SQ_IR_DEPENDENCE_EXPLAIN_H
#include "ir/kernel/kernel.h"

/* A verdict; `why` is a sentence about the reason, never NULL. */
typedef struct sq_verdict {
    bool can;
    const char *why;
} sq_verdict;

typedef struct sq_loop_facts {
    const char *name;
    int depth;        /* loops around it */
    int parent;       /* the one directly around it, -1 */
    bool sum;         /* of a reduction */
    const char *over; /* that reduction as it is written, "rmax"; NULL */
    int nstmts;
    const sq_stmt **stmt; /* those inside, in textual order */
    sq_verdict parallel;  /* may threads share its iterations */
    sq_verdict vector;    /* may neighbouring iterations lie in lanes, and how the arrays move */
    sq_verdict tile;      /* may it be tiled together with the loops around it */
} sq_loop_facts;

/* The loops of all statements, outer ones before inner ones, with their verdicts; everything in
 * arena. Returns their number, -1 when the dependences take more work than is allowed. */
int sq_explain_loops(const sq_kernel *k, sq_arena *arena, sq_loop_facts **loops);
#endif
