/* Base: see base.h. */
#include "tuner/search/base.h"
#include "support/memory.h"
#include <stdlib.h>
#include <string.h>

enum { TRIES = 1000 };

void *sq_search_new(size_t bytes, const sq_space *space, const sq_search_options *o)
{
    sq_search_base *b = sq_allocated(calloc(1, bytes));
    b->space = space;
    b->o = *o;
    b->owns_seen = !o->seen;
    b->seen = o->seen ? o->seen : sq_seen_new(space);
    b->rng.state = o->seed;
    return b;
}

sq_seek *sq_search_close(sq_seek *s)
{
    sq_search_base *b = (sq_search_base *)s; /* the first member of every search */
    if (b) {
        sq_walk_free(b->rest);
        if (b->owns_seen)
            sq_seen_free(b->seen);
        free(b);
    }
    return NULL;
}

void sq_search_hear(sq_seek *s, const sq_told *t)
{
    sq_seen_add(((sq_search_base *)s)->seen, t->point);
}

bool sq_search_start(sq_search_base *b, int *point)
{
    if (b->started)
        return false;
    b->started = true;
    memcpy(point, b->space->start, sizeof b->space->start);
    return sq_seen_add(b->seen, point);
}

void sq_search_draw(sq_search_base *b, int *point)
{
    for (int c = 0; c < b->space->n; c++)
        point[c] = (int)sq_rng_below(&b->rng, (size_t)b->space->coord[c].nvalues);
    sq_space_settle(b->space, point);
}

void sq_search_change(sq_search_base *b, int *point, int coord)
{
    int n = b->space->coord[coord].nvalues;
    int to = (int)sq_rng_below(&b->rng, (size_t)(n - 1));
    point[coord] = to + (to >= point[coord]);
}

int sq_search_any_coord(sq_search_base *b)
{
    int n = 0, at = -1;
    for (int c = 0; c < b->space->n; c++) {
        bool varies = b->space->coord[c].nvalues > 1;
        n += varies;
        if (varies && sq_rng_below(&b->rng, (size_t)n) == 0)
            at = c;
    }
    return at;
}

bool sq_search_take(sq_search_base *b, const int *point)
{
    return !sq_seen_has(b->seen, point) && sq_search_legal(&b->o, point) && sq_seen_add(b->seen, point);
}

int sq_search_chance(sq_search_base *b, int *point)
{
    for (int t = 0; t < TRIES && !b->rest; t++) {
        sq_search_draw(b, point);
        if (sq_search_take(b, point))
            return 1;
    }
    return sq_search_left(b, point);
}

int sq_search_left(sq_search_base *b, int *point)
{
    if (!b->rest)
        b->rest = sq_walk_new(b->space, &b->o);
    return sq_walk_next(b->rest, b->seen, point) ? 1 : -1;
}
