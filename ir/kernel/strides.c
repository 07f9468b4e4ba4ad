/* Strides: sizes that only say how far apart elements lie, as n elements `x[i * incx]` are an array [n][incx] of which
 * the first of each row is used. */
#include "ir/kernel/kernel.h"
#include <isl/aff.h>

/* The size that is this extent; NULL: it is none alone. */
static sq_size *size_of(const sq_kernel *k, isl_aff *extent /* __isl_keep */)
{
    sq_size *found = NULL;
    for (int s = 0; s < k->nsizes && !found; s++) {
        int at = k->size[s]->fixed ? -1 : isl_aff_find_dim_by_name(extent, isl_dim_param, k->size[s]->name);
        if (at < 0)
            continue;
        isl_aff *alone =
            isl_aff_var_on_domain(isl_aff_get_domain_local_space(extent), isl_dim_param, (unsigned)at);
        found = isl_aff_plain_is_equal(extent, alone) == isl_bool_true ? k->size[s] : NULL;
        isl_aff_free(alone);
    }
    return found;
}

static bool starts_row(const sq_access *a)
{
    if (!a || !a->map || a->indirect)
        return false;
    isl_aff *last = isl_multi_aff_get_aff(a->map, a->array->ndim - 1);
    isl_val *at = isl_aff_get_constant_val(last);
    bool first = isl_aff_is_cst(last) == isl_bool_true && isl_val_is_zero(at) == isl_bool_true;
    isl_val_free(at);
    isl_aff_free(last);
    return first;
}

/* True if an access goes from row to row: it is not of one row alone. */
static bool walks(const sq_access *a)
{
    isl_aff *row = isl_multi_aff_get_aff(a->map, a->array->ndim - 2);
    bool varies = isl_aff_is_cst(row) == isl_bool_false;
    isl_aff_free(row);
    return varies;
}

/* True if of each row of the array nothing but the first element is used, and of more rows than one. */
static bool is_column(const sq_kernel *k, const sq_array *a)
{
    bool first = true, many = false;
    for (int i = 0; i < k->nstmts && first; i++) {
        sq_access *use[SQ_MAX_STMT_READS + 1];
        int n = sq_stmt_all_reads(k->stmt[i], use, NULL);
        use[n++] = k->stmt[i]->write;
        for (int u = 0; u < n && first; u++) {
            first = use[u]->array != a || starts_row(use[u]);
            many |= first && use[u]->array == a && walks(use[u]);
        }
    }
    return first && many;
}

static bool is_of_loops(const sq_kernel *k, const sq_size *size)
{
    for (int s = 0; s < k->nsizes; s++)
        for (int i = 0; k->size[s] == size && i < k->nstmts; i++)
            if (sq_stmt_involves_size(k, k->stmt[i], s))
                return true;
    return false;
}

bool sq_kernel_has_constants(const sq_kernel *k)
{
    bool any = false;
    for (int s = 0; s < k->nsizes; s++)
        any |= k->size[s]->kept;
    return any;
}

int sq_kernel_strides(const sq_kernel *k, sq_size **to)
{
    int n = 0;
    for (int i = 0; i < k->narrays; i++) {
        const sq_array *a = k->array[i];
        sq_size *size = a->ndim > 1 && a->role != SQ_LOCAL ? size_of(k, a->extent[a->ndim - 1]) : NULL;
        bool known = !size;
        for (int j = 0; j < n; j++)
            known |= to[j] == size;
        if (!known && !is_of_loops(k, size) && is_column(k, a))
            to[n++] = size;
    }
    return n;
}
