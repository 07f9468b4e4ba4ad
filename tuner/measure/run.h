/* Run: what runners on this machine share (runner.h): jobs and their children, the inputs, and the
 * naive nest's outputs. A kind says what candidates are built with and how they are run. */
#ifndef SQ_TUNER_MEASURE_RUN_H
#define SQ_TUNER_MEASURE_RUN_H
#include "tuner/measure/runner.h"
#include "tuner/measure/toolchain.h"

typedef struct sq_run_kind {
    /* sq_compiler_words or its like */
    int (*compiler)(const char *cc, const char *cflags, sq_argv *to, sq_diags *d);
    const char *suffix;    /* of a source file */
    const char *optimise;  /* where a job does not say */
    const char *libraries; /* behind the source */
    double build_timeout, run_timeout;
    double start_seconds; /* what a run may take beside the calls */
    bool is_device;       /* has memory and a clock of its own: address space is not measured out */
} sq_run_kind;

sq_run *sq_run_open(const sq_run_kind *kind, const sq_kernel *k, const sq_run_options *o,
                    sq_diags *d);
/* As sq_runner has them. */
int sq_run_submit(sq_run *r, const sq_job *job);
int sq_run_collect(sq_run *r, sq_job *job, sq_sample *sample, double wait);
void sq_run_incumbent(sq_run *r, long id);
sq_run *sq_run_close(sq_run *r);
#endif
