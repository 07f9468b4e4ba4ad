/* Check reach: see check_reach.h. */
#include "cli/check_reach.h"
#include "tuner/measure/case_spec.h"
#include <isl/point.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <string.h>

bool sq_check_least(const sq_kernel *k, isl_set *sizes, int64_t *row)
{
    isl_space *names = isl_set_get_space(sizes);
    sizes = isl_set_move_dims(sizes, isl_dim_set, 0, isl_dim_param, 0,
                              (unsigned)isl_set_dim(sizes, isl_dim_param));
    isl_point *p = isl_set_sample_point(isl_set_lexmin(sizes));
    bool found = p && isl_point_is_void(p) == isl_bool_false;
    for (int i = 0; found && i < k->nsizes; i++) {
        int at = isl_space_find_dim_by_name(names, isl_dim_param, k->size[i]->name);
        if (at < 0)
            continue;
        isl_val *v = isl_point_get_coordinate_val(p, isl_dim_set, at);
        row[i] = isl_val_get_num_si(v);
        isl_val_free(v);
    }
    isl_space_free(names);
    isl_point_free(p);
    return found;
}

/* True if the row is within the limits, and the text must be right at its sizes. */
static bool fits(const sq_check_rows *r, const int64_t *row, const sq_check_limits *limits)
{
    const sq_kernel *k = r->k;
    return sq_check_rows_hold(k, row) &&
           sq_kernel_takes(k, k->accepted ? k->accepted : k->context, row) &&
           sq_check_rows_bytes(r, row) <= limits->bytes && sq_kernel_operations(k, row) <= limits->flops;
}

void sq_check_add(const sq_kernel *k, const int64_t *row, const sq_check_limits *limits,
                  sq_check_rows *r)
{
    if (r->n < limits->rows && !sq_check_rows_have(r, row) && fits(r, row, limits))
        memcpy(r->size + (ptrdiff_t)r->n++ * k->nsizes, row, (size_t)k->nsizes * sizeof *row);
}

/* The sizes among which size `at` is at least `least`, or, where all are below 0 and no least ones are asked for, near
 * to 0: at the least of all there is seldom anything to do. Those themselves if there are none. */
static isl_set *at_least(const sq_kernel *k, isl_set *sizes /* __isl_take */, int at, int64_t least)
{
    const int64_t bound[] = {least, -1, -3};
    for (int i = 0; i < (least > 0 ? 3 : 1); i++) {
        isl_set *more = isl_set_lower_bound_val(isl_set_copy(sizes), isl_dim_param, (unsigned)at,
                                                isl_val_int_from_si(k->ctx, (long)bound[i]));
        bool can = isl_set_is_empty(more) == isl_bool_false;
        isl_set_free(can ? sizes : more);
        if (can)
            return more;
    }
    return sizes;
}

void sq_check_reach(const sq_kernel *k, isl_set *sizes, int64_t least,
                    const sq_check_limits *limits, sq_check_rows *r)
{
    int64_t row[SQ_MAX_SIZES] = {0};
    isl_set *among = isl_set_copy(sizes);
    for (int i = 0; i < k->nsizes; i++) {
        int at = isl_set_find_dim_by_name(among, isl_dim_param, k->size[i]->name);
        row[i] = k->size[i]->fixed ? k->size[i]->value : least;
        if (at >= 0 && !k->size[i]->fixed)
            among = at_least(k, among, at, least);
    }
    if (sq_check_least(k, among, row))
        sq_check_add(k, row, limits, r);
}
