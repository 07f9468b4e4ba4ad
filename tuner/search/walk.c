/* Walk: every point of a space once, in order of the number of coordinates by which it differs from
 * the start. From each point found, all that differ in one coordinate are looked at, and those with a
 * new name are found: a space of a million million combinations that has a thousand scripts is walked
 * in a thousand steps. What a search falls back on before it may say that it tried every point. */
#include "tuner/search/search.h"
#include "support/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sq_walk {
    const sq_space *space;
    sq_search_options o;
    sq_seen *found;
    short *queue; /* rows of the space's coordinates */
    size_t n, cap;
    size_t at;      /* the row whose neighbours are looked at */
    int coordinate; /* of the next neighbour */
    int value;
    bool started;
};

sq_walk *sq_walk_new(const sq_space *space, const sq_search_options *o)
{
    sq_walk *w = sq_allocated(calloc(1, sizeof *w));
    w->space = space;
    w->o = *o;
    w->found = sq_seen_new(space);
    return w;
}

static void push(sq_walk *w, const int *point)
{
    size_t n = (size_t)w->space->n;
    w->queue = sq_grown(w->queue, w->n, &w->cap, (n + 1) * sizeof *w->queue);
    for (size_t c = 0; c < n; c++)
        w->queue[w->n * n + c] = (short)point[c];
    w->n++;
}

static bool find(sq_walk *w, const int *point)
{
    if (!sq_seen_add(w->found, point))
        return false;
    push(w, point);
    return true;
}

/* The next neighbour of the row; false when it has no more. */
static bool neighbour(sq_walk *w, int *point)
{
    const short *row = w->queue + w->at * (size_t)w->space->n;
    while (w->coordinate < w->space->n && w->value >= w->space->coord[w->coordinate].nvalues) {
        w->coordinate++;
        w->value = 0;
    }
    if (w->coordinate >= w->space->n)
        return false;
    memset(point, 0, sizeof w->space->start);
    for (int c = 0; c < w->space->n; c++)
        point[c] = row[c];
    point[w->coordinate] = w->value++;
    sq_space_settle(w->space, point);
    return true;
}

/* The next point of a new name, legal or not. */
static bool advance(sq_walk *w, int *point)
{
    if (!w->started) {
        w->started = true;
        memcpy(point, w->space->start, sizeof w->space->start);
        return find(w, point);
    }
    for (; w->at < w->n; w->at++, w->coordinate = w->value = 0)
        while (neighbour(w, point))
            if (find(w, point))
                return true;
    return false;
}

bool sq_walk_next(sq_walk *w, sq_seen *seen, int *point)
{
    while (advance(w, point))
        if (sq_search_legal(&w->o, point) && sq_seen_add(seen, point))
            return true;
    return false;
}

sq_walk *sq_walk_free(sq_walk *w)
{
    if (w) {
        sq_seen_free(w->found);
        free(w->queue);
        free(w);
    }
    return NULL;
}
