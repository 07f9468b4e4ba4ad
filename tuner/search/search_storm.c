/* Storm: exploration. Rounds of a few measurements each; a round's candidates are drafted from a
 * larger pool, half of it random, half children of the best points so far (one to three coordinates
 * changed, or two parents mixed), ranked by the draft model, which costs a fraction of a
 * measurement. Half of a round are the best drafts, a quarter the best of other structures, a
 * quarter is taken regardless of rank, because a model can be wrong about a whole region. Where a
 * round finds nothing new, a walk gives what is left. */
#include "tuner/search/base.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUND = 8, POOL = 384, ELITE = 8, PATIENCE = 60, TRIES = 20 };

struct candidate {
    int point[SQ_MAX_COORDS];
    double cost;
};

struct sq_seek {
    sq_search_base base;
    int nelite, nready, asked, told, barren;
    struct candidate elite[ELITE], ready[ROUND], pool[POOL];
    bool drafted; /* a round was */
};

static sq_seek *open(const sq_space *space, const sq_search_options *o)
{
    sq_seek *s = sq_search_new(sizeof *s, space, o);
    s->base.rng.state = o->seed + 1;
    return s;
}

static int clamp(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* A parent with some coordinates from another, then some changed: near steps mostly. */
static void make_child(sq_seek *s, int *point)
{
    const struct candidate *a = &s->elite[sq_rng_below(&s->base.rng, (size_t)s->nelite)];
    const struct candidate *b = &s->elite[sq_rng_below(&s->base.rng, (size_t)s->nelite)];
    bool mixed = sq_rng_below(&s->base.rng, 3) == 0;
    for (int c = 0; c < s->base.space->n; c++)
        point[c] = (mixed && sq_rng_below(&s->base.rng, 2) ? b : a)->point[c];
    size_t changes = 1 + sq_rng_below(&s->base.rng, 3);
    for (size_t i = 0; i < changes; i++) {
        int c = (int)sq_rng_below(&s->base.rng, (size_t)s->base.space->n);
        int n = s->base.space->coord[c].nvalues;
        if (sq_rng_below(&s->base.rng, 4) == 0 || s->base.space->coord[c].structural)
            point[c] = (int)sq_rng_below(&s->base.rng, (size_t)n);
        else
            point[c] = clamp(point[c] + (int)sq_rng_below(&s->base.rng, 5) - 2, n);
    }
}

static int by_cost(const void *a, const void *b)
{
    double x = ((const struct candidate *)a)->cost, y = ((const struct candidate *)b)->cost;
    return (x > y) - (x < y);
}

/* Fills the pool with new points, legal ones only; returns their number. What the first round of a
 * run draws from is not led by measurements: it is the same for the same seed. */
static int fill_pool(sq_seek *s)
{
    int n = 0;
    bool may_follow = s->drafted || s->base.o.follows;
    sq_seen *pool = sq_seen_new(s->base.space);
    s->drafted = true;
    for (int t = 0; s->base.space->n > 0 && n < POOL && t < POOL * TRIES; t++) {
        int *point = s->pool[n].point;
        if (may_follow && s->nelite && t % 2)
            make_child(s, point);
        else
            sq_search_draw(&s->base, point);
        sq_space_settle(s->base.space, point);
        if (sq_seen_has(s->base.seen, point) || !sq_seen_add(pool, point))
            continue;
        s->pool[n].cost = s->base.o.draft ? s->base.o.draft(s->base.o.draft_user, point) : 0;
        if (isfinite(s->pool[n].cost))
            n++;
    }
    sq_seen_free(pool);
    return n;
}

static bool is_new_kind(const sq_seek *s, const int *point)
{
    for (int i = 0; i < s->nready; i++)
        if (!sq_space_other_kind(s->base.space, s->ready[i].point, point))
            return false;
    return true;
}

static void take(sq_seek *s, int *n, int from)
{
    s->ready[s->nready++] = s->pool[from];
    memmove(&s->pool[from], &s->pool[from + 1], (size_t)(*n - from - 1) * sizeof *s->pool);
    (*n)--;
}

/* Best draft of a kind that this round does not have yet, else the best. */
static int best_of_new_kind(const sq_seek *s, int n)
{
    for (int i = 0; i < n; i++)
        if (is_new_kind(s, s->pool[i].point))
            return i;
    return 0;
}

/* The next round: every second one the best draft left, between them the best of another structure
 * and one at random; in the order to be asked, from the end. */
static void draft_round(sq_seek *s)
{
    int n = fill_pool(s);
    qsort(s->pool, (size_t)n, sizeof *s->pool, by_cost);
    s->nready = 0;
    for (int i = 0; i < ROUND && n > 0; i++)
        take(s, &n,
             i % 2 == 0   ? 0
             : i % 4 == 1 ? best_of_new_kind(s, n)
                          : (int)sq_rng_below(&s->base.rng, (size_t)n));
    for (int i = 0; i < s->nready / 2; i++) {
        struct candidate t = s->ready[i];
        s->ready[i] = s->ready[s->nready - 1 - i];
        s->ready[s->nready - 1 - i] = t;
    }
}

static int ask(sq_seek *s, int *point)
{
    if (!s->base.started) {
        s->barren = 0; /* what was told before is history, not this storm's patience */
        s->asked = sq_search_start(&s->base, point);
        if (s->asked)
            return 1;
    }
    if (s->base.o.storm_trials > 0 && (s->asked >= s->base.o.storm_trials || s->barren >= PATIENCE))
        return -1;
    s->asked++;
    if (s->nready == 0 && !s->base.rest)
        draft_round(s);
    while (s->nready > 0) {
        memcpy(point, s->ready[--s->nready].point, sizeof s->ready[0].point);
        if (sq_seen_add(s->base.seen, point))
            return 1;
    }
    return sq_search_left(&s->base, point);
}

static void tell(sq_seek *s, const sq_told *t)
{
    sq_seen_add(s->base.seen, t->point);
    s->barren = t->wins ? 0 : s->barren + 1;
    if (!t->valid || (s->nelite == ELITE && s->elite[ELITE - 1].cost <= t->cost))
        return;
    int at = s->nelite < ELITE ? s->nelite++ : ELITE - 1;
    memcpy(s->elite[at].point, t->point, sizeof t->point);
    s->elite[at].cost = t->cost;
    qsort(s->elite, (size_t)s->nelite, sizeof *s->elite, by_cost);
}

static void says(const sq_seek *s, char *to, size_t n)
{
    if (s->base.o.storm_trials > 0)
        snprintf(to, n, "storm, %d of %d points", s->asked, s->base.o.storm_trials);
    else
        snprintf(to, n, "round %d, %d of its %d points to come", s->asked / ROUND + 1, s->nready, ROUND);
}

const sq_search sq_search_storm = {
    .name = "storm",
    .doc = "explores: random and evolved candidates, drafted by the analytic model",
    .open = open,
    .ask = ask,
    .tell = tell,
    .close = sq_search_close,
    .ends = "every point was tried",
    .says = says};
