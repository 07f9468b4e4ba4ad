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
#include "codegen/code/instruction.h"
#include "codegen/tile/tile_inside.h"
#include "ir/dependence/tensor.h"

#define LANE "@lane"
enum { MOST_FRAGMENTS = SQ_WARPGROUP_COLUMNS / SQ_TENSOR_COLUMNS };

typedef enum way { MATRICES, TRANSPOSED, ELEMENTS } way;

typedef struct operand {
    bool columns;
    char letter; /* prefix of its registers' names */
    int ref;
    way way;
    int64_t along, step; /* stride of the dimension, and of the steps, in elements */
    int per, half;       /* elements per register, steps of half an instruction */
    bool rounds;
    const sq_code_buffer *lane; /* the pointer to the first element that this lane addresses or loads */
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

/* Returns @lane / over % rem; rem: 0 without a remainder. */
static const sq_code_expr *of_lane(const sq_tile *t, int over, int rem)
{
    sq_code_pool *p = t->pool;
    const sq_code_expr *lane = sq_code_name(p, LANE);
    if (over > 1)
        lane = sq_code_divide(p, SQ_CODE_DIV, lane, sq_code_number(p, over));
    return rem ? sq_code_divide(p, SQ_CODE_REM, lane, sq_code_number(p, rem)) : lane;
}

/* A term of an offset: coef * (@lane / over % rem). */
typedef struct term {
    int64_t coef;
    int over, rem;
} term;

enum { MOST_TERMS = 4 };

/* Returns the offset from this lane's first sum to the first element that it addresses or loads. */
static const sq_code_expr *lane_offset(const sq_tile *t, const operand *o)
{
    const int64_t along = o->along, step = o->step, word = o->per * step;
    const term of[][2][MOST_TERMS] = {
        [MATRICES] = {{{along, 1, 16}, {-along, 4, 0}, {o->half, 16, 0}},
                      {{along, 1, 8}, {8 * along, 16, 0}, {-2 * along, 1, 4}, {o->half, 8, 2}}},
        [TRANSPOSED] = {{{8, 8, 2}, {-1, 4, 0}, {step, 1, 8}, {8 * step, 16, 0}},
                        {{8, 16, 0}, {-2, 1, 4}, {step, 1, 16}}},
        [ELEMENTS] = {{{word, 1, 4}}, {{along, 4, 0}, {word - 2 * along, 1, 4}}}};
    const term *own = of[o->way][o->columns];
    const sq_code_expr *sum = sq_code_number(t->pool, 0);
    for (int i = 0; i < MOST_TERMS && own[i].over; i++)
        sum = sq_code_add_scaled(t->pool, sum, own[i].coef, of_lane(t, own[i].over, own[i].rem));
    return sum;
}

static void append_lane_pointer(sq_tile *t, operand *o)
{
    const sq_point at = {0};
    sq_code *x = sq_code_new(t->pool, SQ_CODE_POINTER);
    x->of = sq_tile_pointer(t, o->ref);
    x->value = sq_code_add(t->pool, sq_tile_offset(t, o->ref, &at), lane_offset(t, o));
    x->buffer = o->lane = sq_code_pointer(t->pool, sq_arena_printf(t->arena, "@%c_lane", o->letter), x->of->type,
                                          true, false);
    sq_tile_append(t, x);
}

/* Returns where fragment number f of the operand is at this step, `offset` elements behind its first. */
static const sq_code_expr *place(const sq_tile *t, const operand *o, int f, int64_t offset)
{
    const sq_code_expr *step = sq_code_scale(t->pool, o->step, sq_code_name(t->pool, SQ_TILE_STEP));
    return sq_code_plus(t->pool, step, f * (o->columns ? 8 : 16) * o->along + offset);
}

static void append_instruction(sq_tile *t, const sq_code_instruction *how, int n, const sq_code_operand *of)
{
    sq_tile_append(t, sq_code_instruct(t->pool, how, n, of));
}

/* Returns register `reg` of a fragment. */
static sq_code_operand one_of(const sq_tile *t, const sq_code_buffer *fragment, int reg)
{
    return sq_operand_register(fragment, sq_code_number(t->pool, reg), 0);
}

/* Loads one register element by element. */
static void append_elements(sq_tile *t, const operand *o, const sq_code_buffer *fragment, int f, int reg)
{
    int halves = o->columns ? reg : reg / 2;
    int64_t at = (o->columns ? 0 : 8 * (reg % 2) * o->along) + halves * o->half * o->step;
    sq_code_operand of[1 + 4] = {one_of(t, fragment, reg)};
    for (int e = 0; e < o->per; e++)
        of[1 + e] = sq_operand_elements(o->lane, place(t, o, f, at + e * o->step));
    append_instruction(t, &(sq_code_instruction){.row = SQ_INSTRUCTION_WORD}, 1 + o->per, of);
}

/* Loads the registers of fragment f: for columns, one load has two fragments, one after the other.
 * Returns the registers. */
static const sq_code_buffer *append_load(sq_tile *t, const operand *o, int f, int fragments)
{
    bool pair = o->columns && f + 1 < fragments && o->way != ELEMENTS;
    int n = o->columns && !pair ? 2 : 4;
    const sq_code_buffer *b =
        sq_code_array(t->pool, sq_arena_printf(t->arena, "@%c%d", o->letter, f), SQ_U32, n, SQ_CODE_REGISTER);
    const sq_code_operand of[] = {sq_operand_elements(b, sq_code_number(t->pool, 0)),
                                       sq_operand_elements(o->lane, place(t, o, f, 0))};
    const sq_code_instruction load = {.row = SQ_INSTRUCTION_LDMATRIX, .n = n, .turns = {o->way == TRANSPOSED}},
                              round = {.row = SQ_INSTRUCTION_ROUND};
    sq_tile_append(t, sq_code_declare(t->pool, b, false));
    for (int r = 0; r < n && o->way == ELEMENTS; r++)
        append_elements(t, o, b, f, r);
    if (o->way != ELEMENTS)
        append_instruction(t, &load, 2, of);
    for (int r = 0; r < n && o->rounds; r++)
        append_instruction(t, &round, 1, (sq_code_operand[]){one_of(t, b, r)});
    return b;
}

sq_code_operand sq_tile_tensor_sum(sq_tile *t, int row, int column)
{
    const sq_tensor *x = &t->group->micro.tensor;
    if (t->lanes == 2)
        return sq_operand_register(sq_tile_acc(t, row, column / 2, 0)->buffer, NULL, column % 2);
    int rows = (int)sq_group_own(t->group, x->rows),
        columns = (int)sq_group_own(t->group, x->columns);
    int at = x->rows < x->columns ? row * columns + column : column * rows + row;
    return sq_operand_register(sq_tile_acc(t, at, 0, 0)->buffer, NULL, 0);
}

/* The fragments of a step. */
typedef struct fragments {
    const sq_code_buffer *row[MOST_FRAGMENTS], *column[MOST_FRAGMENTS]; /* two columns may share a load */
} fragments;

static void append_product(sq_tile *t, const fragments *all, sq_type type, int i, int j)
{
    bool second = j > 0 && all->column[j] == all->column[j - 1];
    const sq_code_operand of[] = {
        sq_tile_tensor_sum(t, 2 * i, 2 * j),
        sq_tile_tensor_sum(t, 2 * i, 2 * j + 1),
        sq_tile_tensor_sum(t, 2 * i + 1, 2 * j),
        sq_tile_tensor_sum(t, 2 * i + 1, 2 * j + 1),
        sq_operand_elements(all->row[i], sq_code_number(t->pool, 0)),
        sq_operand_elements(all->column[j], sq_code_number(t->pool, second ? 2 : 0)),
    };
    append_instruction(t, &(sq_code_instruction){.row = SQ_INSTRUCTION_MMA, .type = type}, 6, of);
}

/* Appends the loads and products of one instruction's steps. */
static void append_step(sq_tile *t, const operand *a, const operand *b, int rows, int columns)
{
    const sq_type type = t->nest->ref[a->ref]->array->type;
    fragments all;
    for (int i = 0; i < rows; i++)
        all.row[i] = append_load(t, a, i, rows);
    for (int j = 0; j < columns; j++) {
        all.column[j] = append_load(t, b, j, columns);
        if (sq_code_is(all.column[j]->extent[0], 4))
            j++, all.column[j] = all.column[j - 1];
    }
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            append_product(t, &all, type, i, j);
}

sq_code *sq_tile_tensor_loop(sq_tile *t, sq_code *body)
{
    const sq_group *g = t->group;
    sq_code_pool *p = t->pool;
    sq_code *loop = sq_code_loop(p, SQ_TILE_STEP, sq_code_number(p, 0),
                                 sq_code_number(p, g->loop[sq_tensor_loop(g)].step), g->micro.tensor.k);
    loop->runs = SQ_CODE_UNROLLED;
    loop->body = body;
    return loop;
}

static void append_lane(sq_tile *t)
{
    sq_code_pool *p = t->pool;
    sq_code *lane = sq_code_let(
        p, LANE, sq_code_divide(p, SQ_CODE_REM, sq_code_name(p, SQ_TILE_THREAD), sq_code_number(p, SQ_WARP)));
    lane->is_int = true;
    sq_tile_append(t, lane);
}

void sq_tile_tensor_steps(sq_tile *t)
{
    const sq_group *g = t->group;
    const sq_tensor *x = &g->micro.tensor;
    sq_tensor_product p;
    sq_tensor_product_of(g, x->rows, x->columns, g->micro.serial, &p);
    if (sq_tensor_is_warpgroup(g)) {
        sq_tile_wgmma_steps(t, &p);
        return;
    }
    operand a = operand_of(t, &p, false), b = operand_of(t, &p, true);
    sq_code_list inner = {0}, *before;
    append_lane(t);
    append_lane_pointer(t, &a);
    append_lane_pointer(t, &b);
    before = sq_tile_into(t, &inner);
    append_step(t, &a, &b, (int)(g->micro.points[x->rows] / x->m), (int)(g->micro.points[x->columns] / x->n));
    sq_tile_into(t, before);
    sq_tile_append(t, sq_tile_tensor_loop(t, inner.first));
}
