/* Tile wgmma: the steps of a tile that a warpgroup computes. One instruction multiplies 64 rows by
 * up to 256 columns and reads both operands from shared memory, in the layout of sq_buffer's
 * `swizzled`: rows of 128 bytes along the dimension in which the array's elements are adjacent.
 * That is the dimension of the steps ("col" for columns, "row" for rows, as PTX calls the orders)
 * or the operand's own. Each warp has 16 of the rows, in registers like those of mma.sync. The
 * instructions of an iteration are one group, which runs while the threads start the next copies;
 * print_stages.c waits for it. */
#include "codegen/grid/tile_wgmma.h"
#include "codegen/isa/cuda_wgmma.h"
#include "codegen/tile/tile_inside.h"

typedef struct operand {
    const sq_ref *ref;
    const sq_buffer *copy;
    bool columns, along; /* along: the elements of a row are steps */
    int64_t lead;        /* distance of two blocks of 64 along the operand's own dimension, in elements */
} operand;

static operand operand_of(const sq_tile *t, const sq_tensor_product *p, bool columns)
{
    const sq_ref *r = t->nest->ref[sq_tile_ref(t, p->of[columns])];
    const sq_buffer *b = r->buffer;
    bool along = r->coef[b->inner][t->group->micro.serial] != 0;
    return (operand){r, b, columns, along, b->axis[b->inner].step_q};
}

/* Appends " + (y - y0) * 16": the distance of this thread's point along d from its tile's first
 * one, times `by`. */
static void put_distance(const sq_tile *t, int d, int64_t by, sq_text *to)
{
    const sq_group *g = t->group;
    int l = sq_group_inner_loop(g, d);
    const char *first = g->loop[sq_loop_around(g, l)].name;
    sq_uses_name(t->sink.uses, first);
    sq_uses_name(t->sink.uses, g->loop[l].name);
    sq_text_puts(to, to->n ? " + " : "");
    if (by == 1)
        sq_text_printf(to, "%s - %s", g->loop[l].name, first);
    else
        sq_text_printf(to, "(%s - %s) * %lld", g->loop[l].name, first, (long long)by);
}

/* Returns "(int)(i - i0) / 64": the index of this warpgroup in the tile, each with `points` rows;
 * NULL: there is one. */
static const char *number(const sq_tile *t, const operand *o, int points)
{
    const sq_buffer *b = o->copy;
    sq_text sum = {0};
    int64_t rows = 1;
    for (int a = 0; a < b->naxes; a++) {
        int d = b->axis[a].extent > 1 ? sq_buffer_moved_by(b, t->group, o->ref, a) : -1;
        bool inner = a == b->inner;
        if (d < 0 || inner == o->along)
            continue;
        put_distance(t, d, inner ? 1 : b->axis[a].step_q / SQ_SWIZZLED_ROW, &sum);
        rows *= b->axis[a].extent;
    }
    const char *all =
        rows == points ? NULL : sq_arena_printf(t->arena, "(int)(%s) / %d", sq_text_str(&sum), points);
    sq_text_free(&sum);
    return all;
}

/* Appends the first element of the warpgroup's rows or columns. */
static void put_first(const sq_tile *t, const operand *o, sq_text *to)
{
    const sq_tensor *x = &t->group->micro.tensor;
    int points = o->columns ? x->n : x->m;
    int64_t distance =
        o->along ? (int64_t)points * SQ_SWIZZLED_ROW : points / SQ_SWIZZLED_ROW * o->lead;
    const char *which = number(t, o, points);
    sq_text_line(to, "const %s *const @%c_first = %s%s;", sq_type_ctype(o->copy->type),
                 o->columns ? 'b' : 'a', o->copy->name,
                 which ? sq_arena_printf(t->arena, " + %s * %lld", which, (long long)distance) : "");
}

/* Returns the operand's first element at this step. */
static const char *address(const sq_tile *t, const operand *o, int64_t steps)
{
    char letter = o->columns ? 'b' : 'a';
    if (!o->along)
        return sq_arena_printf(t->arena, "@%c_first + @step * %d", letter, SQ_SWIZZLED_ROW);
    if (steps == SQ_SWIZZLED_ROW)
        return sq_arena_printf(t->arena, "@%c_first + @step", letter);
    return sq_arena_printf(t->arena, "@%c_first + @step / %d * %lld + @step %% %d", letter,
                           SQ_SWIZZLED_ROW, (long long)o->lead, SQ_SWIZZLED_ROW);
}

/* Appends "c0_0.v[0], c0_0.v[1], c1_0.v[0], …": the lane's sums in the instruction's order. */
static void put_sums(sq_tile *t, sq_text *to)
{
    for (int j = 0; j < t->group->micro.tensor.n / SQ_TENSOR_COLUMNS; j++)
        for (int e = 0; e < 4; e++)
            sq_text_printf(to, "%s%s", j || e ? ", " : "",
                           sq_tile_tensor_sum(t, e / 2, 2 * j + e % 2));
}

void sq_tile_wgmma_steps(sq_tile *t, const sq_tensor_product *p, sq_text *to)
{
    const sq_group *g = t->group;
    const sq_tensor *x = &g->micro.tensor;
    const operand a = operand_of(t, p, false), b = operand_of(t, p, true);
    int64_t steps = g->loop[sq_tensor_loop(g)].step;
    sq_text sums = {0};
    put_first(t, &a, to);
    put_first(t, &b, to);
    put_sums(t, &sums);
    sq_text_line(to, "%s();", sq_uses_helper(t->sink.uses, "sq_wgmma_begin"));
    sq_text_puts(to, "#pragma unroll\n");
    sq_text_line(to, "for (int @step = 0; @step < %lld; @step += %d)", (long long)steps, x->k);
    sq_text_line(to, "    %s(%s, %s, %lld, %s, %lld);",
                 sq_uses_helper(t->sink.uses,
                                sq_wgmma_name(p->of[0]->array->type, x->n, a.along, b.along, t->arena)),
                 sq_text_str(&sums), address(t, &a, steps), (long long)a.lead,
                 address(t, &b, steps), (long long)b.lead);
    sq_text_line(to, "sq_wgmma_commit();");
    sq_text_free(&sums);
}

void sq_tile_wgmma_wait(sq_tile *t, sq_text *to)
{
    sq_text sums = {0};
    put_sums(t, &sums);
    sq_text_line(to, "%s(%s);", sq_uses_helper(t->sink.uses, sq_wgmma_wait_name(t->group->micro.tensor.n, t->arena)),
                 sq_text_str(&sums));
    sq_text_free(&sums);
}
