/* Random search: the start, then points at random, none twice. The measure of all others; where it
 * keeps hitting points it has seen, a walk finds those that are left. */
#include "tuner/search/base.h"

struct sq_seek {
    sq_search_base base;
};

static sq_seek *open(const sq_space *space, const sq_search_options *o)
{
    return sq_search_new(sizeof(sq_seek), space, o);
}

static int ask(sq_seek *s, int *point)
{
    return sq_search_start(&s->base, point) ? 1 : sq_search_chance(&s->base, point);
}

const sq_search sq_search_random = {.name = "random",
                                    .doc = "points at random, the start first",
                                    .open = open,
                                    .ask = ask,
                                    .tell = sq_search_hear,
                                    .close = sq_search_close,
                                    .ends = "every point was tried"};
