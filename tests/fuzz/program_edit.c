/* Program, made smaller: every way in turn has a number; a walk counts down to the one wanted.
 * Larger pieces come first. What results may be refused by squall; the shrinker sees to that. */
#include "tests/fuzz/program.h"
#include <string.h>

typedef struct edit {
    program *p;
    int left;  /* ways still to be passed over */
    bool done; /* this one was it */
} edit;

/* Is this the way wanted? */
static bool here(edit *e)
{
    if (e->done || e->left-- > 0)
        return false;
    e->done = true;
    return true;
}

static void remove_nodes(edit *e, node **list)
{
    for (node **at = list; *at && !e->done; at = &(*at)->next) {
        if (here(e)) {
            *at = (*at)->next;
            return;
        }
    }
    for (node *n = *list; n && !e->done; n = n->next) {
        remove_nodes(e, &n->body);
        remove_nodes(e, &n->other);
    }
}

/* A guard or loop gives way to what it holds; of a loop's variable only the first value is left. */
static void replace_var(program *p, affine *a, int var)
{
    int c = a->var[var];
    const affine *lo = &p->var[var].lo;
    a->var[var] = 0;
    for (int v = 0; v < MOST_VARS; v++)
        a->var[v] += c * lo->var[v];
    for (int s = 0; s < MOST_PROGRAM_SIZES; s++)
        a->size[s] += c * lo->size[s];
    a->constant += c * lo->constant;
}

static void replace_in_expr(program *p, expr *e, int var)
{
    for (int i = 0; i < MOST_SUBS; i++)
        replace_var(p, &e->sub[i], var);
    for (int i = 0; i < e->nargs; i++)
        replace_in_expr(p, e->arg[i], var);
}

static void replace_in_nodes(program *p, node *n, int var)
{
    for (; n; n = n->next) {
        for (int i = 0; i < MOST_SUBS; i++)
            replace_var(p, &n->sub[i], var);
        for (int i = 0; i < 2; i++)
            replace_var(p, &n->condition[i], var);
        if (n->value)
            replace_in_expr(p, n->value, var);
        replace_in_nodes(p, n->body, var);
        replace_in_nodes(p, n->other, var);
    }
}

static void unwrap_nodes(edit *e, node **list)
{
    for (node **at = list; *at && !e->done; at = &(*at)->next) {
        node *n = *at;
        if (n->body && here(e)) {
            if (n->kind == N_LOOP) {
                replace_in_nodes(e->p, n->body, n->var);
                for (int v = 0; v < e->p->nvars; v++) {
                    replace_var(e->p, &e->p->var[v].lo, n->var);
                    replace_var(e->p, &e->p->var[v].hi, n->var);
                }
            }
            node *last = n->body;
            while (last->next)
                last = last->next;
            last->next = n->next;
            *at = n->body;
            return;
        }
        unwrap_nodes(e, &n->body);
        unwrap_nodes(e, &n->other);
    }
}

static void simplify_expr(edit *e, expr **at)
{
    expr *x = *at;
    for (int i = 0; i < x->nargs && !e->done; i++) {
        if (x->arg[i]->type == x->type && here(e)) {
            *at = x->arg[i];
            return;
        }
    }
    bool number = x->kind == E_CONST;
    if (!number && here(e)) {
        x->kind = E_CONST;
        x->number = 1;
        x->nargs = x->nvars = 0;
        return;
    }
    if (x->named && here(e))
        x->named = false;
    if (x->pad && here(e))
        x->pad = false;
    if (x->kind == E_REDUCE && x->nvars > 1 && here(e))
        x->nvars--;
    for (int i = 0; i < MOST_SUBS && !e->done; i++) {
        if (x->sub[i].divisor && here(e))
            x->sub[i].divisor = 0;
        if (x->kind == E_READ && x->sub[i].constant && here(e))
            x->sub[i].constant = 0;
    }
    for (int i = 0; i < x->nargs && !e->done; i++)
        simplify_expr(e, &x->arg[i]);
}

static void simplify_nodes(edit *e, node *n)
{
    for (; n && !e->done; n = n->next) {
        if (n->kind == N_GUARD && n->nconditions > 1 && here(e))
            n->nconditions--;
        if (n->kind == N_LOOP && n->stride != 1 && here(e))
            n->stride = 1;
        if (n->kind == N_LOOP && n->closed && here(e))
            n->closed = false;
        if (n->value && strcmp(n->op, "=") != 0 && here(e))
            n->op = "=";
        if (n->value)
            simplify_expr(e, &n->value);
        simplify_nodes(e, n->body);
        simplify_nodes(e, n->other);
    }
}

/* Ranges become whole, subscripts on the left plain, types f32. */
static void simplify_rest(edit *e)
{
    program *p = e->p;
    for (int v = 0; v < p->nvars && !e->done; v++) {
        variable *x = &p->var[v];
        affine whole = {.constant = x->box.plus}, zero = {0};
        if (x->box.size >= 0)
            whole.size[x->box.size] = x->box.times;
        if (x->ranged && memcmp(&x->lo, &zero, sizeof zero) != 0 && here(e))
            x->lo = zero;
        if (x->ranged && memcmp(&x->hi, &whole, sizeof whole) != 0 && here(e))
            x->hi = whole;
    }
    for (int a = 0; a < p->narrays && !e->done; a++) {
        if (p->array[a].inout && here(e))
            p->array[a].inout = false;
        for (int i = 0; i < p->array[a].ndim && !e->done; i++)
            if (p->array[a].dim[i].size >= 0 && p->array[a].dim[i].plus && here(e))
                p->array[a].dim[i].plus = 0;
    }
    if (p->companion && here(e))
        p->companion = false;
    if (p->assumes && here(e))
        p->assumes = false;
    if (p->overlap[0] != p->overlap[1] && here(e))
        p->overlap[0] = p->overlap[1];
    if (p->fp != SQ_FP_REASSOC && here(e))
        p->fp = SQ_FP_REASSOC;
}

bool program_edit(program *p, int number)
{
    edit e = {.p = p, .left = number};
    remove_nodes(&e, &p->body);
    if (!e.done)
        unwrap_nodes(&e, &p->body);
    if (!e.done)
        simplify_nodes(&e, p->body);
    if (!e.done)
        simplify_rest(&e);
    program_settle(p);
    return e.done;
}
