/* Returned: the sum of a region, and the like, which the function of the loops takes as a value and returns. A pointer
 * to it would have the function around it keep it in memory: short sums wait for that twice. */
#include "codegen/file/function_inside.h"

/* True if the first statement that accesses the array reads it: what a caller has not set is not passed on. */
static bool is_read_first(const sq_kernel *k, const sq_array *a)
{
    for (int i = 0; i < k->nstmts; i++) {
        if (sq_stmt_reads_array(k->stmt[i], a))
            return true;
        if (k->stmt[i]->write->array == a)
            return false;
    }
    return false;
}

const sq_array *sq_function_returned(const sq_printer *p)
{
    const sq_array *found = NULL;
    int n = 0;
    for (int i = 0; i < p->kernel->nparams; i++) {
        const sq_array *a = p->kernel->param[i].array;
        if (a && a->ndim == 0 && a->role == SQ_INOUT) {
            n++;
            found = a;
        }
    }
    bool fits = n == 1 && !p->has_loops && !p->options->tasks && !sq_kernel_overlaps(p->kernel);
    return fits && sq_code_keys_has(&p->names, found->name) && is_read_first(p->kernel, found) ? found : NULL;
}
