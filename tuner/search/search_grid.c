/* Grid search: the start, then all points in the order of their coordinates, the last of which changes first, from
 * the least values on. What AutoTVM calls `gridsearch`. Points that are one point, or of no use, are passed over;
 * after many of these in a row a walk gives what is left, which may be little of a space of millions. */
#include "tuner/search/base.h"

enum { TRIES = 20000 };

struct sq_seek {
    sq_search_base base;
    int at[SQ_MAX_COORDS]; /* the next point */
    bool is_done;
};

static sq_seek *open(const sq_space *space, const sq_search_options *o)
{
    return sq_search_new(sizeof(sq_seek), space, o);
}

static void step(sq_seek *s)
{
    int c = s->base.space->n - 1;
    while (c >= 0 && ++s->at[c] >= s->base.space->coord[c].nvalues)
        s->at[c--] = 0;
    s->is_done = c < 0;
}

static int ask(sq_seek *s, int *point)
{
    if (sq_search_start(&s->base, point))
        return 1;
    for (int t = 0; t < TRIES && !s->is_done; t++) {
        for (int c = 0; c < s->base.space->n; c++)
            point[c] = s->at[c];
        sq_space_settle(s->base.space, point);
        step(s);
        if (sq_search_take(&s->base, point))
            return 1;
    }
    s->is_done = true;
    return sq_search_left(&s->base, point);
}

const sq_search sq_search_grid = {.name = "grid",
                                  .doc = "all points in the order of their coordinates",
                                  .open = open,
                                  .ask = ask,
                                  .tell = sq_search_hear,
                                  .close = sq_search_close,
                                  .ends = "every point was tried"};
