/* Form: affine expressions and sets of integer points, to be evaluated at given sizes: isl is asked
 * once, what comes after is arithmetic. For whoever runs kernels. */
#ifndef SQ_IR_KERNEL_FORM_H
#define SQ_IR_KERNEL_FORM_H
#include "ir/kernel/kernel.h"

typedef struct sq_form sq_form;

/* In the arena. The expression's parameters are sizes of the kernel. */
sq_form *sq_form_new(const sq_kernel *k, isl_aff *a /* __isl_keep */, sq_arena *arena);
/* Its value, rounded down where it divides; sizes in the order of the kernel's, its
 * products behind them; at: the values of its dimensions, or NULL where it has none. */
int64_t sq_form_value(const sq_form *f, const int64_t *sizes, const int64_t *at);

typedef struct sq_points sq_points;

/* In the arena; NULL where isl knows the set by conditions that have no explicit form. */
sq_points *sq_points_new(const sq_kernel *k, isl_set *set /* __isl_keep */, sq_arena *arena);
/* Visits, in lexicographic order, the points whose first n coordinates are at[]; at has room for all
 * dimensions, and holds the point during the visit. Ends early where visit returns false: no point
 * behind that one is looked for. False if it did, or if the points have no end at these sizes. */
bool sq_points_each(const sq_points *p, const int64_t *sizes, int64_t *at, int n,
                    bool (*visit)(const int64_t *at, void *user), void *user);
#endif
