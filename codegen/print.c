/* Print: walks a nest and writes C. Loops and copies go into the body of the kernel's function; the
 * register tile becomes a function of its own per variant, called at the leaf that decides which
 * one fits. */
#include "codegen/print.h"
#include "codegen/base.h"
#include "codegen/panels.h"
#include "codegen/print/lanes.h"
#include "codegen/regions.h"
#include <string.h>

/* ---- tiles ---- */

static void name_variant(sq_printer *p, const sq_nest *n, sq_variant *v)
{
    sq_text t = {0};
    bool part = false;
    sq_text_printf(&t, "sq_%s", n->group->stmt[0]->updates ? "tile" : "points");
    if (n->index)
        sq_text_printf(&t, "%d", n->index);
    for (int d = 0; d < n->group->ndim; d++) {
        if (v->points[d] > 1 || n->group->micro.points[d] > 1)
            sq_text_printf(&t, "_%s%lld", n->group->dim[d], (long long)v->points[d]);
        part |= v->runtime[d];
    }
    if (part)
        sq_text_puts(&t, "_part");
    v->name = sq_arena_strdup(p->arena, t.s);
    sq_text_free(&t);
}

/* The variant's function, defined on first use. */
static const sq_variant *variant(sq_printer *p, const sq_nest *n, const sq_variant *want)
{
    for (int i = 0; i < p->nvariants; i++)
        if (p->variant[i].nest == n &&
            memcmp(p->variant[i].v.points, want->points, sizeof want->points) == 0 &&
            memcmp(p->variant[i].v.runtime, want->runtime, sizeof want->runtime) == 0)
            return &p->variant[i].v;
    if (p->nvariants == SQ_MAX_VARIANTS)
        sq_bug("print", "too many tile variants in %s", p->function);
    int i = p->nvariants++;
    p->variant[i].nest = n;
    p->variant[i].v = *want;
    name_variant(p, n, &p->variant[i].v);
    sq_tile_shapes shapes = sq_print_shapes(p, n);
    sq_tile_define(n, &p->variant[i].v, &shapes, p->arena, &p->tiles);
    return &p->variant[i].v;
}

static bool any_runtime(const sq_nest *n)
{
    for (int d = 0; d < n->group->ndim; d++)
        if (n->count[d].number && n->count[d].kind == SQ_COUNT_RUNTIME)
            return true;
    return false;
}

static void call(sq_printer *p, const sq_nest *n, const sq_variant *v)
{
    sq_tile_call(n, variant(p, n, v), p->arena, &p->body);
}

/* Sizes known now: one function for each combination of whole and remaining. */
static void exact_leaf(sq_printer *p, const sq_nest *n, sq_variant v, int d)
{
    while (d < n->group->ndim && n->count[d].kind == SQ_COUNT_FULL)
        d++;
    if (d == n->group->ndim) {
        call(p, n, &v);
        return;
    }
    sq_text_open(&p->body, "if (@n_%s == %lld) {", n->group->dim[d], (long long)v.points[d]);
    exact_leaf(p, n, v, d + 1);
    sq_text_close(&p->body, "} else {");
    p->body.indent++;
    v.points[d] = n->count[d].rest;
    exact_leaf(p, n, v, d + 1);
    sq_text_close(&p->body, "}");
}

/* Sizes known at run time only: the whole tile, or one that masks. */
static void runtime_leaf(sq_printer *p, const sq_nest *n, sq_variant v)
{
    sq_text cond = {0};
    for (int d = 0; d < n->group->ndim; d++)
        if (n->count[d].number && n->count[d].kind != SQ_COUNT_FULL)
            sq_text_printf(&cond, "%s@n_%s == %lld", cond.n ? " && " : "", n->group->dim[d],
                           (long long)sq_group_reach(n->group, d));
    sq_text_open(&p->body, "if (%s) {", cond.s);
    call(p, n, &v);
    sq_text_close(&p->body, "} else {");
    p->body.indent++;
    for (int d = 0; d < n->group->ndim; d++)
        v.runtime[d] = n->count[d].number && n->count[d].kind != SQ_COUNT_FULL;
    call(p, n, &v);
    sq_text_close(&p->body, "}");
    sq_text_free(&cond);
}

/* True if the address of anything the tile reads or writes changes along its serial loop. */
static bool moves_along(const sq_nest *n)
{
    for (int i = 0; i < n->nrefs; i++)
        if (!sq_nest_contracted(n, n->ref[i]->array) &&
            sq_ref_depends(n->ref[i], n->group->micro.serial))
            return true;
    return false;
}

static void put_tile(sq_printer *p, const sq_nest *n)
{
    sq_variant v = {0};
    for (int d = 0; d < n->group->ndim; d++) {
        v.points[d] = n->group->micro.points[d] > 1 ? n->group->micro.points[d] : 1;
        if (n->count[d].number && n->count[d].kind != SQ_COUNT_FULL)
            sq_text_line(&p->body, "const int64_t @n_%s = %s;", n->group->dim[d],
                         sq_print_code(p, n->count[d].number));
    }
    if (n->serial_from != n->serial_lo && moves_along(n))
        sq_text_line(&p->body, "const int64_t %s = %s;", n->serial_from->name,
                     sq_print_code(p, n->serial_lo));
    if (any_runtime(n))
        runtime_leaf(p, n, v);
    else
        exact_leaf(p, n, v, 0);
}

/* ---- nodes ---- */

static bool has_parallel(const sq_group *g)
{
    for (int l = 0; l < g->nloops; l++)
        if (g->loop[l].runs != SQ_LOOP_SERIAL)
            return true;
    return false;
}

static void put_fusion(sq_printer *p, const sq_fusion *r, bool threads);

static void put_loop(sq_printer *p, const sq_nest *n, const sq_node *x)
{
    bool threads = x->runs == SQ_LOOP_THREADS && p->options->openmp && !x->once;
    bool was_serial = p->serial, was_region = p->region;
    const sq_node *around = p->steady;
    if (sq_print_stages(p, n, x))
        return;
    sq_steady_begin(p, x);
    if (x->once) {
        sq_text_open(&p->body, "{");
        sq_text_line(&p->body, "const int64_t %s = %s;", x->name, sq_print_code(p, x->lo));
        sq_text_line(&p->body, "(void)%s;", x->name);
    } else {
        if (threads)
            sq_text_printf(
                &p->body, "#ifdef _OPENMP\n#pragma omp parallel for schedule(static)%s%s\n#endif\n",
                p->limited ? " num_threads(@threads)" : "", sq_region_if(p, n, x->name));
        sq_print_loop_head(p, x, x->lo, 1);
    }
    p->serial = p->serial || x->runs != SQ_LOOP_SERIAL;
    p->region = p->region || threads;
    sq_print_nodes(p, n, x->body);
    p->serial = was_serial;
    p->region = was_region;
    sq_steady_next(p, x);
    p->steady = around;
    if (p->threads > 0 && sq_node_waits(n, x))
        sq_text_line(&p->body, "__syncthreads();");
    sq_text_close(&p->body, "}");
}

static void put_if(sq_printer *p, const sq_nest *n, const sq_node *x)
{
    sq_text_open(&p->body, "if (%s) {", sq_print_code(p, x->cond));
    sq_print_nodes(p, n, x->body);
    if (x->other) {
        sq_text_close(&p->body, "} else {");
        p->body.indent++;
        sq_print_nodes(p, n, x->other);
    }
    sq_text_close(&p->body, "}");
}

/* Everyone is done with what was there; the copy; everyone waits for it. */
static void put_shared_copies(sq_printer *p, const sq_node *x)
{
    bool first = !x->after_copy, last = !x->next || x->next->kind != SQ_NODE_COPY;
    if (first)
        sq_text_line(&p->body, "__syncthreads();");
    sq_print_shared_copy(p, x->buffer);
    if (last)
        sq_text_line(&p->body, "__syncthreads();");
}

void sq_print_nodes(sq_printer *p, const sq_nest *n, const sq_node *x)
{
    for (; x; x = x->next) {
        switch (x->kind) {
        case SQ_NODE_LOOP:
            if (x->runs == SQ_LOOP_BLOCKS)
                sq_print_blocks(p, n, x);
            else if (x->runs == SQ_LOOP_LANES)
                sq_print_lanes(p, n, x);
            else
                put_loop(p, n, x);
            break;
        case SQ_NODE_IF:
            put_if(p, n, x);
            break;
        case SQ_NODE_COPY:
            if (x->buffer->shared)
                put_shared_copies(p, x);
            else
                sq_print_copy(p, x->buffer);
            break;
        case SQ_NODE_HELD:
            sq_print_held(p, n, x);
            break;
        case SQ_NODE_TILE:
            if (p->held)
                sq_tile_steps(p->held, p->guard);
            else
                put_tile(p, n);
            break;
        case SQ_NODE_SCAN:
            sq_print_statements(p, x->code, &p->body);
            break;
        case SQ_NODE_FUSION:
            put_fusion(p, x->fusion, has_parallel(n->group));
            break;
        }
    }
}

/* ---- nests ---- */

static void put_comment(sq_printer *p, const sq_nest *n)
{
    const sq_group *g = n->group;
    if (n->has_fusion) {
        sq_text_line(&p->body, "/* Loops shared by %s and those after it */", g->stmt[0]->name);
        return;
    }
    sq_text_line(&p->body, "/* %s%s%s%s */", g->stmt[0]->name,
                 g->nstmts > 1 ? " and what is fused with it" : "", g->note ? ": " : "",
                 g->note ? g->note : "");
}

/* A nest, under its condition. */
static void put_guarded(sq_printer *p, const sq_nest *n)
{
    /* Without loops of its own it has variables beside those of others in loops that they share. */
    bool bare = n->root && (n->root->kind == SQ_NODE_SCAN || n->root->kind == SQ_NODE_TILE ||
                            n->root->kind == SQ_NODE_HELD);
    if (n->cond)
        sq_text_open(&p->body, "if (%s) {", sq_print_code(p, n->cond));
    else if (bare)
        sq_text_open(&p->body, "{");
    sq_panels_place(p, n);
    put_comment(p, n);
    sq_print_nodes(p, n, n->root);
    if (n->cond || bare)
        sq_text_close(&p->body, "}");
}

/* Nests one after the other; `threads`: inside of a parallel loop already. Of a block's threads one
 * runs a nest without loops for them, and all wait for what it wrote; inside a loop of theirs each
 * has its own iterations, and those need not be as many. */
static void put_fusion(sq_printer *p, const sq_fusion *r, bool threads)
{
    for (int i = 0; i < r->nnests; i++) {
        bool one = sq_nest_threads(r->nest[i]) == 1 && sq_print_first_threads(p, 1);
        p->serial = threads || !has_parallel(r->nest[i]->group);
        put_guarded(p, r->nest[i]);
        if (one)
            sq_text_close(&p->body, "}");
        if (p->threads > 1 && (!p->apart || sq_node_lanes(r->nest[i]->root)))
            sq_text_line(&p->body, "__syncthreads();");
    }
}

/* Has each thread panels of its own: then no more threads may come than have a part of the
 * workspace. */
static bool any_own(const sq_printer *p, const sq_nest *n)
{
    for (int i = 0; i < n->nbuffers; i++)
        if (sq_panels_is_own(p, n->buffer[i]))
            return true;
    return false;
}

void sq_print_fusion(sq_printer *p, const sq_fusion *r)
{
    sq_panels_begin(p);
    p->limited = r->frame && any_own(p, r->frame);
    for (int i = 0; i < r->nnests; i++)
        p->limited = p->limited || any_own(p, r->nest[i]);
    if (!r->frame) {
        put_fusion(p, r, false);
        return;
    }
    p->serial = !has_parallel(r->frame->group);
    put_guarded(p, r->frame);
}
