/* Tune: the loop. Asks a search for points, turns them into scripts and text, has them built and
 * measured, believes a better one only after it was verified on fresh inputs and timed again, and
 * keeps everything: trials in the store, the best in the .sched file as soon as it is known. */
#ifndef SQ_TUNER_TUNE_H
#define SQ_TUNER_TUNE_H
#include "codegen/emit.h"
#include "tuner/measure/runner.h"
#include "tuner/search/search.h"
#include "tuner/store/store.h"
#include <signal.h>

/* What is searched. Callbacks get `user`. */
typedef struct sq_tune_problem {
    const sq_space *space;
    void *user;
    /* The script of a point, appended to `to`; -1: there is none. */
    int (*script)(void *user, const int *point, sq_text *to);
    /* Predicted seconds of a point, INFINITY if it is not legal; may be NULL. */
    double (*draft)(void *user, const int *point);
    /* As sq_search_options has it; may be NULL. */
    int (*features)(void *user, const int *point, float (*row)[SQ_STATEMENT]);
    /* C text of a script with its SQ_ENTRY; -1 with a sentence in why (n bytes): infeasible. */
    int (*source)(void *user, const char *script, sq_text *to, char *why, size_t n);
    /* What one has without tuning: measured first, and the result is compared with it. NULL: the
     * script of the space's start. */
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
    const char *sched_path;              /* file to keep the best in; NULL: none. What it has for
                                            these sizes is a candidate, measured after the start */
    const char *source_hash;             /* of the description, for the file */
    const char *target;                  /* "avx512,openmp", for the records */
    const char *machine_class, *machine; /* class; fingerprint of the exact one */
    const char *machine_name;            /* as people call it, for the file; NULL: not said */
    bool openmp;
    bool words; /* the target has products of bytes, which its class has not */
    const char *predicted_for; /* the device whose times a model says; NULL: they are measured */
    sq_run_options run;        /* how to build and run; one row of sizes */
    double budget;             /* seconds of wall clock; 0: no limit */
    double asked;              /* the whole that `budget` is a share of, for advice; 0: it is it */
    long trials;               /* 0: no limit; those of a resumed run count */
    unsigned long long rng;    /* seed of search and inputs */
    bool resume;               /* start from the store's trials */
    volatile sig_atomic_t *cancel; /* nonzero: end soon, keep the best; may be NULL */
    /* Called after every trial and some times a second in between; trial is NULL then. */
    void (*progress)(const struct sq_tune_state *state, const struct sq_tune_trial *trial,
                     void *user);
    void *user;
} sq_tune_options;

/* One trial, for progress and logs. */
typedef struct sq_tune_trial {
    long number; /* from 1 */
    const char *script;
    const int
        *point; /* an index for every coordinate of the space; NULL: it is none of its points */
    const sq_sample *sample;
    double seconds; /* cost, drift taken out; 0 if it failed */
    bool wins;
} sq_tune_trial;

typedef struct sq_tune_state {
    double elapsed;
    char doing[160];   /* what the run does now, and how far the search is; "" where there is nothing to say */
    const char *ended; /* why the search had no more points; NULL: it did not come to that */
    long trials; /* finished, the resumed ones included */
    long resumed;
    bool recorded; /* the store has the trials */
    long results; /* that came back in this run, of whatever status */
    long failed[SQ_NSTATUSES]; /* by status; [SQ_OK] are the good ones */
    double flops;              /* useful ones of one call */
    bool found;                /* something verified is known */
    double start_seconds;    /* of the untuned script; 0 until it is measured, or when it failed */
    double best_seconds;     /* median of the best when it was confirmed */
    double low, high;        /* 95 % interval of that median */
    const char *best_script; /* in the arena that the run was given, as is the point */
    const int *best_point;   /* of the space; NULL: it is none of its points */
    bool kept_start;         /* the best is the untuned script */
    bool kept_earlier;       /* it is the one that the .sched file had */
    bool withheld;           /* not written: what the file has was not measured in this run */
    double ratio, ratio_low, ratio_high; /* best against it in the last comparison; 0: none */
    long best_trial;
    char first_failure[400]; /* message of the first trial that failed; of one that was infeasible
                                only as long as none failed otherwise */
    bool is_refusal;         /* it is that of an infeasible one */
} sq_tune_state;

/* Runs until budget, trials, cancel or the search's own end. *result is what progress saw last; its
 * script is copied to arena. -1 after adding an error, also when nothing verified was found. */
int sq_tune(const sq_kernel *k, const int64_t *sizes, const sq_tune_problem *p,
            const sq_tune_options *o, sq_tune_state *result, sq_arena *arena, sq_diags *d);

/* The same in parts, for several kernels in turns. All that begin() is given must outlive the run, whose time stands
 * still between pause() and the next go(). */
typedef struct sq_tuning sq_tuning;
/* Measures the start, and what the .sched file has. NULL after adding an error. */
sq_tuning *sq_tuning_begin(const sq_kernel *k, const int64_t *sizes, const sq_tune_problem *p,
                           const sq_tune_options *o, sq_tune_state *state, sq_arena *arena,
                           sq_diags *d);
/* Searches for more seconds (INFINITY: no limit), with at most `trials` more trials (LONG_MAX: no limit). False if
 * nothing is left to do: all points were tried, it was cancelled, or there were errors. */
bool sq_tuning_go(sq_tuning *t, double seconds, long trials);
/* Waits for what is under way: another run may then measure. With a budget of seconds not for ever: false if something
 * still runs, and only the end of the run ends that. */
bool sq_tuning_pause(sq_tuning *t);
/* Compares the best with the start once more, keeps it and frees the run. -1 as sq_tune. */
int sq_tuning_end(sq_tuning *t);

/* How a challenger did against the incumbent it was interleaved with. */
typedef struct sq_paired {
    double ratio; /* challenger / incumbent: between those of minima and of medians */
    bool faster;  /* minima and medians agree on min_effect or more, not by chance (p <= 0.05) */
} sq_paired;
sq_paired sq_paired_judge(const sq_sample *s, double min_effect);
/* Median with its 95 % interval from order statistics. */
double sq_median_interval(const double *x, int n, double *low, double *high);

/* The usual `source`: applies the script to the kernel's default schedule and emits it for a
 * target. isl's work is bounded; an overrun is infeasible. */
typedef struct sq_tune_emitter {
    const sq_kernel *kernel;
    const sq_kernel
        *simulated; /* what the model runs instead, without the harness's entry, once the
                                script is known to be good for the kernel; NULL: the kernel */
    sq_emit_options emit;
} sq_tune_emitter;
int sq_tune_source(const sq_tune_emitter *e, const char *script, sq_text *to, char *why, size_t n);
/* "M=512,N=512" */
void sq_sizes_text(const sq_kernel *k, const int64_t *sizes, sq_text *to);
#endif
