/* Substitute: replaces a name by an expression; see expr.h. */
#include "codegen/code/build.h"
#include <string.h>

const sq_code_expr *sq_code_rebuilt(sq_code_pool *p, const sq_code_expr *e,
                                    const sq_code_expr *const *arg)
{
    const sq_code_expr *x = e->nargs ? arg[0] : NULL;
    switch (e->op) {
    case SQ_CODE_SUM:
        x = sq_code_number(p, e->number);
        for (int i = 0; i < e->nargs; i++)
            x = sq_code_add_scaled(p, x, e->coef[i], arg[i]);
        return x;
    case SQ_CODE_MUL:
        return sq_code_mul(p, arg[0], arg[1]);
    case SQ_CODE_DIV:
    case SQ_CODE_REM:
    case SQ_CODE_FLOORD:
        return sq_code_divide(p, e->op, arg[0], arg[1]);
    case SQ_CODE_MIN:
        return sq_code_min(p, arg[0], arg[1]);
    case SQ_CODE_MAX:
        return sq_code_max(p, arg[0], arg[1]);
    case SQ_CODE_CLAMP:
        return sq_code_clamp(p, arg[0], arg[1]);
    case SQ_CODE_EQ:
    case SQ_CODE_LT:
    case SQ_CODE_LE:
    case SQ_CODE_GT:
    case SQ_CODE_GE:
        return sq_code_compare(p, e->op, arg[0], arg[1]);
    case SQ_CODE_AND:
    case SQ_CODE_OR:
        for (int i = 1; i < e->nargs; i++)
            x = e->op == SQ_CODE_AND ? sq_code_and(p, x, arg[i]) : sq_code_or(p, x, arg[i]);
        return x;
    default: { /* nodes that are not simplified */
        sq_code_expr copy = *e;
        copy.arg = arg;
        if (e->op == SQ_CODE_SELECT && sq_code_is_index(e))
            return sq_code_select(p, arg[0], arg[1], arg[2]);
        return sq_code_cons(p, &copy);
    }
    }
}

const sq_code_expr *sq_code_substitute(sq_code_pool *p, const sq_code_expr *e, const char *name,
                                       const sq_code_expr *by)
{
    if (e->op == SQ_CODE_NAME)
        return strcmp(e->name, name) == 0 ? by : e;
    if (!sq_code_mentions(e, name))
        return e;
    const sq_code_expr **arg = SQ_NEW_ARRAY(p->arena, const sq_code_expr *, e->nargs);
    for (int i = 0; i < e->nargs; i++)
        arg[i] = sq_code_substitute(p, e->arg[i], name, by);
    return sq_code_rebuilt(p, e, arg);
}
