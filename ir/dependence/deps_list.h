/* The dependences of a kernel one by one, for people: which access of which statement depends on
 * which other, and how. k->deps is their union. */
#ifndef SQ_IR_DEPENDENCE_DEPS_LIST_H
#define SQ_IR_DEPENDENCE_DEPS_LIST_H
#include "ir/kernel/kernel.h"

typedef enum sq_dep_kind {
    SQ_DEP_FLOW,   /* one writes what the other reads */
    SQ_DEP_ANTI,   /* one reads what the other overwrites */
    SQ_DEP_OUTPUT, /* both write it */
    SQ_DEP_SUM     /* a reduction's updates before its value; under fp strict, in sequence */
} sq_dep_kind;
const char *sq_dep_kind_name(sq_dep_kind kind); /* "flow" */

typedef struct sq_dep {
    sq_dep_kind kind;
    const sq_stmt *from, *to;
    bool from_update, to_update;   /* the instances are those of the reduction's body */
    const sq_access *first, *then; /* an access of each; NULL for SQ_DEP_SUM */
    const sq_array *array;         /* of `first`; NULL for SQ_DEP_SUM */
    const sq_array *other; /* of `then`, if it is another array that may overlap; or NULL */
    isl_map *map;          /* { instance -> instance that must come later }, not empty */
} sq_dep;

typedef struct sq_dep_list {
    int n;
    sq_dep *dep;
} sq_dep_list;

/* Lists them in textual order of the statements; memory in arena, maps freed by sq_deps_list_free.
 * Within the quota of sq_deps_compute: beyond it returns false, with nothing to free. */
bool sq_deps_list(const sq_kernel *k, sq_arena *arena, sq_dep_list *list);
void sq_deps_list_free(sq_dep_list *list);
#endif
