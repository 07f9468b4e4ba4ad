/* Random search: the start, then points at random, none twice. The measure of all others; where it
 * keeps hitting points it has seen, a walk finds those that are left. */
#include "support/stats.h"
#include "tuner/search/search.h"
#include <stdlib.h>
#include <string.h>

enum { TRIES = 1000 };

struct sq_seek {
    const sq_space *space;
    sq_search_options o;
    sq_seen *own, *seen;
    sq_rng rng;
    sq_walk *rest; /* once chance finds nothing new */
    bool started;
};

static sq_seek *open(const sq_space *space, const sq_search_options *o)
{
    sq_seek *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    s->space = space;
    s->o = *o;
    s->own = o->seen ? NULL : sq_seen_new(space);
    s->seen = o->seen ? o->seen : s->own;
    s->rng.state = o->seed;
    return s;
}

static int ask(sq_seek *s, int *point)
{
    if (!s->started) {
        s->started = true;
        memcpy(point, s->space->start, sizeof s->space->start);
        if (sq_seen_add(s->seen, point))
            return 1;
    }
    for (int t = 0; t < TRIES && !s->rest; t++) {
        for (int c = 0; c < s->space->n; c++)
            point[c] = (int)sq_rng_below(&s->rng, (size_t)s->space->coord[c].nvalues);
        sq_space_settle(s->space, point);
        if (!sq_seen_has(s->seen, point) && sq_search_legal(&s->o, point)) {
            sq_seen_add(s->seen, point);
            return 1;
        }
    }
    if (!s->rest)
        s->rest = sq_walk_new(s->space, &s->o);
    return sq_walk_next(s->rest, s->seen, point) ? 1 : -1;
}

static void tell(sq_seek *s, const sq_told *t)
{
    sq_seen_add(s->seen, t->point);
}

static sq_seek *close(sq_seek *s)
{
    if (s) {
        sq_walk_free(s->rest);
        sq_seen_free(s->own);
        free(s);
    }
    return NULL;
}

const sq_search sq_search_random = {.name = "random",
                                    .doc = "points at random, the start first",
                                    .open = open,
                                    .ask = ask,
                                    .tell = tell,
                                    .close = close,
                                    .ends = "every point was tried"};
