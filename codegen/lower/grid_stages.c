/* Grid, stages: software pipelining of a loop over tiles whose operands the threads of a block copy
 * cooperatively: the copies of the next iterations are in flight while one is computed. A copy has
 * several stages, buffers that iterations use in turn. An iteration has these steps:
 *
 *     wait for its copies, not for later ones
 *     barrier: all threads' copies have arrived, and all have finished with the stage that is filled next
 *     start the copies of the iteration stages - 1 ahead
 *     compute
 *
 * A warpgroup's instructions are asynchronous, so that copies are started in the meantime:
 *
 *     wait for copies, barrier, start to compute, start copies, wait for the sums
 *
 * Outer loops of the same sum, such as those over a filter's taps, do not interrupt the pipeline:
 * copies have counters of their own, which continue from the end of one loop with the beginning of
 * the next. */
#include "codegen/code/instruction.h"
#include "codegen/lower/grid_inside.h"
#include "ir/dependence/tensor.h"

/* Loops of one sum, outermost first; the innermost has the copies. */
typedef struct chain {
    int n;
    const sq_node *loop[SQ_MAX_LOOPS];
} chain;

static bool has_stages(const sq_node *x)
{
    return x && x->kind == SQ_NODE_COPY && x->buffer->shared && x->buffer->stages > 1;
}

static const sq_code_expr *stage(const sq_kernel_walk *w)
{
    return sq_grid_name(w, "@stage");
}

/* Makes the names of the loop's copies point to their stage. */
static void append_places(sq_kernel_walk *w, const sq_node *copy, const sq_code_expr *at)
{
    for (; has_stages(copy); copy = copy->next) {
        sq_code *x = sq_code_new(w->code, SQ_CODE_POINTER);
        x->buffer = copy->buffer->panel;
        x->of = copy->buffer->memory;
        x->value = sq_code_scale(w->code, copy->buffer->elements, at);
        sq_grid_append(w, x);
    }
}

/* Appends where the copies begin in their arrays, for their readers. */
static void append_starts(sq_kernel_walk *w, const sq_node *copy)
{
    for (; has_stages(copy); copy = copy->next)
        for (int a = 0; a < copy->buffer->naxes; a++)
            if (copy->buffer->axis[a].lo_value)
                sq_grid_let_any(w, copy->buffer->axis[a].lo->name, copy->buffer->axis[a].lo_value);
}

static void append_started(sq_kernel_walk *w, const sq_node *copy, const sq_code_expr *at)
{
    append_places(w, copy, at);
    w->async = true;
    for (; has_stages(copy); copy = copy->next) {
        sq_grid_open_block(w);
        sq_grid_copy(w, copy->buffer);
        sq_grid_close(w);
    }
    w->async = false;
}

static void append_plain(sq_kernel_walk *w, sq_code_instruction_row row, int n)
{
    sq_grid_append(w, sq_code_instruct_plain(w->code, row, n));
}

/* Opens the prologue: a loop over the stages that are filled before the first iteration is computed. Each
 * is a group, even if empty, so that waits count groups. */
static void open_prologue(sq_kernel_walk *w, int stages)
{
    sq_code *loop = sq_code_loop(w->code, stage(w)->name, sq_grid_number(w, 0), sq_grid_number(w, stages - 1), 1);
    loop->is_int = true;
    sq_grid_barrier(w);
    sq_grid_open(w, loop);
}

static void append_first(sq_kernel_walk *w, const sq_node *x, int stages)
{
    open_prologue(w, stages);
    sq_grid_let(w, x->name, sq_code_add_scaled(w->code, x->lo, x->step, stage(w)));
    sq_grid_open_if(w, sq_grid_below(w, sq_grid_name(w, x->name), x->hi));
    append_started(w, x->body, stage(w));
    sq_grid_close(w);
    append_plain(w, SQ_INSTRUCTION_COMMIT, 0);
    sq_grid_close(w);
}

/* Appends the stage that is filled while one is computed; returns its name. */
static const sq_code_expr *append_filled(sq_kernel_walk *w, int stages)
{
    const sq_code_expr *filled = sq_grid_name(w, "@filled");
    sq_grid_let_int(w, filled->name, sq_grid_rest(w, sq_code_plus(w->code, stage(w), stages - 1), stages));
    return filled;
}

static void append_ahead(sq_kernel_walk *w, const sq_node *x, int stages)
{
    const sq_code_expr *ahead = sq_grid_name(w, "@ahead");
    sq_grid_open_block(w);
    sq_grid_let(w, ahead->name, sq_code_plus(w->code, sq_grid_name(w, x->name), x->step * (stages - 1)));
    sq_grid_open_if(w, sq_grid_below(w, ahead, x->hi));
    sq_grid_let(w, x->name, ahead);
    append_started(w, x->body, append_filled(w, stages));
    sq_grid_close(w);
    append_plain(w, SQ_INSTRUCTION_COMMIT, 0);
    sq_grid_close(w);
}

/* A loop of one iteration needs no pipelining. */
static void append_once(sq_kernel_walk *w, const sq_nest *n, const sq_node *x)
{
    sq_grid_open_block(w);
    sq_grid_let_any(w, x->name, x->lo);
    append_places(w, x->body, sq_grid_number(w, 0));
    sq_grid_nodes(w, n, x->body);
    if (sq_tensor_is_warpgroup(n->group))
        sq_grid_append(w, sq_tile_wgmma_wait(w->held));
    sq_grid_close(w);
}

/* True if the loop is its whole sum. A loop inside of others, as over a filter's taps, may have too
 * few iterations for pointers of its own: the filter of 3 x 3 and 64 channels was a third slower
 * with them. */
static bool is_whole_sum(const sq_nest *n, const sq_node *x)
{
    const sq_group *g = n->group;
    for (int l = sq_group_loop(g, x->name) - 1; l >= 0; l--)
        if (g->loop[l].dim >= g->nfree)
            return false;
    return true;
}

/* ---- several loops of one sum ---- */

static bool bounds_mention(const sq_node *x, const chain *around)
{
    for (int i = 0; i < around->n; i++)
        if (sq_code_mentions(x->lo, around->loop[i]->name) ||
            sq_code_mentions(x->hi, around->loop[i]->name))
            return true;
    return false;
}

/* Returns the loops of a sum that are perfectly nested and have independent trip counts; none if
 * the innermost one has no copies with stages. Only that one may have a single iteration. */
static chain chain_from(const sq_nest *n, const sq_node *x)
{
    const sq_group *g = n->group;
    chain c = {0};
    for (; x && x->kind == SQ_NODE_LOOP && c.n < SQ_MAX_LOOPS; x = x->body) {
        bool copies = has_stages(x->body);
        if (c.n && (x->next || bounds_mention(x, &c)))
            break;
        c.loop[c.n++] = x;
        if (copies)
            return c;
        if (x->once || x->runs != SQ_LOOP_SERIAL ||
            g->loop[sq_group_loop(g, x->name)].dim < g->nfree)
            break;
    }
    return (chain){0};
}

static const sq_code_expr *next_of(const sq_kernel_walk *w, const sq_node *x)
{
    return sq_grid_name(w, sq_arena_printf(w->arena, "@%s_next", x->name));
}

/* Appends a variable. */
static void append_variable(sq_kernel_walk *w, const char *name, const sq_code_expr *value, bool is_int)
{
    sq_code *x = sq_code_let(w->code, name, value);
    x->kind = SQ_CODE_VARIABLE;
    x->is_int = is_int;
    sq_grid_append(w, x);
}

static void append_assign(sq_kernel_walk *w, const sq_code_expr *variable, const sq_code_expr *value)
{
    sq_grid_append(w, sq_code_assign(w->code, variable->name, value));
}

/* Appends counters of the next copies: the outermost one is at its end if an inner loop has no
 * iterations. */
static void append_counters(sq_kernel_walk *w, const chain *c)
{
    const sq_code_expr *any = NULL, *first;
    for (int i = 1; i < c->n; i++)
        if (!c->loop[i]->once)
            any = sq_code_and(w->code, any, sq_grid_below(w, c->loop[i]->lo, c->loop[i]->hi));
    for (int i = 0; i < c->n; i++) {
        const sq_node *x = c->loop[i];
        first = i == 0 && any ? sq_code_select(w->code, any, x->lo, x->hi) : x->lo;
        if (!x->once)
            append_variable(w, next_of(w, x)->name, first, false);
    }
}

/* Advances the innermost counter; one that reaches its end restarts and advances the one around. */
static void append_advance(sq_kernel_walk *w, const chain *c)
{
    int opened = 0;
    for (int i = c->n - 1; i >= 0; i--) {
        const sq_node *x = c->loop[i];
        if (x->once)
            continue;
        append_assign(w, next_of(w, x), sq_code_plus(w->code, next_of(w, x), x->step));
        if (i == 0)
            break;
        sq_grid_open_if(w, sq_code_compare(w->code, SQ_CODE_GE, next_of(w, x), x->hi));
        append_assign(w, next_of(w, x), x->lo);
        opened++;
    }
    sq_grid_close_all(w, opened);
}

/* Starts the next copies, if there are any; commits a group in any case. */
static void append_next(sq_kernel_walk *w, const chain *c, const sq_code_expr *at)
{
    const sq_node *outer = c->loop[0];
    sq_grid_open_if(w, sq_grid_below(w, next_of(w, outer), outer->hi));
    for (int i = 0; i < c->n; i++)
        sq_grid_let_any(w, c->loop[i]->name, c->loop[i]->once ? c->loop[i]->lo : next_of(w, c->loop[i]));
    append_started(w, c->loop[c->n - 1]->body, at);
    append_advance(w, c);
    sq_grid_close(w);
    append_plain(w, SQ_INSTRUCTION_COMMIT, 0);
}

static void append_next_ahead(sq_kernel_walk *w, const chain *c, int stages)
{
    sq_grid_open_block(w);
    append_next(w, c, append_filled(w, stages));
    sq_grid_close(w);
}

/* ---- iterations ---- */

/* Starts the copies of the iteration stages - 1 ahead. */
static void append_copies(sq_kernel_walk *w, const chain *c, int stages)
{
    if (c->n == 1)
        append_ahead(w, c->loop[0], stages);
    else
        append_next_ahead(w, c, stages);
}

static void append_iteration(sq_kernel_walk *w, const sq_nest *n, const chain *c, int stages)
{
    bool meanwhile = sq_tensor_is_warpgroup(n->group);
    const sq_node *copies = c->loop[c->n - 1]->body, *rest = copies;
    while (has_stages(rest))
        rest = rest->next;
    append_plain(w, SQ_INSTRUCTION_WAIT, stages - 2);
    sq_grid_barrier(w);
    if (!meanwhile)
        append_copies(w, c, stages);
    append_places(w, copies, stage(w));
    append_starts(w, copies);
    sq_grid_nodes(w, n, rest);
    if (meanwhile) {
        append_copies(w, c, stages);
        sq_grid_append(w, sq_tile_wgmma_wait(w->held));
    }
    append_assign(w, stage(w), sq_grid_rest(w, sq_code_plus(w->code, stage(w), 1), stages));
}

static void append_one_loop(sq_kernel_walk *w, const sq_nest *n, const chain *c)
{
    const sq_node *x = c->loop[0], *around = w->steady;
    int stages = x->body->buffer->stages;
    sq_grid_open_block(w);
    w->steady = NULL;
    append_first(w, x, stages);
    append_variable(w, stage(w)->name, sq_grid_number(w, 0), true);
    if (is_whole_sum(n, x))
        sq_steady_begin(w, x);
    sq_grid_open(w, sq_grid_loop(w, x, x->lo, 1));
    append_iteration(w, n, c, stages);
    sq_steady_next(w, x);
    w->steady = around;
    if (sq_grid_waits(n, x))
        sq_grid_barrier(w);
    sq_grid_close(w);
    sq_grid_close(w);
}

static void open_loop(sq_kernel_walk *w, const sq_node *x)
{
    if (!x->once) {
        sq_grid_open(w, sq_grid_loop(w, x, x->lo, 1));
        return;
    }
    sq_grid_open_block(w);
    sq_grid_let_any(w, x->name, x->lo);
}

static void append_chain(sq_kernel_walk *w, const sq_nest *n, const chain *c)
{
    const sq_node *inner = c->loop[c->n - 1], *around = w->steady;
    int stages = inner->body->buffer->stages;
    w->steady = NULL;
    sq_grid_open_block(w);
    append_counters(w, c);
    open_prologue(w, stages);
    append_next(w, c, stage(w));
    sq_grid_close(w);
    append_variable(w, stage(w)->name, sq_grid_number(w, 0), true);
    for (int i = 0; i < c->n; i++)
        open_loop(w, c->loop[i]);
    append_iteration(w, n, c, stages);
    sq_grid_close_all(w, c->n + 1);
    w->steady = around;
}

bool sq_grid_stages(sq_kernel_walk *w, const sq_nest *n, const sq_node *x)
{
    const chain c = chain_from(n, x);
    if (c.n > 1)
        append_chain(w, n, &c);
    else if (c.n == 1 && x->once)
        append_once(w, n, x);
    else if (c.n == 1)
        append_one_loop(w, n, &c);
    return c.n > 0;
}
