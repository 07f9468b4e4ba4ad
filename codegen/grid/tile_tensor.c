/* Tile tensor: the steps of a tile that a warp computes by matrix instructions. Operands are loaded
 * from shared memory, in the instruction's register layout (g = lane / 4, t = lane % 4, 16-bit
 * elements; others by the same number of bytes):
 *
 *     rows     register r: row g + 8 (r % 2), steps 2 t and 2 t + 1 of half r / 2
 *     columns  register r: column g, steps 2 t and 2 t + 1 of half r
 *     sums     row g and g + 8, columns 2 t and 2 t + 1
 *
 * ldmatrix loads them where 16 bytes along the steps, or 8 elements of 16 bits along the other
 * dimension, are contiguous and aligned; otherwise each lane loads its elements. The loop
 * variables of the tile's points have the values of this lane's first sum, where addresses
 * start. */
#include "codegen/print/c.h"
#include "codegen/tile/tile_inside.h"
#include "codegen/grid/tile_wgmma.h"
#include "codegen/isa/cuda_mma.h"
#include "ir/dependence/tensor.h"
#include <string.h>

typedef enum way { MATRICES, TRANSPOSED, ELEMENTS } way;

typedef struct operand {
    bool columns;
    char letter; /* prefix of its registers' names */
    int ref;
    way way;
    int64_t along, step; /* stride of the dimension, and of the steps, in elements */
    int per, half;       /* elements per register, steps of half an instruction */
    bool rounds;
} operand;

static int64_t stride(const sq_tile *t, const sq_ref *r, int d)
{
    const int64_t origin[SQ_MAX_DIMS] = {0};
    sq_offset step;
    if (!sq_ref_step(r, origin, d, 1, 0, &step))
        sq_bug("tensor", "steps of '%s' through %s are uneven", t->group->dim[d], r->array->name);
    return step.known;
}

/* True if the copy's innermost axis moves with d only, and starts at a multiple of 16 bytes. */
static bool runs_along(const sq_tile *t, const sq_ref *r, int d)
{
    int inner = r->buffer->inner;
    for (int x = 0; x < t->group->ndim; x++)
        if (r->coef[inner][x] != (x == d))
            return false;
    return r->buffer->axis[inner].step_q == 1;
}

static operand operand_of(const sq_tile *t, const sq_tensor_product *p, bool columns)
{
    const sq_micro *m = &t->group->micro;
    const sq_access *a = p->of[columns];
    int ref = sq_tile_ref(t, a), d = columns ? m->tensor.columns : m->tensor.rows;
    int bytes = sq_type_bytes(a->array->type);
    const sq_ref *r = t->nest->ref[ref];
    return (operand){.columns = columns,
                     .letter = columns ? 'b' : 'a',
                     .ref = ref,
                     .way = runs_along(t, r, m->serial)         ? MATRICES
                            : bytes == 2 && runs_along(t, r, d) ? TRANSPOSED
                                                                : ELEMENTS,
                     .along = stride(t, r, d),
                     .step = stride(t, r, m->serial),
                     .per = 4 / bytes,
                     .half = 16 / bytes,
                     .rounds = sq_tensor_shape_of(a->array->type, p->sum, 1)->rounds};
}

/* Returns the offset from this lane's first sum to the first element that it addresses or loads. */
static const char *lane_offset(const sq_tile *t, const operand *o)
{
    long long along = o->along, step = o->step;
    sq_arena *a = t->arena;
    if (o->way == MATRICES)
        return o->columns
                   ? sq_arena_printf(a,
                                     "(@lane %% 8 + @lane / 16 * 8 - @lane %% 4 * 2) * %lld + "
                                     "@lane / 8 %% 2 * %d",
                                     along, o->half)
                   : sq_arena_printf(a, "(@lane %% 16 - @lane / 4) * %lld + @lane / 16 * %d", along,
                                     o->half);
    if (o->way == TRANSPOSED)
        return o->columns
                   ? sq_arena_printf(a, "@lane / 16 * 8 - @lane %% 4 * 2 + @lane %% 16 * %lld",
                                     step)
                   : sq_arena_printf(a,
                                     "@lane / 8 %% 2 * 8 - @lane / 4 + (@lane %% 8 + @lane / 16 "
                                     "* 8) * %lld",
                                     step);
    return o->columns
               ? sq_arena_printf(a, "(@lane / 4 - @lane %% 4 * 2) * %lld + @lane %% 4 * %lld",
                                 along, o->per * step)
               : sq_arena_printf(a, "@lane %% 4 * %lld", o->per * step);
}

/* Returns "A + 3 * A_s0": the pointer at the tile's origin. */
static const char *origin(const sq_tile *t, const operand *o)
{
    const sq_point at = {0};
    const sq_c_printer c = {.uses = *t->sink.uses};
    sq_text s = {0};
    sq_c_address(&c, sq_tile_pointer(t, o->ref), sq_tile_offset(t, o->ref, &at), &s);
    return sq_text_take(&s, t->arena);
}

static void put_lane_address(const sq_tile *t, const operand *o, sq_text *to)
{
    sq_text_line(to, "const %s *const @%c_lane = %s + %s;",
                 sq_type_ctype(t->nest->ref[o->ref]->array->type), o->letter, origin(t, o),
                 lane_offset(t, o));
}

/* " + 640", or nothing. */
static const char *plus(const sq_tile *t, int64_t n)
{
    return n ? sq_arena_printf(t->arena, " + %lld", (long long)n) : "";
}

/* Returns the address of fragment number f of the operand at this step. */
static const char *address(const sq_tile *t, const operand *o, int f)
{
    const char *step =
        o->step == 1 ? "@step" : sq_arena_printf(t->arena, "@step * %lld", (long long)o->step);
    return sq_arena_printf(t->arena, "@%c_lane + %s%s", o->letter, step,
                           plus(t, f * (o->columns ? 8 : 16) * o->along));
}

/* Loads one register element by element. */
static void put_elements(const sq_tile *t, const operand *o, int f, int reg, sq_text *to)
{
    sq_type type = t->nest->ref[o->ref]->array->type;
    int halves = o->columns ? reg : reg / 2;
    int64_t at = (o->columns ? 0 : 8 * (reg % 2) * o->along) + halves * o->half * o->step;
    const char *base = address(t, o, f);
    sq_text value = {0};
    for (int e = 0; e < o->per; e++) {
        const char *one = sq_arena_printf(t->arena, "*(%s%s)", base, plus(t, at + e * o->step));
        if (type == SQ_F32)
            sq_text_printf(&value, "__float_as_uint(%s)", one);
        else
            sq_text_printf(&value, "%s(uint32_t)%s%s%s", e ? " | " : "",
                           o->per == 4 ? "(uint8_t)" : "", one,
                           e ? sq_arena_printf(t->arena, " << %d", 32 / o->per * e) : "");
    }
    sq_text_line(to, "@%c%d[%d] = %s;", o->letter, f, reg, sq_text_str(&value));
    sq_text_free(&value);
}

/* Loads the registers of fragment f: for columns, one load has two fragments, one after the other.
 * Returns the number of fragments. */
static int put_load(const sq_tile *t, const operand *o, int f, int fragments, sq_text *to)
{
    bool pair = o->columns && f + 1 < fragments && o->way != ELEMENTS;
    int registers = o->columns && !pair ? 2 : 4;
    sq_text_line(to, "uint32_t @%c%d[%d];", o->letter, f, registers);
    if (o->way == ELEMENTS)
        for (int r = 0; r < registers; r++)
            put_elements(t, o, f, r, to);
    else
        sq_text_line(to, "%s(@%c%d, %s);",
                     sq_uses_helper(t->sink.uses, sq_arena_printf(t->arena, "sq_ldmatrix_x%d%s", registers,
                                                                  o->way == TRANSPOSED ? "_trans" : "")),
                     o->letter, f, address(t, o, f));
    for (int r = 0; r < registers && o->rounds; r++)
        sq_text_line(to, "@%c%d[%d] = %s(@%c%d[%d]);", o->letter, f, r, sq_uses_helper(t->sink.uses, "sq_tf32"),
                     o->letter, f, r);
    return pair ? 2 : 1;
}

const char *sq_tile_tensor_sum(sq_tile *t, int row, int column)
{
    const sq_tensor *x = &t->group->micro.tensor;
    if (t->lanes == 2)
        return sq_arena_printf(t->arena, "%s.v[%d]", sq_tile_acc(t, row, column / 2, 0)->buffer->name,
                               column % 2);
    int rows = (int)sq_group_own(t->group, x->rows),
        columns = (int)sq_group_own(t->group, x->columns);
    int at = x->rows < x->columns ? row * columns + column : column * rows + row;
    return sq_tile_acc(t, at, 0, 0)->buffer->name;
}

static void put_product(sq_tile *t, const char *name, int i, int j, bool pairs, sq_text *to)
{
    int first = pairs ? j / 2 * 2 : j;
    sq_text_line(to, "%s(%s, %s, %s, %s, @a%d, @b%d%s);", name, sq_tile_tensor_sum(t, 2 * i, 2 * j),
                 sq_tile_tensor_sum(t, 2 * i, 2 * j + 1), sq_tile_tensor_sum(t, 2 * i + 1, 2 * j),
                 sq_tile_tensor_sum(t, 2 * i + 1, 2 * j + 1), i, first, j > first ? " + 2" : "");
}

void sq_tile_tensor_bases(const sq_tile *t, bool *used)
{
    const sq_group *g = t->group;
    sq_tensor_product p;
    if (sq_tensor_is_warpgroup(g))
        return;
    sq_tensor_product_of(g, g->micro.tensor.rows, g->micro.tensor.columns, g->micro.serial, &p);
    for (int i = 0; i < 2; i++)
        used[t->bases.of[sq_tile_ref(t, p.of[i])]] = true;
}

void sq_tile_tensor_steps(sq_tile *t, sq_text *to)
{
    const sq_group *g = t->group;
    const sq_tensor *x = &g->micro.tensor;
    sq_tensor_product p;
    sq_tensor_product_of(g, x->rows, x->columns, g->micro.serial, &p);
    if (sq_tensor_is_warpgroup(g)) {
        sq_tile_wgmma_steps(t, &p, to);
        return;
    }
    operand a = operand_of(t, &p, false), b = operand_of(t, &p, true);
    int rows = (int)(g->micro.points[x->rows] / x->m),
        columns = (int)(g->micro.points[x->columns] / x->n);
    const char *name = sq_uses_helper(t->sink.uses, sq_mma_name(p.of[0]->array->type, p.sum, t->arena));
    sq_text_line(to, "const int @lane = (int)(threadIdx.x %% 32);");
    put_lane_address(t, &a, to);
    put_lane_address(t, &b, to);
    sq_text_puts(to, "#pragma unroll\n");
    sq_text_open(to, "for (int @step = 0; @step < %lld; @step += %d) {",
                 (long long)g->loop[sq_tensor_loop(g)].step, x->k);
    for (int i = 0; i < rows; i++)
        put_load(t, &a, i, rows, to);
    for (int j = 0; j < columns;)
        j += put_load(t, &b, j, columns, to);
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            put_product(t, name, i, j, b.way != ELEMENTS, to);
    sq_text_close(to, "}");
}
