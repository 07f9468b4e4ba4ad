/* Nest: see nest.h. */
#include "codegen/lower/nest.h"
#include "codegen/nest/lower.h"
#include "codegen/lower/copy.h"
#include "codegen/lower/leaf.h"
#include "codegen/lower/region.h"
#include <string.h>

/* The state of lowering a nest. */
typedef struct walk {
    const sq_nest_options *o;
    const sq_nest *n;
    sq_code_pool *pool;
    sq_parts *parts;
    sq_copy_where where; /* for the next copy */
    bool is_limited;     /* threads have private copies in this fusion */
    sq_tile *held;       /* the tile whose steps the next leaf computes */
    sq_code_list *steps; /* receives its statements */
} walk;

static void append_nodes(walk *w, const sq_node *x, sq_code_list *to);
static void append_fusion(walk *w, const sq_fusion *r, bool in_parallel, sq_code_list *to);

/* ---- nodes ---- */

static sq_code *of_nodes(walk *w, const sq_node *x)
{
    sq_code_list all = {0};
    append_nodes(w, x, &all);
    return all.first;
}

/* Returns the loop's statement, still without its body. */
static sq_code *loop_of(walk *w, const sq_node *x, bool in_threads)
{
    sq_code *loop = sq_code_loop(w->pool, x->name, x->lo, x->hi, x->step);
    if (!in_threads)
        return loop;
    loop->runs = SQ_CODE_THREADS;
    loop->is_limited = w->is_limited;
    loop->work = w->o->eager ? NULL : sq_region_of_loop(w->n, x->name, w->o->target);
    return loop;
}

/* Returns the variable and the body of a loop that runs once. */
static sq_code *once_of(walk *w, const sq_node *x)
{
    sq_code_list all = {0};
    sq_code_append(&all, sq_code_let(w->pool, x->name, x->lo));
    sq_code_append(&all, sq_code_unused(w->pool, x->name));
    append_nodes(w, x->body, &all);
    return sq_code_guarded(w->pool, NULL, all.first);
}

/* True if the loop is over full tiles and the remainder. */
static bool is_run(const walk *w, const sq_node *x)
{
    const sq_ends *e = &w->n->ends;
    return e->is_run && !x->once && x->body && x->body->kind == SQ_NODE_TILE && !x->body->next &&
           strcmp(x->name, w->n->group->loop[e->loop].name) == 0;
}

/* True if the body of the loop is statements at single points, of a group without register tiles: the
 * loop may be vectorized. */
static bool is_scalar(const walk *w, const sq_node *x, const sq_code *body)
{
    for (; body; body = body->next)
        if (body->kind == SQ_CODE_LOOP)
            return false;
    return x->body && x->body->kind == SQ_NODE_SCAN && !x->body->next && !sq_tile_possible(w->n);
}

static sq_code *of_loop(walk *w, const sq_node *x)
{
    if (is_run(w, x)) {
        const sq_leaf l = {w->n, w->o->target, w->parts};
        return sq_lower_lanes(&l, x->lo, x->hi);
    }
    bool in_threads = x->runs == SQ_LOOP_THREADS && w->o->threads && !x->once;
    const sq_copy_where before = w->where;
    sq_code *loop = x->once ? NULL : loop_of(w, x, in_threads);
    w->where.serial = before.serial || x->runs != SQ_LOOP_SERIAL;
    w->where.in_threads = before.in_threads || in_threads;
    if (loop) {
        loop->body = of_nodes(w, x->body);
        loop->is_scalar = !in_threads && is_scalar(w, x, loop->body);
    } else {
        loop = once_of(w, x);
    }
    w->where = before;
    return loop;
}

static sq_code *of_if(walk *w, const sq_node *x)
{
    sq_code *guarded = sq_code_guarded(w->pool, x->cond, of_nodes(w, x->body));
    guarded->other = of_nodes(w, x->other);
    return guarded;
}

/* ---- sums that stay in registers ---- */

static void append_step(void *user, sq_code *x)
{
    walk *w = user;
    sq_code_append(w->steps, x);
}

/* Returns the loops around the steps for the points of a variant, between the start and the end of
 * its sums. */
static sq_code *of_variant(walk *w, const sq_node *x, const sq_variant *v)
{
    sq_code_list all = {0};
    const sq_tile_sink sink = {.put = append_step, .to = w};
    w->steps = &all;
    sq_tile *t = sq_tile_open(w->n, v, w->o->target, NULL, &sink);
    w->held = t;
    append_nodes(w, x->body, &all);
    w->held = NULL;
    w->steps = &all;
    sq_tile_end(t);
    sq_tile_close(t, v);
    sq_tile_free(t);
    w->steps = NULL;
    return all.first;
}

static void append_held(walk *w, const sq_node *x, sq_code_list *to)
{
    const sq_variant all = sq_lower_variant(w->n, false), part = sq_lower_variant(w->n, true);
    const sq_code_expr *whole = sq_lower_counts(w->n, -1, to);
    sq_code *code = sq_code_guarded(w->pool, whole, of_variant(w, x, &all));
    code->part = sq_lower_inlined(w->n, w->o->target);
    code->other = whole ? of_variant(w, x, &part) : NULL;
    sq_code_append(to, code);
}

static void append_tile(walk *w, sq_code_list *to)
{
    if (!w->held) {
        sq_code_append(to, sq_lower_leaf(w->n, w->o->target, w->parts));
        return;
    }
    w->steps = to;
    sq_tile_steps(w->held, NULL);
}

static bool has_parallel(const sq_group *g)
{
    for (int l = 0; l < g->nloops; l++)
        if (g->loop[l].runs != SQ_LOOP_SERIAL)
            return true;
    return false;
}

static void append_nodes(walk *w, const sq_node *x, sq_code_list *to)
{
    for (; x; x = x->next)
        switch (x->kind) {
        case SQ_NODE_LOOP:
            sq_code_append(to, of_loop(w, x));
            break;
        case SQ_NODE_IF:
            sq_code_append(to, of_if(w, x));
            break;
        case SQ_NODE_COPY:
            sq_code_append(to, sq_lower_copy(w->n, x->buffer, w->where, w->o));
            break;
        case SQ_NODE_HELD:
            append_held(w, x, to);
            break;
        case SQ_NODE_TILE:
            append_tile(w, to);
            break;
        case SQ_NODE_SCAN:
            if (w->held) /* otherwise its statements would be duplicated in both variants */
                sq_bug("nest", "points one by one of %s in a tile across loops",
                       w->n->kernel->name);
            sq_code_append(to, x->code);
            break;
        case SQ_NODE_FUSION:
            append_fusion(w, x->fusion, has_parallel(w->n->group), to);
            break;
        }
}

/* ---- nests ---- */

const char *sq_nest_comment(const sq_nest *n)
{
    const sq_group *g = n->group;
    sq_arena *arena = n->code->arena;
    if (n->has_fusion)
        return sq_arena_printf(arena, "Loops shared by %s and those after it", g->stmt[0]->name);
    return sq_arena_printf(arena, "%s%s%s%s", g->stmt[0]->name,
                           g->nstmts > 1 ? " and what is fused with it" : "", g->note ? ": " : "",
                           g->note ? g->note : "");
}

/* Declares shared copies, which live as long as the nest. */
static void append_panels(walk *w, sq_code_list *to)
{
    for (int i = 0; i < w->n->nbuffers; i++) {
        const sq_code_buffer *panel = w->n->buffer[i]->panel;
        if (!w->n->buffer[i]->stored && (!panel->is_own || !w->o->threads))
            sq_code_append(to, sq_code_declare(w->pool, panel, false));
    }
}

bool sq_nest_is_bare(const sq_nest *n)
{
    return n->root && (n->root->kind == SQ_NODE_SCAN || n->root->kind == SQ_NODE_TILE ||
                       n->root->kind == SQ_NODE_HELD);
}

/* Appends a nest under its condition. */
static void append_nest(walk *w, const sq_nest *n, sq_code_list *to)
{
    const sq_nest *before = w->n;
    sq_code_list all = {0};
    w->n = n;
    append_panels(w, &all);
    sq_code_append(&all, sq_code_comment(w->pool, sq_nest_comment(n)));
    append_nodes(w, n->root, &all);
    w->n = before;
    sq_code_append(to, n->cond || sq_nest_is_bare(n) ? sq_code_guarded(w->pool, n->cond, all.first)
                                                     : all.first);
}

/* Appends nests in sequence. */
static void append_fusion(walk *w, const sq_fusion *r, bool in_parallel, sq_code_list *to)
{
    const bool before = w->where.serial;
    for (int i = 0; i < r->nnests; i++) {
        w->where.serial = in_parallel || !has_parallel(r->nest[i]->group);
        append_nest(w, r->nest[i], to);
    }
    w->where.serial = before;
}

/* True if each thread has private copies: then the number of threads is limited by the
 * workspace. */
static bool any_own(const walk *w, const sq_nest *n)
{
    for (int i = 0; i < n->nbuffers; i++)
        if (n->buffer[i]->panel->is_own && w->o->threads)
            return true;
    return false;
}

sq_code *sq_lower_nests(const sq_fusion *r, const sq_nest_options *o)
{
    sq_parts parts = {0};
    return sq_lower_nests_again(r, o, &parts);
}

sq_code *sq_lower_nests_again(const sq_fusion *r, const sq_nest_options *o, sq_parts *parts)
{
    const sq_nest *first = r->frame ? r->frame : r->nnests ? r->nest[0] : NULL;
    sq_code_list all = {0};
    if (!first) /* loops without iterations */
        return NULL;
    walk w = {.o = o, .pool = first->code, .parts = parts};
    w.is_limited = r->frame && any_own(&w, r->frame);
    for (int i = 0; i < r->nnests; i++)
        w.is_limited = w.is_limited || any_own(&w, r->nest[i]);
    if (r->frame) {
        w.where.serial = !has_parallel(r->frame->group);
        append_nest(&w, r->frame, &all);
    } else {
        append_fusion(&w, r, false, &all);
    }
    return all.first;
}
