/* Reports, show best: the trials that the store has of each kernel, at its sizes, for its targets. */
#include "cli/report_tune.h"
#include "support/stats.h"
#include "transforms/transform.h"
#include "tuner/point_text.h"
#include "tuner/space/choices.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* One of the rows that `show best` prints, and what the store has of it. */
typedef struct found {
    sq_task *task;
    const sq_kernel *kernel;
    const sq_target *target;
    const sq_machine *machine;
    bool openmp;
    sq_choices *choices; /* NULL: the points' meaning is not known */
    int64_t first;       /* when the oldest was made */
    double best;
    sq_report_trials trials;
} found;

/* ---- the space ---- */

/* "M=512,N=512" as the kernel's sizes; false where one is missing. */
static bool read_sizes(sq_task *task, const sq_kernel *k, const char *text, int64_t *to)
{
    sq_sizes at = {0};
    bool all = true;
    if (*text && sq_sizes_parse(text, &at, task->arena, SQ_NOWHERE, task->d) != 0)
        return false;
    for (int i = 0; i < k->nsizes; i++) {
        bool is_there = k->size[i]->fixed;
        to[i] = k->size[i]->value;
        for (int s = 0; s < at.n; s++)
            if (strcmp(at.fix[s].name, k->size[i]->name) == 0) {
                to[i] = at.fix[s].value;
                is_there = true;
            }
        all &= is_there;
    }
    return all;
}

/* Its target, and the machine if that is this one. */
static bool take_target(found *f, const char *target, const char *machine)
{
    sq_arena *arena = f->task->arena;
    size_t n = strcspn(target, ",");
    sq_host *host = SQ_NEW(arena, sq_host);
    f->openmp = strstr(target + n, "openmp") != NULL;
    f->target = sq_target_get(sq_arena_strndup(arena, target, n));
    if (!f->target || f->target->grid)
        return false;
    f->machine = sq_machine_class(f->target->machine);
    if (sq_target_runs_here(f->target)) {
        sq_host_get(host, false, f->task->d);
        if (strcmp(host->fingerprint, machine) == 0)
            f->machine = &host->machine;
    }
    return f->machine != NULL;
}

static void open_space(found *f, const char *sizes)
{
    sq_arena *arena = f->task->arena;
    int64_t *at = SQ_NEW_ARRAY(arena, int64_t, f->kernel->nsizes + 1);
    if (!read_sizes(f->task, f->kernel, sizes, at))
        return;
    int threads = f->openmp ? f->machine->cores : 1;
    f->choices = sq_choices_new(f->kernel, f->machine, f->target, at, threads, arena);
}

/* ---- trials ---- */

/* A point's text, if it still means the script; NULL. */
static const int *point_of(const found *f, const sq_trial *r)
{
    static int point[SQ_MAX_COORDS];
    const sq_space *s = f->choices ? sq_choices_space(f->choices) : NULL;
    sq_text script = {0};
    if (!s || !sq_point_read(r->point, s, point))
        return NULL;
    sq_choices_script(f->choices, point, &script);
    bool same = strcmp(sq_text_str(&script), r->script) == 0;
    sq_text_free(&script);
    return same ? point : NULL;
}

static void add_row(const sq_trial *r, void *user)
{
    found *f = user;
    bool ok = r->sample.status == SQ_OK && r->sample.n > 0;
    if (f->trials.n == 0)
        f->first = r->when;
    sq_report_trial x = {.number = f->trials.n + 1,
                         .elapsed = (double)(r->when - f->first),
                         .status = r->sample.status,
                         .seconds = ok ? sq_median(r->sample.times, (size_t)r->sample.n) : 0,
                         .script = r->script,
                         .message = r->sample.message,
                         .point = point_of(f, r)};
    x.wins = ok && (f->best == 0 || x.seconds < f->best);
    f->best = x.wins ? x.seconds : f->best;
    sq_report_trials_add(&f->trials, &x, f->choices ? sq_choices_space(f->choices)->n : 0,
                         f->task->arena);
}

/* ---- the page ---- */

static void put_code(sq_html *h, found *f, const char *script)
{
    sq_task *task = f->task;
    const sq_target *target = task->target;
    bool openmp = task->openmp;
    sq_diags *d = sq_diags_new();
    sq_schedule *s = sq_schedule_new(f->kernel, task->arena);
    task->target = f->target;
    task->openmp = f->openmp;
    if (s && sq_script_apply(s, script, "the best", task->arena, d) == 0)
        sq_report_code(h, task, s, "the fastest in the store");
    else
        sq_html_paragraph(h, "missing", "Its schedule cannot be shown: %s", sq_diags_message(d, 0));
    task->target = target;
    task->openmp = openmp;
    sq_diags_free(d);
}

static int put_row(sq_html *h, sq_task *task, const sq_kernel *k, sq_db *db, const json_t *row)
{
    char text[32];
    const sq_hash hash = sq_kernel_hash(k);
    double seconds = json_number_value(json_object_get(row, "seconds"));
    sq_arena *arena = task->arena;
    found f = {.task = task, .kernel = k};
    sq_trial like = {.kernel_hash = hash.hex,
                   .sizes = sq_report_text(row, "sizes"),
                   .target = sq_report_text(row, "target"),
                   .machine = sq_report_text(row, "machine")};
    bool known = take_target(&f, like.target, like.machine);
    if (known)
        open_space(&f, like.sizes);
    if (sq_store_sqlite.get(db, &like, add_row, &f, task->d) < 0)
        return -1;
    sq_html_open(h, "%s at %s, %s", k->name, *like.sizes ? like.sizes : "its sizes", like.target);
    sq_html_paragraph(h, "note", "Machine %s.", like.machine);
    sq_html_facts_open(h);
    sq_html_fact(h, "Best", seconds, "%s", sq_seconds_text(seconds, text, sizeof text));
    sq_html_fact(h, "Trials that ran", json_number_value(json_object_get(row, "trials")), "%.0f",
                 json_number_value(json_object_get(row, "trials")));
    sq_html_facts_close(h);
    sq_html_raw(h, "<div class=\"plots\">\n");
    sq_report_progress(h, &f.trials, arena);
    sq_report_landscape(h, &f.trials, f.choices ? sq_choices_space(f.choices) : NULL,
                        f.target && f.target->grid, arena);
    sq_html_raw(h, "</div>\n");
    sq_report_candidates(h, &f.trials, NULL, arena);
    if (known)
        put_code(h, &f, sq_report_text(row, "script"));
    sq_html_close(h);
    return 0;
}

static const sq_kernel *kernel_of(const sq_task *task, const char *name)
{
    for (int i = 0; i < task->unit->nkernels; i++)
        if (strcmp(task->unit->kernel[i]->name, name) == 0)
            return task->unit->kernel[i];
    return NULL;
}

int sq_report_best(sq_task *task, const char *topic, json_t *json)
{
    char place[PATH_MAX];
    const json_t *row, *list = json_object_get(json, "best");
    size_t i;
    int rc = 0;
    (void)topic;
    sq_html h = {.title = sq_arena_printf(task->arena, "The fastest trials of %s", task->path)};
    sq_store_default_path(place, sizeof place);
    const char *store = task->o->store ? task->o->store : place;
    sq_db *db = json_array_size(list) ? sq_store_sqlite.open(store, task->d) : NULL;
    if (json_array_size(list) == 0)
        sq_html_paragraph(&h, NULL, "There are no trials in the store.");
    json_array_foreach(list, i, row)
    {
        const sq_kernel *k = kernel_of(task, sq_report_text(row, "kernel"));
        const char *fix = json_string_value(json_object_get(row, "fix"));
        if (fix && db) /* of a kernel with constants, which is not read here */
            sq_html_paragraph(&h, NULL,
                              "%s at %s was tuned with constants: `squall show best %s --fix=%s%s%s --html=FILE` "
                              "writes its page.",
                              sq_report_text(row, "kernel"), sq_report_text(row, "sizes"), task->path, fix,
                              task->o->store ? " --store=" : "", task->o->store ? task->o->store : "");
        else if (db && k && rc == 0)
            rc = put_row(&h, task, k, db, row);
    }
    sq_store_sqlite.close(db);
    if (rc == 0 && (db || json_array_size(list) == 0))
        return sq_report_write(&h, task->o, task->d);
    sq_html_free(&h);
    return -1;
}
