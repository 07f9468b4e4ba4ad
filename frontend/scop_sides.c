/* Scop sides: reads that both sides of a choice make, `q > 0 ? 2 * y[i] : y[i]`. Whatever the condition is, the element
 * is read, so that it exists. */
#include "frontend/scop_build.h"
#include "ir/kernel/touch.h"

/* Reads that are made whenever an expression is evaluated. */
typedef struct reads {
    int n;
    const sq_access *read[SQ_MAX_STMT_READS];
} reads;

static void add(reads *to, const sq_access *a)
{
    if (to->n < SQ_MAX_STMT_READS)
        to->read[to->n++] = a;
}

static bool has(const reads *r, const sq_access *a)
{
    for (int i = 0; i < r->n; i++)
        if (sq_access_touches_alike(r->read[i], a))
            return true;
    return false;
}

static void find(sq_arena *arena, const sq_expr *e, reads *to)
{
    if (e->op == SQ_OP_READ)
        add(to, e->access);
    int sure = e->op == SQ_OP_SELECT || e->op == SQ_OP_AND || e->op == SQ_OP_OR ? 1 : e->nargs;
    for (int i = 0; i < sure; i++)
        find(arena, e->arg[i], to);
    if (e->op != SQ_OP_SELECT)
        return;
    reads *holds = SQ_NEW(arena, reads), *fails = SQ_NEW(arena, reads);
    find(arena, e->arg[1], holds);
    find(arena, e->arg[2], fails);
    for (int i = 0; i < holds->n; i++)
        if (has(fails, holds->read[i]))
            add(to, holds->read[i]);
}

static void take_guard(sq_expr *e, void *user)
{
    if (e->op == SQ_OP_READ && e->access->is_guarded && has(user, e->access))
        e->access->is_guarded = false;
}

static void settle(sq_arena *arena, sq_expr *e)
{
    reads *sure = SQ_NEW(arena, reads);
    find(arena, e, sure);
    sq_expr_walk(e, take_guard, sure);
}

void sq_scop_sides(sq_builder *b)
{
    for (int i = 0; i < b->k->nstmts; i++) {
        sq_stmt *s = b->k->stmt[i];
        if (s->body)
            settle(b->r.arena, s->body);
        settle(b->r.arena, s->value);
    }
}
