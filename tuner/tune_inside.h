/* Tune, inside: the state of a run, for tune.c, which begins trials, and tune_judge.c, which says what
 * came of them. */
#ifndef SQ_TUNER_TUNE_INSIDE_H
#define SQ_TUNER_TUNE_INSIDE_H
#include "support/terminal.h"
#include "tuner/tune.h"
#include "tuner/tune_record.h"
#include "tuner/warm.h"

enum { SQ_PAIRS = 20 }; /* timings of a candidate and its rival */

enum stage { STAGE_MEASURE, STAGE_CONFIRM, STAGE_FINAL, STAGE_DONE };

struct trial {
    enum stage stage;
    int point[SQ_MAX_COORDS];
    char *script;
    uint64_t hash;
    bool placed; /* `point` stands for it */
    bool valid, built;
    double cost, build_seconds, run_seconds;
    sq_evidence evidence;   /* that it is faster than the best */
    struct result *waiting; /* came back before it was its turn */
};

struct result {
    sq_job job;
    sq_sample sample;
};

/* A point whose script is that of a trial under way: told when that one is over. */
struct twin {
    int point[SQ_MAX_COORDS];
    long of;
    struct twin *next;
};

struct sq_tuning {
    const sq_kernel *k;
    const int64_t *sizes;
    const sq_tune_problem *p;
    const sq_tune_options *o;
    sq_tune_state *state;
    sq_arena *arena;
    sq_diags *d;
    const sq_runner *runner;
    sq_run *run;
    sq_record *record;
    const sq_search *search;
    sq_seek *seek;
    sq_seen *seen;
    struct trial *trial;
    long ntrials;
    size_t room; /* of them */
    struct twin *twins;
    long best, start; /* numbers of trials, -1 */
    long earlier;     /* that of `had`; -1: it did not begin */
    const char *had;  /* script that the .sched file had when the run began; NULL: none */
    int ahead;        /* trials under way at most */
    int under_way, confirming, nextseed, warnings;
    int warm[SQ_WARM_MOST][SQ_MAX_COORDS]; /* what earlier runs found, before the problem's seeds */
    int nwarm, nextwarm;
    bool finished;          /* the search has no more points */
    bool in_order;          /* results are taken in the order in which their trials began */
    long front;             /* all trials before it are over */
    char no_reference[400]; /* why no trial can be checked; "" where they can */
    bool failed;            /* errors were added */
    const char *phase;      /* what the run does; NULL: it searches */
    double until;           /* no trial begins after this many seconds of the run */
    long most_trials;       /* nor after this many trials */
    double began;           /* as if it had never paused */
    double paused;          /* since when it stands still; 0: it runs */
};

static inline double sq_tune_elapsed(const sq_tuning *t)
{
    return sq_terminal_seconds() - t->began;
}

/* Says how it stands; trial: what was just done, or NULL. */
void sq_tune_show(sq_tuning *t, const sq_tune_trial *trial);
/* The search learns what became of a point. */
void sq_tune_tell(sq_tuning *t, const int *point, bool valid, double cost, bool wins);
/* A trial is over: recorded, told, shown. */
void sq_tune_settle(sq_tuning *t, long id, const sq_sample *sample, bool wins);
/* What came back of a job: a trial is over, or to be confirmed. */
void sq_tune_handle(sq_tuning *t, const sq_job *job, const sq_sample *s);
/* Writes the best so far into the .sched file, unless what is there waits for its own trial. */
void sq_tune_keep_best(sq_tuning *t);
/* True as long as the script that the .sched file had was not measured in this run. */
bool sq_tune_owes_earlier(const sq_tuning *t);
#endif
