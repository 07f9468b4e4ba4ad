/* Empty reductions; see empty.h. */
#include "codegen/nest/empty.h"
#include "ir/kernel/evaluate.h"
#include <isl/set.h>
#include <string.h>

static bool is_integer(const sq_expr *e)
{
    return e->op == SQ_OP_CONST && !sq_type_real(e->type);
}

/* Resolves a conditional on the identity: argmax tests whether the range is empty. Its text would
 * compare a constant with itself, which compilers warn of. */
static sq_expr *folded(sq_expr *e)
{
    const sq_expr *c = e->op == SQ_OP_SELECT ? e->arg[0] : NULL;
    if (!c || c->op != SQ_OP_EQ || !is_integer(c->arg[0]) || !is_integer(c->arg[1]))
        return e;
    return c->arg[0]->integer == c->arg[1]->integer ? e->arg[1] : e->arg[2];
}

static sq_expr *with_identity(sq_arena *arena, const sq_expr *e, const sq_stmt *s)
{
    sq_expr *c = SQ_NEW(arena, sq_expr);
    *c = *e;
    for (int i = 0; i < e->nargs; i++)
        c->arg[i] = with_identity(arena, e->arg[i], s);
    if (e->op != SQ_OP_REDUCED)
        return folded(c);
    sq_number none = sq_op_identity(s->reduce, e->type);
    c->op = SQ_OP_CONST;
    c->nargs = 0;
    c->real = none.real;
    c->integer = none.integer;
    return c;
}

/* Blocks and threads that shared the loops of g now share these, in the simplest way. */
static void share_loops(const sq_group *g, int shared, sq_group *e)
{
    sq_loop_kind most = SQ_LOOP_SERIAL, around = SQ_LOOP_SERIAL;
    for (int l = 0; l < g->nloops; l++) {
        most = g->loop[l].runs > most ? g->loop[l].runs : most;
        if (l < shared && g->loop[l].runs > around)
            around = g->loop[l].runs;
    }
    for (int l = shared; l < e->nloops && most >= SQ_LOOP_BLOCKS && around < SQ_LOOP_LANES; l++) {
        bool last = l == e->nloops - 1;
        if (last || around < SQ_LOOP_BLOCKS)
            e->loop[l].runs = last ? SQ_LOOP_LANES : SQ_LOOP_BLOCKS;
        e->loop[l].threads = last ? 128 : 0;
    }
}

sq_group *sq_empty_group(const sq_schedule *of, const sq_group *g, int shared,
                         __isl_take isl_set *points, sq_arena *arena)
{
    sq_group *e = sq_group_copy(of, g, arena);
    sq_stmt *s = SQ_NEW(arena, sq_stmt);
    *s = *g->stmt[0];
    s->updates = NULL;
    s->body = NULL;
    s->reduce = SQ_OP_CONST;
    s->ndim = s->nfree;
    s->domain = isl_set_set_tuple_name(points, s->name);
    s->narrow = NULL;
    s->value = with_identity(arena, g->stmt[0]->value, g->stmt[0]);
    e->stmt[0] = s;
    e->ndim = e->nfree;
    e->npacks = 0;
    e->nloops = shared;
    e->micro = (sq_micro){.vector = -1, .serial = -1, .lanes = 1, .unroll = 1, .split = 1};
    e->note = sq_arena_strdup(arena, "where there is nothing to reduce");
    for (int d = 0; d < e->ndim; d++) {
        int inner = sq_group_inner_loop(g, d);
        e->micro.points[d] = inner < shared ? g->loop[inner].step : 1;
        if (inner < shared)
            continue;
        /* The loop may have another name, if the dimension's is a keyword of the target. */
        const char *name = inner >= 0 ? g->loop[inner].name : g->dim[d];
        e->loop[e->nloops++] = (sq_loop){.name = name, .dim = d, .step = 1};
    }
    share_loops(g, shared, e);
    return e;
}
