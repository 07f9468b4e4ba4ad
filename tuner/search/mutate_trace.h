/* Mutate trace: a point becomes another one as in MetaSchedule's released code. It is the script of the decisions that
 * made it (trace.h); a mutator changes one of them, and the script is replayed: the other decisions stay, those that
 * the change makes necessary are drawn by chance. A size moves a factor to another level of its dimension, exactly; a
 * structure, an unrolling or the loop of threads is drawn again. */
#ifndef SQ_TUNER_SEARCH_MUTATE_TRACE_H
#define SQ_TUNER_SEARCH_MUTATE_TRACE_H
#include "tuner/search/base.h"

/* weight: of the mutator for each kind of coordinate; their sum is 1. False if the one that was drawn has nothing to
 * change. */
bool sq_mutate_trace(sq_search_base *b, const double weight[SQ_COORD_KINDS], int *point);
#endif
