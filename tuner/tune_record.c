/* Tune record: see tune_record.h. A row is kept under everything its time depends on; a point is
 * only a hint beside its script, since spaces change from version to version. */
#include "tuner/tune_record.h"
#include "support/file.h"
#include "support/memory.h"
#include "transforms/dot.h"
#include "tuner/store/sched_file.h"
#include "tuner/measure/toolchain.h"
#include "tuner/point_text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct sq_record {
    const sq_store *store;
    sq_db *db;
    char kernel_hash[33], compiler[400];
    sq_text sizes;
    sq_trial like; /* what all rows of this run have in common */
};

sq_record *sq_record_open(const sq_kernel *k, const int64_t *sizes, const sq_tune_options *o,
                          sq_diags *d)
{
    if (!o->store)
        return NULL;
    sq_record *r = sq_allocated(calloc(1, sizeof *r));
    char version[200];
    r->store = o->store;
    r->db = o->store->open(o->store_path, d);
    if (!r->db) {
        free(r);
        return NULL;
    }
    memcpy(r->kernel_hash, sq_kernel_hash(k).hex, sizeof r->kernel_hash);
    (o->runner ? o->runner : &sq_runner_local)->compiler(o->run.cc, version, sizeof version);
    snprintf(r->compiler, sizeof r->compiler, "%s %.150s", version,
             o->run.cflags ? o->run.cflags : "");
    sq_sizes_text(k, sizes, &r->sizes);
    r->like = (sq_trial){.kernel = k->name,
                       .kernel_hash = r->kernel_hash,
                       .sizes = sq_text_str(&r->sizes),
                       .target = o->target,
                       .machine_class = o->machine_class,
                       .machine = o->machine,
                       .compiler = r->compiler};
    return r;
}

void sq_record_put(sq_record *r, const char *script, const sq_space *space, const int *point, const sq_sample *s,
                   sq_diags *d)
{
    if (!r)
        return;
    sq_text at = {0};
    if (point)
        sq_point_print(space, point, &at);
    sq_trial row = r->like;
    row.script = script;
    row.point = sq_text_str(&at);
    row.sample = *s;
    r->store->put(r->db, &row, d);
    sq_text_free(&at);
}

bool sq_record_place(const sq_trial *row, const sq_tune_problem *p, int *point)
{
    sq_text script = {0};
    bool is = sq_point_read(row->point, p->space, point) && p->script(p->user, point, &script) == 0 &&
              strcmp(sq_text_str(&script), row->script) == 0;
    sq_text_free(&script);
    return is;
}

struct each {
    const sq_tune_problem *p;
    void (*f)(const sq_trial *row, const int *point, void *user);
    void *user;
};

static void check_row(const sq_trial *row, void *user)
{
    struct each *e = user;
    int point[SQ_MAX_COORDS];
    if (sq_record_place(row, e->p, point))
        e->f(row, point, e->user);
}

void sq_record_each(sq_record *r, const sq_tune_problem *p,
                    void (*f)(const sq_trial *row, const int *point, void *user), void *user,
                    sq_diags *d)
{
    struct each e = {p, f, user};
    if (r)
        r->store->get(r->db, &r->like, check_row, &e, d);
}

const sq_trial *sq_record_like(const sq_record *r)
{
    return r ? &r->like : NULL;
}

int sq_record_each_of_target(sq_record *r, sq_row_fn f, void *user, sq_diags *d)
{
    sq_trial like = {.target = r->like.target, .machine_class = r->like.machine_class};
    return r->store->get(r->db, &like, f, user, d);
}

void sq_record_close(sq_record *r)
{
    if (!r)
        return;
    r->store->close(r->db);
    sq_text_free(&r->sizes);
    free(r);
}

/* When and on what it was measured: a schedule outlives the machine that found it. The date is of the tuning, so
 * that a compile that repeats the line depends on its input alone. */
static void put_where(const sq_tune_options *o, sq_text *to)
{
    const sq_runner *runner = o->runner ? o->runner : &sq_runner_local;
    time_t now = time(NULL);
    struct tm utc;
    char date[32], version[200];
    if (!o->machine_name || o->predicted_for || !gmtime_r(&now, &utc))
        return;
    strftime(date, sizeof date, "%Y-%m-%d", &utc);
    runner->compiler(o->run.cc, version, sizeof version);
    version[strcspn(version, "\r\n")] = 0;
    sq_text_printf(to, "    # tuned: %s, %.*s", date, (int)strcspn(o->machine_name, "\r\n"), o->machine_name);
    if (runner == &sq_runner_local)
        sq_text_printf(to, ", %d thread%s", o->run.threads, o->run.threads == 1 ? "" : "s");
    sq_text_printf(to, ", %s\n", version);
}

/* "    # 1.201 ms (1.195 to 1.210), 223.5 GFLOP/s, 57 trials", where, and the script, indented. */
static const char *script_text(const sq_tune_state *s, const sq_tune_options *o, sq_arena *arena)
{
    sq_text t = {0};
    if (o->predicted_for)
        sq_text_printf(&t, "\n    # not measured: the model predicts %.4g ms on %s",
                       1e3 * s->best_seconds, o->predicted_for);
    else
        sq_text_printf(&t, "\n    # %.4g ms (95 %% interval %.4g to %.4g)", 1e3 * s->best_seconds,
                       1e3 * s->low, 1e3 * s->high);
    if (s->flops > 0)
        sq_text_printf(&t, ", %.4g GFLOP/s", 1e-9 * s->flops / s->best_seconds);
    sq_text_printf(&t, ", best of %ld trials\n", s->trials);
    put_where(o, &t);
    for (const char *at = s->best_script; *at;) {
        size_t n = strcspn(at, "\n");
        sq_text_printf(&t, "    %.*s\n", (int)n, at);
        at += n + (at[n] == '\n');
    }
    return sq_text_take(&t, arena);
}

/* What is found will stand there, so far without a script. */
static sq_sched_entry entry_for(const sq_kernel *k, const int64_t *sizes, const sq_tune_options *o)
{
    sq_sched_entry e = {.kernel = k->name,
                        .openmp = o->openmp,
                        .words = o->words && sq_dot_any(k),
                        .nsizes = k->nsizes,
                        .unmeasured = o->predicted_for != NULL,
                        .before = "\n"};
    memcpy(e.kernel_hash, sq_kernel_hash(k).hex, sizeof e.kernel_hash);
    memset(e.source_hash, '0', 32);
    if (o->source_hash)
        snprintf(e.source_hash, sizeof e.source_hash, "%.32s", o->source_hash);
    for (int i = 0; i < k->nsizes && i < SQ_SCHED_SIZES; i++) {
        bool fixed = k->size[i]->fixed;
        e.size[i] = (sq_sched_size){k->size[i]->name, fixed ? k->size[i]->value : sizes[i]};
    }
    return e;
}

int sq_record_check(const sq_kernel *k, const int64_t *sizes, const sq_tune_options *o,
                    sq_arena *arena, sq_diags *d)
{
    if (!o->predicted_for || !sq_file_exists(o->sched_path))
        return 0;
    const sq_sched_file *f = sq_sched_read(o->sched_path, arena, d);
    const sq_sched_entry e = entry_for(k, sizes, o), *old = f ? sq_sched_same(f, &e) : NULL;
    if (!f)
        return -1;
    if (!old || old->unmeasured)
        return 0;
    sq_error(d, SQ_FAULT_INPUT, old->loc,
             "this schedule of '%s' was measured; what a model predicts does not replace it",
             k->name);
    sq_help(d, SQ_NOWHERE, "take the entry out of the file, or write another one: --out-dir=DIR");
    return -1;
}

/* What `script_text` or a person wrote between the braces: comments and blanks around lines go. */
static const char *bare_script(const char *script, sq_arena *arena)
{
    sq_text t = {0};
    for (const char *at = script; *at;) {
        const char *line = at + strspn(at, " \t\r");
        size_t n = strcspn(line, "#\n");
        at = line + strcspn(line, "\n");
        at += *at == '\n';
        while (n && strchr(" \t\r", line[n - 1]))
            n--;
        if (n)
            sq_text_printf(&t, "%s%.*s", t.n ? "\n" : "", (int)n, line);
    }
    return sq_text_take(&t, arena);
}

const char *sq_record_earlier(const sq_kernel *k, const int64_t *sizes, const sq_tune_options *o,
                              sq_arena *arena, sq_diags *d)
{
    if (!o->sched_path || !sq_file_exists(o->sched_path))
        return NULL;
    size_t mark = sq_diags_mark(d);
    const sq_sched_file *f = sq_sched_read(o->sched_path, arena, d);
    sq_diags_rewind(d, mark); /* said when the result is written */
    const sq_sched_entry e = entry_for(k, sizes, o), *old = f ? sq_sched_same(f, &e) : NULL;
    const char *script = old ? bare_script(old->script, arena) : "";
    return script[0] ? script : NULL;
}

int sq_record_keep(const sq_kernel *k, const int64_t *sizes, const sq_tune_options *o,
                   const sq_tune_state *s, sq_arena *arena, sq_diags *d)
{
    sq_sched_entry e = entry_for(k, sizes, o);
    e.script = script_text(s, o, arena);
    if (sq_record_check(k, sizes, o, arena, d) != 0) /* another run may have measured meanwhile */
        return -1;
    return sq_sched_update(o->sched_path, o->machine_class, &e, arena, d);
}
