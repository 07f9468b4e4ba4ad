/* Touch: which instances access which elements, and which of them come earlier in the text.
 * Dependences and the checks of a kernel are computed from this. */
#ifndef SQ_IR_KERNEL_TOUCH_H
#define SQ_IR_KERNEL_TOUCH_H
#include "ir/kernel/kernel.h"

/* The accesses to one array by the instances of one statement. */
typedef struct sq_touch {
    const sq_stmt *stmt;
    bool update; /* instances are those of the reduction's body (S_u) */
    bool write;
    const sq_array *array;
    const sq_access *access; /* any of them, for messages */
    isl_map *rel;            /* { instance -> array[element] }, within bounds, context applied */
} sq_touch;

/* Returns the elements that an access touches; for indirect subscripts, all that are possible. PAD
 * accesses touch nothing outside, CLAMP accesses the nearest element inside, others their
 * subscripts, in bounds or not. __isl_give */
isl_map *sq_touch_rel(const sq_kernel *k, const sq_stmt *s, const sq_access *a, bool update);

/* True if two reads access the same elements from the same instances. */
bool sq_access_touches_alike(const sq_access *a, const sq_access *b);

/* Removes duplicates from the n reads of a statement, as sq_stmt_reads returns them: a condition
 * that many values depend on repeats its reads. Returns how many are left. */
int sq_reads_distinct(sq_access **read, bool *in_body, int n);

/* Returns the elements of the array that are touched whatever the values are. __isl_give */
isl_set *sq_touch_sure(const sq_kernel *k, const sq_array *a);
/* True if some element may be touched at these sizes. */
bool sq_touch_any_at(const sq_kernel *k, const sq_array *a, const int64_t *sizes);

/* Removes pad() and clampedge() from reads that never leave their array, say because P is 0, so
 * that nothing is copied or tested for them. Reads under a condition that may leave their array
 * elsewhere get a pad, so that reading without testing the condition stays inside. */
void sq_kernel_drop_edges(sq_kernel *k);

/* Returns { a's instance -> b's instance : same element, a's before b's in the text }. An index
 * statement completes before the next; the body of a reduction runs before the value of the same
 * element. Otherwise the instances of an index statement are unordered, except where arrays overlap
 * (alias): then in the order written. NULL on isl's failure. __isl_give */
isl_map *sq_touch_pairs(const sq_kernel *k, const sq_touch *a, const sq_touch *b);

/* Returns { S_u[free, reduction] -> S[free] }, unrestricted. __isl_give */
isl_map *sq_stmt_drop(const sq_stmt *s);
/* Returns the same, restricted to the statement's instances. __isl_give */
isl_map *sq_stmt_finish(const sq_kernel *k, const sq_stmt *s);
/* Returns the instances of a statement, or of its reduction's body, under the kernel's context.
 * __isl_give */
isl_set *sq_stmt_instances(const sq_kernel *k, const sq_stmt *s, bool update);
/* Returns the free points of a statement with a reduction that have no update, without a tuple
 * name; NULL if there are none. __isl_give */
isl_set *sq_stmt_unreduced(const sq_kernel *k, const sq_stmt *s);
/* True if such points must stay in order with the others: their loop nest comes after the others
 * (codegen/nest/empty.h), which is too late if the statement reads or overwrites what it has
 * written. */
bool sq_stmt_waits_for_unreduced(const sq_kernel *k, const sq_stmt *s);
#endif
