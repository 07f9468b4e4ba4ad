/* Learn, inside: what `squall learn` learns from. */
#ifndef SQ_CLI_LEARN_H
#define SQ_CLI_LEARN_H
#include "cli/cli.h"
#include "tuner/search/dataset.h"

typedef struct sq_learner {
    const sq_settings *o;
    sq_diags *d;
    sq_arena *arena;
    sq_dataset *data;
    const char *machine_class; /* of all of it; NULL: nothing was read */
} sq_learner;

/* Takes note of the class of what comes next, which `from` says. -1 after adding an error: it is another one. */
int sq_learner_class(sq_learner *x, const char *machine_class, const char *from);
/* Adds the stored trials of the kernels of a description, at whatever sizes. -1 after adding an error. */
int sq_learner_trials(sq_learner *x, const char *path);
/* Adds a point of a task: see sq_dataset_add and sq_dataset_describe. */
void sq_learner_point(sq_learner *x, int task, const float (*row)[SQ_STATEMENT], int nrows, double cost, double guess,
                      const char *script);
/* --eval: how well the analytic model and all that can be learned rank kernels that they have not seen. -1 after adding
 * an error. */
int sq_learner_check_eval(const sq_settings *o, sq_diags *d);
int sq_learner_eval(sq_learner *x);
#endif
