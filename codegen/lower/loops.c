/* Loops: see loops.h. */
#include "codegen/lower/loop_names.h"
#include "codegen/nest/ast_places.h"
#include "codegen/code/from_isl.h"
#include "ir/schedule/schedule.h"
#include <isl/id.h>
#include <string.h>

typedef sq_ast_lowering lowering;

static const sq_code_expr *expression(lowering *w, isl_ast_expr *e /* __isl_take */)
{
    const sq_code_expr *x = sq_code_from_ast(w->pool, e);
    for (const sq_ast_scope *s = w->scope; s; s = s->before)
        if (s->name != s->iterator)
            x = sq_code_substitute(w->pool, x, s->iterator, sq_code_name(w->pool, s->name));
    for (int i = 0; i < w->nbound; i++)
        x = sq_code_substitute(w->pool, x, w->name[i], w->value[i]);
    isl_ast_expr_free(e);
    return x;
}

static sq_code *lower_call(lowering *w, isl_ast_node *node)
{
    isl_ast_expr *e = isl_ast_node_user_get_expr(node), *f = isl_ast_expr_op_get_arg(e, 0);
    isl_id *id = isl_ast_expr_id_get_id(f);
    const sq_code_expr *at[SQ_MAX_DIMS];
    int n = (int)isl_ast_expr_op_get_n_arg(e) - 1;
    for (int d = 0; d < n; d++)
        at[d] = expression(w, isl_ast_expr_op_get_arg(e, d + 1));
    sq_code *x = w->call(isl_id_get_name(id), at, n, w->user);
    isl_id_free(id);
    isl_ast_expr_free(f);
    isl_ast_expr_free(e);
    return x;
}

/* Returns the end of the range if the condition is an upper bound of the variable; else NULL. */
static const sq_code_expr *end_of(lowering *w, const char *name, const sq_code_expr *cond)
{
    if (cond->op == SQ_CODE_AND) {
        const sq_code_expr *least = NULL;
        for (int i = 0; i < cond->nargs; i++) {
            const sq_code_expr *end = end_of(w, name, cond->arg[i]);
            if (!end)
                return NULL;
            least = least ? sq_code_min(w->pool, least, end) : end;
        }
        return least;
    }
    bool bound = (cond->op == SQ_CODE_LE || cond->op == SQ_CODE_LT) &&
                 cond->arg[0]->op == SQ_CODE_NAME && strcmp(cond->arg[0]->name, name) == 0 &&
                 !sq_code_mentions(cond->arg[1], name);
    return bound ? sq_code_plus(w->pool, cond->arg[1], cond->op == SQ_CODE_LE) : NULL;
}

static sq_code *header_of(lowering *w, isl_ast_node *node, bool once)
{
    const char *name = w->scope->name;
    const sq_code_expr *lo = expression(w, isl_ast_node_for_get_init(node));
    if (once)
        return sq_code_let(w->pool, name, lo);
    sq_code *x = sq_code_new(w->pool, SQ_CODE_LOOP);
    const sq_code_expr *cond = expression(w, isl_ast_node_for_get_cond(node));
    x->name = name;
    x->lo = lo;
    x->hi = end_of(w, name, cond);
    x->cond = x->hi ? NULL : cond;
    sq_code_known(expression(w, isl_ast_node_for_get_inc(node)), &x->step);
    return x;
}

/* A loop of one iteration is replaced by its variable and its body. */
static sq_code *after_let(lowering *w, sq_code *let, sq_code *body)
{
    sq_code *block = sq_code_new(w->pool, SQ_CODE_BLOCK);
    block->body = let;
    let->next = body;
    return block;
}

static sq_code *lower_for(lowering *w, isl_ast_node *node)
{
    const void *mark = w->next;
    bool once = isl_ast_node_for_is_degenerate(node) == isl_bool_true;
    isl_ast_node *inner = isl_ast_node_for_get_body(node);
    const sq_ast_scope own = sq_loop_scope(w, node);
    w->scope = &own;
    sq_code *x = header_of(w, node, once);
    w->next = NULL;
    if (mark)
        w->enter(mark, once, w->user);
    sq_code *body = sq_lower_ast(w, inner);
    isl_ast_node_free(inner);
    if (once)
        x = after_let(w, x, body);
    else
        x->body = body;
    w->scope = own.before;
    return mark ? w->leave(mark, x, w->user) : x;
}

static sq_code *lower_if(lowering *w, isl_ast_node *node)
{
    const void *mark = w->next;
    sq_code *x = sq_code_new(w->pool, SQ_CODE_IF);
    isl_ast_node *then = isl_ast_node_if_get_then_node(node);
    x->cond = expression(w, isl_ast_node_if_get_cond(node));
    x->body = sq_lower_ast(w, then);
    isl_ast_node_free(then);
    if (isl_ast_node_if_has_else_node(node) == isl_bool_true) {
        isl_ast_node *other = isl_ast_node_if_get_else_node(node);
        w->next = mark;
        x->other = sq_lower_ast(w, other);
        isl_ast_node_free(other);
    }
    return x;
}

/* isl may split one loop into several: the mark is for each. */
static sq_code *lower_list(lowering *w, isl_ast_node_list *list /* __isl_take */)
{
    const void *mark = w->next;
    sq_code_list all = {0};
    for (int i = 0; i < (int)isl_ast_node_list_n_ast_node(list); i++) {
        isl_ast_node *child = isl_ast_node_list_get_ast_node(list, i);
        w->next = mark;
        sq_code_append(&all, sq_lower_ast(w, child));
        isl_ast_node_free(child);
    }
    isl_ast_node_list_free(list);
    return all.first;
}

static sq_code *lower_mark(lowering *w, isl_ast_node *node)
{
    isl_id *id = isl_ast_node_mark_get_id(node);
    isl_ast_node *inner = isl_ast_node_mark_get_node(node);
    w->next = isl_id_get_user(id);
    sq_code *x = sq_lower_ast(w, inner);
    isl_ast_node_free(inner);
    isl_id_free(id);
    return x;
}

sq_code *sq_lower_ast(sq_ast_lowering *w, isl_ast_node *node)
{
    isl_ast_node_list *sequence = sq_ast_sequence(node);
    sq_code *x = NULL;
    if (sequence)
        return lower_list(w, sequence);
    switch (isl_ast_node_get_type(node)) {
    case isl_ast_node_for:
        x = lower_for(w, node);
        break;
    case isl_ast_node_if:
        x = lower_if(w, node);
        break;
    case isl_ast_node_user:
        x = lower_call(w, node);
        break;
    case isl_ast_node_block:
        x = lower_list(w, isl_ast_node_block_get_children(node));
        break;
    case isl_ast_node_mark:
        x = lower_mark(w, node);
        break;
    default:
        break;
    }
    w->next = NULL;
    return x;
}
