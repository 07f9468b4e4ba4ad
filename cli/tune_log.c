/* Tune log: see tune_log.h. */
#include "cli/tune_log.h"
#include "support/file.h"
#include "support/interrupt.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LOG_VERSION = 1, LOG_LINE = 1 << 16 };

static json_t *point_json(const sq_tune_trial *t, int ncoords)
{
    json_t *point = t->point ? json_array() : json_null();
    for (int c = 0; t->point && c < ncoords; c++)
        json_array_append_new(point, json_integer(t->point[c]));
    return point;
}

/* Whoever asked, and where. NULL where there is no memory. */
static json_t *run_json(const sq_tune_log *log, const sq_measure *m)
{
    return json_pack("{s:s, s:I, s:s, s:s, s:s}", "search", log->search->name, "seed",
                     (json_int_t)m->settings.seed, "target", log->target, "class", m->task.machine->isa,
                     "machine", m->fingerprint);
}

/* One line, in one write: another run may add to the same file. Takes both objects. */
static void put_line(FILE *const *to, int n, json_t *j, json_t *run)
{
    if (j && run)
        json_object_update(j, run);
    char *text = j && run ? json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    for (int i = 0; i < n && text; i++) {
        if (!to[i])
            continue;
        fprintf(to[i], "%s\n", text);
        fflush(to[i]);
    }
    free(text);
    json_decref(run);
    json_decref(j);
}

void sq_tune_log_put(const sq_tune_log *log, const sq_measure *m, const sq_tune_state *s, const sq_tune_trial *t)
{
    if (!log->file)
        return;
    json_t *times = json_array();
    for (int i = 0; i < t->sample->n; i++)
        json_array_append_new(times, json_real(t->sample->times[i]));
    json_t *j =
        json_pack("{s:f, s:s, s:s, s:I, s:s, s:f, s:b, s:o, s:s, s:s, s:o}", "t", s->elapsed, "ev",
                  "sample", "kernel", sq_text_str(&m->label), "trial", (json_int_t)t->number,
                  "status", sq_status_name(t->sample->status), "seconds", t->seconds, "best",
                  (int)t->wins, "times", times, "message", t->sample->message, "script", t->script,
                  "point", point_json(t, log->ncoords));
    put_line(&log->file, 1, j, run_json(log, m));
}

static json_t *failed_json(const sq_tune_state *s)
{
    json_t *failed = json_object();
    for (int i = SQ_OK + 1; i < SQ_NSTATUSES; i++)
        json_object_set_new(failed, sq_status_name((sq_status)i), json_integer(s->failed[i]));
    return failed;
}

/* null where it is not known. */
static json_t *known(double x)
{
    return x > 0 ? json_real(x) : json_null();
}

static const char *kept(const sq_tune_state *s)
{
    return !s->found ? "nothing" : s->withheld || s->kept_earlier ? "earlier" : s->kept_start ? "untuned" : "new";
}

void sq_tune_log_result(const sq_tune_log *log, const sq_measure *m, const sq_tune_state *s, const sq_tune_outcome *x)
{
    FILE *const to[] = {log->file, log->results};
    bool found = s->found;
    if (!log->file && !log->results)
        return;
    json_t *j = json_pack("{s:f, s:s, s:s, s:b, s:s, s:s, s:I, s:I, s:I, s:o, s:s, s:b}", "t", s->elapsed, "ev",
                          "result", "kernel", sq_text_str(&m->label), "found", (int)found, "kept", kept(s), "file",
                          x->file, "trials", (json_int_t)s->trials, "resumed", (json_int_t)s->resumed, "transferred",
                          (json_int_t)s->transferred, "failed", failed_json(s),
                          "ended", s->ended ? s->ended : "", "interrupted", sq_interrupt_signal() != 0);
    json_t *times = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:s}", "seconds", known(s->best_seconds), "low",
                              known(s->low), "high", known(s->high), "untuned_seconds", known(s->start_seconds),
                              "ratio", known(s->kept_start ? 1 : s->ratio), "bound_seconds", known(x->bound), "flops",
                              known(s->flops), "trial", (json_int_t)s->best_trial, "script",
                              found ? s->best_script : "");
    if (j && times)
        json_object_update(j, times);
    json_decref(times);
    put_line(to, 2, j, run_json(log, m));
}

/* Only what is new, empty, no regular file, or a log already is added to. */
static FILE *open_file(const char *path, sq_diags *d)
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

int sq_tune_log_open(sq_tune_log *log, const char *path, sq_diags *d)
{
    if (!path)
        return 0;
    log->file = open_file(path, d);
    return log->file ? 0 : -1;
}

void sq_tune_log_close(sq_tune_log *log)
{
    if (log->file)
        fclose(log->file);
    log->file = NULL;
}

void sq_tune_log_note(sq_measure *m, const sq_tune_trial *t)
{
    const char *status = sq_status_name(t->sample->status);
    if (t->sample->status == SQ_OK)
        sq_progress_note(&m->progress, "%4ld %-12s %9.3f ms %s %s", t->number, status,
                         1e3 * t->seconds, t->wins ? "*" : " ", t->script);
    else
        sq_progress_note(&m->progress, "%4ld %-12s %s: %s", t->number, status,
                         t->sample->message, t->script);
}
