/* Witness: the smallest concrete instance of a violation, as text. Every refusal about sizes or
 * order ends in one. */
#ifndef SQ_IR_DEPENDENCE_WITNESS_H
#define SQ_IR_DEPENDENCE_WITNESS_H
#include "ir/kernel/kernel.h"

typedef struct sq_witness {
    const char *sizes; /* "with M=1, N=2: ", or "" if no symbolic size matters */
    int n;
    int64_t *size;  /* the symbolic ones, in order */
    int64_t *value; /* coordinates of the point: for a map, domain then range */
} sq_witness;

/* Finds the lexicographically smallest sizes, and for these the smallest point, of a set or map
 * that is not empty (wrap maps with isl_map_wrap). False on isl's failure. In the kernel's
 * arena. */
bool sq_witness_find(const sq_kernel *k, isl_set *set /* __isl_take */, sq_witness *w);

/* Returns "S0[i=1, j=0]" from the coordinates that start at `from`, "S0" if it has none;
 * with_reduction: the update instance. */
const char *sq_witness_instance(const sq_kernel *k, const sq_stmt *s, bool with_reduction,
                                const sq_witness *w, int from);
/* Returns "A[-1][0]". */
const char *sq_witness_element(const sq_kernel *k, const sq_array *a, const int64_t *v);
#endif
