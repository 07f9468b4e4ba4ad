/* Tune: the loop, which asks the search for points, makes trials of them and has them run; what came
 * of them tune_judge.c says.
 *
 * A run that only a number of trials ends (no time) takes results in the order in which the trials
 * began, whatever ends first: the search then asks the same as often as it is told the same. With a
 * budget of seconds they are taken as they come, since nothing repeats there anyway. */
#include "tuner/tune_inside.h"
#include "support/hash.h"
#include "support/memory.h"
#include "support/stats.h"
#include "tuner/store/sched_file.h"
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum { MAX_BARREN = 64 };
/* Seconds beyond the budget for a confirmation under way and the last comparison. */
static const double grace = 3;
/* The untuned script is checked and timed whatever the budget is, unless the naive nest alone takes
 * long: at a GFLOP/s or so where its sums run through memory. */
static const double naive_flops = 1e9, short_naive = 3, patience = 20;

/* Seconds that the naive nest may need for a set of inputs, on all cores. */
static double naive_seconds(const sq_tuning *t)
{
    return t->state->flops / naive_flops / (double)uv_available_parallelism();
}

static double spent(void *user)
{
    const sq_tuning *t = user;
    double by_time = t->o->budget > 0 ? sq_tune_elapsed(t) / t->o->budget : 0;
    double by_trials = t->o->trials > 0 ? (double)t->state->trials / (double)t->o->trials : 0;
    return fmax(by_time, by_trials);
}

static bool is_cancelled(const sq_tuning *t)
{
    return t->o->cancel && *t->o->cancel;
}

/* Nothing more can come of trials under way. */
static bool is_ended(const sq_tuning *t)
{
    return is_cancelled(t) || t->no_reference[0];
}

/* No new trial is to begin. */
static bool is_over(const sq_tuning *t)
{
    bool enough = t->state->trials + t->under_way >= t->most_trials;
    bool late = sq_tune_elapsed(t) >= t->until;
    return is_ended(t) || enough || (late && t->ntrials > 0); /* one is begun in any case */
}

/* ---- trials ---- */

/* point: NULL where there is none. */
static long add_trial(sq_tuning *t, const int *point, const char *script)
{
    t->trial = sq_grown(t->trial, (size_t)t->ntrials, &t->room, sizeof *t->trial);
    struct trial *r = &t->trial[t->ntrials];
    memset(r, 0, sizeof *r);
    r->placed = point != NULL;
    if (point)
        memcpy(r->point, point, sizeof r->point);
    r->script = strdup(script);
    r->hash = sq_hash64(script, strlen(script));
    return t->ntrials++;
}

static long find_trial(const sq_tuning *t, const char *script)
{
    uint64_t hash = sq_hash64(script, strlen(script));
    for (long i = 0; i < t->ntrials; i++)
        if (t->trial[i].hash == hash && strcmp(t->trial[i].script, script) == 0)
            return i;
    return -1;
}

static void add_twin(sq_tuning *t, const int *point, long of)
{
    struct twin *w = sq_allocated(malloc(sizeof *w));
    memcpy(w->point, point, sizeof w->point);
    w->of = of;
    w->next = t->twins;
    t->twins = w;
}

/* ---- what goes out ---- */

/* A result that is not taken yet. */
static void put_by(sq_tuning *t, const sq_job *job, const sq_sample *s)
{
    struct result *w = sq_allocated(malloc(sizeof *w));
    *w = (struct result){*job, *s};
    t->trial[job->id].waiting = w;
}

static void refuse(sq_tuning *t, long id, const sq_sample *s)
{
    if (!t->in_order || t->trial[id].stage == STAGE_FINAL) {
        sq_tune_settle(t, id, s, false);
        return;
    }
    t->under_way++;
    put_by(t, &(sq_job){.id = id, .against = SQ_AGAINST_NONE}, s);
}

/* The text of a trial, built and measured; a script that gives none is settled at once. */
static void try_script(sq_tuning *t, long id, int pairs, long against)
{
    sq_text source = {0};
    sq_sample s = {.status = SQ_INFEASIBLE};
    struct trial *r = &t->trial[id];
    if (t->p->source(t->p->user, r->script, &source, s.message, sizeof s.message) < 0) {
        refuse(t, id, &s);
    } else {
        sq_job job = {.id = id, .source = sq_text_str(&source), .against = against, .pairs = pairs};
        t->under_way++;
        t->runner->submit(t->run, &job);
    }
    sq_text_free(&source);
}

/* A point becomes a trial, unless its script was one already. */
static void try_point(sq_tuning *t, const int *point)
{
    sq_text script = {0};
    if (t->p->script(t->p->user, point, &script) < 0) {
        sq_tune_tell(t, point, false, 0, false);
    } else {
        long old = find_trial(t, sq_text_str(&script));
        if (old >= 0 && t->trial[old].stage != STAGE_DONE)
            add_twin(t, point, old);
        else if (old >= 0)
            sq_tune_tell(t, point, t->trial[old].valid, t->trial[old].cost, false);
        else
            try_script(t, add_trial(t, point, sq_text_str(&script)), SQ_PAIRS, SQ_AGAINST_BEST);
    }
    sq_text_free(&script);
}

static bool next_seed(sq_tuning *t, int *point)
{
    while (t->nextwarm < t->nwarm) {
        memcpy(point, t->warm[t->nextwarm++], sizeof t->warm[0]);
        if (sq_seen_add(t->seen, point)) {
            t->state->transferred++;
            return true;
        }
    }
    while (t->nextseed < t->p->nseeds) {
        memcpy(point, t->p->seed[t->nextseed++], sizeof *t->p->seed);
        if (sq_seen_add(t->seen, point))
            return true;
    }
    return false;
}

/* Keeps the builders busy. */
static void fill(sq_tuning *t)
{
    for (int barren = 0; t->under_way < t->ahead && barren < MAX_BARREN && !is_over(t); barren++) {
        int point[SQ_MAX_COORDS] = {0};
        int got = next_seed(t, point) ? 1 : t->search->ask(t->seek, point);
        if (got != 1) {
            t->finished = got < 0 && t->under_way == 0;
            return;
        }
        try_point(t, point);
    }
}

/* The result whose turn it is, if it is there. */
static bool handle_next(sq_tuning *t)
{
    while (t->front < t->ntrials && t->trial[t->front].stage == STAGE_DONE)
        t->front++;
    struct result *w = t->front < t->ntrials ? t->trial[t->front].waiting : NULL;
    if (!w)
        return false;
    t->trial[t->front].waiting = NULL;
    sq_tune_handle(t, &w->job, &w->sample);
    free(w);
    return true;
}

/* No trial can be checked: this one is none, and the search ends. */
static void note_no_reference(sq_tuning *t, const sq_sample *s)
{
    t->under_way--;
    snprintf(t->no_reference, sizeof t->no_reference, "%s", s->message);
}

/* Takes one result; false: there is none. */
static bool collect(sq_tuning *t, double wait)
{
    sq_job job;
    sq_sample sample;
    bool handled = handle_next(t);
    if (!handled && t->under_way > 0 && t->runner->collect(t->run, &job, &sample, wait) == 1) {
        if (sample.no_reference)
            note_no_reference(t, &sample);
        else if (t->in_order && t->trial[job.id].stage != STAGE_FINAL)
            put_by(t, &job, &sample);
        else
            sq_tune_handle(t, &job, &sample);
        handled = !t->in_order || handle_next(t);
    }
    sq_tune_show(t, NULL);
    return handled;
}

/* No result is waited for after this many seconds of the run. */
static double end_of(const sq_tuning *t)
{
    return t->o->budget > 0 ? fmax(t->o->budget, t->until) + grace : INFINITY;
}

/* How much it was worth: the untuned choice against the best, once more, side by side. */
static void compare_with_start(sq_tuning *t)
{
    if (t->start < 0 || t->best < 0 || t->start == t->best || is_cancelled(t) || sq_tune_elapsed(t) >= end_of(t))
        return;
    t->phase = "the best is compared with the untuned schedule";
    struct trial *r = &t->trial[t->start];
    r->stage = STAGE_FINAL;
    if (r->built) {
        sq_job job = {.id = t->start, .against = t->best, .pairs = SQ_PAIRS, .full = true};
        t->under_way++;
        t->runner->submit(t->run, &job);
    } else {
        try_script(t, t->start, SQ_PAIRS, t->best);
    }
    while (r->stage == STAGE_FINAL && sq_tune_elapsed(t) < end_of(t))
        collect(t, 0.1);
}

static void await(sq_tuning *t, long id, double until)
{
    while (t->trial[id].stage != STAGE_DONE && !is_ended(t) && sq_tune_elapsed(t) < until)
        collect(t, 0.1);
}

/* Without it there is no result: it is waited for whatever the budget is, unless the naive nest alone takes long. */
static double end_of_start(const sq_tuning *t)
{
    double beyond = naive_seconds(t) < short_naive ? patience : grace;
    return t->o->budget > 0 ? fmax(t->o->budget, sq_tune_elapsed(t)) + beyond : INFINITY;
}

/* The first incumbent: whatever is kept in its place is known to be faster. Where the search would
 * begin with the same script, its point is told. */
static void measure_start(sq_tuning *t)
{
    sq_text script = {0};
    bool placed = t->p->script(t->p->user, t->p->space->start, &script) == 0;
    if (t->p->untuned && (!placed || strcmp(t->p->untuned, sq_text_str(&script)) != 0)) {
        placed = false;
        sq_text_clear(&script);
        sq_text_puts(&script, t->p->untuned);
    } else if (!placed) {
        sq_text_free(&script);
        return;
    }
    t->start = find_trial(t, sq_text_str(&script)); /* of a resumed run */
    if (t->start < 0) {
        if (placed)
            sq_seen_add(t->seen, t->p->space->start);
        t->start = add_trial(t, placed ? t->p->space->start : NULL, sq_text_str(&script));
        try_script(t, t->start, SQ_PAIRS, SQ_AGAINST_BEST);
    }
    sq_text_free(&script);
    t->phase = "the naive nest and the untuned schedule come first";
    await(t, t->start, end_of_start(t));
    if (t->trial[t->start].stage == STAGE_DONE && !t->trial[t->start].valid)
        t->start = -1;
}

/* A stored trial: figures of another day are compared with nothing. */
static void measure_again(sq_tuning *t, long id, long against)
{
    t->state->trials--;
    t->state->failed[SQ_OK]--;
    t->trial[id].stage = STAGE_MEASURE;
    t->front = id < t->front ? id : t->front; /* results in order: its own is the next */
    try_script(t, id, SQ_PAIRS, against);
}

/* What the .sched file has is a candidate: a run that finds nothing as good must not replace it. */
static void measure_earlier(sq_tuning *t)
{
    if (!t->had || is_ended(t))
        return;
    t->earlier = find_trial(t, t->had);
    if (t->earlier >= 0 && t->earlier == t->best && t->earlier != t->start)
        t->state->kept_earlier = true; /* a resumed run has measured it again */
    const struct trial *r = t->earlier < 0 ? NULL : &t->trial[t->earlier];
    if (!r) {
        t->earlier = add_trial(t, NULL, t->had);
        try_script(t, t->earlier, SQ_PAIRS, SQ_AGAINST_BEST);
    } else if (r->stage == STAGE_DONE && r->valid && !r->built) {
        measure_again(t, t->earlier, SQ_AGAINST_BEST);
    }
    t->phase = "the schedule that the .sched file has is measured";
    await(t, t->earlier, end_of(t)); /* without it the file stays as it is */
}

/* ---- a run ---- */

static void resume_clock(sq_tuning *t)
{
    if (t->paused > 0)
        t->began += sq_terminal_seconds() - t->paused;
    t->paused = 0;
}

bool sq_tuning_go(sq_tuning *t, double seconds, long trials)
{
    int errors = sq_diags_errors(t->d);
    resume_clock(t);
    t->phase = NULL;
    t->until = sq_tune_elapsed(t) + seconds;
    t->most_trials = trials < LONG_MAX - t->state->trials ? t->state->trials + trials : LONG_MAX;
    fill(t);
    while (!t->finished && !is_ended(t) && (!is_over(t) || (t->in_order && t->under_way > 0)))
        if (collect(t, 0.1) || !t->in_order || t->under_way == 0)
            fill(t); /* in order: once after every result, whenever that came */
    t->state->ended = t->finished ? t->search->ends : NULL;
    t->failed |= sq_diags_errors(t->d) > errors;
    return !t->finished && !is_ended(t) && !t->failed;
}

bool sq_tuning_pause(sq_tuning *t)
{
    int errors = sq_diags_errors(t->d);
    resume_clock(t);
    double wait = t->o->budget > 0 ? fmax(grace, fmin(t->o->budget, patience)) : INFINITY;
    double until = sq_tune_elapsed(t) + wait;
    while (t->under_way > 0 && !is_ended(t) && sq_tune_elapsed(t) < until)
        collect(t, 0.1);
    t->paused = sq_terminal_seconds();
    t->failed |= sq_diags_errors(t->d) > errors;
    return t->under_way == 0;
}

/* What still may change the result is waited for, within reason. */
static void conclude(sq_tuning *t)
{
    t->phase = "what is under way is waited for";
    while (t->under_way > 0 && !is_ended(t) && sq_tune_elapsed(t) < end_of(t) &&
           (t->confirming > 0 || !t->state->found || t->o->trials > 0 || sq_tune_owes_earlier(t)))
        collect(t, 0.1);
    compare_with_start(t);
    if (t->state->found)
        sq_tune_keep_best(t);
    t->state->withheld = t->state->found && sq_tune_owes_earlier(t);
}

/* ---- resume ---- */

/* A stored trial: counts as done; its point is told if it still gives the same script. */
static void take_stored(const sq_trial *row, const int *point, void *user)
{
    sq_tuning *t = user;
    if (find_trial(t, row->script) >= 0 || row->sample.status >= SQ_NSTATUSES) /* of another version of the store */
        return;
    long id = add_trial(t, point, row->script);
    struct trial *r = &t->trial[id];
    r->stage = STAGE_DONE;
    r->valid = row->sample.status == SQ_OK && row->sample.n > 0;
    r->cost = r->valid ? sq_median(row->sample.times, (size_t)row->sample.n) : 0;
    t->state->failed[row->sample.status]++;
    if (row->sample.status != SQ_INFEASIBLE) {
        t->state->trials++;
        t->state->resumed++;
    }
    sq_seen_add(t->seen, point);
    sq_tune_tell(t, point, r->valid, r->cost, false);
}

static void resume(sq_tuning *t)
{
    long best = -1;
    sq_record_each(t->record, t->p, take_stored, t, t->d);
    for (long i = 0; i < t->ntrials; i++)
        if (t->trial[i].valid && (best < 0 || t->trial[i].cost < t->trial[best].cost))
            best = i;
    if (best >= 0)
        measure_again(t, best, SQ_AGAINST_NONE);
}

/* ---- ends ---- */

/* A home that cannot be written to is no reason not to tune; a store that was named, or that is to
 * be gone on from, is. */
static int open_record(sq_tuning *t)
{
    size_t mark = sq_diags_mark(t->d);
    t->record = sq_record_open(t->k, t->sizes, t->o, t->d);
    if (!t->o->store || t->record)
        return 0;
    if (t->o->store_path || t->o->resume)
        return -1;
    const char *why = sq_arena_strdup(t->arena, sq_diags_message(t->d, mark));
    sq_diags_rewind(t->d, mark);
    sq_warning(t->d, SQ_NOWHERE, "%s; the trials of this run are not recorded", why);
    return 0;
}

static int open_all(sq_tuning *t)
{
    sq_run_options ro = t->o->run;
    ro.sizes = t->sizes;
    ro.nsizes = 1;
    ro.seed = t->o->rng;
    ro.linked = t->p->linked;
    /* As many as are built at once, one being timed, one waiting for that. */
    t->ahead = (ro.jobs > 0 ? ro.jobs : (int)uv_available_parallelism()) + 2;
    t->ahead = t->ahead < 3 ? 3 : t->ahead > 16 ? 16 : t->ahead;
    if (open_record(t) != 0)
        return -1;
    t->state->recorded = t->o->store && t->record;
    t->nwarm = sq_warm_points(t->record, t->p, t->warm, t->d);
    if (t->nwarm < 0)
        return -1;
    t->runner = t->o->runner ? t->o->runner : &sq_runner_local;
    t->run = t->runner->open(t->k, &ro, t->d);
    if (!t->run)
        return -1;
    t->seen = sq_seen_new(t->p->space);
    sq_search_options so = {.seed = t->o->rng,
                            .draft = t->p->draft,
                            .draft_user = t->p->user,
                            .features = t->p->features,
                            .features_user = t->p->user,
                            .script = t->p->script,
                            .script_user = t->p->user,
                            .prior = t->o->prior,
                            .spent = spent,
                            .spent_user = t,
                            .seen = t->seen};
    t->search = t->o->search ? t->o->search : &sq_search_default;
    t->seek = t->search->open(t->p->space, &so);
    return 0;
}

static void close_all(sq_tuning *t)
{
    if (t->seek)
        t->search->close(t->seek);
    if (t->run)
        t->runner->close(t->run);
    sq_seen_free(t->seen);
    sq_record_close(t->record);
    for (struct twin *w; (w = t->twins); free(w))
        t->twins = w->next;
    for (long i = 0; i < t->ntrials; i++) {
        free(t->trial[i].script);
        free(t->trial[i].waiting);
    }
    free(t->trial);
    free(t);
}

/* Time was up before one trial came back. The naive nest has to give the result of two sets of
 * inputs first; where it is the naive nest that takes long, more time may help, but not without end:
 * its child has a limit of its own. */
static int too_short(const sq_tuning *t)
{
    double naive = naive_seconds(t), share = fmax(1, t->o->asked / t->o->budget);
    double enough = fmax(ceil(share * (10 + 3 * naive)), ceil(2 * fmax(t->o->asked, 1)));
    sq_error(t->d, SQ_FAULT_WORLD, SQ_NOWHERE,
             "no candidate was checked in %.1f s: the naive nest, whose result each is compared "
             "with, and the first builds took all of it",
             sq_tune_elapsed(t));
    if (naive > SQ_NAIVE_SECONDS)
        sq_help(t->d, SQ_NOWHERE,
                "the naive nest may need some %.0f s a set of inputs here: tune at a smaller size",
                ceil(naive));
    else
        sq_help(t->d, SQ_NOWHERE,
                "the naive nest may need some %.0f s a set of inputs here: give "
                "--budget=%.0fs, or tune at a smaller size",
                ceil(naive), enough);
    return -1;
}

/* The naive nest fails at these sizes, for want of memory as a rule. */
static int cannot_check(const sq_tuning *t)
{
    sq_error(t->d, SQ_FAULT_WORLD, SQ_NOWHERE, "no candidate can be checked at these sizes: %s",
             t->no_reference);
    sq_help(t->d, SQ_NOWHERE, "tune at a smaller size");
    return -1;
}

/* Nothing that was tried is any good. More time is advised only where it ran out. */
static int found_nothing(const sq_tuning *t)
{
    const sq_tune_state *s = t->state;
    bool late = t->o->budget > 0 && sq_tune_elapsed(t) >= t->o->budget;
    if (t->no_reference[0])
        return cannot_check(t);
    if (late && s->trials == 0 && s->failed[SQ_INFEASIBLE] == 0 && !t->o->predicted_for)
        return too_short(t);
    return sq_error(t->d, SQ_FAULT_WORLD, SQ_NOWHERE,
                    "none of %ld candidates gave a verified result%s%s",
                    s->trials + s->failed[SQ_INFEASIBLE],
                    s->first_failure[0] ? "; the first failed: " : "", s->first_failure);
}

sq_tuning *sq_tuning_begin(const sq_kernel *k, const int64_t *sizes, const sq_tune_problem *p,
                           const sq_tune_options *o, sq_tune_state *state, sq_arena *arena,
                           sq_diags *d)
{
    sq_tuning *t = sq_allocated(malloc(sizeof *t));
    *t = (sq_tuning){.k = k,
                     .sizes = sizes,
                     .p = p,
                     .o = o,
                     .state = state,
                     .arena = arena,
                     .d = d,
                     .best = -1,
                     .start = -1,
                     .earlier = -1,
                     .had = sq_record_earlier(k, sizes, o, arena, d),
                     .in_order = o->budget <= 0,
                     .began = o->began > 0 ? o->began : sq_terminal_seconds(),
                     .until = o->budget > 0 ? o->budget : INFINITY,
                     .most_trials = o->trials > 0 ? o->trials : LONG_MAX};
    memset(state, 0, sizeof *state);
    state->flops = sq_kernel_flops(k, sizes);
    int errors = sq_diags_errors(d);
    if (open_all(t) != 0) {
        close_all(t);
        return NULL;
    }
    if (o->resume)
        resume(t);
    measure_start(t);
    measure_earlier(t);
    t->failed = sq_diags_errors(d) > errors;
    return t;
}

int sq_tuning_end(sq_tuning *t)
{
    int errors = sq_diags_errors(t->d);
    resume_clock(t);
    conclude(t);
    int rc = t->failed || sq_diags_errors(t->d) > errors ? -1
             : !t->state->found && !is_cancelled(t)      ? found_nothing(t)
                                                         : 0;
    close_all(t);
    return rc;
}

/* What the search leaves of the budget for the last comparison: as long as the untuned schedule was timed. */
static double seconds_left_over(const sq_tuning *t)
{
    const double most = 0.1; /* of the budget */
    return t->o->budget > 0 && t->start >= 0 ? fmin(t->trial[t->start].run_seconds, most * t->o->budget) : 0;
}

int sq_tune(const sq_kernel *k, const int64_t *sizes, const sq_tune_problem *p,
            const sq_tune_options *o, sq_tune_state *result, sq_arena *arena, sq_diags *d)
{
    sq_tuning *t = sq_tuning_begin(k, sizes, p, o, result, arena, d);
    if (!t)
        return -1;
    sq_tuning_go(t, t->until - seconds_left_over(t) - sq_tune_elapsed(t), t->most_trials - result->trials);
    return sq_tuning_end(t);
}
