/* Kernel free: frees a kernel and the kernels derived from it. */
#include "ir/dependence/rewrite.h"
#include "ir/kernel/kept.h"
#include "ir/schedule/tree.h"
#include <isl/aff.h>
#include <isl/set.h>
#include <isl/union_map.h>

sq_kernel *sq_kernel_free(sq_kernel *k)
{
    if (!k)
        return NULL;
    for (int i = 0; i < k->nstmts; i++)
        sq_stmt_free(k->stmt[i]);
    for (int i = 0; i < k->narrays; i++) {
        for (int d = 0; d < k->array[i]->ndim; d++)
            isl_aff_free(k->array[i]->extent[d]);
        isl_aff_free(k->array[i]->least);
        isl_aff_free(k->array[i]->most);
    }
    isl_set_free(k->context);
    isl_set_free(k->shapes);
    isl_set_free(k->accepted);
    isl_set_free(k->beyond);
    for (int i = 0; i < k->nassumes; i++)
        isl_set_free(k->assume[i]);
    isl_union_map_free(k->deps);
    sq_tree_deps_drop(k);
    sq_rewritten_free(k);
    sq_kept_free(k->kept);
    sq_arena_free(k->arena);
    return NULL;
}
