/* Storm: exploration. Rounds of a few measurements each; a round's candidates are drafted from a
 * larger pool, half of it random, half children of the best points so far (one to three coordinates
 * changed, or two parents mixed), ranked by the draft model, which costs a fraction of a
 * measurement. Trees that learn while it runs what the draft gets wrong order the best 64 drafts
 * anew, once they foretell measurements that they have not seen better than the draft does. Half of
 * a round are the best of these, a quarter the best of other structures, a quarter is taken
 * regardless of rank, because a model can be wrong about a whole region. Where a round finds nothing
 * new, a walk gives what is left.
 *
 * Without XGBoost's library there are no trees, and the draft alone ranks. */
#include "tuner/search/base.h"
#include "tuner/search/ranker.h"
#include "tuner/search/trees.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUND = 8, POOL = 384, ELITE = 8, PATIENCE = 60, TRIES = 20, RANKED = 64, LEAST_KNOWN = 16 };
static const double more = 1.2; /* times as many points are learned from next */

struct candidate {
    int point[SQ_MAX_COORDS];
    double cost;
};

struct sq_seek {
    sq_search_base base;
    int nelite, nready, asked, told, barren;
    struct candidate elite[ELITE], ready[ROUND], pool[POOL];
    bool drafted; /* a round was */
    sq_ranker *ranker; /* NULL: the draft alone ranks */
    int learned;       /* points that it learned from */
    sq_scored_point ranked[RANKED];
};

static sq_seek *open_unlearned(const sq_space *space, const sq_search_options *o)
{
    sq_seek *s = sq_search_new(sizeof *s, space, o);
    s->base.rng.state = o->seed + 1;
    return s;
}

static sq_seek *open(const sq_space *space, const sq_search_options *o)
{
    sq_seek *s = open_unlearned(space, o);
    s->ranker = sq_ranker_new(&s->base, SQ_RANKER_GUIDED);
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

static int by_score(const void *a, const void *b)
{
    float x = ((const sq_scored_point *)a)->score, y = ((const sq_scored_point *)b)->score;
    return (x < y) - (x > y);
}

static void learn(sq_seek *s)
{
    int known = sq_ranker_known(s->ranker);
    if (known < LEAST_KNOWN || known < more * s->learned)
        return;
    sq_ranker_learn(s->ranker, LEAST_KNOWN);
    s->learned = known;
}

/* Orders the best drafts of the pool, n points, by what was learned, if it is of use. */
static void rank(sq_seek *s, int n)
{
    if (!s->ranker)
        return;
    learn(s);
    if (!sq_ranker_is_led(s->ranker))
        return;
    n = n < RANKED ? n : RANKED;
    for (int i = 0; i < n; i++)
        memcpy(s->ranked[i].point, s->pool[i].point, sizeof s->ranked[i].point);
    sq_ranker_score(s->ranker, s->ranked, n, &s->base.rng);
    qsort(s->ranked, (size_t)n, sizeof *s->ranked, by_score);
    for (int i = 0; i < n; i++)
        memcpy(s->pool[i].point, s->ranked[i].point, sizeof s->pool[i].point);
}

/* The next round: every second one the best draft left, between them the best of another structure
 * and one at random; in the order to be asked, from the end. */
static void draft_round(sq_seek *s)
{
    int n = fill_pool(s);
    qsort(s->pool, (size_t)n, sizeof *s->pool, by_cost);
    rank(s, n);
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
    if (s->ranker)
        sq_ranker_tell(s->ranker, t);
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

static sq_seek *close_storm(sq_seek *s)
{
    if (s)
        s->ranker = sq_ranker_free(s->ranker);
    return sq_search_close(s);
}

const sq_search sq_search_storm = {
    .name = "storm",
    .doc = "explores: random and evolved candidates, drafted by the analytic model, which trees correct",
    .open = open,
    .ask = ask,
    .tell = tell,
    .close = close_storm,
    .has_prior = true,
    .ends = "every point was tried",
    .says = says};

const sq_search sq_search_storm_unlearned = {
    .name = "storm-unlearned",
    .doc = "storm without its trees: the analytic model alone ranks",
    .open = open_unlearned,
    .ask = ask,
    .tell = tell,
    .close = close_storm,
    .ends = "every point was tried",
    .says = says};
