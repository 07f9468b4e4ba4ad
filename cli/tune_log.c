/* Tune log: see tune_log.h. */
#include "cli/tune_log.h"
#include "support/file.h"
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

/* One line; docs/TUNING.md says what its members are. */
void sq_tune_log_put(const sq_tune_log *log, const sq_measure *m, const sq_tune_state *s, const sq_tune_trial *t)
{
    if (!log->file)
        return;
    json_t *times = json_array();
    for (int i = 0; i < t->sample->n; i++)
        json_array_append_new(times, json_real(t->sample->times[i]));
    json_t *j =
        json_pack("{s:f, s:s, s:s, s:I, s:s, s:f, s:b, s:o, s:s, s:s}", "t", s->elapsed, "ev",
                  "sample", "kernel", sq_text_str(&m->label), "trial", (json_int_t)t->number,
                  "status", sq_status_name(t->sample->status), "seconds", t->seconds, "best",
                  (int)t->wins, "times", times, "message", t->sample->message, "script", t->script);
    json_t *run =
        json_pack("{s:s, s:s, s:s, s:s, s:I, s:o}", "search", log->search->name, "target", log->target,
                  "class", m->task.machine->isa, "machine", m->fingerprint, "seed",
                  (json_int_t)m->settings.seed, "point", point_json(t, log->ncoords));
    json_object_update(j, run);
    char *line = j && run ? json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    if (line) { /* in one write: another run may add to the same file */
        fprintf(log->file, "%s\n", line);
        fflush(log->file);
    }
    free(line);
    json_decref(run);
    json_decref(j);
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
