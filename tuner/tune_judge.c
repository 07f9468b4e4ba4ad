/* Tune, judging: a trial is measured against the incumbent, and as long as it may be faster, again in
 * other processes, on other inputs and with the arrays in other places, until it is clear. Costs are seconds with
 * the machine's drift taken out: each is its ratio to the incumbent it was interleaved with, times
 * that one's cost, so that any two of a run can be compared. */
#include "support/stats.h"
#include "tuner/tune_inside.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WARNINGS = 3 };

static void describe_doing(sq_tuning *t)
{
    char *to = t->state->doing;
    size_t room = sizeof t->state->doing;
    int used = snprintf(to, room, "%s", t->phase ? t->phase : t->search->name);
    if (!t->phase && t->search->says && used >= 0 && (size_t)used + 2 < room) {
        snprintf(to + used, room - (size_t)used, ": ");
        t->search->says(t->seek, to + used + 2, room - (size_t)used - 2);
    }
}

void sq_tune_show(sq_tuning *t, const sq_tune_trial *trial)
{
    t->state->elapsed = sq_tune_elapsed(t);
    describe_doing(t);
    if (t->o->progress)
        t->o->progress(t->state, trial, t->o->user);
}

/* ---- a trial is over ---- */

void sq_tune_tell(sq_tuning *t, const int *point, bool valid, double cost, bool wins)
{
    sq_told told = {.valid = valid, .cost = cost, .wins = wins};
    memcpy(told.point, point, sizeof told.point);
    t->search->tell(t->seek, &told);
}

/* Those of trial `of` are told what became of it. */
static void tell_twins(sq_tuning *t, long of)
{
    for (struct twin **at = &t->twins, *w; (w = *at);) {
        if (w->of != of) {
            at = &w->next;
            continue;
        }
        *at = w->next;
        sq_tune_tell(t, w->point, t->trial[of].valid, t->trial[of].cost, false);
        free(w);
    }
}

static void warn_wrong(sq_tuning *t, const struct trial *r, const sq_sample *s)
{
    if (s->status != SQ_WRONG || t->warnings++ >= MAX_WARNINGS)
        return;
    sq_warning(t->d, SQ_NOWHERE, "a candidate computes a wrong result and was dropped: %s",
               s->message);
    sq_note(t->d, SQ_NOWHERE, "its script: %s", r->script);
}

static void count_failure(sq_tuning *t, const struct trial *r, const sq_sample *s)
{
    t->state->failed[s->status]++;
    bool first = !t->state->first_failure[0] || t->state->is_refusal;
    bool refusal = s->status == SQ_INFEASIBLE;
    if (s->status != SQ_OK && (refusal ? !t->state->first_failure[0] : first)) {
        snprintf(t->state->first_failure, sizeof t->state->first_failure, "%s: %.300s",
                 sq_status_name(s->status), s->message);
        t->state->is_refusal = refusal;
    }
    warn_wrong(t, r, s);
}

void sq_tune_settle(sq_tuning *t, long id, const sq_sample *sample, bool wins)
{
    struct trial *r = &t->trial[id];
    sq_sample with_build = *sample, *s = &with_build; /* a confirmation was not built again */
    s->build_seconds = fmax(s->build_seconds, r->build_seconds);
    r->stage = STAGE_DONE;
    r->valid = s->status == SQ_OK;
    count_failure(t, r, s);
    t->state->results++;
    if (s->status != SQ_INFEASIBLE)
        t->state->trials++;
    if (id == t->start)
        t->state->start_seconds = r->valid ? r->cost : 0;
    sq_record_put(t->record, r->script, t->p->space, r->placed ? r->point : NULL, s, t->d);
    if (r->placed)
        sq_tune_tell(t, r->point, r->valid, r->cost, wins);
    tell_twins(t, id);
    sq_tune_trial shown = {.number = t->state->trials,
                           .script = r->script,
                           .point = r->placed ? r->point : NULL,
                           .sample = s,
                           .seconds = r->valid ? r->cost : 0,
                           .wins = wins};
    sq_tune_show(t, &shown);
}

bool sq_tune_owes_earlier(const sq_tuning *t)
{
    return t->had && (t->earlier < 0 || t->trial[t->earlier].stage < STAGE_FINAL);
}

void sq_tune_keep_best(sq_tuning *t)
{
    if (t->o->sched_path && !sq_tune_owes_earlier(t))
        sq_record_keep(t->k, t->sizes, t->o, t->state, t->arena, t->d);
}

static void describe_best(sq_tuning *t, long id, const sq_sample *s)
{
    sq_tune_state *state = t->state;
    t->best = id;
    state->found = true;
    state->kept_start = id == t->start;
    state->kept_earlier = id == t->earlier && id != t->start;
    state->best_script = sq_arena_strdup(t->arena, t->trial[id].script);
    state->best_point = NULL;
    if (t->trial[id].placed) {
        int *point = SQ_NEW_ARRAY(t->arena, int, SQ_MAX_COORDS);
        memcpy(point, t->trial[id].point, sizeof t->trial[id].point);
        state->best_point = point;
    }
    state->best_seconds = sq_median_interval(s->times, s->n, &state->low, &state->high);
}

static void believe(sq_tuning *t, long id, const sq_sample *s)
{
    sq_tune_state *state = t->state;
    t->runner->incumbent(t->run, id);
    describe_best(t, id, s);
    state->best_trial = state->trials + 1;
    sq_tune_settle(t, id, s, true);
    sq_tune_keep_best(t);
}

/* ---- what comes back ---- */

/* Cost by comparison with `against`, whose own is known; alone, the median. */
static double cost_of(const sq_tuning *t, const sq_job *job, const sq_sample *s)
{
    if (s->nbase > 0 && job->against >= 0)
        return sq_paired_ratio(s) * t->trial[job->against].cost;
    return sq_median(s->times, (size_t)s->n);
}

/* In another process, of each two one with the arrays at the ends of their pages. */
static void measure_again(sq_tuning *t, long id)
{
    struct trial *r = &t->trial[id];
    r->stage = STAGE_CONFIRM;
    t->confirming++;
    t->under_way++;
    sq_job job = {.id = id,
                  .against = t->best >= 0 ? SQ_AGAINST_BEST : SQ_AGAINST_NONE,
                  .set = r->evidence.n % 2,
                  .pairs = SQ_PAIRS};
    t->runner->submit(t->run, &job);
}

/* The first to be correct twice is the best. Later on, what was said in comparison with another one is forgotten but
 * for the cost. */
static void judge(sq_tuning *t, const sq_job *job, const sq_sample *s, double cost)
{
    struct trial *r = &t->trial[job->id];
    bool is_again = r->evidence.n > 0;
    sq_judgement judgement = SQ_UNCLEAR;
    if (t->best < 0) {
        r->evidence.n = 1;
        judgement = is_again ? SQ_FASTER : SQ_UNCLEAR;
    } else if (job->against == t->best) {
        judgement = sq_evidence_add(&r->evidence, sq_paired_ratio(s));
    } else {
        r->evidence = (sq_evidence){0};
        judgement = sq_evidence_add(&r->evidence, cost / t->trial[t->best].cost);
    }
    if (judgement == SQ_UNCLEAR)
        measure_again(t, job->id);
    else if (judgement == SQ_FASTER)
        believe(t, job->id, s);
    else
        sq_tune_settle(t, job->id, s, false);
}

static void after_measure(sq_tuning *t, const sq_job *job, const sq_sample *s)
{
    struct trial *r = &t->trial[job->id];
    r->built = s->status != SQ_INFEASIBLE && s->status != SQ_BUILD_FAILED && s->status != SQ_LOST;
    r->build_seconds = s->build_seconds;
    r->run_seconds = s->run_seconds;
    if (s->status != SQ_OK) {
        sq_tune_settle(t, job->id, s, false);
        return;
    }
    r->cost = cost_of(t, job, s);
    judge(t, job, s, r->cost);
}

/* The cost is the mean of all processes; the first best is what its last one measured. */
static void after_confirm(sq_tuning *t, const sq_job *job, const sq_sample *s)
{
    struct trial *r = &t->trial[job->id];
    t->confirming--;
    if (s->status != SQ_OK) {
        sq_tune_settle(t, job->id, s, false);
        return;
    }
    double again = cost_of(t, job, s), weight = 1.0 / (r->evidence.n + 1);
    r->cost = t->best < 0 ? again : r->cost * pow(again / r->cost, weight);
    judge(t, job, s, r->cost);
}

/* The start was timed against the best: turn it round. What is no faster than it is not kept. */
static void after_final(sq_tuning *t, const sq_sample *s)
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

void sq_tune_handle(sq_tuning *t, const sq_job *job, const sq_sample *s)
{
    t->under_way--;
    if (t->trial[job->id].stage == STAGE_CONFIRM)
        after_confirm(t, job, s);
    else if (t->trial[job->id].stage == STAGE_FINAL)
        after_final(t, s);
    else
        after_measure(t, job, s);
}
