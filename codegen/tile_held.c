/* Tile held: a register tile whose sums stay in registers across loops around its steps. It is
 * printed in place, not as a function: accumulators, then loops and copies that others print with
 * the steps at their leaf, then the end. Pointers are found anew at each, under names of their own.
 */
#include "codegen/tile_inside.h"
#include "codegen/print.h"
#include "ir/tensor.h"
#include "support/words.h"
#include <string.h>

static void rename_bases(sq_tile *t)
{
    for (int i = 0; i < t->bases.n; i++) {
        const char *name = t->bases.base[i].name;
        t->bases.base[i].name = sq_arena_printf(t->arena, "@%s_at", name + (*name == '@'));
    }
}

/* The pointers that a text uses, at the values of the loops. */
static void put_bases(const sq_tile *t, const char *text, sq_text *to)
{
    const sq_code_expr *at[SQ_MAX_DIMS] = {0};
    sq_nest_origin(t->nest, at);
    for (int i = 0; i < t->bases.n; i++) {
        const sq_base *b = &t->bases.base[i];
        sq_text origin = {0};
        if (!sq_text_mentions(text, b->name + 1))
            continue;
        sq_base_origin(t->nest, b, at, &origin);
        sq_text_line(to, "%s%s *%s = %s;", b->written ? "" : "const ",
                     sq_type_ctype(sq_tile_memory(b->ref)), b->name, sq_text_str(&origin));
        sq_text_free(&origin);
    }
}

/* What was printed to `inner`, after its pointers, in braces. */
static void put_block(sq_tile *t, const char *head, sq_text *inner)
{
    sq_text_open(t->to, "%s{", head);
    put_bases(t, sq_text_str(inner), t->to);
    sq_tile_clamps(t, inner);
    sq_text_puts(t->to, sq_text_str(inner));
    sq_text_close(t->to, "}");
    sq_text_free(inner);
}

static const char *condition(const sq_tile *t, const char *guard)
{
    return guard ? sq_arena_printf(t->arena, "if (%s) ", guard) : "";
}

/* Sums of earlier tiles: of this variant's points, where the guard says that there are any. */
static void put_resumed(sq_tile *t, const char *guard)
{
    sq_text *to = t->to, inner = {.indent = to->indent + 1};
    t->to = &inner;
    sq_tile_sum_resume(t);
    t->to = to;
    if (inner.n)
        put_block(t, condition(t, guard), &inner);
    sq_text_free(&inner);
}

bool sq_tile_resumes(const sq_nest *n)
{
    return n->first && sq_group_epilogue(n->group) == SQ_EPILOGUE_LAST;
}

sq_tile *sq_tile_open(const sq_nest *n, const sq_variant *v, const sq_tile_shapes *shapes,
                      const char *guard, sq_arena *arena, sq_text *to)
{
    sq_tile *t = SQ_NEW(arena, sq_tile);
    t->shapes = shapes;
    t->lanes = shapes->lanes;
    t->target = shapes->target;
    sq_tile_start(t, n, v, arena);
    rename_bases(t);
    sq_tile_count(t);
    t->terms = 0;
    t->values = sq_values_new(arena, t->target->registers - t->rows * t->vectors * t->sets);
    t->to = to;
    sq_values_enter(t->values);
    if (n->first) {
        sq_text_line(to, "const int @first = %s, @last = %s;", sq_code_text(n->first, arena),
                     sq_code_text(n->last, arena));
        sq_text_line(to, "(void)@first, (void)@last;");
    }
    sq_tile_sum_begin(t);
    put_resumed(t, guard);
    return t;
}

static void put_number_of_steps(const sq_tile *t)
{
    const sq_nest *n = t->nest;
    const char *k = t->group->dim[t->group->micro.serial];
    const sq_code_expr *steps = sq_code_sub(n->code, n->serial_hi, n->serial_lo);
    const char *many = sq_code_text(steps, t->arena);
    if (!sq_tile_short(t))
        sq_text_line(t->to, "const int64_t @n_%s = %s;", k, many);
    else
        sq_text_line(t->to,
                     steps->op == SQ_CODE_NUMBER ? "const int @n_%s = %s;"
                                                 : "const int @n_%s = (int)(%s);",
                     k, many);
}

void sq_tile_steps(sq_tile *t, const char *guard)
{
    sq_text *to = t->to, inner = {.indent = to->indent + 1};
    const sq_nest *n = t->nest;
    bool tensor = sq_group_is_tensor(t->group);
    if (t->group->micro.serial >= 0 && !tensor) {
        if (n->serial_from != n->serial_lo)
            sq_text_line(to, "const int64_t %s = %s;", n->serial_from->name,
                         sq_code_text(n->serial_lo, t->arena));
        put_number_of_steps(t);
    }
    t->to = &inner;
    sq_values_enter(t->values);
    if (tensor)
        sq_tile_tensor_steps(t);
    else
        sq_tile_sum_steps(t);
    sq_values_leave(t->values);
    t->to = to;
    put_block(t, condition(t, guard), &inner);
}

/* One more step of putting parts together: c = c + other. */
static void put_combined(sq_tile *t, const char *c, const char *other)
{
    const sq_stmt *s = t->group->stmt[0];
    sq_text_line(t->to, "%s = %s;", c, sq_tile_combined(t, s->reduce, s->body->type, c, other));
}

/* All lanes of a warp have its sum: exchanges over half the distance each time. */
static void put_warp_sum(sq_tile *t, const char *c)
{
    sq_text_puts(t->to, "#pragma unroll\n");
    sq_text_open(t->to, "for (int @apart = 16; @apart > 0; @apart /= 2) {");
    sq_text_line(t->to, "const %s @other = __shfl_xor_sync(0xffffffffu, %s, @apart);",
                 sq_type_ctype(t->group->stmt[0]->body->type), c);
    put_combined(t, c, "@other");
    sq_text_close(t->to, "}");
}

/* Sums of a block's warps, left in shared memory, put together in their order. */
static void put_block_sum(sq_tile *t, const char *c, int warps)
{
    sq_text_open(t->to, "{");
    sq_text_line(t->to, "__shared__ %s @of_warp[%d];", sq_type_ctype(t->group->stmt[0]->body->type),
                 warps);
    sq_text_line(t->to, "if (threadIdx.x %% 32 == 0 && threadIdx.x < %d)", 32 * warps);
    sq_text_line(t->to, "    @of_warp[threadIdx.x / 32] = %s;", c);
    sq_text_line(t->to, "__syncthreads();");
    sq_text_line(t->to, "%s = @of_warp[0];", c);
    sq_text_puts(t->to, "#pragma unroll\n");
    sq_text_open(t->to, "for (int @warp = 1; @warp < %d; @warp++) {", warps);
    put_combined(t, c, "@of_warp[@warp]");
    sq_text_close(t->to, "}");
    sq_text_line(t->to, "__syncthreads();");
    sq_text_close(t->to, "}");
}

void sq_tile_team(sq_tile *t, int threads)
{
    sq_tile_sum_end(t);
    t->sets = 1;
    for (int r = 0; r < t->rows && threads > 1; r++)
        for (int v = 0; v < t->vectors; v++) {
            const char *c = sq_tile_acc(t, r, v, 0);
            put_warp_sum(t, c);
            if (threads > 32)
                put_block_sum(t, c, threads / 32);
        }
}

void sq_tile_close(sq_tile *t, const sq_variant *v)
{
    sq_text *to = t->to, inner = {.indent = to->indent + 1};
    t->variant = v;
    t->to = &inner;
    sq_values_enter(t->values);
    sq_tile_finish(t);
    sq_values_leave(t->values);
    t->to = to;
    put_block(t, "", &inner);
}

void sq_tile_free(sq_tile *t)
{
    sq_values_free(t->values);
}

bool sq_tile_reads_shared(const sq_nest *n)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    int m = sq_stmt_reads(n->group->stmt[0], read, in_body, SQ_MAX_STMT_READS);
    for (int i = 0; i < m; i++)
        for (int r = 0; r < n->nrefs && in_body[i]; r++)
            if (n->ref[r]->access == read[i] && (!n->ref[r]->buffer || !n->ref[r]->buffer->shared))
                return false;
    return true;
}
