/* Report, unknown: a --kernel= that the file does not have. The caret stands under the option, where it stands on the
 * command line; the file has no place that is wrong. */
#include "frontend/report.h"
#include "support/nearest.h"

enum { SHOWN = 12 };

static const char *listed(const sq_reader *r, const char *const *name, int n)
{
    const char *all = "";
    for (int i = 0; i < n && i < SHOWN; i++)
        all = sq_arena_printf(r->arena, "%s%s'%s'", all, i == 0 ? "" : i + 1 == n ? " and " : ", ", name[i]);
    return n > SHOWN ? sq_arena_printf(r->arena, "%s, and %d more", all, n - SHOWN) : all;
}

int sq_report_unknown(const sq_reader *r, const sq_parse_options *o, const char *what, const char *const *name, int n)
{
    sq_loc file = {r->path, 0, 0, 0};
    sq_error(r->d, SQ_FAULT_INPUT, o->kernel_loc.line ? o->kernel_loc : file, "there is no %s '%s' in %s", what,
             o->kernel, r->path);
    sq_suggest(r->d, o->kernel, sq_nearest(o->kernel, name, (size_t)n));
    sq_help(r->d, SQ_NOWHERE, n == 1 ? "its only %s is %s" : "its %ss are %s", what, listed(r, name, n));
    return -1;
}
