/* Perturb: how far the results of a recurrence move when its inputs change a little. Steps that
 * amplify differences, as an unstable stencil's do, amplify rounding errors as well, and no bound
 * follows from the number of operations: the naive nest is run to measure it. */
#ifndef SQ_RUNTIME_PERTURB_H
#define SQ_RUNTIME_PERTURB_H
#include "runtime/case.h"

/* After sq_case_keep: calls f several times on perturbed inputs, each moved up or down, and records
 * how far each output has moved relative to the perturbation; elements that move far when inputs
 * change in their last digits are marked, and not compared. Scalars are restored. 0, or -1 with a
 * sentence in why (at least 200 bytes). */
int sq_case_perturb(sq_case *c, void (*f)(void *const *), char *why);
/* Does the same for each element of the outputs, several times, for cases with `spread` or `steps`:
 * fills their `spread`, which sq_case_free frees. */
int sq_case_spread(sq_case *c, void (*f)(void *const *), char *why);
#endif
