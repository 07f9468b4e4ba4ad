/* Program: copying, and what is known of the arrays. */
#include "tests/fuzz/program.h"
#include <string.h>

static expr *copy_expr(const expr *e, sq_arena *arena)
{
    if (!e)
        return NULL;
    expr *c = SQ_NEW(arena, expr);
    *c = *e;
    for (int i = 0; i < e->nargs; i++)
        c->arg[i] = copy_expr(e->arg[i], arena);
    return c;
}

static node *copy_nodes(const node *n, sq_arena *arena)
{
    if (!n)
        return NULL;
    node *c = SQ_NEW(arena, node);
    *c = *n;
    c->value = copy_expr(n->value, arena);
    c->body = copy_nodes(n->body, arena);
    c->other = copy_nodes(n->other, arena);
    c->next = copy_nodes(n->next, arena);
    return c;
}

program *program_copy(const program *p, sq_arena *arena)
{
    program *c = SQ_NEW(arena, program);
    *c = *p;
    c->body = copy_nodes(p->body, arena);
    return c;
}

static void mark_reads(program *p, const expr *e)
{
    if (e->kind == E_READ)
        p->array[e->which].read = true;
    for (int i = 0; i < e->nargs; i++)
        mark_reads(p, e->arg[i]);
}

static int settle(program *p, const node *n)
{
    int statements = 0;
    for (; n; n = n->next) {
        if (n->kind == N_ASSIGN || n->kind == N_INDEX) {
            p->array[n->target].written = true;
            p->array[n->target].read |= strcmp(n->op, "=") != 0;
            mark_reads(p, n->value);
            statements++;
        }
        statements += settle(p, n->body) + settle(p, n->other);
    }
    return statements;
}

void program_settle(program *p)
{
    for (int a = 0; a < p->narrays; a++)
        p->array[a].read = p->array[a].written = false;
    settle(p, p->body);
}

int program_statements(const program *p)
{
    program copy = *p;
    return settle(&copy, p->body);
}
