/* Base: the state that all searches share: the space, the options, the points seen, a random number generator, and a
 * walk over the remaining points for when a search's own strategy finds no new one. */
#ifndef SQ_TUNER_SEARCH_BASE_H
#define SQ_TUNER_SEARCH_BASE_H
#include "support/stats.h"
#include "tuner/search/search.h"

typedef struct sq_search_base {
    const sq_space *space;
    sq_search_options o;
    sq_seen *seen;  /* that of the options, or its own */
    bool owns_seen;
    sq_rng rng;
    bool started;
    sq_walk *rest; /* NULL until it is needed */
} sq_search_base;

/* Returns a zeroed search of this size, which begins with its base. Aborts if there is no memory. */
void *sq_search_new(size_t bytes, const sq_space *space, const sq_search_options *o);
/* The `close` of a search that owns no further memory: frees it and its base. Accepts NULL. Returns NULL. */
sq_seek *sq_search_close(sq_seek *s);
/* The `tell` of a search that ignores results: marks the point as seen. */
void sq_search_hear(sq_seek *s, const sq_told *t);

/* True, once, with the space's start, unless that has been seen. Marks it as seen. */
bool sq_search_start(sq_search_base *b, int *point);
/* Draws a random point and settles it; it may be illegal or have been seen. */
void sq_search_draw(sq_search_base *b, int *point);
/* Changes a coordinate, which has more than one value, to another random value. */
void sq_search_change(sq_search_base *b, int *point, int coord);
/* Returns a random coordinate with more than one value; -1 if there is none. */
int sq_search_any_coord(sq_search_base *b);
/* True if the point is legal and has not been seen. Marks it as seen. */
bool sq_search_take(sq_search_base *b, const int *point);
/* Takes a random point, or a remaining one if random points keep having been seen. Returns 1, or -1 if none is left. */
int sq_search_chance(sq_search_base *b, int *point);
/* Finds the next unseen point on a walk over the space. Returns 1, or -1 at its end. */
int sq_search_left(sq_search_base *b, int *point);
#endif
