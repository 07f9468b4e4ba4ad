/* Print stages: a loop over tiles whose operands the threads of a block copy together, with the
 * copies of the next iterations on their way while one is computed. A copy has as many stages,
 * places that its iterations take in turn. Of an iteration's:
 *
 *     wait for its copies, not for those started later
 *     meet: all threads' copies are there, and all are done with the stage that is filled next
 *     start the copies of the iteration stages - 1 ahead
 *     compute
 *
 * Where a warpgroup's instructions compute by themselves, the copies are started meanwhile:
 *
 *     wait for copies, meet, start to compute, start copies, wait for the sums
 */
#include "codegen/grid/print.h"
#include "codegen/grid/tile_wgmma.h"

const char *sq_print_stages_name(const sq_buffer *b, sq_arena *arena)
{
    return b->stages > 1 ? sq_arena_printf(arena, "%s_stages", b->name) : b->name;
}

static bool has_stages(const sq_node *x)
{
    return x && x->kind == SQ_NODE_COPY && x->buffer->shared && x->buffer->stages > 1;
}

/* The loop's copies are at the place of their stage from here on. */
static void put_places(sq_printer *p, const sq_node *copy, const char *stage)
{
    for (; has_stages(copy); copy = copy->next) {
        const sq_buffer *b = copy->buffer;
        sq_text_line(&p->body, "%s *const %s = %s + %s * %lld;", sq_type_ctype(b->type), b->name,
                     sq_print_stages_name(b, p->arena), stage, (long long)b->elements);
    }
}

/* Where the copies begin in their arrays, for what reads them. */
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

/* Copies for the iterations before the first is computed; each is a group, an empty one, too, so
 * that waits count alike. */
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

/* A loop of one iteration has none to come. */
static void put_once(sq_printer *p, const sq_nest *n, const sq_node *x)
{
    sq_text_open(&p->body, "{");
    sq_text_line(&p->body, "const int64_t %s = %s;", x->name, sq_print_code(p, x->lo));
    sq_text_line(&p->body, "(void)%s;", x->name);
    put_places(p, x->body, "0");
    sq_print_nodes(p, n, x->body);
    if (sq_tensor_is_warpgroup(n->group))
        sq_tile_wgmma_wait(p->held, &p->body);
    sq_text_close(&p->body, "}");
}

/* True if the loop is the whole of its sum. One inside of others, as of a filter's taps, may have few iterations, too
 * few for pointers of their own: the filter of 3 x 3 and 64 channels was a third slower with them. */
static bool is_whole_sum(const sq_nest *n, const sq_node *x)
{
    const sq_group *g = n->group;
    for (int l = sq_group_loop(g, x->name) - 1; l >= 0; l--)
        if (g->loop[l].dim >= g->nfree)
            return false;
    return true;
}

bool sq_print_stages(sq_printer *p, const sq_nest *n, const sq_node *x)
{
    const sq_node *rest = x->body;
    if (!has_stages(rest))
        return false;
    if (x->once) {
        put_once(p, n, x);
        return true;
    }
    int stages = rest->buffer->stages;
    bool meanwhile = sq_tensor_is_warpgroup(n->group);
    while (has_stages(rest))
        rest = rest->next;
    const sq_node *around = p->steady;
    sq_text_open(&p->body, "{");
    p->steady = NULL;
    put_first(p, x, stages);
    sq_text_line(&p->body, "int @stage = 0;");
    if (is_whole_sum(n, x))
        sq_steady_begin(p, x);
    sq_print_loop_head(p, x, x->lo, 1);
    sq_text_line(&p->body, "__pipeline_wait_prior(%d);", stages - 2);
    sq_text_line(&p->body, "__syncthreads();");
    if (!meanwhile)
        put_ahead(p, x, stages);
    put_places(p, x->body, "@stage");
    put_starts(p, x->body);
    sq_print_nodes(p, n, rest);
    if (meanwhile) {
        put_ahead(p, x, stages);
        sq_tile_wgmma_wait(p->held, &p->body);
    }
    sq_text_line(&p->body, "@stage = (@stage + 1) %% %d;", stages);
    sq_steady_next(p, x);
    p->steady = around;
    if (p->threads > 0 && sq_node_waits(n, x))
        sq_text_line(&p->body, "__syncthreads();");
    sq_text_close(&p->body, "}");
    sq_text_close(&p->body, "}");
    return true;
}
