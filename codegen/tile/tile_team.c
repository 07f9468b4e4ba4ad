/* Tile team: combines partial sums of several threads of a block: within a warp by shuffles, across
 * warps in shared memory. */
#include "codegen/code/instruction.h"
#include "codegen/tile/tile_inside.h"
#include "ir/dependence/tensor.h"

/* Appends c = c + other. */
static void append_combined(sq_tile *t, const sq_code_expr *c, const sq_code_expr *other)
{
    sq_tile_set(t, c, sq_tile_reduced(t, t->group->stmt[0], c->type, c, other));
}

static const sq_code_expr *thread(const sq_tile *t)
{
    return sq_code_name(t->pool, SQ_TILE_THREAD);
}

static const sq_code_expr *number(const sq_tile *t, int64_t n)
{
    return sq_code_number(t->pool, n);
}

/* Leaves the sum of a warp in all its lanes: shuffles over half the distance each time. */
static void append_warp_sum(sq_tile *t, const sq_code_expr *c)
{
    const sq_code_buffer *other = sq_code_register(t->pool, "@other", c->type);
    const sq_code_operand operand[] = {sq_operand_register(other, NULL, 0), sq_operand_register(c->buffer, NULL, 0)};
    sq_tile_append(t, sq_code_declare(t->pool, other, false));
    for (int distance = SQ_WARP / 2; distance > 0; distance /= 2) {
        const sq_code_instruction shuffle = {.row = SQ_INSTRUCTION_SHUFFLE, .n = distance};
        sq_tile_append(t, sq_code_instruct(t->pool, &shuffle, 2, operand));
        append_combined(t, c, sq_code_load(t->pool, other, NULL));
    }
}

/* Appends c = part[first], then c = c + part[first + between], … : n parts in order. */
static void append_parts(sq_tile *t, const sq_code_expr *c, const sq_code_buffer *part, const char *name, int n,
                         const sq_code_expr *first, int64_t between)
{
    const sq_code_expr *at = sq_code_add_scaled(t->pool, first, between, sq_code_name(t->pool, name));
    sq_code *loop = sq_code_loop(t->pool, name, number(t, 1), number(t, n), 1);
    sq_code_list body = {0}, *before;
    sq_tile_set(t, c, sq_code_load(t->pool, part, &first));
    before = sq_tile_into(t, &body);
    append_combined(t, c, sq_code_load(t->pool, part, &at));
    sq_tile_into(t, before);
    loop->runs = SQ_CODE_UNROLLED;
    loop->body = body.first;
    sq_tile_append(t, loop);
}

/* Declares memory of the block, in which threads leave their sums where a condition holds (NULL: all
 * do), and the barrier behind these. */
static const sq_code_buffer *append_shared(sq_tile *t, const sq_code_expr *c, const char *name, int n,
                                           const sq_code_expr *cond, const sq_code_expr *at)
{
    const sq_code_buffer *b = sq_code_array(t->pool, name, c->type, n, SQ_CODE_SHARED);
    sq_code *store = sq_code_store(t->pool, b, &at, c);
    store->cond = cond;
    sq_tile_append(t, sq_code_declare(t->pool, b, false));
    sq_tile_append(t, store);
    sq_tile_append(t, sq_code_barrier(t->pool));
    return b;
}

/* Combines the sums of a block's warps, which are in shared memory, in order. */
static void append_block_sum(sq_tile *t, const sq_code_expr *c, int warps)
{
    sq_code_pool *p = t->pool;
    const sq_code_expr *warp = number(t, SQ_WARP),
                       *leads = sq_code_compare(p, SQ_CODE_EQ, sq_code_divide(p, SQ_CODE_REM, thread(t), warp),
                                                number(t, 0)),
                       *has = sq_code_compare(p, SQ_CODE_LT, thread(t), number(t, SQ_WARP * warps));
    const sq_code_buffer *sums = append_shared(t, c, "@of_warp", warps, sq_code_and(p, leads, has),
                                               sq_code_divide(p, SQ_CODE_DIV, thread(t), warp));
    append_parts(t, c, sums, "@warp", warps, number(t, 0), 1);
    sq_tile_append(t, sq_code_barrier(p));
}

/* Puts the list behind the steps, as a block of its own. */
static void put_block(sq_tile *t, const sq_code_list *list)
{
    sq_code *block = sq_code_guarded(t->pool, NULL, list->first);
    t->sink.put(t->sink.to, block);
}

void sq_tile_team(sq_tile *t, int threads)
{
    for (int r = 0; r < t->rows && threads > 1; r++)
        for (int v = 0; v < t->vectors; v++) {
            const sq_code_expr *c = sq_tile_acc(t, r, v, 0);
            sq_code_list inner = {0}, *before = sq_tile_into(t, &inner);
            append_warp_sum(t, c);
            if (threads > SQ_WARP)
                append_block_sum(t, c, threads / SQ_WARP);
            sq_tile_into(t, before);
            put_block(t, &inner);
        }
}

void sq_tile_team_beside(sq_tile *t, int parts, int beside)
{
    const sq_code_expr *c = sq_tile_acc(t, 0, 0, 0);
    sq_code_list inner = {0}, *before = sq_tile_into(t, &inner);
    const sq_code_buffer *sums = append_shared(t, c, "@part", parts * beside, NULL, thread(t));
    append_parts(t, c, sums, "@row", parts, sq_code_divide(t->pool, SQ_CODE_REM, thread(t), number(t, beside)),
                 beside);
    sq_tile_append(t, sq_code_barrier(t->pool));
    sq_tile_into(t, before);
    put_block(t, &inner);
}
