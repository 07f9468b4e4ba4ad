/* Perturb: how far the results of a recurrence move when its inputs change a little.
 * Steps that make differences grow, as an unstable stencil's do, make those of rounding grow as
 * well, and no bound from the number of operations says how much: the naive nest is asked. */
#ifndef SQ_RUNTIME_PERTURB_H
#define SQ_RUNTIME_PERTURB_H
#include "runtime/case.h"

/* After sq_case_keep: calls f some more times on inputs that are perturbed, each up or down, and notes how
 * far each output has moved, as a multiple of the perturbation; elements that move far when inputs change in
 * their last digits are marked, and not compared. Scalars are afterwards as they were. 0, or -1 with a
 * sentence in why (at least 200 bytes). */
int sq_case_perturb(sq_case *c, void (*f)(void *const *), char *why);
/* The same of each element of the outputs, several times, for cases with `spread` or `steps`: fills
 * their `spread`, which sq_case_free frees. */
int sq_case_spread(sq_case *c, void (*f)(void *const *), char *why);
#endif
