/* Facts about statements that determine which schedules they allow: whether the value is linear in
 * its reduction, whether a dimension's bounds are independent of the others, whether the output
 * array can hold partial sums, which reads a packed copy serves. All follow from the form of
 * expression trees and constraints, without solving: they are needed for every candidate of a
 * search. */
#include "ir/schedule/schedule.h"
#include "ir/kernel/narrow.h"
#include "support/integer.h"
#include "ir/kernel/piece.h"
#include <isl/constraint.h>
#include <isl/space.h>
#include <isl/val.h>
#include <limits.h>
#include <string.h>

static bool mentions_reduction(const sq_expr *e)
{
    if (e->op == SQ_OP_REDUCED)
        return true;
    for (int i = 0; i < e->nargs; i++)
        if (mentions_reduction(e->arg[i]))
            return true;
    return false;
}

bool sq_expr_linear(const sq_expr *e)
{
    if (!mentions_reduction(e))
        return true;
    switch (e->op) {
    case SQ_OP_REDUCED:
        return true;
    case SQ_OP_NEG:
        return sq_expr_linear(e->arg[0]);
    case SQ_OP_CAST:
        return e->type == e->arg[0]->type && sq_expr_linear(e->arg[0]);
    case SQ_OP_ADD:
    case SQ_OP_SUB:
        return sq_expr_linear(e->arg[0]) && sq_expr_linear(e->arg[1]);
    case SQ_OP_MUL:
        return sq_expr_linear(e->arg[0]) && sq_expr_linear(e->arg[1]) &&
               !(mentions_reduction(e->arg[0]) && mentions_reduction(e->arg[1]));
    case SQ_OP_DIV:
        return sq_type_real(e->type) && sq_expr_linear(e->arg[0]) && !mentions_reduction(e->arg[1]);
    default:
        return false;
    }
}

/* True if a factor of the reduction, an operand combined with it by * or /, reads the array. */
static bool factor_reads(const sq_expr *e, const sq_array *a)
{
    if (!mentions_reduction(e))
        return false;
    for (int i = 0; i < e->nargs; i++) {
        bool beside = (e->op == SQ_OP_MUL || e->op == SQ_OP_DIV) && !mentions_reduction(e->arg[i]);
        if (beside ? sq_expr_reads(e->arg[i], a) : factor_reads(e->arg[i], a))
            return true;
    }
    return false;
}

/* True for `reduced op x`, or `x op reduced`, with the reduction's own operation. */
static bool goes_on(const sq_stmt *s)
{
    const sq_expr *e = s->value;
    if (e->op != s->reduce || e->nargs != 2 || e->type != s->body->type)
        return false;
    bool second = e->arg[1]->op == SQ_OP_REDUCED;
    return (second || e->arg[0]->op == SQ_OP_REDUCED) && !mentions_reduction(e->arg[!second]);
}

bool sq_stmt_linear(const sq_stmt *s)
{
    if (!s->updates || s->value->op == SQ_OP_REDUCED || goes_on(s))
        return true;
    return s->reduce == SQ_OP_ADD && sq_expr_linear(s->value) &&
           !factor_reads(s->value, s->write->array);
}

/* Returns the set whose dimensions are all of the statement's. */
static isl_set *instances(const sq_stmt *s)
{
    return s->updates ? s->updates : s->domain;
}

/* Constraints of a basic set on one dimension. */
typedef struct bounds {
    int dim;
    bool alone; /* no constraint involves another dimension or a local one as well */
    bool fixed; /* the constant bounds found so far are the only ones */
    int64_t lo, hi;
    int nlo, nhi;
} bounds;

static bool joins_others(isl_constraint *c, int dim)
{
    isl_size n = isl_constraint_dim(c, isl_dim_set);
    for (int i = 0; i < (int)n; i++)
        if (i != dim && isl_constraint_involves_dims(c, isl_dim_set, (unsigned)i, 1))
            return true;
    isl_size ndiv = isl_constraint_dim(c, isl_dim_div);
    return ndiv > 0 && isl_constraint_involves_dims(c, isl_dim_div, 0, (unsigned)ndiv);
}

static bool has_params(isl_constraint *c)
{
    isl_size n = isl_constraint_dim(c, isl_dim_param);
    return n > 0 && isl_constraint_involves_dims(c, isl_dim_param, 0, (unsigned)n);
}

static int64_t as_int(isl_val *v)
{
    int64_t x = isl_val_get_num_si(v);
    isl_val_free(v);
    return x;
}

/* coefficient*x + constant >= 0 (or == 0) bounds x from one side (or both). */
static void take_bound(bounds *b, int64_t coefficient, int64_t constant, bool equality)
{
    if (coefficient > 0 || equality) {
        int64_t lo = -sq_floor_div(constant, coefficient);
        b->lo = b->nlo++ && b->lo > lo ? b->lo : lo;
    }
    if (coefficient < 0 || equality) {
        int64_t hi = sq_floor_div(constant, -coefficient);
        b->hi = b->nhi++ && b->hi < hi ? b->hi : hi;
    }
}

static isl_stat look_at(isl_constraint *c, void *user)
{
    bounds *b = user;
    if (isl_constraint_involves_dims(c, isl_dim_set, (unsigned)b->dim, 1)) {
        if (joins_others(c, b->dim)) {
            b->alone = false;
        } else if (has_params(c)) {
            b->fixed = false;
        } else {
            take_bound(b, as_int(isl_constraint_get_coefficient_val(c, isl_dim_set, b->dim)),
                       as_int(isl_constraint_get_constant_val(c)),
                       isl_constraint_is_equality(c) == isl_bool_true);
        }
    }
    isl_constraint_free(c);
    return isl_stat_ok;
}

static isl_stat look_into(isl_basic_set *set, void *user)
{
    isl_stat r = isl_basic_set_foreach_constraint(set, look_at, user);
    isl_basic_set_free(set);
    return r;
}

static bounds bounds_of(const sq_stmt *s, int d)
{
    bounds b = {.dim = d, .alone = true, .fixed = true};
    isl_set *set = instances(s);
    if (isl_set_n_basic_set(set) != 1 || isl_set_foreach_basic_set(set, look_into, &b) < 0)
        b.alone = false;
    return b;
}

bool sq_stmt_rectangular(const sq_stmt *s, int d)
{
    return bounds_of(s, d).alone;
}

int64_t sq_stmt_extent(const sq_stmt *s, int d)
{
    bounds b = bounds_of(s, d);
    if (!b.alone || !b.fixed || b.nlo == 0 || b.nhi == 0)
        return -1;
    return b.hi >= b.lo ? b.hi - b.lo + 1 : 0;
}

typedef struct multiple {
    isl_set *sizes;
    int64_t divisor;
} multiple;

/* Returns a divisor of a size for all these sizes. */
static int64_t multiple_of(isl_set *sizes, const char *name)
{
    int at = isl_set_find_dim_by_name(sizes, isl_dim_param, name);
    if (at < 0)
        return 1;
    isl_set *values = isl_set_from_params(isl_set_copy(sizes));
    values = isl_set_move_dims(values, isl_dim_set, 0, isl_dim_param, (unsigned)at, 1);
    isl_stride_info *info = isl_set_get_stride_info(values, 0);
    isl_aff *offset = isl_stride_info_get_offset(info);
    int64_t stride = as_int(isl_stride_info_get_stride(info));
    bool from_0 = isl_aff_is_cst(offset) == isl_bool_true && stride > 0 &&
                  as_int(isl_aff_get_constant_val(offset)) % stride == 0;
    isl_aff_free(offset);
    isl_stride_info_free(info);
    isl_set_free(values);
    return from_0 ? stride : 1;
}

/* Returns a common divisor of the terms of the affine number that is the largest value plus 1; 1 if
 * there is none. */
static int64_t divisor_behind(isl_aff *last /* __isl_take */, isl_set *sizes)
{
    isl_aff *n = isl_aff_add_constant_si(last, 1);
    int64_t divisor = as_int(isl_aff_get_constant_val(n));
    isl_val *denominator = isl_aff_get_denominator_val(n);
    bool whole = isl_val_is_one(denominator) && isl_aff_dim(n, isl_dim_div) == 0;
    for (int i = 0; i < (int)isl_aff_dim(n, isl_dim_param); i++) {
        int64_t by = as_int(isl_aff_get_coefficient_val(n, isl_dim_param, i));
        if (by)
            by *= multiple_of(sizes, isl_aff_get_dim_name(n, isl_dim_param, (unsigned)i));
        divisor = sq_gcd(divisor, by);
    }
    isl_val_free(denominator);
    isl_aff_free(n);
    return whole && divisor > 0 ? divisor : 1;
}

static isl_stat take_piece(isl_set *where, isl_aff *last, void *user)
{
    multiple *m = user;
    isl_set_free(where);
    m->divisor = sq_gcd(m->divisor, divisor_behind(last, m->sizes));
    return isl_stat_ok;
}

int64_t sq_stmt_multiple(const sq_stmt *s, int d, isl_set *sizes)
{
    bounds b = bounds_of(s, d);
    multiple m = {sizes, 0};
    if (!b.alone || b.nlo != 1 || b.lo != 0)
        return 1;
    isl_pw_aff *last = isl_set_dim_max(isl_set_copy(instances(s)), d);
    isl_pw_aff_foreach_piece(last, take_piece, &m);
    isl_pw_aff_free(last);
    return m.divisor > 0 ? m.divisor : 1;
}

sq_epilogue sq_group_epilogue(const sq_group *g)
{
    if (g->epilogue != SQ_EPILOGUE_AUTO)
        return g->epilogue;
    bool first = sq_stmt_linear(g->stmt[0]) && !g->stmt[0]->ordered;
    return first ? SQ_EPILOGUE_FIRST : SQ_EPILOGUE_LAST;
}

static bool rectangular_reduction(const sq_stmt *s)
{
    for (int d = s->nfree; d < s->ndim; d++)
        if (!sq_stmt_rectangular(s, d))
            return false;
    return true;
}

bool sq_stmt_storable(const sq_stmt *s)
{
    return !sq_expr_reads(s->value, s->write->array);
}

/* True if all other accesses of the group to the written array access the element that is being
 * written: then nothing else sees a partial sum. */
static bool partials_unseen(const sq_group *g)
{
    const sq_access *out = g->stmt[0]->write;
    for (int i = 0; i < g->nstmts; i++) {
        sq_access *read[SQ_MAX_STMT_READS];
        bool in_body[SQ_MAX_STMT_READS];
        int n = sq_stmt_all_reads(g->stmt[i], read, in_body);
        for (int r = 0; r < n; r++) {
            if (!sq_arrays_overlap(read[r]->array, out->array))
                continue;
            if (in_body[r] || read[r]->array != out->array)
                return false;
            isl_multi_aff *a =
                isl_multi_aff_reset_tuple_id(isl_multi_aff_copy(read[r]->map), isl_dim_in);
            isl_multi_aff *b =
                isl_multi_aff_reset_tuple_id(isl_multi_aff_copy(out->map), isl_dim_in);
            bool same = isl_multi_aff_plain_is_equal(a, b) == isl_bool_true;
            isl_multi_aff_free(a);
            isl_multi_aff_free(b);
            if (!same)
                return false;
        }
    }
    return true;
}

const char *sq_group_unstorable(const sq_group *g)
{
    const sq_stmt *s = g->stmt[0];
    if (!sq_group_partial_sums(g))
        return NULL;
    if (s->body->type != s->write->array->type)
        return "partial sums would be rounded to the output's type; keep the whole reduction in "
               "the tile: micro(… | k)";
    if (!rectangular_reduction(s))
        return "the reduction's range differs from element to element, so its partial sums cannot "
               "pass through the output; keep the whole reduction in the tile: micro(… | k)";
    if (!partials_unseen(g))
        return "other elements' computations read the output array, which would hold partial sums";
    if (sq_group_epilogue(g) == SQ_EPILOGUE_FIRST && !sq_stmt_linear(s))
        return "the value is not linear in the reduction, so it cannot enter with the first "
               "partial sum: epilogue(last)";
    if (sq_group_epilogue(g) == SQ_EPILOGUE_LAST && !sq_stmt_storable(s))
        return "the value reads the old output, which raw partial sums would have replaced; keep "
               "the whole reduction in the tile: micro(… | k)";
    return NULL;
}

/* True if the loops over reduction dimensions, including the serial one and those that the tile
 * unrolls, run in the order of the dimensions: each completes before the next advances. */
static bool sums_in_order(const sq_group *g)
{
    const sq_micro *m = &g->micro;
    int last = g->nfree;
    for (int l = 0; l < g->nloops; l++) {
        int d = g->loop[l].dim;
        if (d < g->nfree)
            continue;
        if (d < last)
            return false;
        last = d;
    }
    if (m->serial >= 0 && m->serial < last)
        return false;
    last = m->serial > last ? m->serial : last;
    for (int d = g->nfree; d < last; d++)
        if (d != m->serial && sq_group_inner_loop(g, d) < 0 && sq_stmt_extent(g->stmt[0], d) != 1)
            return false;
    return true;
}

const char *sq_group_disordered(const sq_group *g)
{
    if (g->kind != SQ_GROUP_TILED || !g->stmt[0]->ordered)
        return NULL;
    if (g->micro.vector >= g->nfree)
        return "fp strict keeps the order of a reduction, so no vector lies along it: its lanes "
               "would hold partial sums";
    if (g->micro.split > 1)
        return "fp strict keeps the order of a reduction, so its steps cannot be dealt to several "
               "accumulators";
    if (!sums_in_order(g))
        return "fp strict keeps the order of a reduction: its dimensions run from the outside in "
               "as written, first loops, then the serial one, then those the tile unrolls";
    if (sq_group_partial_sums(g) && sq_group_epilogue(g) == SQ_EPILOGUE_FIRST)
        return "fp strict keeps the order of a reduction, and epilogue(first) adds to the value "
               "what comes later: epilogue(last)";
    return NULL;
}

/* True if the subscript is the dimension itself, with coefficient 1 and no other term. */
static bool subscript_is_dim(const sq_access *a, int subscript, int dim)
{
    isl_aff *s = isl_multi_aff_get_aff(a->map, subscript);
    isl_local_space *ls = isl_aff_get_domain_local_space(s);
    if (dim >= (int)isl_local_space_dim(ls, isl_dim_set)) {
        isl_local_space_free(ls);
        isl_aff_free(s);
        return false;
    }
    isl_aff *v = isl_aff_var_on_domain(ls, isl_dim_set, (unsigned)dim);
    bool same = isl_aff_plain_is_equal(s, v) == isl_bool_true;
    isl_aff_free(s);
    isl_aff_free(v);
    return same;
}

bool sq_pack_serves(const sq_pack *p, const sq_access *read)
{
    if (p->array != read->array)
        return false;
    for (int i = 0; i < p->npanels; i++) {
        bool found = false;
        for (int s = 0; s < read->array->ndim; s++)
            found = found || subscript_is_dim(read, s, p->panel[i].dim);
        if (!found)
            return false;
    }
    return true;
}

/* Returns the size of the widest vectorized value: expressions over sizes and parameters are
 * computed before as scalars, as are subscripts. */
static int widest(const sq_expr *e)
{
    bool condition = sq_op_is_condition(e->op); /* lanes as wide as the operands */
    int bytes = condition ? 1 : sq_type_stored(e->type) ? 4 : sq_type_bytes(e->type);
    if ((e->op == SQ_OP_CAST && e->arg[0]->op == SQ_OP_SCALAR) || e->op == SQ_OP_READ)
        return bytes;
    for (int i = 0; i < e->nargs && !sq_expr_of_sizes(e); i++) {
        int n = widest(e->arg[i]);
        bytes = n > bytes ? n : bytes;
    }
    return bytes;
}

/* A sum to a single value has lanes along the sum, and what is computed from it has none. */
int sq_group_bytes(const sq_group *g)
{
    int bytes = 1;
    for (int i = 0; i < g->nstmts; i++) {
        bool single = g->nfree == 0 && g->stmt[i]->body;
        int body = g->stmt[i]->body ? widest(g->stmt[i]->body) : 1,
            value = single ? 1 : widest(sq_stmt_in_lanes(g->stmt[i]));
        bytes = body > bytes ? body : bytes;
        bytes = value > bytes ? value : bytes;
    }
    return bytes;
}

int sq_group_lanes(const sq_group *g, int64_t points)
{
    for (int lanes = 64 / sq_group_bytes(g); lanes >= 2; lanes /= 2)
        if (points % lanes == 0)
            return lanes;
    return 1;
}

isl_aff *sq_group_lower(const sq_schedule *s, const sq_group *g, int d)
{
    isl_set *set = isl_set_copy(instances(g->stmt[0]));
    set = isl_set_intersect_params(set, isl_set_copy(s->kernel->context));
    isl_space *params = isl_space_params(isl_set_get_space(set));
    isl_aff *aff = sq_only_piece(isl_set_dim_min(set, d));
    if (aff) {
        isl_space_free(params);
        return aff;
    }
    return isl_aff_zero_on_domain(isl_local_space_from_space(params));
}
