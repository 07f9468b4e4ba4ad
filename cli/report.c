/* Reports: see report_parts.h. What all of them have in common. */
#include "cli/report_parts.h"
#include "support/file.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* True if a report may take the place of what the path names: nothing, an empty file, or a page. Any other file may be
 * one that the command reads or writes itself, under whatever name. */
static bool may_replace(const char *path)
{
    static const char start[] = "<!DOCTYPE html>";
    char text[sizeof start] = {0};
    struct stat st, out;
    if (stat(path, &st) != 0)
        return true;
    FILE *f = S_ISREG(st.st_mode) ? fopen(path, "rb") : NULL;
    size_t n = f ? fread(text, 1, sizeof start - 1, f) : 0;
    bool is_page = f && (n == 0 || memcmp(text, start, sizeof start - 1) == 0);
    bool is_output = fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == st.st_dev && out.st_ino == st.st_ino;
    if (f)
        fclose(f);
    return is_page && !is_output;
}

static int refuse_to_replace(const sq_settings *o, sq_diags *d)
{
    sq_error(d, SQ_FAULT_USAGE, sq_settings_loc(o, "html"), "%s is there and is no page: it is left alone", o->html);
    sq_help(d, SQ_NOWHERE, "name a new file, or remove that one");
    return -1;
}

int sq_report_check(const sq_settings *o, sq_diags *d)
{
    const char *slash = o->html ? strrchr(o->html, '/') : NULL;
    struct stat st;
    if (!o->html)
        return 0;
    if (strcmp(o->html, "-") == 0 || !*o->html)
        return sq_error(d, SQ_FAULT_USAGE, sq_settings_loc(o, "html"), "a report goes to a file");
    const char *folder =
        slash ? sq_arena_strndup(o->arena, o->html, (size_t)(slash - o->html) + 1) : ".";
    if (stat(o->html, &st) == 0 && S_ISDIR(st.st_mode))
        errno = EISDIR;
    else if (!may_replace(o->html))
        return refuse_to_replace(o, d);
    else if (access(folder, W_OK | X_OK) == 0)
        return 0;
    return sq_file_refuse(d, "write", o->html);
}

int sq_report_write(sq_html *h, const sq_settings *o, sq_diags *d)
{
    int rc = may_replace(o->html) ? sq_html_write(h, o->words, o->html, d) : refuse_to_replace(o, d);
    sq_html_free(h);
    return rc;
}

const char *sq_report_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

double sq_report_number(const json_t *object, const char *key)
{
    const json_t *v = json_object_get(object, key);
    return v ? json_number_value(v) : NAN;
}

bool sq_report_line_holds(const sq_line *x, const char *word)
{
    return memmem(x->text, x->n, word, strlen(word)) != NULL;
}

void sq_report_seconds(sq_html *h, double seconds)
{
    char text[32];
    if (isfinite(seconds))
        sq_html_number(h, seconds, "%s", sq_seconds_text(seconds, text, sizeof text));
    else
        sq_html_number(h, NAN, "-");
}

double sq_report_unit(double seconds, const char **unit)
{
    *unit = seconds >= 1 ? "s" : seconds >= 1e-3 ? "ms" : seconds >= 1e-6 ? "us" : "ns";
    return seconds >= 1 ? 1 : seconds >= 1e-3 ? 1e3 : seconds >= 1e-6 ? 1e6 : 1e9;
}

const char *sq_report_amount(double n, const char *unit, sq_arena *arena)
{
    static const char *const prefix[] = {"", "k", "M", "G", "T"};
    size_t p = 0;
    while (n >= 1000 && p + 1 < sizeof prefix / sizeof *prefix) {
        n /= 1000;
        p++;
    }
    return sq_arena_printf(arena, "%.3g %s%s", n, prefix[p], unit);
}
