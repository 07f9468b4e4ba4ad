/* Indirect: subscripts that are values, T[X[i]]. Where such an element lies is known when the kernel runs, so that
 * it is in bounds is proven here for all values that the subscript can have: an interval of affine forms,
 * computed from the types of the elements it is made of, from what assumes say of them (elements.c) and from the
 * operators that limit it (& % >> min max).
 * Arrays that are read so, and those that say where, keep their values: no statement writes them, and no dependence
 * has to be known. One that says where may be written in place, p[i] = t[p[i]]: what the element was is read before.
 * Method: interval arithmetic; R. E. Moore, Interval Analysis, 1966. */
#include "frontend/scop_build.h"
#include "ir/kernel/narrow.h"
#include "ir/kernel/touch.h"
#include <isl/aff.h>
#include <isl/space.h>
#include <isl/val.h>

/* Between lo and hi, ends included. */
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

/* What is known of a value inside of a choice: `x < n ? x : 0` has in its first arm an x below n. */
typedef struct fact {
    const struct fact *outer;
    const sq_expr *of;
    interval r; /* NULL: no limit on that side */
} fact;

static interval range_of(sq_builder *b, const sq_expr *e, const fact *known);

/* The same in the space of the universe. */
static isl_pw_aff *spread(const sq_builder *b, isl_aff *of_sizes)
{
    return isl_pw_aff_insert_domain(isl_pw_aff_from_aff(isl_aff_copy(of_sizes)), isl_space_copy(b->universe));
}

/* True if an assume says of the element how far it may be, as far as int64_t can tell. */
static bool is_promised(const sq_expr *e)
{
    const sq_array *a = e->op == SQ_OP_READ ? e->access->array : NULL;
    return a && (a->most || (a->least && e->type != SQ_U64));
}

/* An element: between what an assume says or its type. Where it is not read it is a number as well, the one beside the
 * array. */
static interval of_element(const sq_builder *b, const sq_expr *e)
{
    const sq_access *a = e->access;
    sq_range type = sq_type_range(e->type);
    if (e->type == SQ_U64) /* of which int64_t has no number for the upper half */
        type.lo = 0;
    interval r = {a->array->least ? spread(b, a->array->least) : number(b, type.lo),
                  a->array->most ? spread(b, a->array->most) : number(b, type.hi)};
    if (a->edge != SQ_EDGE_PAD && !a->where)
        return r;
    int64_t beside = a->edge == SQ_EDGE_PAD ? a->outside.integer : 0;
    return (interval){isl_pw_aff_min(r.lo, number(b, beside)), isl_pw_aff_max(r.hi, number(b, beside))};
}

/* Times a constant, of which the second one is: c * x has become x * c. */
static bool product_of(sq_builder *b, const sq_expr *e, const fact *known, interval *r)
{
    int64_t c;
    int at = sq_expr_is_constant(e->arg[0], &c) ? 0 : 1;
    if (!sq_expr_is_constant(e->arg[at], &c))
        return false;
    interval x = range_of(b, e->arg[1 - at], known);
    isl_val *by = isl_val_int_from_si(b->k->ctx, (long)c);
    x.lo = isl_pw_aff_scale_val(x.lo, isl_val_copy(by));
    x.hi = isl_pw_aff_scale_val(x.hi, by);
    *r = c < 0 ? (interval){x.hi, x.lo} : x;
    return true;
}

/* x % y of a y above 0: as far from 0 as y - 1, on the side of x. Takes y. */
static bool remainder_of(sq_builder *b, const sq_expr *e, interval y, interval *r)
{
    isl_set *others = sq_known(b, isl_pw_aff_nonneg_set(isl_pw_aff_neg(y.lo)));
    bool is_positive = isl_set_is_empty(others) == isl_bool_true;
    isl_set_free(others);
    r->hi = isl_pw_aff_sub(y.hi, number(b, 1));
    r->lo =
        sq_expr_range(e->arg[0]).lo >= 0 ? number(b, 0) : isl_pw_aff_neg(isl_pw_aff_copy(r->hi));
    if (!is_positive)
        discard(*r);
    return is_positive;
}

static bool of_two(sq_builder *b, const sq_expr *e, const fact *known, interval *r)
{
    if (e->op == SQ_OP_MUL)
        return product_of(b, e, known, r);
    if (e->op != SQ_OP_ADD && e->op != SQ_OP_SUB && e->op != SQ_OP_MIN && e->op != SQ_OP_MAX)
        return false;
    interval x = range_of(b, e->arg[0], known), y = range_of(b, e->arg[1], known);
    if (e->op == SQ_OP_ADD)
        *r = (interval){isl_pw_aff_add(x.lo, y.lo), isl_pw_aff_add(x.hi, y.hi)};
    else if (e->op == SQ_OP_SUB)
        *r = (interval){isl_pw_aff_sub(x.lo, y.hi), isl_pw_aff_sub(x.hi, y.lo)};
    else if (e->op == SQ_OP_MIN)
        *r = (interval){isl_pw_aff_min(x.lo, y.lo), isl_pw_aff_min(x.hi, y.hi)};
    else
        *r = (interval){isl_pw_aff_max(x.lo, y.lo), isl_pw_aff_max(x.hi, y.hi)};
    return true;
}

/* True if the ends are far from those of int64_t, where arithmetic would go on at the other end: at all sizes that
 * arrays have. */
static bool is_far(sq_builder *b, interval r)
{
    isl_ctx *ctx = b->k->ctx;
    isl_val *most = isl_val_2exp(isl_val_int_from_si(ctx, 62));
    isl_pw_aff *end = isl_pw_aff_from_aff(isl_aff_add_constant_val(sq_affine_zero(b), most));
    isl_set *bad = isl_pw_aff_ge_set(isl_pw_aff_copy(r.hi), isl_pw_aff_copy(end));
    bad = isl_set_union(bad, isl_pw_aff_le_set(isl_pw_aff_copy(r.lo), isl_pw_aff_neg(end)));
    bad = sq_known(b, bad);
    for (unsigned i = 0; i < (unsigned)isl_set_dim(bad, isl_dim_param); i++) {
        isl_val *size = isl_val_2exp(isl_val_int_from_si(ctx, 40));
        bad = isl_set_upper_bound_val(bad, isl_dim_param, i, isl_val_copy(size));
        bad = isl_set_lower_bound_val(bad, isl_dim_param, i, isl_val_neg(size));
    }
    bool far = isl_set_is_empty(bad) == isl_bool_true;
    isl_set_free(bad);
    return far;
}

/* An arm of a choice, whose condition holds there or does not: a comparison limits both of its sides. */
static interval of_arm(sq_builder *b, const sq_expr *e, const sq_expr *condition, bool holds,
                       const fact *known)
{
    bool strict = (condition->op == SQ_OP_LT) == holds;
    if ((condition->op != SQ_OP_LT && condition->op != SQ_OP_LE) ||
        condition->arg[0]->type == SQ_U64)
        return range_of(b, e, known);
    interval p = range_of(b, condition->arg[0], known), q = range_of(b, condition->arg[1], known);
    const sq_expr *less = condition->arg[holds ? 0 : 1], *more = condition->arg[holds ? 1 : 0];
    if (!holds) {
        interval swapped = p;
        p = q;
        q = swapped;
    }
    fact least = {known, more, {isl_pw_aff_add(p.lo, number(b, strict)), NULL}};
    fact most = {&least, less, {NULL, isl_pw_aff_sub(q.hi, number(b, strict))}};
    isl_pw_aff_free(p.hi);
    isl_pw_aff_free(q.lo);
    interval r = range_of(b, e, &most);
    isl_pw_aff_free(least.r.lo);
    isl_pw_aff_free(most.r.hi);
    return r;
}

/* The limits that operands give, before the type's own; false: none. */
static bool of_operands(sq_builder *b, const sq_expr *e, const fact *known, interval *r)
{
    if (e->op == SQ_OP_MOD)
        return remainder_of(b, e, range_of(b, e->arg[1], known), r);
    if (e->op == SQ_OP_CAST)
        *r = range_of(b, e->arg[0], known);
    if (e->op != SQ_OP_SELECT)
        return e->op == SQ_OP_CAST || of_two(b, e, known, r);
    interval x = of_arm(b, e->arg[1], e->arg[0], true, known);
    interval y = of_arm(b, e->arg[2], e->arg[0], false, known);
    *r = (interval){isl_pw_aff_min(x.lo, y.lo), isl_pw_aff_max(x.hi, y.hi)};
    return true;
}

static interval with_facts(const sq_expr *e, interval r, const fact *known)
{
    for (; known; known = known->outer) {
        if (!sq_expr_same(e, known->of))
            continue;
        if (known->r.lo)
            r.lo = isl_pw_aff_max(r.lo, isl_pw_aff_copy(known->r.lo));
        if (known->r.hi)
            r.hi = isl_pw_aff_min(r.hi, isl_pw_aff_copy(known->r.hi));
    }
    return r;
}

/* Between numbers as far as they are known (ir/kernel/narrow.h), and where sizes limit it between these. What leaves
 * its type goes on at the type's other end, and may then be anything that the type holds. */
static interval range_of(sq_builder *b, const sq_expr *e, const fact *known)
{
    isl_pw_aff *form = sq_expr_affine(b, e);
    if (form)
        return (interval){form, isl_pw_aff_copy(form)};
    if (is_promised(e))
        return with_facts(e, of_element(b, e), known);
    sq_range own = sq_expr_range(e);
    interval all = {number(b, own.lo), number(b, own.hi)}, r;
    bool beyond = e->type == SQ_U64 || (e->nargs && e->arg[e->nargs - 1]->type == SQ_U64);
    if (beyond) /* int64_t has no number for it */
        return all;
    if (!of_operands(b, e, known, &r))
        return with_facts(e, all, known);
    bool chooses = e->op == SQ_OP_MIN || e->op == SQ_OP_MAX || e->op == SQ_OP_SELECT;
    bool keeps = sq_unsigned_keeps(b, r.lo, e->type) && sq_unsigned_keeps(b, r.hi, e->type);
    bool sums = e->op == SQ_OP_ADD || e->op == SQ_OP_SUB || e->op == SQ_OP_MUL;
    if (chooses || (keeps && (sq_type_bytes(e->type) < 8 || !sums || is_far(b, r))))
        return with_facts(e, (interval){isl_pw_aff_max(all.lo, r.lo), isl_pw_aff_min(all.hi, r.hi)},
                          known);
    discard(r);
    return with_facts(e, all, known);
}

/* ---- subscripts ---------------------------------------------------------------------------- */

/* Instances, with arrays that have elements, at which the subscript may be outside of its dimension. */
static isl_set *outside(sq_builder *b, interval r, isl_aff *extent)
{
    isl_pw_aff *n = isl_pw_aff_from_aff(isl_aff_copy(extent));
    isl_set *some = isl_pw_aff_pos_set(isl_pw_aff_copy(n));
    isl_set *bad = isl_pw_aff_lt_set(isl_pw_aff_copy(r.lo), number(b, 0));
    bad = isl_set_union(bad, isl_pw_aff_ge_set(isl_pw_aff_copy(r.hi), n));
    return sq_known(b, isl_set_intersect(bad, some));
}

/* The first array with elements of which an assume could say more; NULL: none. */
static const sq_array *unknown_in(const sq_expr *e)
{
    const sq_array *own = e->op == SQ_OP_READ ? e->access->array : NULL, *found = NULL;
    if (own && own->role != SQ_LOCAL && (!own->least || !own->most))
        return own;
    for (int i = 0; i < e->nargs && !found && e->op != SQ_OP_READ; i++)
        found = unknown_in(e->arg[i]);
    return found;
}

/* The length of rows that x * 64 + j says, where x is a value; 0: it is another form. */
static int64_t row_in(const sq_expr *e)
{
    int64_t row = 0;
    for (int i = 0; i < e->nargs && e->op == SQ_OP_ADD && row == 0; i++) {
        const sq_expr *x = e->arg[i];
        for (int k = 0; k < 2 && x->op == SQ_OP_MUL; k++)
            if (x->arg[k]->op == SQ_OP_CONST && x->arg[1 - k]->op == SQ_OP_READ)
                row = x->arg[k]->integer;
    }
    return row > 1 ? row : 0;
}

static void help_described(sq_builder *b, const sq_array *of, const sq_expr *e)
{
    const sq_array *a = unknown_in(e);
    int64_t row = row_in(e);
    if (row) {
        sq_help(b->r.d, SQ_NOWHERE,
                "declare rows, %s[…][%lld], and write %s[x][j] for %s[x*%lld + j], whose product may pass the end of "
                "its type",
                of->name, (long long)row, of->name, of->name, (long long)row);
        return;
    }
    sq_help(b->r.d, SQ_NOWHERE, "clampedge(%s[…]) takes the nearest element", of->name);
    if (a)
        sq_help(b->r.d, SQ_NOWHERE,
                "if callers promise where elements of '%s' are, assume(%s[…] >= 0 && %s[…] < …) says so", a->name,
                a->name, a->name);
}

/* As it is at usual sizes: at the greatest, ends of types count as well. NULL: it has several pieces, or indices. */
static const char *end_text(const sq_builder *b, isl_pw_aff *end)
{
    isl_set *usual = isl_set_universe(isl_set_get_space(b->k->context));
    for (unsigned i = 0; i < (unsigned)isl_set_dim(usual, isl_dim_param); i++)
        usual = isl_set_upper_bound_si(usual, isl_dim_param, i, INT32_MAX - 1);
    isl_aff *a = sq_affine_sole(b, isl_pw_aff_intersect_params(isl_pw_aff_copy(end), usual));
    const char *text = a ? sq_affine_text(b, a) : NULL;
    isl_aff_free(a);
    return text;
}

static bool has_promise(const sq_expr *e)
{
    bool has = is_promised(e);
    for (int i = 0; i < e->nargs && e->op != SQ_OP_READ; i++)
        has |= has_promise(e->arg[i]);
    return has;
}

/* Between what the value is known to be: by its types, and where assumes say something of its elements, by sizes. */
static const char *limits_of(sq_builder *b, const sq_expr *e)
{
    sq_range own = sq_expr_range(e);
    interval r = range_of(b, e, NULL);
    const char *lo = end_text(b, r.lo), *hi = end_text(b, r.hi);
    bool is_open = own.lo == INT64_MIN || own.hi == INT64_MAX, tells = has_promise(e) || (is_open && is_far(b, r));
    discard(r);
    if (tells && lo && hi)
        return sq_arena_printf(b->r.arena, "from %s to %s", lo, hi);
    return is_open
               ? "without known limits"
               : sq_arena_printf(b->r.arena, "from %lld to %lld", (long long)own.lo, (long long)own.hi);
}

/* t[x[i] + j] behind a pointer: where that ends, an index says, too. True after saying so. */
static bool tell_of_row(sq_builder *b, CXCursor c, const sq_symbol *s, int d, const sq_expr *e)
{
    interval r = range_of(b, e, NULL);
    bool moves = isl_pw_aff_involves_dims(r.hi, isl_dim_in, 0, (unsigned)b->nvars) == isl_bool_true;
    discard(r);
    if (!b->scop || !s->open || d > 0 || !moves)
        return false;
    const char *type = sq_type_ctype(s->array->type), *name = s->array->name;
    sq_refuse(b, c,
              "subscript 1 of '%s' adds an index to a value; accepted are values alone, and a value that the length of "
              "all rows multiplies, %s[x*64 + j]",
              name, name);
    sq_help(b->r.d, SQ_NOWHERE,
            "rows of another length have a pointer of their own: before the region const %s (*rows)[32] = "
            "(const %s (*)[32])%s, and rows[x][j] for %s[x*32 + j]",
            type, type, name, name);
    return true;
}

static void tell(sq_builder *b, CXCursor c, const sq_symbol *s, int d, const sq_expr *e)
{
    if (tell_of_row(b, c, s, d, e))
        return;
    const char *limits = limits_of(b, e);
    sq_refuse(b, c,
              "subscript %d of '%s' is a value %s, and may be out of bounds; accepted are values "
              "that their type%s limits, or & %% >> %s?:",
              d + 1, s->array->name, limits, b->scop ? "" : " or an assume", b->scop ? "" : "min2 max2 ");
    if (b->scop)
        sq_help(b->r.d, SQ_NOWHERE,
                "limit it, as in x < 0 ? 0 : x > n - 1 ? n - 1 : x, or leave this loop as it is, "
                "outside of the region");
    else
        help_described(b, s->array, e);
}

/* True if an int holds it: a number, or a size that is one. */
static bool is_int(const sq_builder *b, isl_aff *extent)
{
    isl_val *v = isl_aff_get_constant_val(extent);
    bool fits = isl_aff_is_cst(extent) == isl_bool_true && isl_val_cmp_si(v, INT32_MAX) <= 0;
    for (int i = 0; i < b->k->nsizes && !fits; i++) {
        isl_aff *size = sq_affine_zero(b);
        int at = isl_space_find_dim_by_name(b->universe, isl_dim_param, b->k->size[i]->name);
        if (at >= 0 && b->k->size[i]->type == SQ_I32)
            size = isl_aff_add_coefficient_si(size, isl_dim_param, at, 1);
        fits = at >= 0 && isl_aff_plain_is_equal(size, extent) == isl_bool_true;
        isl_aff_free(size);
    }
    isl_val_free(v);
    return fits;
}

/* The nearest place of the dimension; the lesser one first, as int64_t may not hold what uint64_t does. */
static sq_expr *clamped(sq_builder *b, sq_expr *e, isl_aff *extent)
{
    isl_val *one = isl_val_one(b->k->ctx);
    sq_expr *last = sq_expr_new(b, SQ_OP_INDEX, is_int(b, extent) ? SQ_I32 : SQ_I64, e->loc);
    last->index = isl_aff_add_constant_val(isl_aff_copy(extent), isl_val_neg(one));
    sq_builder_own(b, NULL, last, NULL);
    sq_expr *low = sq_expr_binary(b, SQ_OP_MIN, e, last, e->loc);
    sq_expr *zero = sq_expr_constant(b, low->type, 0, 0, e->loc);
    return sq_expr_cast(b, SQ_I64, sq_expr_binary(b, SQ_OP_MAX, low, zero, e->loc));
}

static bool has_real(const sq_expr *e)
{
    bool has = sq_type_real(e->type);
    for (int i = 0; i < e->nargs; i++)
        has |= has_real(e->arg[i]);
    return has;
}

/* True if there are no such instances of a region, which does without the sizes for which there are. Takes the set. */
static bool never(sq_builder *b, isl_set *bad)
{
    const char *sizes;
    if (isl_set_is_empty(bad) != isl_bool_true)
        return sq_sizes_exclude(b, bad, &sizes) == 0;
    isl_set_free(bad);
    return true;
}

/* Of an array as long as its accesses reach, the subscript is not negative and ends somewhere: at a number that an
 * array can have, or at one of sizes alone. */
static bool reaches(sq_builder *b, sq_symbol *s, interval r)
{
    const int longest = 1 << 28;
    isl_set *bad = isl_pw_aff_lt_set(isl_pw_aff_copy(r.lo), number(b, 0));
    isl_set *far = isl_pw_aff_ge_set(isl_pw_aff_copy(r.hi), number(b, longest));
    bool of_sizes =
        isl_pw_aff_involves_dims(r.hi, isl_dim_in, 0, (unsigned)b->nvars) == isl_bool_false;
    if (isl_pw_aff_is_cst(r.hi) == isl_bool_true)
        bad = isl_set_union(bad, isl_set_copy(far));
    isl_set_free(far);
    bool fine = never(b, sq_known(b, bad)) && of_sizes;
    if (!fine)
        return false;
    isl_pw_aff *most = isl_pw_aff_project_domain_on_params(isl_pw_aff_copy(r.hi));
    isl_set *sizes = sq_sizes_of_types(b, isl_set_copy(b->k->context));
    most = isl_pw_aff_coalesce(isl_pw_aff_intersect_params(most, sizes));
    s->most = s->most ? isl_pw_aff_union_max(s->most, most) : most;
    return true;
}

/* True if the place is inside of its dimension at all sizes of a set, which this takes, at which there are elements:
 * those are asked for like those of other reads. *bad, if it is not NULL: the sizes at which it may not be. */
static bool is_inside_at(sq_builder *b, sq_symbol *s, int d, const sq_expr *e, isl_set *sizes,
                         isl_set **bad)
{
    isl_set *known = b->k->context;
    isl_pw_aff *extent = isl_pw_aff_from_aff(isl_aff_copy(s->extent[d]));
    b->k->context = isl_set_intersect(sizes, isl_set_params(isl_pw_aff_pos_set(extent)));
    interval r = range_of(b, e, NULL);
    isl_set *out = outside(b, r, s->extent[d]);
    discard(r);
    isl_set_free(b->k->context);
    b->k->context = known;
    bool inside = isl_set_is_empty(out) == isl_bool_true;
    if (bad)
        *bad = isl_set_params(out);
    else
        isl_set_free(out);
    return inside;
}

/* Which assumes are needed depends on where the place may lie without them. */
static bool is_inside_described(sq_builder *b, sq_symbol *s, int d, const sq_expr *e)
{
    isl_set *bad;
    if (!is_inside_at(b, s, d, e, isl_set_copy(b->k->context), NULL))
        return false;
    is_inside_at(b, s, d, e, isl_set_copy(b->k->shapes), &bad);
    b->k->beyond = b->k->beyond ? isl_set_union(b->k->beyond, bad) : bad;
    return true;
}

static bool is_inside_region(sq_builder *b, sq_symbol *s, int d, const sq_expr *e)
{
    interval r = range_of(b, e, NULL);
    bool inside = s->open && d == 0 ? reaches(b, s, r) : never(b, outside(b, r, s->extent[d]));
    discard(r);
    return inside;
}

/* Conditions around do not count: vectors read what both sides of a choice do. */
static bool is_inside(sq_builder *b, sq_symbol *s, int d, const sq_expr *e)
{
    isl_set *where = b->where;
    b->where = NULL;
    bool inside = b->scop ? is_inside_region(b, s, d, e) : is_inside_described(b, s, d, e);
    b->where = where;
    return inside;
}

/* x[i] and one row more, of t[(x[i] + 1)*64 + j]: neither leaves 64 bits. */
static sq_expr *sum_of(sq_builder *b, sq_expr *e, isl_aff *beside /* __isl_keep */)
{
    if (!e || !beside || isl_aff_plain_is_zero(beside) == isl_bool_true)
        return e;
    sq_expr *more = sq_expr_new(b, SQ_OP_INDEX, SQ_I64, e->loc);
    more->index = isl_aff_copy(beside);
    sq_builder_own(b, NULL, more, NULL);
    return sq_expr_binary(b, SQ_OP_ADD, sq_expr_cast(b, SQ_I64, e), more, e->loc);
}

sq_expr *sq_indirect_read(sq_builder *b, CXCursor c, sq_symbol *s, int d, sq_edge edge, isl_aff *beside)
{
    sq_reading own = {.inside = true};
    bool follows = b->follows_names;
    b->follows_names = true;
    sq_expr *e = sum_of(b, sq_value_read(b, c, &own), beside);
    b->follows_names = follows;
    if (!e)
        return NULL;
    if (has_real(e)) {
        sq_refuse(b, c, "subscripts are made of integers alone; accepted is no conversion from floating point");
        if (b->scop)
            sq_help(b->r.d, SQ_NOWHERE, SQ_HELP_REAL_SUBSCRIPT);
        return NULL;
    }
    if (edge == SQ_EDGE_CLAMP)
        return clamped(b, e, s->extent[d]);
    bool fine = is_inside(b, s, d, e);
    if (!fine)
        tell(b, c, s, d, e);
    return fine ? sq_expr_cast(b, SQ_I64, e) : NULL;
}

sq_expr *sq_indirect_name(sq_builder *b, const sq_symbol *s, CXCursor value)
{
    sq_reading own = {.inside = true};
    int type = sq_type_read(b, b->r.cl->clang_getCursorType(s->decl));
    sq_expr *e = sq_value_read(b, value, &own);
    s->array->is_named = true; /* it is read, though not by its name */
    return e ? sq_expr_promoted(b, sq_expr_cast(b, (sq_type)type, e)) : NULL;
}

/* ---- arrays -------------------------------------------------------------------------------- */

typedef struct reads {
    sq_builder *b;
    const sq_stmt *stmt;     /* whose value is looked at */
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

/* True if the statement alone writes the array, each element once, and reads here the one that it writes. The read may
 * stand in the place of a name that was given before, int k = p[i]: nothing has written the element since. */
static bool is_in_place(const sq_kernel *k, const sq_stmt *s, const sq_access *read)
{
    for (int i = 0; i < k->nstmts; i++)
        if (k->stmt[i] != s && sq_arrays_overlap(k->stmt[i]->write->array, read->array))
            return false;
    if (s->write->array != read->array || read->indirect || read->array->role == SQ_LOCAL || s->body)
        return false;
    isl_map *from = sq_touch_rel(k, s, read, false), *to = sq_touch_rel(k, s, s->write, false);
    bool own = isl_map_is_subset(from, to) == isl_bool_true && isl_map_is_injective(to) == isl_bool_true;
    isl_map_free(from);
    isl_map_free(to);
    return own;
}

static void look(sq_expr *e, void *user);

static void look_at_subscripts(sq_expr *e, reads *r)
{
    for (int i = 0; i < e->nargs; i++)
        sq_expr_walk(e->arg[i], look, r);
    if (!r->written && is_written(r->b->k, e->access->array) && !is_in_place(r->b->k, r->stmt, e->access)) {
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
        r.stmt = b->k->stmt[i];
        sq_expr_walk(b->k->stmt[i]->body, look_for_indirect, &r);
        sq_expr_walk(b->k->stmt[i]->value, look_for_indirect, &r);
    }
    if (!r.written)
        return 0;
    sq_error(b->r.d, SQ_FAULT_INPUT, r.loc,
             "'%s' takes part in a subscript that is a value, and is written in this "
             "kernel; accepted are arrays that are only read",
             r.written->name);
    if (r.written->role != SQ_LOCAL)
        sq_help(b->r.d, SQ_NOWHERE,
                "write the results to another array, as in y[i] = t[x[i]], or, in one statement, to the element that "
                "said the place, as in x[i] = t[x[i]]");
    return -1;
}
