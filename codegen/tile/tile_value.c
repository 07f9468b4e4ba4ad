/* Tile values: loads, and expressions as named values. Each distinct address is loaded once as long
 * as its register lasts: equal expressions are one node (values.h), so sharing between rows, taps
 * and fused statements needs no analysis. */
#include "codegen/nest/fold_comparison.h"
#include "codegen/lower/point.h"
#include "codegen/isa/isa.h"
#include "codegen/isa/math.h"
#include "codegen/tile/tile_inside.h"
#include <ctype.h>
#include <isl/aff.h>
#include <isl/val.h>
#include <string.h>

/* ---- statements ---- */

void sq_tile_append(sq_tile *t, sq_code *x)
{
    sq_code_append(t->to, x);
}

sq_code_list *sq_tile_into(sq_tile *t, sq_code_list *list)
{
    sq_code_list *before = t->to;
    t->to = list;
    return before;
}

void sq_tile_if(sq_tile *t, const sq_code_expr *cond, const sq_code_list *body,
                const sq_code_list *other)
{
    sq_code *x = sq_code_new(t->pool, SQ_CODE_IF);
    x->cond = cond;
    x->body = body->first;
    x->other = other ? other->first : NULL;
    sq_tile_append(t, x);
}

const sq_code_expr *sq_tile_flag(const sq_tile *t, const char *name, bool is_set)
{
    const sq_code_expr *zero = sq_code_number(t->pool, 0), *flag = sq_code_name(t->pool, name);
    return is_set ? flag : sq_code_compare(t->pool, SQ_CODE_EQ, flag, zero);
}

void sq_tile_fresh(sq_tile *t, const char *name)
{
    if (!t->target->language->fresh)
        return;
    sq_code *x = sq_code_new(t->pool, SQ_CODE_FRESH);
    x->name = name;
    sq_tile_append(t, x);
}

/* ---- types ---- */

sq_type sq_tile_memory(const sq_ref *r)
{
    return r->buffer ? r->buffer->type : r->array->type;
}

static const sq_code_expr *unary(sq_tile *t, sq_op op, sq_type type, const sq_code_expr *a)
{
    return sq_code_operation(t->pool, op, type, &a);
}

const sq_code_expr *sq_tile_binary(sq_tile *t, sq_op op, sq_type type, const sq_code_expr *a,
                                   const sq_code_expr *b)
{
    const sq_code_expr *arg[] = {a, b};
    return sq_code_operation(t->pool, op, type, arg);
}

/* ---- loads ---- */

/* Loads lanes at irregular addresses, in a copy with split axes whose stride along the vector
 * varies. The elements are values, and the copy contains all lanes of a tile. */
static const sq_code_expr *load_uneven(sq_tile *t, int ref, const sq_point *p)
{
    const sq_code_expr **of = SQ_NEW_ARRAY(t->arena, const sq_code_expr *, t->lanes);
    const sq_array *a = t->nest->ref[ref]->array;
    sq_point lane = *p;
    if (sq_type_stored(sq_tile_memory(t->nest->ref[ref])) || !t->target->language->extension)
        sq_bug("tile", "lanes of %s are uneven", a->name);
    for (int l = 0; l < t->lanes; l++) {
        lane.at[t->group->micro.vector] = p->at[t->group->micro.vector] + l;
        const sq_code_expr *at = sq_tile_offset(t, ref, &lane);
        of[l] = sq_code_load(t->pool, sq_tile_pointer(t, ref), &at);
    }
    return sq_code_vector(t->pool, t->lanes, of);
}

/* True if the vector is aligned in a shared copy, whose rows are. */
static bool is_aligned(const sq_tile *t, const sq_ref *r, const sq_point *p)
{
    const sq_group *g = t->group;
    int inner = r->buffer->inner;
    if (!r->buffer->shared || sq_ref_offset(r, p->at).known % t->lanes)
        return false;
    for (int d = 0; d < g->ndim; d++) {
        int l = sq_group_inner_loop(g, d);
        bool moves = r->coef[inner][d] && (l >= 0 || d == g->micro.serial);
        int64_t step = d == g->micro.vector ? t->lanes : l >= 0 ? g->loop[l].step : 1;
        if (moves && (d == g->micro.serial || r->coef[inner][d] * step % t->lanes))
            return false;
    }
    return r->buffer->axis[inner].stride == 1;
}

const sq_code_expr *sq_tile_load(sq_tile *t, int ref, const sq_point *p)
{
    const sq_ref *r = t->nest->ref[ref];
    const sq_code_buffer *b = sq_tile_pointer(t, ref);
    const sq_code_expr *at = sq_tile_offset(t, ref, p), *step = sq_tile_lane_step(t, r, p);
    if (!step)
        return load_uneven(t, ref, p);
    if (t->lanes == 1 || sq_code_is(step, 0))
        return sq_tile_splat(t, sq_code_load(t->pool, b, &at));
    bool aligned = !t->target->language->extension && r->buffer && is_aligned(t, r, p);
    int channel = sq_tile_channel(t, ref, p, step);
    const sq_code_lanes lanes = {.first = at,
                                 .step = step,
                                 .left = r->buffer ? NULL : sq_tile_left(t, p),
                                 .channel = sq_code_number(t->pool, channel),
                                 .kind = channel >= 0 ? SQ_LANES_CHANNEL
                                         : aligned && sq_code_is(step, 1) ? SQ_LANES_ALIGNED
                                                                          : SQ_LANES_ANY};
    return sq_code_load_lanes(t->pool, b, t->lanes, &lanes);
}

/* ---- expressions ---- */

/* Stems that could conflict with another generated name when a number is appended get a letter in
 * between. */
static const char *safe_stem(const sq_tile *t, const char *stem)
{
    bool letters = true;
    for (const char *c = stem; *c; c++)
        letters &= isalpha((unsigned char)*c) != 0;
    return sq_arena_printf(t->arena, "@%s%s", stem, letters ? "" : "v");
}

const sq_code_expr *sq_tile_named(sq_tile *t, const char *stem, const sq_code_expr *e)
{
    bool fresh;
    if (t->nameless)
        return e;
    const sq_code_expr *x = sq_values_use(t->values, safe_stem(t, stem), e, t->counting, &fresh);
    if (fresh && !t->counting) {
        sq_tile_append(t, sq_code_declare(t->pool, x->buffer, false));
        sq_tile_append(t, sq_code_set(t->pool, x->buffer, e));
    }
    return x;
}

int sq_tile_ref(const sq_tile *t, const sq_access *a)
{
    for (int i = 0; i < t->nest->nrefs; i++)
        if (t->nest->ref[i]->access == a)
            return i;
    sq_bug("tile", "an access of '%s' has no reference", a->array->name);
}

const sq_code_expr *sq_tile_splat(sq_tile *t, const sq_code_expr *scalar)
{
    return sq_code_broadcast(t->pool, t->lanes, scalar);
}

const sq_code_expr *sq_tile_constant(sq_tile *t, sq_type type, sq_number number)
{
    return sq_tile_splat(t, sq_code_constant(t->pool, sq_type_held(type), number));
}

static const sq_code_expr *constant(sq_tile *t, const sq_expr *e)
{
    return sq_tile_named(t, "k", sq_tile_constant(t, e->type, (sq_number){e->real, e->integer}));
}

/* Returns values at a point of the group's dimensions; NULL: no point, for expressions over sizes
 * only. */
static sq_point_values values_at(const sq_tile *t, const sq_point *p)
{
    sq_point_values v = {.kernel = t->nest->kernel, .pool = t->pool};
    const sq_code_expr *origin[SQ_MAX_DIMS] = {0}, *none = sq_code_number(t->pool, 0);
    if (p)
        sq_tile_origin(t, origin);
    for (int d = 0; d < SQ_MAX_DIMS; d++) {
        bool masked = t->placing && d < t->group->nfree && origin[d] && t->variant->runtime[d] &&
                      sq_tile_row(t, d);
        v.at[d] = masked      ? sq_code_add(t->pool, origin[d], sq_tile_row_at(t, d, p->at[d]))
                  : origin[d] ? sq_code_plus(t->pool, origin[d], p->at[d])
                              : none;
    }
    return v;
}

/* Expressions over sizes only are computed once and broadcast. */
static const sq_code_expr *size_value(sq_tile *t, const sq_expr *e)
{
    sq_point_values v = values_at(t, NULL);
    return sq_tile_named(t, "k", sq_tile_splat(t, sq_point_value(&v, e)));
}

/* Returns 0, step, 2 * step, ... in the lanes. */
static const sq_code_expr *ramp(sq_tile *t, sq_type type, int64_t step)
{
    const sq_code_expr **lane = SQ_NEW_ARRAY(t->arena, const sq_code_expr *, t->lanes);
    for (int l = 0; l < t->lanes; l++)
        lane[l] = sq_code_constant(t->pool, type, (sq_number){.integer = l * step});
    return sq_tile_named(t, "k", sq_code_vector(t->pool, t->lanes, lane));
}

/* Returns the difference of an index value between adjacent lanes. */
static int64_t lane_step_of(const sq_tile *t, const sq_expr *e)
{
    isl_val *c = isl_aff_get_coefficient_val(e->index, isl_dim_in, t->group->micro.vector);
    int64_t step = isl_val_get_num_si(c);
    isl_val_free(c);
    return step;
}

/* Returns the value of an index expression. That of the row's first vector is made of the index, those of the others of
 * this one: a constant is added faster than a number gets to all lanes. */
static const sq_code_expr *index_value(sq_tile *t, const sq_expr *e, const sq_point *p)
{
    const int along = t->group->micro.vector;
    int64_t step = t->lanes > 1 ? lane_step_of(t, e) : 0;
    bool has_vectors = step && t->variant->points[along] > t->lanes;
    sq_point of = *p;
    if (has_vectors)
        of.at[along] = 0;
    sq_point_values v = values_at(t, &of);
    const sq_code_expr *first = sq_tile_splat(t, sq_point_value(&v, e));
    if (step)
        first = sq_tile_binary(t, SQ_OP_ADD, e->type, first, ramp(t, e->type, step));
    if (has_vectors) {
        const sq_code_expr *by = sq_code_number(t->pool, step * p->at[along]);
        by = sq_tile_splat(t, sq_code_operation(t->pool, SQ_OP_CAST, e->type, &by));
        first = sq_tile_binary(t, SQ_OP_ADD, e->type, sq_tile_named(t, "at", first), by);
    }
    return sq_tile_named(t, "at", first);
}

/* True if the value is the same in all lanes of the vector. */
static bool is_uniform(const sq_tile *t, const sq_expr *e)
{
    if (e->op == SQ_OP_REDUCED ||
        (e->op == SQ_OP_READ &&
         sq_ref_depends(t->nest->ref[sq_tile_ref(t, e->access)], t->group->micro.vector)))
        return false;
    for (int i = 0; i < e->nargs; i++)
        if (!is_uniform(t, e->arg[i]))
            return false;
    return true;
}

/* ---- indirect accesses ---- */

/* Returns the offset that indirect subscripts add to the access's address at a point: the same for
 * all lanes. */
static const sq_code_expr *distance(sq_tile *t, const sq_expr *read, const sq_point *p)
{
    const sq_code_expr *sum = sq_code_number(t->pool, 0);
    int lanes = t->lanes;
    bool placing = t->placing;
    t->lanes = 1;
    t->placing = true;
    for (int d = 0; d < read->access->array->ndim; d++) {
        const sq_expr *e = sq_expr_subscript(read, d);
        const sq_code_expr *at = e ? sq_code_position(t->pool, sq_tile_eval(t, e, p)) : NULL;
        if (at)
            sum = sq_code_add(
                t->pool, sum,
                sq_code_mul(t->pool, at, sq_stride_code(read->access->array, d, t->pool)));
    }
    t->lanes = lanes;
    t->placing = placing;
    return sum;
}

/* True if that offset is the same for all lanes. */
static bool is_shared(const sq_tile *t, const sq_expr *read)
{
    for (int i = 0; i < read->nargs; i++)
        if (t->group->micro.vector >= 0 && sq_expr_moves(read->arg[i], t->group->micro.vector))
            return false;
    return true;
}

/* Loads lane by lane; missing lanes are 0. */
static const sq_code_expr *gathered(sq_tile *t, const sq_expr *read, int ref, const sq_point *p)
{
    const sq_code_expr **of = SQ_NEW_ARRAY(t->arena, const sq_code_expr *, t->lanes);
    const sq_code_expr *left = sq_tile_left(t, p);
    const sq_code_buffer *b = sq_tile_pointer(t, ref);
    sq_point lane = *p;
    bool named = !t->nameless;
    t->nameless = true;
    for (int l = 0; l < t->lanes; l++) {
        lane.at[t->group->micro.vector] = p->at[t->group->micro.vector] + l;
        const sq_code_expr *at =
            sq_code_add(t->pool, sq_tile_offset(t, ref, &lane), distance(t, read, &lane));
        of[l] = sq_code_load(t->pool, b, &at);
        if (left)
            of[l] = sq_code_choose(
                t->pool, sq_code_compare(t->pool, SQ_CODE_GT, left, sq_code_number(t->pool, l)),
                of[l], sq_code_constant(t->pool, sq_type_held(b->type), (sq_number){0}));
    }
    t->nameless = !named;
    return sq_code_vector(t->pool, t->lanes, of);
}

/* True if an index along the vector is part of the value: for a missing lane it is larger than for
 * all others. */
static bool counts_lanes(const sq_tile *t, const sq_expr *e)
{
    int v = t->group->micro.vector;
    bool counts =
        e->index && isl_aff_involves_dims(e->index, isl_dim_in, (unsigned)v, 1) != isl_bool_false;
    for (int i = 0; i < e->nargs; i++)
        counts |= counts_lanes(t, e->arg[i]);
    return counts;
}

/* True if a missing lane, whose elements are 0, may have a place that is none. */
static bool lacks_zero(const sq_expr *e)
{
    bool lacks = e->op == SQ_OP_READ && sq_array_described(e->access->array)->lacks_zero;
    for (int i = 0; i < e->nargs; i++)
        lacks |= lacks_zero(e->arg[i]);
    return lacks;
}

/* Gathers all lanes by the vector of their subscripts, which a missing lane has as well, from elements that are 0.
 * NULL: there is no such vector, or the instruction is no better than loading lane by lane. */
static const sq_code_expr *indexed(sq_tile *t, const sq_expr *read, int ref, const sq_point *p)
{
    static const sq_type wide[] = {[4] = SQ_I32, [8] = SQ_I64};
    const sq_expr *place = sq_expr_place(read);
    const sq_code_expr *step = sq_tile_lane_step(t, t->nest->ref[ref], p);
    int bytes = sq_type_bytes(read->type);
    if (!place || !step || !sq_code_is(step, 0) || !t->target->isa->indexed || bytes < 4 ||
        (sq_tile_left(t, p) && (counts_lanes(t, place) || lacks_zero(place))))
        return NULL;
    bool placing = t->placing;
    t->placing = true;
    const sq_code_expr *places = sq_tile_eval(t, place, p);
    t->placing = placing;
    if (place->type != wide[bytes])
        places = sq_tile_named(t, "t", sq_tile_converted(t, places, wide[bytes]));
    return sq_code_indexed(t->pool, sq_tile_pointer(t, ref), sq_tile_offset(t, ref, p), places,
                           sq_expr_is_lookup(read) ? SQ_TABLE : 0);
}

static const sq_code_expr *load_indirect(sq_tile *t, const sq_expr *read, const sq_point *p)
{
    int ref = sq_tile_ref(t, read->access);
    const sq_code_buffer *b = sq_tile_pointer(t, ref);
    const sq_code_expr *step = sq_tile_lane_step(t, t->nest->ref[ref], p);
    if (t->lanes > 1 && !is_shared(t, read)) {
        const sq_code_expr *all = indexed(t, read, ref, p);
        return all ? all : gathered(t, read, ref, p);
    }
    const sq_code_expr *at = sq_code_add(t->pool, sq_tile_offset(t, ref, p), distance(t, read, p));
    if (t->lanes == 1 || sq_code_is(step, 0))
        return sq_tile_splat(t, sq_code_load(t->pool, b, &at));
    const sq_code_lanes lanes = {.first = at, .step = step, .left = sq_tile_left(t, p)};
    return sq_code_load_lanes(t->pool, b, t->lanes, &lanes);
}

static const sq_code_expr *read_value(sq_tile *t, const sq_expr *e, const sq_point *p)
{
    const sq_code_expr *x = e->access->indirect ? load_indirect(t, e, p)
                                                : sq_tile_load(t, sq_tile_ref(t, e->access), p);
    return sq_tile_named(t, e->access->array->name, x);
}

/* `fp fast` replaces division by a value common to many elements by multiplication with its
 * reciprocal. */
static bool divides_once(const sq_tile *t, const sq_expr *e)
{
    return e->op == SQ_OP_DIV && sq_type_real(e->type) && t->nest->kernel->fp == SQ_FP_FAST &&
           t->lanes > 1 && is_uniform(t, e->arg[1]);
}

static const sq_code_expr *reciprocal(sq_tile *t, sq_type type, const sq_code_expr *x)
{
    const sq_code_expr *one = sq_tile_named(t, "k", sq_tile_constant(t, type, (sq_number){1, 1}));
    return sq_tile_named(t, "inverse", sq_tile_binary(t, SQ_OP_DIV, type, one, x));
}

/* Conversions between floating types and small integers go through int32_t: compilers convert lanes
 * one by one if there is no direct instruction. */
const sq_code_expr *sq_tile_converted(const sq_tile *t, const sq_code_expr *x, sq_type to)
{
    sq_type from = sq_type_held(x->type);
    bool small = sq_type_bytes(sq_type_real(from) ? to : from) < 4;
    if (from == to)
        return x;
    if (sq_type_real(from) != sq_type_real(to) && small)
        x = sq_code_operation(t->pool, SQ_OP_CAST, SQ_I32, &x);
    return sq_code_operation(t->pool, SQ_OP_CAST, to, &x);
}

/* Returns one value for load and cast, so that only the result takes a register. */
const sq_code_expr *sq_tile_read_as(sq_tile *t, const sq_expr *read, sq_type type,
                                    const sq_point *p)
{
    int ref = sq_tile_ref(t, read->access);
    const sq_ref *r = t->nest->ref[ref];
    const sq_code_expr *step = sq_tile_lane_step(t, r, p), *x;
    bool same = t->lanes > 1 && step && sq_code_is(step, 0);
    if (same && sq_type_held(sq_tile_memory(r)) != type) {
        const sq_code_expr *at = sq_tile_offset(t, ref, p);
        x = sq_code_load(t->pool, sq_tile_pointer(t, ref), &at);
        x = sq_tile_splat(t, unary(t, SQ_OP_CAST, type, x));
    } else {
        x = sq_tile_converted(t, sq_tile_load(t, ref, p), type);
    }
    return sq_tile_named(t, read->access->array->name, x);
}

/* Casts before broadcasting, as there may be too few lanes for the scalar's own type. */
static const sq_code_expr *cast_scalar(sq_tile *t, const sq_scalar *s, sq_type to)
{
    const sq_code_expr *one = unary(t, SQ_OP_CAST, to, sq_code_scalar(t->pool, s->type, s->name));
    return sq_tile_named(t, s->name, sq_tile_splat(t, one));
}

static const sq_code_expr *cast_value(sq_tile *t, const sq_expr *e, const sq_point *p)
{
    const sq_expr *from = e->arg[0];
    sq_type a = sq_type_held(from->type), b = sq_type_held(e->type);
    if (a != b && sq_expr_is_element(from) && !sq_type_stored(from->type) &&
        !sq_type_stored(e->type) && !sq_group_writes(t->group, from->access->array))
        return sq_tile_read_as(t, from, b, p);
    bool once = a != b && from->op == SQ_OP_SCALAR && !sq_type_stored(from->type);
    const sq_code_expr *x = once ? cast_scalar(t, from->scalar, b) : sq_tile_eval(t, from, p);
    if (a != b && !once)
        x = sq_tile_named(t, "t", sq_tile_converted(t, x, b));
    if (!sq_type_stored(e->type) || from->type == e->type)
        return x;
    return sq_tile_named(t, "t", unary(t, SQ_OP_CAST, e->type, x));
}

/* True if 32 bits with a sign hold the value. */
static bool is_half(const sq_expr *e)
{
    sq_type from = e->op == SQ_OP_CAST ? e->arg[0]->type : e->type;
    return !sq_type_real(from) && (sq_type_bytes(from) < 4 || from == SQ_I32);
}

/* True if it is a product of int64_t whose factors are half as wide, for which there is an instruction. */
static bool is_low(const sq_tile *t, const sq_expr *e)
{
    return t->target->isa->fma_low && e->op == SQ_OP_MUL && e->type == SQ_I64 && t->lanes > 1 &&
           is_half(e->arg[0]) && is_half(e->arg[1]);
}

const sq_code_expr *sq_tile_fma(sq_tile *t, const sq_expr *mul, bool minus, const sq_code_expr *c,
                                const sq_point *p)
{
    const sq_code_expr *a = sq_tile_eval(t, mul->arg[0], p), *b = sq_tile_eval(t, mul->arg[1], p);
    if (!minus && is_low(t, mul))
        return sq_code_fma_low(t->pool, a, b, c);
    if (minus)
        a = unary(t, SQ_OP_NEG, mul->type, a);
    return sq_code_fma(t->pool, mul->type, a, b, c);
}

const sq_code_expr *sq_tile_dot(sq_tile *t, const sq_expr *dot, const sq_code_expr *c, const sq_point *p)
{
    const sq_code_expr *a = sq_tile_eval(t, dot->arg[0], p), *b = sq_tile_eval(t, dot->arg[1], p);
    return sq_code_dot(t->pool, dot->op, a, b, c);
}

static bool fuses(const sq_tile *t, const sq_expr *e)
{
    return e->op == SQ_OP_MUL && t->nest->kernel->fp != SQ_FP_STRICT;
}

/* A sum with a product becomes one multiply-add, unless the contract is strict; as an explicit
 * operation it does not depend on the compiler's flags. */
static const sq_code_expr *sum_value(sq_tile *t, const sq_expr *e, const sq_point *p)
{
    bool minus = e->op == SQ_OP_SUB;
    if (fuses(t, e->arg[1])) {
        const sq_code_expr *c = sq_tile_eval(t, e->arg[0], p);
        return sq_tile_named(t, "t", sq_tile_fma(t, e->arg[1], minus, c, p));
    }
    if (fuses(t, e->arg[0]) && !minus) {
        const sq_code_expr *c = sq_tile_eval(t, e->arg[1], p);
        return sq_tile_named(t, "t", sq_tile_fma(t, e->arg[0], false, c, p));
    }
    const sq_code_expr *a = sq_tile_eval(t, e->arg[0], p), *b = sq_tile_eval(t, e->arg[1], p);
    return sq_tile_named(t, "t", sq_tile_binary(t, e->op, e->type, a, b));
}

static const sq_code_expr *call_value(sq_tile *t, const sq_expr *e, const sq_point *p)
{
    const sq_code_expr *arg[2] = {0};
    if (e->op != SQ_OP_MIN && e->op != SQ_OP_MAX && !sq_math_is_function(e->op))
        sq_bug("tile", "operator %s has no vector form", sq_op_get(e->op)->name);
    for (int i = 0; i < e->nargs; i++)
        arg[i] = sq_tile_eval(t, e->arg[i], p);
    return sq_tile_named(t, "t", sq_code_operation(t->pool, e->op, e->type, arg));
}

/* Operations that only integers have. The count of a shift has the type that is shifted. */
static const sq_code_expr *integer_value(sq_tile *t, const sq_expr *e, const sq_point *p)
{
    const sq_code_expr *arg[2] = {sq_tile_eval(t, e->arg[0], p)};
    if (e->nargs > 1)
        arg[1] = sq_tile_eval(t, e->arg[1], p);
    if (e->nargs > 1 && arg[1]->type != e->type)
        arg[1] = sq_tile_named(t, "t", sq_tile_converted(t, arg[1], e->type));
    return sq_tile_named(t, "t", sq_code_operation(t->pool, e->op, e->type, arg));
}

/* Returns the factor of what the output held: later partial sums are added to that as it is. */
static const sq_code_expr *first_factor(const sq_tile *t, const sq_expr *e)
{
    const sq_code_expr *one = sq_code_constant(t->pool, sq_type_held(e->type), (sq_number){1, 1});
    const sq_code_expr *value =
        e->op == SQ_OP_SCALAR ? sq_code_scalar(t->pool, e->type, e->scalar->name)
                              : sq_code_constant(t->pool, sq_type_held(e->type), (sq_number){e->real, e->integer});
    return sq_code_choose(t->pool, sq_tile_flag(t, "@first", true), value, one);
}

const sq_code_expr *sq_tile_eval(sq_tile *t, const sq_expr *e, const sq_point *p)
{
    const sq_code_expr *a, *b;
    if (e == t->factor)
        return sq_tile_named(t, "factor", sq_tile_splat(t, first_factor(t, e)));
    if (e->op != SQ_OP_CONST && sq_expr_of_sizes(e))
        return size_value(t, e);
    switch (e->op) {
    case SQ_OP_CONST:
        return constant(t, e);
    case SQ_OP_SCALAR:
        return sq_tile_named(t, e->scalar->name,
                             sq_tile_splat(t, sq_code_scalar(t->pool, e->type, e->scalar->name)));
    case SQ_OP_READ:
        return read_value(t, e, p);
    case SQ_OP_INDEX:
        return index_value(t, e, p);
    case SQ_OP_REDUCED:
        return t->reduced;
    case SQ_OP_CAST:
        return cast_value(t, e, p);
    case SQ_OP_SELECT:
        return sq_tile_select(t, e, p);
    case SQ_OP_LT:
    case SQ_OP_LE:
    case SQ_OP_EQ:
    case SQ_OP_NE:
    case SQ_OP_NOT:
    case SQ_OP_AND:
    case SQ_OP_OR:
        return sq_tile_truth(t, e, p);
    case SQ_OP_NEG:
        return sq_tile_named(t, "t", unary(t, SQ_OP_NEG, e->type, sq_tile_eval(t, e->arg[0], p)));
    case SQ_OP_ADD:
    case SQ_OP_SUB:
        return sum_value(t, e, p);
    case SQ_OP_MUL:
    case SQ_OP_DIV:
        a = sq_tile_eval(t, e->arg[0], p);
        b = sq_tile_eval(t, e->arg[1], p);
        if (is_low(t, e))
            return sq_tile_named(
                t, "t", sq_code_fma_low(t->pool, a, b, sq_tile_constant(t, SQ_I64, (sq_number){0, 0})));
        if (divides_once(t, e))
            return sq_tile_named(
                t, "t", sq_tile_binary(t, SQ_OP_MUL, e->type, a, reciprocal(t, e->type, b)));
        return sq_tile_named(t, "t", sq_tile_binary(t, e->op, e->type, a, b));
    case SQ_OP_MOD:
    case SQ_OP_BIT_AND:
    case SQ_OP_BIT_OR:
    case SQ_OP_BIT_XOR:
    case SQ_OP_BIT_NOT:
    case SQ_OP_AVERAGE:
    case SQ_OP_SHL:
    case SQ_OP_SHR:
        return integer_value(t, e, p);
    case SQ_OP_WORD:
        a = sq_tile_word(t, e->arg[0], p);
        return a ? a : sq_tile_eval(t, e->arg[0], p);
    case SQ_OP_DOT4:
    case SQ_OP_DOT2:
        a = sq_tile_named(t, "k", sq_tile_constant(t, SQ_I32, (sq_number){0, 0}));
        return sq_tile_named(t, "t", sq_tile_dot(t, e, a, p));
    default:
        return call_value(t, e, p);
    }
}
