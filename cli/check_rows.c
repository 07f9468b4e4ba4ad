/* Check rows: see check_rows.h. Every size has two lists of values: small ones, which give a
 * dimension each remainder of its register tile, and large ones, which end in the first and in the
 * third of its tiles. A row takes one large value, or two, and small ones for the rest: that is
 * cheap, and where a large size meets the others' remainders. */
#include "cli/check_rows.h"
#include "cli/check_reach.h"
#include "cli/check_tiles.h"
#include "support/stats.h"
#include "tuner/case_spec.h"
#include <isl/ilp.h>
#include <isl/set.h>
#include <isl/val.h>
#include <math.h>
#include <string.h>

enum { MOST_VALUES = 160, RANDOM_ROWS = 16, TRIES = 400, BUMP = 64, MOST_REMAINDERS = 64, DRAWS = 3 };
static const int64_t even[] = {64, 132}; /* what stands aligned is accessed by wider loads */
static const int64_t odd[] = {0, 1, 2, 3, 7, 13, 31, 33, 127, 129};
static const double cheap = 1e6; /* flops of a row that need not be larger */

typedef struct value {
    int64_t v;
    int large; /* 0: small; 2: in a third tile; 1: other large ones, and none at all */
    const char *why; /* "two tiles of 'k0' and a rest" */
} value;

typedef struct chooser {
    sq_measure *m;
    const sq_kernel *k;
    const sq_check_limits *most;
    sq_check_rows *r;
    sq_rng rng;
    int64_t base[SQ_MAX_SIZES];
    int64_t unit[SQ_MAX_SIZES]; /* the least with a whole register tile */
    value *list[SQ_MAX_SIZES];
    int n[SQ_MAX_SIZES];
} chooser;

/* ---- rows ---- */

static bool is_known(const sq_check_rows *r, const int64_t *row)
{
    for (int i = 0; i < r->n; i++)
        if (memcmp(r->size + (ptrdiff_t)i * r->k->nsizes, row,
                   (size_t)r->k->nsizes * sizeof *row) == 0)
            return true;
    return false;
}

static bool fits(const chooser *c, const int64_t *row, double flops)
{
    for (int i = 0; i < c->k->nsizes; i++)
        if (c->k->size[i]->type == SQ_I32 && row[i] > INT32_MAX)
            return false;
    return sq_kernel_takes(c->k, c->k->context, row) && sq_case_bytes(c->k, row) <= c->most->bytes &&
           sq_kernel_flops(c->k, row) <= flops;
}

static void put_row(chooser *c, const int64_t *row)
{
    sq_check_rows *r = c->r;
    if (r->n < c->most->rows && !is_known(r, row))
        memcpy(r->size + (ptrdiff_t)r->n++ * c->k->nsizes, row,
               (size_t)c->k->nsizes * sizeof *row);
}

static void add_row(chooser *c, const int64_t *row)
{
    if (c->r->n < c->most->rows && !is_known(c->r, row) && fits(c, row, c->most->flops))
        put_row(c, row);
}

static void fill(const sq_kernel *k, int64_t *row, int64_t with)
{
    for (int i = 0; i < k->nsizes; i++)
        row[i] = k->size[i]->fixed ? k->size[i]->value : with;
}

static void add_alike_rows(chooser *c)
{
    int64_t row[SQ_MAX_SIZES];
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        fill(c->k, row, odd[i]);
        add_row(c, row);
    }
    for (size_t i = 0; i < sizeof even / sizeof *even; i++) {
        fill(c->k, row, even[i]);
        add_row(c, row);
    }
}

/* One size 0, all others 1: what is done where there is nothing to reduce. */
static void add_empty_rows(chooser *c)
{
    int64_t row[SQ_MAX_SIZES];
    for (int i = 0; i < c->k->nsizes; i++) {
        fill(c->k, row, 1);
        if (!c->k->size[i]->fixed)
            row[i] = 0;
        add_row(c, row);
    }
}

/* ---- sizes that a description ties together ---- */

/* The least sizes that the description allows with the fixed ones of `row`: those of `hold`, and
 * all others at least `least`. False: there are none. */
static bool settle(const chooser *c, int64_t *row, unsigned hold, int64_t least)
{
    isl_set *s = isl_set_copy(c->k->context);
    for (int i = 0; i < c->k->nsizes; i++) {
        int at = isl_set_find_dim_by_name(s, isl_dim_param, c->k->size[i]->name);
        if (at < 0)
            continue;
        if (hold >> i & 1 || c->k->size[i]->fixed)
            s = isl_set_fix_val(s, isl_dim_param, (unsigned)at,
                                isl_val_int_from_si(c->k->ctx, (long)row[i]));
        else
            s = isl_set_lower_bound_val(s, isl_dim_param, (unsigned)at,
                                        isl_val_int_from_si(c->k->ctx, (long)least));
    }
    return sq_check_least(c->k, s, row);
}

/* ---- what a schedule asks for ---- */

static int64_t at_least(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t extent(const chooser *c, isl_set *set, int d, const int64_t *row)
{
    isl_set *at = sq_kernel_at(c->k, isl_set_copy(set), row);
    int64_t n = 0;
    if (isl_set_is_empty(at) == isl_bool_false) {
        isl_val *hi = isl_set_dim_max_val(isl_set_copy(at), d);
        isl_val *lo = isl_set_dim_min_val(isl_set_copy(at), d);
        if (hi && lo && isl_val_is_int(hi) && isl_val_is_int(lo))
            n = isl_val_get_num_si(hi) - isl_val_get_num_si(lo) + 1;
        isl_val_free(hi);
        isl_val_free(lo);
    }
    isl_set_free(at);
    return n;
}

static void add_value(chooser *c, int size, int64_t v, int large, const char *why)
{
    for (int i = 0; i < c->n[size]; i++)
        if (c->list[size][i].v == v)
            return;
    if (c->n[size] < MOST_VALUES && v >= 0)
        c->list[size][c->n[size]++] = (value){v, large, why};
}

/* What a dimension's extent is made of. */
typedef struct slope {
    int size;
    int64_t start; /* the extent at the base */
    double by;     /* and by how much it grows with the size */
} slope;

/* The size that makes the extent `want`, where that is linear. */
static void aim(chooser *c, const slope *s, int64_t want, int large, const char *why)
{
    double v = (double)c->base[s->size] + ceil((double)(want - s->start) / s->by);
    if (want > 0 && v >= 0 && v < 1e9)
        add_value(c, s->size, (int64_t)v, large, why);
}

static void aim_at_tile(chooser *c, const slope *s, int64_t tile, const char *name)
{
    sq_arena *a = c->m->task.arena;
    int64_t rest = 1 + (c->m->settings.seed * 7919 + tile / 3) % (tile > 2 ? tile - 1 : 1);
    aim(c, s, 2 * tile + rest, 2, sq_arena_printf(a, "a third tile of %s", name));
    aim(c, s, tile + tile / 8 + 3, 1, sq_arena_printf(a, "a second tile of %s", name));
    aim(c, s, tile + 1, 1, sq_arena_printf(a, "a second tile of %s", name));
    aim(c, s, tile, 1, sq_arena_printf(a, "a whole tile of %s", name));
    aim(c, s, tile - 1, 1, sq_arena_printf(a, "all but one of a tile of %s", name));
}

static void aim_at(chooser *c, const slope *s, const sq_tiles *p)
{
    int64_t unit = p->unit < MOST_REMAINDERS ? p->unit : MOST_REMAINDERS;
    for (int64_t i = 1; i <= 3; i++)
        aim(c, s, i, 0, "");
    add_value(c, s->size, 0, 1, "none of it");
    double v = (double)c->base[s->size] + ceil((double)(unit - s->start) / s->by);
    c->unit[s->size] = at_least(c->unit[s->size], (int64_t)v);
    for (int64_t i = 1; i < unit; i++)
        aim(c, s, i, 0, "");
    for (int64_t i = 0; i < unit; i++)
        aim(c, s, unit + i, 0, "");
    for (int t = 0; t < p->n; t++)
        aim_at_tile(c, s, p->tile[t], p->name[t]);
}

/* All sizes that dimension d's extent follows from. */
static void aim_dim(chooser *c, isl_set *set, int d, const sq_tiles *p)
{
    int64_t row[SQ_MAX_SIZES];
    slope s = {.start = extent(c, set, d, c->base)};
    for (s.size = 0; s.size < c->k->nsizes; s.size++) {
        if (c->k->size[s.size]->fixed)
            continue;
        memcpy(row, c->base, sizeof row);
        row[s.size] += BUMP;
        s.by = (double)(extent(c, set, d, row) - s.start) / BUMP;
        if (s.by > 0)
            aim_at(c, &s, p);
    }
}

static void aim_group(chooser *c, const sq_group *g)
{
    for (int i = 0; i < (g->plan ? g->nstmts : 1); i++) {
        isl_set *set = g->stmt[i]->updates ? g->stmt[i]->updates : g->stmt[i]->domain;
        for (int d = 0; d < (int)isl_set_dim(set, isl_dim_set); d++) {
            sq_tiles p;
            sq_tiles_of(g, d, c->m->task.target->vector_bytes, &p);
            aim_dim(c, set, d, &p);
        }
    }
}

/* ---- rows of those values ---- */

static int count_small(const chooser *c, int size)
{
    int n = 0;
    for (int i = 0; i < c->n[size]; i++)
        n += !c->list[size][i].large;
    return n;
}

/* The i-th of a size's small values up to `most`, counted around; the base where there is none. */
static int64_t small_value(const chooser *c, int size, size_t i, int64_t most)
{
    int n = 0;
    for (int v = 0; v < c->n[size]; v++)
        n += !c->list[size][v].large && c->list[size][v].v <= most;
    if (n == 0)
        return c->base[size] < most ? c->base[size] : at_least(most, 0);
    i %= (size_t)n;
    for (int v = 0;; v++)
        if (!c->list[size][v].large && c->list[size][v].v <= most && i-- == 0)
            return c->list[size][v].v;
}

/* A whole register tile, with a rest where that is not too much. */
static int64_t whole_value(const chooser *c, int size, int step, int64_t most)
{
    int64_t v = c->unit[size];
    for (int i = 0; step == 0 && i < c->n[size]; i++)
        if (!c->list[size][i].large)
            v = at_least(v, c->list[size][i].v);
    return step < 2 ? v : v < most ? v : most;
}

/* Puts a row with the values held, the others small: the smaller, the longer it takes to find one.
 * whole: as large as small values are. False: none is within the limits. */
static bool put_with(chooser *c, const int64_t *held, unsigned hold, bool whole)
{
    static const int64_t most[] = {1 << 30, 64, 24, 12, 6, 3, 1};
    enum { STEPS = sizeof most / sizeof *most };
    for (int step = 0; step < 2 * STEPS; step++) {
        int64_t row[SQ_MAX_SIZES] = {0};
        for (int i = 0; i < c->k->nsizes; i++)
            row[i] = c->k->size[i]->fixed ? c->k->size[i]->value
                     : hold >> i & 1
                         ? held[i]
                     : whole
                         ? whole_value(c, i, step % STEPS, most[step % STEPS])
                         : small_value(c, i, sq_rng_next(&c->rng) >> 8, most[step % STEPS]);
        double flops = step < STEPS ? fmin(whole ? 4 * cheap : cheap, c->most->flops)
                                    : c->most->flops;
        if (fits(c, row, flops) ||
            (!sq_kernel_takes(c->k, c->k->context, row) &&
             settle(c, row, hold, at_least(1, most[step % STEPS] > 64 ? 12 : most[step % STEPS])) &&
             fits(c, row, flops))) {
            put_row(c, row);
            return true;
        }
    }
    return false;
}

/* What no row can have is said, unless the description does not allow it. */
static void note_beyond(chooser *c, int size, const value *v)
{
    int64_t row[SQ_MAX_SIZES] = {0};
    fill(c->k, row, 0);
    row[size] = v->v;
    if (!settle(c, row, 1u << size, 0))
        return;
    sq_list *l = &c->r->beyond;
    const char **more = SQ_NEW_ARRAY(c->m->task.arena, const char *, l->n + 1);
    for (int i = 0; i < l->n; i++)
        more[i] = l->item[i];
    more[l->n++] = sq_arena_printf(c->m->task.arena, "%s=%lld, %s", c->k->size[size]->name,
                                   (long long)v->v, v->why);
    l->item = more;
}

static void add_large_rows(chooser *c)
{
    int64_t held[SQ_MAX_SIZES];
    for (int p = 0; p < c->k->nsizes; p++)
        for (int i = 0; i < c->n[p]; i++) {
            held[p] = c->list[p][i].v;
            if (c->list[p][i].large && !put_with(c, held, 1u << p, true))
                note_beyond(c, p, &c->list[p][i]);
            for (int draw = 0; c->list[p][i].large && draw < DRAWS; draw++)
                put_with(c, held, 1u << p, false);
        }
}

/* The large values of two sizes at once, the larger ones first; what is beyond the limits is left
 * out: each of them was there alone. */
static void add_pairs(chooser *c)
{
    int64_t held[SQ_MAX_SIZES];
    for (int p = 0; p < c->k->nsizes; p++)
        for (int q = p + 1; q < c->k->nsizes; q++)
            for (int i = 0; i < c->n[p]; i++)
                for (int j = 0; j < c->n[q]; j++) {
                    held[p] = c->list[p][i].v;
                    held[q] = c->list[q][j].v;
                    if (c->list[p][i].large == 2 && c->list[q][j].large == 2)
                        put_with(c, held, 1u << p | 1u << q, true);
                }
}

static void add_small_rows(chooser *c, int rows)
{
    int64_t row[SQ_MAX_SIZES] = {0};
    int most = 0;
    size_t from[SQ_MAX_SIZES];
    for (int p = 0; p < c->k->nsizes; p++) {
        most = most > count_small(c, p) ? most : count_small(c, p);
        from[p] = (size_t)(sq_rng_next(&c->rng) >> 40);
    }
    for (int i = 0; i < 2 * most && c->r->n < rows; i++) {
        for (int p = 0; p < c->k->nsizes; p++)
            row[p] = c->k->size[p]->fixed
                         ? c->k->size[p]->value
                         : small_value(c, p, i < most ? (size_t)i + from[p]
                                                      : sq_rng_next(&c->rng) >> 8,
                                       1 << 30);
        if (!fits(c, row, c->most->flops))
            put_with(c, row, 1u << i % c->k->nsizes, false);
        else
            put_row(c, row);
    }
}

/* Mixtures: a size that is small where others are large is where edges meet. */
static void add_random_rows(chooser *c)
{
    int64_t row[SQ_MAX_SIZES] = {0};
    int most = c->r->n + RANDOM_ROWS;
    for (int t = 0; t < TRIES && c->r->n < most && c->r->n < c->most->rows; t++) {
        for (int i = 0; i < c->k->nsizes; i++)
            row[i] = c->k->size[i]->fixed
                         ? c->k->size[i]->value
                         : sq_rng_below(&c->rng, 2)
                               ? odd[sq_rng_below(&c->rng, sizeof odd / sizeof *odd)]
                               : (int64_t)sq_rng_below(&c->rng, 140);
        add_row(c, row);
    }
}

static void open_chooser(chooser *c, const sq_schedule *s)
{
    static const int64_t least[] = {8, 4, 2, 1, 0};
    for (int i = 0; i < c->k->nsizes; i++)
        c->list[i] = SQ_NEW_ARRAY(c->m->task.arena, value, MOST_VALUES);
    fill(c->k, c->base, 8);
    for (size_t i = 0; i < sizeof least / sizeof *least; i++)
        if (sq_kernel_takes(c->k, c->k->context, c->base) || settle(c, c->base, 0, least[i]))
            break;
    for (int g = 0; g < s->ngroups; g++)
        aim_group(c, s->group[g]);
}

static void choose(chooser *c)
{
    add_alike_rows(c);
    add_empty_rows(c);
    add_large_rows(c);
    add_random_rows(c);
    add_small_rows(c, c->most->rows * 3 / 4);
    add_pairs(c);
}

static bool is_symbolic(const sq_kernel *k)
{
    for (int i = 0; i < k->nsizes; i++)
        if (!k->size[i]->fixed)
            return true;
    return false;
}

int sq_check_rows_choose(sq_measure *m, const sq_schedule *s, const sq_kernel *k,
                         const sq_check_limits *limits, sq_check_rows *r)
{
    *r = (sq_check_rows){.k = k, .is_given = !is_symbolic(k) || m->settings.at.n};
    if (r->is_given) {
        r->n = sq_measure_sizes(m, k, &r->size);
        return r->n < 0 ? -1 : 0;
    }
    chooser c = {m, k, limits, r, {(unsigned long long)m->settings.seed}, {0}, {0}, {0}, {0}};
    r->size = SQ_NEW_ARRAY(m->task.arena, int64_t, limits->rows * k->nsizes + 1);
    open_chooser(&c, s);
    choose(&c);
    if (r->n == 0)
        return sq_error(m->task.d, SQ_FAULT_USAGE, SQ_NOWHERE,
                        "no odd sizes fit kernel '%s'; name some with --at", k->name);
    return 0;
}

int sq_check_rows_aim(sq_measure *m, const sq_schedule *s, const sq_check_limits *limits,
                      const int64_t *wanted, int n, sq_check_rows *r)
{
    chooser c = {m,   r->k, limits, r,   {(unsigned long long)m->settings.seed + 1},
                 {0}, {0},  {0},    {0}};
    int64_t held[SQ_MAX_SIZES];
    open_chooser(&c, s);
    r->n = 0;
    r->size = SQ_NEW_ARRAY(m->task.arena, int64_t, limits->rows * r->k->nsizes + 1);
    for (int i = 0; i < n; i++)
        for (int p = 0; p < r->k->nsizes; p++)
            for (int q = 0; q < r->k->nsizes && !r->k->size[p]->fixed; q++) {
                held[p] = wanted[i];
                for (int j = 0; q != p && j < c.n[q]; j++) {
                    held[q] = c.list[q][j].v;
                    if (c.list[q][j].large == 2)
                        put_with(&c, held, 1u << p | 1u << q, i % 2);
                }
                if (q == p)
                    put_with(&c, held, 1u << p, i % 2);
            }
    return r->n;
}
