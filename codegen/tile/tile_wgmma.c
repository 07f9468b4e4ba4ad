/* Tile wgmma: the steps of a tile that a warpgroup computes. One instruction multiplies 64 rows by
 * up to 256 columns and reads both operands from shared memory, in the layout of sq_buffer's
 * `swizzled`: rows of 128 bytes along the dimension in which the array's elements are adjacent.
 * That is the dimension of the steps ("col" for columns, "row" for rows, as PTX calls the orders)
 * or the operand's own. Each warp has 16 of the rows, in registers like those of mma.sync. The
 * instructions of an iteration are one group, which runs while the threads start the next copies;
 * grid_stages.c waits for it. */
#include "codegen/code/instruction.h"
#include "codegen/tile/tile_inside.h"
#include "ir/dependence/tensor.h"

enum { MOST_SUMS = SQ_WARPGROUP_COLUMNS / 2 };

typedef struct operand {
    const sq_ref *ref;
    const sq_buffer *copy;
    bool columns, along; /* along: the elements of a row are steps */
    int64_t lead;        /* distance of two blocks of 64 along the operand's own dimension, in elements */
    const sq_code_buffer *first; /* the pointer to the first element of the warpgroup's rows */
} operand;

static char letter_of(const operand *o)
{
    return o->columns ? 'b' : 'a';
}

static operand operand_of(const sq_tile *t, const sq_tensor_product *p, bool columns)
{
    const sq_ref *r = t->nest->ref[sq_tile_ref(t, p->of[columns])];
    const sq_buffer *b = r->buffer;
    bool along = r->coef[b->inner][t->group->micro.serial] != 0;
    return (operand){.ref = r, .copy = b, .columns = columns, .along = along, .lead = b->axis[b->inner].step_q};
}

/* Returns the index of this warpgroup in the tile, each with `points` rows; NULL: there is one. It
 * follows from the distance of this thread's point from its tile's first one. */
static const sq_code_expr *number(sq_tile *t, const operand *o, int points)
{
    const sq_group *g = t->group;
    const sq_buffer *b = o->copy;
    const sq_code_expr *sum = sq_code_number(t->pool, 0);
    int64_t rows = 1;
    for (int a = 0; a < b->naxes; a++) {
        int d = b->axis[a].extent > 1 ? sq_buffer_moved_by(b, g, o->ref, a) : -1;
        bool inner = a == b->inner;
        if (d < 0 || inner == o->along)
            continue;
        int l = sq_group_inner_loop(g, d);
        int64_t by = inner ? 1 : b->axis[a].step_q / SQ_SWIZZLED_ROW;
        sum = sq_code_add_scaled(t->pool, sum, by, sq_code_name(t->pool, g->loop[l].name));
        sum = sq_code_add_scaled(t->pool, sum, -by,
                                 sq_code_name(t->pool, g->loop[sq_loop_around(g, l)].name));
        rows *= b->axis[a].extent;
    }
    if (rows == points)
        return NULL;
    sq_code *point = sq_code_let(t->pool, sq_arena_printf(t->arena, "@%c_point", letter_of(o)), sum);
    point->is_int = true;
    sq_tile_append(t, point);
    return sq_code_divide(t->pool, SQ_CODE_DIV, sq_code_name(t->pool, point->name), sq_code_number(t->pool, points));
}

/* Appends the pointer to the first element of the warpgroup's rows or columns. */
static void append_first(sq_tile *t, operand *o)
{
    const sq_tensor *x = &t->group->micro.tensor;
    int points = o->columns ? x->n : x->m;
    int64_t distance =
        o->along ? (int64_t)points * SQ_SWIZZLED_ROW : points / SQ_SWIZZLED_ROW * o->lead;
    const sq_code_expr *which = number(t, o, points);
    sq_code *first = sq_code_new(t->pool, SQ_CODE_POINTER);
    first->buffer = o->first = sq_code_pointer(t->pool, sq_arena_printf(t->arena, "@%c_first", letter_of(o)),
                                               o->copy->type, true, false);
    first->of = o->copy->panel;
    first->value = which ? sq_code_scale(t->pool, distance, which) : sq_code_number(t->pool, 0);
    sq_tile_append(t, first);
}

/* Returns where the operand begins at this step. */
static sq_code_operand address(const sq_tile *t, const operand *o, int64_t steps)
{
    sq_code_pool *p = t->pool;
    const sq_code_expr *step = sq_code_name(p, SQ_TILE_STEP), *row = sq_code_number(p, SQ_SWIZZLED_ROW);
    if (!o->along)
        step = sq_code_scale(p, SQ_SWIZZLED_ROW, step);
    else if (steps != SQ_SWIZZLED_ROW)
        step = sq_code_add_scaled(p, sq_code_divide(p, SQ_CODE_REM, step, row), o->lead,
                                  sq_code_divide(p, SQ_CODE_DIV, step, row));
    return sq_operand_elements(o->first, step);
}

/* Writes the lane's sums in the instruction's order; returns their number. */
static int put_sums(sq_tile *t, sq_code_operand *to)
{
    int n = 0;
    for (int j = 0; j < t->group->micro.tensor.n / SQ_TENSOR_COLUMNS; j++)
        for (int e = 0; e < 4; e++)
            to[n++] = sq_tile_tensor_sum(t, e / 2, 2 * j + e % 2);
    return n;
}

static sq_code *product_of(sq_tile *t, const operand *a, const operand *b, int64_t steps)
{
    sq_code_operand of[MOST_SUMS + 4];
    const sq_code_instruction how = {.row = SQ_INSTRUCTION_WGMMA,
                                     .type = a->copy->type,
                                     .n = t->group->micro.tensor.n,
                                     .turns = {!a->along, !b->along}};
    int n = put_sums(t, of);
    of[n++] = address(t, a, steps);
    of[n++] = sq_operand_index(sq_code_number(t->pool, a->lead));
    of[n++] = address(t, b, steps);
    of[n++] = sq_operand_index(sq_code_number(t->pool, b->lead));
    return sq_code_instruct(t->pool, &how, n, of);
}

void sq_tile_wgmma_steps(sq_tile *t, const sq_tensor_product *p)
{
    operand a = operand_of(t, p, false), b = operand_of(t, p, true);
    append_first(t, &a);
    append_first(t, &b);
    sq_tile_append(t, sq_code_instruct_plain(t->pool, SQ_INSTRUCTION_WGMMA_BEGIN, 0));
    sq_tile_append(t, sq_tile_tensor_loop(t, product_of(t, &a, &b, t->group->loop[sq_tensor_loop(t->group)].step)));
    sq_tile_append(t, sq_code_instruct_plain(t->pool, SQ_INSTRUCTION_WGMMA_COMMIT, 0));
}

sq_code *sq_tile_wgmma_wait(sq_tile *t)
{
    sq_code_operand of[MOST_SUMS];
    const sq_code_instruction how = {.row = SQ_INSTRUCTION_WGMMA_WAIT, .n = t->group->micro.tensor.n};
    int n = put_sums(t, of);
    return sq_code_instruct(t->pool, &how, n, of);
}
