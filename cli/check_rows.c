/* Check rows: see check_rows.h. Every size has small values, which give a dimension each remainder of
 * its register tile, and large ones, which end in the first and in the third of its tiles. A row
 * takes one large value, or two, and small ones for the rest: that is cheap. Each value gets a row
 * before any gets a second one, and one that gets none is said. */
#include "cli/check_rows.h"
#include "cli/check_reach.h"
#include "cli/check_tiles.h"
#include "support/stats.h"
#include "tuner/case_spec.h"
#include <isl/ilp.h>
#include <isl/set.h>
#include <isl/val.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BASE = 8,   /* a size that nearly all descriptions allow: extents are measured from it */
    BUMP = 64,  /* what it grows by for that: more than any filter or stride takes away */
    FEW = 3,    /* points of a dimension that is hardly there */
    ROOMY = 12, /* the least of sizes that others tie, where there is room: a small filter fits */
    DRAWS = 3,  /* further rows for each large value, beside other small ones */
    RANDOM_ROWS = 16,  /* mixtures that nobody asks for */
    TRIES = 400,       /* to draw these: a description may refuse most of them */
    RANDOM_BELOW = 140 /* past the largest of `odd`: two of the widest vectors and a rest */
};
static const int64_t even[] = {64, 132}; /* what stands aligned is accessed by wider loads */
static const int64_t odd[] = {0, 1, 2, 3, 7, 13, 31, 33, 127, 129};
enum { NODD = sizeof odd / sizeof *odd, NEVEN = sizeof even / sizeof *even };
static const double cheap = 1e6;       /* flops of a row that need not be larger */
static const double cheap_whole = 4e6; /* of one whose small values shall be whole register tiles */
static const double most_value =
    0x1p62;                          /* of what is computed with sizes, which then fits int64_t */
static const long long prime = 7919; /* seeds that are close give rests that are not */

typedef enum value_kind {
    SMALL,
    LARGE, /* around a tile; and none at all */
    THIRD  /* in a third tile */
} value_kind;

typedef struct value {
    int64_t v;
    value_kind kind;
    bool is_refused; /* no row with it is within the limits */
    const char *why; /* "a third tile of k0" */
} value;

typedef struct values {
    int n, room;
    value *at;
} values;

typedef struct chooser {
    sq_measure *m;
    const sq_kernel *k;
    const sq_check_limits *most;
    sq_check_rows *r;
    sq_rng rng;
    int64_t base[SQ_MAX_SIZES];
    int64_t unit[SQ_MAX_SIZES]; /* the least with a whole register tile */
    values of[SQ_MAX_SIZES];
} chooser;

/* ---- rows ---- */

bool sq_check_rows_have(const sq_check_rows *r, const int64_t *row)
{
    for (int i = 0; i < r->n; i++)
        if (memcmp(r->size + (ptrdiff_t)i * r->k->nsizes, row,
                   (size_t)r->k->nsizes * sizeof *row) == 0)
            return true;
    return false;
}

bool sq_check_rows_hold(const sq_kernel *k, const int64_t *row)
{
    for (int i = 0; i < k->nsizes; i++)
        if (k->size[i]->type == SQ_I32 && row[i] > INT32_MAX)
            return false;
    return true;
}

static bool fits(const chooser *c, const int64_t *row, double flops)
{
    return sq_check_rows_hold(c->k, row) && sq_kernel_takes(c->k, c->k->context, row) &&
           sq_case_bytes(c->k, row) <= c->most->bytes && sq_kernel_flops(c->k, row) <= flops;
}

static bool is_full(const chooser *c)
{
    return c->r->n == c->most->rows;
}

/* False: it is not among the rows, which are full. */
static bool put_row(chooser *c, const int64_t *row)
{
    sq_check_rows *r = c->r;
    if (sq_check_rows_have(r, row))
        return true;
    if (is_full(c))
        return false;
    memcpy(r->size + (ptrdiff_t)r->n++ * c->k->nsizes, row, (size_t)c->k->nsizes * sizeof *row);
    return true;
}

static void add_row(chooser *c, const int64_t *row)
{
    if (!is_full(c) && !sq_check_rows_have(c->r, row) && fits(c, row, c->most->flops))
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
    for (int i = 0; i < NODD + NEVEN; i++) {
        fill(c->k, row, i < NODD ? odd[i] : even[i - NODD]);
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

static void add_value(chooser *c, int size, int64_t v, value_kind kind, const char *why)
{
    values *of = &c->of[size];
    for (int i = 0; i < of->n; i++)
        if (of->at[i].v == v)
            return;
    if (of->n == of->room) {
        of->room = 2 * of->room + 64;
        value *more = SQ_NEW_ARRAY(c->m->task.arena, value, of->room);
        if (of->n)
            memcpy(more, of->at, (size_t)of->n * sizeof *more);
        of->at = more;
    }
    of->at[of->n++] = (value){.v = v, .kind = kind, .why = why};
}

/* What a dimension's extent is made of. */
typedef struct slope {
    int size;
    int64_t start; /* the extent at the base */
    double by;     /* and by how much it grows with the size */
} slope;

/* The size that makes the extent `want`, where that is linear. */
static double size_for(const chooser *c, const slope *s, int64_t want)
{
    return (double)c->base[s->size] + ceil((double)(want - s->start) / s->by);
}

static void aim(chooser *c, const slope *s, int64_t want, value_kind kind, const char *why)
{
    double v = size_for(c, s, want);
    if (want > 0 && v >= 0 && v < most_value)
        add_value(c, s->size, (int64_t)v, kind, why);
}

static void aim_at_tile(chooser *c, const slope *s, int64_t tile, const char *name)
{
    sq_arena *a = c->m->task.arena;
    int64_t rest = 1 + (c->m->settings.seed * prime + tile / 3) % (tile > 2 ? tile - 1 : 1);
    aim(c, s, 2 * tile + rest, THIRD, sq_arena_printf(a, "a third tile of %s", name));
    aim(c, s, tile + tile / 8 + 3, LARGE, sq_arena_printf(a, "a second tile of %s", name));
    aim(c, s, tile + 1, LARGE, sq_arena_printf(a, "a second tile of %s", name));
    aim(c, s, tile, LARGE, sq_arena_printf(a, "a whole tile of %s", name));
    aim(c, s, tile - 1, LARGE, sq_arena_printf(a, "all but one of a tile of %s", name));
}

static void aim_at(chooser *c, const slope *s, const sq_tiles *p)
{
    for (int64_t i = 1; i <= FEW; i++)
        aim(c, s, i, SMALL, "hardly any of it");
    add_value(c, s->size, 0, LARGE, "none of it");
    c->unit[s->size] = at_least(c->unit[s->size], (int64_t)size_for(c, s, p->unit));
    for (int64_t i = 1; i < 2 * p->unit; i++)
        aim(c, s, i, SMALL, "a rest of a register tile");
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

static int count_small(const chooser *c, int size, int64_t most)
{
    int n = 0;
    for (int i = 0; i < c->of[size].n; i++)
        n += c->of[size].at[i].kind == SMALL && c->of[size].at[i].v <= most;
    return n;
}

/* The i-th of a size's small values up to `most`, counted around; the base where there is none. */
static int64_t small_value(const chooser *c, int size, size_t i, int64_t most)
{
    int n = count_small(c, size, most);
    if (n == 0)
        return c->base[size] < most ? c->base[size] : at_least(most, 0);
    i %= (size_t)n;
    for (const value *v = c->of[size].at;; v++)
        if (v->kind == SMALL && v->v <= most && i-- == 0)
            return v->v;
}

/* A whole register tile, with a rest where that is not too much. */
static int64_t whole_value(const chooser *c, int size, int step, int64_t most)
{
    int64_t v = c->unit[size];
    for (int i = 0; step == 0 && i < c->of[size].n; i++)
        if (c->of[size].at[i].kind == SMALL)
            v = at_least(v, c->of[size].at[i].v);
    return step < 2 ? v : v < most ? v : most;
}

/* Sizes beside those held get smaller from step to step, until a row is within the limits. */
static const int64_t most_beside[] = {INT32_MAX, 64, 24, 12, 6, 3, 1};
enum { STEPS = sizeof most_beside / sizeof *most_beside };

static void fill_beside(chooser *c, int64_t *row, const int64_t *held, unsigned hold, bool whole,
                        int step)
{
    fill(c->k, row, 0);
    for (int i = 0; i < c->k->nsizes; i++)
        if (hold >> i & 1)
            row[i] = held[i];
        else if (!c->k->size[i]->fixed)
            row[i] = whole ? whole_value(c, i, step, most_beside[step])
                           : small_value(c, i, sq_rng_next(&c->rng) >> 8, most_beside[step]);
}

/* Puts a row with the values held, the others small: the smaller, the longer it takes to find one.
 * whole: as large as small values are. False: none is within the limits, or the rows are full. */
static bool put_with(chooser *c, const int64_t *held, unsigned hold, bool whole)
{
    for (int step = 0; step < 2 * STEPS && !is_full(c); step++) {
        int64_t row[SQ_MAX_SIZES] = {0}, most = most_beside[step % STEPS];
        fill_beside(c, row, held, hold, whole, step % STEPS);
        double flops =
            step < STEPS ? fmin(whole ? cheap_whole : cheap, c->most->flops) : c->most->flops;
        if (fits(c, row, flops) ||
            (!sq_kernel_takes(c->k, c->k->context, row) &&
             settle(c, row, hold, step % STEPS ? most : ROOMY) && fits(c, row, flops)))
            return put_row(c, row);
    }
    return false;
}

/* The same with a value of a size; where it cannot be, that is noted. */
static void put_value(chooser *c, int size, value *v, bool whole)
{
    int64_t held[SQ_MAX_SIZES];
    held[size] = v->v;
    if (!v->is_refused && !put_with(c, held, 1u << size, whole) && !is_full(c))
        v->is_refused = true;
}

static void add_large_rows(chooser *c, bool whole)
{
    for (int p = 0; p < c->k->nsizes; p++)
        for (int i = 0; i < c->of[p].n; i++)
            if (c->of[p].at[i].kind != SMALL)
                put_value(c, p, &c->of[p].at[i], whole);
}

/* As many rows as the longest list of small values has: of every size the next one in turn, from
 * anywhere on, or any of them. */
static void add_small_rows(chooser *c, bool in_turn)
{
    int64_t row[SQ_MAX_SIZES] = {0};
    size_t from[SQ_MAX_SIZES], most = 0;
    for (int p = 0; p < c->k->nsizes; p++) {
        most = (size_t)at_least((int64_t)most, count_small(c, p, INT32_MAX));
        from[p] = (size_t)(sq_rng_next(&c->rng) >> 40);
    }
    for (size_t i = 0; i < most && !is_full(c); i++) {
        fill(c->k, row, 0);
        for (int p = 0; p < c->k->nsizes; p++) {
            size_t at = in_turn ? i + from[p] : sq_rng_next(&c->rng) >> 8;
            row[p] = c->k->size[p]->fixed ? row[p] : small_value(c, p, at, INT32_MAX);
        }
        if (fits(c, row, c->most->flops))
            put_row(c, row);
        else
            put_with(c, row, 1u << i % (size_t)c->k->nsizes, false);
    }
}

/* Mixtures: a size that is small where others are large is where edges meet. */
static void add_random_rows(chooser *c)
{
    int64_t row[SQ_MAX_SIZES] = {0};
    int most = c->r->n + RANDOM_ROWS;
    for (int t = 0; t < TRIES && c->r->n < most && !is_full(c); t++) {
        fill(c->k, row, 0);
        for (int i = 0; i < c->k->nsizes; i++)
            if (!c->k->size[i]->fixed)
                row[i] = sq_rng_below(&c->rng, 2) ? odd[sq_rng_below(&c->rng, NODD)]
                                                  : (int64_t)sq_rng_below(&c->rng, RANDOM_BELOW);
        add_row(c, row);
    }
}

/* ---- what no row has ---- */

static void note_beyond(chooser *c, const char *text)
{
    sq_list *l = &c->r->beyond;
    const char **more = SQ_NEW_ARRAY(c->m->task.arena, const char *, l->n + 1);
    if (l->n)
        memcpy(more, l->item, (size_t)l->n * sizeof *more);
    more[l->n++] = text;
    l->item = more;
}

static bool is_run(const chooser *c, int size, int64_t v)
{
    for (int i = 0; i < c->r->n; i++)
        if (c->r->size[(ptrdiff_t)i * c->k->nsizes + size] == v)
            return true;
    return false;
}

/* Does the description allow the sizes held, with whatever others. */
static bool is_allowed(const chooser *c, const int64_t *held, unsigned hold)
{
    int64_t row[SQ_MAX_SIZES];
    fill(c->k, row, 0);
    for (int i = 0; i < c->k->nsizes; i++)
        row[i] = hold >> i & 1 ? held[i] : row[i];
    return sq_check_rows_hold(c->k, row) && settle(c, row, hold, 0);
}

static int by_value(const void *a, const void *b)
{
    const value *x = a, *y = b;
    return (x->v > y->v) - (x->v < y->v);
}

/* "N=129..255, a rest of a register tile: ..." */
static void note_values(chooser *c, int size, const value *first, const value *last)
{
    sq_arena *a = c->m->task.arena;
    const char *to = last->v > first->v ? sq_arena_printf(a, "..%lld", (long long)last->v) : "";
    const char *but = first->is_refused
                          ? "it takes too long or too much memory"
                          : sq_arena_printf(a, "%d size vectors are run at most", c->most->rows);
    note_beyond(c, sq_arena_printf(a, "%s=%lld%s, %s: %s", c->k->size[size]->name,
                                   (long long)first->v, to, first->why, but));
}

/* Values of a size that the description allows and no row has; those in a row as one. */
static void note_missing(chooser *c, int size)
{
    value *left = SQ_NEW_ARRAY(c->m->task.arena, value, c->of[size].n);
    int64_t held[SQ_MAX_SIZES];
    int n = 0;
    for (int i = 0; i < c->of[size].n; i++) {
        held[size] = c->of[size].at[i].v;
        if (!is_run(c, size, held[size]) && is_allowed(c, held, 1u << size))
            left[n++] = c->of[size].at[i];
    }
    qsort(left, (size_t)n, sizeof *left, by_value);
    for (int i = 0, first = 0; i < n; i++) {
        bool goes_on = i + 1 < n && left[i + 1].v == left[i].v + 1 &&
                       left[i + 1].is_refused == left[i].is_refused &&
                       strcmp(left[i + 1].why, left[i].why) == 0;
        if (goes_on)
            continue;
        note_values(c, size, &left[first], &left[i]);
        first = i + 1;
    }
}

/* Rows for values that were met in none so far, in rows that were too much, say. */
static void add_missing(chooser *c)
{
    for (int p = 0; p < c->k->nsizes; p++) {
        for (int i = 0; i < c->of[p].n; i++)
            if (!is_run(c, p, c->of[p].at[i].v))
                put_value(c, p, &c->of[p].at[i], false);
        note_missing(c, p);
    }
}

/* A row for the values of two sizes; false: the description allows one that is not run. */
static bool put_pair(chooser *c, int p, const value *x, int q, const value *y)
{
    int64_t held[SQ_MAX_SIZES];
    unsigned hold = 1u << p | 1u << q;
    held[p] = x->v;
    held[q] = y->v;
    return x->kind != THIRD || y->kind != THIRD || x->is_refused || y->is_refused ||
           put_with(c, held, hold, true) || !is_allowed(c, held, hold);
}

/* Third tiles of two sizes at once. Each of them is run alone: of pairs that are too much the first
 * is named, and how many more there are. */
static void add_pairs(chooser *c)
{
    sq_arena *a = c->m->task.arena;
    const char *first = NULL;
    int left = 0;
    for (int p = 0; p < c->k->nsizes; p++)
        for (int q = p + 1; q < c->k->nsizes; q++)
            for (const value *x = c->of[p].at; x < c->of[p].at + c->of[p].n; x++)
                for (const value *y = c->of[q].at; y < c->of[q].at + c->of[q].n; y++)
                    if (!put_pair(c, p, x, q, y) && left++ == 0)
                        first =
                            sq_arena_printf(a, "%s=%lld with %s=%lld", c->k->size[p]->name,
                                            (long long)x->v, c->k->size[q]->name, (long long)y->v);
    if (left)
        note_beyond(
            c, sq_arena_printf(a, "%s%s, third tiles of both: each is run alone", first,
                               left > 1 ? sq_arena_printf(a, " and %d more pairs", left - 1) : ""));
}

static void open_chooser(chooser *c, const sq_schedule *s)
{
    static const int64_t least[] = {BASE, 4, 2, 1, 0};
    fill(c->k, c->base, BASE);
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
    add_large_rows(c, true);
    add_small_rows(c, true);
    add_missing(c);
    add_random_rows(c);
    for (int draw = 0; draw < DRAWS; draw++)
        add_large_rows(c, false);
    add_small_rows(c, false);
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
    chooser c = {
        .m = m, .k = k, .most = limits, .r = r, .rng = {(unsigned long long)m->settings.seed}};
    r->size = SQ_NEW_ARRAY(m->task.arena, int64_t, limits->rows * k->nsizes + 1);
    open_chooser(&c, s);
    choose(&c);
    if (r->n == 0)
        return sq_error(m->task.d, SQ_FAULT_USAGE, SQ_NOWHERE,
                        "no odd sizes fit kernel '%s'; name some with --at", k->name);
    return 0;
}

/* A wanted value of size p, alone and with the third tiles of the others. */
static void put_wanted(chooser *c, int p, int64_t wanted, bool whole)
{
    int64_t held[SQ_MAX_SIZES];
    held[p] = wanted;
    put_with(c, held, 1u << p, whole);
    for (int q = 0; q < c->k->nsizes; q++)
        for (int j = 0; q != p && j < c->of[q].n; j++) {
            held[q] = c->of[q].at[j].v;
            if (c->of[q].at[j].kind == THIRD)
                put_with(c, held, 1u << p | 1u << q, whole);
        }
}

int sq_check_rows_aim(sq_measure *m, const sq_schedule *s, const sq_check_limits *limits,
                      const int64_t *wanted, int n, sq_check_rows *r)
{
    unsigned long long seed = (unsigned long long)m->settings.seed + 1; /* rows unlike the first */
    chooser c = {.m = m, .k = r->k, .most = limits, .r = r, .rng = {seed}};
    open_chooser(&c, s);
    r->n = 0;
    r->size = SQ_NEW_ARRAY(m->task.arena, int64_t, limits->rows * r->k->nsizes + 1);
    for (int i = 0; i < n; i++)
        for (int p = 0; p < r->k->nsizes; p++)
            if (!r->k->size[p]->fixed)
                put_wanted(&c, p, wanted[i], i % 2);
    return r->n;
}
