/* Searches: the table. */
#include "tuner/search/search.h"
#include <string.h>

const sq_search *const sq_searches[] = {&sq_search_default, &sq_search_storm, &sq_search_raindrop,
                                        &sq_search_random,  &sq_search_grid,  &sq_search_genetic,
                                        &sq_search_annealing, &sq_search_boosted, &sq_search_droplet, NULL};

const sq_search *sq_search_get(const char *name)
{
    for (const sq_search *const *s = sq_searches; *s; s++)
        if (strcmp((*s)->name, name) == 0)
            return *s;
    return NULL;
}
