/* Dataset: what was measured of several tasks, each a kernel at its sizes, as a learned model reads it: the statements
 * of points, and how fast each point was beside the fastest one of its task. */
#ifndef SQ_TUNER_SEARCH_DATASET_H
#define SQ_TUNER_SEARCH_DATASET_H
#include "tuner/search/forest.h"
#include "tuner/search/pacm.h"
#include "tuner/search/search.h"

typedef struct sq_dataset sq_dataset;

/* Ends the process without memory. */
sq_dataset *sq_dataset_new(void);
/* The number of a task of that name, which is new or was there. */
int sq_dataset_task(sq_dataset *d, const char *name);
/* Adds a point of a task. cost: INFINITY where it failed. Without statements nothing is learned from it, and nothing
 * added. */
void sq_dataset_add(sq_dataset *d, int task, const float (*row)[SQ_STATEMENT], int nrows,
                    double cost);
int sq_dataset_tasks(const sq_dataset *d);
const char *sq_dataset_name(const sq_dataset *d, int task);
/* Points of a task; of all with task -1. */
int sq_dataset_points(const sq_dataset *d, int task);

/* Every `of`-th task, from number `at` on; of 0: none. */
typedef struct sq_dataset_fold {
    int at, of;
} sq_dataset_fold;

/* Trees that rank points of all tasks that are not in a fold, on top of given ones, which they then contain (NULL:
 * none). NULL where there is nothing to learn, or XGBoost's library is missing or too old. The caller frees them. */
sq_forest *sq_dataset_learn(const sq_dataset *d, sq_dataset_fold without, const sq_forest *given);
/* The same of a network, PaCM's or, where it does not read the flow of data, TenSet's (pacm.h); points are compared
 * within their tasks. NULL where there is nothing to learn. */
sq_weights *sq_dataset_learn_network(const sq_dataset *d, sq_dataset_fold without, bool reads_flow);

/* What was learned: one of them. */
typedef struct sq_learned {
    sq_forest *forest;
    sq_weights *weights;
} sq_learned;
/* Frees both, of which any may be NULL. */
void sq_learned_free(sq_learned *x);

/* How well it ranks the points of a task. */
typedef struct sq_ranking {
    double correlation; /* Spearman's, of scores and speeds; 0 where there are fewer than two points that differ */
    double top1, top5;  /* speed of the best of the one and of the five that it ranks first */
} sq_ranking;
sq_ranking sq_dataset_rank(const sq_dataset *d, int task, const sq_learned *x);
/* NULL is fine. Returns NULL. */
sq_dataset *sq_dataset_free(sq_dataset *d);
#endif
