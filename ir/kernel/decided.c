/* Decided: see decided.h. Of a condition alone nothing is asked: the reads under it say for which instances they are
 * (sq_access.where). */
#include "ir/kernel/decided.h"

/* True if no point evaluates the value: one of the reads that it always makes is for other instances. */
static bool is_never(const sq_expr *e, isl_set *points)
{
    if (e->op == SQ_OP_READ && e->access->where &&
        isl_set_is_disjoint(e->access->where, points) == isl_bool_true)
        return true;
    if (e->op == SQ_OP_SELECT && is_never(e->arg[1], points) && is_never(e->arg[2], points))
        return true;
    bool lazy = e->op == SQ_OP_SELECT || e->op == SQ_OP_AND || e->op == SQ_OP_OR, never = false;
    for (int i = 0; i < (lazy ? 1 : e->nargs) && !never; i++)
        never = is_never(e->arg[i], points);
    return never;
}

sq_expr *sq_expr_decided(const sq_kernel *k, sq_expr *e, isl_set *points)
{
    if (!e || e->nargs == 0)
        return e;
    if (e->op == SQ_OP_SELECT && is_never(e->arg[1], points))
        return sq_expr_decided(k, e->arg[2], points);
    if (e->op == SQ_OP_SELECT && is_never(e->arg[2], points))
        return sq_expr_decided(k, e->arg[1], points);
    sq_expr *same = e;
    for (int i = 0; i < e->nargs; i++) {
        sq_expr *arg = sq_expr_decided(k, e->arg[i], points);
        if (arg == e->arg[i])
            continue;
        if (same == e) {
            same = SQ_NEW(k->arena, sq_expr);
            *same = *e;
        }
        same->arg[i] = arg;
    }
    return same;
}
