/* Tile values: loads, and expressions as named values. Every distinct address is loaded once as
 * long as its register lasts: a value is known by the text that computes it (values.h), so sharing
 * between rows, taps and fused statements needs no analysis. */
#include "codegen/math.h"
#include "codegen/convert.h"
#include "codegen/decided.h"
#include "codegen/every.h"
#include "codegen/print.h"
#include "codegen/scalar.h"
#include "codegen/strict.h"
#include "codegen/tile_inside.h"
#include <ctype.h>
#include <string.h>

/* ---- types ---- */

sq_type sq_tile_held(sq_type t)
{
    return sq_type_stored(t) ? SQ_F32 : t;
}

static sq_vector *shape(const sq_tile *t, sq_type type)
{
    return t->shapes->get(t->shapes->of, type, t->lanes);
}

const char *sq_tile_type(const sq_tile *t, sq_type type)
{
    return sq_vector_name(shape(t, sq_tile_held(type)), t->arena);
}

const char *sq_tile_op(const sq_tile *t, sq_type type, sq_vop op)
{
    return sq_vector_op(shape(t, type), op, t->arena);
}

/* The integer type without sign that is as wide. */
static sq_type without_sign(sq_type t)
{
    static const sq_type of_bytes[] = {[1] = SQ_U8, [2] = SQ_U16, [4] = SQ_U32, [8] = SQ_U64};
    return of_bytes[sq_type_bytes(t)];
}

const char *sq_tile_infix(sq_tile *t, sq_type type, const char *a, char infix, const char *b)
{
    const char *call = t->lanes == 1 ? sq_rounded_call(t->nest->rounded, type, infix) : NULL;
    if (t->lanes > 1 && !t->target->language->extension)
        sq_vector_infix(shape(t, type), infix);
    if (call)
        return sq_arena_printf(t->arena, "%s(%s, %s)", call, a, b);
    if (sq_type_real(type) || sq_type_unsigned(type) || infix == '/')
        return sq_arena_printf(t->arena, "%s %c %s", a, infix, b);
    const char *u = sq_tile_type(t, without_sign(type));
    return sq_arena_printf(t->arena, "(%s)((%s)%s %c (%s)%s)", sq_tile_type(t, type), u, a, infix,
                           u, b);
}

sq_type sq_tile_memory(const sq_ref *r)
{
    return r->buffer ? r->buffer->type : r->array->type;
}

/* ---- loads ---- */

/* Lanes that differ, as memory holds them. */
static const char *load_lanes(sq_tile *t, sq_type type, const char *at, const sq_code_expr *step,
                              const char *left)
{
    int64_t every = 0;
    bool known = sq_code_known(step, &every) && t->target->language->extension;
    if (known && every > 1 && every <= SQ_EVERY_MOST) {
        const char *f = sq_vector_every(shape(t, type), (int)every, left != NULL, t->arena);
        return left ? sq_arena_printf(t->arena, "%s(%s, %s)", f, at, left)
                    : sq_arena_printf(t->arena, "%s(%s)", f, at);
    }
    if (!sq_code_is(step, 1))
        return sq_arena_printf(t->arena, "%s(%s, %s, %s)", sq_tile_op(t, type, SQ_VOP_GATHER), at,
                               sq_code_text(step, t->arena),
                               left ? left : sq_arena_printf(t->arena, "%d", t->lanes));
    if (left)
        return sq_arena_printf(t->arena, "%s(%s, %s)", sq_tile_op(t, type, SQ_VOP_LOAD_N), at,
                               left);
    return sq_arena_printf(t->arena, "%s(%s)", sq_tile_op(t, type, SQ_VOP_LOAD), at);
}

/* Lanes at addresses of their own, in a copy whose split axes the vector does not walk evenly. Its
 * elements are values, and all lanes of a tile lie in it. */
static const char *load_uneven(sq_tile *t, int ref, const sq_point *p)
{
    sq_type type = sq_tile_memory(t->nest->ref[ref]);
    sq_text s = {0};
    sq_point lane = *p;
    if (sq_type_stored(type) || !t->target->language->extension)
        sq_bug("tile", "lanes of %s are uneven", t->nest->ref[ref]->array->name);
    sq_text_printf(&s, "(%s){", sq_tile_type(t, type));
    for (int l = 0; l < t->lanes; l++) {
        lane.at[t->group->micro.vector] = p->at[t->group->micro.vector] + l;
        sq_text_printf(&s, "%s*(%s)", l ? ", " : "", sq_tile_address(t, ref, &lane));
    }
    sq_text_puts(&s, "}");
    const char *text = sq_arena_strdup(t->arena, sq_text_str(&s));
    sq_text_free(&s);
    return text;
}

/* A single element or scalar: the value of its bits where they are bits. */
static const char *unpacked(const sq_tile *t, sq_type type, const char *text)
{
    return sq_type_stored(type)
               ? sq_arena_printf(t->arena, "sq_%s_get(%s)", sq_type_suffix(type), text)
               : text;
}

/* Does the vector start at a multiple of its lanes in a buffer whose rows do. */
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

const char *sq_tile_load(sq_tile *t, int ref, const sq_point *p)
{
    const sq_ref *r = t->nest->ref[ref];
    sq_type type = sq_tile_memory(r);
    const char *at = sq_tile_address(t, ref, p);
    const sq_code_expr *step = sq_tile_lane_step(t, r, p);
    const char *left = r->buffer ? NULL : sq_tile_left(t, p);
    bool aligned = !t->target->language->extension && r->buffer && is_aligned(t, r, p);
    if (!step)
        return load_uneven(t, ref, p);
    if (t->lanes == 1 || sq_code_is(step, 0))
        return sq_tile_splat(t, sq_tile_held(type),
                             unpacked(t, type, sq_arena_printf(t->arena, "*(%s)", at)));
    const char *lanes =
        aligned && sq_code_is(step, 1)
            ? sq_arena_printf(t->arena, "%s(%s)", sq_tile_op(t, type, SQ_VOP_ALIGNED), at)
            : load_lanes(t, type, at, step, left);
    if (!sq_type_stored(type))
        return lanes;
    sq_tile_type(t, SQ_F32);
    return sq_arena_printf(t->arena, "%s(%s)", sq_tile_op(t, type, SQ_VOP_GET), lanes);
}

/* ---- expressions ---- */

/* Stems that could meet another of our names when a number follows get a letter between. */
static const char *safe_stem(const sq_tile *t, const char *stem)
{
    bool plain = true;
    for (const char *c = stem; *c; c++)
        plain &= isalpha((unsigned char)*c) != 0;
    return sq_arena_printf(t->arena, "@%s%s", stem, plain ? "" : "v");
}

const char *sq_tile_named(sq_tile *t, sq_type type, const char *stem, const char *text)
{
    bool fresh;
    stem = safe_stem(t, stem);
    const char *name = sq_values_use(t->values, stem, text, t->counting, &fresh);
    if (fresh && !t->counting)
        sq_text_line(t->to, "const %s %s = %s;", sq_tile_type(t, type), name, text);
    return name;
}

int sq_tile_ref(const sq_tile *t, const sq_access *a)
{
    for (int i = 0; i < t->nest->nrefs; i++)
        if (t->nest->ref[i]->access == a)
            return i;
    sq_bug("tile", "an access of '%s' has no reference", a->array->name);
}

const char *sq_tile_splat(sq_tile *t, sq_type type, const char *scalar)
{
    return t->lanes == 1
               ? scalar
               : sq_arena_printf(t->arena, "%s(%s)", sq_tile_op(t, type, SQ_VOP_ALL), scalar);
}

static const char *constant(sq_tile *t, const sq_expr *e)
{
    sq_text s = {0};
    sq_type type = sq_tile_held(e->type);
    sq_scalar_value((sq_number){e->real, e->integer}, type, &s);
    const char *text = sq_tile_splat(t, type, sq_text_str(&s));
    text = sq_arena_strdup(t->arena, text);
    sq_text_free(&s);
    return sq_tile_named(t, type, "k", text);
}

static void put_sizes(const sq_expr *e, sq_text *to, void *user)
{
    static const char *const none[SQ_MAX_DIMS];
    (void)user;
    sq_text_printf(to, "(%s)(", sq_type_ctype(e->type));
    sq_scalar_aff(e->index, none, "sq_", to);
    sq_text_puts(to, ")");
}

/* What depends on sizes alone is computed once and put into all lanes. */
static const char *size_value(sq_tile *t, const sq_expr *e)
{
    sq_text s = {0};
    sq_scalar_style style = {.prefix = "sq_", .leaf = put_sizes, .rounded = t->nest->rounded};
    sq_scalar_expr(e, &style, &s);
    const char *text = sq_arena_strdup(t->arena, sq_tile_splat(t, e->type, sq_text_str(&s)));
    sq_text_free(&s);
    return sq_tile_named(t, e->type, "k", text);
}

/* A value of indices, of tiles without lanes: see sq_tile_possible. */
static const char *index_value(sq_tile *t, const sq_expr *e, const sq_point *p)
{
    const sq_code_expr *origin[SQ_MAX_DIMS] = {0};
    const char *at[SQ_MAX_DIMS] = {0};
    sq_text s = {0};
    sq_nest_origin(t->nest, origin);
    for (int d = 0; d < t->group->ndim; d++)
        at[d] = sq_code_factor(sq_code_plus(t->nest->code, origin[d], p->at[d]), t->arena);
    sq_text_printf(&s, "(%s)(", sq_type_ctype(e->type));
    sq_scalar_aff(e->index, at, "sq_", &s);
    sq_text_puts(&s, ")");
    const char *text = sq_arena_strdup(t->arena, sq_text_str(&s));
    sq_text_free(&s);
    return sq_tile_named(t, e->type, "at", text);
}

const char *sq_tile_eval(sq_tile *t, const sq_expr *e, const sq_point *p);

static const char *read_value(sq_tile *t, const sq_expr *e, const sq_point *p)
{
    int ref = sq_tile_ref(t, e->access);
    return sq_tile_named(t, e->type, e->access->array->name, sq_tile_load(t, ref, p));
}

/* Is the value the same along the vector. */
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

/* `fp fast` divides once by what many elements are divided by. */
static bool divides_once(const sq_tile *t, const sq_expr *e)
{
    return e->op == SQ_OP_DIV && sq_type_real(e->type) && t->nest->kernel->fp == SQ_FP_FAST &&
           t->lanes > 1 && is_uniform(t, e->arg[1]);
}

static const char *reciprocal(sq_tile *t, sq_type type, const char *x)
{
    const char *one = sq_tile_named(t, type, "k", sq_tile_splat(t, type, "1"));
    return sq_tile_named(t, type, "inverse", sq_tile_infix(t, type, one, '/', x));
}

static const char *call1(sq_tile *t, sq_type type, sq_vop o, const char *a)
{
    return sq_tile_named(t, type, "t",
                         sq_arena_printf(t->arena, "%s(%s)", sq_tile_op(t, type, o), a));
}

/* One conversion that machines have. */
static const char *convert(const sq_tile *t, const char *a, sq_type from, sq_type to)
{
    const char *type = sq_tile_type(t, to);
    if (t->lanes == 1)
        return sq_arena_printf(t->arena, "(%s)%s", type, a);
    if (sq_type_real(from) || sq_type_real(to) || sq_type_bytes(from) == sq_type_bytes(to))
        return sq_arena_printf(t->arena, "__builtin_convertvector(%s, %s)", a, type);
    return sq_vector_convert(shape(t, from), to, a, t->arena);
}

/* Between floating types and small integers there is int32_t: compilers take lanes apart where a
 * machine cannot convert at once. */
const char *sq_tile_converted(const sq_tile *t, const char *x, sq_type from, sq_type to)
{
    bool small = sq_type_bytes(sq_type_real(from) ? to : from) < 4;
    if (from == to)
        return x;
    if (sq_type_real(from) == sq_type_real(to) || !small)
        return convert(t, x, from, to);
    return convert(t, convert(t, x, from, SQ_I32), SQ_I32, to);
}

static bool written_here(const sq_tile *t, const sq_array *a)
{
    for (int i = 0; i < t->group->nstmts; i++)
        if (t->group->stmt[i]->write->array == a)
            return true;
    return false;
}

/* One value, so that only what is computed with takes a register. */
const char *sq_tile_read_as(sq_tile *t, const sq_expr *read, sq_type type, const sq_point *p)
{
    int ref = sq_tile_ref(t, read->access);
    const sq_ref *r = t->nest->ref[ref];
    sq_type memory = sq_tile_held(sq_tile_memory(r));
    const sq_code_expr *step = sq_tile_lane_step(t, r, p);
    bool same = t->lanes > 1 && step && sq_code_is(step, 0);
    const char *text;
    if (same && memory != type)
        text = sq_tile_splat(t, type,
                             sq_arena_printf(t->arena, "(%s)*(%s)", sq_type_ctype(type),
                                             sq_tile_address(t, ref, p)));
    else
        text = sq_tile_converted(t, sq_tile_load(t, ref, p), memory, type);
    return sq_tile_named(t, type, read->access->array->name, text);
}

/* Before it has lanes, which may be too few for its own type. */
static const char *cast_scalar(sq_tile *t, const sq_scalar *s, sq_type to)
{
    const char *one = sq_arena_printf(t->arena, "(%s)%s", sq_type_ctype(to), s->name);
    return sq_tile_named(t, to, s->name, sq_tile_splat(t, to, one));
}

static const char *cast_value(sq_tile *t, const sq_expr *e, const sq_point *p)
{
    const sq_expr *from = e->arg[0];
    sq_type a = sq_tile_held(from->type), b = sq_tile_held(e->type);
    if (a != b && from->op == SQ_OP_READ && !sq_type_stored(from->type) &&
        !sq_type_stored(e->type) && !written_here(t, from->access->array))
        return sq_tile_read_as(t, from, b, p);
    bool once = a != b && from->op == SQ_OP_SCALAR && !sq_type_stored(from->type);
    const char *x = once ? cast_scalar(t, from->scalar, b) : sq_tile_eval(t, from, p);
    if (a != b && !once)
        x = sq_tile_named(t, b, "t", sq_tile_converted(t, x, a, b));
    if (!sq_type_stored(e->type) || from->type == e->type)
        return x;
    return t->lanes == 1 ? sq_tile_named(t, b, "t",
                                         sq_arena_printf(t->arena, "sq_%s_round(%s)",
                                                         sq_type_suffix(e->type), x))
                         : call1(t, e->type, SQ_VOP_ROUND, x);
}

static const char *negated(sq_tile *t, sq_type type, const char *a)
{
    if (t->lanes > 1 && !t->target->language->extension)
        sq_vector_infix(shape(t, type), '~');
    if (sq_type_real(type))
        return sq_arena_printf(t->arena, "-%s", a);
    return sq_tile_infix(t, type, sq_tile_splat(t, type, "0"), '-', a);
}

const char *sq_tile_fma(sq_tile *t, const sq_expr *mul, const char *sign, const char *c,
                        const sq_point *p)
{
    const char *a = sq_tile_eval(t, mul->arg[0], p), *b = sq_tile_eval(t, mul->arg[1], p);
    if (*sign)
        a = negated(t, mul->type, a);
    return sq_arena_printf(t->arena, "%s(%s, %s, %s)", sq_tile_op(t, mul->type, SQ_VOP_FMA), a, b,
                           c);
}

static bool fuses(const sq_tile *t, const sq_expr *e)
{
    return e->op == SQ_OP_MUL && t->nest->kernel->fp != SQ_FP_STRICT;
}

/* Sums of a product become one multiply-add, unless the contract is strict; written out it does not
 * depend on the flags of the compiler. */
static const char *sum_value(sq_tile *t, const sq_expr *e, const sq_point *p)
{
    bool minus = e->op == SQ_OP_SUB;
    if (fuses(t, e->arg[1])) {
        const char *c = sq_tile_eval(t, e->arg[0], p);
        return sq_tile_named(t, e->type, "t", sq_tile_fma(t, e->arg[1], minus ? "-" : "", c, p));
    }
    if (fuses(t, e->arg[0]) && !minus) {
        const char *c = sq_tile_eval(t, e->arg[1], p);
        return sq_tile_named(t, e->type, "t", sq_tile_fma(t, e->arg[0], "", c, p));
    }
    const char *a = sq_tile_eval(t, e->arg[0], p), *b = sq_tile_eval(t, e->arg[1], p);
    return sq_tile_named(t, e->type, "t", sq_tile_infix(t, e->type, a, minus ? '-' : '+', b));
}

static const char *call_value(sq_tile *t, const sq_expr *e, const sq_point *p)
{
    const char *f;
    if (e->op == SQ_OP_MIN || e->op == SQ_OP_MAX)
        f = sq_tile_op(t, e->type, e->op == SQ_OP_MIN ? SQ_VOP_MIN : SQ_VOP_MAX);
    else if (sq_math_is_function(e->op))
        f = sq_math_name(shape(t, e->type), e->op, t->arena);
    else
        sq_bug("tile", "operator %s has no vector form", sq_op_get(e->op)->name);
    const char *a = sq_tile_eval(t, e->arg[0], p);
    if (e->nargs == 1)
        return sq_tile_named(t, e->type, "t", sq_arena_printf(t->arena, "%s(%s)", f, a));
    const char *b = sq_tile_eval(t, e->arg[1], p);
    return sq_tile_named(t, e->type, "t", sq_arena_printf(t->arena, "%s(%s, %s)", f, a, b));
}

/* The integers that a comparison of vectors of this type gives: all bits set, or none. */
static sq_type mask_of(sq_type type)
{
    static const sq_type of_bytes[] = {[1] = SQ_I8, [2] = SQ_I16, [4] = SQ_I32, [8] = SQ_I64};
    return of_bytes[sq_type_bytes(type)];
}

/* Of portable text it is unknown which lanes the processor compares: see SQ_MASK in emit.c. */
static bool hides_mask(const sq_tile *t, sq_type mask)
{
    return t->lanes > 1 && mask == SQ_I64 && t->target->language->extension &&
           !t->target->attribute[0];
}

static const char *condition_value(sq_tile *t, const sq_expr *e, sq_type mask, const sq_point *p)
{
    bool joined = e->op == SQ_OP_AND || e->op == SQ_OP_OR;
    int decided = sq_expr_decided(e);
    if (decided >= 0) /* compilers warn of an operand that is compared with itself */
        return sq_tile_named(t, mask, "m",
                             sq_tile_splat(t, mask,
                                           !decided        ? "0"
                                           : t->lanes == 1 ? "1"
                                                           : "-1"));
    if (e->op == SQ_OP_NOT)
        return sq_tile_named(t, mask, "m",
                             sq_arena_printf(t->arena, "%s%s", t->lanes == 1 ? "!" : "~",
                                             condition_value(t, e->arg[0], mask, p)));
    const char *a = joined ? condition_value(t, e->arg[0], mask, p) : sq_tile_eval(t, e->arg[0], p);
    const char *b = joined ? condition_value(t, e->arg[1], mask, p) : sq_tile_eval(t, e->arg[1], p);
    const char *infix = e->op == SQ_OP_AND  ? "&"
                        : e->op == SQ_OP_OR ? "|"
                                            : sq_op_get(e->op)->infix;
    const char *form = !joined && hides_mask(t, mask) ? "SQ_MASK(%s %s %s)" : "%s %s %s";
    return sq_tile_named(t, mask, "m", sq_arena_printf(t->arena, form, a, infix, b));
}

/* Both sides are computed, lanes taken from one or the other. */
static const char *select_value(sq_tile *t, const sq_expr *e, const sq_point *p)
{
    sq_type mask = mask_of(e->type);
    const char *m = condition_value(t, e->arg[0], mask, p), *i = sq_tile_type(t, mask);
    const char *a = sq_tile_eval(t, e->arg[1], p), *b = sq_tile_eval(t, e->arg[2], p);
    const char *text = t->lanes == 1
                           ? sq_arena_printf(t->arena, "%s ? %s : %s", m, a, b)
                           : sq_arena_printf(t->arena, "(%s)(((%s)%s & %s) | ((%s)%s & ~%s))",
                                             sq_tile_type(t, e->type), i, a, m, i, b, m);
    return sq_tile_named(t, e->type, "t", text);
}

/* What integers alone have. A shift's count is of the type that is shifted. */
static const char *integer_value(sq_tile *t, const sq_expr *e, const sq_point *p)
{
    const char *a = sq_tile_eval(t, e->arg[0], p), *text;
    if (e->op == SQ_OP_BIT_NOT) {
        text = sq_arena_printf(t->arena, "~%s", a);
    } else {
        sq_type by = e->arg[1]->type;
        const char *b = sq_tile_eval(t, e->arg[1], p), *infix = sq_op_get(e->op)->infix;
        if (by != e->type)
            b = sq_tile_named(t, e->type, "t", sq_tile_converted(t, b, by, e->type));
        if (e->op == SQ_OP_SHL && !sq_type_unsigned(e->type)) {
            const char *u = sq_tile_type(t, without_sign(e->type));
            text = sq_arena_printf(t->arena, "(%s)((%s)%s << (%s)%s)", sq_tile_type(t, e->type), u,
                                   a, u, b);
        } else {
            text = sq_arena_printf(t->arena, "%s %s %s", a, infix, b);
        }
    }
    return sq_tile_named(t, e->type, "t", text);
}

const char *sq_tile_eval(sq_tile *t, const sq_expr *e, const sq_point *p)
{
    const char *a, *b;
    if (e->op != SQ_OP_CONST && sq_expr_of_sizes(e))
        return size_value(t, e);
    switch (e->op) {
    case SQ_OP_CONST:
        return constant(t, e);
    case SQ_OP_SCALAR:
        return sq_tile_named(
            t, e->type, e->scalar->name,
            sq_tile_splat(t, sq_tile_held(e->type), unpacked(t, e->type, e->scalar->name)));
    case SQ_OP_READ:
        return read_value(t, e, p);
    case SQ_OP_INDEX:
        return index_value(t, e, p);
    case SQ_OP_REDUCED:
        return t->reduced;
    case SQ_OP_CAST:
        return cast_value(t, e, p);
    case SQ_OP_SELECT:
        return select_value(t, e, p);
    case SQ_OP_NEG:
        return sq_tile_named(t, e->type, "t", negated(t, e->type, sq_tile_eval(t, e->arg[0], p)));
    case SQ_OP_ADD:
    case SQ_OP_SUB:
        return sum_value(t, e, p);
    case SQ_OP_MUL:
    case SQ_OP_DIV:
        a = sq_tile_eval(t, e->arg[0], p);
        b = sq_tile_eval(t, e->arg[1], p);
        if (divides_once(t, e))
            return sq_tile_named(t, e->type, "t",
                                 sq_tile_infix(t, e->type, a, '*', reciprocal(t, e->type, b)));
        return sq_tile_named(t, e->type, "t",
                             sq_tile_infix(t, e->type, a, *sq_op_get(e->op)->infix, b));
    case SQ_OP_MOD:
    case SQ_OP_BIT_AND:
    case SQ_OP_BIT_OR:
    case SQ_OP_BIT_XOR:
    case SQ_OP_BIT_NOT:
    case SQ_OP_SHL:
    case SQ_OP_SHR:
        return integer_value(t, e, p);
    default:
        return call_value(t, e, p);
    }
}
