/* Grid: walks a nest whose loops a grid shares. Register tiles, and everything that CPUs have as well,
 * are lowered as for these. */
#include "codegen/lower/grid_inside.h"

/* ---- nodes ---- */

static void append_fusion(sq_kernel_walk *w, const sq_fusion *r);

static void append_loop(sq_kernel_walk *w, const sq_nest *n, const sq_node *x)
{
    const sq_node *around = w->steady;
    if (sq_grid_stages(w, n, x))
        return;
    sq_steady_begin(w, x);
    if (x->once) {
        sq_grid_open_block(w);
        sq_grid_let_any(w, x->name, x->lo);
    } else {
        sq_grid_open(w, sq_grid_loop(w, x, x->lo, 1));
    }
    sq_grid_nodes(w, n, x->body);
    sq_steady_next(w, x);
    w->steady = around;
    if (sq_grid_waits(n, x))
        sq_grid_barrier(w);
    sq_grid_close(w);
}

static void append_if(sq_kernel_walk *w, const sq_nest *n, const sq_node *x)
{
    sq_grid_open_if(w, x->cond);
    sq_grid_nodes(w, n, x->body);
    if (x->other) {
        sq_grid_else(w);
        sq_grid_nodes(w, n, x->other);
    }
    sq_grid_close(w);
}

/* Appends a barrier for the previous contents, the copies, and a barrier for their completion. */
static void append_copy(sq_kernel_walk *w, const sq_node *x)
{
    bool first = !x->after_copy, last = !x->next || x->next->kind != SQ_NODE_COPY;
    if (first)
        sq_grid_barrier(w);
    sq_grid_copy(w, x->buffer);
    if (last)
        sq_grid_barrier(w);
}

static void append_tile(sq_kernel_walk *w, const sq_nest *n)
{
    if (w->held)
        sq_tile_steps(w->held, w->guard);
    else
        sq_grid_append(w, sq_lower_leaf(n, w->target, w->parts));
}

void sq_grid_nodes(sq_kernel_walk *w, const sq_nest *n, const sq_node *x)
{
    for (; x; x = x->next) {
        switch (x->kind) {
        case SQ_NODE_LOOP:
            if (x->runs == SQ_LOOP_BLOCKS)
                sq_grid_blocks(w, n, x);
            else if (x->runs == SQ_LOOP_LANES)
                sq_grid_lanes(w, n, x);
            else
                append_loop(w, n, x);
            break;
        case SQ_NODE_IF:
            append_if(w, n, x);
            break;
        case SQ_NODE_COPY:
            append_copy(w, x);
            break;
        case SQ_NODE_HELD:
            sq_grid_held(w, n, x);
            break;
        case SQ_NODE_TILE:
            append_tile(w, n);
            break;
        case SQ_NODE_SCAN:
            sq_grid_append(w, x->code);
            break;
        case SQ_NODE_FUSION:
            append_fusion(w, x->fusion);
            break;
        }
    }
}

/* ---- nests ---- */

/* Appends a nest under its condition. */
static void append_guarded(sq_kernel_walk *w, const sq_nest *n)
{
    bool scope = n->cond || sq_nest_is_bare(n);
    if (scope)
        sq_grid_open_if(w, n->cond);
    sq_grid_append(w, sq_code_comment(w->code, sq_nest_comment(n)));
    sq_grid_nodes(w, n, n->root);
    if (scope)
        sq_grid_close(w);
}

/* Appends nests in sequence. A nest without loops for the threads of a block runs in one of them,
 * and all wait for what it wrote; inside a shared loop each thread runs it for its own iterations,
 * whose number may differ. */
static void append_fusion(sq_kernel_walk *w, const sq_fusion *r)
{
    for (int i = 0; i < r->nnests; i++) {
        bool one = sq_nest_threads(r->nest[i]) == 1 && sq_grid_first_threads(w, 1);
        append_guarded(w, r->nest[i]);
        if (one)
            sq_grid_close(w);
        if (w->threads > 1 && (!w->in_shared_loop || sq_grid_has_lanes(r->nest[i]->root)))
            sq_grid_barrier(w);
    }
}

/* ---- kernels ---- */

/* Returns a nest at or below x that has a barrier but runs with fewer threads than the kernel;
 * NULL: none. */
static const sq_nest *meets_alone(const sq_node *x, int threads)
{
    for (; x; x = x->next) {
        const sq_nest *found = meets_alone(x->body, threads);
        found = found ? found : meets_alone(x->other, threads);
        for (int i = 0; !found && x->kind == SQ_NODE_FUSION && i < x->fusion->nnests; i++) {
            const sq_nest *in = x->fusion->nest[i];
            if (sq_nest_threads(in) < threads && sq_node_meets(in->root))
                found = in;
            else if (in->has_fusion)
                found = meets_alone(in->root, threads);
        }
        if (found)
            return found;
    }
    return NULL;
}

/* Refuses loops that threads cannot share as they stand. -1 with an error added. */
static int check(const sq_nest *n, const sq_node *x, sq_diags *d)
{
    int threads = sq_nest_threads(n);
    const sq_nest *alone = meets_alone(x, threads);
    if (alone)
        return sq_error(d, SQ_FAULT_REFUSED, alone->group->stmt[0]->loc,
                        "%s shares copies (share) between %d threads, but another statement of "
                        "the same loops has %d; give both as many threads",
                        alone->group->stmt[0]->name, sq_nest_threads(alone), threads);
    if (sq_node_blocks(x) > sq_node_blocks_chained(x))
        return sq_error(d, SQ_FAULT_REFUSED, n->group->stmt[0]->loc,
                        "%s: loops that blocks share (block) stand beside each other, or one in "
                        "another's case; share the outer ones alone",
                        n->group->stmt[0]->name);
    return 0;
}

/* Declares a nest's shared copies, or those of the nests that share its loops. */
static void declare_copies(sq_kernel_walk *w, const sq_nest *n)
{
    for (int i = 0; i < n->nbuffers; i++)
        if (n->buffer[i]->shared) {
            sq_code_block_place(n->buffer[i]->memory, &w->block_bytes);
            sq_grid_append(w, sq_code_declare(w->code, n->buffer[i]->memory, false));
        }
}

static void declare_all(sq_kernel_walk *w, const sq_nest *n, const sq_node *x)
{
    declare_copies(w, n);
    for (; x && n->has_fusion; x = x->next) {
        const sq_node *in = x;
        while (in && in->kind != SQ_NODE_FUSION)
            in = in->body;
        for (int i = 0; in && i < in->fusion->nnests; i++)
            declare_copies(w, in->fusion->nest[i]);
    }
}

sq_kernel_walk sq_grid_walk(const sq_nest *n, const sq_target *t, sq_parts *parts, sq_grid_scope *scope)
{
    return (sq_kernel_walk){.target = t,
                            .kernel = n->kernel,
                            .code = n->code,
                            .arena = n->code->arena,
                            .parts = parts,
                            .scope = scope,
                            .threads = sq_nest_threads(n)};
}

sq_code *sq_grid_kernel(const sq_nest *n, const sq_node *x, const sq_target *t, sq_parts *parts, sq_diags *d)
{
    if (check(n, x, d) != 0)
        return NULL;
    sq_grid_scope all = {0};
    sq_kernel_walk w = sq_grid_walk(n, t, parts, &all);
    sq_code *loop = sq_code_loop(w.code, SQ_TILE_THREAD, sq_grid_number(&w, 0), sq_grid_number(&w, w.threads), 1);
    loop->runs = SQ_CODE_BLOCK_THREADS;
    sq_grid_open(&w, loop);
    declare_all(&w, n, x);
    if (w.block_bytes > t->grid->shared_bytes) {
        sq_error(d, SQ_FAULT_REFUSED, n->group->stmt[0]->loc,
                 "%s: %lld bytes that threads of a block share; %s has %lld at most", n->group->stmt[0]->name,
                 (long long)w.block_bytes, t->grid->arch, (long long)t->grid->shared_bytes);
        return NULL;
    }
    sq_grid_nodes(&w, n, x);
    sq_grid_close(&w);
    return all.list.first;
}
