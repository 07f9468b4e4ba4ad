/* Runner: builds and measures candidates in child processes with limits; a crash, an endless loop
 * or a wrong result gives a status and does not end the tool. */
#ifndef SQ_TUNER_MEASURE_RUNNER_H
#define SQ_TUNER_MEASURE_RUNNER_H
#include "ir/kernel/kernel.h"
#include "support/text.h"

typedef enum sq_status {
    SQ_OK,
    SQ_INFEASIBLE,
    SQ_BUILD_FAILED,
    SQ_CRASHED,
    SQ_TIMEOUT,
    SQ_WRONG,
    SQ_LOST,
    SQ_NSTATUSES
} sq_status;
const char *sq_status_name(sq_status s); /* "ok", "infeasible", "build_failed", … */
/* Returns SQ_NSTATUSES if there is none of that name. */
sq_status sq_status_get(const char *name);

enum {
    SQ_MAX_TIMES = 64,
    SQ_NAIVE_SECONDS = 300, /* limit of the child that runs the naive nest */
};

/* The outcome for a candidate. Times are seconds per call. */
typedef struct sq_sample {
    sq_status status;
    int n;                      /* number of repetitions measured */
    double times[SQ_MAX_TIMES]; /* the challenger's */
    int nbase;
    double base[SQ_MAX_TIMES]; /* the incumbent's, interleaved with them; nbase 0 without one */
    double build_seconds, run_seconds;
    double error;      /* largest |got - expected| / bound; > 1 is wrong */
    char message[400]; /* compiler's first error, signal, first wrong element */
    /* SQ_LOST since the naive nest gave no result: all other candidates at these sizes are lost as
     * well; the message has the reason */
    bool no_reference;
} sq_sample;

/* The name of the entry function in each candidate's source (sq_emit_entry). */
#define SQ_ENTRY "squall_entry"
/* And, beside the naive nest, of the nest as it was written (runtime/candidate.h). */
#define SQ_ENTRY_AS_WRITTEN "squall_as_written"
/* A macro of text that may be simulated: the argument before the stream of squall_candidate(), with its comma, if that
 * takes a workspace; else nothing. */
#define SQ_CANDIDATE_WORKSPACE "SQUALL_CANDIDATE_WORKSPACE"
/* Appends it, of text that was emitted for the kernel. */
void sq_candidate_workspace(const sq_kernel *k, sq_text *to);

/* A unit of work. A plain value. */
typedef struct sq_job {
    long id;              /* >= 0: identifies the built candidate as long as the run is open */
    const char *source;   /* text with SQ_ENTRY, copied by submit; NULL: `id` was built before */
    long against;         /* built candidate to be timed interleaved with; SQ_AGAINST_NONE: alone */
    int sizes;            /* index of the run's row of sizes */
    int set;              /* number of the set of random inputs: 0, 1, … differ */
    int pairs;            /* maximum number of timings; 0: only checked, not timed */
    bool full;            /* continues timing even when it is clearly not faster */
    const char *optimise; /* flags of the compiler, static text; NULL: the runner's */
} sq_job;
enum {
    SQ_AGAINST_NONE = -1,
    SQ_AGAINST_BEST = -2 /* the candidate set by `incumbent` when timing begins */
};

typedef struct sq_run_options {
    const char *cc;      /* compiler; NULL: $CC, else "cc"; of a device: see sq_nvcc_words */
    const char *cflags;  /* flags of the target: "-mavx2 -mfma", "-arch=sm_80", or "" */
    const char *linked;  /* text of C that candidates are linked with, compiled once; NULL: none */
    const char *harness; /* path of squall-harness; NULL: searched beside the tool */
    /* concurrent builds; 0: one per core except the timing core; from the number of cores on,
     * builds also use that core */
    int jobs;
    int threads;          /* threads of the candidates; 1: pinned to one core */
    double build_timeout; /* seconds; 0: the runner's */
    double run_timeout;   /* seconds per candidate; 0: the runner's */
    double measure_seconds; /* time limit of a close comparison; 0: 0.1 */
    unsigned long long seed;
    int nsizes;           /* number of rows of sizes, at least 1 */
    const int64_t *sizes; /* nsizes rows of the kernel's sizes, in the order of size[] */
    /* for the model runner only: the kernel, with symbolic sizes, that sources are text of (NULL:
     * the kernel itself), and the target and device */
    const sq_kernel *simulated;
    const struct sq_target *target;
    const struct sq_device *device;
} sq_run_options;

typedef struct sq_run sq_run;
typedef struct sq_runner {
    const char *name, *doc;
    /* Describes its compiler (cc as in sq_run_options) in a line for records; "" if unknown. */
    void (*compiler)(const char *cc, char *to, size_t n);
    /* Builds the naive nest of k. NULL after adding an error. The kernel must outlive the run. */
    sq_run *(*open)(const sq_kernel *k, const sq_run_options *o, sq_diags *d);
    /* Queues a job; builds begin at once. -1 if the run has failed. */
    int (*submit)(sq_run *r, const sq_job *job);
    /* Waits up to `wait` seconds for a finished job: 1 with *job, *sample filled; 0 if none is
     * finished yet; -1 if no job is queued. job->source is NULL then; job->against is the candidate
     * it was timed against. */
    int (*collect)(sq_run *r, sq_job *job, sq_sample *sample, double wait);
    /* Sets the candidate that others are timed against from now on. */
    void (*incumbent)(sq_run *r, long id);
    /* Ends all children and removes all files; r may be NULL. Returns NULL. */
    sq_run *(*close)(sq_run *r);
} sq_runner;

/* All rows, terminated by NULL. */
extern const sq_runner *const sq_runners[];
const sq_runner *sq_runner_get(const char *name);
extern const sq_runner sq_runner_local; /* C, on a core of this machine */
/* CUDA, without a device: sources with the function squall_candidate instead of an entry; times are
 * predicted */
extern const sq_runner sq_runner_model;
/* CUDA, on its device: sources with target->language's entry; times are from the device's clock */
extern const sq_runner sq_runner_device;
#endif
