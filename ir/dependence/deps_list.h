/* The dependences of a kernel one by one, for people: which access of which statement makes another
 * wait, and how. k->deps is their union. */
#ifndef SQ_IR_DEPENDENCE_DEPS_LIST_H
#define SQ_IR_DEPENDENCE_DEPS_LIST_H
#include "ir/kernel/kernel.h"

typedef enum sq_dep_kind {
    SQ_DEP_FLOW,   /* what one writes, the other reads */
    SQ_DEP_ANTI,   /* what one reads, the other overwrites */
    SQ_DEP_OUTPUT, /* both write it */
    SQ_DEP_SUM     /* a reduction's updates before its value; under fp strict one after the other */
} sq_dep_kind;
const char *sq_dep_kind_name(sq_dep_kind kind); /* "flow" */

typedef struct sq_dep {
    sq_dep_kind kind;
    const sq_stmt *from, *to;
    bool from_update, to_update;   /* the instances are those of the reduction's body */
    const sq_access *first, *then; /* what they do, one of each; NULL for SQ_DEP_SUM */
    const sq_array *array;         /* of the first; NULL for SQ_DEP_SUM */
    const sq_array *other; /* of the other one, where that is another array, which may be the same
                              memory; or NULL */
    isl_map *map;          /* { instance -> instance that must come later }, not empty */
} sq_dep;

typedef struct sq_dep_list {
    int n;
    sq_dep *dep;
} sq_dep_list;

/* In textual order of the statements; memory in arena, maps freed by sq_deps_list_free. Within the
 * quota of sq_deps_compute: false (nothing to free) beyond. */
bool sq_deps_list(const sq_kernel *k, sq_arena *arena, sq_dep_list *list);
void sq_deps_list_free(sq_dep_list *list);
#endif
