/* Run: shared by the runners on this machine (runner.h): jobs and their children, the inputs, and
 * the naive nest's outputs. A kind says how candidates are built and run. */
#ifndef SQ_TUNER_MEASURE_RUN_H
#define SQ_TUNER_MEASURE_RUN_H
#include "tuner/measure/runner.h"
#include "tuner/measure/toolchain.h"

typedef struct sq_run_kind {
    /* sq_compiler_words or the like */
    int (*compiler)(const char *cc, const char *cflags, sq_argv *to, sq_diags *d);
    const char *suffix;    /* suffix of source files */
    const char *optimise;  /* default optimization flags of jobs */
    const char *libraries; /* arguments behind the source */
    double build_timeout, run_timeout;
    double start_seconds; /* time of a run in addition to the calls */
    bool is_device;       /* has memory and a clock of its own: address space is not limited */
} sq_run_kind;

sq_run *sq_run_open(const sq_run_kind *kind, const sq_kernel *k, const sq_run_options *o,
                    sq_diags *d);
/* Implement the members of sq_runner. */
int sq_run_submit(sq_run *r, const sq_job *job);
int sq_run_collect(sq_run *r, sq_job *job, sq_sample *sample, double wait);
void sq_run_incumbent(sq_run *r, long id);
sq_run *sq_run_close(sq_run *r);
#endif
