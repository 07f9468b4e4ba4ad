/* Tile accumulators: cU_J belongs to row U and vector J. What they begin with, how values are added to
 * them, and how several become one. */
#include "codegen/lower/point.h"
#include "codegen/tile_inside.h"

static const char *name_of(const sq_tile *t, sq_acc_kind kind, int row, int vector, int set)
{
    static const char *const stem[] = {
        [SQ_ACC_SUMS] = "@c", [SQ_ACC_PARTIAL] = "@f", [SQ_ACC_ADDED_UP] = "@s"};
    const char *name =
        sq_arena_printf(t->arena, "%s%d_%d", stem[kind], row, kind == SQ_ACC_ADDED_UP ? 0 : vector);
    return set ? sq_arena_printf(t->arena, "%s_%d", name, set) : name;
}

/* The type of the accumulators. */
static sq_type type_of(const sq_tile *t, sq_acc_kind kind)
{
    return kind == SQ_ACC_PARTIAL ? SQ_F32 : t->group->stmt[0]->body->type;
}

/* Room for all of them. */
static void make_room(sq_tile *t)
{
    int sets = t->group->micro.split > 1 ? t->group->micro.split : 1;
    t->most_rows = t->rows;
    t->most_vectors = t->vectors;
    t->acc =
        SQ_NEW_ARRAY(t->arena, const sq_code_buffer *, SQ_NACC_KINDS *sets * t->rows * t->vectors);
}

const sq_code_buffer *sq_tile_acc_of(sq_tile *t, sq_acc_kind kind, int row, int vector, int set)
{
    if (!t->acc)
        make_room(t);
    int of = set * SQ_NACC_KINDS + (int)kind, each = t->most_rows * t->most_vectors;
    const sq_code_buffer **acc = &t->acc[of * each + row * t->most_vectors + vector];
    if (*acc)
        return *acc;
    sq_code_buffer *b = SQ_NEW(t->arena, sq_code_buffer);
    *b = (sq_code_buffer){.name = name_of(t, kind, row, vector, set),
                          .type = type_of(t, kind),
                          .lanes = kind == SQ_ACC_ADDED_UP ? 1 : t->lanes,
                          .storage = SQ_CODE_REGISTER,
                          .row = row + 1};
    return *acc = b;
}

const sq_code_buffer *sq_tile_acc(sq_tile *t, int row, int vector, int set)
{
    return sq_tile_acc_of(t, t->acc_kind, row, vector, set);
}

const sq_code_expr *sq_tile_acc_value(sq_tile *t, int row, int vector, int set)
{
    return sq_code_load(t->pool, sq_tile_acc(t, row, vector, set), NULL);
}

void sq_tile_set(sq_tile *t, const sq_code_buffer *acc, const sq_code_expr *value)
{
    sq_tile_append(t, sq_code_set(t->pool, acc, value));
}

/* What a reduction begins with, in all lanes. */
static const sq_code_expr *identity(sq_tile *t, const sq_stmt *s)
{
    sq_point_values v = {.kernel = t->nest->kernel, .pool = t->pool};
    return t->acc_kind == SQ_ACC_PARTIAL ? sq_tile_constant(t, SQ_F32, (sq_number){0, 0})
                                         : sq_tile_splat(t, sq_point_identity(&v, s));
}

/* ---- accumulators ---- */

static void define(sq_tile *t, const sq_code_buffer *acc, const sq_code_expr *value)
{
    sq_tile_append(t, sq_code_declare(t->pool, acc, false));
    sq_tile_set(t, acc, value);
}

void sq_tile_declare(sq_tile *t, const sq_stmt *s)
{
    for (int set = 0; set < t->sets; set++)
        for (int r = 0; r < t->rows; r++)
            for (int v = 0; v < t->vectors; v++)
                define(t, sq_tile_acc(t, r, v, set), identity(t, s));
}

void sq_tile_combine(sq_tile *t, const sq_stmt *s, const sq_code_buffer *to,
                     const sq_code_expr *value)
{
    const sq_code_expr *old = sq_code_load(t->pool, to, NULL);
    if (!t->counting)
        sq_tile_set(t, to, sq_tile_binary(t, s->reduce, old->type, old, value));
}

void sq_tile_merge_sets(sq_tile *t, const sq_stmt *s)
{
    for (int set = 1; set < t->sets; set++)
        for (int r = 0; r < t->rows; r++)
            for (int v = 0; v < t->vectors; v++)
                sq_tile_combine(t, s, sq_tile_acc(t, r, v, 0), sq_tile_acc_value(t, r, v, set));
}

bool sq_tile_resumes(const sq_nest *n)
{
    return n->first && sq_group_epilogue(n->group) == SQ_EPILOGUE_LAST;
}

/* Partial sums of earlier tiles, kept in the output: the accumulators go on from there. */
void sq_tile_sum_resume(sq_tile *t)
{
    const sq_stmt *s = t->group->stmt[0];
    int ref = sq_tile_ref(t, s->write);
    sq_code_list inner = {0}, *to = t->to;
    if (!sq_tile_resumes(t->nest))
        return;
    sq_tile_into(t, &inner);
    for (int r = 0; r < t->rows; r++)
        for (int v = 0; v < t->vectors; v++) {
            sq_point p = sq_tile_point(t, r, v, 0, 0);
            const sq_code_expr *old = sq_tile_load(t, ref, &p);
            if (t->acc_kind == SQ_ACC_ADDED_UP)
                sq_tile_combine(t, s, sq_tile_acc(t, r, v, 0), old);
            else
                sq_tile_set(t, sq_tile_acc(t, r, v, 0), old);
        }
    sq_tile_into(t, to);
    sq_tile_if(t, sq_tile_flag(t, "@first", false), &inner, NULL);
}

/* The lanes of a row's vector, in one value. */
static const sq_code_expr *lanes_in_one(sq_tile *t, const sq_stmt *s, const sq_code_expr *c)
{
    const sq_code_expr *all = sq_code_extract(t->pool, c, 0);
    if (s->reduce == SQ_OP_ADD)
        return sq_code_add_lanes(t->pool, c);
    for (int l = 1; l < t->lanes; l++)
        all = sq_tile_binary(t, s->reduce, all->type, all, sq_code_extract(t->pool, c, l));
    return all;
}

/* From vectors of partial sums to scalars; everything that follows is scalar. */
void sq_tile_add_up(sq_tile *t, const sq_stmt *s)
{
    for (int r = 0; r < t->rows; r++)
        define(t, sq_tile_acc_of(t, SQ_ACC_ADDED_UP, r, 0, 0),
               lanes_in_one(t, s, sq_tile_acc_value(t, r, 0, 0)));
    t->lanes = 1;
    t->acc_kind = SQ_ACC_ADDED_UP;
    t->vectors = t->sets = 1;
}
