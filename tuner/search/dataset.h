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
/* Adds a point of a task, and returns its number. cost: INFINITY where it failed. Without statements nothing is learned
 * from it, and nothing added: -1. */
int sq_dataset_add(sq_dataset *d, int task, const float (*row)[SQ_STATEMENT], int nrows, double cost);
/* What is known of a point besides: the analytic model's guess in seconds, and its script. */
void sq_dataset_describe(sq_dataset *d, int point, double guess, const char *script);
int sq_dataset_tasks(const sq_dataset *d);
const char *sq_dataset_name(const sq_dataset *d, int task);
/* Points of a task; of all with task -1. */
int sq_dataset_points(const sq_dataset *d, int task);

/* Every `of`-th task, from number `at` on; of 0: none. by_kernel: the tasks of every `of`-th kernel, at whatever
 * sizes. */
typedef struct sq_dataset_fold {
    int at, of;
    bool by_kernel;
} sq_dataset_fold;
bool sq_dataset_is_in(const sq_dataset *d, sq_dataset_fold fold, int task);

/* Trees that rank points of all tasks that are not in a fold, on top of given ones, which they then contain (NULL:
 * none). NULL where there is nothing to learn, or XGBoost's library is missing or too old. The caller frees them. */
sq_forest *sq_dataset_learn(const sq_dataset *d, sq_dataset_fold without, const sq_forest *given);
/* The same of a network, PaCM's or, where it does not read the flow of data, TenSet's (pacm.h); points are compared
 * within their tasks. NULL where there is nothing to learn. */
sq_weights *sq_dataset_learn_network(const sq_dataset *d, sq_dataset_fold without, bool reads_flow);

/* The same of TLP's network (tlp.h), which reads the scripts of points that have one. */
struct sq_tlp *sq_dataset_learn_tlp(const sq_dataset *d, sq_dataset_fold without);

/* What was learned: one of them; none: nothing, and the analytic model ranks. */
typedef struct sq_learned {
    sq_forest *forest;
    sq_weights *weights;
    struct sq_tlp *tlp;
} sq_learned;
/* Frees all, of which any may be NULL. */
void sq_learned_free(sq_learned *x);

enum { SQ_RANKING_TOPS = 4, SQ_RANKING_BEST = 5, SQ_RANKING_MEASURED = 8 };
extern const int sq_ranking_top[SQ_RANKING_TOPS]; /* 1, 5, 64, 512 */
/* How well it ranks the points of a task. */
typedef struct sq_ranking {
    double correlation; /* Spearman's, of scores and speeds; 0 where there are fewer than two points that differ */
    double near;        /* the same among the points within 1.3 times of the best; NAN: these are fewer than three */
    int recall;         /* of the SQ_RANKING_BEST fastest points, among the SQ_RANKING_MEASURED that it ranks first */
    double top[SQ_RANKING_TOPS]; /* speed of the fastest of the first sq_ranking_top[i] */
} sq_ranking;
sq_ranking sq_dataset_rank(const sq_dataset *d, int task, const sq_learned *x);
/* NULL is fine. Returns NULL. */
sq_dataset *sq_dataset_free(sq_dataset *d);
#endif
