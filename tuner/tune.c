/* Tune: the loop. A trial goes through two stages: measured against the incumbent, and, if it seems
 * faster, confirmed on other inputs with more timings before it is believed. Costs are seconds with
 * the machine's drift taken out: each is its ratio to the incumbent it was interleaved with, times
 * that one's cost, so that any two of a run can be compared. */
#include "tuner/tune.h"
#include "support/hash.h"
#include "support/stats.h"
#include "support/terminal.h"
#include "tuner/sched_file.h"
#include "tuner/tune_record.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum { PAIRS = 20, MAX_WARNINGS = 3, MAX_BARREN = 64 };
static const double min_effect = 0.01, confirm_effect = 0.003;
static const double grace = 3; /* seconds beyond the budget for a confirmation under way */
/* The untuned script is checked and timed whatever the budget is, unless the naive nest alone takes
 * long: at a GFLOP/s or so where its sums run through memory. */
static const double naive_flops = 1e9, short_naive = 3, patience = 20;

enum stage { STAGE_MEASURE, STAGE_CONFIRM, STAGE_FINAL, STAGE_DONE };

struct trial {
    enum stage stage;
    int point[SQ_MAX_COORDS];
    char *script;
    uint64_t hash;
    bool placed; /* `point` stands for it */
    bool valid, built;
    double cost, build_seconds;
};

/* A point whose script is that of a trial under way: told when that one is over. */
struct twin {
    int point[SQ_MAX_COORDS];
    long of;
    struct twin *next;
};

struct tune {
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
    long ntrials, cap;
    struct twin *twins;
    long best, start; /* numbers of trials, -1 */
    int ahead;        /* trials under way at most */
    int under_way, confirming, nextseed, warnings;
    bool finished; /* the search has no more points */
    double began;
};

static double elapsed(const struct tune *t)
{
    return sq_terminal_seconds() - t->began;
}

static double spent(void *user)
{
    const struct tune *t = user;
    double by_time = t->o->budget > 0 ? elapsed(t) / t->o->budget : 0;
    double by_trials = t->o->trials > 0 ? (double)t->state->trials / (double)t->o->trials : 0;
    return fmax(by_time, by_trials);
}

static bool is_cancelled(const struct tune *t)
{
    return t->o->cancel && *t->o->cancel;
}

/* No new trial is to begin. */
static bool is_over(const struct tune *t)
{
    bool enough = t->o->trials > 0 && t->state->trials + t->under_way >= t->o->trials;
    bool late = t->o->budget > 0 && elapsed(t) >= t->o->budget;
    return is_cancelled(t) || enough || (late && t->ntrials > 0); /* one is begun in any case */
}

static void show(struct tune *t, const sq_tune_trial *trial)
{
    t->state->elapsed = elapsed(t);
    if (t->o->progress)
        t->o->progress(t->state, trial, t->o->user);
}

/* ---- trials ---- */

/* point: NULL where there is none. */
static long add_trial(struct tune *t, const int *point, const char *script)
{
    if (t->ntrials == t->cap) {
        t->cap = t->cap * 2 + 64;
        t->trial = realloc(t->trial, (size_t)t->cap * sizeof *t->trial);
        if (!t->trial)
            abort();
    }
    struct trial *r = &t->trial[t->ntrials];
    memset(r, 0, sizeof *r);
    r->placed = point != NULL;
    if (point)
        memcpy(r->point, point, sizeof r->point);
    r->script = strdup(script);
    r->hash = sq_hash64(script, strlen(script));
    return t->ntrials++;
}

static long find_trial(const struct tune *t, const char *script)
{
    uint64_t hash = sq_hash64(script, strlen(script));
    for (long i = 0; i < t->ntrials; i++)
        if (t->trial[i].hash == hash && strcmp(t->trial[i].script, script) == 0)
            return i;
    return -1;
}

static void tell(struct tune *t, const int *point, bool valid, double cost, bool wins)
{
    sq_told told = {.valid = valid, .cost = cost, .wins = wins};
    memcpy(told.point, point, sizeof told.point);
    t->search->tell(t->seek, &told);
}

static void add_twin(struct tune *t, const int *point, long of)
{
    struct twin *w = malloc(sizeof *w);
    if (!w)
        abort();
    memcpy(w->point, point, sizeof w->point);
    w->of = of;
    w->next = t->twins;
    t->twins = w;
}

/* Those of trial `of` are told what became of it. */
static void tell_twins(struct tune *t, long of)
{
    for (struct twin **at = &t->twins, *w; (w = *at);) {
        if (w->of != of) {
            at = &w->next;
            continue;
        }
        *at = w->next;
        tell(t, w->point, t->trial[of].valid, t->trial[of].cost, false);
        free(w);
    }
}

static void warn_wrong(struct tune *t, const struct trial *r, const sq_sample *s)
{
    if (s->status != SQ_WRONG || t->warnings++ >= MAX_WARNINGS)
        return;
    sq_warning(t->d, SQ_NOWHERE, "a candidate computes a wrong result and was dropped: %s",
               s->message);
    sq_note(t->d, SQ_NOWHERE, "its script: %s", r->script);
}

static void count_failure(struct tune *t, const struct trial *r, const sq_sample *s)
{
    t->state->failed[s->status]++;
    if (s->status != SQ_OK && s->status != SQ_INFEASIBLE && !t->state->first_failure[0])
        snprintf(t->state->first_failure, sizeof t->state->first_failure, "%s: %.300s",
                 sq_status_name(s->status), s->message);
    warn_wrong(t, r, s);
}

/* A trial is over: recorded, told, shown. */
static void settle(struct tune *t, long id, const sq_sample *sample, bool wins)
{
    struct trial *r = &t->trial[id];
    sq_sample with_build = *sample, *s = &with_build; /* a confirmation was not built again */
    s->build_seconds = fmax(s->build_seconds, r->build_seconds);
    r->stage = STAGE_DONE;
    r->valid = s->status == SQ_OK;
    count_failure(t, r, s);
    if (s->status != SQ_INFEASIBLE)
        t->state->trials++;
    if (id == t->start)
        t->state->start_seconds = r->valid ? r->cost : 0;
    sq_record_put(t->record, r->script, r->point, r->placed ? t->p->space->n : 0, s, t->d);
    if (r->placed)
        tell(t, r->point, r->valid, r->cost, wins);
    tell_twins(t, id);
    sq_tune_trial shown = {t->state->trials, r->script, s, r->valid ? r->cost : 0, wins};
    show(t, &shown);
}

static void keep_best(struct tune *t)
{
    if (t->o->sched_path)
        sq_record_keep(t->k, t->sizes, t->o, t->state, t->arena, t->d);
}

static void describe_best(struct tune *t, long id, const sq_sample *s)
{
    sq_tune_state *state = t->state;
    t->best = id;
    state->found = true;
    state->kept_start = id == t->start;
    state->best_script = sq_arena_strdup(t->arena, t->trial[id].script);
    state->best_seconds = sq_median_interval(s->times, s->n, &state->low, &state->high);
}

static void believe(struct tune *t, long id, const sq_sample *s)
{
    sq_tune_state *state = t->state;
    t->runner->incumbent(t->run, id);
    describe_best(t, id, s);
    state->best_trial = state->trials + 1;
    settle(t, id, s, true);
    keep_best(t);
}

/* ---- what comes back ---- */

/* Cost by the duel with `against`, whose own is known; alone, the median. */
static double cost_of(const struct tune *t, const sq_job *job, const sq_sample *s)
{
    if (s->nbase > 0 && job->against >= 0)
        return sq_duel_judge(s, min_effect).ratio * t->trial[job->against].cost;
    return sq_median(s->times, (size_t)s->n);
}

static bool seems_better(const struct tune *t, const sq_job *job, const sq_sample *s, double cost)
{
    if (t->best < 0)
        return true;
    if (job->against == t->best)
        return sq_duel_judge(s, min_effect).faster;
    return cost < t->trial[t->best].cost * (1 - min_effect); /* the incumbent changed meanwhile */
}

static void confirm(struct tune *t, long id)
{
    t->trial[id].stage = STAGE_CONFIRM;
    t->confirming++;
    t->under_way++;
    sq_job job = {.id = id,
                  .against = t->best >= 0 ? SQ_AGAINST_BEST : SQ_AGAINST_NONE,
                  .set = 1,
                  .pairs = PAIRS};
    t->runner->submit(t->run, &job);
}

static void after_measure(struct tune *t, const sq_job *job, const sq_sample *s)
{
    struct trial *r = &t->trial[job->id];
    r->built = s->status != SQ_BUILD_FAILED && s->status != SQ_LOST;
    r->build_seconds = s->build_seconds;
    if (s->status == SQ_OK)
        r->cost = cost_of(t, job, s);
    if (s->status == SQ_OK && seems_better(t, job, s, r->cost))
        confirm(t, job->id);
    else
        settle(t, job->id, s, false);
}

static void after_confirm(struct tune *t, const sq_job *job, const sq_sample *s)
{
    struct trial *r = &t->trial[job->id];
    t->confirming--;
    if (s->status != SQ_OK) {
        settle(t, job->id, s, false);
        return;
    }
    double again = cost_of(t, job, s);
    bool is_rival = t->best < 0 || job->against == t->best;
    bool wins = t->best < 0 || sq_duel_judge(s, 0).ratio < 1 - confirm_effect;
    r->cost = t->best < 0 ? again : sqrt(r->cost * again);
    if (!is_rival && seems_better(t, job, s, r->cost))
        confirm(t,
                job->id); /* it ran when the incumbent of now was not one yet: not lost by that */
    else if (is_rival && wins)
        believe(t, job->id, s);
    else
        settle(t, job->id, s, false);
}

/* The start was timed against the best: turn it round. What is no faster than it is not kept. */
static void after_final(struct tune *t, const sq_sample *s)
{
    double pair[SQ_MAX_TIMES];
    sq_tune_state *state = t->state;
    t->trial[t->start].stage = STAGE_DONE;
    int n = s->n < s->nbase ? s->n : s->nbase;
    if (s->status != SQ_OK || n == 0)
        return;
    for (int i = 0; i < n; i++)
        pair[i] = s->times[i] / s->base[i];
    state->ratio = sq_median_interval(pair, n, &state->ratio_low, &state->ratio_high);
    if (state->ratio < 1)
        describe_best(t, t->start, s);
}

static void handle(struct tune *t, const sq_job *job, const sq_sample *s)
{
    t->under_way--;
    if (t->trial[job->id].stage == STAGE_CONFIRM)
        after_confirm(t, job, s);
    else if (t->trial[job->id].stage == STAGE_FINAL)
        after_final(t, s);
    else
        after_measure(t, job, s);
}

/* ---- what goes out ---- */

/* The text of a trial, built and measured; a script that gives none is settled at once. */
static void try_script(struct tune *t, long id, int pairs, long against)
{
    sq_text source = {0};
    sq_sample s = {.status = SQ_INFEASIBLE};
    struct trial *r = &t->trial[id];
    if (t->p->source(t->p->user, r->script, &source, s.message, sizeof s.message) < 0) {
        settle(t, id, &s, false);
    } else {
        sq_job job = {.id = id, .source = sq_text_str(&source), .against = against, .pairs = pairs};
        t->under_way++;
        t->runner->submit(t->run, &job);
    }
    sq_text_free(&source);
}

/* A point becomes a trial, unless its script was one already. */
static void try_point(struct tune *t, const int *point)
{
    sq_text script = {0};
    if (t->p->script(t->p->user, point, &script) < 0) {
        tell(t, point, false, 0, false);
    } else {
        long old = find_trial(t, sq_text_str(&script));
        if (old >= 0 && t->trial[old].stage != STAGE_DONE)
            add_twin(t, point, old);
        else if (old >= 0)
            tell(t, point, t->trial[old].valid, t->trial[old].cost, false);
        else
            try_script(t, add_trial(t, point, sq_text_str(&script)), PAIRS, SQ_AGAINST_BEST);
    }
    sq_text_free(&script);
}

static bool next_seed(struct tune *t, int *point)
{
    while (t->nextseed < t->p->nseeds) {
        memcpy(point, t->p->seed[t->nextseed++], sizeof *t->p->seed);
        if (sq_seen_add(t->seen, point))
            return true;
    }
    return false;
}

/* Keeps the builders busy. */
static void fill(struct tune *t)
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

static void collect(struct tune *t, double wait)
{
    sq_job job;
    sq_sample sample;
    if (t->under_way > 0 && t->runner->collect(t->run, &job, &sample, wait) == 1)
        handle(t, &job, &sample);
    show(t, NULL);
}

/* How much it was worth: the untuned choice against the best, once more, side by side. */
static void compare_with_start(struct tune *t)
{
    if (t->start < 0 || t->best < 0 || t->start == t->best || is_cancelled(t))
        return;
    struct trial *r = &t->trial[t->start];
    r->stage = STAGE_FINAL;
    if (r->built) {
        sq_job job = {.id = t->start, .against = t->best, .pairs = PAIRS, .full = true};
        t->under_way++;
        t->runner->submit(t->run, &job);
    } else {
        try_script(t, t->start, PAIRS, t->best);
    }
    double until = t->o->budget > 0 ? elapsed(t) + grace : INFINITY;
    while (r->stage == STAGE_FINAL && elapsed(t) < until)
        collect(t, 0.1);
}

/* The first incumbent: whatever is kept in its place is known to be faster. Where the search would
 * begin with the same script, its point is told. */
static void measure_start(struct tune *t)
{
    double naive = t->state->flops / naive_flops;
    double until =
        (t->o->budget > 0 ? t->o->budget : INFINITY) + (naive < short_naive ? patience : grace);
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
        try_script(t, t->start, PAIRS, SQ_AGAINST_BEST);
    }
    sq_text_free(&script);
    while (t->trial[t->start].stage != STAGE_DONE && !is_cancelled(t) && elapsed(t) < until)
        collect(t, 0.1);
    if (t->trial[t->start].stage == STAGE_DONE && !t->trial[t->start].valid)
        t->start = -1;
}

static void loop(struct tune *t)
{
    while (!is_over(t) && !t->finished) {
        fill(t);
        collect(t, 0.1);
    }
    double until = t->o->budget > 0 ? t->o->budget + grace : INFINITY;
    while (t->under_way > 0 && !is_cancelled(t) && elapsed(t) < until &&
           (t->confirming > 0 || !t->state->found || t->o->trials > 0))
        collect(t, 0.1);
    compare_with_start(t);
    if (t->state->found)
        keep_best(t);
}

/* ---- resume ---- */

/* A stored trial: counts as done; its point is told if it still gives the same script. */
static void take_stored(const sq_row *row, const int *point, void *user)
{
    struct tune *t = user;
    if (find_trial(t, row->script) >= 0)
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
    tell(t, point, r->valid, r->cost, false);
}

static void resume(struct tune *t)
{
    long best = -1;
    sq_record_each(t->record, t->p, take_stored, t, t->d);
    for (long i = 0; i < t->ntrials; i++)
        if (t->trial[i].valid && (best < 0 || t->trial[i].cost < t->trial[best].cost))
            best = i;
    if (best >= 0) { /* measured again: figures of another day are no incumbent */
        t->state->trials--;
        t->state->failed[SQ_OK]--;
        t->trial[best].stage = STAGE_MEASURE;
        try_script(t, best, PAIRS, SQ_AGAINST_NONE);
    }
}

/* ---- ends ---- */

/* A home that cannot be written to is no reason not to tune; a store that was named, or that is to
 * be gone on from, is. */
static int open_record(struct tune *t)
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

static int open_all(struct tune *t)
{
    sq_run_options ro = t->o->run;
    ro.sizes = t->sizes;
    ro.nsizes = 1;
    ro.seed = t->o->rng;
    /* As many as are built at once, one being timed, one waiting for that. */
    t->ahead = (ro.jobs > 0 ? ro.jobs : (int)uv_available_parallelism()) + 2;
    t->ahead = t->ahead < 3 ? 3 : t->ahead > 16 ? 16 : t->ahead;
    if (open_record(t) != 0)
        return -1;
    t->runner = t->o->runner ? t->o->runner : &sq_runner_local;
    t->run = t->runner->open(t->k, &ro, t->d);
    if (!t->run)
        return -1;
    t->seen = sq_seen_new(t->p->space->n);
    sq_search_options so = {.seed = t->o->rng,
                            .draft = t->p->draft,
                            .draft_user = t->p->user,
                            .spent = spent,
                            .spent_user = t,
                            .seen = t->seen};
    t->search = t->o->search ? t->o->search : &sq_search_default;
    t->seek = t->search->open(t->p->space, &so);
    return 0;
}

static void close_all(struct tune *t)
{
    if (t->seek)
        t->search->close(t->seek);
    if (t->run)
        t->runner->close(t->run);
    sq_seen_free(t->seen);
    sq_record_close(t->record);
    for (struct twin *w; (w = t->twins); free(w))
        t->twins = w->next;
    for (long i = 0; i < t->ntrials; i++)
        free(t->trial[i].script);
    free(t->trial);
}

/* Not one trial came back. The naive nest has to give the result of two sets of inputs first. */
static int too_short(const struct tune *t)
{
    double naive = t->state->flops / naive_flops;
    sq_error(t->d, SQ_FAULT_WORLD, SQ_NOWHERE,
             "no candidate was checked in %.1f s: the naive nest, whose result each is compared "
             "with, and the first builds took all of it",
             elapsed(t));
    sq_help(t->d, SQ_NOWHERE,
            "the naive nest may need some %.0f s a set of inputs here: give "
            "--budget=%.0fs, or tune at a smaller size",
            ceil(naive), ceil(10 + 3 * naive));
    return -1;
}

int sq_tune(const sq_kernel *k, const int64_t *sizes, const sq_tune_problem *p,
            const sq_tune_options *o, sq_tune_state *result, sq_arena *arena, sq_diags *d)
{
    struct tune t = {.k = k,
                     .sizes = sizes,
                     .p = p,
                     .o = o,
                     .state = result,
                     .arena = arena,
                     .d = d,
                     .best = -1,
                     .start = -1,
                     .began = sq_terminal_seconds()};
    memset(result, 0, sizeof *result);
    result->flops = sq_kernel_flops(k, sizes);
    int errors = sq_diags_errors(d);
    if (open_all(&t) == 0) {
        if (o->resume)
            resume(&t);
        measure_start(&t);
        loop(&t);
    }
    close_all(&t);
    if (sq_diags_errors(d) > errors)
        return -1;
    if (!result->found && !is_cancelled(&t) && result->trials == 0 && o->budget > 0 &&
        !o->predicted_for)
        return too_short(&t);
    if (!result->found && !is_cancelled(&t))
        return sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE,
                        "none of %ld candidates gave a verified result%s%s", result->trials,
                        result->first_failure[0] ? "; the first failed: " : "",
                        result->first_failure);
    return 0;
}
