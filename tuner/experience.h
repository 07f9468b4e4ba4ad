/* Experience: what several runs that share a machine learn for each other while they run, on top of what a file had. A
 * prior of their searches that is learned anew when there is half as much more to learn from. */
#ifndef SQ_TUNER_EXPERIENCE_H
#define SQ_TUNER_EXPERIENCE_H
#include "tuner/search/dataset.h"

typedef struct sq_experience sq_experience;

/* given: what to begin with, which has to outlive it; NULL: nothing. Ends the process without memory. */
sq_experience *sq_experience_new(const sq_forest *given);
/* A trial of the task of that name: its statements, its seconds or INFINITY where it failed. */
void sq_experience_add(sq_experience *e, const char *task, const float (*row)[SQ_STATEMENT],
                       int nrows, double seconds);
sq_prior sq_experience_prior(sq_experience *e);
/* NULL is fine. Returns NULL. */
sq_experience *sq_experience_free(sq_experience *e);
#endif
