/* Check rows: see check_rows.h. Every size has small values, which give a dimension each remainder of
 * its register tile, and large ones, which end in the first and in the third of its tiles. A row
 * takes one large value, or two, and small ones for the rest: that is cheap. Each value gets a row
 * before any gets a second one, and one that gets none is said. */
#include "cli/check_rows.h"
#include "cli/check_packed.h"
#include "cli/check_reach.h"
#include "cli/check_values.h"
#include "support/stats.h"
#include "tuner/measure/case_spec.h"
#include <isl/set.h>
#include <isl/val.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BASE = 8,   /* a size that nearly all descriptions allow: extents are measured from it */
    ROOMY = 12, /* the least of sizes that others tie, where there is room: a small filter fits */
    DRAWS = 3,  /* further rows for each large value, beside other small ones */
    TURNS = 24, /* rows for each third tile, beside what is left of the others' register tiles */
    RANDOM_ROWS = 16,  /* mixtures that nobody asks for */
    TRIES = 400,       /* to draw these: a description may refuse most of them */
    RANDOM_BELOW = 140 /* past the largest of `odd`: two of the widest vectors and a rest */
};
static const int64_t even[] = {64, 132}; /* what stands aligned is accessed by wider loads */
static const int64_t odd[] = {0, 1, 2, 3, 7, 13, 31, 33, 127, 129};
enum { NODD = sizeof odd / sizeof *odd, NEVEN = sizeof even / sizeof *even };
static const double cheap = 1e6;       /* flops of a row that need not be larger */
static const double cheap_whole = 4e6; /* of one whose small values shall be whole register tiles */
static const double cheap_long = 1e7;  /* of one that has them beside a long one */
static const char too_much[] = "it takes too long or too much memory";

typedef struct chooser {
    sq_measure *m;
    const sq_kernel *k;
    const sq_check_limits *most;
    sq_check_rows *r;
    sq_rng rng;
    int turn; /* whose is it among the small values, or 0: any of them */
    sq_check_values v;
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

double sq_check_rows_bytes(const sq_check_rows *r, const int64_t *row)
{
    return sq_case_bytes(r->k, row) + (r->s ? sq_check_packed_bytes(r->s, row) : 0);
}

static bool fits(const chooser *c, const int64_t *row, double flops)
{
    return sq_check_rows_hold(c->k, row) && sq_kernel_takes(c->k, c->k->context, row) &&
           sq_check_rows_bytes(c->r, row) <= c->most->bytes && sq_kernel_operations(c->k, row) <= flops;
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

/* The least sizes that the description allows with those of `hold` as they are in `row`, and all others at least those
 * of `from`. False: there are none. */
static bool settle_from(const chooser *c, int64_t *row, unsigned hold, const int64_t *from)
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
                                        isl_val_int_from_si(c->k->ctx, (long)from[i]));
    }
    return sq_check_least(c->k, s, row);
}

/* The same with all others at least `least`. */
static bool settle(const chooser *c, int64_t *row, unsigned hold, int64_t least)
{
    int64_t from[SQ_MAX_SIZES];
    fill(c->k, from, least);
    return settle_from(c, row, hold, from);
}

/* ---- rows of those values ---- */

/* Which small value of a size comes into the next row. Of more than there are turns some are left
 * out; sizes with the same values have different ones. */
static size_t next_small(chooser *c, int size)
{
    int n = sq_check_values_count(&c->v, size, INT32_MAX);
    return c->turn ? (size_t)(c->turn * (n > TURNS ? n / TURNS : 1) + 5 * size)
                   : sq_rng_next(&c->rng) >> 8;
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
            row[i] = whole ? sq_check_values_whole(&c->v, i, step, most_beside[step])
                           : sq_check_values_small(&c->v, i, next_small(c, i), most_beside[step]);
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
static void put_value(chooser *c, int size, sq_check_value *v, bool whole)
{
    int64_t held[SQ_MAX_SIZES];
    held[size] = v->v;
    if (!v->is_refused && !put_with(c, held, 1u << size, whole) && !is_full(c))
        v->is_refused = true;
}

static void add_large_rows(chooser *c, bool whole)
{
    for (int p = 0; p < c->k->nsizes; p++)
        for (int i = 0; i < c->v.of[p].n; i++)
            if (c->v.of[p].at[i].kind != SQ_VALUE_SMALL && c->v.of[p].at[i].kind != SQ_VALUE_LONG)
                put_value(c, p, &c->v.of[p].at[i], whole);
}

/* In a third tile each remainder of the other sizes: what is left over there may be stored in another
 * way than in the first one. */
static void add_third_rows(chooser *c)
{
    for (int p = 0; p < c->k->nsizes; p++)
        for (int i = 0; i < c->v.of[p].n; i++)
            for (c->turn = 1; c->v.of[p].at[i].kind == SQ_VALUE_THIRD && c->turn <= TURNS;
                 c->turn++)
                put_value(c, p, &c->v.of[p].at[i], false);
    c->turn = 0;
}

/* As many rows as the longest list of small values has: of every size the next one in turn, from
 * anywhere on, or any of them. */
static void add_small_rows(chooser *c, bool in_turn)
{
    int64_t row[SQ_MAX_SIZES] = {0};
    size_t from[SQ_MAX_SIZES], most = 0;
    for (int p = 0; p < c->k->nsizes; p++) {
        size_t n = (size_t)sq_check_values_count(&c->v, p, INT32_MAX);
        most = n > most ? n : most;
        from[p] = (size_t)(sq_rng_next(&c->rng) >> 40);
    }
    for (size_t i = 0; i < most && !is_full(c); i++) {
        fill(c->k, row, 0);
        for (int p = 0; p < c->k->nsizes; p++) {
            size_t at = in_turn ? i + from[p] : sq_rng_next(&c->rng) >> 8;
            row[p] = c->k->size[p]->fixed ? row[p] : sq_check_values_small(&c->v, p, at, INT32_MAX);
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

/* True if the description allows the sizes held, with any values of the others. */
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
    const sq_check_value *x = a, *y = b;
    return (x->v > y->v) - (x->v < y->v);
}

/* "N=129..255, a rest of a register tile: ..." */
static void note_values(chooser *c, int size, const sq_check_value *first,
                        const sq_check_value *last)
{
    sq_arena *a = c->m->task.arena;
    const char *to = last->v > first->v ? sq_arena_printf(a, "..%lld", (long long)last->v) : "";
    const char *but = first->is_refused
                          ? too_much
                          : sq_arena_printf(a, "%d size vectors are run at most", c->most->rows);
    note_beyond(c, sq_arena_printf(a, "%s=%lld%s, %s: %s", c->k->size[size]->name,
                                   (long long)first->v, to, first->why, but));
}

/* True if the description allows the size to be that long, and no row has it so with something to do. */
static bool is_left_long(const chooser *c, int size, const sq_check_value *v)
{
    int64_t row[SQ_MAX_SIZES], from[SQ_MAX_SIZES];
    for (int i = 0; i < c->r->n && !v->is_refused; i++)
        if (c->r->size[(ptrdiff_t)i * c->k->nsizes + size] >= v->v)
            return false;
    fill(c->k, row, 0);
    fill(c->k, from, 0);
    from[size] = v->v;
    return settle_from(c, row, 0, from);
}

static bool is_short_of(const chooser *c, int size, sq_long_length which)
{
    bool any = false;
    for (int i = 0; i < c->v.of[size].n; i++) {
        const sq_check_value *v = &c->v.of[size].at[i];
        any |= v->kind == SQ_VALUE_LONG && v->which == which && is_left_long(c, size, v);
    }
    return any;
}

/* Sizes that no row has beyond 15 or 16 bits, in a line each: of matrices hardly any can be so long. */
static void note_long(chooser *c)
{
    sq_arena *a = c->m->task.arena;
    const char *signed_16 = NULL, *unsigned_16 = NULL;
    for (int p = 0; p < c->k->nsizes; p++) {
        const char **to = is_short_of(c, p, SQ_LONG_SIGNED)     ? &signed_16
                          : is_short_of(c, p, SQ_LONG_UNSIGNED) ? &unsigned_16
                                                                : NULL;
        if (to)
            *to = *to ? sq_arena_printf(a, "%s, %s", *to, c->k->size[p]->name)
                      : c->k->size[p]->name;
    }
    if (signed_16)
        note_beyond(c, sq_arena_printf(a, "%s beyond 32768: %s", signed_16, too_much));
    if (unsigned_16)
        note_beyond(c, sq_arena_printf(a, "%s beyond 65536: %s", unsigned_16, too_much));
}

/* Values of a size that the description allows and no row has; those in a row as one. */
static void note_missing(chooser *c, int size)
{
    sq_check_value *left = SQ_NEW_ARRAY(c->m->task.arena, sq_check_value, c->v.of[size].n);
    int64_t held[SQ_MAX_SIZES];
    int n = 0;
    for (int i = 0; i < c->v.of[size].n; i++) {
        held[size] = c->v.of[size].at[i].v;
        if (c->v.of[size].at[i].kind != SQ_VALUE_LONG && !is_run(c, size, held[size]) &&
            is_allowed(c, held, 1u << size))
            left[n++] = c->v.of[size].at[i];
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

/* A row with the sizes given, or, but for those held, the least from there on that the description allows. False: it
 * is too much, or there is none. */
static bool put_from(chooser *c, const int64_t *from, unsigned hold, double flops)
{
    int64_t row[SQ_MAX_SIZES];
    memcpy(row, from, sizeof row);
    return (sq_kernel_takes(c->k, c->k->context, row) || settle_from(c, row, hold, from)) &&
           fits(c, row, flops) && put_row(c, row);
}

/* A long size beside others that have a whole register tile and a rest. */
static bool put_long_tiles(chooser *c, int size, int64_t value)
{
    int64_t row[SQ_MAX_SIZES];
    fill(c->k, row, 1);
    for (int i = 0; i < c->k->nsizes; i++)
        if (!c->k->size[i]->fixed)
            row[i] = c->v.unit[i] + 1;
    row[size] = value;
    return put_from(c, row, 0, cheap_long);
}

/* A long size beside few of all others. */
static bool put_long_few(chooser *c, int size, int64_t value, int64_t few, double flops)
{
    int64_t row[SQ_MAX_SIZES];
    fill(c->k, row, few);
    row[size] = value;
    return put_from(c, row, 0, flops);
}

/* A long size beside one other that is `of`, the rest being `rest`: one row for each. */
static bool put_long_beside(chooser *c, int size, int64_t value, int64_t of, int64_t rest)
{
    bool any = false;
    for (int other = 0; other < c->k->nsizes; other++) {
        int64_t row[SQ_MAX_SIZES];
        if (other == size || c->k->size[other]->fixed)
            continue;
        fill(c->k, row, rest);
        row[other] = of;
        row[size] = value;
        any |= put_from(c, row, of == 0 ? 1u << other : 0, cheap_whole);
    }
    return any;
}

/* Beside a long size the others are more than one, so that its strides are used: whole register
 * tiles, or few of all at once, or, if that is too much, of one after the other; and where one is
 * none, there is nothing to reduce. Of the lengths that mostly show in conditions, two of all others
 * are enough. */
static void put_long(chooser *c, int size, sq_check_value *v)
{
    bool any = false;
    if (v->is_refused)
        return;
    if (v->which == SQ_LONG_UNSIGNED) {
        any = put_long_tiles(c, size, v->v) || put_long_few(c, size, v->v, 3, cheap_whole) ||
              put_long_few(c, size, v->v, 2, cheap_whole) || put_long_beside(c, size, v->v, 2, 1);
        put_long_beside(c, size, v->v, 0, 2);
    } else {
        any = put_long_few(c, size, v->v, 2, cheap);
    }
    if (!any && !put_long_few(c, size, v->v, 1, c->most->flops))
        put_value(c, size, v, false);
}

/* Rows for values that were met in none so far, in rows that were too much, say. */
static void add_missing(chooser *c)
{
    for (int p = 0; p < c->k->nsizes; p++) {
        for (int i = 0; i < c->v.of[p].n; i++)
            if (c->v.of[p].at[i].kind == SQ_VALUE_LONG)
                put_long(c, p, &c->v.of[p].at[i]);
            else if (!is_run(c, p, c->v.of[p].at[i].v))
                put_value(c, p, &c->v.of[p].at[i], false);
        note_missing(c, p);
    }
    note_long(c);
}

/* A row for the values of two sizes in their third tiles, and in the second: more often within the
 * limits. False: the description allows one of third tiles that is not run. */
static bool put_pair(chooser *c, int p, const sq_check_value *x, int q, const sq_check_value *y)
{
    int64_t held[SQ_MAX_SIZES];
    unsigned hold = 1u << p | 1u << q;
    held[p] = x->v;
    held[q] = y->v;
    if (x->kind == SQ_VALUE_SECOND && y->kind == SQ_VALUE_SECOND)
        put_with(c, held, hold, true);
    return x->kind != SQ_VALUE_THIRD || y->kind != SQ_VALUE_THIRD || x->is_refused ||
           y->is_refused || put_with(c, held, hold, true) || !is_allowed(c, held, hold);
}

/* Second and third tiles of two sizes at once. Each of them is run alone: of pairs that are too much the first
 * is named, and how many more there are. */
static void add_pairs(chooser *c)
{
    sq_arena *a = c->m->task.arena;
    const char *first = NULL;
    int left = 0;
    for (int p = 0; p < c->k->nsizes; p++)
        for (int q = p + 1; q < c->k->nsizes; q++)
            for (const sq_check_value *x = c->v.of[p].at; x < c->v.of[p].at + c->v.of[p].n; x++)
                for (const sq_check_value *y = c->v.of[q].at; y < c->v.of[q].at + c->v.of[q].n; y++)
                    if (!put_pair(c, p, x, q, y) && left++ == 0)
                        first =
                            sq_arena_printf(a, "%s=%lld with %s=%lld", c->k->size[p]->name,
                                            (long long)x->v, c->k->size[q]->name, (long long)y->v);
    if (left)
        note_beyond(c, sq_arena_printf(a, "%s%s, third tiles of both: each is run alone", first,
                                       left > 1 ? sq_arena_printf(a, " and %d more pair%s",
                                                                  left - 1, left > 2 ? "s" : "")
                                                : ""));
}

static void open_chooser(chooser *c, const sq_schedule *s)
{
    static const int64_t least[] = {BASE, 4, 2, 1, 0};
    fill(c->k, c->v.base, BASE);
    for (size_t i = 0; i < sizeof least / sizeof *least; i++)
        if (sq_kernel_takes(c->k, c->k->context, c->v.base) || settle(c, c->v.base, 0, least[i]))
            break;
    c->v.m = c->m;
    c->v.k = c->k;
    sq_check_values_of(&c->v, s);
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
    add_pairs(c);
    add_third_rows(c);
    add_small_rows(c, false);
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
    *r = (sq_check_rows){.k = k, .s = s, .is_given = !is_symbolic(k) || m->settings.at.n};
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
        for (int j = 0; q != p && j < c->v.of[q].n; j++) {
            held[q] = c->v.of[q].at[j].v;
            if (c->v.of[q].at[j].kind == SQ_VALUE_THIRD)
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
