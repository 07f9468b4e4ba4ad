/* Base: what every search keeps and begins with: the space, the options, the points seen, chance, and the walk that
 * finds what is left where its own way finds nothing new. */
#ifndef SQ_TUNER_SEARCH_BASE_H
#define SQ_TUNER_SEARCH_BASE_H
#include "support/stats.h"
#include "tuner/search/search.h"

typedef struct sq_search_base {
    const sq_space *space;
    sq_search_options o;
    sq_seen *seen;  /* the options', or its own */
    bool owns_seen;
    sq_rng rng;
    bool started;
    sq_walk *rest; /* NULL until it is needed */
} sq_search_base;

/* Returns a zeroed search of this size, which begins with its base. Ends the process without memory. */
void *sq_search_new(size_t bytes, const sq_space *space, const sq_search_options *o);
/* The `close` of a search without memory of its own: frees it and what its base has; NULL is fine. Returns NULL. */
sq_seek *sq_search_close(sq_seek *s);
/* The `tell` of a search that nothing leads: the point was seen. */
void sq_search_hear(sq_seek *s, const sq_told *t);

/* True, once, with the space's start, unless that was seen; it is from now on. */
bool sq_search_start(sq_search_base *b, int *point);
/* A point by chance, settled; it may have been seen, and need not be legal. */
void sq_search_draw(sq_search_base *b, int *point);
/* Another value of a coordinate, by chance. The coordinate has more than one. */
void sq_search_change(sq_search_base *b, int *point, int coord);
/* One of the coordinates that have more than one value, by chance; -1: there is none. */
int sq_search_any_coord(sq_search_base *b);
/* True if the point was not seen and is legal; it is seen from now on. */
bool sq_search_take(sq_search_base *b, const int *point);
/* A point by chance that was taken, or, where chance keeps finding what was seen, one that is left: 1, or -1. */
int sq_search_chance(sq_search_base *b, int *point);
/* A point that was not seen yet, by a walk through all there are: 1, or -1 at its end. */
int sq_search_left(sq_search_base *b, int *point);
#endif
