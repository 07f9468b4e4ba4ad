/* Project: the instances of a statement on some of its dimensions, for statements that transforms make of a part of
 * one: what does not move with the others is computed once for all of them. */
#ifndef SQ_TRANSFORMS_PROJECT_H
#define SQ_TRANSFORMS_PROJECT_H
#include "ir/schedule/schedule.h"

typedef struct sq_projection {
    int n, dim[SQ_MAX_DIMS]; /* dimensions of the statement, in the order of the new one's */
} sq_projection;

/* Returns the space { name[dims] } with the parameters of `made`. __isl_give */
isl_space *sq_projected_space(const sq_kernel *made, const char *name, int dims);
/* Returns { name[the kept dimensions] }: those of `of`, its instances. __isl_give */
isl_set *sq_projected_set(const sq_kernel *made, const sq_projection *p, isl_set *of /* __isl_keep */,
                          const char *name);
/* Returns { name[the kept dimensions] -> an instance in the space of `of` }, with the others 0: for expressions that
 * do not move with these. __isl_give */
isl_multi_aff *sq_projected_instance(const sq_kernel *made, const sq_projection *p, const char *name,
                                     isl_set *of /* __isl_keep */);
/* Returns { from[…] -> [its first n kept dimensions] }. __isl_give */
isl_multi_aff *sq_projected_subscripts(const sq_projection *p, int n, isl_space *from /* __isl_take */);
#endif
