/* epilogue(first|last): when the rest of the value is applied to a reduction whose partial sums
 * pass through memory. `first`: scaling and old values are applied with the first partial sum
 * (linear values only). `last`: raw sums until the last one. Default: first if possible. */
#include "transforms/edit.h"
#include "transforms/rows.h"
#include <string.h>

int sq_apply_epilogue(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    const char *name = call->nargs == 1 ? call->arg[0].name : "";
    if (strcmp(name, "first") == 0)
        g->epilogue = SQ_EPILOGUE_FIRST;
    else if (strcmp(name, "last") == 0)
        g->epilogue = SQ_EPILOGUE_LAST;
    else
        return sq_edit_refuse(s, why, at, call->nargs ? 0 : -1,
                              "write epilogue(first) or epilogue(last)");
    if (!g->stmt[0]->updates)
        return sq_edit_refuse(s, why, at, -1,
                              "%s has no reduction, so its value is computed at once",
                              g->stmt[0]->name);
    return 0;
}
