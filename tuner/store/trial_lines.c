/* Trial lines: see trial_lines.h. Input is not trusted. */
#include "tuner/store/trial_lines.h"
#include "support/file.h"
#include "tuner/store/json_line.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FORMAT = 1,
    MOST_BYTES = 1 << 30, /* limit for a file */
    MOST_LINE = 1 << 24,
    MOST_TEXT = 1 << 16, /* limit for a member */
    DIGITS = 17          /* suffices for all doubles */
};

/* Members that are text, and their offsets in a row. */
static const struct member {
    const char *name;
    size_t at;
} members[] = {
    {"kernel", offsetof(sq_trial, kernel)},     {"kernel_hash", offsetof(sq_trial, kernel_hash)},
    {"sizes", offsetof(sq_trial, sizes)},       {"target", offsetof(sq_trial, target)},
    {"machine_class", offsetof(sq_trial, machine_class)}, {"machine", offsetof(sq_trial, machine)},
    {"compiler", offsetof(sq_trial, compiler)}, {"script", offsetof(sq_trial, script)},
    {"point", offsetof(sq_trial, point)},       {"tool", offsetof(sq_trial, tool)},
    {"who", offsetof(sq_trial, who)},
};
enum { MEMBERS = sizeof members / sizeof *members };

static const char **text_in(sq_trial *row, const struct member *m)
{
    return (const char **)(void *)((char *)row + m->at);
}

/* ---- printing ---- */

/* A compiler's message need not be UTF-8. */
static json_t *message_value(const char *s)
{
    json_t *x = json_string(s);
    char *ascii = x ? NULL : strdup(s);
    for (char *p = ascii; p && *p; p++)
        *p = *p & 0x80 ? '?' : *p;
    x = x ? x : json_string(ascii ? ascii : "");
    free(ascii);
    return x;
}

static json_t *times_value(const double *t, int n)
{
    json_t *list = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(list, json_real(t[i]));
    return list;
}

void sq_trial_lines_begin(sq_text *to)
{
    sq_json_line(json_pack("{s:i}", "squall-trials", FORMAT), DIGITS, to);
}

static bool are_times(const double *t, int n)
{
    bool good = n >= 0 && n <= SQ_MAX_TIMES;
    for (int i = 0; i < n && good; i++)
        good = isfinite(t[i]) && t[i] > 0;
    return good;
}

bool sq_trial_is_good(const sq_trial *row)
{
    const sq_sample *s = &row->sample;
    return (unsigned)s->status < SQ_NSTATUSES && row->when > 0 && are_times(s->times, s->n) &&
           are_times(s->base, s->nbase) && (s->status != SQ_OK || s->n > 0) && isfinite(s->build_seconds) &&
           isfinite(s->run_seconds);
}

int sq_trial_lines_add(const sq_trial *row, sq_text *to)
{
    const sq_sample *s = &row->sample;
    sq_trial copy = *row;
    json_t *line = json_object();
    bool good = sq_trial_is_good(row);
    for (int i = 0; i < MEMBERS; i++) {
        const char *text = *text_in(&copy, &members[i]);
        good = good && strlen(text) <= MOST_TEXT &&
               json_object_set_new(line, members[i].name, json_string(text)) == 0;
    }
    if (!good) {
        json_decref(line);
        return -1;
    }
    json_object_set_new(line, "status", json_string(sq_status_name(s->status)));
    json_object_set_new(line, "error", isfinite(s->error) ? json_real(s->error) : json_null());
    json_object_set_new(line, "build_seconds", json_real(s->build_seconds));
    json_object_set_new(line, "run_seconds", json_real(s->run_seconds));
    json_object_set_new(line, "times", times_value(s->times, s->n));
    json_object_set_new(line, "base", times_value(s->base, s->nbase));
    json_object_set_new(line, "message", message_value(s->message));
    json_object_set_new(line, "at", json_integer(row->when));
    return sq_json_line(line, DIGITS, to);
}

/* ---- reading ---- */

static bool read_number(const json_t *x, double *to)
{
    *to = json_number_value(x);
    return json_is_number(x) && isfinite(*to) && *to >= 0;
}

static bool read_times(const json_t *list, double *to, int *n)
{
    size_t count = json_array_size(list);
    bool right = json_is_array(list) && count <= SQ_MAX_TIMES;
    for (size_t i = 0; i < count && right; i++)
        right = read_number(json_array_get(list, i), &to[i]);
    *n = right ? (int)count : 0;
    return right;
}

static bool read_sample(const json_t *line, sq_sample *s)
{
    const char *status = json_string_value(json_object_get(line, "status"));
    const char *message = json_string_value(json_object_get(line, "message"));
    const json_t *error = json_object_get(line, "error");
    s->status = status ? sq_status_get(status) : SQ_NSTATUSES;
    s->error = INFINITY;
    if (s->status == SQ_NSTATUSES || !message || (!json_is_null(error) && !read_number(error, &s->error)))
        return false;
    snprintf(s->message, sizeof s->message, "%s", message);
    return read_number(json_object_get(line, "build_seconds"), &s->build_seconds) &&
           read_number(json_object_get(line, "run_seconds"), &s->run_seconds) &&
           read_times(json_object_get(line, "times"), s->times, &s->n) &&
           read_times(json_object_get(line, "base"), s->base, &s->nbase);
}

/* Texts live as long as the line. Returns NULL, or the member that is missing or wrong. */
static const char *read_row(const json_t *line, sq_trial *row)
{
    *row = (sq_trial){0};
    for (int i = 0; i < MEMBERS; i++) {
        const char *text = json_string_value(json_object_get(line, members[i].name));
        if (!text || strlen(text) > MOST_TEXT)
            return members[i].name;
        *text_in(row, &members[i]) = text;
    }
    const json_t *at = json_object_get(line, "at");
    row->when = json_integer_value(at);
    if (!json_is_integer(at) || row->when <= 0)
        return "at";
    return read_sample(line, &row->sample) && sq_trial_is_good(row) ? NULL : "sample";
}

static int refuse(const char *path, int line, const char *what, const char *member, sq_diags *d)
{
    return sq_error(d, SQ_FAULT_INPUT, (sq_loc){path, line, 1, 1}, "%s%s%s%s", what, member[0] ? " '" : "", member,
                    member[0] ? "'" : "");
}

/* Reads one line; -1 after adding an error. */
static int take(const char *path, int number, const char *at, size_t n, int (*f)(const sq_trial *row, void *user),
                void *user, sq_diags *d)
{
    json_error_t why;
    json_t *line = n <= MOST_LINE ? json_loadb(at, n, JSON_REJECT_DUPLICATES, &why) : NULL;
    const json_t *format = json_object_get(line, "squall-trials");
    sq_trial row;
    int rc = 0;
    if (number == 1 && json_integer_value(format) != FORMAT)
        rc = refuse(path, number,
                    format ? "trials of another version; this program reads version 1"
                           : "these are no trials: `squall db export` writes some",
                    "", d);
    else if (!json_is_object(line))
        rc = refuse(path, number, "this is no trial", "", d);
    else if (number > 1) {
        const char *wrong = read_row(line, &row);
        rc = wrong ? refuse(path, number, "a trial has no good", wrong, d) : f(&row, user);
    }
    json_decref(line);
    return rc;
}

long sq_trial_lines_read(const char *path, int (*f)(const sq_trial *row, void *user), void *user, sq_diags *d)
{
    size_t n = 0;
    bool is_input = strcmp(path, "-") == 0;
    const char *name = is_input ? "<stdin>" : path;
    char *text = is_input ? sq_file_read(d, path, &n) : sq_file_read_made(d, path, MOST_BYTES, &n);
    if (!text)
        return -1;
    int number = 0, rc = n ? 0 : refuse(name, 1, "these are no trials: `squall db export` writes some", "", d);
    for (const char *at = text, *end = text + n; at < end && rc >= 0;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        rc = take(name, ++number, at, length, f, user, d);
        at += length + (stop != NULL);
    }
    free(text);
    return rc < 0 ? -1 : number - 1;
}
