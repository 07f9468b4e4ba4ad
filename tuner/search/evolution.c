/* Evolution: see evolution.h. */
#include "tuner/search/evolution.h"
#include "support/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- shortlists ---- */

sq_shortlist sq_shortlist_new(int room)
{
    sq_shortlist l = {.room = room};
    l.at = sq_allocated(malloc((size_t)room * sizeof *l.at));
    l.rank = sq_allocated(malloc((size_t)room * sizeof *l.rank));
    return l;
}

const int *sq_shortlist_point(const sq_shortlist *l, int i)
{
    return l->at[l->rank[i]].point;
}

void sq_shortlist_free(sq_shortlist *l)
{
    free(l->at);
    free(l->rank);
}

/* Adds a candidate behind those that are as good, in the place of the last one where there is no room. */
static void add(sq_shortlist *l, const sq_scored_point *c)
{
    int slot = l->n < l->room ? l->n++ : l->rank[l->room - 1], at = l->n - 1;
    for (; at > 0 && l->at[l->rank[at - 1]].score < c->score; at--)
        l->rank[at] = l->rank[at - 1];
    l->rank[at] = slot;
    l->at[slot] = *c;
}

void sq_shortlist_keep(sq_shortlist *l, const sq_scored_point *of, int n, const sq_seen *asked, sq_seen *considered)
{
    for (int i = 0; i < n; i++) {
        bool is_full = l->n == l->room;
        if ((is_full && of[i].score <= l->at[l->rank[l->room - 1]].score) || sq_seen_has(asked, of[i].point) ||
            !sq_seen_add(considered, of[i].point))
            continue;
        add(l, &of[i]);
    }
}

/* ---- generations ---- */

/* The first whose sum of scores up to it exceeds x. */
static int find_share(const double *sum, int n, double x)
{
    int low = 0, high = n - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sum[middle] > x)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void make_child(const sq_evolution *e, const sq_scored_point *parent, sq_scored_point *child)
{
    bool is_fit = sq_rng_unit(&e->base->rng) >= e->mutated;
    *child = *parent;
    for (int t = 0; t < e->tries && !is_fit; t++) {
        *child = *parent;
        is_fit = e->mutate(e->user, child->point);
    }
    if (!is_fit)
        *child = *parent;
}

/* The next generation: parents by the share of their scores, mutated or as they are. */
static void breed(const sq_evolution *e, sq_scored_point *now, int n)
{
    double *sum = sq_allocated(malloc((size_t)n * sizeof *sum)), total = 0;
    sq_scored_point *next = sq_allocated(malloc((size_t)e->population * sizeof *next));
    for (int i = 0; i < n; i++)
        sum[i] = total += fmax(0, now[i].score);
    for (int i = 0; i < e->population; i++) {
        double x = sq_rng_unit(&e->base->rng);
        make_child(e, &now[total > 0 ? find_share(sum, n, x * total) : (int)(x * n)], &next[i]);
    }
    memcpy(now, next, (size_t)e->population * sizeof *next);
    free(next);
    free(sum);
}

void sq_evolve(const sq_evolution *e, sq_scored_point *now, int n, sq_shortlist *best)
{
    sq_seen *considered = sq_seen_new(e->base->space);
    best->n = 0;
    for (int g = 0; g <= e->generations && n > 0; g++) {
        if (g > 0) {
            breed(e, now, n);
            n = e->population;
        }
        e->score(e->user, now, n);
        sq_shortlist_keep(best, now, n, e->base->seen, considered);
    }
    sq_seen_free(considered);
}
