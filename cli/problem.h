/* Problem: what is searched for a kernel at one row of sizes: the space, how a point becomes a script and text, and
 * what one has without a search. What tune and race have in common. */
#ifndef SQ_CLI_PROBLEM_H
#define SQ_CLI_PROBLEM_H
#include "cli/measure.h"
#include "tuner/space/choices.h"

enum { SQ_PROBLEM_SEEDS = 6 };

typedef struct sq_problem {
    sq_choices *choices;
    sq_space space;
    const char *untuned; /* the script that compile takes; NULL: that of the space's start */
    sq_tune_emitter emitter;
    int seed[SQ_PROBLEM_SEEDS][SQ_MAX_COORDS]; /* the model's next choices */
    int nseeds;
    long drafts;          /* times the model was asked so far */
    sq_tune_problem tune; /* all of this, for sq_tune */
} sq_problem;

/* In the task's arena. simulated: the kernel as the model runs it; NULL: the kernel itself. `led`: the space starts at
 * the model's first choice, else at the least value of every coordinate. NULL after adding an error, if there is no
 * model of the name that --model says. */
sq_problem *sq_problem_new(sq_measure *m, const sq_kernel *k, const sq_kernel *simulated, const int64_t *sizes,
                           bool led);
/* Options of sq_tune that follow from what is measured and where: no search, no end, no store. */
sq_tune_options sq_problem_options(const sq_measure *m);
/* -1 after adding an error, if there is no model of the name that --model says. */
int sq_model_check(const sq_settings *o, sq_diags *d);
/* The search of that name (NULL: the default), which the option says. NULL after adding an error, if there is
 * none, or this machine lacks what it needs. */
const sq_search *sq_search_named(const sq_settings *o, const char *name, const char *option, sq_diags *d);
/* -1 after adding an error, if the search, which the option says, needs something that the space has not. label,
 * target: what the space is of. */
int sq_search_check_space(const sq_search *s, const sq_space *space, const char *label, const char *target,
                          const sq_settings *o, const char *option, sq_diags *d);
#endif
