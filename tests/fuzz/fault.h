/* Fault: what is broken on purpose, to see that it is found. The product is never touched: a
 * dependence is taken from the kernel, operands and guards are changed in what is emitted. */
#ifndef SQ_TESTS_FUZZ_FAULT_H
#define SQ_TESTS_FUZZ_FAULT_H
#include "ir/kernel/kernel.h"
#include "support/stats.h"
#include "support/text.h"

typedef enum fault_kind {
    FAULT_NOTHING,
    FAULT_DEPENDENCE,
    FAULT_GUARD,
    FAULT_OPERAND,
    FAULT_CAST,
    FAULT_BARRIER,
    FAULT_PITCH,
    FAULT_WAIT,
    FAULT_RESCALE,
    FAULT_FRAGMENT
} fault_kind;

/* By name: "dependence", "guard", "operand", "cast", "barrier", "pitch", "wait", "rescale",
 * "fragment"; -1 for another. */
int fault_find(const char *name);
/* Forgets all dependences of one statement on another (or itself). */
void fault_dependence(sq_kernel *k, sq_rng *r);
/* Of emitted text: one `<` in a loop or condition becomes `<=` (guard), a barrier goes (barrier), a
 * row of shared memory is read or written where another one lies (pitch), one asynchronous copy
 * more may still be on its way (wait), a lane brings or takes a row of a fragment for another one
 * (fragment). The text stays as it is for other faults, and where there is
 * nothing of the kind. */
void fault_text(fault_kind kind, char **text, sq_rng *r);
/* What was changed in a kernel; at is NULL where nothing was. */
typedef struct fault_made {
    fault_kind kind;
    sq_expr *at;
    sq_type was;
} fault_made;

/* Swaps the operands of one subtraction or division, forgets one cast to a narrower integer, or
 * divides sums so far by what online() multiplies them by. */
fault_made fault_begin(fault_kind kind, const sq_kernel *k, sq_rng *r);
void fault_end(const fault_made *f);
#endif
