/* Touch: which instances touch which elements, and which of them come before which in the text.
 * What dependences and the checks of a kernel are computed from. */
#ifndef SQ_IR_KERNEL_TOUCH_H
#define SQ_IR_KERNEL_TOUCH_H
#include "ir/kernel/kernel.h"

/* Accesses of one array by the instances of one statement. */
typedef struct sq_touch {
    const sq_stmt *stmt;
    bool update; /* instances are those of the reduction's body (S_u) */
    bool write;
    const sq_array *array;
    const sq_access *access; /* one of them, for messages */
    isl_map *rel;            /* { instance -> array[element] }, within bounds, context applied */
} sq_touch;

/* The elements a single access touches; where a value says a subscript, all that it can. PAD accesses touch
 * nothing outside, CLAMP accesses the nearest element inside, others what they say, in bounds or not. __isl_give */
isl_map *sq_touch_rel(const sq_kernel *k, const sq_stmt *s, const sq_access *a, bool update);

/* True if two reads touch the same elements from the same instances. */
bool sq_access_touches_alike(const sq_access *a, const sq_access *b);

/* Of the n reads of a statement, as sq_stmt_reads gives them, keeps those that ask for something of
 * their own: a condition that many values depend on repeats its reads. Returns how many are left. */
int sq_reads_distinct(sq_access **read, bool *in_body, int n);

/* All elements of the array that are touched whatever the values are. __isl_give */
isl_set *sq_touch_sure(const sq_kernel *k, const sq_array *a);

/* pad() and clampedge() around reads that never leave their array, say because P is 0, say nothing:
 * takes them off, so that nobody copies or tests for them. Reads under a condition that may leave
 * their array elsewhere get a pad: whoever reads without asking for the condition stays inside. */
void sq_kernel_drop_edges(sq_kernel *k);

/* { a's instance -> b's instance : same element, a's before b's in the text }. Index statements run
 * whole before the next; the body of a reduction runs before the value of the same element, nothing
 * else of one index statement is ordered, but where arrays overlap (alias) its points are, as
 * written. NULL on isl's failure. __isl_give */
isl_map *sq_touch_pairs(const sq_kernel *k, const sq_touch *a, const sq_touch *b);

/* { S_u[free, reduction] -> S[free] }, everywhere. __isl_give */
isl_map *sq_stmt_drop(const sq_stmt *s);
/* The same over the statement's instances. __isl_give */
isl_map *sq_stmt_finish(const sq_kernel *k, const sq_stmt *s);
/* The instances of a statement, or of its reduction's body, under the kernel's context. __isl_give
 */
isl_set *sq_stmt_instances(const sq_kernel *k, const sq_stmt *s, bool update);
/* Free points of a statement with a reduction that have no update, without a tuple name; NULL when
 * there are none. __isl_give */
isl_set *sq_stmt_unreduced(const sq_kernel *k, const sq_stmt *s);
/* True if such points must keep their place among the others: their own loop nest comes after those
 * (codegen/nest/empty.h), which is too late if the statement reads or overwrites what it has written. */
bool sq_stmt_waits_for_unreduced(const sq_kernel *k, const sq_stmt *s);
#endif
