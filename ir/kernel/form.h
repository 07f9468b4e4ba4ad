/* Form: affine expressions and sets of integer points that are evaluated at given sizes: isl is
 * called once, and evaluation is arithmetic only. For running kernels. */
#ifndef SQ_IR_KERNEL_FORM_H
#define SQ_IR_KERNEL_FORM_H
#include "ir/kernel/kernel.h"

typedef struct sq_affine_form sq_affine_form;

/* Allocated in the arena. The expression's parameters are sizes of the kernel. */
sq_affine_form *sq_form_new(const sq_kernel *k, isl_aff *a /* __isl_keep */, sq_arena *arena);
/* Returns its value; divisions round down. sizes: in the order of the kernel's, followed by its
 * products; at: the values of its dimensions, or NULL if it has none. */
int64_t sq_form_value(const sq_affine_form *f, const int64_t *sizes, const int64_t *at);

typedef struct sq_points sq_points;

/* Allocated in the arena; NULL if isl's conditions of the set have no explicit form. */
sq_points *sq_points_new(const sq_kernel *k, isl_set *set /* __isl_keep */, sq_arena *arena);
/* Visits, in lexicographic order, the points whose first n coordinates are at[]; at has room for
 * all dimensions, and holds the point during the visit. Stops if visit returns false. Returns false
 * in that case, or if the set is unbounded at these sizes. */
bool sq_points_each(const sq_points *p, const int64_t *sizes, int64_t *at, int n,
                    bool (*visit)(const int64_t *at, void *user), void *user);
#endif
