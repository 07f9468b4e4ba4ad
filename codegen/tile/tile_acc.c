/* Tile accumulators: one per row and vector; elements of an array c[row][vector] where compilers
 * unroll the loops over them, else variables c0_0. Their initial values, how values are added to
 * them, and how several are combined. */
#include "codegen/lower/point.h"
#include "codegen/tile/tile_inside.h"
#include <math.h>

static const char *const stem[] = {
    [SQ_ACC_SUMS] = "@c", [SQ_ACC_PARTIAL] = "@f", [SQ_ACC_ADDED_UP] = "@s"};

static const char *of_set(const sq_tile *t, const char *name, int set)
{
    return set ? sq_arena_printf(t->arena, "%s_%d", name, set) : name;
}

/* Returns the type of the accumulators. */
static sq_type type_of(const sq_tile *t, sq_acc_kind kind)
{
    return kind == SQ_ACC_PARTIAL ? SQ_F32 : t->group->stmt[0]->body->type;
}

/* Allocates the tables. */
static void make_room(sq_tile *t)
{
    int sets = t->group->micro.split > 1 ? t->group->micro.split : 1;
    t->most_rows = t->rows;
    t->most_vectors = t->vectors;
    t->acc =
        SQ_NEW_ARRAY(t->arena, const sq_code_buffer *, SQ_NACC_KINDS *sets * t->rows * t->vectors);
}

static sq_code_buffer *new_register(const sq_tile *t, sq_acc_kind kind, const char *name)
{
    sq_code_buffer *b = SQ_NEW(t->arena, sq_code_buffer);
    *b = (sq_code_buffer){.name = name,
                          .type = type_of(t, kind),
                          .lanes = kind == SQ_ACC_ADDED_UP ? 1 : t->lanes,
                          .storage = SQ_CODE_REGISTER};
    return b;
}

/* Returns an accumulator as a variable. */
static const sq_code_buffer *variable_of(const sq_tile *t, sq_acc_kind kind, int row, int vector,
                                         int set)
{
    const char *name = sq_arena_printf(t->arena, "%s%d_%d", stem[kind], row, vector);
    sq_code_buffer *b = new_register(t, kind, of_set(t, name, set));
    b->row = row + 1;
    return b;
}

/* Returns the array of a kind and set, with one subscript for rows and, if there are several, one
 * for vectors. */
static const sq_code_buffer *array_of(const sq_tile *t, sq_acc_kind kind, int set)
{
    const int n[] = {t->most_rows, kind == SQ_ACC_ADDED_UP ? 1 : t->most_vectors};
    sq_code_buffer *b = new_register(t, kind, of_set(t, stem[kind], set));
    const sq_code_expr **extent = SQ_NEW_ARRAY(t->arena, const sq_code_expr *, 2);
    for (int d = 0; d < 2; d++)
        if (n[d] > 1)
            extent[b->ndim++] = sq_code_number(t->pool, n[d]);
    b->extent = extent;
    return b;
}

/* Returns the value of the accumulator of a row and vector. */
static const sq_code_expr *element(const sq_tile *t, const sq_code_buffer *of, int row, int vector)
{
    const int at[] = {row, vector};
    const sq_code_expr *index[2];
    int n = 0, first = t->most_rows > 1 ? 0 : 1;
    for (; n < of->ndim; n++)
        index[n] = sq_code_number(t->pool, at[first + n]);
    return sq_code_load(t->pool, of, index);
}

const sq_code_expr *sq_tile_acc_of(sq_tile *t, sq_acc_kind kind, int row, int vector, int set)
{
    if (!t->acc)
        make_room(t);
    bool arrays = t->target->language->unroll != NULL;
    int of = set * SQ_NACC_KINDS + (int)kind, each = t->most_rows * t->most_vectors;
    const sq_code_buffer **acc =
        &t->acc[of * each + (arrays ? 0 : row * t->most_vectors + vector)];
    if (!*acc)
        *acc = arrays ? array_of(t, kind, set) : variable_of(t, kind, row, vector, set);
    return element(t, *acc, row, vector);
}

const sq_code_expr *sq_tile_acc(sq_tile *t, int row, int vector, int set)
{
    return sq_tile_acc_of(t, t->acc_kind, row, vector, set);
}

void sq_tile_set(sq_tile *t, const sq_code_expr *acc, const sq_code_expr *value)
{
    sq_tile_append(t, sq_code_store(t->pool, acc->buffer, acc->arg, value));
}

/* Returns the identity of a reduction, in all lanes. */
static const sq_code_expr *identity(sq_tile *t, const sq_stmt *s)
{
    sq_point_values v = {.kernel = t->nest->kernel, .pool = t->pool};
    return t->acc_kind == SQ_ACC_PARTIAL ? sq_tile_constant(t, SQ_F32, (sq_number){0, 0})
                                         : sq_tile_splat(t, sq_point_identity(&v, s));
}

/* ---- accumulators ---- */

/* A variable is declared with its initial value, an array without. */
static void define(sq_tile *t, const sq_code_expr *acc, const sq_code_expr *value)
{
    if (!acc->buffer->ndim)
        sq_tile_append(t, sq_code_declare(t->pool, acc->buffer, false));
    sq_tile_set(t, acc, value);
}

/* Declares the accumulators of a kind and set if they are an array; true if they are initialized to
 * 0. */
static bool declare_array(sq_tile *t, sq_acc_kind kind, int set, bool zeroed)
{
    const sq_code_buffer *b = sq_tile_acc_of(t, kind, 0, 0, set)->buffer;
    if (b->ndim)
        sq_tile_append(t, sq_code_declare(t->pool, b, zeroed));
    return b->ndim && zeroed;
}

/* True if all bits of the value are 0, in all lanes. */
static bool is_zero(const sq_code_expr *e)
{
    while (e->op == SQ_CODE_BROADCAST)
        e = e->arg[0];
    return e->op == SQ_CODE_CONSTANT && e->number == 0 && e->real == 0 && !signbit(e->real);
}

static void declare_set(sq_tile *t, const sq_stmt *s, int set)
{
    const sq_code_expr *first = identity(t, s);
    if (declare_array(t, t->acc_kind, set, is_zero(first)))
        return;
    sq_tile_box box = sq_tile_box_points(t);
    while (sq_tile_box_point(t, &box))
        define(t, sq_tile_acc(t, box.row, box.vector, set), first);
}

void sq_tile_declare(sq_tile *t, const sq_stmt *s)
{
    for (int set = 0; set < t->sets; set++)
        declare_set(t, s, set);
}

const sq_code_expr *sq_tile_reduced(sq_tile *t, const sq_stmt *s, sq_type type, const sq_code_expr *old,
                                    const sq_code_expr *more)
{
    return s->keeps_old ? sq_tile_binary(t, s->reduce, type, more, old) : sq_tile_binary(t, s->reduce, type, old, more);
}

void sq_tile_combine(sq_tile *t, const sq_stmt *s, const sq_code_expr *to,
                     const sq_code_expr *value)
{
    if (!t->counting)
        sq_tile_set(t, to, sq_tile_reduced(t, s, to->type, to, value));
}

void sq_tile_merge_sets(sq_tile *t, const sq_stmt *s)
{
    for (int set = 1; set < t->sets; set++) {
        sq_tile_box box = sq_tile_box_points(t);
        while (sq_tile_box_point(t, &box))
            sq_tile_combine(t, s, sq_tile_acc(t, box.row, box.vector, 0), sq_tile_acc(t, box.row, box.vector, set));
    }
}

/* Combines the lanes of a row's vector into one value. */
static const sq_code_expr *lanes_in_one(sq_tile *t, const sq_stmt *s, const sq_code_expr *c)
{
    const sq_code_expr *all = sq_code_extract(t->pool, c, 0);
    if (s->reduce == SQ_OP_ADD)
        return sq_code_add_lanes(t->pool, c);
    for (int l = 1; l < t->lanes; l++)
        all = sq_tile_reduced(t, s, all->type, all, sq_code_extract(t->pool, c, l));
    return all;
}

/* Combines vectors of partial sums to scalars; everything that follows is scalar. */
void sq_tile_add_up(sq_tile *t, const sq_stmt *s)
{
    declare_array(t, SQ_ACC_ADDED_UP, 0, false);
    t->vectors = t->sets = 1;
    sq_tile_box box = sq_tile_box_points(t);
    while (sq_tile_box_point(t, &box))
        define(t, sq_tile_acc_of(t, SQ_ACC_ADDED_UP, box.row, 0, 0),
               lanes_in_one(t, s, sq_tile_acc(t, box.row, 0, 0)));
    t->lanes = 1;
    t->acc_kind = SQ_ACC_ADDED_UP;
}
