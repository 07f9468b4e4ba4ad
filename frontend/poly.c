/* Poly: see poly.h. */
#include "frontend/poly.h"
#include "support/integer.h"
#include <isl/aff.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

/* A sum or quotient of sizes in the place of one. */
struct sq_stand_in {
    struct sq_stand_in *next;
    sq_size size;
    int rank;
    isl_aff *value; /* over the universe, the builder's */
};

/* A quotient or remainder of variables, how many turns a loop has done, or what arrays say. */
struct sq_quotient {
    struct sq_quotient *next;
    int var;
    CXCursor at;  /* null: */
    int turns_of; /* the variable of that loop, from 0 */
    bool is_value;
};

/* ---- sums ---------------------------------------------------------------------------------- */

static bool same_sizes(const sq_term *a, const sq_term *b)
{
    return a->nsizes == b->nsizes &&
           memcmp(a->size, b->size, (size_t)a->nsizes * sizeof *a->size) == 0;
}

static bool add_term(sq_poly *p, const sq_term *t)
{
    for (int i = 0; i < p->n; i++)
        if (p->t[i].var == t->var && same_sizes(&p->t[i], t))
            return !__builtin_add_overflow(p->t[i].factor, t->factor, &p->t[i].factor);
    if (p->n == SQ_MOST_TERMS)
        return false;
    p->t[p->n++] = *t;
    return true;
}

bool sq_poly_add(sq_poly *a, const sq_poly *b, int sign)
{
    for (int i = 0; i < b->n; i++) {
        sq_term t = b->t[i];
        if (__builtin_mul_overflow(t.factor, sign, &t.factor) || !add_term(a, &t))
            return false;
    }
    return true;
}

static sq_poly constant(int64_t value)
{
    return (sq_poly){.n = 1, .t = {{.factor = value, .var = -1}}};
}

/* ---- stand-ins ----------------------------------------------------------------------------- */

static const struct sq_stand_in *stand_in_of(const sq_builder *b, const sq_size *s)
{
    const struct sq_stand_in *at = b->scop->stand_ins;
    while (at && &at->size != s)
        at = at->next;
    return at;
}

/* The kernel's own sizes in their order, then stand-ins. */
static int rank_of(const sq_builder *b, const sq_size *s)
{
    const struct sq_stand_in *other = stand_in_of(b, s);
    int i = 0;
    while (!other && b->k->size[i] != s)
        i++;
    return other ? SQ_MAX_SIZES + other->rank : i;
}

/* Takes the value. */
static const sq_size *stand_in(sq_builder *b, isl_aff *value)
{
    for (struct sq_stand_in *at = b->scop->stand_ins; at; at = at->next)
        if (isl_aff_plain_is_equal(at->value, value) == isl_bool_true) {
            isl_aff_free(value);
            return &at->size;
        }
    struct sq_stand_in *s = SQ_NEW(b->r.arena, struct sq_stand_in);
    *s = (struct sq_stand_in){.next = b->scop->stand_ins, .size = {.name = "", .type = SQ_I64},
                              .rank = b->scop->stand_ins ? b->scop->stand_ins->rank + 1 : 0,
                              .value = value};
    sq_builder_own(b, NULL, NULL, value);
    b->scop->stand_ins = s;
    return &s->size;
}

const sq_size *sq_poly_number(sq_builder *b, int64_t number)
{
    return stand_in(b, sq_affine_constant(b, number));
}

isl_aff *sq_poly_add_size(const sq_builder *b, isl_aff *a, const sq_size *s, int64_t factor)
{
    const struct sq_stand_in *other = stand_in_of(b, s);
    isl_val *v = isl_val_int_from_si(b->k->ctx, factor);
    if (other)
        return isl_aff_add(a, isl_aff_scale_val(isl_aff_copy(other->value), v));
    if (s->fixed)
        return isl_aff_add_constant_val(a,
                                        isl_val_mul(v, isl_val_int_from_si(b->k->ctx, s->value)));
    int at = isl_space_find_dim_by_name(b->universe, isl_dim_param, s->name);
    isl_val *old = isl_aff_get_coefficient_val(a, isl_dim_param, at);
    return isl_aff_set_coefficient_val(a, isl_dim_param, at, isl_val_add(old, v));
}

static bool has_variable(const sq_poly *p)
{
    for (int i = 0; i < p->n; i++)
        if (p->t[i].var >= 0)
            return true;
    return false;
}

/* A sum of two sizes or more, or of one and a number, as a number times one stand-in. Others stay
 * as they are. */
static void stand_for_sum(sq_builder *b, sq_poly *p)
{
    int64_t factor = 0;
    bool is_linear = p->n > 1 && !has_variable(p);
    for (int i = 0; i < p->n && is_linear; i++) {
        is_linear = p->t[i].nsizes <= 1 && p->t[i].factor != INT64_MIN;
        factor = is_linear ? sq_gcd(factor, p->t[i].factor) : 0;
    }
    if (!is_linear || factor == 0)
        return;
    isl_aff *sum = sq_affine_zero(b);
    for (int i = 0; i < p->n; i++) {
        int64_t times = p->t[i].factor / factor;
        sum = p->t[i].nsizes ? sq_poly_add_size(b, sum, p->t[i].size[0], times)
                             : isl_aff_add_constant_val(sum, isl_val_int_from_si(b->k->ctx, times));
    }
    *p = (sq_poly){.n = 1,
                   .t = {{.factor = factor, .var = -1, .nsizes = 1, .size = {stand_in(b, sum)}}}};
}

/* ---- products ------------------------------------------------------------------------------ */

static bool multiply_terms(const sq_builder *b, const sq_term *x, const sq_term *y, sq_term *to)
{
    *to = *x;
    b->scop->long_product |= x->nsizes + y->nsizes > SQ_FLAT_DIMS;
    if ((x->var >= 0 && y->var >= 0) || x->nsizes + y->nsizes > SQ_FLAT_DIMS ||
        __builtin_mul_overflow(x->factor, y->factor, &to->factor))
        return false;
    to->var = x->var >= 0 ? x->var : y->var;
    for (int i = 0; i < y->nsizes; i++) {
        int at = to->nsizes++;
        for (; at > 0 && rank_of(b, to->size[at - 1]) > rank_of(b, y->size[i]); at--)
            to->size[at] = to->size[at - 1];
        to->size[at] = y->size[i];
    }
    return true;
}

static bool is_number(const sq_poly *p)
{
    return p->n == 1 && p->t[0].var < 0 && p->t[0].nsizes == 0;
}

static bool multiply(sq_builder *b, sq_poly *x, sq_poly *y, sq_poly *to)
{
    sq_term t;
    to->n = 0;
    if (!is_number(x) && !is_number(y)) {
        stand_for_sum(b, x);
        stand_for_sum(b, y);
    }
    for (int i = 0; i < x->n; i++)
        for (int j = 0; j < y->n; j++)
            if (!multiply_terms(b, &x->t[i], &y->t[j], &t) || !add_term(to, &t))
                return false;
    return true;
}

/* ---- quotients ----------------------------------------------------------------------------- */

static int add_quotient(sq_builder *b, CXCursor c, int turns_of)
{
    struct sq_quotient *q = b->scop->quotients;
    for (; q; q = q->next)
        if (b->r.cl->clang_equalCursors(q->at, c) && q->turns_of == turns_of)
            return q->var;
    q = SQ_NEW(b->r.arena, struct sq_quotient);
    *q = (struct sq_quotient){.next = b->scop->quotients,
                              .var = b->scop->quotients ? b->scop->quotients->var + 1 : SQ_MAX_VARS,
                              .at = c,
                              .turns_of = turns_of};
    b->scop->quotients = q;
    return q->var;
}

static struct sq_quotient *quotient_find(const sq_builder *b, int var)
{
    struct sq_quotient *q = b->scop->quotients;
    while (q->var != var)
        q = q->next;
    return q;
}

/* i / by of the variable of a loop from 0 by `by`; v: the variable. */
static int turns_of(sq_builder *b, int v, int64_t by)
{
    return by == 1 || v < 0 ? v : add_quotient(b, b->r.cl->clang_getNullCursor(), v);
}

/* x / by, x % by or x & (by - 1): a number, a stand-in for what has sizes alone, a variable for the rest. What it
 * is exactly, and whether that is accepted, the reader of affine text says. */
static bool divide(sq_builder *b, CXCursor c, const sq_poly *x, const sq_poly *by, sq_poly *p)
{
    if (!is_number(by) || by->t[0].factor <= 0)
        return false;
    if (is_number(x)) {
        int64_t value = x->t[0].factor, divisor = by->t[0].factor;
        enum CXBinaryOperatorKind op = b->r.cl->clang_getCursorBinaryOperatorKind(c);
        *p = constant(op == CXBinaryOperator_And   ? value & (divisor - 1)
                      : op == CXBinaryOperator_Rem ? value % divisor
                                                   : value / divisor);
        return true;
    }
    if (has_variable(x)) {
        *p = (sq_poly){.n = 1, .t = {{.factor = 1, .var = add_quotient(b, c, -1)}}};
        return true;
    }
    size_t mark = sq_diags_mark(b->r.d);
    isl_aff *value = sq_affine_size(b, c);
    sq_diags_rewind(b->r.d, mark);
    if (!value)
        return false;
    *p = (sq_poly){.n = 1,
                   .t = {{.factor = 1, .var = -1, .nsizes = 1, .size = {stand_in(b, value)}}}};
    return true;
}

/* What the variable of a loop stands for; its dimension counts up by one, it may not. */
isl_aff *sq_poly_variable(sq_builder *b, int var)
{
    if (var < SQ_MAX_VARS)
        return b->var[var].value ? isl_aff_copy(b->var[var].value) : sq_affine_of_var(b, var);
    const struct sq_quotient *q = quotient_find(b, var);
    if (q->turns_of >= 0) /* the dimension, which counts up by one */
        return sq_affine_of_var(b, q->turns_of);
    b->affine_of = SQ_AFFINE_SUBSCRIPT;
    return sq_affine_read(b, q->at);
}

bool sq_poly_value(const sq_builder *b, int var, CXCursor *at)
{
    const struct sq_quotient *q = var < SQ_MAX_VARS ? NULL : quotient_find(b, var);
    if (q && q->is_value)
        *at = q->at;
    return q && q->is_value;
}

/* ---- counters ------------------------------------------------------------------------------ */

static bool count_all(sq_builder *b, CXCursor c, CXCursor decl, sq_poly *to);

/* How many steps there are to an end that is not negative, also said as a polynomial. Takes the end. */
static sq_poly steps_to(sq_builder *b, isl_aff *end, const sq_poly *as, int64_t by)
{
    if (by == 1 || is_number(as)) {
        isl_aff_free(end);
        return by == 1 ? *as : constant((as->t[0].factor + by - 1) / by);
    }
    end = isl_aff_add_constant_si(end, (int)(by - 1));
    end = isl_aff_floor(isl_aff_scale_down_val(end, isl_val_int_from_si(b->k->ctx, (long)by)));
    return (sq_poly){.n = 1, .t = {{.factor = 1, .var = -1, .nsizes = 1, .size = {stand_in(b, end)}}}};
}

/* What a turn of a loop counts, in its body and in its head. */
static bool count_turn(sq_builder *b, CXCursor loop, CXCursor body, CXCursor decl, sq_poly *to)
{
    CXCursor step;
    to->n = 0;
    return count_all(b, body, decl, to) && (!sq_beside_step(b, loop, decl, &step) || count_all(b, step, decl, to));
}

/* Of a loop: it runs as often as its bound says, since the region is for bounds that are not negative. */
static bool count_loop(sq_builder *b, CXCursor loop, CXCursor body, CXCursor decl, sq_poly *to)
{
    int64_t by;
    sq_poly turn, turns, all;
    CXCursor variable, bound;
    if (!sq_counter_bound(b, loop, &variable, &bound, &by) || !count_turn(b, loop, body, decl, &turn) ||
        !sq_poly_read(b, bound, &turns) || has_variable(&turns) || has_variable(&turn))
        return false;
    isl_aff *end = sq_affine_read(b, bound);
    if (!end)
        return false;
    sq_context_add(b, isl_aff_ge_set(isl_aff_copy(end), sq_affine_zero(b)));
    turns = steps_to(b, end, &turns, by);
    return multiply(b, &turns, &turn, &all) && sq_poly_add(to, &all, 1);
}

/* Adds what the statement counts of the variable in all; false where that is no polynomial. */
static bool count_all(sq_builder *b, CXCursor c, CXCursor decl, sq_poly *to)
{
    int n;
    int64_t by;
    sq_poly once;
    CXCursor number, *child = sq_cursor_children(&b->r, c, &n);
    if (sq_scop_assignments(b, c, decl) == 0)
        return true;
    if (sq_counter_counts(b, c, decl, &by)) {
        once = constant(by);
        return sq_poly_add(to, &once, 1);
    }
    if (sq_scop_adds(b, c, decl, &number))
        return sq_poly_read(b, number, &once) && !has_variable(&once) && sq_poly_add(to, &once, 1);
    if (c.kind == CXCursor_ForStmt)
        return count_loop(b, c, child[n - 1], decl, to);
    bool fits = true;
    for (int i = 0; i < n && fits; i++)
        fits = count_all(b, child[i], decl, to);
    return fits;
}

static bool count_before(sq_builder *b, const CXCursor *stmt, int nstmts, CXCursor at, CXCursor decl, sq_poly *to);

/* The same inside of a statement: of a loop, in its turns so far and in this one. */
static bool count_inside(sq_builder *b, CXCursor stmt, CXCursor at, CXCursor decl, sq_poly *to)
{
    int n;
    int64_t by;
    sq_first first;
    CXCursor variable, bound, *child = sq_cursor_children(&b->r, stmt, &n);
    if (stmt.kind == CXCursor_CompoundStmt)
        return count_before(b, child, n, at, decl, to);
    if (stmt.kind != CXCursor_ForStmt || sq_scop_assignments(b, stmt, decl) == 0)
        return true;
    sq_poly turn, turns = {.n = 1, .t = {{.factor = 1}}}, all;
    if (!sq_counter_bound(b, stmt, &variable, &bound, &by) || !count_turn(b, stmt, child[n - 1], decl, &turn))
        return false;
    if (sq_beside_starts(b, stmt, decl, &first))
        *to = sq_poly_first(b, &first);
    turns.t[0].var = turns_of(b, sq_var_find(b, variable), by);
    return turns.t[0].var >= 0 && multiply(b, &turns, &turn, &all) && sq_poly_add(to, &all, 1) &&
           count_before(b, &child[n - 1], 1, at, decl, to);
}

/* Adds what is counted before the text `at`, which is inside of one of the statements. */
static bool count_before(sq_builder *b, const CXCursor *stmt, int nstmts, CXCursor at, CXCursor decl, sq_poly *to)
{
    int i = 0;
    for (; i < nstmts && !sq_scop_holds(b, stmt[i], at); i++) {
        sq_first first;
        bool sets = sq_counter_sets(b, stmt[i], decl, &first); /* of those between the loops */
        if (sets || sq_beside_starts(b, stmt[i], decl, &first))
            *to = sq_poly_first(b, &first);
        if (!sets && !count_all(b, stmt[i], decl, to))
            return false;
    }
    for (int j = i + 1; j < nstmts; j++)
        if (sq_scop_holds(b, stmt[j], at))
            return false; /* a macro has both: which of them is not known */
    return i < nstmts && count_inside(b, stmt[i], at, decl, to);
}

/* What a counter is there; false: the name is none. */
static bool read_counter(sq_builder *b, CXCursor c, sq_poly *p)
{
    int n;
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    CXCursor name = c.kind == CXCursor_UnaryOperator && n == 1 ? sq_cursor_strip(&b->r, child[0]) : c;
    enum CXUnaryOperatorKind kind = b->r.cl->clang_getCursorUnaryOperatorKind(c);
    bool is_step = kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PostDec;
    if (name.kind != CXCursor_DeclRefExpr || (c.kind == CXCursor_UnaryOperator && !is_step))
        return false;
    const sq_counter *k = sq_counter_find(b, b->r.cl->clang_getCursorReferenced(name));
    if (!k)
        return false;
    *p = k->is_given ? sq_poly_of(sq_scop_use(b, k->decl)->symbol->size) : constant(k->start);
    return count_before(b, k->stmt, k->nstmts, c, k->decl, p);
}

isl_aff *sq_poly_counter(sq_builder *b, CXCursor c)
{
    sq_poly p;
    if (!read_counter(b, c, &p))
        return NULL;
    isl_aff *a = sq_affine_zero(b);
    for (int i = 0; i < p.n && a; i++) {
        const sq_term *t = &p.t[i];
        isl_val *v = isl_val_int_from_si(b->k->ctx, t->factor);
        if (t->var >= 0 && t->nsizes == 0)
            a = isl_aff_add(a, isl_aff_scale_val(sq_poly_variable(b, t->var), v));
        else if (t->var < 0 && t->nsizes == 0)
            a = isl_aff_add_constant_val(a, v);
        else {
            isl_val_free(v);
            a = t->var < 0 && t->nsizes == 1 ? sq_poly_add_size(b, a, t->size[0], t->factor) : isl_aff_free(a);
        }
    }
    return a;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* Of uint64_t int64_t does not hold all. */
static bool fits_signed(const sq_builder *b, CXCursor c, int64_t value)
{
    return value >= 0 || sq_type_read(b, b->r.cl->clang_getCursorType(c)) != SQ_U64;
}

static bool read_constant(const sq_builder *b, CXCursor c, sq_poly *p)
{
    CXEvalResult e = b->r.cl->clang_Cursor_Evaluate(c);
    if (!e)
        return false;
    int64_t value = b->r.cl->clang_EvalResult_getAsLongLong(e);
    bool fits = b->r.cl->clang_EvalResult_getKind(e) == CXEval_Int && fits_signed(b, c, value);
    *p = constant(value);
    b->r.cl->clang_EvalResult_dispose(e);
    return fits;
}

static bool read_number(sq_builder *b, CXCursor decl, sq_poly *p)
{
    int64_t value;
    if (!sq_integer_constant(b, decl, &value) || !fits_signed(b, decl, value))
        return false;
    *p = constant(value);
    return true;
}

/* True of a factor that is none, and of what no shape has as the length of rows. */
static bool is_number_here(const sq_builder *b, const sq_size *s)
{
    return s == b->scop->number || (s->fixed && (s->value == 1 || b->scop->numbers));
}

static bool read_name(sq_builder *b, CXCursor c, sq_poly *p)
{
    CXCursor value, decl = b->r.cl->clang_getCursorReferenced(c);
    const sq_symbol *s = sq_symbol_find(b, decl);
    int v = sq_var_find(b, decl);
    *p = (sq_poly){.n = 1, .t = {{.factor = 1, .var = v}}};
    if (s && s->kind == SQ_SYM_SIZE && is_number_here(b, s->size))
        *p = constant(s->size->fixed ? s->size->value : 2); /* any: whether a shape fits then is tried */
    else if (s && s->kind == SQ_SYM_SIZE)
        p->t[0].size[p->t[0].nsizes++] = s->size;
    else if (v < 0)
        return read_number(b, decl, p) ||
               (sq_scop_meaning(b, decl, &value) && !sq_scop_is_stepped(b, value) && sq_poly_read(b, value, p));
    return true;
}

/* y of x << y and x >> y becomes 2^y, by which x is multiplied or divided. A negative number that is shifted right is
 * rounded another way than where it is divided. */
static bool read_shift(const sq_poly *x, sq_poly *y, bool right)
{
    if (!is_number(y) || y->t[0].factor < 0 || y->t[0].factor >= 32 || (right && is_number(x) && x->t[0].factor < 0))
        return false;
    *y = constant(INT64_C(1) << y->t[0].factor);
    return true;
}

/* What a mask leaves is the rest by one more; false: it is none of 1, 3, 7 and so on. */
static bool read_mask(sq_poly *y)
{
    int64_t last = is_number(y) ? y->t[0].factor : -1;
    bool fits = last >= 0 && last < INT64_C(1) << 32 && (last & (last + 1)) == 0;
    if (fits)
        *y = constant(last + 1);
    return fits;
}

/* A product of 32-bit unsigned numbers goes on at 0 past 2^32. */
static bool wraps(const sq_builder *b, CXCursor c)
{
    return b->r.cl->clang_getCanonicalType(b->r.cl->clang_getCursorType(c)).kind == CXType_UInt;
}

/* x % n of a size n, as clamped.c has it; where only shapes are of interest, what of x has variables. */
static bool read_turned(sq_builder *b, CXCursor c, const sq_poly *x, const sq_poly *n, sq_poly *p)
{
    int turns = sq_clamped_turns(b, c);
    *p = (sq_poly){.n = 0};
    for (int t = 0; t < x->n; t++)
        if (turns >= 0 || x->t[t].var >= 0)
            p->t[p->n++] = x->t[t];
    for (int i = 0; i < turns; i++)
        if (!sq_poly_add(p, n, -1))
            return false;
    return turns >= 0 || b->scop->finds_shape;
}

static bool read_operator(sq_builder *b, CXCursor c, sq_poly *p)
{
    int n;
    sq_poly x, y;
    CXCursor *arg = sq_cursor_children(&b->r, c, &n);
    enum CXBinaryOperatorKind op = b->r.cl->clang_getCursorBinaryOperatorKind(c);
    if (n != 2 || !sq_poly_read(b, arg[0], &x) || !sq_poly_read(b, arg[1], &y))
        return false;
    switch (op) {
    case CXBinaryOperator_Mul:
        return !wraps(b, c) && multiply(b, &x, &y, p);
    case CXBinaryOperator_Shl:
        return !wraps(b, c) && read_shift(&x, &y, false) && multiply(b, &x, &y, p);
    case CXBinaryOperator_Shr:
        return read_shift(&x, &y, true) && divide(b, c, &x, &y, p);
    case CXBinaryOperator_And:
        return is_number(&y) ? read_mask(&y) && divide(b, c, &x, &y, p) : read_mask(&x) && divide(b, c, &y, &x, p);
    case CXBinaryOperator_Rem:
        return is_number(&y) || has_variable(&y) ? divide(b, c, &x, &y, p) : read_turned(b, c, &x, &y, p);
    case CXBinaryOperator_Div:
        return divide(b, c, &x, &y, p);
    default:
        *p = x;
        return (op == CXBinaryOperator_Add || op == CXBinaryOperator_Sub) &&
               sq_poly_add(p, &y, op == CXBinaryOperator_Add ? 1 : -1);
    }
}

static bool read_sign(sq_builder *b, CXCursor c, sq_poly *p)
{
    int n;
    sq_poly x;
    CXCursor *arg = sq_cursor_children(&b->r, c, &n);
    enum CXUnaryOperatorKind op = b->r.cl->clang_getCursorUnaryOperatorKind(c);
    p->n = 0;
    return (op == CXUnaryOperator_Minus || op == CXUnaryOperator_Plus) && n == 1 &&
           sq_poly_read(b, arg[0], &x) && sq_poly_add(p, &x, op == CXUnaryOperator_Minus ? -1 : 1);
}

/* The side of a choice that is taken (clamped.c); where only shapes are of interest, the one that has variables. */
static bool read_choice(sq_builder *b, CXCursor c, sq_poly *p)
{
    int n;
    bool holds;
    sq_poly other;
    CXCursor *part = sq_cursor_children(&b->r, c, &n);
    if (n == 3 && sq_clamped_side(b, c, &holds))
        return sq_poly_read(b, part[holds ? 1 : 2], p);
    if (n != 3 || !b->scop->finds_shape || !sq_poly_read(b, part[1], p) || !sq_poly_read(b, part[2], &other))
        return false;
    *p = has_variable(p) ? *p : other;
    return true;
}

/* What arrays say, x[i] or x[i] & 15, is one variable. */
static bool read_value(sq_builder *b, CXCursor c, sq_poly *p)
{
    int64_t number;
    if (!sq_indirect_is(b, c) || sq_cursor_evaluated(&b->r, c, &number))
        return false;
    *p = (sq_poly){.n = 1, .t = {{.factor = 1, .var = add_quotient(b, c, -1)}}};
    quotient_find(b, p->t[0].var)->is_value = true;
    return true;
}

/* True of what is read by its operands, values or not: x[i]*n. */
static bool is_linear(const sq_builder *b, CXCursor c)
{
    enum CXBinaryOperatorKind two = b->r.cl->clang_getCursorBinaryOperatorKind(c);
    enum CXUnaryOperatorKind one = b->r.cl->clang_getCursorUnaryOperatorKind(c);
    return c.kind == CXCursor_DeclRefExpr ||
           (c.kind == CXCursor_BinaryOperator &&
            (two == CXBinaryOperator_Add || two == CXBinaryOperator_Sub || two == CXBinaryOperator_Mul ||
             two == CXBinaryOperator_Shl)) ||
           (c.kind == CXCursor_UnaryOperator && (one == CXUnaryOperator_Plus || one == CXUnaryOperator_Minus));
}

bool sq_poly_read(sq_builder *b, CXCursor c, sq_poly *p)
{
    int n;
    c = sq_cursor_strip(&b->r, c);
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    if (read_counter(b, c, p) || (!is_linear(b, c) && read_value(b, c, p)))
        return true;
    switch (c.kind) {
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
        return read_constant(b, c, p);
    case CXCursor_DeclRefExpr:
        return read_name(b, c, p) || read_value(b, c, p);
    case CXCursor_BinaryOperator:
        return read_operator(b, c, p) || read_value(b, c, p);
    case CXCursor_UnaryOperator:
        return read_sign(b, c, p);
    case CXCursor_ConditionalOperator:
        return read_choice(b, c, p);
    case CXCursor_CStyleCastExpr:
        return n > 0 && sq_cast_keeps(&b->r, c, child[n - 1]) && sq_poly_read(b, child[n - 1], p);
    default:
        return false;
    }
}
