/* Grid search: the start, then all points in the order of their coordinates, the first of which changes first, from
 * the least values on, as AutoTVM's grid tuner goes. Points that are one point, or of no use, are passed over; after
 * many of these in a row it goes on as a walk from the start, in another order. */
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
    int c = 0;
    while (c < s->base.space->n && ++s->at[c] >= s->base.space->coord[c].nvalues)
        s->at[c++] = 0;
    s->is_done = c == s->base.space->n;
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
