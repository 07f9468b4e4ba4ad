/* Print grid: the loops of a nest that blocks of a grid and threads of a block share. Blocks take
 * tile numbers with a stride, so that a grid of any size is correct; threads take iterations with a
 * stride, or exactly one each if they cover the tile around. If there are cooperative copies, every
 * thread reaches every barrier: conditions for threads beyond the edge are further inside. */
#include "codegen/grid/print.h"
#include "codegen/print/statements.h"
#include "ir/dependence/tensor.h"
#include <string.h>

/* ---- queries ---- */

bool sq_node_meets(const sq_node *x)
{
    for (; x; x = x->next)
        if ((x->kind == SQ_NODE_COPY && x->buffer->shared) || x->meets || sq_node_meets(x->body) ||
            sq_node_meets(x->other))
            return true;
    return false;
}

static int64_t threads_from(const sq_group *g, int l)
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
    int own = (int)threads_from(n->group, 0),
        inside = n->has_fusion ? nodes_threads(n, n->root) : 1;
    return own > inside ? own : inside;
}

static int dim_of(const sq_nest *n, const sq_node *x)
{
    return n->group->loop[sq_group_loop(n->group, x->name)].dim;
}

bool sq_node_lanes(const sq_node *x)
{
    for (; x; x = x->next)
        if ((x->kind == SQ_NODE_LOOP && x->runs == SQ_LOOP_LANES) || sq_node_lanes(x->body) ||
            sq_node_lanes(x->other))
            return true;
    return false;
}

bool sq_node_waits(const sq_nest *n, const sq_node *x)
{
    return dim_of(n, x) < n->group->nfree && sq_node_lanes(x->body);
}

/* Returns "sq_tiles(0, M, 128)" */
static const char *tiles(const sq_nest *n, const sq_node *x, const sq_uses *uses, sq_arena *arena)
{
    int d = dim_of(n, x);
    return sq_arena_printf(arena, "sq_tiles(%s, %s, %lld)", sq_code_text(n->anchor[d], uses, arena),
                           sq_code_text(n->end[d], uses, arena), (long long)x->step);
}

/* Returns the next inner loop that blocks share; it may be inside of a condition. */
static const sq_node *next_block(const sq_node *x)
{
    const sq_node *in = x->body;
    while (in && in->kind == SQ_NODE_IF && !in->other && !in->next && in->body && !in->body->next)
        in = in->body;
    return in && in->kind == SQ_NODE_LOOP && in->runs == SQ_LOOP_BLOCKS ? in : NULL;
}

/* Opens the conditions around the next loop that blocks share; returns their number. */
static int open_conditions(sq_printer *p, const sq_node *x)
{
    int opened = 0;
    if (!next_block(x))
        return 0;
    for (const sq_node *in = x->body; in->kind == SQ_NODE_IF; in = in->body, opened++)
        sq_text_open(&p->body, "if (%s) {", sq_print_code(p, in->cond));
    return opened;
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
    for (const sq_node *b = begins ? x : NULL; b; b = next_block(b))
        n++;
    return n;
}

const char *sq_nest_blocks(const sq_nest *n, const sq_node *x, const sq_uses *uses, sq_arena *arena)
{
    const char *all = "";
    if (!x || x->kind != SQ_NODE_LOOP || x->runs != SQ_LOOP_BLOCKS)
        return "1";
    for (; x; x = next_block(x))
        all = sq_arena_printf(arena, "%s%s%s", all, *all ? " * " : "", tiles(n, x, uses, arena));
    return all;
}

/* ---- blocks ---- */

/* Returns base + by * index, whose text is a name or parenthesised. */
static const sq_code_expr *from(const sq_printer *p, const sq_code_expr *base, int64_t by,
                                const char *index)
{
    return sq_code_add_scaled(p->code, base, by, sq_code_name(p->code, index));
}

/* Returns the number of tiles of a loop that are grouped and go through those of the next loop
 * together; 0: one at a time. */
static int64_t rows_of(const sq_nest *n, const sq_node *x)
{
    return n->group->loop[sq_group_loop(n->group, x->name)].rows;
}

/* Prints which tiles of the two innermost loops belong to a number if rows are grouped, where the
 * last group may have fewer: tiles of a group run column by column. */
static void put_grouped(sq_printer *p, const sq_nest *n, const sq_node *row, bool first)
{
    const char *i = row->name, *j = next_block(row)->name, *tile = first ? "@tile" : "@of_both";
    long long rows = rows_of(n, row);
    if (!first)
        sq_text_line(&p->body, "const int64_t @of_both = @tile %% (@tiles_%s * @tiles_%s);", i, j);
    sq_text_line(&p->body, "const int64_t @above = %s / (%lld * @tiles_%s) * %lld;", tile, rows, j,
                 rows);
    sq_text_line(&p->body, "const int64_t @rows = %s(%lld, @tiles_%s - @above);", sq_uses_helper(&p->uses, "sq_min"),
                 rows, i);
    sq_text_line(&p->body, "const int64_t @of_group = %s - @above * @tiles_%s;", tile, j);
}

/* Returns the number of a loop's tile. */
static const char *tile_index(sq_printer *p, const sq_nest *n, const sq_node *x,
                              const sq_node *around)
{
    const char *index = "@tile";
    if (rows_of(n, x))
        return "(@above + @of_group % @rows)";
    if (around && rows_of(n, around))
        return "(@of_group / @rows)";
    sq_text inner = {0};
    for (const sq_node *in = next_block(x); in; in = next_block(in))
        sq_text_printf(&inner, "%s@tiles_%s", inner.n ? " * " : "", in->name);
    if (inner.n)
        index = sq_arena_printf(p->arena, strchr(inner.s, '*') ? "%s / (%s)" : "%s / %s", index,
                                inner.s);
    if (around)
        index = sq_arena_printf(p->arena, "%s %% @tiles_%s", index, x->name);
    sq_text_free(&inner);
    return strcmp(index, "@tile") == 0 ? index : sq_arena_printf(p->arena, "(%s)", index);
}

/* Prints the value of a loop from the number of the block's tile, and the condition that it
 * exists. */
static int put_block_value(sq_printer *p, const sq_nest *n, const sq_node *x, const sq_node *around)
{
    int d = dim_of(n, x);
    if (rows_of(n, x))
        put_grouped(p, n, x, !around);
    const char *index = tile_index(p, n, x, around);
    sq_text_line(&p->body, "const int64_t %s = %s;", x->name,
                 sq_print_code(p, from(p, n->anchor[d], x->step, index)));
    if (x->lo == n->anchor[d] && x->hi == n->end[d])
        return 0;
    sq_text_open(&p->body, "if (%s >= %s && %s < %s) {", x->name, sq_print_code(p, x->lo), x->name,
                 sq_print_code(p, x->hi));
    return 1;
}

void sq_print_blocks(sq_printer *p, const sq_nest *n, const sq_node *x)
{
    sq_text all = {0};
    int opened = 0;
    const sq_node *last = x;
    for (const sq_node *b = x; b; last = b, b = next_block(b)) {
        sq_text_line(&p->body, "const int64_t @tiles_%s = %s;", b->name, tiles(n, b, &p->uses, p->arena));
        sq_text_printf(&all, "%s@tiles_%s", all.n ? " * " : "", b->name);
    }
    sq_text_open(&p->body, "for (int64_t @tile = blockIdx.x; @tile < %s; @tile += gridDim.x) {",
                 sq_text_str(&all));
    for (const sq_node *b = x, *around = NULL; b; around = b, b = next_block(b)) {
        opened += put_block_value(p, n, b, around);
        opened += open_conditions(p, b);
    }
    sq_print_nodes(p, n, last->body);
    while (opened-- >= 0)
        sq_text_close(&p->body, "}");
    sq_text_free(&all);
}

/* ---- threads of a block ---- */

/* Returns the index of this thread among those of the loop. Inner loops have adjacent threads,
 * except for a sum whose partial sums are in other warps. */
static const char *thread_index(sq_printer *p, const sq_group *g, int l)
{
    int64_t n = sq_loop_threads(g, l), inner = threads_from(g, l + 1);
    int beside = sq_group_team_beside(g), shared = -1, parts = sq_group_team(g, &shared);
    bool outermost = threads_from(g, 0) == n * inner;
    if (beside > 1) {
        outermost = l == shared;
        inner = outermost ? beside : inner / parts;
    }
    const char *index = "threadIdx.x";
    if (inner > 1)
        index = sq_arena_printf(p->arena, "%s / %lld", index, (long long)inner);
    if (!outermost)
        index = sq_arena_printf(p->arena, "%s %% %lld", index, (long long)n);
    return sq_arena_printf(p->arena, "(int)(%s)", index);
}

static void open_thread_loop(sq_printer *p, const sq_nest *n, const sq_node *x, int l)
{
    const sq_group *g = n->group;
    bool warps = sq_tensor_has(g, g->loop[l].dim), interleaved = sq_group_interleaved(g, g->loop[l].dim);
    int64_t by = interleaved && !warps ? g->micro.lanes : x->step;
    const sq_code_expr *start = from(p, x->lo, by, thread_index(p, g, l));
    if (warps) /* plus the lane's first point of the warp's tile */
        start = from(p, start, 1,
                     g->loop[l].dim == g->micro.tensor.rows ? "(int)(threadIdx.x % 32 / 4)"
                                                            : "(int)(threadIdx.x % 4 * 2)");
    if (!sq_loop_covers(g, l)) {
        sq_print_loop_head(p, x, start, sq_loop_threads(g, l));
        return;
    }
    sq_text_line(&p->body, "const int64_t %s = %s;", x->name, sq_print_code(p, start));
    if (sq_node_meets(x->body))
        sq_text_open(&p->body, "{");
    else
        sq_text_open(&p->body, "if (%s < %s) {", x->name, sq_print_code(p, x->hi));
}

bool sq_print_first_threads(sq_printer *p, int64_t n)
{
    if (n >= p->threads)
        return false;
    if (n == 1)
        sq_text_open(&p->body, "if (threadIdx.x == 0) {");
    else
        sq_text_open(&p->body, "if (threadIdx.x < %lld) {", (long long)n);
    return true;
}

void sq_print_lanes(sq_printer *p, const sq_nest *n, const sq_node *x)
{
    int l = sq_group_loop(n->group, x->name);
    int64_t own = threads_from(n->group, 0);
    bool idle = own == threads_from(n->group, l) && sq_print_first_threads(p, own);
    if (!idle && sq_loop_covers(n->group, l))
        sq_text_open(&p->body, "{");
    open_thread_loop(p, n, x, l);
    bool was = p->in_shared_loop;
    p->in_shared_loop = true;
    sq_print_nodes(p, n, x->body);
    p->in_shared_loop = was;
    sq_text_close(&p->body, "}");
    if (idle || sq_loop_covers(n->group, l))
        sq_text_close(&p->body, "}");
}

/* ---- sums that stay in registers ---- */

static bool masks(const sq_nest *n, int d)
{
    return n->count[d].number && n->count[d].kind != SQ_COUNT_FULL;
}

/* Returns the condition that all points along a dimension exist. */
static const sq_code_expr *is_full(const sq_printer *p, const sq_nest *n, int d)
{
    const char *count = sq_arena_printf(p->arena, "@n_%s", n->group->dim[d]);
    return sq_code_compare(p->code, SQ_CODE_EQ, sq_code_name(p->code, count),
                           sq_code_number(p->code, sq_group_reach(n->group, d)));
}

/* Returns the condition that the points of all threads of the block exist. All threads compute the
 * same value, so that a barrier may follow. NULL: they always exist. */
static const sq_code_expr *full_for_all(const sq_printer *p, const sq_nest *n)
{
    const sq_code_expr *all = n->whole;
    for (int d = 0; d < n->group->ndim; d++) {
        bool dealt = false;
        for (int l = 0; l < n->group->nloops; l++)
            dealt |= n->group->loop[l].dim == d && n->group->loop[l].runs == SQ_LOOP_LANES;
        if (masks(n, d) && !dealt)
            all = sq_code_and(p->code, all, is_full(p, n, d));
    }
    return all;
}

/* Prints the statements of a tile as they are made. */
static void put_statements(void *printer, sq_code *x)
{
    sq_printer *p = printer;
    sq_print_lowered(p, x, true, &p->body);
}

/* Prints the loops once, for threads that have partial sums in several warps: all reach the
 * barriers where these are combined, including threads without points. */
static void put_beside(sq_printer *p, const sq_nest *n, const sq_node *x, const sq_variant *v)
{
    const sq_tile_sink sink = {.put = put_statements, .to = p};
    sq_tile *t = sq_tile_open(n, v, p->options->target, NULL, &sink);
    int beside = sq_group_team_beside(n->group);
    const char *active = n->active ? sq_print_code(p, n->active) : NULL;
    for (int s = 0; s < n->group->nstmts; s++)
        sq_print_note(p, n->group->stmt[s], sq_tile_lanes(n, p->options->target), false);
    p->held = t;
    if (active)
        sq_text_open(&p->body, "if (%s) {", active);
    sq_print_nodes(p, n, x->body);
    if (active)
        sq_text_close(&p->body, "}");
    p->held = NULL;
    sq_tile_end(t);
    sq_tile_team_beside(t, sq_group_team(n->group, NULL), beside);
    sq_text_open(&p->body, active ? "if (threadIdx.x < %d && %s) {" : "if (threadIdx.x < %d) {",
                 beside, active);
    sq_tile_close(t, v);
    sq_text_close(&p->body, "}");
    sq_tile_free(t);
}

/* Prints the loops once, for points of one variant, or, unless `whole`, with an end for another. */
static void put_tile(sq_printer *p, const sq_nest *n, const sq_node *x, const sq_variant *v,
                     const sq_code_expr *whole, const sq_variant *part, const sq_code_expr *guard)
{
    const sq_tile_sink sink = {.put = put_statements, .to = p};
    sq_tile *t = sq_tile_open(n, v, p->options->target, guard, &sink);
    for (int s = 0; s < n->group->nstmts; s++)
        sq_print_note(p, n->group->stmt[s], sq_tile_lanes(n, p->options->target), false);
    p->held = t;
    p->guard = guard;
    sq_print_nodes(p, n, x->body);
    p->held = NULL;
    int team = sq_group_team(n->group, NULL);
    sq_tile_end(t);
    sq_tile_team(t, team);
    if (team > 1) {
        bool more = threads_from(n->group, 0) > team;
        sq_text_open(&p->body, more ? "if (threadIdx.x %% 32 == 0) {" : "if (threadIdx.x == 0) {");
    }
    if (part)
        sq_text_open(&p->body, "if (%s) {", sq_print_code(p, whole));
    else if (guard)
        sq_text_open(&p->body, "if (%s) {", sq_print_code(p, guard));
    sq_tile_close(t, v);
    if (part) {
        sq_text_close(&p->body, "} else %s%s%s{", n->active ? "if (" : "",
                      n->active ? sq_print_code(p, n->active) : "", n->active ? ") " : "");
        p->body.indent++;
        sq_tile_close(t, part);
    }
    if (part || guard)
        sq_text_close(&p->body, "}");
    if (team > 1)
        sq_text_close(&p->body, "}");
    sq_tile_free(t);
}

void sq_print_held(sq_printer *p, const sq_nest *n, const sq_node *x)
{
    const sq_variant all = sq_lower_variant(n, false), part = sq_lower_variant(n, true);
    sq_code_list counts = {0};
    bool meets = sq_node_meets(x->body);
    if (x->meets) {
        put_beside(p, n, x, &all);
        return;
    }
    const sq_code_expr *own = sq_lower_counts(n, -1, &counts),
                       *whole = meets ? full_for_all(p, n) : own;
    sq_print_statements(p, counts.first, &p->body);
    if (!whole) {
        put_tile(p, n, x, &all, NULL, NULL, NULL);
    } else if (meets && sq_tile_reads_shared(n) && !sq_tile_resumes(n)) {
        put_tile(p, n, x, &all, whole, &part, NULL);
    } else {
        sq_text_open(&p->body, "if (%s) {", sq_print_code(p, whole));
        put_tile(p, n, x, &all, NULL, NULL, NULL);
        sq_text_close(&p->body, "} else {");
        p->body.indent++;
        put_tile(p, n, x, &part, NULL, NULL, meets ? n->active : NULL);
        sq_text_close(&p->body, "}");
    }
}
