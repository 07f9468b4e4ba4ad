/* Mutate trace: see mutate_trace.h. */
#include "tuner/search/mutate_trace.h"
#include "tuner/search/mutate.h"
#include "tuner/search/trace.h"

/* False where a trace has nothing for a mutator to change. */
typedef bool mutator(sq_search_base *b, const int *point, sq_trace *t);

/* The trace's decision of a coordinate, which varies at the trace's point. */
static sq_decision *decision_of(sq_trace *t, int coord)
{
    int i = 0;
    while (t->at[i].coord != coord)
        i++;
    return &t->at[i];
}

static bool draw_again(sq_search_base *b, const int *point, sq_trace *t, sq_coord_kind k)
{
    int coord = sq_mutate_any(b, point, k);
    if (coord < 0)
        return false;
    sq_decision *d = decision_of(t, coord);
    int n = b->space->coord[coord].nvalues, to = (int)sq_rng_below(&b->rng, (size_t)(n - 1));
    d->value = to + (to >= d->value);
    return true;
}

static bool change_location(sq_search_base *b, const int *point, sq_trace *t)
{
    return draw_again(b, point, t, SQ_COORD_OF_STRUCTURE);
}

static bool change_unrolling(sq_search_base *b, const int *point, sq_trace *t)
{
    return draw_again(b, point, t, SQ_COORD_OF_UNROLLING);
}

static bool change_threads(sq_search_base *b, const int *point, sq_trace *t)
{
    return draw_again(b, point, t, SQ_COORD_OF_THREADS);
}

/* The index of a value; -1: the coordinate has no such value. */
static int index_of(const sq_coord *c, long value)
{
    for (int i = 0; i < c->nvalues; i++)
        if (c->value[i] == value)
            return i;
    return -1;
}

/* The value of another level when this one becomes `to`, so that the product of the two stays; -1: there is none. */
static int balance(const sq_coord *c, const sq_decision *d, int to, const sq_coord *other, const sq_decision *level)
{
    long product = c->value[d->value] * other->value[level->value];
    bool is_exact = c->value[to] > 0 && product % c->value[to] == 0;
    return is_exact ? index_of(other, product / c->value[to]) : -1;
}

/* Moves a factor from one level of a dimension to another, exactly: one of the moves that there are, by chance. */
static bool change_size(sq_search_base *b, const int *point, sq_trace *t)
{
    const sq_coord *coord = b->space->coord;
    int size = sq_mutate_any(b, point, SQ_COORD_OF_SIZE),
        other = size >= 0 ? sq_mutate_other_level(b, point, size) : -1, to = -1, level_to = -1;
    sq_decision *d = size >= 0 ? decision_of(t, size) : NULL, *level = other >= 0 ? decision_of(t, other) : NULL;
    size_t n = 0;
    for (int v = 0; d && v < coord[d->coord].nvalues; v++) {
        int balanced = level ? balance(&coord[d->coord], d, v, &coord[level->coord], level) : 0;
        if (v != d->value && balanced >= 0 && sq_rng_below(&b->rng, ++n) == 0) {
            to = v;
            level_to = balanced;
        }
    }
    if (to < 0)
        return false;
    d->value = to;
    if (level)
        level->value = level_to;
    return true;
}

static mutator *const mutators[SQ_COORD_KINDS] = {[SQ_COORD_OF_SIZE] = change_size,
                                                  [SQ_COORD_OF_STRUCTURE] = change_location,
                                                  [SQ_COORD_OF_UNROLLING] = change_unrolling,
                                                  [SQ_COORD_OF_THREADS] = change_threads};

bool sq_mutate_trace(sq_search_base *b, const double weight[SQ_COORD_KINDS], int *point)
{
    sq_trace t;
    double left = sq_rng_unit(&b->rng);
    int kind = 0;
    sq_trace_record(b->space, point, &t);
    while (kind < SQ_COORD_KINDS - 1 && left >= weight[kind])
        left -= weight[kind++];
    if (!mutators[kind](b, point, &t))
        return false;
    sq_trace_replay(b->space, &t, &b->rng, point);
    return true;
}
