/* Mutate: see mutate.h. */
#include "tuner/search/mutate.h"
#include <math.h>

/* Of what a mutation changes. */
static const double weight[SQ_COORD_KINDS] = {
    [SQ_COORD_OF_SIZE] = 0.90,
    [SQ_COORD_OF_STRUCTURE] = 0.05,
    [SQ_COORD_OF_UNROLLING] = 0.04,
    [SQ_COORD_OF_THREADS] = 0.01,
};

int sq_mutate_any(sq_search_base *b, const int *point, sq_coord_kind k)
{
    const sq_space *space = b->space;
    int n = 0, at = -1;
    for (int c = 0; c < space->n; c++)
        if (sq_coord_kind_of(&space->coord[c]) == k && sq_space_varies(space, point, c) &&
            sq_rng_below(&b->rng, (size_t)++n) == 0)
            at = c;
    return at;
}

/* The coordinate to change: the kind by the weights of those that are there, then any of that kind; -1. */
static int choose_coord(sq_search_base *b, const int *point)
{
    int of[SQ_COORD_KINDS];
    double sum = 0;
    for (int k = 0; k < SQ_COORD_KINDS; k++) {
        of[k] = sq_mutate_any(b, point, (sq_coord_kind)k);
        sum += of[k] >= 0 ? weight[k] : 0;
    }
    double left = sum * sq_rng_unit(&b->rng);
    int at = -1;
    for (int k = 0; k < SQ_COORD_KINDS && left >= 0; k++)
        if (of[k] >= 0) {
            at = of[k];
            left -= weight[k];
        }
    return at;
}

int sq_mutate_other_level(sq_search_base *b, const int *point, int coord)
{
    const sq_space *space = b->space;
    int n = 1, at = -1;
    for (int c = 0; c < space->n && space->coord[coord].axis >= 0; c++)
        if (c != coord && space->coord[c].axis == space->coord[coord].axis && sq_space_varies(space, point, c) &&
            sq_rng_below(&b->rng, (size_t)++n) == 0)
            at = c;
    return at;
}

/* Changes a size; another level of its dimension becomes larger by the factor by which this one became smaller. */
static void move_factor(sq_search_base *b, int *point, int coord)
{
    const sq_space *space = b->space;
    int level = sq_mutate_other_level(b, point, coord);
    double from = (double)sq_space_value(space, point, coord);
    sq_search_change(b, point, coord);
    double to = (double)sq_space_value(space, point, coord);
    if (level < 0 || from <= 0 || to <= 0)
        return;
    double other = (double)sq_space_value(space, point, level) * from / to;
    point[level] = sq_coord_nearest(&space->coord[level], (long)fmax(1, other + 0.5));
}

void sq_mutate(sq_search_base *b, int *point)
{
    int c = choose_coord(b, point);
    if (c >= 0 && sq_coord_kind_of(&b->space->coord[c]) == SQ_COORD_OF_SIZE)
        move_factor(b, point, c);
    else if (c >= 0)
        sq_search_change(b, point, c);
    sq_space_settle(b->space, point);
}
