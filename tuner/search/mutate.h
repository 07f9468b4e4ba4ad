/* Mutate: a point becomes another one as in Ansor's released code, by weights: a size moves a factor from one level of
 * its dimension to another (0.90), a place or structure is drawn again (0.05), an unrolling (0.04), the loop of threads
 * (0.01). What has no such choice leaves its weight to the others. */
#ifndef SQ_TUNER_SEARCH_MUTATE_H
#define SQ_TUNER_SEARCH_MUTATE_H
#include "tuner/search/base.h"

void sq_mutate(sq_search_base *b, int *point);
/* One of the coordinates of a kind that vary at the point, by chance; -1: there is none. */
int sq_mutate_any(sq_search_base *b, const int *point, sq_coord_kind k);
/* Another level of the coordinate's dimension that varies at the point, by chance; -1: the outermost level, which has
 * no coordinate and takes what is left of the extent. */
int sq_mutate_other_level(sq_search_base *b, const int *point, int coord);
#endif
