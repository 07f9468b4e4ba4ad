/* Tune: the tuning loop. It asks a search for points, turns them into scripts and code, and has the code built and
 * measured. A better candidate is accepted only after it has been verified on new inputs and timed again. All trials
 * are kept in the store, and the best schedule in the .sched file as soon as it is known. */
#ifndef SQ_TUNER_TUNE_H
#define SQ_TUNER_TUNE_H
#include "codegen/emit.h"
#include "tuner/measure/runner.h"
#include "tuner/search/search.h"
#include "tuner/store/store.h"
#include <signal.h>

/* The search problem. `user` is passed to all callbacks. */
typedef struct sq_tune_problem {
    const sq_space *space;
    void *user;
    /* Appends the script of a point to `to`; -1 if it has none. */
    int (*script)(void *user, const int *point, sq_text *to);
    /* Returns the predicted seconds of a point, INFINITY if it is illegal; may be NULL. */
    double (*draft)(void *user, const int *point);
    /* The same as in sq_search_options; may be NULL. */
    int (*features)(void *user, const int *point, float (*row)[SQ_STATEMENT]);
    /* Appends the C code of a script, with its SQ_ENTRY; -1 with the reason in why (n bytes) if it is infeasible. */
    int (*source)(void *user, const char *script, sq_text *to, char *why, size_t n);
    const char *linked; /* text of C that all of these are linked with, for a C compiler; NULL: none */
    /* The untuned script, which is measured first and compared with the result. NULL: that of the space's start. */
    const char *untuned;
    int nseeds; /* points measured first, after the space's start */
    const int (*seed)[SQ_MAX_COORDS];
} sq_tune_problem;

struct sq_tune_state;
struct sq_tune_trial;

typedef struct sq_tune_options {
    const sq_search *search;             /* NULL: the default */
    sq_prior prior;                      /* for the search */
    const sq_runner *runner;             /* NULL: the local one */
    const sq_store *store;               /* NULL: nothing is recorded */
    const char *store_path;              /* NULL: the default place */
    const char *sched_path;              /* file for the best schedule; NULL: none. Its entry for
                                            these sizes is a candidate, measured after the start */
    const char *source_hash;             /* of the description, for the file */
    const char *target;                  /* "avx512,openmp", for the records */
    const char *machine_class, *machine; /* class; fingerprint of this machine */
    const char *machine_name;            /* human-readable name for the file; NULL: omitted */
    bool openmp;
    bool words; /* the target has dot products of bytes, its class does not */
    const char *predicted_for; /* the device whose times a model predicts; NULL: times are measured */
    sq_run_options run;        /* how to build and run; one row of sizes */
    double budget;             /* seconds of wall clock; 0: no limit */
    double began;              /* since when they count, sq_terminal_seconds; 0: now */
    double asked;              /* the total of which `budget` is a share, for advice; 0: `budget` itself */
    long trials;               /* 0: no limit; includes those of a resumed run */
    unsigned long long rng;    /* seed of search and inputs */
    bool resume;               /* start from the store's trials */
    volatile sig_atomic_t *cancel; /* nonzero: end soon and keep the best; may be NULL */
    /* Called after each trial, and several times a second in between with trial NULL. */
    void (*progress)(const struct sq_tune_state *state, const struct sq_tune_trial *trial,
                     void *user);
    void *user;
} sq_tune_options;

/* One trial, for progress and logs. */
typedef struct sq_tune_trial {
    long number; /* from 1 */
    const char *script;
    const int
        *point; /* an index per coordinate of the space; NULL: not a point of the space */
    const sq_sample *sample;
    double seconds; /* cost, corrected for drift; 0 if it failed */
    bool wins;
} sq_tune_trial;

typedef struct sq_tune_state {
    double elapsed;
    char doing[160];   /* current activity and progress of the search; may be "" */
    const char *ended; /* why the search ran out of points; NULL: it did not */
    long trials; /* finished, including resumed ones */
    long resumed;
    long transferred; /* points that runs of other sizes or kernels in the store led to: tuner/warm.h */
    bool recorded; /* trials are in the store */
    long results; /* received in this run, with any status */
    long failed[SQ_NSTATUSES]; /* by status; [SQ_OK]: successful ones */
    double flops;              /* useful operations of one call */
    bool found;                /* a verified candidate is known */
    double start_seconds;    /* of the untuned script; 0 until it is measured, or if it failed */
    double best_seconds;     /* median of the best when it was confirmed */
    double low, high;        /* 95 % interval of that median */
    const char *best_script; /* in the run's arena, like the point */
    const int *best_point;   /* NULL: not a point of the space */
    bool kept_start;         /* the best is the untuned script */
    bool kept_earlier;       /* the best is the previous one of the .sched file */
    bool withheld;           /* not written, since the entry in the file was not measured in this run */
    double ratio, ratio_low, ratio_high; /* untuned / best in the last comparison; 0: none */
    long best_trial;
    char first_failure[400]; /* message of the first failed trial; of an infeasible one
                                only if no trial failed otherwise */
    bool is_refusal;         /* first_failure is that of an infeasible trial */
} sq_tune_state;

/* Runs until the budget or the number of trials is exhausted, the run is cancelled or the search ends. *result is the
 * last state that progress received; its script is copied to arena. Returns -1 after adding an error, also if no
 * verified candidate was found. */
int sq_tune(const sq_kernel *k, const int64_t *sizes, const sq_tune_problem *p,
            const sq_tune_options *o, sq_tune_state *result, sq_arena *arena, sq_diags *d);

/* The same step by step, for several kernels in turn. All arguments of begin() must outlive the run. Its clock is
 * stopped between pause() and the next go(). */
typedef struct sq_tuning sq_tuning;
/* Measures the start and the entry of the .sched file. Returns NULL after adding an error. */
sq_tuning *sq_tuning_begin(const sq_kernel *k, const int64_t *sizes, const sq_tune_problem *p,
                           const sq_tune_options *o, sq_tune_state *state, sq_arena *arena,
                           sq_diags *d);
/* Searches for more seconds (INFINITY: no limit), with at most `trials` more trials (LONG_MAX: no limit). False if
 * nothing is left to do: all points were tried, it was cancelled, or there were errors. */
bool sq_tuning_go(sq_tuning *t, double seconds, long trials);
/* Waits for trials in flight, so that another run may measure. With a budget of seconds it stops waiting after some
 * time and returns false; what still runs then ends with the run. */
bool sq_tuning_pause(sq_tuning *t);
/* Compares the best with the start once more, writes it and frees the run. Returns -1 as sq_tune does. */
int sq_tuning_end(sq_tuning *t);

/* How a challenger compares with the incumbent that it was timed interleaved with: between the ratios of minima and of
 * medians; 1 without timings. */
double sq_paired_ratio(const sq_sample *s);

/* What processes have said of a challenger; {0} before the first. */
typedef struct sq_evidence {
    int n;
    double sum;  /* for it: at most 1 of each, or against it: at least -1 */
    double last; /* ratio */
} sq_evidence;
typedef enum sq_judgement { SQ_UNCLEAR, SQ_FASTER, SQ_NO_FASTER } sq_judgement;
/* Adds the ratio of a process. SQ_UNCLEAR: another process should be asked. */
sq_judgement sq_evidence_add(sq_evidence *e, double ratio);
/* What a challenger has to gain where nothing varies. */
static const double sq_least_gain = 0.01;
/* Returns the median, with its 95 % interval from order statistics. */
double sq_median_interval(const double *x, int n, double *low, double *high);

/* The default `source`: applies the script to the kernel's default schedule and emits code for a target. isl's work is
 * bounded; a script that exceeds the bound is infeasible. */
typedef struct sq_tune_emitter {
    const sq_kernel *kernel;
    const sq_kernel
        *simulated; /* what the model runs instead, without the harness's entry, once the
                                script is known to be good for the kernel; NULL: the kernel */
    sq_emit_options emit;
} sq_tune_emitter;
int sq_tune_source(const sq_tune_emitter *e, const char *script, sq_text *to, char *why, size_t n);
/* Appends what such code in C is linked with. */
void sq_tune_linked(const sq_kernel *k, sq_text *to);
/* "M=512,N=512" */
void sq_sizes_text(const sq_kernel *k, const int64_t *sizes, sq_text *to);
#endif
