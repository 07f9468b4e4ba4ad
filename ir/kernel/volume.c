/* Volume: see volume.h. */
#include "ir/kernel/volume.h"
#include <isl/ilp.h>
#include <isl/val.h>
#include <math.h>

enum { LARGE = 1000 };

static isl_stat add_box(__isl_take isl_basic_set *b, void *user)
{
    double *all = user, points = 1;
    isl_set *set = isl_set_from_basic_set(b);
    for (int d = 0; d < (int)isl_set_dim(set, isl_dim_set); d++) {
        isl_val *last = isl_set_dim_max_val(isl_set_copy(set), d), *first = isl_set_dim_min_val(isl_set_copy(set), d);
        bool some = isl_val_is_int(last) == isl_bool_true && isl_val_is_int(first) == isl_bool_true;
        points *= some ? isl_val_get_d(last) - isl_val_get_d(first) + 1 : INFINITY;
        isl_val_free(last);
        isl_val_free(first);
    }
    *all += points;
    isl_set_free(set);
    return isl_stat_ok;
}

double sq_volume(const sq_kernel *k, isl_set *points)
{
    double all = 0;
    isl_set *at = isl_set_intersect_params(isl_set_copy(points), isl_set_copy(k->context));
    for (int p = 0; p < (int)isl_set_dim(at, isl_dim_param); p++)
        at = isl_set_fix_si(at, isl_dim_param, (unsigned)p, LARGE);
    at = isl_set_make_disjoint(at);
    isl_set_foreach_basic_set(at, add_box, &all);
    isl_set_free(at);
    return all;
}
