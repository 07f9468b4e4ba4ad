/* Rounds: see rounds.h. */
#include "tuner/search/rounds.h"
#include "support/diag.h"
#include "tuner/search/mutate.h"
#include <stdio.h>
#include <string.h>

enum {
    DOUBLED = 6,                /* rounds, after which no doubling is less than all */
    ENOUGH = 2 * SQ_ROUND_FIRST /* points to learn from where a prior turns out to be of no use */
};

void sq_rounds_open(sq_rounds *r, sq_search_base *base, sq_ranker *ranker, int best)
{
    if (r->size < 1 || r->size > SQ_ROUND_MOST || r->greedy > r->size)
        sq_bug("a search", "rounds of %d points, %d of them planned: not 1 to %d", r->size, r->greedy, SQ_ROUND_MOST);
    r->base = base;
    r->ranker = ranker;
    r->best = sq_shortlist_new(best);
}

void sq_rounds_close(sq_rounds *r)
{
    sq_shortlist_free(&r->best);
    r->ranker = sq_ranker_free(r->ranker);
}

sq_seek *sq_rounds_seek(const sq_rounds *r)
{
    return (sq_seek *)(void *)r->base;
}

/* Points of the round under way. */
static int size_of(const sq_rounds *r)
{
    if (!sq_ranker_has_prior(r->ranker) || r->before >= DOUBLED)
        return r->size;
    int some = r->before > 0 ? SQ_ROUND_FIRST << (r->before - 1) : SQ_ROUND_FIRST;
    return some < r->size ? some : r->size;
}

/* Of these as planned. Nobody has measured yet what a prior is worth for this kernel: half of its first round is drawn
 * by chance, to show that. */
static int greedy_of(const sq_rounds *r)
{
    if (sq_ranker_has_prior(r->ranker) && r->before == 0)
        return size_of(r) / 2;
    return size_of(r) * r->greedy / r->size;
}

/* Counts the point as one of the round. */
static int give(sq_rounds *r, const int *point)
{
    memcpy(r->point[r->n], point, sizeof r->point[0]);
    r->is_told[r->n++] = false;
    return 1;
}

static void begin(sq_rounds *r)
{
    r->n = r->ntold = 0;
    r->before++;
    r->is_planned = false;
}

static void plan(sq_rounds *r)
{
    r->taken = 0;
    r->is_planned = true;
    r->plan(sq_rounds_seek(r));
}

int sq_rounds_ask(sq_rounds *r, int *point)
{
    if (r->n == size_of(r) && r->ntold < r->n)
        return 0; /* the next round is planned on all of this one */
    if (r->n == size_of(r))
        begin(r);
    if (sq_search_start(r->base, point))
        return give(r, point);
    if (!r->is_planned && r->base->space->n > 0 && !r->base->rest)
        plan(r);
    while (r->taken < r->best.n && r->n < greedy_of(r)) {
        memcpy(point, sq_shortlist_point(&r->best, r->taken++), sizeof r->base->space->start);
        if (sq_search_take(r->base, point))
            return give(r, point);
    }
    return sq_search_chance(r->base, point) == 1 ? give(r, point) : -1;
}

/* The point need not be one of the round. */
static void hear(sq_rounds *r, const int *point)
{
    for (int i = 0; i < r->n; i++)
        if (!r->is_told[i] &&
            memcmp(r->point[i], point, (size_t)r->base->space->n * sizeof *point) == 0) {
            r->is_told[i] = true;
            r->ntold++;
            return;
        }
}

void sq_rounds_tell(sq_rounds *r, const sq_told *t)
{
    sq_seen_add(r->base->seen, t->point);
    sq_ranker_tell(r->ranker, t);
    hear(r, t->point);
}

void sq_rounds_score(void *rounds, sq_scored_point *of, int n)
{
    sq_rounds *r = rounds;
    sq_ranker_score(r->ranker, of, n, &r->base->rng);
}

bool sq_rounds_mutate(void *rounds, int *point)
{
    sq_rounds *r = rounds;
    sq_mutate(r->base, point);
    return sq_ranker_accepts(r->ranker, point);
}

void sq_rounds_learn(sq_rounds *r, int least, double more)
{
    int known = sq_ranker_known(r->ranker);
    bool early = sq_ranker_has_prior(r->ranker) && least > SQ_ROUND_FIRST;
    if (known < (early ? SQ_ROUND_FIRST : least) || known < more * r->learned)
        return;
    sq_ranker_learn(r->ranker, early ? ENOUGH : least);
    r->learned = known;
}

void sq_rounds_say(const sq_rounds *r, char *to, size_t n)
{
    int used = snprintf(to, n, "round %d, %d of %d points are back", r->before + 1, r->ntold, size_of(r));
    if (r->learned && used >= 0 && (size_t)used < n)
        snprintf(to + used, n - (size_t)used, ", the model knows %d", r->learned);
}
