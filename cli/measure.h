/* Measure: what tune, bench and check have in common: a task whose machine is this one, the sizes
 * to measure at, how candidates are built and run. */
#ifndef SQ_CLI_MEASURE_H
#define SQ_CLI_MEASURE_H
#include "cli/task.h"
#include "ir/machine/device.h"
#include "tuner/device/machine_host.h"
#include "tuner/device/roofs.h"
#include "tuner/measure/runner.h"
#include "tuner/tune.h"

typedef struct sq_measure {
    sq_task task;
    sq_settings settings; /* with --machine=host where nothing else was said, no --text either */
    const sq_runner *runner;
    sq_host host;   /* of a runner on this processor */
    sq_roofs roofs; /* of the target's vectors there */
    bool has_roofs;
    const sq_device *device;           /* of the others: found here, or simulated */
    const char *machine, *fingerprint; /* what is measured on, for people and for the store */
    int threads;                       /* of candidates */
    const char *cflags;
    sq_progress progress;
    sq_text label; /* "gemm M=512,N=512,K=512" */
} sq_measure;

/* Opens the description, analyses it (up to the dependences) and gets the machine's facts. -1 after
 * adding errors, also when this processor cannot run the target; to be closed in any case. */
int sq_measure_open(sq_measure *m, const sq_settings *o, sq_diags *d);
/* The same for commands that measure times: those of OpenMP's threads, not of a caller's. */
int sq_measure_open_timed(sq_measure *m, const sq_settings *o, sq_diags *d);
/* Only opens the description, for a target that nothing here runs: nothing is known of a host. */
int sq_measure_open_elsewhere(sq_measure *m, const sq_settings *o, sq_diags *d);
void sq_measure_close(sq_measure *m);

/* Rows of sizes for k, in the order of size[]: what --at says, else `#pragma squall tune`, else the
 * fixed ones. Returns their number, -1 after adding an error when a size is not known. */
int sq_measure_sizes(sq_measure *m, const sq_kernel *k, int64_t **rows);
/* Options for a runner; sizes and their number are the caller's to fill. */
sq_run_options sq_measure_run_options(const sq_measure *m);
/* Waits for one job; -1 when there is none, and when an interrupt ends the waiting. */
int sq_measure_collect(const sq_runner *runner, sq_run *run, sq_job *job, sq_sample *sample);
/* Checks that there is something to measure. -1 after adding an error, which has the label, if the
 * kernel writes nothing at these sizes. */
int sq_measure_is_any(sq_measure *m, const sq_kernel *k, const int64_t *sizes);
/* C text of a schedule as a candidate. -1 with errors. */
int sq_measure_source(sq_measure *m, const sq_schedule *s, sq_text *to);
/* What one call of k takes at least, by the multiply-adds of the target's vectors in k's coarsest
 * floating type and by its bytes, with the threads in use. */
sq_roof sq_measure_roof(sq_measure *m, const sq_kernel *k, const int64_t *sizes);
/* Multiply-adds in the time of one of f32: more than 1 where sums are of products of bytes and the target has these. */
double sq_measure_words(const sq_target *t, const sq_kernel *k);
/* ", 223.7 GFLOP/s (94 % of peak)", ", 16.8 GB/s (82 % of memory bandwidth)": appended. */
void sq_roof_text(const sq_roof *r, double seconds, sq_text *to);
/* Sets the label of what is measured. */
void sq_measure_name(sq_measure *m, const sq_kernel *k, const int64_t *sizes);
/* "1.23 ms", "45.6 us" */
const char *sq_seconds_text(double seconds, char *to, size_t n);
#endif
