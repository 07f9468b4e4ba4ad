/* Writers: statements of C loops that write the same elements in the same order, such as a hundred updates of one
 * array. What one of them must wait for follows, but for its neighbours, from what the others wait for:
 *
 *     for (i) { A[i] += a; A[i] += b; A[i] += c; }     a before b and b before c: then a before c
 *
 * Of n such statements there are n^2 pairs and 3 n that the rest follows from. An order that respects these respects
 * all; and where a loop keeps two instances apart, it keeps apart two of those between them. */
#ifndef SQ_IR_DEPENDENCE_WRITERS_H
#define SQ_IR_DEPENDENCE_WRITERS_H
#include "ir/kernel/touch.h"

typedef struct sq_writers sq_writers;
enum { SQ_FEW_WRITERS = 8 }; /* all pairs of up to as many are computed: a scheduler sees which are close */

/* Finds them among n touches, if there are many. In the arena of the kernel. */
const sq_writers *sq_writers_find(const sq_kernel *k, const sq_touch *t, int n);
/* True if the dependences from touch a to touch b follow from those of others. */
bool sq_writers_imply(const sq_writers *w, int a, int b);
#endif
