/* Inside: the points of statements at which all that they read is inside of its array, and the others: there pad(),
 * clampedge() or choices, A[x < 0 ? 0 : x], give what is read. Of the choices each part has the sides that it takes. */
#ifndef SQ_IR_DEPENDENCE_INSIDE_H
#define SQ_IR_DEPENDENCE_INSIDE_H
#include "ir/kernel/kernel.h"

/* The same statements at some of their points. */
typedef struct sq_inside {
    const sq_stmt **inside; /* a product of ranges */
    const sq_stmt **border;
} sq_inside;

/* Returns both for statements with the same free dimensions; the kernel keeps them. NULL if all reads are inside
 * everywhere, if the points inside are no product of ranges, if points need an order, as one reads or writes what
 * another one writes, or if it is not known in reasonable time. */
const sq_inside *sq_inside_of(const sq_kernel *k, const sq_stmt *const *stmt, int n);
/* Forgets all of a kernel. */
void sq_inside_drop(sq_kernel *k);
#endif
