/* C vector: text of values of several lanes, and of multiply-adds. Operators are those of the
 * compilers' vector extension, the rest are the small functions of codegen/isa/vector.h, which are marked
 * as used. */
#include "codegen/isa/convert.h"
#include "codegen/isa/isa.h"
#include "codegen/isa/math.h"
#include "codegen/isa/rows.h"
#include "codegen/print/c_inside.h"
#include <math.h>

typedef sq_c_printer printer;

static sq_vector *shape(const printer *p, sq_type type, int lanes)
{
    return p->shape(p->shapes, type, lanes);
}

/* The function of a row; f16 and bf16 are f32 in registers, which is what most rows work on. */
static const char *op(const printer *p, sq_type type, int lanes, sq_vop o)
{
    if (sq_vector_rows[o].types == SQ_ROW_HELD)
        type = sq_type_held(type);
    return sq_vector_op(shape(p, type, lanes), o, p->pool->arena);
}

/* True if masks are bits of an integer, not vectors. */
static bool has_mask_registers(const printer *p)
{
    return p->target->isa->mask_registers;
}

const char *sq_c_type(const printer *p, sq_type type, int lanes)
{
    return lanes > 1 ? sq_vector_name(shape(p, sq_type_held(type), lanes), p->pool->arena)
                     : sq_type_ctype(sq_type_held(type));
}

const char *sq_c_register_type(const printer *p, const sq_code_buffer *b)
{
    if (b->is_bits)
        return sq_vector_name(shape(p, b->type, b->lanes), p->pool->arena);
    return b->is_mask && has_mask_registers(p) ? sq_vector_mask_bits(b->lanes)
                                                        : sq_c_type(p, b->type, b->lanes);
}

const char *sq_c_element_type(const sq_code_buffer *b)
{
    return b->is_anywhere ? "sq_word" : sq_type_ctype(b->type);
}

static bool extends(const printer *p)
{
    return p->target->language->extension;
}

static const char *text_of(const printer *p, const sq_code_expr *e)
{
    sq_text t = {0};
    sq_c_value(p, e, &t);
    return sq_text_take(&t, p->pool->arena);
}

static const char *text_alone(const printer *p, const sq_code_expr *e)
{
    sq_text t = {0};
    sq_c_assigned(p, e, &t);
    return sq_text_take(&t, p->pool->arena);
}

/* Terms are added to the pointer one by one, so that compilers find common parts of addresses. */
void sq_c_address(const printer *p, const sq_code_buffer *b, const sq_code_expr *at, sq_text *to)
{
    int64_t n;
    sq_c_name(p, b, to);
    if (!sq_code_known(at, &n)) {
        sq_text_puts(to, " + ");
        sq_c_index(p, at, SQ_LEVEL_ANY, to);
    } else if (n) {
        sq_text_printf(to, " %c %lld", n < 0 ? '-' : '+', n < 0 ? -(long long)n : (long long)n);
    }
}

/* Prints the address of the first lane: "A + i", for an array "&A[i]". */
static void put_place(const printer *p, const sq_code_buffer *b, const sq_code_expr *const *index,
                      sq_text *to)
{
    if (sq_code_is_pointer(b)) {
        sq_c_address(p, b, index[0], to);
        return;
    }
    sq_text_puts(to, "&");
    sq_c_element(p, b, index, to);
}

/* ---- loads ---- */

/* True if `left` is the number of lanes if a flag is set, and all lanes otherwise. */
static bool is_part(const sq_code_expr *left, int lanes)
{
    return left && left->op == SQ_CODE_SELECT && sq_code_is(left->arg[2], lanes);
}

/* Prints ", n" or ", n, flag" behind an address. */
static void put_left(const printer *p, const sq_code_expr *left, bool part, sq_text *to)
{
    sq_text_puts(to, ", ");
    sq_code_put(part ? left->arg[1] : left, SQ_LEVEL_ANY, &p->uses, to);
    if (!part)
        return;
    sq_text_puts(to, ", ");
    sq_code_put(left->arg[0], SQ_LEVEL_ANY, &p->uses, to);
}

/* Prints "channel2(address, k)" or "channel2_n(address, k, n)": the address is that of the first
 * channel. */
static void put_channel(const printer *p, const sq_code_expr *e, int step, sq_text *to)
{
    const sq_code_expr *k = sq_code_lane_channel(e), *left = sq_code_lanes_left(e);
    sq_text_printf(to, "%s(", op(p, e->type, e->lanes, sq_vop_channel(step, left != NULL)));
    put_place(p, e->buffer, sq_code_first_channel(p->pool, e)->arg, to);
    sq_text_puts(to, ", ");
    sq_code_put(k, SQ_LEVEL_ANY, &p->uses, to);
    if (left) {
        sq_text_puts(to, ", ");
        sq_code_put(left, SQ_LEVEL_ANY, &p->uses, to);
    }
    sq_text_puts(to, ")");
}

/* Prints "name(address, step, n)" for lanes in memory; step is not 1, or the number of lanes is
 * variable. */
void sq_c_lanes(const printer *p, const sq_code_expr *e, sq_text *to)
{
    const sq_code_expr *step = sq_code_lane_step(e), *left = sq_code_lanes_left(e);
    sq_vector *v = shape(p, e->type, e->lanes);
    int64_t distance = 0;
    bool known = sq_code_known(step, &distance) && extends(p), next = sq_code_is(step, 1);
    bool strided = known && distance > 1 && distance <= SQ_STRIDE_MOST,
         part = is_part(left, e->lanes);
    bool back = known && distance == -1;
    if (strided && part) {
        bool channel = e->number == SQ_LANES_CHANNEL;
        const sq_code_expr *k = channel ? sq_code_lane_channel(e) : NULL;
        const sq_code_expr *const of_some[] = {e->arg[0], step, left->arg[1], k},
                                  *const of_all[] = {e->arg[0], step, k};
        sq_code_expr some = *e, all = *e;
        some.arg = of_some;
        some.nargs = channel ? 4 : 3;
        all.arg = of_all;
        all.nargs = channel ? 3 : 2;
        sq_text_puts(to, "(");
        sq_code_put(left->arg[0], SQ_LEVEL_OR, &p->uses, to);
        sq_text_puts(to, " ? ");
        sq_c_lanes(p, &some, to);
        sq_text_puts(to, " : ");
        sq_c_lanes(p, &all, to);
        sq_text_puts(to, ")");
        return;
    }
    if (strided && e->number == SQ_LANES_CHANNEL) {
        put_channel(p, e, (int)distance, to);
        return;
    }
    sq_vop load = strided     ? sq_vop_strided((int)distance, left != NULL)
                  : back      ? (left ? SQ_VOP_LOAD_BACK_N : SQ_VOP_LOAD_BACK)
                  : !next     ? SQ_VOP_GATHER
                  : e->number == SQ_LANES_ALIGNED ? SQ_VOP_ALIGNED
                  : part      ? SQ_VOP_LOAD_PART
                  : left      ? SQ_VOP_LOAD_N
                              : SQ_VOP_LOAD;
    const char *f = sq_vector_op(v, load, p->pool->arena);
    sq_text_printf(to, "%s(", f);
    put_place(p, e->buffer, e->arg, to);
    if (!strided && !next && !back) {
        sq_text_puts(to, ", ");
        sq_code_put(step, SQ_LEVEL_ANY, &p->uses, to);
    }
    if (left && e->number != SQ_LANES_ALIGNED) {
        put_left(p, left, part && next, to);
    } else if (!strided && !next && !back) {
        sq_text_printf(to, ", %d", e->lanes);
    }
    sq_text_puts(to, ")");
}

static void put_load(const printer *p, const sq_code_expr *e, sq_text *to)
{
    bool stored = sq_type_stored(e->type);
    if (stored) {
        shape(p, SQ_F32, e->lanes);
        sq_text_printf(to, "%s(", op(p, e->type, e->lanes, SQ_VOP_GET));
    }
    sq_c_lanes(p, e, to);
    sq_text_puts(to, stored ? ")" : "");
}

/* Prints "load((const sq_word *)(A + i), n)"; for one lane "*(const sq_word *)(A + i)". */
static void put_words(const printer *p, const sq_code_expr *e, sq_text *to)
{
    const sq_code_expr *left = e->nargs > 1 ? e->arg[1] : NULL;
    bool part = is_part(left, e->lanes);
    sq_vop load = part ? SQ_VOP_LOAD_PART : left ? SQ_VOP_LOAD_N : SQ_VOP_LOAD;
    if (e->lanes > 1)
        sq_text_printf(to, "%s(", op(p, SQ_I32, e->lanes, load));
    sq_text_puts(to, e->lanes > 1 ? "(const sq_word *)(const void *)(" : "*(const sq_word *)(const void *)(");
    put_place(p, e->buffer, e->arg, to);
    sq_text_puts(to, ")");
    if (left)
        put_left(p, left, part, to);
    sq_text_puts(to, e->lanes > 1 ? ")" : "");
}

static void put_load_where(const printer *p, const sq_code_expr *e, sq_text *to)
{
    sq_text_printf(to, "%s(", op(p, e->type, e->lanes, SQ_VOP_LOAD_WHERE));
    put_place(p, e->buffer, e->arg, to);
    sq_text_printf(to, ", %s)", text_alone(p, e->arg[e->buffer->ndim]));
}

/* True if all bits are 0. */
static bool is_plus_zero(const sq_code_expr *e)
{
    return e->op == SQ_CODE_CONSTANT && e->real == 0 && !signbit(e->real) && e->number == 0;
}

/* True for a vector of zeros. */
static bool is_zero(const sq_code_expr *e)
{
    return e->op == SQ_CODE_BROADCAST && is_plus_zero(e->arg[0]);
}

static void put_broadcast(const printer *p, const sq_code_expr *e, sq_text *to)
{
    const sq_code_expr *x = e->arg[0];
    sq_type type = sq_type_held(e->type);
    if (e->is_mask && has_mask_registers(p)) {
        sq_text_printf(to, x->number ? "(%s)-1" : "(%s)0", sq_vector_mask_bits(e->lanes));
        return;
    }
    if (is_plus_zero(x) && extends(p)) {
        sq_text_printf(to, "(%s){0}", sq_c_type(p, type, e->lanes));
        return;
    }
    sq_text_printf(to, "%s(", op(p, type, e->lanes, SQ_VOP_ALL));
    sq_c_assigned(p, x, to);
    sq_text_puts(to, ")");
}

static void put_vector(const printer *p, const sq_code_expr *e, sq_text *to)
{
    sq_text_printf(to, "(%s){", sq_c_type(p, e->type, e->lanes));
    for (int l = 0; l < e->lanes; l++) {
        sq_text_puts(to, l ? ", " : "");
        sq_c_value(p, e->arg[l], to);
    }
    sq_text_puts(to, "}");
}

/* ---- operations ---- */

static void put_call(const printer *p, const char *f, const sq_code_expr *e, sq_text *to)
{
    sq_text_printf(to, "%s(", f);
    for (int i = 0; i < e->nargs; i++) {
        sq_text_puts(to, i ? ", " : "");
        sq_c_assigned(p, e->arg[i], to);
    }
    sq_text_puts(to, ")");
}

static void put_swizzle(const printer *p, const sq_code_expr *e, sq_text *to)
{
    if (e->number < SQ_SWIZZLE_FOURS) {
        put_call(p, op(p, e->type, e->lanes, sq_vop_swizzle(e->number)), e, to);
        return;
    }
    sq_text_printf(to, "%s(", op(p, e->type, e->lanes, SQ_VOP_FOURS));
    sq_c_assigned(p, e->arg[0], to);
    for (int k = 0; k < 4; k++)
        sq_text_printf(to, ", %d", sq_code_swizzled(e->number, k));
    sq_text_puts(to, ")");
}

/* Prints a + b and the like; signed integers wrap around. */
static void put_infix(const printer *p, const sq_code_expr *e, const char *a, const char *infix,
                      const char *b, sq_text *to)
{
    bool wraps = !sq_type_real(e->type) && !sq_type_unsigned(e->type) && *infix != '/';
    if (!extends(p))
        sq_vector_infix(shape(p, e->type, e->lanes), *infix);
    if (!wraps) {
        sq_text_printf(to, "%s %s %s", a, infix, b);
        return;
    }
    const char *u = sq_c_type(p, sq_type_integer(sq_type_bytes(e->type), true), e->lanes);
    sq_text_printf(to, "(%s)((%s)%s %s (%s)%s)", sq_c_type(p, e->type, e->lanes), u, a, infix, u,
                   b);
}

static void put_negation(const printer *p, const sq_code_expr *e, sq_text *to)
{
    const char *a = text_of(p, e->arg[0]);
    if (!extends(p))
        sq_vector_infix(shape(p, e->type, e->lanes), '~');
    if (sq_type_real(e->type))
        sq_text_printf(to, *a == '-' ? "- %s" : "-%s", a);
    else
        put_infix(p, e, sq_arena_printf(p->pool->arena, "(%s){0}", sq_c_type(p, e->type, e->lanes)),
                  "-", a, to);
}

/* True for conversions that compilers have no good code for, which have functions. */
static bool has_function(sq_type from, sq_type into)
{
    bool integers = !sq_type_real(from) && !sq_type_real(into);
    return (integers && sq_type_bytes(from) != sq_type_bytes(into)) ||
           (into == SQ_F64 && (from == SQ_F32 || from == SQ_I32));
}

/* Prints a conversion that instructions exist for. */
static void put_cast(const printer *p, const sq_code_expr *e, sq_text *to)
{
    const sq_code_expr *x = e->arg[0];
    sq_type from = sq_type_held(x->type), into = e->type;
    const char *a = text_of(p, x);
    if (from == into || (e->is_mask && has_mask_registers(p)))
        sq_text_puts(to, a); /* it is stored in another type, or has a bit for any width */
    else if (sq_type_stored(into))
        sq_text_printf(to, "%s(%s)", op(p, into, e->lanes, SQ_VOP_ROUND), a);
    else if (!has_function(from, into))
        sq_text_printf(to, "__builtin_convertvector(%s, %s)", a, sq_c_type(p, into, e->lanes));
    else {
        sq_c_type(p, into, e->lanes);
        sq_text_puts(to, sq_vector_convert(shape(p, from, e->lanes), into, a, p->pool->arena));
    }
}

/* For portable text it is not known how the CPU compares lanes: see SQ_MASK in file_helpers.c. */
static bool hides_mask(const printer *p, sq_type mask)
{
    return mask == SQ_I64 && extends(p) && !p->target->attribute[0];
}

static void put_comparison(const printer *p, const sq_code_expr *e, sq_text *to)
{
    bool hides = hides_mask(p, e->type);
    if (has_mask_registers(p)) {
        put_call(p, op(p, e->arg[0]->type, e->lanes, sq_vop_comparison(e->operation)), e, to);
        return;
    }
    const char *mask = hides ? sq_arena_printf(p->pool->arena, "%s(", sq_uses_helper(&p->uses, "SQ_MASK")) : "";
    sq_text_printf(to, "%s%s %s %s%s", mask, text_of(p, e->arg[0]),
                   sq_op_get(e->operation)->infix, text_of(p, e->arg[1]), hides ? ")" : "");
}

static void put_shift_left(const printer *p, const sq_code_expr *e, sq_text *to)
{
    const char *u = sq_c_type(p, sq_type_integer(sq_type_bytes(e->type), true), e->lanes);
    sq_text_printf(to, "(%s)((%s)%s << (%s)%s)", sq_c_type(p, e->type, e->lanes), u,
                   text_of(p, e->arg[0]), u, text_of(p, e->arg[1]));
}

static void put_operation(const printer *p, const sq_code_expr *e, sq_text *to)
{
    const char *infix = sq_op_get(e->operation)->infix;
    switch (e->operation) {
    case SQ_OP_CAST:
        put_cast(p, e, to);
        break;
    case SQ_OP_NEG:
        put_negation(p, e, to);
        break;
    case SQ_OP_MIN:
    case SQ_OP_MAX:
        put_call(p, op(p, e->type, e->lanes, e->operation == SQ_OP_MIN ? SQ_VOP_MIN : SQ_VOP_MAX),
                 e, to);
        break;
    case SQ_OP_AVERAGE:
        put_call(p, op(p, e->type, e->lanes, SQ_VOP_AVERAGE), e, to);
        break;
    case SQ_OP_LT:
    case SQ_OP_LE:
    case SQ_OP_EQ:
    case SQ_OP_NE:
        put_comparison(p, e, to);
        break;
    case SQ_OP_NOT:
        if (has_mask_registers(p))
            sq_text_printf(to, "(%s)", sq_vector_mask_bits(e->lanes));
        /* fall through */
    case SQ_OP_BIT_NOT:
        sq_text_printf(to, "~%s", text_of(p, e->arg[0]));
        break;
    case SQ_OP_AND:
    case SQ_OP_OR:
        sq_text_printf(to, "%s %c %s", text_of(p, e->arg[0]), *infix, text_of(p, e->arg[1]));
        break;
    case SQ_OP_SHL:
        if (!sq_type_unsigned(e->type)) {
            put_shift_left(p, e, to);
            break;
        }
        /* fall through */
    case SQ_OP_MOD:
    case SQ_OP_BIT_AND:
    case SQ_OP_BIT_OR:
    case SQ_OP_BIT_XOR:
    case SQ_OP_SHR:
        sq_text_printf(to, "%s %s %s", text_of(p, e->arg[0]), infix, text_of(p, e->arg[1]));
        break;
    default:
        if (sq_math_is_function(e->operation))
            put_call(p, sq_math_name(shape(p, e->type, e->lanes), e->operation, p->pool->arena), e,
                     to);
        else
            put_infix(p, e, text_of(p, e->arg[0]), infix, text_of(p, e->arg[1]), to);
    }
}

/* Both arms are computed, and lanes selected: where one is 0, by its bits. */
static void put_select(const printer *p, const sq_code_expr *e, sq_text *to)
{
    const sq_code_expr *mask = e->arg[0];
    bool first = is_zero(e->arg[1]), second = is_zero(e->arg[2]);
    if (has_mask_registers(p) || (!first && !second)) {
        put_call(p, op(p, e->type, e->lanes, SQ_VOP_SELECT), e, to);
        return;
    }
    const char *type = sq_c_type(p, e->type, e->lanes), *i = sq_c_type(p, mask->type, e->lanes);
    sq_text_printf(to, "(%s)((%s)%s & %s%s)", type, i, text_of(p, e->arg[second ? 1 : 2]),
                   second ? "" : "~", text_of(p, mask));
}

/* True if the text is a single operand, which needs no parentheses. */
static bool is_operand(const printer *p, const sq_code_expr *e)
{
    if (has_mask_registers(p) && (sq_op_compares(e->operation) || e->operation == SQ_OP_NOT))
        return true;
    return e->op != SQ_CODE_OPERATION || e->operation == SQ_OP_CAST || e->operation == SQ_OP_MIN ||
           e->operation == SQ_OP_MAX || e->operation == SQ_OP_AVERAGE ||
           (e->operation == SQ_OP_NEG && sq_type_real(e->type)) || sq_math_is_function(e->operation);
}

/* Returns the multiply-add of a product. */
static sq_vop product_of(const sq_code_expr *e)
{
    return e->operation == SQ_OP_DOT4      ? SQ_VOP_DOT4
           : e->operation == SQ_OP_DOT2    ? SQ_VOP_DOT2
           : e->operation == SQ_OP_SAD4    ? SQ_VOP_SAD4
           : e->operation == SQ_OP_MUL_LOW ? SQ_VOP_FMA_LOW
           : e->number                     ? SQ_VOP_FMA_TURNED
                                           : SQ_VOP_FMA;
}

void sq_c_vector(const printer *p, const sq_code_expr *e, bool alone, sq_text *to)
{
    bool parens = !alone && !is_operand(p, e);
    sq_text_puts(to, parens ? "(" : "");
    switch (e->op) {
    case SQ_CODE_LOAD:
        sq_c_element(p, e->buffer, e->arg, to);
        break;
    case SQ_CODE_LOAD_LANES:
        put_load(p, e, to);
        break;
    case SQ_CODE_LOAD_WHERE:
        put_load_where(p, e, to);
        break;
    case SQ_CODE_LOAD_WORDS:
        put_words(p, e, to);
        break;
    case SQ_CODE_INDEXED:
        sq_text_printf(to, "%s(",
                       op(p, e->type, e->lanes, e->number ? SQ_VOP_LOOKUP : SQ_VOP_INDEXED));
        put_place(p, e->buffer, e->arg, to);
        sq_text_printf(to, ", %s)", text_alone(p, e->arg[1]));
        break;
    case SQ_CODE_BROADCAST:
        put_broadcast(p, e, to);
        break;
    case SQ_CODE_VECTOR:
        put_vector(p, e, to);
        break;
    case SQ_CODE_ZIP:
        put_call(p, op(p, e->type, e->lanes, sq_vop_zip(e->nargs, (int)e->number)), e, to);
        break;
    case SQ_CODE_SWIZZLE:
        put_swizzle(p, e, to);
        break;
    case SQ_CODE_PAIRS: /* of targets that have the first byte of a word in its lowest bits */
        sq_text_printf(to, "(%s)%s", sq_c_type(p, e->type, e->lanes), text_alone(p, e->arg[0]));
        break;
    case SQ_CODE_FMA:
        put_call(p, op(p, e->type, e->lanes, product_of(e)), e, to);
        break;
    case SQ_CODE_ADD_LANES:
        put_call(p, op(p, e->type, e->arg[0]->lanes, SQ_VOP_SUM), e, to);
        break;
    case SQ_CODE_EXTRACT:
        if (!extends(p)) {
            sq_text_printf(to, "%s.v[%lld]", text_of(p, e->arg[0]), (long long)e->number);
            break;
        }
        sq_text_printf(to, e->arg[0]->op == SQ_CODE_LOAD ? "%s[%lld]" : "(%s)[%lld]",
                       text_of(p, e->arg[0]), (long long)e->number);
        break;
    case SQ_CODE_SELECT:
        put_select(p, e, to);
        break;
    default:
        put_operation(p, e, to);
    }
    sq_text_puts(to, parens ? ")" : "");
}

const char *sq_c_turn(const printer *p, sq_type type, int lanes)
{
    return op(p, type, lanes, SQ_VOP_TURN);
}

const char *sq_c_transpose(const printer *p, const sq_code_buffer *b)
{
    return op(p, b->type, b->lanes, SQ_VOP_TRANSPOSE);
}

const char *sq_c_strided_copy(const printer *p, sq_type type, int lanes, int step, bool clips)
{
    return op(p, type, lanes, sq_vop_strided_copy(step, clips));
}

/* ---- stores ---- */

/* True if the lanes that exist are stored as halves, quarters and so on. */
static bool is_in_parts(const printer *p, const sq_code *x)
{
    const sq_isa *isa = p->target->isa;
    bool slow = isa->slow_masks && (isa->masks & (unsigned)sq_type_bytes(x->buffer->type));
    return x->left && (x->is_read_soon || slow) && extends(p);
}

void sq_c_store_lanes(const printer *p, const sq_code *x, sq_text *to)
{
    const sq_code_buffer *b = x->buffer;
    const sq_code_expr *v = x->value;
    bool in_parts = is_in_parts(p, x),
         part = !in_parts && is_part(x->left, v->lanes);
    bool stored = sq_type_stored(b->type), next = sq_code_is(x->lane_step, 1),
         back = sq_code_is(x->lane_step, -1) && extends(p);
    /* rounding by the store itself suffices */
    bool rounds = stored && v->op == SQ_CODE_OPERATION && v->operation == SQ_OP_CAST;
    const char *value = text_alone(p, rounds ? v->arg[0] : v);
    if (stored && sq_c_has_bits(v)) {
        sq_text bits = {0};
        sq_c_bits(p, v, &bits);
        value = sq_text_take(&bits, p->pool->arena);
    } else if (stored) {
        value =
            sq_arena_printf(p->pool->arena, "%s(%s)", op(p, b->type, v->lanes, SQ_VOP_BITS), value);
    }
    sq_text_printf(to, "%s(",
                   op(p, b->type, v->lanes,
                      x->cond && x->cond->lanes > 1 ? SQ_VOP_STORE_WHERE
                      : back     ? (x->left ? SQ_VOP_STORE_BACK_N : SQ_VOP_STORE_BACK)
                      : !next    ? SQ_VOP_SCATTER
                      : in_parts ? SQ_VOP_STORE_PARTS
                      : part     ? SQ_VOP_STORE_PART
                      : x->left  ? SQ_VOP_STORE_N
                      : x->is_aligned && !extends(p) ? SQ_VOP_STORE_ALIGNED
                                                     : SQ_VOP_STORE));
    put_place(p, b, x->index, to);
    sq_text_puts(to, ", ");
    if (!next && !back) {
        sq_code_put(x->lane_step, SQ_LEVEL_ANY, &p->uses, to);
        sq_text_puts(to, ", ");
    }
    sq_text_puts(to, value);
    if (x->cond && x->cond->lanes > 1) {
        sq_text_printf(to, ", %s", text_alone(p, x->cond));
    } else if (x->left) {
        put_left(p, x->left, part && next, to);
    } else if (!next && !back) {
        sq_text_printf(to, ", %d", v->lanes);
    }
    sq_text_puts(to, ");");
}
