/* Tile team: combines partial sums of several threads of a block: within a warp by shuffles, across
 * warps in shared memory. */
#include "codegen/grid/tile_team.h"
#include "codegen/tile/tile_inside.h"

/* Prints one step of the combination: c = c + other, a variable of that name. */
static void put_combined(sq_tile *t, const sq_code_buffer *c, const char *other)
{
    const sq_stmt *s = t->group->stmt[0];
    const sq_code_expr *old = sq_code_load(t->pool, c, NULL),
                       *more = sq_code_scalar(t->pool, c->type, other);
    sq_code *set = sq_code_set(t->pool, c, sq_tile_reduced(t, s, c->type, old, more));
    sq_tile_scope_add(t, set);
    t->sink.put(t->sink.to, set);
}

/* Leaves the sum of a warp in all its lanes: shuffles over half the distance each time. */
static void put_warp_sum(sq_tile *t, const sq_code_buffer *c)
{
    sq_text_puts(t->sink.text, "#pragma unroll\n");
    sq_text_open(t->sink.text, "for (int @distance = 16; @distance > 0; @distance /= 2) {");
    sq_text_line(t->sink.text, "const %s @other = __shfl_xor_sync(0xffffffffu, %s, @distance);",
                 sq_type_ctype(c->type), c->name);
    put_combined(t, c, "@other");
    sq_text_close(t->sink.text, "}");
}

/* Combines the sums of a block's warps, which are in shared memory, in order. */
static void put_block_sum(sq_tile *t, const sq_code_buffer *c, int warps)
{
    sq_text *to = t->sink.text;
    sq_text_open(to, "{");
    sq_text_line(to, "__shared__ %s @of_warp[%d];", sq_type_ctype(c->type), warps);
    sq_text_line(to, "if (threadIdx.x %% 32 == 0 && threadIdx.x < %d)", 32 * warps);
    sq_text_line(to, "    @of_warp[threadIdx.x / 32] = %s;", c->name);
    sq_text_line(to, "__syncthreads();");
    sq_text_line(to, "%s = @of_warp[0];", c->name);
    sq_text_puts(to, "#pragma unroll\n");
    sq_text_open(to, "for (int @warp = 1; @warp < %d; @warp++) {", warps);
    put_combined(t, c, "@of_warp[@warp]");
    sq_text_close(to, "}");
    sq_text_line(to, "__syncthreads();");
    sq_text_close(to, "}");
}

void sq_tile_team(sq_tile *t, int threads)
{
    for (int r = 0; r < t->rows && threads > 1; r++)
        for (int v = 0; v < t->vectors; v++) {
            const sq_code_buffer *c = sq_tile_acc(t, r, v, 0)->buffer;
            put_warp_sum(t, c);
            if (threads > 32)
                put_block_sum(t, c, threads / 32);
        }
}

void sq_tile_team_beside(sq_tile *t, int parts, int beside)
{
    const sq_code_buffer *c = sq_tile_acc(t, 0, 0, 0)->buffer;
    sq_text *to = t->sink.text;
    sq_text_open(to, "{");
    sq_text_line(to, "__shared__ %s @part[%d];", sq_type_ctype(c->type), parts * beside);
    sq_text_line(to, "@part[threadIdx.x] = %s;", c->name);
    sq_text_line(to, "__syncthreads();");
    sq_text_line(to, "%s = @part[threadIdx.x %% %d];", c->name, beside);
    sq_text_puts(to, "#pragma unroll\n");
    sq_text_open(to, "for (int @row = 1; @row < %d; @row++) {", parts);
    put_combined(t, c,
                 sq_arena_printf(t->arena, "@part[@row * %d + threadIdx.x %% %d]", beside, beside));
    sq_text_close(to, "}");
    sq_text_line(to, "__syncthreads();");
    sq_text_close(to, "}");
}
