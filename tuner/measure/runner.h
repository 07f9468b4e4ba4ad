/* Runner: builds and measures candidates in limited child processes; a crash, a loop or a wrong
 * result is a status, never an end of the tool. */
#ifndef SQ_TUNER_MEASURE_RUNNER_H
#define SQ_TUNER_MEASURE_RUNNER_H
#include "ir/kernel/kernel.h"

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
/* SQ_NSTATUSES if there is none of that name. */
sq_status sq_status_get(const char *name);

enum {
    SQ_MAX_TIMES = 64,
    SQ_NAIVE_SECONDS = 300, /* that the child may take which runs the naive nest */
};

/* What came of one candidate. Times are seconds of one call. */
typedef struct sq_sample {
    sq_status status;
    int n;                      /* repeats measured */
    double times[SQ_MAX_TIMES]; /* challenger's */
    int nbase;
    double base[SQ_MAX_TIMES]; /* incumbent's, interleaved with them; nbase 0 without one */
    double build_seconds, run_seconds;
    double error;      /* largest |got - expected| over the bound; > 1 is wrong */
    char message[400]; /* compiler's first error, signal, first wrong element */
    bool no_reference; /* SQ_LOST, since the naive nest gave no result: so is every other candidate
                          at these sizes; the message says why it gave none */
} sq_sample;

/* The name every candidate's source gives its entry function (sq_emit_entry). */
#define SQ_ENTRY "squall_entry"

/* One item of work. A plain value. */
typedef struct sq_job {
    long id;              /* >= 0: names the built candidate as long as the run is open */
    const char *source;   /* text with SQ_ENTRY, copied by submit; NULL: `id` was built before */
    long against;         /* timed interleaved with this built candidate; SQ_AGAINST_NONE: alone */
    int sizes;            /* row of the run's sizes */
    int set;              /* number of the random inputs: 0, 1, … are different ones */
    int pairs;            /* at most that many timings; 0: only checked, not timed */
    bool full;            /* time on, even when it is clear that it is not faster */
    const char *optimise; /* flags of the compiler, static text; NULL: the runner's */
} sq_job;
enum {
    SQ_AGAINST_NONE = -1,
    SQ_AGAINST_BEST = -2 /* what `incumbent` named when the timing begins */
};

typedef struct sq_run_options {
    const char *cc;       /* compiler; NULL: $CC, else "cc"; of a device: see sq_nvcc_words */
    const char *cflags;   /* of the target: "-mavx2 -mfma", "-arch=sm_80", or "" */
    const char *harness;  /* path of squall-harness; NULL: looked for beside the tool */
    int jobs;             /* builds at once; 0: one for every core but the timing one; from as many
                             as there are cores on, builds use that one too */
    int threads;          /* threads of the candidates; 1: pinned to one core */
    double build_timeout; /* seconds; 0: the runner's */
    double run_timeout;   /* seconds of one candidate; 0: the runner's */
    double measure_seconds; /* how long a close race may take; 0: 0.1 */
    unsigned long long seed;
    int nsizes;           /* rows of sizes to run at, at least 1 */
    const int64_t *sizes; /* nsizes rows of the kernel's sizes, in the order of size[] */
    /* of the model alone: what sources are text of, the kernel with sizes that are parameters
     * (NULL: the kernel itself), and for what */
    const sq_kernel *simulated;
    const struct sq_target *target;
    const struct sq_device *device;
} sq_run_options;

typedef struct sq_run sq_run;
typedef struct sq_runner {
    const char *name, *doc;
    /* What it builds with (cc as in sq_run_options), a line for the records; "" if that does not
     * say. */
    void (*compiler)(const char *cc, char *to, size_t n);
    /* Builds the naive nest of k. NULL after adding an error. The kernel must outlive the run. */
    sq_run *(*open)(const sq_kernel *k, const sq_run_options *o, sq_diags *d);
    /* Queues a job; builds begin at once. -1 when the run is broken. */
    int (*submit)(sq_run *r, const sq_job *job);
    /* Waits up to `wait` seconds for a finished job: 1 and *job, *sample filled; 0 none yet; -1
     * nothing is under way. job->source is NULL then; job->against is what it was timed against. */
    int (*collect)(sq_run *r, sq_job *job, sq_sample *sample, double wait);
    /* Candidates are timed against this one from now on. */
    void (*incumbent)(sq_run *r, long id);
    /* Ends all children and removes all files; NULL is fine. Returns NULL. */
    sq_run *(*close)(sq_run *r);
} sq_runner;

/* All rows, ended by NULL. */
extern const sq_runner *const sq_runners[];
const sq_runner *sq_runner_get(const char *name);
extern const sq_runner sq_runner_local;  /* C, on a core of this machine */
extern const sq_runner sq_runner_model;  /* CUDA, without a device: sources without an entry, of
                                            function squall_candidate; times are predicted */
extern const sq_runner sq_runner_device; /* CUDA, on its device: sources have target->language's
                                            entry; times are the device's own */
#endif
