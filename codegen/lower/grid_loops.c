/* Grid, loops: the loops of a nest that blocks of a grid and threads of a block share. Blocks take
 * tile numbers with a stride, so that a grid of any size is correct; threads take iterations with a
 * stride, or exactly one each if they cover the tile around. If there are cooperative copies, every
 * thread reaches every barrier: conditions for threads beyond the edge are further inside. */
#include "codegen/lower/grid_inside.h"
#include "ir/dependence/tensor.h"

/* ---- queries ---- */

bool sq_node_meets(const sq_node *x)
{
    for (; x; x = x->next)
        if ((x->kind == SQ_NODE_COPY && x->buffer->shared) || x->meets || sq_node_meets(x->body) ||
            sq_node_meets(x->other))
            return true;
    return false;
}

int64_t sq_grid_threads_from(const sq_group *g, int l)
{
    int64_t n = sq_group_is_tensor(g) ? SQ_WARP : 1;
    for (; l < g->nloops; l++)
        if (g->loop[l].runs == SQ_LOOP_LANES)
            n *= sq_loop_threads(g, l);
    return n;
}

static int nodes_threads(const sq_nest *n, const sq_node *x)
{
    int most = 1;
    for (; x; x = x->next) {
        int inside[2] = {nodes_threads(n, x->body), nodes_threads(n, x->other)};
        for (int i = 0; i < 2; i++)
            most = inside[i] > most ? inside[i] : most;
        for (int i = 0; x->kind == SQ_NODE_FUSION && i < x->fusion->nnests; i++) {
            int one = sq_nest_threads(x->fusion->nest[i]);
            most = one > most ? one : most;
        }
    }
    return most;
}

int sq_nest_threads(const sq_nest *n)
{
    int own = (int)sq_grid_threads_from(n->group, 0),
        inside = n->has_fusion ? nodes_threads(n, n->root) : 1;
    return own > inside ? own : inside;
}

/* Returns the dimension of a loop. */
static int dim_of(const sq_nest *n, const sq_node *x)
{
    return n->group->loop[sq_group_loop(n->group, x->name)].dim;
}

bool sq_grid_has_lanes(const sq_node *x)
{
    for (; x; x = x->next)
        if ((x->kind == SQ_NODE_LOOP && x->runs == SQ_LOOP_LANES) || sq_grid_has_lanes(x->body) ||
            sq_grid_has_lanes(x->other))
            return true;
    return false;
}

bool sq_grid_waits(const sq_nest *n, const sq_node *x)
{
    return dim_of(n, x) < n->group->nfree && sq_grid_has_lanes(x->body);
}

const sq_node *sq_node_next_block(const sq_node *x)
{
    const sq_node *in = x->body;
    while (in && in->kind == SQ_NODE_IF && !in->other && !in->next && in->body && !in->body->next)
        in = in->body;
    return in && in->kind == SQ_NODE_LOOP && in->runs == SQ_LOOP_BLOCKS ? in : NULL;
}

int sq_node_blocks(const sq_node *x)
{
    int n = 0;
    for (; x; x = x->next)
        n += (x->kind == SQ_NODE_LOOP && x->runs == SQ_LOOP_BLOCKS) + sq_node_blocks(x->body) +
             sq_node_blocks(x->other);
    return n;
}

int sq_node_blocks_chained(const sq_node *x)
{
    int n = 0;
    bool begins = x && x->kind == SQ_NODE_LOOP && x->runs == SQ_LOOP_BLOCKS;
    for (const sq_node *b = begins ? x : NULL; b; b = sq_node_next_block(b))
        n++;
    return n;
}

/* ---- blocks ---- */

const sq_code_expr *sq_grid_tiles_between(sq_code_pool *p, const sq_code_expr *lo, const sq_code_expr *hi,
                                          int64_t step)
{
    const sq_code_expr *points = sq_code_plus(p, sq_code_sub(p, hi, lo), step - 1);
    return sq_code_max(p, sq_code_divide(p, SQ_CODE_DIV, points, sq_code_number(p, step)), sq_code_number(p, 0));
}

const sq_code_expr *sq_grid_tiles(const sq_kernel_walk *w, const sq_nest *n, const sq_node *x)
{
    int d = dim_of(n, x);
    return sq_grid_tiles_between(w->code, n->anchor[d], n->end[d], x->step);
}

/* Returns the variable that holds it. */
static const sq_code_expr *tiles_of(const sq_kernel_walk *w, const sq_node *x)
{
    return sq_grid_name(w, sq_arena_printf(w->arena, "@tiles_%s", x->name));
}

/* Opens the conditions around the next loop that blocks share; returns their number. */
static int open_conditions(sq_kernel_walk *w, const sq_node *x)
{
    int opened = 0;
    if (!sq_node_next_block(x))
        return 0;
    for (const sq_node *in = x->body; in->kind == SQ_NODE_IF; in = in->body, opened++)
        sq_grid_open_if(w, in->cond);
    return opened;
}

/* Returns the number of tiles of a loop that are grouped and go through those of the next loop
 * together; 0: one at a time. */
static int64_t rows_of(const sq_nest *n, const sq_node *x)
{
    return n->group->loop[sq_group_loop(n->group, x->name)].rows;
}

static const sq_code_expr *divided(const sq_kernel_walk *w, sq_code_op op, const sq_code_expr *a,
                                   const sq_code_expr *b)
{
    return sq_code_divide(w->code, op, a, b);
}

/* Appends which tiles of the two innermost loops belong to a number if rows are grouped, where the
 * last group may have fewer: tiles of a group run column by column. */
static void append_grouped(sq_kernel_walk *w, const sq_nest *n, const sq_node *row, bool first)
{
    sq_code_pool *p = w->code;
    const sq_code_expr *i = tiles_of(w, row), *j = tiles_of(w, sq_node_next_block(row)),
                       *tile = sq_grid_name(w, "@tile"), *above = sq_grid_name(w, "@above");
    int64_t rows = rows_of(n, row);
    if (!first) {
        sq_grid_let(w, "@of_both", divided(w, SQ_CODE_REM, tile, sq_code_mul(p, i, j)));
        tile = sq_grid_name(w, "@of_both");
    }
    sq_grid_let(w, above->name, sq_code_scale(p, rows, divided(w, SQ_CODE_DIV, tile, sq_code_scale(p, rows, j))));
    sq_grid_let(w, "@rows", sq_code_min(p, sq_grid_number(w, rows), sq_code_sub(p, i, above)));
    sq_grid_let(w, "@of_group", sq_code_sub(p, tile, sq_code_mul(p, above, j)));
}

/* Returns the number of a loop's tile. */
static const sq_code_expr *tile_index(const sq_kernel_walk *w, const sq_nest *n, const sq_node *x,
                                      const sq_node *around)
{
    const sq_code_expr *rows = sq_grid_name(w, "@rows"), *of_group = sq_grid_name(w, "@of_group"),
                       *inner = sq_grid_number(w, 1), *index;
    if (rows_of(n, x))
        return sq_code_add(w->code, sq_grid_name(w, "@above"), divided(w, SQ_CODE_REM, of_group, rows));
    if (around && rows_of(n, around))
        return divided(w, SQ_CODE_DIV, of_group, rows);
    for (const sq_node *in = sq_node_next_block(x); in; in = sq_node_next_block(in))
        inner = sq_code_mul(w->code, inner, tiles_of(w, in));
    index = divided(w, SQ_CODE_DIV, sq_grid_name(w, "@tile"), inner);
    return around ? divided(w, SQ_CODE_REM, index, tiles_of(w, x)) : index;
}

/* Appends the value of a loop from the number of the block's tile, and opens the condition that it
 * exists. Returns the number of conditions. */
static int append_block_value(sq_kernel_walk *w, const sq_nest *n, const sq_node *x, const sq_node *around)
{
    sq_code_pool *p = w->code;
    int d = dim_of(n, x);
    const sq_code_expr *own = sq_grid_name(w, x->name);
    if (rows_of(n, x))
        append_grouped(w, n, x, !around);
    sq_grid_let(w, x->name, sq_code_add_scaled(p, n->anchor[d], x->step, tile_index(w, n, x, around)));
    if (x->lo == n->anchor[d] && x->hi == n->end[d])
        return 0;
    sq_grid_open_if(w, sq_code_and(p, sq_code_compare(p, SQ_CODE_GE, own, x->lo), sq_grid_below(w, own, x->hi)));
    return 1;
}

void sq_grid_blocks(sq_kernel_walk *w, const sq_nest *n, const sq_node *x)
{
    const sq_code_expr *all = sq_grid_number(w, 1);
    const sq_node *last = x;
    int opened = 1;
    for (const sq_node *b = x; b; last = b, b = sq_node_next_block(b)) {
        sq_grid_let(w, tiles_of(w, b)->name, sq_grid_tiles(w, n, b));
        all = sq_code_mul(w->code, all, tiles_of(w, b));
    }
    sq_code *loop = sq_code_loop(w->code, "@tile", sq_grid_number(w, 0), all, 1);
    loop->runs = SQ_CODE_BLOCKS;
    sq_grid_open(w, loop);
    for (const sq_node *b = x, *around = NULL; b; around = b, b = sq_node_next_block(b)) {
        opened += append_block_value(w, n, b, around);
        opened += open_conditions(w, b);
    }
    sq_grid_nodes(w, n, last->body);
    sq_grid_close_all(w, opened);
}

/* ---- threads of a block ---- */

/* Returns the index of this thread among those of the loop. Inner loops have adjacent threads,
 * except for a sum whose partial sums are in other warps. */
static const sq_code_expr *thread_index(const sq_kernel_walk *w, const sq_group *g, int l)
{
    int64_t n = sq_loop_threads(g, l), inner = sq_grid_threads_from(g, l + 1);
    int beside = sq_group_team_beside(g), shared = -1, parts = sq_group_team(g, &shared);
    bool outermost = sq_grid_threads_from(g, 0) == n * inner;
    if (beside > 1) {
        outermost = l == shared;
        inner = outermost ? beside : inner / parts;
    }
    const sq_code_expr *index = sq_grid_over(w, sq_grid_thread(w), inner);
    return outermost ? index : sq_grid_rest(w, index, n);
}

/* Returns the offset of a lane's first point in the warp's tile along a dimension. */
static const sq_code_expr *lane_point(const sq_kernel_walk *w, const sq_group *g, int d)
{
    const sq_code_expr *thread = sq_grid_thread(w);
    return d == g->micro.tensor.rows ? sq_grid_over(w, sq_grid_rest(w, thread, SQ_WARP), 4)
                                     : sq_code_scale(w->code, 2, sq_grid_rest(w, thread, 4));
}

static void open_thread_loop(sq_kernel_walk *w, const sq_nest *n, const sq_node *x, int l)
{
    const sq_group *g = n->group;
    int d = g->loop[l].dim;
    bool warps = sq_tensor_has(g, d), interleaved = sq_group_interleaved(g, d);
    int64_t by = interleaved && !warps ? g->micro.lanes : x->step;
    const sq_code_expr *start = sq_code_add_scaled(w->code, x->lo, by, thread_index(w, g, l));
    if (warps)
        start = sq_code_add(w->code, start, lane_point(w, g, d));
    if (!sq_loop_covers(g, l)) {
        sq_grid_open(w, sq_grid_loop(w, x, start, sq_loop_threads(g, l)));
        return;
    }
    sq_grid_let(w, x->name, start);
    sq_grid_open_if(w, sq_node_meets(x->body) ? NULL : sq_grid_below(w, sq_grid_name(w, x->name), x->hi));
}

bool sq_grid_first_threads(sq_kernel_walk *w, int64_t n)
{
    const sq_code_expr *thread = sq_grid_thread(w);
    if (n >= w->threads)
        return false;
    sq_grid_open_if(w, n == 1 ? sq_code_compare(w->code, SQ_CODE_EQ, thread, sq_grid_number(w, 0))
                              : sq_grid_below(w, thread, sq_grid_number(w, n)));
    return true;
}

void sq_grid_lanes(sq_kernel_walk *w, const sq_nest *n, const sq_node *x)
{
    int l = sq_group_loop(n->group, x->name);
    int64_t own = sq_grid_threads_from(n->group, 0);
    bool idle = own == sq_grid_threads_from(n->group, l) && sq_grid_first_threads(w, own);
    bool scope = !idle && sq_loop_covers(n->group, l);
    if (scope)
        sq_grid_open_block(w);
    open_thread_loop(w, n, x, l);
    bool was = w->in_shared_loop;
    w->in_shared_loop = true;
    sq_grid_nodes(w, n, x->body);
    w->in_shared_loop = was;
    sq_grid_close_all(w, 1 + (idle || scope));
}
