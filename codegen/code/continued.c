/* Continued: see continued.h. */
#include "codegen/code/continued.h"
#include "codegen/code/build.h"
#include <string.h>

/* True if the nodes agree in all but their arguments and the numbers of sums. */
static bool same_node(const sq_code_expr *a, const sq_code_expr *b)
{
    bool same = a->op == b->op && a->type == b->type && a->lanes == b->lanes &&
                a->nargs == b->nargs && a->operation == b->operation && a->buffer == b->buffer &&
                !a->name == !b->name && (!a->name || strcmp(a->name, b->name) == 0);
    if (!same || memcmp(&a->real, &b->real, sizeof a->real) != 0)
        return false;
    for (int i = 0; a->coef && i < a->nargs; i++)
        if (a->coef[i] != b->coef[i])
            return false;
    return a->op == SQ_CODE_SUM || a->number == b->number;
}

/* Continues the arguments one by one. */
static const sq_code_expr *by_arguments(sq_code_pool *p, const sq_code_expr *a,
                                        const sq_code_expr *b, const char *name)
{
    if (!a->nargs || !same_node(a, b))
        return NULL;
    const sq_code_expr **arg = SQ_NEW_ARRAY(p->arena, const sq_code_expr *, a->nargs);
    for (int i = 0; i < a->nargs; i++)
        if (!(arg[i] = sq_code_continued(p, a->arg[i], b->arg[i], name)))
            return NULL;
    const sq_code_expr *all = sq_code_rebuilt(p, a, arg);
    if (a->op == SQ_CODE_SUM)
        all = sq_code_add_scaled(p, all, b->number - a->number, sq_code_name(p, name));
    return all;
}

static bool is_number(const sq_code_expr *e)
{
    return sq_code_is_index(e) && e->type == SQ_I64;
}

const sq_code_expr *sq_code_continued(sq_code_pool *p, const sq_code_expr *first,
                                      const sq_code_expr *second, const char *name)
{
    if (first == second)
        return first;
    const sq_code_expr *all = by_arguments(p, first, second, name);
    if (all || !is_number(first) || !is_number(second))
        return all;
    if (sq_code_positions(first, NULL, 0) || sq_code_positions(second, NULL, 0))
        return NULL; /* both arms would be evaluated in all iterations */
    return sq_code_add(
        p, first, sq_code_mul(p, sq_code_name(p, name), sq_code_sub(p, second, first)));
}

bool sq_code_same(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b)
{
    if (a == b)
        return true;
    if (is_number(a) && is_number(b) && sq_code_is(sq_code_sub(p, a, b), 0))
        return true;
    if (a->nargs == 0 || !same_node(a, b) || a->number != b->number)
        return false;
    for (int i = 0; i < a->nargs; i++)
        if (!sq_code_same(p, a->arg[i], b->arg[i]))
            return false;
    return true;
}
