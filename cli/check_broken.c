/* Check broken: see check_broken.h. */
#include "cli/check_broken.h"
#include "cli/check_reach.h"
#include "cli/check_values.h"
#include <isl/set.h>
#include <string.h>

/* Long sizes are among them, the others are few. */
static const sq_check_limits limits = {.bytes = 64e6, .flops = 2e8, .rows = 320};
/* Of sizes near those that break nothing. */
static const sq_check_limits limits_near = {.bytes = 64e6, .flops = 1e7, .rows = 320};

/* Where a size stands among the parameters of the set; -1: it is fixed, or not among them. */
static int place_of(const sq_kernel *k, isl_set *sizes, int size)
{
    return k->size[size]->fixed
               ? -1
               : isl_set_find_dim_by_name(sizes, isl_dim_param, k->size[size]->name);
}

/* Sizes among which one after the other is 0: what is reduced over it is empty. */
static void add_empty(const sq_kernel *k, isl_set *sizes, sq_check_rows *r)
{
    for (int i = 0; i < k->nsizes; i++) {
        int at = place_of(k, sizes, i);
        if (at < 0)
            continue;
        isl_set *empty = isl_set_fix_si(isl_set_copy(sizes), isl_dim_param, (unsigned)at, 0);
        sq_check_reach(k, empty, 1, &limits, r);
        isl_set_free(empty);
    }
}

/* Sizes among which one after the other is long, and the others few or one of them 0. */
static void add_long(const sq_kernel *k, isl_set *sizes, sq_check_rows *r)
{
    for (int i = 0; i < k->nsizes; i++) {
        int at = place_of(k, sizes, i);
        for (int l = 0; at >= 0 && l < SQ_NLONG_LENGTHS; l++) {
            isl_set *some = isl_set_lower_bound_si(isl_set_copy(sizes), isl_dim_param, (unsigned)at,
                                                   (int)sq_long_lengths[l]);
            sq_check_reach(k, some, 3, &limits, r);
            if (l == SQ_LONG_UNSIGNED)
                add_empty(k, some, r);
            isl_set_free(some);
        }
    }
}

static void add_row(const sq_kernel *k, isl_set *sizes, const int64_t *row, sq_check_rows *r)
{
    if (sq_kernel_takes(k, sizes, row))
        sq_check_add(k, row, &limits_near, r);
}

/* A size of `from` by little more and less, beside the others of `beside`. */
static void add_around(const sq_kernel *k, isl_set *sizes, const int64_t *beside,
                       const int64_t *from, sq_check_rows *r)
{
    static const int64_t by[] = {1, 2, 3, 4, 6, 8, 12, 16, 32};
    int64_t row[SQ_MAX_SIZES];
    memcpy(row, beside, (size_t)k->nsizes * sizeof *row);
    for (int i = 0; i < k->nsizes; row[i] = beside[i], i++)
        for (size_t d = 0; d < sizeof by / sizeof *by && !k->size[i]->fixed; d++) {
            row[i] = from[i] + by[d];
            add_row(k, sizes, row, r);
            row[i] = from[i] - by[d];
            add_row(k, sizes, row, r);
        }
}

/* What one size alone breaks, near sizes that break nothing: a multiple of 32 is one of 16 and of 8
 * as well, and a text that asks for those is wrong at some of them. */
static void add_near(const sq_kernel *k, isl_set *sizes, sq_check_rows *r)
{
    static const int64_t least[] = {1, 40, 200};
    int64_t good[sizeof least / sizeof *least][SQ_MAX_SIZES];
    for (size_t b = 0; b < sizeof least / sizeof *least; b++) {
        sq_check_rows one = {.k = k, .size = good[b]};
        sq_check_reach(k, k->context, least[b], &limits, &one);
        if (one.n == 0)
            return;
        add_around(k, sizes, good[0], good[b], r);
        add_around(k, sizes, good[b], good[b], r);
    }
}

void sq_check_broken(const sq_kernel *k, sq_arena *arena, sq_check_rows *r)
{
    static const int64_t least[] = {0, 1, 2, 8, 13};
    isl_set *broken = isl_set_subtract(isl_set_copy(k->accepted), isl_set_copy(k->context));
    r->n = 0;
    r->size = SQ_NEW_ARRAY(arena, int64_t, limits.rows * k->nsizes + 1);
    for (size_t i = 0; i < sizeof least / sizeof *least; i++)
        sq_check_reach(k, broken, least[i], &limits, r);
    add_empty(k, broken, r);
    add_long(k, broken, r);
    add_near(k, broken, r);
    isl_set_free(broken);
}
