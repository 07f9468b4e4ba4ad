/* Narrow: see narrow.h. */
#include "ir/kernel/narrow.h"
#include "ir/dependence/rewrite.h"

/* ---- ranges ---- */

sq_range sq_type_range(sq_type t)
{
    int bits = 8 * sq_type_bytes(t);
    if (bits == 64)
        return (sq_range){INT64_MIN, INT64_MAX};
    if (sq_type_unsigned(t))
        return (sq_range){0, (INT64_C(1) << bits) - 1};
    return (sq_range){-(INT64_C(1) << (bits - 1)), (INT64_C(1) << (bits - 1)) - 1};
}

static bool within(sq_range x, sq_range y)
{
    return x.lo >= y.lo && x.hi <= y.hi;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static sq_range both(sq_range a, sq_range b)
{
    return (sq_range){least(a.lo, b.lo), greatest(a.hi, b.hi)};
}

bool sq_expr_is_constant(const sq_expr *e, int64_t *value)
{
    if (e->op == SQ_OP_CAST && !sq_type_real(e->type) && !sq_type_real(e->arg[0]->type) &&
        sq_expr_is_constant(e->arg[0], value)) {
        *value = sq_type_wrap(e->type, *value);
        return true;
    }
    *value = e->integer;
    return e->op == SQ_OP_CONST && !sq_type_real(e->type);
}

/* Returns the range of a sum, difference or product; false if it may wrap around 64 bits. */
static bool combine(sq_op op, sq_range a, sq_range b, sq_range *r)
{
    int64_t x[4];
    bool over;
    if (op == SQ_OP_ADD) {
        over = __builtin_add_overflow(a.lo, b.lo, &r->lo) ||
               __builtin_add_overflow(a.hi, b.hi, &r->hi);
    } else if (op == SQ_OP_SUB) {
        over = __builtin_sub_overflow(a.lo, b.hi, &r->lo) ||
               __builtin_sub_overflow(a.hi, b.lo, &r->hi);
    } else {
        over = __builtin_mul_overflow(a.lo, b.lo, &x[0]) ||
               __builtin_mul_overflow(a.lo, b.hi, &x[1]) ||
               __builtin_mul_overflow(a.hi, b.lo, &x[2]) ||
               __builtin_mul_overflow(a.hi, b.hi, &x[3]);
        if (!over)
            *r = both((sq_range){least(x[0], x[1]), greatest(x[0], x[1])},
                      (sq_range){least(x[2], x[3]), greatest(x[2], x[3])});
    }
    return !over;
}

/* Returns the range of an operation with a constant; false if nothing is known. */
static bool by_constant(sq_op op, sq_type type, sq_range a, int64_t c, sq_range *r)
{
    if (op == SQ_OP_SHL || op == SQ_OP_SHR) {
        if (c < 0 || c >= 8 * sq_type_bytes(type) || c > 62)
            return false;
        if (op == SQ_OP_SHL)
            return combine(SQ_OP_MUL, a, (sq_range){INT64_C(1) << c, INT64_C(1) << c}, r);
        *r = type != SQ_U64 ? (sq_range){a.lo >> c, a.hi >> c}
                            : (sq_range){0, c ? INT64_MAX >> (c - 1) : 0};
        return type != SQ_U64 || c > 0;
    }
    if (c <= 0 || (type == SQ_U64 && op == SQ_OP_DIV))
        return false;
    if (type == SQ_U64)
        *r = (sq_range){0, c - 1};
    else if (op == SQ_OP_DIV)
        *r = (sq_range){a.lo / c, a.hi / c};
    else
        *r = (sq_range){a.lo < 0 ? 1 - c : 0, a.hi > 0 ? c - 1 : 0};
    return true;
}

/* Returns the range for two nonnegative operands. */
static bool of_bits(sq_op op, sq_range a, sq_range b, sq_range *r)
{
    int64_t all = 1, most = greatest(a.hi, b.hi);
    bool fine = a.lo >= 0 && b.lo >= 0;
    if (op == SQ_OP_BIT_AND) {
        *r = (sq_range){0, a.lo < 0 ? b.hi : b.lo < 0 ? a.hi : least(a.hi, b.hi)};
        return a.lo >= 0 || b.lo >= 0;
    }
    while (all <= most && all < INT64_C(1) << 62)
        all *= 2;
    *r = (sq_range){0, all - 1};
    return fine && most < all;
}

/* Returns the values of r that are below c, or at least c. */
static sq_range cut(sq_range r, int64_t c, bool below)
{
    return below ? (sq_range){r.lo, least(r.hi, c - 1)} : (sq_range){greatest(r.lo, c), r.hi};
}

/* Returns the range of `x` where a comparison with a constant, x < c and the like, holds or does not. */
static sq_range compared(const sq_expr *cond, const sq_expr *x, bool holds)
{
    sq_range r = sq_expr_range(x);
    bool comparison = cond->op == SQ_OP_LT || cond->op == SQ_OP_LE;
    int64_t c;
    for (int side = 0; comparison && side < 2; side++)
        if (x->type != SQ_U64 && x->type == cond->arg[side]->type && sq_expr_is_constant(cond->arg[1 - side], &c) &&
            c > INT64_MIN / 2 && c < INT64_MAX / 2 && sq_expr_same(cond->arg[side], x)) {
            bool first_above = (cond->op == SQ_OP_LE) == (side == 0); /* c + 1 is the first value on the upper side */
            return cut(r, c + first_above, (side == 0) == holds);
        }
    return r;
}

/* Returns the range of a choice that is made where the condition holds, or does not; of |x| as well. */
static sq_range chosen_range(const sq_expr *cond, const sq_expr *e, bool holds)
{
    if (e->op != SQ_OP_NEG)
        return compared(cond, e, holds);
    sq_range x = compared(cond, e->arg[0], holds), r, all = sq_type_range(e->type);
    return combine(SQ_OP_SUB, (sq_range){0, 0}, x, &r) && within(r, all) ? r : all;
}

static bool of_operator(const sq_expr *e, sq_range *r)
{
    int64_t c;
    if (e->op == SQ_OP_SELECT) {
        *r = both(chosen_range(e->arg[0], e->arg[1], true), chosen_range(e->arg[0], e->arg[2], false));
        return true;
    }
    sq_range a = sq_expr_range(e->arg[0]), b = e->nargs > 1 ? sq_expr_range(e->arg[1]) : a;
    switch (e->op) {
    case SQ_OP_CAST:
        *r = a;
        return !sq_type_real(e->arg[0]->type) && e->arg[0]->type != SQ_U64;
    case SQ_OP_NEG:
        return combine(SQ_OP_SUB, (sq_range){0, 0}, a, r);
    case SQ_OP_ADD:
    case SQ_OP_SUB:
    case SQ_OP_MUL:
        return e->type != SQ_U64 && combine(e->op, a, b, r);
    case SQ_OP_DIV:
    case SQ_OP_MOD:
    case SQ_OP_SHL:
    case SQ_OP_SHR:
        return sq_expr_is_constant(e->arg[1], &c) && by_constant(e->op, e->type, a, c, r);
    case SQ_OP_BIT_AND:
    case SQ_OP_BIT_OR:
    case SQ_OP_BIT_XOR:
        return of_bits(e->op, a, b, r);
    case SQ_OP_MIN:
        *r = (sq_range){least(a.lo, b.lo), least(a.hi, b.hi)};
        return e->type != SQ_U64;
    case SQ_OP_MAX:
        *r = (sq_range){greatest(a.lo, b.lo), greatest(a.hi, b.hi)};
        return e->type != SQ_U64;
    case SQ_OP_LT:
    case SQ_OP_LE:
    case SQ_OP_EQ:
    case SQ_OP_NE:
    case SQ_OP_AND:
    case SQ_OP_OR:
    case SQ_OP_NOT:
        *r = (sq_range){0, 1};
        return true;
    default:
        return false;
    }
}

sq_range sq_expr_range(const sq_expr *e)
{
    sq_range all = sq_type_range(e->type), r;
    if (e->op == SQ_OP_CONST && !sq_type_real(e->type))
        return (sq_range){e->integer, e->integer};
    if (e->op == SQ_OP_REDUCED && e->most > 0)
        return (sq_range){sq_type_unsigned(e->type) ? 0 : -e->most, e->most};
    return e->nargs && !sq_type_real(e->type) && of_operator(e, &r) && within(r, all) ? r : all;
}

/* ---- narrower expressions ---- */

static int width(sq_type t)
{
    return 8 * sq_type_bytes(t);
}

static sq_type integer(int bytes, bool is_unsigned)
{
    static const sq_type of[2][5] = {{[1] = SQ_I8, [2] = SQ_I16, [4] = SQ_I32},
                                     {[1] = SQ_U8, [2] = SQ_U16, [4] = SQ_U32}};
    return of[is_unsigned][bytes];
}

static sq_expr *cast(const sq_kernel *k, sq_expr *e, sq_type to)
{
    return !e || e->type == to ? e : sq_expr_node(k, SQ_OP_CAST, to, e->loc, 1, &e);
}

static sq_expr *constant(const sq_kernel *k, int64_t value, sq_type t, sq_loc loc)
{
    sq_expr *c = sq_expr_node(k, SQ_OP_CONST, t, loc, 0, NULL);
    c->integer = sq_type_wrap(t, value);
    return c;
}

/* As sq_expr_low, of the lowest `bits` bits: those above are of no matter. */
static sq_expr *low(const sq_kernel *k, sq_expr *e, sq_type t, int bits);

/* Returns the operator on the low bits of its operands; NULL if one of them has no narrow form. */
static sq_expr *on_low(const sq_kernel *k, sq_expr *e, sq_op op, sq_type t, int bits, int from)
{
    sq_expr *arg[3] = {e->arg[0], e->arg[1], e->arg[2]};
    for (int i = from; i < e->nargs; i++) {
        arg[i] = low(k, e->arg[i], t, bits);
        if (!arg[i])
            return NULL;
    }
    return sq_expr_node(k, op, t, e->loc, e->nargs, arg);
}

/* Returns a type as wide as t that represents all values of both operands; false: there is none. */
static bool holding(const sq_expr *e, int nargs, sq_type t, sq_type *holds)
{
    sq_range r = sq_expr_range(e->arg[0]);
    if (nargs > 1)
        r = both(r, sq_expr_range(e->arg[1]));
    for (int i = 0; i < 2; i++) {
        *holds = integer(sq_type_bytes(t), i == 0);
        if (within(r, sq_type_range(*holds)))
            return e->arg[0]->type != SQ_U64;
    }
    return false;
}

/* Splits a sum with 1 as one of three terms into the other two; false: it is none. */
static bool rounds_up(const sq_expr *sum, sq_expr **a, sq_expr **b)
{
    int64_t one;
    if (sum->op != SQ_OP_ADD)
        return false;
    for (int i = 0; i < 2; i++) {
        sq_expr *x = sum->arg[i], *two = sum->arg[1 - i];
        *a = two->op == SQ_OP_ADD ? two->arg[0] : NULL;
        *b = two->op == SQ_OP_ADD ? two->arg[1] : NULL;
        if (sq_expr_is_constant(x, &one) && one == 1 && *a)
            return true;
        for (int k = 0; k < 2 && *a; k++)
            if (sq_expr_is_constant(two->arg[k], &one) && one == 1) {
                *a = two->arg[1 - k];
                *b = x;
                return true;
            }
    }
    return false;
}

/* (a + b + 1) >> 1 in the type of a and b, which their sum does not fit; NULL: it is not that. */
static sq_expr *average(const sq_kernel *k, sq_expr *e, sq_type t)
{
    sq_type narrow = integer(sq_type_bytes(t), true);
    int64_t by;
    sq_expr *arg[2];
    if (sq_type_bytes(t) > 2 || e->op != SQ_OP_SHR || !sq_expr_is_constant(e->arg[1], &by) || by != 1 ||
        sq_type_real(e->arg[0]->type) || !rounds_up(e->arg[0], &arg[0], &arg[1]))
        return NULL;
    for (int i = 0; i < 2; i++) {
        bool fits = !sq_type_real(arg[i]->type) && within(sq_expr_range(arg[i]), sq_type_range(narrow));
        arg[i] = fits ? sq_expr_low(k, arg[i], narrow) : NULL;
        if (!arg[i])
            return NULL;
    }
    return cast(k, sq_expr_node(k, SQ_OP_AVERAGE, narrow, e->loc, 2, arg), t);
}

/* For operators on which all bits of the operands matter. */
static sq_expr *exact(const sq_kernel *k, sq_expr *e, sq_type t)
{
    sq_type holds;
    int64_t c;
    bool counted = e->op == SQ_OP_SHR;
    if (!holding(e, counted ? 1 : 2, t, &holds))
        return NULL;
    if (e->op == SQ_OP_MIN || e->op == SQ_OP_MAX)
        return cast(k, on_low(k, e, e->op, holds, width(t), 0), t);
    bool fine = sq_expr_is_constant(e->arg[1], &c) && (counted ? c >= 0 && c < width(t) : c > 0);
    sq_expr *arg[2] = {fine ? sq_expr_low(k, e->arg[0], holds) : NULL, NULL};
    if (!arg[0] || (sq_type_bytes(t) == 1 && !counted)) /* there is no division of bytes */
        return NULL;
    arg[1] = constant(k, c, holds, e->arg[1]->loc);
    return cast(k, sq_expr_node(k, e->op, holds, e->loc, 2, arg), t);
}

static sq_expr *condition(const sq_kernel *k, sq_expr *e, sq_type t)
{
    sq_type holds;
    sq_expr *c = NULL, *arg[2];
    switch (e->op) {
    case SQ_OP_NOT:
    case SQ_OP_AND:
    case SQ_OP_OR:
        for (int i = 0; i < e->nargs; i++) {
            arg[i] = condition(k, e->arg[i], t);
            if (!arg[i])
                return NULL;
        }
        return sq_expr_node(k, e->op, e->type, e->loc, e->nargs, arg);
    case SQ_OP_LT:
    case SQ_OP_LE:
    case SQ_OP_EQ:
    case SQ_OP_NE:
        if (!sq_type_real(e->arg[0]->type) && holding(e, 2, t, &holds))
            c = on_low(k, e, e->op, holds, width(t), 0);
        if (c)
            c->type = e->type;
        return c;
    default:
        return NULL;
    }
}

static sq_expr *chosen(const sq_kernel *k, sq_expr *e, sq_type t, int bits)
{
    sq_expr *c = condition(k, e->arg[0], t), *x = c ? on_low(k, e, e->op, t, bits, 1) : NULL;
    if (x)
        x->arg[0] = c;
    return x;
}

/* Converts a wider value by its low bits, a narrower one exactly. A cast that changes no value is none. */
static sq_expr *converted(const sq_kernel *k, sq_expr *e, sq_type t, int bits)
{
    sq_expr *from = e->arg[0];
    if (sq_type_real(from->type))
        return NULL;
    if (width(e->type) >= bits || (from->type != SQ_U64 && within(sq_expr_range(from), sq_type_range(e->type))))
        return low(k, from, t, bits);
    return cast(k, sq_expr_low(k, from, e->type), t);
}

static sq_expr *shifted(const sq_kernel *k, sq_expr *e, sq_type t, int bits)
{
    int64_t c;
    bool fine = sq_expr_is_constant(e->arg[1], &c) && c >= 0 && c < width(t);
    sq_expr *arg[2] = {fine ? low(k, e->arg[0], t, bits) : NULL, NULL};
    if (!arg[0])
        return NULL;
    arg[1] = constant(k, c, t, e->arg[1]->loc);
    return sq_expr_node(k, e->op, t, e->loc, 2, arg);
}

/* Of what is shifted to the right as many more bits matter. */
static sq_expr *shifted_back(const sq_kernel *k, sq_expr *e, sq_type t, int bits)
{
    int64_t c;
    sq_expr *mean = average(k, e, t);
    bool fine = sq_expr_is_constant(e->arg[1], &c) && c >= 0 && c < width(e->type) && bits + c <= width(t);
    return mean ? mean : fine ? shifted(k, e, t, bits + (int)c) : exact(k, e, t);
}

sq_expr *sq_expr_low(const sq_kernel *k, sq_expr *e, sq_type t)
{
    return low(k, e, t, width(t));
}

static sq_expr *low(const sq_kernel *k, sq_expr *e, sq_type t, int bits)
{
    switch (e->op) {
    case SQ_OP_CONST:
        return sq_type_real(e->type) ? NULL : constant(k, e->integer, t, e->loc);
    case SQ_OP_CAST:
        return converted(k, e, t, bits);
    case SQ_OP_SCALAR: /* one value for all lanes, converted before */
        return sq_type_real(e->type) ? NULL : cast(k, e, t);
    case SQ_OP_READ:
    case SQ_OP_REDUCED:
        return sq_type_real(e->type) || sq_type_bytes(e->type) > sq_type_bytes(t) ? NULL
                                                                                  : cast(k, e, t);
    case SQ_OP_MUL:
        return sq_type_bytes(t) == 1 ? NULL : on_low(k, e, e->op, t, bits, 0);
    case SQ_OP_NEG:
    case SQ_OP_ADD:
    case SQ_OP_SUB:
    case SQ_OP_BIT_AND:
    case SQ_OP_BIT_OR:
    case SQ_OP_BIT_XOR:
    case SQ_OP_BIT_NOT:
        return on_low(k, e, e->op, t, bits, 0);
    case SQ_OP_SHL:
        return shifted(k, e, t, bits);
    case SQ_OP_SHR:
        return sq_type_real(e->type) ? NULL : shifted_back(k, e, t, bits);
    case SQ_OP_DIV:
    case SQ_OP_MOD:
    case SQ_OP_MIN:
    case SQ_OP_MAX:
        return sq_type_real(e->type) ? NULL : exact(k, e, t);
    case SQ_OP_SELECT:
        return chosen(k, e, t, bits);
    default:
        return NULL;
    }
}

sq_expr *sq_expr_narrowed(const sq_kernel *k, sq_expr *e)
{
    if (e->op != SQ_OP_CAST || sq_type_real(e->type) || sq_type_real(e->arg[0]->type) ||
        e->arg[0]->nargs == 0)
        return NULL;
    int from = sq_type_bytes(e->arg[0]->type);
    for (int bytes = sq_type_bytes(e->type); bytes < from; bytes *= 2) {
        sq_expr *x = low(k, e->arg[0], integer(bytes, sq_type_unsigned(e->type)), width(e->type));
        if (x)
            return cast(k, x, e->type);
    }
    return NULL;
}

bool sq_sum_fits(const sq_expr *e, int64_t terms, int bytes, sq_type *type, int64_t *most)
{
    sq_range r, sum;
    if (sq_type_real(e->type) || bytes >= sq_type_bytes(e->type))
        return false;
    r = both(sq_expr_range(e), (sq_range){0, 0});
    if (!combine(SQ_OP_MUL, r, (sq_range){terms, terms}, &sum))
        return false;
    *type = integer(bytes, sum.lo == 0);
    if (!within(sum, sq_type_range(*type)))
        return false;
    *most = greatest(sum.hi, -sum.lo);
    return true;
}

const sq_expr *sq_stmt_in_lanes(const sq_stmt *s)
{
    return s->narrow ? s->narrow : s->value;
}

void sq_kernel_narrow(sq_kernel *k)
{
    for (int i = 0; i < k->nstmts; i++)
        k->stmt[i]->narrow = sq_expr_narrowed(k, k->stmt[i]->value);
}
