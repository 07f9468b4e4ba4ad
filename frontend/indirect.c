/* Indirect: subscripts that are values, T[X[i]]. Where such an element lies is known when the kernel runs, so that
 * it is in bounds is proven here for all values that the subscript can have: an interval of affine forms,
 * computed from the types of the elements it is made of and from the operators that limit it (& % >> min max).
 * Arrays that are read so, and those that say where, keep their values: no statement writes them, and no dependence
 * has to be known.
 * Method: interval arithmetic; R. E. Moore, Interval Analysis, 1966. */
#include "frontend/build.h"
#include "ir/kernel/narrow.h"
#include <isl/aff.h>
#include <isl/space.h>
#include <isl/val.h>

/* Between lo and hi, ends included; NULL: no end is known. */
typedef struct interval {
    isl_pw_aff *lo, *hi;
} interval;

static void discard(interval r)
{
    isl_pw_aff_free(r.lo);
    isl_pw_aff_free(r.hi);
}

static isl_pw_aff *number(const sq_builder *b, int64_t value)
{
    return isl_pw_aff_from_aff(sq_affine_constant(b, value));
}

static interval between(const sq_builder *b, int64_t lo, int64_t hi)
{
    return (interval){number(b, lo), number(b, hi)};
}

static interval of_type(const sq_builder *b, sq_type t)
{
    int bits = 8 * sq_type_bytes(t);
    if (sq_type_real(t) || bits == 64)
        return (interval){sq_type_unsigned(t) && !sq_type_real(t) ? number(b, 0) : NULL, NULL};
    int64_t half = INT64_C(1) << (bits - 1);
    return sq_type_unsigned(t) ? between(b, 0, 2 * half - 1) : between(b, -half, half - 1);
}

/* The number that an end is; false: it is none. */
static bool is_number(isl_pw_aff *end, int64_t *value)
{
    if (!end || isl_pw_aff_is_cst(end) != isl_bool_true || isl_pw_aff_isa_aff(end) != isl_bool_true)
        return false;
    isl_aff *a = isl_pw_aff_as_aff(isl_pw_aff_copy(end));
    isl_val *v = isl_aff_get_constant_val(a);
    bool fits = isl_val_is_int(v) == isl_bool_true;
    *value = fits ? isl_val_get_num_si(v) : 0;
    isl_val_free(v);
    isl_aff_free(a);
    return fits;
}

static bool never_negative(interval r)
{
    int64_t lo;
    return is_number(r.lo, &lo) && lo >= 0;
}

/* An end that is known of only one of two is that one's: of the lesser of two values the upper end. Takes both. */
static isl_pw_aff *either(isl_pw_aff *x, isl_pw_aff *y,
                          isl_pw_aff *(*both)(isl_pw_aff *, isl_pw_aff *))
{
    return x && y ? both(x, y) : x ? x : y;
}

/* Both have to be known. Takes both. */
static isl_pw_aff *joined(isl_pw_aff *x, isl_pw_aff *y,
                          isl_pw_aff *(*both)(isl_pw_aff *, isl_pw_aff *))
{
    if (x && y)
        return both(x, y);
    isl_pw_aff_free(x);
    isl_pw_aff_free(y);
    return NULL;
}

static interval range_of(sq_builder *b, const sq_expr *e);

/* a & m lies between 0 and m where m is not negative. */
static interval masked(sq_builder *b, interval x, interval y)
{
    isl_pw_aff *hi = NULL;
    interval *side[] = {&x, &y};
    for (int i = 0; i < 2; i++)
        if (never_negative(*side[i])) {
            hi = either(hi, side[i]->hi, isl_pw_aff_min);
            side[i]->hi = NULL;
        }
    discard(x);
    discard(y);
    return hi ? (interval){number(b, 0), hi} : (interval){NULL, NULL};
}

/* x | y and x ^ y have no bit above those of the greater one. */
static interval of_bits(const sq_builder *b, interval x, interval y)
{
    int64_t p, q, most = 0;
    bool known = never_negative(x) && never_negative(y) && is_number(x.hi, &p) && is_number(y.hi, &q);
    discard(x);
    discard(y);
    while (known && most < (p | q))
        most = 2 * most + 1;
    return known ? between(b, 0, most) : (interval){NULL, NULL};
}

/* What a division by a number above 0 leaves has the sign of what is divided. */
static interval remainder_of(sq_builder *b, interval x, interval y)
{
    isl_pw_aff *most = NULL;
    int64_t least;
    bool is_positive = is_number(y.lo, &least) && least > 0;
    if (!is_positive && y.lo) { /* a size */
        isl_set *not = sq_known(b, isl_pw_aff_nonneg_set(isl_pw_aff_neg(isl_pw_aff_copy(y.lo))));
        is_positive = isl_set_is_empty(not) == isl_bool_true;
        isl_set_free(not);
    }
    if (is_positive && y.hi)
        most = isl_pw_aff_sub(isl_pw_aff_copy(y.hi), number(b, 1));
    isl_pw_aff *least_of = !most               ? NULL
                           : never_negative(x) ? number(b, 0)
                                               : isl_pw_aff_neg(isl_pw_aff_copy(most));
    discard(x);
    discard(y);
    return (interval){least_of, most};
}

/* Of what is not negative; divided by the power of two, or by the number. */
static interval quotient(sq_builder *b, const sq_expr *e, interval x)
{
    int64_t c = 0, lo = 0, hi = 0;
    bool known = sq_expr_is_constant(e->arg[1], &c) && never_negative(x) && is_number(x.lo, &lo) &&
                 is_number(x.hi, &hi);
    bool shifts = e->op == SQ_OP_SHR;
    known = known && (shifts ? c >= 0 && c < 63 : c > 0);
    c = known && shifts ? INT64_C(1) << c : c;
    discard(x);
    return known ? between(b, lo / c, hi / c) : (interval){NULL, NULL};
}

/* Times a number that is not negative. */
static interval scaled(interval x, interval y)
{
    int64_t c, d;
    bool right = is_number(y.lo, &c) && is_number(y.hi, &d) && c == d && c >= 0;
    bool left = !right && is_number(x.lo, &c) && is_number(x.hi, &d) && c == d && c >= 0;
    interval r = {NULL, NULL};
    if (left || right)
        r = (interval){joined(x.lo, y.lo, isl_pw_aff_mul), joined(x.hi, y.hi, isl_pw_aff_mul)};
    else
        discard(x), discard(y);
    return r;
}

static interval chosen(interval x, interval y)
{
    return (interval){joined(x.lo, y.lo, isl_pw_aff_min), joined(x.hi, y.hi, isl_pw_aff_max)};
}

static interval of_two(sq_builder *b, const sq_expr *e)
{
    interval x = range_of(b, e->arg[0]), y = range_of(b, e->arg[1]);
    switch (e->op) {
    case SQ_OP_ADD:
        return (interval){joined(x.lo, y.lo, isl_pw_aff_add), joined(x.hi, y.hi, isl_pw_aff_add)};
    case SQ_OP_SUB:
        return (interval){joined(x.lo, y.hi, isl_pw_aff_sub), joined(x.hi, y.lo, isl_pw_aff_sub)};
    case SQ_OP_MIN:
        return (interval){joined(x.lo, y.lo, isl_pw_aff_min), either(x.hi, y.hi, isl_pw_aff_min)};
    case SQ_OP_MAX:
        return (interval){either(x.lo, y.lo, isl_pw_aff_max), joined(x.hi, y.hi, isl_pw_aff_max)};
    case SQ_OP_MUL:
        return scaled(x, y);
    case SQ_OP_BIT_AND:
        return masked(b, x, y);
    case SQ_OP_BIT_OR:
    case SQ_OP_BIT_XOR:
        return of_bits(b, x, y);
    case SQ_OP_MOD:
        return remainder_of(b, x, y);
    default:
        discard(y);
        return quotient(b, e, x);
    }
}

static interval of_operator(sq_builder *b, const sq_expr *e)
{
    switch (e->op) {
    case SQ_OP_CAST:
        return range_of(b, e->arg[0]);
    case SQ_OP_SELECT:
        return chosen(range_of(b, e->arg[1]), range_of(b, e->arg[2]));
    case SQ_OP_LT:
    case SQ_OP_LE:
    case SQ_OP_EQ:
    case SQ_OP_NE:
    case SQ_OP_AND:
    case SQ_OP_OR:
    case SQ_OP_NOT:
        return between(b, 0, 1);
    case SQ_OP_ADD:
    case SQ_OP_SUB:
    case SQ_OP_MUL:
    case SQ_OP_DIV:
    case SQ_OP_MOD:
    case SQ_OP_MIN:
    case SQ_OP_MAX:
    case SQ_OP_BIT_AND:
    case SQ_OP_BIT_OR:
    case SQ_OP_BIT_XOR:
    case SQ_OP_SHR:
        return of_two(b, e);
    default:
        return of_type(b, e->type);
    }
}

/* What leaves its type goes on at the type's other end, and may then be anything that the type holds. */
static interval range_of(sq_builder *b, const sq_expr *e)
{
    isl_pw_aff *form = sq_expr_affine(b, e);
    if (form)
        return (interval){form, isl_pw_aff_copy(form)};
    interval r = of_operator(b, e);
    bool keeps = (!r.lo || sq_unsigned_keeps(b, r.lo, e->type)) &&
                 (!r.hi || sq_unsigned_keeps(b, r.hi, e->type));
    if (keeps && r.lo && r.hi)
        return r;
    interval all = of_type(b, e->type);
    if (keeps && (e->op == SQ_OP_MIN || e->op == SQ_OP_MAX)) /* computes nothing new */
        return (interval){either(r.lo, all.lo, isl_pw_aff_max), either(r.hi, all.hi, isl_pw_aff_min)};
    discard(r);
    return all;
}

/* ---- subscripts ---------------------------------------------------------------------------- */

bool sq_indirect_is(const sq_builder *b, CXCursor c)
{
    int n;
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    bool deref = b->scop && c.kind == CXCursor_UnaryOperator &&
                 b->r.cl->clang_getCursorUnaryOperatorKind(c) == CXUnaryOperator_Deref;
    bool found = c.kind == CXCursor_ArraySubscriptExpr || deref;
    for (int i = 0; i < n && !found; i++)
        found = sq_indirect_is(b, child[i]);
    return found;
}

/* Instances, with arrays that have elements, at which the subscript may be outside of its dimension. */
static isl_set *outside(sq_builder *b, interval r, isl_aff *extent)
{
    isl_pw_aff *n = isl_pw_aff_from_aff(isl_aff_copy(extent));
    isl_set *some = isl_pw_aff_pos_set(isl_pw_aff_copy(n)), *bad;
    if (!r.lo || !r.hi) {
        isl_pw_aff_free(n);
        return sq_known(b, some);
    }
    bad = isl_pw_aff_lt_set(isl_pw_aff_copy(r.lo), number(b, 0));
    bad = isl_set_union(bad, isl_pw_aff_ge_set(isl_pw_aff_copy(r.hi), n));
    return sq_known(b, isl_set_intersect(bad, some));
}

static void tell(sq_builder *b, CXCursor c, const sq_symbol *s, int d, interval r)
{
    int64_t lo, hi;
    const char *range = is_number(r.lo, &lo) && is_number(r.hi, &hi)
                            ? sq_arena_printf(b->r.arena, "its values are %lld to %lld", (long long)lo,
                                              (long long)hi)
                            : "no limits of its values are known";
    sq_refuse(b, c,
              "this subscript is a value that may lie outside of dimension %d of '%s': %s; accepted is what its "
              "type or an operator limits: an element of uint8_t where there are 256 places, & %% >> by numbers, "
              "the lesser and the greater of two",
              d + 1, s->array->name, range);
    if (b->scop)
        sq_help(b->r.d, SQ_NOWHERE, "limit it, as in x < 0 ? 0 : x > n - 1 ? n - 1 : x, or leave this loop outside "
                                    "of the region");
    else
        sq_help(b->r.d, SQ_NOWHERE, "clampedge(%s[…]) takes the nearest element", s->array->name);
}

/* The nearest place of the dimension. */
static sq_expr *clamped(sq_builder *b, sq_expr *e, isl_aff *extent)
{
    isl_val *one = isl_val_one(b->k->ctx);
    sq_expr *last = sq_expr_new(b, SQ_OP_INDEX, SQ_I64, e->loc);
    last->index = isl_aff_add_constant_val(isl_aff_copy(extent), isl_val_neg(one));
    sq_builder_own(b, NULL, last, NULL);
    sq_expr *low = sq_expr_binary(b, SQ_OP_MIN, e, last, e->loc);
    return sq_expr_binary(b, SQ_OP_MAX, low, sq_expr_constant(b, SQ_I64, 0, 0, e->loc), e->loc);
}

static bool has_real(const sq_expr *e)
{
    bool has = sq_type_real(e->type);
    for (int i = 0; i < e->nargs; i++)
        has |= has_real(e->arg[i]);
    return has;
}

sq_expr *sq_indirect_read(sq_builder *b, CXCursor c, const sq_symbol *s, int d, sq_edge edge)
{
    sq_reading own = {.inside = true};
    sq_expr *e = sq_value_read(b, c, &own);
    if (!e)
        return NULL;
    if (has_real(e) || e->type == SQ_U64) {
        sq_refuse(b, c, "a subscript that is a value is computed in integers, and no uint64_t");
        return NULL;
    }
    e = sq_expr_cast(b, SQ_I64, e);
    if (edge == SQ_EDGE_CLAMP)
        return clamped(b, e, s->extent[d]);
    interval r = range_of(b, e);
    isl_set *bad = outside(b, r, s->extent[d]);
    bool fine = isl_set_is_empty(bad) == isl_bool_true;
    if (!fine)
        tell(b, c, s, d, r);
    isl_set_free(bad);
    discard(r);
    return fine ? e : NULL;
}

/* ---- arrays -------------------------------------------------------------------------------- */

typedef struct reads {
    sq_builder *b;
    const sq_array *written; /* one that such a subscript depends on; NULL: none */
    sq_loc loc;
} reads;

static bool is_written(const sq_kernel *k, const sq_array *a)
{
    for (int i = 0; i < k->nstmts; i++)
        if (sq_arrays_overlap(k->stmt[i]->write->array, a))
            return true;
    return a->role == SQ_LOCAL;
}

static void look(sq_expr *e, void *user);

static void look_at_subscripts(sq_expr *e, reads *r)
{
    for (int i = 0; i < e->nargs; i++)
        sq_expr_walk(e->arg[i], look, r);
    if (!r->written && is_written(r->b->k, e->access->array)) {
        r->written = e->access->array;
        r->loc = e->access->loc;
    }
}

static void look(sq_expr *e, void *user)
{
    if (e->op == SQ_OP_READ)
        look_at_subscripts(e, user);
}

static void look_for_indirect(sq_expr *e, void *user)
{
    if (e->op == SQ_OP_READ && e->access->indirect)
        look_at_subscripts(e, user);
}

int sq_indirect_settle(sq_builder *b)
{
    reads r = {.b = b};
    for (int i = 0; i < b->k->nstmts && !r.written; i++) {
        sq_expr_walk(b->k->stmt[i]->body, look_for_indirect, &r);
        sq_expr_walk(b->k->stmt[i]->value, look_for_indirect, &r);
    }
    if (!r.written)
        return 0;
    return sq_error(b->r.d, SQ_FAULT_INPUT, r.loc,
                    "'%s' has or is a subscript that is a value, and is written here; accepted are arrays that keep "
                    "their values",
                    r.written->name);
}
