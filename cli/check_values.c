/* Check values: see check_values.h. What a size has to be follows from how the extents of dimensions
 * grow with it. */
#include "cli/check_values.h"
#include "cli/check_tiles.h"
#include "tuner/measure/case_spec.h"
#include <isl/ilp.h>
#include <isl/set.h>
#include <isl/val.h>
#include <math.h>
#include <string.h>

enum {
    BUMP = 64, /* what a size grows by to measure an extent: more than any filter or stride takes */
    FEW = 3,   /* points of a dimension that is hardly there */
    MOST_STEP = 256
};
const int64_t sq_long_lengths[SQ_NLONG_LENGTHS] = {
    [SQ_LONG_UNSIGNED] = 65603, [SQ_LONG_SIGNED] = 32771, [SQ_LONG_NONE] = 65536};
static const char long_text[] = "more than 16 bits count";
static const double most_value =
    0x1p62;                         /* of what is computed with sizes, which then fits int64_t */
static const uint64_t prime = 7919; /* seeds that are close give rests that are not */

static int64_t at_least(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t extent(const sq_check_values *c, isl_set *set, int d, const int64_t *row)
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

/* A C loop around those that threads share starts them at each of its iterations, which on a machine
 * with other work takes a minute. */
static bool is_slow_when_long(const sq_check_values *c)
{
    return c->m->task.openmp && c->k->textual_dims > 0;
}

static void append_value(sq_check_values *c, int size, sq_check_value v)
{
    struct sq_size_values *of = &c->of[size];
    if (of->n == of->room) {
        of->room = 2 * of->room + 64;
        sq_check_value *more = SQ_NEW_ARRAY(c->m->task.arena, sq_check_value, of->room);
        if (of->n)
            memcpy(more, of->at, (size_t)of->n * sizeof *more);
        of->at = more;
    }
    of->at[of->n++] = v;
}

static void add_value(sq_check_values *c, int size, int64_t v, sq_value_kind kind, const char *why)
{
    for (int i = 0; i < c->of[size].n; i++)
        if (c->of[size].at[i].v == v)
            return;
    append_value(c, size, (sq_check_value){.v = v, .kind = kind, .why = why});
}

/* One value for each long length is enough, near it or some way beyond: each costs rows that take a while. */
static bool is_alike(const sq_check_value *of, int64_t v, sq_long_length which)
{
    return of->kind == SQ_VALUE_LONG && of->which == which && of->v <= 2 * v && v <= 2 * of->v;
}

static void add_long(sq_check_values *c, int size, int64_t v, sq_long_length which)
{
    for (int i = 0; i < c->of[size].n; i++)
        if (is_alike(&c->of[size].at[i], v, which))
            return;
    append_value(c, size,
                 (sq_check_value){.v = v,
                                  .kind = SQ_VALUE_LONG,
                                  .which = which,
                                  .why = long_text,
                                  .is_refused = is_slow_when_long(c)});
}

/* What a dimension's extent is made of. */
typedef struct slope {
    int size;
    int64_t start; /* the extent at the base */
    double by;     /* and by how much it grows with the size */
} slope;

/* The size that makes the extent `want`, where that is linear. */
static double size_for(const sq_check_values *c, const slope *s, int64_t want)
{
    return (double)c->base[s->size] + ceil((double)(want - s->start) / s->by);
}

/* Where an assumption allows every eighth size alone, say, the one below and the one above are meant. */
static void aim(sq_check_values *c, const slope *s, int64_t want, sq_value_kind kind,
                const char *why)
{
    double v = size_for(c, s, want);
    if (want <= 0 || v < 0 || v >= most_value)
        return;
    if (s->by < 1 && v >= 1) /* of two sizes with that extent one is such that arrays end with it */
        add_value(c, s->size, (int64_t)v - 1, kind, why);
    int64_t step = c->step[s->size], base = c->base[s->size];
    int64_t past = (((int64_t)v - base) % step + step) % step;
    if ((int64_t)v >= past)
        add_value(c, s->size, (int64_t)v - past, kind, why);
    if (past)
        add_value(c, s->size, (int64_t)v - past + step, kind, why);
}

/* The extent is as long as that, and the size itself where it grows slower than the extent: dimensions gone through as
 * one reach that sooner. */
static void aim_at_long(sq_check_values *c, const slope *s)
{
    for (int i = 0; i < SQ_NLONG_LENGTHS; i++) {
        double v = size_for(c, s, sq_long_lengths[i]);
        if (v >= 0 && v < most_value)
            add_long(c, s->size, (int64_t)v, i);
        if (s->by > 1)
            add_long(c, s->size, sq_long_lengths[i], i);
    }
}

static void aim_at_tile(sq_check_values *c, const slope *s, int64_t tile, const char *name)
{
    sq_arena *a = c->m->task.arena;
    uint64_t drawn = (uint64_t)c->m->settings.seed * prime + (uint64_t)tile / 3;
    int64_t rest = 1 + (int64_t)(drawn % (uint64_t)(tile > 2 ? tile - 1 : 1));
    aim(c, s, 2 * tile + rest, SQ_VALUE_THIRD, sq_arena_printf(a, "a third tile of %s", name));
    aim(c, s, tile + tile / 8 + 3, SQ_VALUE_SECOND,
        sq_arena_printf(a, "a second tile of %s", name));
    aim(c, s, tile + 1, SQ_VALUE_LARGE, sq_arena_printf(a, "a second tile of %s", name));
    aim(c, s, tile, SQ_VALUE_LARGE, sq_arena_printf(a, "a whole tile of %s", name));
    aim(c, s, tile - 1, SQ_VALUE_LARGE, sq_arena_printf(a, "all but one of a tile of %s", name));
}

static void aim_at(sq_check_values *c, const slope *s, const sq_tiles *p)
{
    for (int64_t i = 1; i <= FEW; i++)
        aim(c, s, i, SQ_VALUE_SMALL, "hardly any of it");
    add_value(c, s->size, 0, SQ_VALUE_LARGE, "none of it");
    c->unit[s->size] = at_least(c->unit[s->size], (int64_t)size_for(c, s, p->unit));
    for (int64_t i = 1; i <= 2 * p->unit; i++)
        aim(c, s, i, SQ_VALUE_SMALL, "a rest of a register tile");
    aim_at_long(c, s);
    for (int t = 0; t < p->n; t++)
        aim_at_tile(c, s, p->tile[t], p->name[t]);
}

/* All sizes that dimension d's extent follows from. */
static void aim_dim(sq_check_values *c, isl_set *set, int d, const sq_tiles *p)
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

static void aim_group(sq_check_values *c, const sq_group *g)
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

/* 1 where the others tie the size. */
static int64_t step_of(const sq_check_values *c, int size)
{
    int64_t row[SQ_MAX_SIZES];
    memcpy(row, c->base, sizeof row);
    for (int64_t step = 1; step <= MOST_STEP; step++) {
        row[size] = c->base[size] + step;
        if (sq_kernel_takes(c->k, c->k->context, row))
            return step;
    }
    return 1;
}

void sq_check_values_of(sq_check_values *c, const sq_schedule *s)
{
    for (int i = 0; i < c->k->nsizes; i++)
        c->step[i] = c->k->size[i]->fixed ? 1 : step_of(c, i);
    for (int g = 0; g < s->ngroups; g++)
        aim_group(c, s->group[g]);
}

/* ---- small ones ---- */

int sq_check_values_count(const sq_check_values *c, int size, int64_t most)
{
    int n = 0;
    for (int i = 0; i < c->of[size].n; i++)
        n += c->of[size].at[i].kind == SQ_VALUE_SMALL && c->of[size].at[i].v <= most;
    return n;
}

int64_t sq_check_values_small(const sq_check_values *c, int size, size_t i, int64_t most)
{
    int n = sq_check_values_count(c, size, most);
    if (n == 0)
        return c->base[size] < most ? c->base[size] : at_least(most, 0);
    i %= (size_t)n;
    for (const sq_check_value *v = c->of[size].at;; v++)
        if (v->kind == SQ_VALUE_SMALL && v->v <= most && i-- == 0)
            return v->v;
}

int64_t sq_check_values_whole(const sq_check_values *c, int size, int step, int64_t most)
{
    int64_t rest = c->unit[size];
    for (int i = 0; i < c->of[size].n; i++)
        if (c->of[size].at[i].kind == SQ_VALUE_SMALL)
            rest = at_least(rest, c->of[size].at[i].v);
    if (step < 2)
        return step == 0 ? 2 * rest + 1 : rest;
    return step == 2 || c->unit[size] < most ? c->unit[size] : most;
}
