/* Trace: a point as a script of decisions, as MetaSchedule has it (Shao et al., NeurIPS 2022). The coordinates of a
 * space ask for decisions in their order; which of them do depends on those made before: one without effect at the
 * point is not asked for. A script need not be whole: replayed, it decides what it has a decision for, and chance
 * decides the others. */
#ifndef SQ_TUNER_SEARCH_TRACE_H
#define SQ_TUNER_SEARCH_TRACE_H
#include "support/stats.h"
#include "tuner/search/search.h"

typedef struct sq_decision {
    int coord, value; /* the index of a value */
} sq_decision;

typedef struct sq_trace {
    int n;
    sq_decision at[SQ_MAX_COORDS]; /* by coordinates, ascending */
} sq_trace;

/* Records all decisions of a point. */
void sq_trace_record(const sq_space *s, const int *point, sq_trace *t);
/* Replays a script, and returns how many decisions it lacked. A whole one gives the point that it was recorded of, and
 * takes nothing from rng. */
int sq_trace_replay(const sq_space *s, const sq_trace *t, sq_rng *rng, int *point);
#endif
