/* Print stages: software pipelining of a loop over tiles whose operands the threads of a block copy
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
#include "codegen/grid/print.h"
#include "codegen/print/statements.h"
#include "ir/dependence/tensor.h"

/* Loops of one sum, outermost first; the innermost has the copies. */
typedef struct chain {
    int n;
    const sq_node *loop[SQ_MAX_LOOPS];
} chain;

const char *sq_print_stages_name(const sq_buffer *b, sq_arena *arena)
{
    return b->stages > 1 ? sq_arena_printf(arena, "%s_stages", b->name) : b->name;
}

static bool has_stages(const sq_node *x)
{
    return x && x->kind == SQ_NODE_COPY && x->buffer->shared && x->buffer->stages > 1;
}

/* Makes the names of the loop's copies point to their stage. */
static void put_places(sq_printer *p, const sq_node *copy, const char *stage)
{
    for (; has_stages(copy); copy = copy->next) {
        const sq_buffer *b = copy->buffer;
        sq_text_line(&p->body, "%s *const %s = %s + %s * %lld;", sq_type_ctype(b->type), b->name,
                     sq_print_stages_name(b, p->arena), stage, (long long)b->elements);
    }
}

/* Declares where the copies begin in their arrays, for their readers. */
static void put_starts(sq_printer *p, const sq_node *copy)
{
    for (; has_stages(copy); copy = copy->next)
        for (int a = 0; a < copy->buffer->naxes; a++) {
            const sq_axis *x = &copy->buffer->axis[a];
            if (!x->lo_value)
                continue;
            sq_text_line(&p->body, "const int64_t %s = %s;", x->lo->name,
                         sq_print_code(p, x->lo_value));
            sq_text_line(&p->body, "(void)%s;", x->lo->name);
        }
}

static void put_started(sq_printer *p, const sq_node *copy, const char *stage)
{
    put_places(p, copy, stage);
    p->async = true;
    for (; has_stages(copy); copy = copy->next) {
        sq_text_open(&p->body, "{");
        sq_print_shared_copy(p, copy->buffer);
        sq_text_close(&p->body, "}");
    }
    p->async = false;
}

/* Prints the prologue: copies for the iterations before the first is computed; each is a group,
 * even if empty, so that waits count groups. */
static void put_first(sq_printer *p, const sq_node *x, int stages)
{
    sq_text_line(&p->body, "__syncthreads();");
    sq_text_open(&p->body, "for (int @stage = 0; @stage < %d; @stage++) {", stages - 1);
    const sq_code_expr *at =
        sq_code_add_scaled(p->code, x->lo, x->step, sq_code_name(p->code, "@stage"));
    sq_text_line(&p->body, "const int64_t %s = %s;", x->name, sq_print_code(p, at));
    sq_text_open(&p->body, "if (%s < %s) {", x->name, sq_print_code(p, x->hi));
    put_started(p, x->body, "@stage");
    sq_text_close(&p->body, "}");
    sq_text_line(&p->body, "__pipeline_commit();");
    sq_text_close(&p->body, "}");
}

static void put_ahead(sq_printer *p, const sq_node *x, int stages)
{
    sq_text_open(&p->body, "{");
    sq_text_line(&p->body, "const int64_t @ahead = %s + %lld;", x->name,
                 (long long)(x->step * (stages - 1)));
    sq_text_open(&p->body, "if (@ahead < %s) {", sq_print_code(p, x->hi));
    sq_text_line(&p->body, "const int64_t %s = @ahead;", x->name);
    sq_text_line(&p->body, "const int @filled = (@stage + %d) %% %d;", stages - 1, stages);
    put_started(p, x->body, "@filled");
    sq_text_close(&p->body, "}");
    sq_text_line(&p->body, "__pipeline_commit();");
    sq_text_close(&p->body, "}");
}

/* A loop of one iteration needs no pipelining. */
static void put_once(sq_printer *p, const sq_nest *n, const sq_node *x)
{
    sq_text_open(&p->body, "{");
    sq_text_line(&p->body, "const int64_t %s = %s;", x->name, sq_print_code(p, x->lo));
    sq_text_line(&p->body, "(void)%s;", x->name);
    put_places(p, x->body, "0");
    sq_print_nodes(p, n, x->body);
    if (sq_tensor_is_warpgroup(n->group))
        sq_print_statements(p, sq_tile_wgmma_wait(p->held), &p->body);
    sq_text_close(&p->body, "}");
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

static const char *next_of(const sq_printer *p, const sq_node *x)
{
    return sq_arena_printf(p->arena, "@%s_next", x->name);
}

/* Declares counters of the next copies: the outermost one is at its end if an inner loop has no
 * iterations. */
static void put_counters(sq_printer *p, const chain *c)
{
    sq_code_pool *code = p->code;
    const sq_code_expr *any = NULL, *first;
    for (int i = 1; i < c->n; i++)
        if (!c->loop[i]->once)
            any = sq_code_and(code, any,
                              sq_code_compare(code, SQ_CODE_LT, c->loop[i]->lo, c->loop[i]->hi));
    for (int i = 0; i < c->n; i++) {
        const sq_node *x = c->loop[i];
        first = i == 0 && any ? sq_code_select(code, any, x->lo, x->hi) : x->lo;
        if (!x->once)
            sq_text_line(&p->body, "int64_t %s = %s;", next_of(p, x), sq_print_code(p, first));
    }
}

/* Advances the innermost counter; one that reaches its end restarts and advances the one around. */
static void put_advance(sq_printer *p, const chain *c)
{
    int opened = 0;
    for (int i = c->n - 1; i >= 0; i--) {
        const sq_node *x = c->loop[i];
        if (x->once)
            continue;
        sq_text_line(&p->body, "%s += %lld;", next_of(p, x), (long long)x->step);
        if (i == 0)
            break;
        sq_text_open(&p->body, "if (%s >= %s) {", next_of(p, x), sq_print_code(p, x->hi));
        sq_text_line(&p->body, "%s = %s;", next_of(p, x), sq_print_code(p, x->lo));
        opened++;
    }
    for (; opened > 0; opened--)
        sq_text_close(&p->body, "}");
}

/* Starts the next copies, if there are any; commits a group in any case. */
static void put_next(sq_printer *p, const chain *c, const char *stage)
{
    const sq_node *outer = c->loop[0];
    sq_text_open(&p->body, "if (%s < %s) {", next_of(p, outer), sq_print_code(p, outer->hi));
    for (int i = 0; i < c->n; i++) {
        const sq_node *x = c->loop[i];
        sq_text_line(&p->body, "const int64_t %s = %s;", x->name,
                     x->once ? sq_print_code(p, x->lo) : next_of(p, x));
        sq_text_line(&p->body, "(void)%s;", x->name);
    }
    put_started(p, c->loop[c->n - 1]->body, stage);
    put_advance(p, c);
    sq_text_close(&p->body, "}");
    sq_text_line(&p->body, "__pipeline_commit();");
}

static void put_next_ahead(sq_printer *p, const chain *c, int stages)
{
    sq_text_open(&p->body, "{");
    sq_text_line(&p->body, "const int @filled = (@stage + %d) %% %d;", stages - 1, stages);
    put_next(p, c, "@filled");
    sq_text_close(&p->body, "}");
}

/* ---- iterations ---- */

/* Starts the copies of the iteration stages - 1 ahead. */
static void put_copies(sq_printer *p, const chain *c, int stages)
{
    if (c->n == 1)
        put_ahead(p, c->loop[0], stages);
    else
        put_next_ahead(p, c, stages);
}

static void put_iteration(sq_printer *p, const sq_nest *n, const chain *c, int stages)
{
    bool meanwhile = sq_tensor_is_warpgroup(n->group);
    const sq_node *copies = c->loop[c->n - 1]->body, *rest = copies;
    while (has_stages(rest))
        rest = rest->next;
    p->pipelines = true;
    sq_text_line(&p->body, "__pipeline_wait_prior(%d);", stages - 2);
    sq_text_line(&p->body, "__syncthreads();");
    if (!meanwhile)
        put_copies(p, c, stages);
    put_places(p, copies, "@stage");
    put_starts(p, copies);
    sq_print_nodes(p, n, rest);
    if (meanwhile) {
        put_copies(p, c, stages);
        sq_print_statements(p, sq_tile_wgmma_wait(p->held), &p->body);
    }
    sq_text_line(&p->body, "@stage = (@stage + 1) %% %d;", stages);
}

static void put_one_loop(sq_printer *p, const sq_nest *n, const chain *c)
{
    const sq_node *x = c->loop[0], *around = p->steady;
    int stages = x->body->buffer->stages;
    sq_text_open(&p->body, "{");
    p->steady = NULL;
    put_first(p, x, stages);
    sq_text_line(&p->body, "int @stage = 0;");
    if (is_whole_sum(n, x))
        sq_steady_begin(p, x);
    sq_print_loop_head(p, x, x->lo, 1);
    put_iteration(p, n, c, stages);
    sq_steady_next(p, x);
    p->steady = around;
    if (p->threads > 0 && sq_node_waits(n, x))
        sq_text_line(&p->body, "__syncthreads();");
    sq_text_close(&p->body, "}");
    sq_text_close(&p->body, "}");
}

static void open_loop(sq_printer *p, const sq_node *x)
{
    if (!x->once) {
        sq_print_loop_head(p, x, x->lo, 1);
        return;
    }
    sq_text_open(&p->body, "{");
    sq_text_line(&p->body, "const int64_t %s = %s;", x->name, sq_print_code(p, x->lo));
    sq_text_line(&p->body, "(void)%s;", x->name);
}

static void put_chain(sq_printer *p, const sq_nest *n, const chain *c)
{
    const sq_node *inner = c->loop[c->n - 1], *around = p->steady;
    int stages = inner->body->buffer->stages;
    p->steady = NULL;
    sq_text_open(&p->body, "{");
    put_counters(p, c);
    sq_text_line(&p->body, "__syncthreads();");
    sq_text_open(&p->body, "for (int @stage = 0; @stage < %d; @stage++) {", stages - 1);
    put_next(p, c, "@stage");
    sq_text_close(&p->body, "}");
    sq_text_line(&p->body, "int @stage = 0;");
    for (int i = 0; i < c->n; i++)
        open_loop(p, c->loop[i]);
    put_iteration(p, n, c, stages);
    for (int i = 0; i < c->n; i++)
        sq_text_close(&p->body, "}");
    sq_text_close(&p->body, "}");
    p->steady = around;
}

bool sq_print_stages(sq_printer *p, const sq_nest *n, const sq_node *x)
{
    const chain c = chain_from(n, x);
    if (c.n > 1)
        put_chain(p, n, &c);
    else if (c.n == 1 && x->once)
        put_once(p, n, x);
    else if (c.n == 1)
        put_one_loop(p, n, &c);
    return c.n > 0;
}
