/* Flow: exact dataflow. Finds the instance that wrote what an access reads, and what is overwritten
 * between two instances. The order is textual, as in touch.h. */
#ifndef SQ_IR_DEPENDENCE_FLOW_H
#define SQ_IR_DEPENDENCE_FLOW_H
#include "ir/kernel/kernel.h"

/* Returns { instance of c -> the instance of p that wrote what it reads last }, for the instances
 * that read what p wrote. update: instances are those of c's reduction body. Two overlapping
 * parameters are treated as distinct arrays. NULL on isl's failure. __isl_give */
isl_map *sq_flow_from(const sq_kernel *k, const sq_stmt *p, const sq_stmt *c, const sq_access *read,
                      bool update);
/* Returns { instance of c -> instance of w }, where w writes an element that p reads through
 * `read`, after p's instance from(c) and before c has finished reading. NULL on isl's failure.
 * __isl_give */
isl_map *sq_flow_overwritten(const sq_kernel *k, const sq_stmt *p, const sq_access *read,
                             isl_multi_aff *from /* __isl_keep */, const sq_stmt *c, bool update,
                             const sq_stmt *w);
/* Returns the instances of p whose element no later instance writes, not counting p's own. NULL on
 * isl's failure. __isl_give */
isl_set *sq_flow_last(const sq_kernel *k, const sq_stmt *p);
#endif
