/* squall tune: measures candidate schedules and keeps the best one in K.<class>.sched. The work is
 * tuner/tune.c's; here are the space (tuner/space/sketch.h), the progress line, the log and Ctrl-C. */
#include "cli/problem.h"
#include "support/file.h"
#include "support/interrupt.h"
#include "tuner/store/sched_file.h"
#include "tuner/tune_record.h"
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOG_VERSION = 1, LOG_LINE = 1 << 16, SHORT = 16 };
static const double default_budget = 60;

struct shown {
    sq_measure *m;
    sq_task simulated; /* the description as the model runs it; open if there is a path */
    sq_settings simulated_settings;
    double budget;
    sq_roof roof; /* of the kernel under way */
    long trials;
    FILE *log;
    const sq_search *search; /* of the kernel under way, for the log */
    const char *target;
    int ncoords;
};

/* ---- the problem ---- */

static bool is_predicted(const sq_measure *m)
{
    return m->runner == &sq_runner_model;
}

/* Sizes that --fix made constants are parameters again, so that small ones can be run; short ones
 * stay, since tiles may unroll them. */
static int open_simulated(struct shown *v)
{
    sq_measure *m = v->m;
    const sq_sizes *given = &m->settings.fix;
    sq_settings *o = &v->simulated_settings;
    *o = m->settings;
    o->fix = (sq_sizes){0, SQ_NEW_ARRAY(m->task.arena, sq_fix, given->n + 1)};
    for (int i = 0; i < given->n; i++)
        if (given->fix[i].value <= SHORT)
            o->fix.fix[o->fix.n++] = given->fix[i];
    return sq_task_open(&v->simulated, o, m->task.d) == 0 ? sq_task_run_named(&v->simulated, "deps")
                                                          : -1;
}

/* Of the same name, in the description as the model runs it; NULL after adding an error. */
static const sq_kernel *simulated_kernel(struct shown *v, const sq_kernel *k)
{
    if (v->m->settings.fix.n == 0)
        return k;
    if (!v->simulated.path && open_simulated(v) != 0)
        return NULL;
    for (int i = 0; i < v->simulated.unit->nkernels; i++)
        if (strcmp(v->simulated.unit->kernel[i]->name, k->name) == 0)
            return v->simulated.unit->kernel[i];
    return NULL;
}

/* ---- progress ---- */

static long failures(const sq_tune_state *s)
{
    long n = 0;
    for (int i = SQ_BUILD_FAILED; i < SQ_NSTATUSES; i++)
        n += s->failed[i];
    return n;
}

/* "1.20 ms, 223.7 GFLOP/s (94 % of peak), 2.31x the untuned" */
static void put_best(const struct shown *v, const sq_tune_state *s, sq_text *to)
{
    char time[32];
    sq_text_printf(to, "%s%s", is_predicted(v->m) ? "predicted, not measured: " : "",
                   sq_seconds_text(s->best_seconds, time, sizeof time));
    sq_roof_text(&v->roof, s->best_seconds, to);
    if (s->kept_start)
        sq_text_puts(to, ", the untuned schedule");
    else if (s->ratio > 0)
        sq_text_printf(to, ", %.2fx the untuned", s->ratio);
    else if (s->start_seconds > 0 && s->start_seconds > 1.005 * s->best_seconds)
        sq_text_printf(to, ", %.2fx the untuned", s->start_seconds / s->best_seconds);
}

static void show_state(const struct shown *v, const sq_tune_state *s)
{
    sq_text line = {0};
    sq_text_printf(&line, "%s  %.0f", sq_text_str(&v->m->label), s->elapsed);
    if (v->budget > 0)
        sq_text_printf(&line, "/%.0f", v->budget);
    sq_text_printf(&line, " s  %ld", s->trials);
    if (v->trials > 0)
        sq_text_printf(&line, "/%ld", v->trials);
    sq_text_puts(&line, s->trials == 1 ? " trial" : " trials");
    if (failures(s))
        sq_text_printf(&line, " (%ld failed)", failures(s));
    if (s->found) {
        sq_text_puts(&line, "  best ");
        put_best(v, s, &line);
    }
    sq_progress_show(&v->m->progress, "%s", sq_text_str(&line));
    sq_text_free(&line);
}

static json_t *point_json(const sq_tune_trial *t, int ncoords)
{
    json_t *point = t->point ? json_array() : json_null();
    for (int c = 0; t->point && c < ncoords; c++)
        json_array_append_new(point, json_integer(t->point[c]));
    return point;
}

/* One line; docs/TUNING.md says what its members are. */
static void log_trial(const struct shown *v, const sq_tune_state *s, const sq_tune_trial *t)
{
    const sq_measure *m = v->m;
    json_t *times = json_array();
    for (int i = 0; i < t->sample->n; i++)
        json_array_append_new(times, json_real(t->sample->times[i]));
    json_t *j =
        json_pack("{s:f, s:s, s:s, s:I, s:s, s:f, s:b, s:o, s:s, s:s}", "t", s->elapsed, "ev",
                  "sample", "kernel", sq_text_str(&m->label), "trial", (json_int_t)t->number,
                  "status", sq_status_name(t->sample->status), "seconds", t->seconds, "best",
                  (int)t->wins, "times", times, "message", t->sample->message, "script", t->script);
    json_t *run =
        json_pack("{s:s, s:s, s:s, s:s, s:I, s:o}", "search", v->search->name, "target", v->target,
                  "class", m->task.machine->isa, "machine", m->fingerprint, "seed",
                  (json_int_t)m->settings.seed, "point", point_json(t, v->ncoords));
    json_object_update(j, run);
    char *line = j && run ? json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    if (line) { /* in one write: another run may add to the same file */
        fprintf(v->log, "%s\n", line);
        fflush(v->log);
    }
    free(line);
    json_decref(run);
    json_decref(j);
}

/* A line of --verbose: what came of a trial, or why nothing did. */
static void note_trial(const struct shown *v, const sq_tune_trial *t)
{
    const char *status = sq_status_name(t->sample->status);
    if (t->sample->status == SQ_OK)
        sq_progress_note(&v->m->progress, "%4ld %-12s %9.3f ms %s %s", t->number, status,
                         1e3 * t->seconds, t->wins ? "*" : " ", t->script);
    else
        sq_progress_note(&v->m->progress, "%4ld %-12s %s: %s", t->number, status,
                         t->sample->message, t->script);
}

static void on_progress(const sq_tune_state *s, const sq_tune_trial *trial, void *user)
{
    const struct shown *v = user;
    if (trial && v->log)
        log_trial(v, s, trial);
    if (trial && v->m->settings.verbose > 0)
        note_trial(v, trial);
    if (!v->m->settings.verbose)
        show_state(v, s);
}

/* Only what is new, empty, no regular file, or a log already is added to. */
static FILE *open_log(const char *path, sq_diags *d)
{
    static const char first[] = "{\"squall-log\":";
    char head[sizeof first] = "";
    FILE *f = fopen(path, "a+");
    if (!f) {
        sq_file_refuse(d, "write", path);
        return NULL;
    }
    struct stat st;
    setvbuf(f, NULL, _IOFBF, LOG_LINE);
    bool is_file = fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode);
    bool is_new = is_file && fread(head, 1, sizeof first - 1, f) == 0;
    if (is_file && !is_new && strcmp(head, first) != 0) {
        fclose(f);
        sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "'%s' is no log of squall: nothing was added",
                 path);
        sq_help(d, SQ_NOWHERE, "name a new file with --log=FILE");
        return NULL;
    }
    fseek(f, 0, SEEK_END); /* from reading to writing */
    if (is_new || !is_file)
        fprintf(f, "{\"squall-log\":%d}\n", LOG_VERSION);
    fflush(f);
    return f;
}

/* ---- one kernel at one row of sizes ---- */

static const char *sched_path_of(const sq_measure *m)
{
    const sq_task *task = &m->task;
    const char *path = strcmp(task->path, "<stdin>") == 0 ? "stdin.sq" : task->path;
    return sq_sched_path(task->arena, path, task->machine->isa, m->settings.out_dir);
}

/* A file that is no .sched file may be somebody's work: renamed, never deleted. */
static int set_aside(sq_measure *m, const char *path, const char *why)
{
    char to[PATH_MAX];
    if (sq_file_set_aside(path, to, sizeof to) != 0)
        return sq_error(m->task.d, SQ_FAULT_WORLD, SQ_NOWHERE, "cannot set '%s' aside: %s", path,
                        strerror(errno));
    sq_warning(m->task.d, SQ_NOWHERE, "%s cannot be added to and was set aside as %s", path, to);
    sq_note(m->task.d, SQ_NOWHERE, "%s", why);
    return 0;
}

/* Checks that a file of that name can be made or replaced. 0; -1 after an error. */
static int check_writable(sq_measure *m, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *folder =
        slash ? sq_arena_strndup(m->task.arena, path, (size_t)(slash - path) + 1) : ".";
    struct stat st;
    bool is_there = stat(path, &st) == 0, leads_nowhere = !is_there && sq_file_exists(path);
    if (is_there && S_ISDIR(st.st_mode))
        errno = EISDIR;
    else if (leads_nowhere)
        (void)!stat(path, &st); /* a link; errno says how */
    else if (access(folder, W_OK | X_OK) == 0 && (!is_there || access(path, W_OK) == 0))
        return 0;
    return sq_file_refuse(m->task.d, "write", path);
}

static sq_tune_options options_of(sq_measure *m, struct shown *v, const char *source_hash)
{
    const sq_settings *o = &m->settings;
    sq_tune_options t = sq_problem_options(m);
    t.store = !o->store || strcmp(o->store, "none") != 0 ? &sq_store_sqlite : NULL;
    t.store_path = o->store;
    t.sched_path = sched_path_of(m);
    t.source_hash = source_hash;
    t.predicted_for = is_predicted(m) ? m->machine : NULL;
    t.budget = v->budget;
    t.asked = o->budget > 0 ? o->budget : v->budget > 0 ? default_budget : 0;
    t.trials = v->trials;
    t.resume = o->resume;
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
    sq_text best = {0};
    if (v->m->settings.quiet)
        return;
    if (s->ended)
        sq_note(v->m->task.d, SQ_NOWHERE, "%s: the search ended before its budget: %s",
                sq_text_str(&v->m->label), s->ended);
    if (s->found)
        put_best(v, s, &best);
    if (s->found)
        fprintf(stderr, "%s: %s%s; %ld trial%s in %.0f s%s %s\n", sq_text_str(&v->m->label),
                sq_text_str(&best), nothing_faster(s), s->trials, s->trials == 1 ? "" : "s",
                s->elapsed, s->withheld ? "; not measured again, so kept as it was:" : " ->", path);
    else
        fprintf(stderr, "%s: interrupted before anything was measured\n",
                sq_text_str(&v->m->label));
    sq_text_free(&best);
}

/* The best will go into a .sched file that can be read and written, or none is there yet. Asked
 * before the search, whose time would otherwise be spent for nothing. */
static int check_destination(sq_measure *m)
{
    const sq_task *task = &m->task;
    const char *path = sched_path_of(m);
    size_t mark = sq_diags_mark(task->d);
    if (check_writable(m, path) != 0)
        return -1;
    if (!sq_file_exists(path))
        return 0;
    const sq_sched_file *f = sq_sched_read(path, task->arena, task->d);
    if (f && strcmp(f->machine, task->machine->isa) == 0)
        return 0;
    if (f)
        return set_aside(m, path, sq_arena_printf(task->arena, "it is for class %s", f->machine));
    if (sq_diags_fault(task->d) != SQ_FAULT_INPUT)
        return -1;
    const char *why = sq_arena_strdup(task->arena, sq_diags_message(task->d, mark));
    sq_diags_rewind(task->d, mark);
    return set_aside(m, path, why);
}

static int tune_one(sq_measure *m, const sq_kernel *k, const int64_t *sizes, struct shown *v)
{
    sq_tune_state state;
    sq_hash hash = sq_hash_bytes(m->task.text, m->task.ntext);
    sq_measure_name(m, k, sizes);
    if (sq_measure_is_any(m, k, sizes) != 0)
        return -1;
    v->roof = sq_measure_roof(m, k, sizes);
    sq_tune_options o = options_of(m, v, hash.hex);
    o.search = sq_search_named(&m->settings, m->settings.search, "search", m->task.d);
    if (!o.search || sq_record_check(k, sizes, &o, m->task.arena, m->task.d) != 0)
        return -1;
    if (is_predicted(m))
        o.run.simulated = simulated_kernel(v, k);
    if (is_predicted(m) && !o.run.simulated)
        return -1;
    sq_problem *p = sq_problem_new(m, k, o.run.simulated, sizes, true);
    if (!p)
        return -1;
    v->search = o.search;
    v->target = o.target;
    v->ncoords = p->space.n;
    int rc = sq_tune(k, sizes, &p->tune, &o, &state, m->task.arena, m->task.d);
    sq_progress_close(&m->progress);
    if (rc == 0)
        summarise(v, &state, o.sched_path);
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

/* The budget is shared out evenly; what one does not use goes to those after it. */
static int tune_all(sq_measure *m, struct shown *v)
{
    const sq_settings *o = &m->settings;
    double budget = o->budget > 0 || o->trials > 0 ? o->budget : default_budget;
    int left = count_work(m);
    double end = sq_terminal_seconds() + budget;
    if (left < 0)
        return -1;
    for (int i = 0; i < m->task.unit->nkernels; i++) {
        const sq_kernel *k = m->task.unit->kernel[i];
        int64_t *rows;
        int n = sq_measure_sizes(m, k, &rows);
        for (int r = 0; r < n && !sq_interrupt_signal(); r++, left--) {
            v->budget = budget > 0 ? fmax(0.1, (end - sq_terminal_seconds()) / left) : 0;
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

int sq_cmd_tune(const sq_settings *o, sq_diags *d)
{
    sq_measure m;
    struct shown v = {.m = &m, .trials = (long)o->trials};
    int rc = sq_measure_open(&m, o, d);
    if (rc == 0)
        rc = refuse_scripts(&m);
    if (rc == 0)
        rc = check_destination(&m);
    if (rc == 0 && o->log) {
        v.log = open_log(o->log, d);
        rc = v.log ? 0 : -1;
    }
    if (rc == 0) {
        sq_interrupt_hold(); /* the best so far is kept */
        rc = tune_all(&m, &v);
        sq_interrupt_release();
    }
    if (v.log)
        fclose(v.log);
    if (v.simulated.path)
        sq_task_close(&v.simulated);
    sq_measure_close(&m);
    return rc;
}
