/* squall race: searches compared. Each searches the same space from the same start, with as many trials, once for every
 * seed; seeds are the outer loop, so that a drift of the machine hits all searches alike. Runs share nothing: no store,
 * no .sched file, none of the model's next choices. With --model=none they have no model, and start at the
 * least value of every coordinate. With --replay nothing is measured: trials are looked up in a landscape that --record
 * wrote (race_record.c). docs/TUNING.md says what the columns are. */
#include "cli/problem.h"
#include "cli/race_record.h"
#include "cli/simulated_task.h"
#include "cli/ranker.h"
#include "cli/report_race.h"
#include "codegen/isa/target.h"
#include "support/interrupt.h"
#include "support/stats.h"
#include "tuner/landscape.h"
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 200, SEEDS = 3, MOST_SEARCHES = 16, MOST_SEEDS = 100, RESAMPLES = 2000 };
static const double close_to_best = 0.97;

/* The best so far, whenever there was a better one. */
typedef struct point {
    long trial;
    double seconds; /* since the run began */
    double gain;    /* time of the start over its own */
} point;

typedef struct run {
    const sq_search *search;
    unsigned long long seed;
    sq_tune_state state;
    long drafts; /* times that the model was asked */
    bool began;   /* something came back: the start is the first */
    double start; /* cost of the start; 0: it was not measured, or failed */
    int n, room;
    point *curve;
} run;

typedef struct race {
    const sq_settings *o;
    sq_diags *d;
    sq_arena *arena;
    sq_progress *progress;
    sq_measure *m;         /* NULL where nothing is measured */
    sq_landscape landscape; /* then */
    const char *label, *target, *machine;
    int nentered, nsearches;
    const sq_search *entered[MOST_SEARCHES], *search[MOST_SEARCHES]; /* those named; of them those for the space */
    sq_learned ranker; /* what --ranker names */
    sq_simulated_task simulated;
    int nseeds;
    long trials; /* of each run; 0: as many as its budget of seconds allows */
    run *run; /* of the kernel under way: nseeds times nsearches */
    int nruns;
    run *now;
    json_t *json;
    sq_html html; /* with --html */
} race;

/* ---- a run ---- */

static void note_gain(race *r, run *x, const sq_tune_state *s, const sq_tune_trial *t)
{
    double gain = x->start / t->seconds;
    if (x->n && gain <= x->curve[x->n - 1].gain)
        return;
    x->curve = sq_arena_grow(r->arena, x->curve, x->n, &x->room, sizeof *x->curve);
    x->curve[x->n++] = (point){t->number, s->elapsed, gain};
}

static void on_progress(const sq_tune_state *s, const sq_tune_trial *t, void *user)
{
    race *r = user;
    run *x = r->now;
    bool good = t && t->sample->status == SQ_OK && t->seconds > 0;
    if (good && !x->began)
        x->start = t->seconds;
    x->began |= t != NULL;
    if (good && x->start > 0)
        note_gain(r, x, s, t);
    sq_progress_show(r->progress, "%s  %s, seed %llu  run %d of %d  %ld trials  best %.2fx the start", r->label,
                     x->search->name, x->seed, (int)(x - r->run) + 1,
                     r->nsearches * r->nseeds, s->trials, x->n ? x->curve[x->n - 1].gain : 1);
}

static bool has_model(const race *r)
{
    return !r->o->model || strcmp(r->o->model, "none") != 0;
}

static int replay_one(race *r, run *x)
{
    sq_landscape_run o = {.search = x->search,
                          .seed = x->seed,
                          .trials = r->trials,
                          .prior = sq_ranker_prior(&r->ranker),
                          .has_model = has_model(r),
                          .cancel = sq_interrupt_flag(),
                          .progress = on_progress,
                          .user = r};
    r->now = x;
    int rc = sq_landscape_replay(&r->landscape, &o, &x->state, r->d);
    x->drafts = o.drafts;
    return rc;
}

/* What a run searches that is no landscape. */
typedef struct measured {
    const sq_kernel *k, *simulated; /* as the model runs it; NULL: it is measured */
    const int64_t *sizes;
    sq_problem *p;
} measured;

static int measure_one(race *r, const measured *what, run *x)
{
    sq_measure *m = r->m;
    sq_problem *p = what->p;
    sq_tune_problem problem = p->tune;
    sq_tune_options o = sq_problem_options(m);
    o.search = x->search;
    o.prior = sq_ranker_prior(&r->ranker);
    o.budget = m->settings.budget;
    o.trials = r->trials;
    o.rng = x->seed;
    o.run.simulated = what->simulated;
    o.progress = on_progress;
    o.user = r;
    problem.nseeds = 0;
    p->drafts = 0;
    r->now = x;
    int rc = sq_tune(what->k, what->sizes, &problem, &o, &x->state, r->arena, r->d);
    x->drafts = p->drafts;
    if (rc != 0 || x->start > 0 || sq_interrupt_signal())
        return rc;
    return sq_error(r->d, SQ_FAULT_WORLD, SQ_NOWHERE,
                    "%s: search '%s', seed %llu: there is nothing to compare with, the start failed: %s", r->label,
                    x->search->name, x->seed, x->state.first_failure);
}

/* ---- figures ---- */

/* How much faster the best was than the start when both were timed side by side at the end; without that comparison,
 * for which a budget may leave no time, by their own times. */
static double gain_of(const run *x)
{
    const sq_tune_state *s = &x->state;
    if (s->kept_start || s->start_seconds <= 0 || s->best_seconds <= 0)
        return 1;
    return s->ratio > 0 ? s->ratio : s->start_seconds / s->best_seconds;
}

/* The first point of a run that comes near the best of all runs; NULL: none did. */
static const point *arrival(const run *x, double best)
{
    for (int i = 0; i < x->n; i++)
        if (x->curve[i].gain >= close_to_best * best)
            return &x->curve[i];
    return NULL;
}

static double best_gain(const race *r)
{
    double best = 0;
    for (int i = 0; i < r->nruns; i++)
        if (r->run[i].n)
            best = fmax(best, r->run[i].curve[r->run[i].n - 1].gain);
    return best;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* 95 % interval of a geometric mean, by the bootstrap: percentiles of the means of resamples. */
static void interval(const double *x, int n, double *low, double *high)
{
    static double mean[RESAMPLES];
    double drawn[MOST_SEEDS];
    sq_rng rng = {1};
    for (int i = 0; i < RESAMPLES; i++) {
        for (int j = 0; j < n; j++)
            drawn[j] = x[sq_rng_below(&rng, (size_t)n)];
        mean[i] = sq_geomean(drawn, (size_t)n);
    }
    qsort(mean, RESAMPLES, sizeof *mean, by_value);
    *low = mean[RESAMPLES * 25 / 1000];
    *high = mean[RESAMPLES * 975 / 1000];
}

/* One search, over its seeds. */
typedef struct summary {
    int n; /* runs that ended */
    double gain, low, high;
    int arrived;
    double trials, seconds; /* medians of those that arrived */
    double elapsed;         /* median of all */
    long ntrials, failed, wrong, drafts;
} summary;

static long failures(const sq_tune_state *s)
{
    long n = 0;
    for (int i = SQ_OK + 1; i < SQ_NSTATUSES; i++)
        n += i == SQ_WRONG ? 0 : s->failed[i];
    return n;
}

static summary summarise(const race *r, const sq_search *search)
{
    summary s = {0};
    double gain[MOST_SEEDS], trials[MOST_SEEDS], seconds[MOST_SEEDS], elapsed[MOST_SEEDS], best = best_gain(r);
    for (int i = 0; i < r->nruns; i++) {
        const run *x = &r->run[i];
        if (x->search != search)
            continue;
        const point *there = arrival(x, best);
        gain[s.n] = gain_of(x);
        elapsed[s.n++] = x->state.elapsed;
        s.ntrials += x->state.trials;
        s.failed += failures(&x->state);
        s.wrong += x->state.failed[SQ_WRONG];
        s.drafts += x->drafts;
        if (there) {
            trials[s.arrived] = (double)there->trial;
            seconds[s.arrived++] = there->seconds;
        }
    }
    if (s.n == 0)
        return s;
    s.gain = sq_geomean(gain, (size_t)s.n);
    interval(gain, s.n, &s.low, &s.high);
    s.elapsed = sq_median(elapsed, (size_t)s.n);
    if (s.arrived) {
        s.trials = sq_median(trials, (size_t)s.arrived);
        s.seconds = sq_median(seconds, (size_t)s.arrived);
    }
    return s;
}

/* ---- what is said ---- */

/* Columns that the longest name takes. */
static int name_width(const race *r)
{
    int n = 10;
    for (int i = 0; i < r->nsearches; i++)
        n = (int)strlen(r->search[i]->name) > n ? (int)strlen(r->search[i]->name) : n;
    return n;
}

static void print_search(const race *r, const sq_search *search)
{
    summary s = summarise(r, search);
    char there[64] = "never";
    if (s.n == 0)
        return;
    if (s.arrived)
        snprintf(there, sizeof there, "%.0f trials, %.1f s (%d of %d)", s.trials, s.seconds, s.arrived, s.n);
    printf("  %-*s %6.3fx  (%.3f to %.3f)  %-32s %6.1f s %6ld %6ld %5ld %8ld\n", name_width(r), search->name, s.gain,
           s.low, s.high, there, s.elapsed, s.ntrials, s.failed, s.wrong, s.drafts);
}

static void print_table(const race *r)
{
    char time[32], each[64];
    if (r->trials)
        snprintf(each, sizeof each, "%ld trials", r->trials);
    else
        snprintf(each, sizeof each, "%g s", r->o->budget);
    printf("%s%s: start %s; %d seed%s, %s each\n", r->label, r->m ? "" : ", replayed",
           sq_seconds_text(r->run[0].start, time, sizeof time), r->nseeds, r->nseeds == 1 ? "" : "s", each);
    printf("  %-*s %7s  %-16s  %-32s %8s %6s %6s %5s %8s\n", name_width(r), "search", "gain", "95 %",
           "at 97 % of the best gain", "time", "trials", "failed", "wrong", "drafts");
    for (int i = 0; i < r->nsearches; i++)
        print_search(r, r->search[i]);
    fflush(stdout);
}

static json_t *run_json(const run *x)
{
    json_t *curve = json_array(), *failed = json_object();
    for (int i = 0; i < x->n; i++)
        json_array_append_new(curve, json_pack("[I, f, f]", (json_int_t)x->curve[i].trial, x->curve[i].seconds,
                                               x->curve[i].gain));
    for (int i = SQ_OK + 1; i < SQ_NSTATUSES; i++)
        json_object_set_new(failed, sq_status_name((sq_status)i), json_integer(x->state.failed[i]));
    return json_pack("{s:s, s:I, s:f, s:f, s:f, s:I, s:o, s:I, s:s?, s:s?, s:o}", "search", x->search->name, "seed",
                     (json_int_t)x->seed, "gain", gain_of(x), "start_seconds", x->state.start_seconds, "seconds",
                     x->state.elapsed, "trials", (json_int_t)x->state.trials, "failed", failed, "drafts",
                     (json_int_t)x->drafts, "ended", x->state.ended, "script", x->state.best_script, "curve", curve);
}

static json_t *search_json(const race *r, const sq_search *search)
{
    const summary s = summarise(r, search);
    json_t *j = json_pack("{s:s, s:i, s:I, s:I, s:I, s:I, s:i}", "search", search->name, "runs", s.n, "trials",
                          (json_int_t)s.ntrials, "failed", (json_int_t)s.failed, "wrong", (json_int_t)s.wrong, "drafts",
                          (json_int_t)s.drafts, "arrived", s.arrived);
    if (s.n)
        json_object_update_new(j, json_pack("{s:f, s:f, s:f, s:f}", "gain", s.gain, "low", s.low, "high", s.high,
                                            "seconds", s.elapsed));
    if (s.arrived)
        json_object_update_new(j, json_pack("{s:f, s:f}", "arrival_trials", s.trials, "arrival_seconds", s.seconds));
    return j;
}

static json_t *race_json(const race *r)
{
    json_t *runs = json_array(), *searches = json_array();
    for (int i = 0; i < r->nruns; i++)
        json_array_append_new(runs, run_json(&r->run[i]));
    for (int i = 0; i < r->nsearches; i++)
        json_array_append_new(searches, search_json(r, r->search[i]));
    return json_pack("{s:s, s:s, s:s, s:b, s:o, s:o}", "kernel", r->label, "target", r->target, "machine", r->machine,
                     "replayed", !r->m, "searches", searches, "runs", runs);
}

/* Searches that had no trial but those that chance draws say nothing of themselves. */
static void warn_of_chance(const race *r)
{
    for (int i = 0; i < r->nsearches; i++) {
        const sq_search *search = r->search[i];
        long most = 0;
        for (int x = 0; x < r->nruns; x++)
            if (r->run[x].search == search && r->run[x].state.trials > most)
                most = r->run[x].state.trials;
        bool is_led = (r->ranker.forest && search->has_prior) || (r->ranker.weights && search->has_weights);
        if (most > 0 && most <= search->by_chance && !is_led)
            sq_warning(r->d, SQ_NOWHERE,
                       "%s: search '%s' had %ld trials in a run, and draws the first %d by chance: this is random "
                       "search",
                       r->label, search->name, most, search->by_chance);
    }
}

static void say(race *r)
{
    if (r->nruns == 0)
        return;
    warn_of_chance(r);
    json_t *j = race_json(r);
    if (r->o->html)
        sq_report_race(&r->html, j);
    if (r->o->json)
        json_array_append(r->json, j);
    else
        print_table(r);
    json_decref(j);
}

/* ---- all of them ---- */

/* Those that have what they need in the space: of all that there are the others are left out, a name is an error. */
static int take_suited(race *r, const sq_space *space)
{
    r->nsearches = 0;
    for (int i = 0; i < r->nentered; i++) {
        const sq_search *s = r->entered[i];
        if (r->o->searches && sq_search_check_space(s, space, r->label, r->target, r->o, "searches", r->d) != 0)
            return -1;
        if (!s->misses || !s->misses(space))
            r->search[r->nsearches++] = s;
    }
    return 0;
}

/* All runs of one kernel, or of the landscape. */
static int run_all(race *r, const measured *what)
{
    if (take_suited(r, what ? &what->p->space : &r->landscape.space) != 0)
        return -1;
    int most = r->nseeds * r->nsearches, rc = 0;
    r->run = SQ_NEW_ARRAY(r->arena, run, most + 1);
    r->nruns = 0;
    while (r->nruns < most) {
        run *x = &r->run[r->nruns];
        x->search = r->search[r->nruns % r->nsearches];
        x->seed = (unsigned long long)r->o->seed + (unsigned)(r->nruns / r->nsearches);
        rc = what ? measure_one(r, what, x) : replay_one(r, x);
        if (rc != 0 || sq_interrupt_signal())
            break; /* what did not end is not compared, what did is said */
        r->nruns++;
    }
    sq_progress_close(r->progress);
    say(r);
    return rc;
}

static int race_one(race *r, const sq_kernel *k, const int64_t *sizes)
{
    sq_measure *m = r->m;
    sq_measure_name(m, k, sizes);
    r->label = sq_text_str(&m->label);
    if (sq_measure_is_any(m, k, sizes) != 0)
        return -1;
    measured what = {.k = k, .sizes = sizes};
    if (sq_simulated_task_kernel(&r->simulated, m, k, &what.simulated) != 0)
        return -1;
    what.p = sq_problem_new(m, k, what.simulated, sizes, has_model(r));
    return what.p ? run_all(r, &what) : -1;
}

static int race_all(race *r)
{
    sq_unit *unit = r->m->task.unit;
    for (int i = 0; i < unit->nkernels; i++) {
        int64_t *rows;
        int n = sq_measure_sizes(r->m, unit->kernel[i], &rows);
        if (n < 0)
            return -1;
        for (int row = 0; row < n && !sq_interrupt_signal(); row++)
            if (race_one(r, unit->kernel[i], rows + (ptrdiff_t)row * unit->kernel[i]->nsizes) != 0)
                return -1;
    }
    return 0;
}

/* What --searches names, or all there are. */
static int choose_searches(race *r)
{
    const char *at = r->o->searches;
    for (const sq_search *const *s = sq_searches; !at && *s && r->nentered < MOST_SEARCHES; s++) {
        const char *lacks = (*s)->lacks ? (*s)->lacks() : NULL;
        if ((*s)->has_weights && !r->o->ranker)
            continue; /* it has nothing to begin with */
        if (lacks)
            sq_warning(r->d, SQ_NOWHERE, "search '%s' is left out: it needs %s", (*s)->name, lacks);
        else
            r->entered[r->nentered++] = *s;
    }
    while (at) {
        size_t n = strcspn(at, ",");
        const sq_search *s = sq_search_named(r->o, sq_arena_strndup(r->arena, at, n), "searches", r->d);
        if (!s)
            return -1;
        for (int i = 0; i < r->nentered; i++)
            if (r->entered[i] == s)
                return sq_error(r->d, SQ_FAULT_USAGE, sq_settings_loc(r->o, "searches"),
                                "search '%s' stands there twice", s->name);
        if (r->nentered < MOST_SEARCHES)
            r->entered[r->nentered++] = s;
        at = at[n] ? at + n + 1 : NULL;
    }
    return 0;
}

static int take_numbers(race *r)
{
    const sq_settings *o = r->o;
    r->trials = o->trials ? (long)o->trials : o->budget > 0 ? 0 : TRIALS;
    r->nseeds = o->seeds ? (int)o->seeds : SEEDS;
    if (o->seeds > MOST_SEEDS)
        return sq_error(r->d, SQ_FAULT_USAGE, sq_settings_loc(o, "seeds"), "%lld seeds; accepted are up to %d",
                        o->seeds, MOST_SEEDS);
    return 0;
}

static int open_ranker(race *r, const char *machine_class)
{
    return sq_ranker_open(r->o, machine_class, r->entered, r->nentered, "searches", &r->ranker, r->d);
}

/* Of the machine that a landscape was recorded on. */
static const char *class_of(const race *r)
{
    const sq_target *t = sq_target_get(r->landscape.target);
    return t ? t->machine : r->landscape.target;
}

static int race_measured(race *r, sq_measure *m)
{
    if (sq_measure_open_timed(m, r->o, r->d) != 0)
        return -1;
    r->m = m;
    r->o = &m->settings;
    r->arena = m->task.arena;
    r->progress = &m->progress;
    r->target = m->task.target->name;
    r->machine = m->fingerprint;
    if (choose_searches(r) != 0 || open_ranker(r, m->task.machine->isa) != 0)
        return -1;
    sq_interrupt_hold(); /* what has ended is said */
    int rc = r->o->record ? sq_race_record(m) : race_all(r);
    sq_interrupt_release();
    return rc;
}

static int race_replayed(race *r)
{
    sq_progress progress;
    r->arena = sq_arena_new();
    sq_progress_open(&progress, stderr, r->o->quiet ? SQ_PROGRESS_NEVER : (sq_progress_mode)r->o->progress);
    r->progress = &progress;
    int rc = sq_landscape_read(&r->landscape, r->o->replay, r->arena, r->d);
    r->label = r->landscape.label;
    r->target = r->landscape.target;
    r->machine = r->landscape.machine;
    rc = rc ? rc : choose_searches(r) || open_ranker(r, class_of(r)) ? -1 : 0;
    sq_interrupt_hold();
    rc = rc ? rc : run_all(r, NULL);
    sq_interrupt_release();
    sq_progress_close(&progress);
    return rc;
}

/* Options that mean nothing together. */
static int check_options(const sq_settings *o, sq_diags *d)
{
    const char *model = o->model ? o->model : "draft";
    bool is_model = strcmp(model, "draft") == 0 || strcmp(model, "none") == 0;
    bool has_runs = o->searches || o->seeds || o->trials || o->budget > 0 || o->model;
    const struct {
        bool is_wrong;
        const char *option, *why;
    } rows[] = {
        {o->record && o->replay, "replay", "--record measures, --replay does not: one of them"},
        {o->record && strcmp(o->record, "-") == 0, "record", "a landscape goes to a file"},
        {o->replay && o->files.n, "replay", "a landscape is replayed without a description"},
        {o->replay && o->budget > 0, "budget", "nothing is measured, which takes no time: give --trials"},
        {o->replay && !is_model, "model", "a landscape has the guesses of one model: --model=draft, or none"},
        {o->points && !o->record, "points", "--points is for --record"},
        {o->points < 0 || o->points > SQ_LANDSCAPE_POINTS, "points", "accepted are up to 100000 points"},
        {o->schedules && !o->record, "schedules", "--schedules is for --record"},
        {o->schedules < 0 || o->schedules > SQ_LANDSCAPE_POINTS, "schedules", "accepted are up to 100000 schedules"},
        {o->record && o->ranker, "ranker", "--record compares no searches: a ranker is for --replay"},
        {o->record && o->html, "html", "--record compares no searches: a report is for --replay"},
        {o->record && has_runs, "record",
         "every point is measured once: --searches, --seeds, --trials, --budget and --model are for --replay"},
    };
    _Static_assert(SQ_LANDSCAPE_POINTS == 100000, "the message says so");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].is_wrong)
            return sq_error(d, SQ_FAULT_USAGE, sq_settings_loc(o, rows[i].option), "%s", rows[i].why);
    return 0;
}

int sq_cmd_race(const sq_settings *o, sq_diags *d)
{
    sq_measure m = {0};
    race r = {.o = o, .d = d, .json = json_array(), .html = {.title = "Searches compared"}};
    int rc = check_options(o, d) || take_numbers(&r) || sq_report_check(o, d) ? -1 : 0;
    if (rc == 0)
        rc = o->replay ? race_replayed(&r) : race_measured(&r, &m);
    if (o->json && json_array_size(r.json)) {
        json_dumpf(r.json, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
        printf("\n");
    }
    if (r.html.nsections && sq_report_write(&r.html, o, d) != 0)
        rc = -1;
    sq_html_free(&r.html);
    json_decref(r.json);
    sq_learned_free(&r.ranker);
    if (o->replay)
        sq_arena_free(r.arena);
    else
        sq_measure_close(&m);
    sq_simulated_task_close(&r.simulated);
    return rc;
}
