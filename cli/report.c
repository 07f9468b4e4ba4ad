/* Reports: see report_parts.h. What all of them have in common. */
#include "cli/report_parts.h"
#include "support/file.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    else if (access(folder, W_OK | X_OK) == 0)
        return 0;
    return sq_file_refuse(d, "write", o->html);
}

int sq_report_write(sq_html *h, const sq_settings *o, sq_diags *d)
{
    int rc = sq_html_write(h, o->words, o->html, d);
    sq_html_free(h);
    return rc;
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
