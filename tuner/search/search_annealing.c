/* Simulated annealing on measured times: several chains, each of which proposes its place with one coordinate
 * changed and goes there if that is faster or, by chance, if it is not: at temperature T a point that takes r times
 * as long is taken with probability r^(-1/T). T falls from 1 to 0.01 over the budget, or over a number of trials
 * where there is none. One chain starts at the space's start, the others at random points. (AutoTVM anneals on a
 * learned model instead, and measures where its chains end: search_boosted.c.) */
#include "tuner/search/base.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHAINS = 8, LENGTH = 400 /* trials over which it cools without a budget */, TRIES = 200 };
static const double hottest = 1, coldest = 0.01;

struct chain {
    int at[SQ_MAX_COORDS], next[SQ_MAX_COORDS];
    double cost;     /* of `at`; infinite: it has no place yet */
    bool is_waiting; /* `next` was asked and not told */
};

struct sq_seek {
    sq_search_base base;
    struct chain chain[CHAINS];
    int turn, told;
};

static sq_seek *open(const sq_space *space, const sq_search_options *o)
{
    sq_seek *s = sq_search_new(sizeof *s, space, o);
    for (int i = 0; i < CHAINS; i++)
        s->chain[i].cost = INFINITY;
    return s;
}

static double temperature(const sq_seek *s)
{
    double spent = (double)s->told / LENGTH;
    if (s->base.o.spent)
        spent = s->base.o.spent(s->base.o.spent_user);
    return hottest * pow(coldest / hottest, fmin(spent, 1));
}

static int give(sq_seek *s, struct chain *c, const int *point)
{
    memcpy(c->next, point, sizeof c->next);
    c->is_waiting = true;
    s->turn = (int)(c - s->chain) + 1;
    return 1;
}

/* Its place with a coordinate changed, or with several where all such were seen; a point by chance where it has no
 * place yet. False: chance found none. */
static bool propose(sq_seek *s, const struct chain *c, int *point)
{
    for (int t = 0; t < TRIES; t++) {
        int changes = 1 + t / (TRIES / 4);
        if (isfinite(c->cost))
            memcpy(point, c->at, sizeof c->at);
        else
            sq_search_draw(&s->base, point);
        for (int i = 0; i < changes && isfinite(c->cost); i++) {
            int at = sq_search_any_coord(&s->base);
            if (at >= 0)
                sq_search_change(&s->base, point, at);
        }
        sq_space_settle(s->base.space, point);
        if (sq_search_take(&s->base, point))
            return true;
    }
    return false;
}

static struct chain *idle_chain(sq_seek *s)
{
    for (int i = 0; i < CHAINS; i++) {
        struct chain *c = &s->chain[(s->turn + i) % CHAINS];
        if (!c->is_waiting)
            return c;
    }
    return NULL;
}

static int ask(sq_seek *s, int *point)
{
    struct chain *c = idle_chain(s);
    if (!c)
        return 0;
    if (sq_search_start(&s->base, point))
        return give(s, c, point);
    if (propose(s, c, point) || sq_search_left(&s->base, point) == 1)
        return give(s, c, point);
    return -1;
}

static void decide(sq_seek *s, struct chain *c, double cost)
{
    bool better = cost < c->cost;
    c->is_waiting = false;
    if (better || sq_rng_unit(&s->base.rng) < pow(c->cost / cost, 1 / temperature(s))) {
        memcpy(c->at, c->next, sizeof c->at);
        c->cost = cost;
    }
}

/* A point that others asked for, as the start is measured before any question: a chain without a place has it. */
static void settle(sq_seek *s, const sq_told *t)
{
    for (int i = 0; i < CHAINS; i++) {
        struct chain *c = &s->chain[i];
        if (c->is_waiting || isfinite(c->cost))
            continue;
        memcpy(c->at, t->point, sizeof c->at);
        c->cost = t->cost;
        return;
    }
}

static void tell(sq_seek *s, const sq_told *t)
{
    size_t bytes = (size_t)s->base.space->n * sizeof *t->point;
    bool counts = t->valid && t->cost > 0;
    s->told++;
    sq_seen_add(s->base.seen, t->point);
    for (int i = 0; i < CHAINS; i++) {
        struct chain *c = &s->chain[i];
        if (!c->is_waiting || memcmp(c->next, t->point, bytes) != 0)
            continue;
        c->is_waiting = false;
        if (counts)
            decide(s, c, t->cost);
        return;
    }
    if (counts)
        settle(s, t);
}

static void says(const sq_seek *s, char *to, size_t n)
{
    snprintf(to, n, "%d chains at temperature %.2f", CHAINS, temperature(s));
}

const sq_search sq_search_annealing = {.name = "annealing",
                                       .doc = "simulated annealing on measured times, eight chains",
                                       .open = open,
                                       .ask = ask,
                                       .tell = tell,
                                       .close = sq_search_close,
                                       .ends = "every point was tried",
                                       .says = says};
