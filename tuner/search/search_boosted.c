/* Boosted search, after AutoTVM's tuner of this kind: after every 64 measurements boosted trees learn the speed of a
 * point from the values of its coordinates; 128 chains are annealed on what they predict, and the best 64 points that
 * were not measured yet are measured next, but for the last twentieth, which chance draws. The first 64 are drawn by
 * chance as well. Its trees are of a fixed number, where AutoTVM's stop by themselves. */
#include "tuner/search/trees.h"
#include "support/memory.h"
#include "tuner/search/base.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLAN = 64,
    GREEDY = PLAN - PLAN / 20, /* of a plan; the others are drawn by chance */
    CHAINS = 128,
    STEPS = 500,
    PATIENCE = 50 /* steps without a new point among the best */
};

/* AutoTVM's; it stops when 20 trees more do not rank the points learned from any better. */
static const sq_trees_options trees = {.depth = 3, .eta = 0.3, .gamma = 0.0001, .min_child_weight = 1, .rounds = 100};

struct place {
    int point[SQ_MAX_COORDS];
    float speed; /* predicted, of the fastest: 0 to 1 or so */
};

struct sq_seek {
    sq_search_base base;
    sq_trees *model; /* NULL: the library fails, and chance draws all */
    int n, room;       /* points told */
    float *row;        /* of each its coordinates' values */
    double *cost;      /* infinite: it was not valid */
    int nlearned;      /* of the points, when the model learned last */
    struct place chain[CHAINS], next[CHAINS], plan[PLAN]; /* plan: best first */
    bool is_drawn;      /* the chains have a place */
    int nplan, planned; /* of the plan; those that were taken from it */
};

static sq_seek *open(const sq_space *space, const sq_search_options *o)
{
    sq_seek *s = sq_search_new(sizeof *s, space, o);
    s->model = space->n > 0 ? sq_trees_new(space->n, &trees) : NULL;
    return s;
}

static void put_row(const sq_seek *s, const int *point, float *to)
{
    for (int c = 0; c < s->base.space->n; c++)
        to[c] = (float)sq_space_value(s->base.space, point, c);
}

/* ---- the model ---- */

static int learn(sq_seek *s)
{
    float *speed = sq_allocated(malloc(((size_t)s->n + 1) * sizeof *speed));
    double least = INFINITY;
    for (int i = 0; i < s->n; i++)
        least = fmin(least, s->cost[i]);
    for (int i = 0; i < s->n; i++)
        speed[i] = isfinite(s->cost[i]) ? (float)(least / s->cost[i]) : 0;
    int rc = sq_trees_fit(s->model, s->row, speed, (size_t)s->n);
    free(speed);
    s->nlearned = s->n;
    return rc;
}

static int predict(sq_seek *s, struct place *of)
{
    size_t n = (size_t)s->base.space->n;
    float *row = sq_allocated(malloc((CHAINS * n + 1) * sizeof *row)), speed[CHAINS];
    for (int i = 0; i < CHAINS; i++)
        put_row(s, of[i].point, row + (size_t)i * n);
    int rc = sq_trees_predict(s->model, row, CHAINS, speed);
    for (int i = 0; rc == 0 && i < CHAINS; i++)
        of[i].speed = speed[i];
    free(row);
    return rc;
}

/* ---- the plan ---- */

static bool is_planned(const sq_seek *s, const struct place *x)
{
    for (int i = 0; i < s->nplan; i++)
        if (memcmp(s->plan[i].point, x->point, sizeof x->point) == 0)
            return true;
    return false;
}

/* Puts a place among the best; false: it is not one of them, or was measured already. */
static bool plan(sq_seek *s, const struct place *x)
{
    if (s->nplan == PLAN && x->speed <= s->plan[PLAN - 1].speed)
        return false;
    if (is_planned(s, x) || sq_seen_has(s->base.seen, x->point) || !sq_search_legal(&s->base.o, x->point))
        return false;
    int at = s->nplan < PLAN ? s->nplan++ : PLAN - 1;
    for (; at > 0 && s->plan[at - 1].speed < x->speed; at--)
        s->plan[at] = s->plan[at - 1];
    s->plan[at] = *x;
    return true;
}

/* All chains one step on; whether any of them came to a new point among the best in *found. */
static int step(sq_seek *s, double temperature, bool *found)
{
    for (int i = 0; i < CHAINS; i++) {
        s->next[i] = s->chain[i];
        int c = sq_search_any_coord(&s->base);
        if (c >= 0)
            sq_search_change(&s->base, s->next[i].point, c);
        sq_space_settle(s->base.space, s->next[i].point);
    }
    if (predict(s, s->next) != 0)
        return -1;
    for (int i = 0; i < CHAINS; i++) {
        double better = s->next[i].speed - s->chain[i].speed;
        if (better > 0 || sq_rng_unit(&s->base.rng) < exp(better / (temperature + 1e-5)))
            s->chain[i] = s->next[i];
        *found |= plan(s, &s->next[i]);
    }
    return 0;
}

/* Anneals the chains on the model, from 1 to 0; they go on from where they ended before, at first from where chance
 * puts them. */
static int make_plan(sq_seek *s)
{
    int since = 0;
    s->nplan = s->planned = 0;
    for (int i = 0; i < CHAINS && !s->is_drawn; i++)
        sq_search_draw(&s->base, s->chain[i].point);
    s->is_drawn = true;
    if (predict(s, s->chain) != 0)
        return -1;
    for (int i = 0; i < CHAINS; i++)
        plan(s, &s->chain[i]);
    for (int i = 0; i < STEPS && since < PATIENCE; i++) {
        bool found = false;
        if (step(s, 1 - (double)i / STEPS, &found) != 0)
            return -1;
        since = found ? 0 : since + 1;
    }
    return 0;
}

/* ---- the row ---- */

static int ask(sq_seek *s, int *point)
{
    if (sq_search_start(&s->base, point))
        return 1;
    if (s->model && s->n >= s->nlearned + PLAN && (learn(s) != 0 || make_plan(s) != 0)) {
        s->nplan = 0;
        s->model = sq_trees_free(s->model);
    }
    while (s->planned < s->nplan && s->planned < GREEDY) {
        memcpy(point, s->plan[s->planned++].point, sizeof s->plan[0].point);
        if (sq_search_take(&s->base, point))
            return 1;
    }
    return sq_search_chance(&s->base, point);
}

static void tell(sq_seek *s, const sq_told *t)
{
    sq_seen_add(s->base.seen, t->point);
    if (s->n == s->room) {
        s->room = 2 * s->room + PLAN;
        s->row = sq_allocated(realloc(s->row, (size_t)s->room * (size_t)(s->base.space->n + 1) * sizeof *s->row));
        s->cost = sq_allocated(realloc(s->cost, (size_t)s->room * sizeof *s->cost));
    }
    put_row(s, t->point, s->row + (size_t)s->n * (size_t)s->base.space->n);
    s->cost[s->n++] = t->valid ? t->cost : INFINITY;
}

static sq_seek *close(sq_seek *s)
{
    if (s) {
        sq_trees_free(s->model);
        free(s->row);
        free(s->cost);
    }
    return sq_search_close(s);
}

static void says(const sq_seek *s, char *to, size_t n)
{
    if (s->nlearned)
        snprintf(to, n, "trees of %d points, %d of %d planned are taken", s->nlearned, s->planned, s->nplan);
    else
        snprintf(to, n, "by chance until %d points are known, %d are", PLAN, s->n);
}

const sq_search sq_search_boosted = {.name = "boosted",
                                     .doc = "boosted trees learn from 64 points, chains anneal on them (AutoTVM's)",
                                     .open = open,
                                     .ask = ask,
                                     .tell = tell,
                                     .close = close,
                                     .lacks = sq_trees_lacks,
                                     .by_chance = PLAN,
                                     .ends = "every point was tried",
                                     .says = says};
