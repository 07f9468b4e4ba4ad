/* squall tune: measures candidate schedules and keeps the best one in K.<class>.sched. The work is
 * tuner/tune.c's; here are the space (tuner/space/sketch.h), the progress, the log and Ctrl-C. */
#include "cli/problem.h"
#include "cli/ranker.h"
#include "cli/report_tune.h"
#include "cli/simulated_task.h"
#include "cli/tune_place.h"
#include "cli/tune_log.h"
#include "cli/tune_network.h"
#include "cli/tune_shown.h"
#include "cli/tune_targets.h"
#include "support/interrupt.h"
#include "tuner/tune_record.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double default_budget = 60;

struct shown {
    sq_measure *m;
    sq_simulated_task simulated;
    sq_learned ranker;   /* what --ranker names */
    sq_tune_share share; /* what the person who waits counts by */
    double budget;       /* of the kernel under way */
    sq_roof roof;
    long trials;
    int nth, of; /* of the kernels and their sizes, which one it is */
    sq_tune_shown shown;
    sq_tune_log log;
    sq_html html;             /* with --html */
    sq_report_trials seen; /* by it, of the kernel under way */
};

/* ---- the problem ---- */

static bool is_predicted(const sq_measure *m)
{
    return m->runner == &sq_runner_model;
}

/* ---- progress ---- */

/* ", 2.31x the untuned" */
static void put_gain(const sq_tune_state *s, sq_text *to)
{
    if (s->kept_start)
        sq_text_puts(to, ", the untuned schedule");
    else if (s->ratio > 0)
        sq_text_printf(to, ", %.2fx the untuned", s->ratio);
    else if (s->start_seconds > 0 && s->start_seconds > 1.005 * s->best_seconds)
        sq_text_printf(to, ", %.2fx the untuned", s->start_seconds / s->best_seconds);
}

static void put_time(const struct shown *v, const sq_tune_state *s, sq_text *to)
{
    char time[32];
    sq_text_printf(to, "%s%s", is_predicted(v->m) ? "predicted, not measured: " : "",
                   sq_seconds_text(s->best_seconds, time, sizeof time));
}

/* "1.20 ms, 223.7 GFLOP/s (94 % of peak), 2.31x the untuned" */
static void put_best(const struct shown *v, const sq_tune_state *s, sq_text *to)
{
    put_time(v, s, to);
    sq_roof_text(&v->roof, s->best_seconds, to);
    put_gain(s, to);
}

static void show_state(struct shown *v, const sq_tune_state *s)
{
    char part[48], time[32], from[48] = "";
    sq_text best = {0};
    snprintf(part, sizeof part, "%d of %d", v->nth, v->of);
    if (s->found) { /* what a narrow terminal cuts off is at the end */
        put_time(v, s, &best);
        put_gain(s, &best);
        sq_roof_text(&v->roof, s->best_seconds, &best);
    }
    if (v->shown.trend.n && (s->kept_start || v->shown.trend.first > s->best_seconds)) /* its time may drift */
        snprintf(from, sizeof from, "from %s", sq_seconds_text(v->shown.trend.first, time, sizeof time));
    sq_tune_view view = {.title = sq_text_str(&v->m->label),
                         .part = v->of > 1 ? part : NULL,
                         .best = s->found ? sq_text_str(&best) : NULL,
                         .from = *from ? from : NULL,
                         .trials = s->trials,
                         .most = v->trials,
                         .measured = s->trials - s->resumed,
                         .elapsed = s->elapsed,
                         .after = v->of - v->nth + v->share.after * v->of,
                         .failed = s->failed,
                         .spent = sq_terminal_seconds() - v->share.began,
                         .budget = v->share.budget,
                         .doing = s->doing};
    sq_tune_shown_put(&v->shown, &view);
    sq_text_free(&best);
}

static void see(struct shown *v, const sq_tune_state *s, const sq_tune_trial *t)
{
    sq_report_trial x = {.number = t->number,
                         .elapsed = s->elapsed,
                         .status = t->sample->status,
                         .seconds = t->seconds,
                         .wins = t->wins,
                         .script = t->script,
                         .message = t->sample->message,
                         .point = t->point};
    sq_report_trials_add(&v->seen, &x, v->log.ncoords, v->m->task.arena);
}

static void on_progress(const sq_tune_state *s, const sq_tune_trial *trial, void *user)
{
    struct shown *v = user;
    if (trial)
        sq_tune_log_put(&v->log, v->m, s, trial);
    if (trial && v->m->settings.html)
        see(v, s, trial);
    if (trial && v->m->settings.verbose > 0)
        sq_tune_log_note(v->m, trial);
    if (trial)
        sq_tune_shown_add(&v->shown, s->found ? s->best_seconds : 0, s->elapsed, trial->wins, s->kept_start);
    bool says_all = v->m->settings.verbose && !v->m->progress.live; /* a line a trial already */
    if (!says_all && sq_tune_shown_is_due(&v->shown))
        show_state(v, s);
}

static void begin_showing(struct shown *v)
{
    char until[96] = "until every point was tried";
    int digits = v->budget < 9.95; /* a share of it may be less than a second */
    if (v->budget > 0 && v->trials > 0)
        snprintf(until, sizeof until, "for %.*f s or %ld trial%s", digits, v->budget, v->trials,
                 v->trials == 1 ? "" : "s");
    else if (v->trials > 0)
        snprintf(until, sizeof until, "%ld trial%s", v->trials, v->trials == 1 ? "" : "s");
    else if (v->budget > 0)
        snprintf(until, sizeof until, "for %.*f s", digits, v->budget);
    sq_tune_shown_open(&v->shown, &v->m->progress, &v->m->settings, sq_text_str(&v->m->label), until);
}

/* ---- one kernel at one row of sizes ---- */

static sq_tune_options options_of(sq_measure *m, struct shown *v)
{
    const sq_settings *o = &m->settings;
    sq_tune_options t = sq_tune_place_options(m);
    t.budget = v->budget;
    t.asked = o->budget > 0 ? o->budget : v->budget > 0 ? default_budget : 0;
    t.trials = v->trials;
    t.prior = sq_ranker_prior(&v->ranker);
    t.progress = on_progress;
    t.user = v;
    return t;
}

static const char *nothing_faster(const sq_tune_state *s)
{
    return s->kept_earlier                  ? ": nothing was faster than the schedule it had"
           : s->kept_start && s->trials > 1 ? ": nothing was faster"
                                            : "";
}

static void summarise(const struct shown *v, const sq_tune_state *s, const char *path)
{
    sq_text best = {0}, failed = {0};
    if (v->m->settings.quiet)
        return;
    if (s->ended)
        sq_note(v->m->task.d, SQ_NOWHERE, "%s: the search ended before its budget: %s",
                sq_text_str(&v->m->label), s->ended);
    if (sq_interrupt_signal() && s->recorded && s->trials > 0)
        sq_note(v->m->task.d, SQ_NOWHERE,
                "%s: interrupted after %ld trial%s: the same command with --resume goes on from there",
                sq_text_str(&v->m->label), s->trials, s->trials == 1 ? "" : "s");
    if (s->found)
        put_best(v, s, &best);
    sq_tune_failures_put(s->failed, &failed);
    if (s->found)
        fprintf(stderr, "%s: %s%s; %ld trial%s in %.0f s%s%s%s %s\n", sq_text_str(&v->m->label),
                sq_text_str(&best), nothing_faster(s), s->trials, s->trials == 1 ? "" : "s",
                s->elapsed, failed.n ? "; failed " : "", sq_text_str(&failed),
                s->withheld ? "; not measured again, so kept as it was:" : " ->", path);
    else
        fprintf(stderr, "%s: interrupted before anything was measured\n",
                sq_text_str(&v->m->label));
    sq_text_free(&failed);
    sq_text_free(&best);
}

static int tune_one(sq_measure *m, const sq_kernel *k, const int64_t *sizes, struct shown *v)
{
    double began = sq_terminal_seconds();
    sq_tune_state state;
    sq_measure_name(m, k, sizes);
    if (sq_measure_is_any(m, k, sizes) != 0)
        return -1;
    v->roof = sq_measure_roof(m, k, sizes);
    sq_tune_options o = options_of(m, v);
    o.began = began;
    o.search = sq_search_named(&m->settings, m->settings.search, "search", m->task.d);
    if (!o.search || sq_record_check(k, sizes, &o, m->task.arena, m->task.d) != 0)
        return -1;
    if (sq_simulated_task_kernel(&v->simulated, m, k, &o.run.simulated) != 0)
        return -1;
    sq_problem *p = sq_problem_new(m, k, o.run.simulated, sizes, true);
    if (!p || sq_search_check_space(o.search, &p->space, sq_text_str(&m->label), m->task.target->name, &m->settings,
                                    "search", m->task.d) != 0)
        return -1;
    v->log.search = o.search;
    v->log.target = o.target;
    v->log.ncoords = p->space.n;
    v->seen = (sq_report_trials){0};
    begin_showing(v);
    int rc = sq_tune(k, sizes, &p->tune, &o, &state, m->task.arena, m->task.d);
    sq_tune_shown_close(&v->shown);
    if (rc == 0)
        summarise(v, &state, o.sched_path);
    if (rc == 0)
        sq_tune_log_result(&v->log, m, &state, &(sq_tune_outcome){.file = o.sched_path, .bound = v->roof.seconds});
    if (rc == 0 && m->settings.html)
        sq_report_tune(&v->html, m, k, &state, &v->seen, &p->space, &v->roof);
    return rc;
}

static int count_work(sq_measure *m)
{
    int n = 0;
    for (int i = 0; i < m->task.unit->nkernels; i++) {
        int64_t *rows;
        int r = sq_measure_sizes(m, m->task.unit->kernel[i], &rows);
        if (r < 0)
            return -1;
        n += r;
    }
    return n;
}

/* Of the whole command; 0: none. */
static double budget_of(const sq_settings *o)
{
    return o->budget > 0 || o->trials > 0 ? o->budget : default_budget;
}

/* The budget, which counts since `began`, is shared out evenly; what one does not use goes to those after it. */
static int tune_all(sq_measure *m, struct shown *v, double began)
{
    const sq_settings *o = &m->settings;
    double budget = budget_of(o);
    int left = v->of = count_work(m);
    if (left < 0)
        return -1;
    for (int i = 0; i < m->task.unit->nkernels; i++) {
        const sq_kernel *k = m->task.unit->kernel[i];
        int64_t *rows;
        int n = sq_measure_sizes(m, k, &rows);
        for (int r = 0; r < n && !sq_interrupt_signal(); r++, left--) {
            v->nth++;
            v->budget = budget > 0 ? fmax(0.1, (began + budget - sq_terminal_seconds()) / left) : 0;
            if (tune_one(m, k, rows + (ptrdiff_t)r * k->nsizes, v) != 0)
                return -1;
        }
    }
    return 0;
}

static int refuse_scripts(sq_measure *m)
{
    const sq_settings *o = &m->settings;
    const char *option = o->script.n ? "script" : o->schedule ? "schedule" : NULL;
    if (!option)
        return 0;
    sq_error(m->task.d, SQ_FAULT_USAGE, sq_settings_loc(o, option),
             "tune finds schedules, it takes none");
    sq_help(m->task.d, SQ_NOWHERE, "`squall bench` measures given ones");
    return -1;
}

static int open_ranker(sq_measure *m, struct shown *v)
{
    const sq_settings *o = &m->settings;
    const sq_search *search = sq_search_named(o, o->search, "search", m->task.d);
    return search ? sq_ranker_open(o, m->task.machine->isa, &search, 1, "search", &v->ranker, m->task.d) : -1;
}

/* Of sizes with several values each combination is a kernel of its own. */
static int tune_sets(const sq_settings *o, sq_diags *d)
{
    sq_settings all = *o;
    all.budget = budget_of(o);
    return sq_sets_alone(&all, d, sq_cmd_tune);
}

/* One target. */
static int tune_target(const sq_settings *o, const sq_tune_share *share, sq_diags *d)
{
    if (o->fix.nsets)
        return tune_sets(o, d);
    double began = sq_terminal_seconds();
    sq_measure m;
    struct shown v = {.m = &m, .trials = (long)o->trials, .share = *share, .html = {.title = ""}};
    int rc = sq_measure_open_timed(&m, o, d);
    if (rc == 0)
        v.html.title = sq_arena_printf(m.task.arena, "Search for schedules of %s", m.task.path);
    if (rc == 0)
        rc = refuse_scripts(&m);
    if (rc == 0)
        rc = sq_tune_place_check(&m);
    if (rc == 0)
        rc = open_ranker(&m, &v);
    if (rc == 0)
        rc = sq_tune_log_open(&v.log, o->log, d);
    v.log.results = o->json ? stdout : NULL;
    if (rc == 0) {
        sq_interrupt_hold(); /* the best so far is kept */
        rc = tune_all(&m, &v, began);
        sq_interrupt_release();
    }
    if (rc == 0 && o->html)
        rc = sq_report_write(&v.html, o, d);
    sq_html_free(&v.html);
    sq_tune_log_close(&v.log);
    sq_learned_free(&v.ranker);
    sq_simulated_task_close(&v.simulated);
    sq_measure_close(&m);
    return rc;
}

int sq_cmd_tune(const sq_settings *o, sq_diags *d)
{
    if (sq_report_check(o, d) != 0)
        return -1;
    if (sq_tune_targets_asked(o))
        return sq_tune_targets(o, budget_of(o), tune_target, d);
    if (o->network)
        return sq_tune_network(o, d);
    return tune_target(o, &(sq_tune_share){.began = sq_terminal_seconds(), .budget = budget_of(o)}, d);
}
