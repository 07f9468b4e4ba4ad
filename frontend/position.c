/* Positions: argmax and argmin. The extreme value is computed first, then the least position whose
 * value equals it: two plain reductions, of which either may be vectorised. The value is computed
 * twice, so it must be the same in every bit both times: reads, choices and integers are, sums and
 * products of floating-point numbers may be fused one time and not the other.
 * Positions are int64_t inside; of one index its value, of several the row-major number in their
 * ranges. */
#include "frontend/build.h"

/* True if the value has the same bits wherever it is computed. */
static bool exact(const sq_expr *e)
{
    bool same = !sq_type_real(e->type) || e->nargs == 0 || e->op == SQ_OP_CAST ||
                e->op == SQ_OP_NEG || e->op == SQ_OP_ABS || e->op == SQ_OP_MIN ||
                e->op == SQ_OP_MAX || e->op == SQ_OP_SELECT;
    for (int i = 0; i < e->nargs; i++)
        same = same && exact(e->arg[i]);
    return same;
}

/* An affine form as an int64_t value. Takes it. */
static sq_expr *value_of(sq_builder *b, isl_aff *a, sq_loc loc)
{
    sq_expr *e = sq_expr_new(b, SQ_OP_INDEX, SQ_I64, loc);
    e->index = a;
    sq_builder_own(b, NULL, e, NULL);
    return e;
}

static bool mentions_index(const sq_builder *b, isl_aff *a)
{
    uint64_t vars = sq_affine_vars(b, a);
    for (int v = 0; v < b->nvars; v++)
        if (vars >> v & 1 && !b->var[v].is_loop)
            return true;
    return false;
}

/* The range of dimension d of the draft: false if it depends on other indices or is in pieces. */
static bool bounds_of(const sq_builder *b, const sq_draft *s, int d, isl_aff **lo, isl_aff **hi)
{
    const sq_var *v = &b->var[s->dim[d]];
    *lo = s->hi[d] ? NULL : v->lo;
    *hi = s->hi[d] ? s->hi[d] : v->hi;
    return *hi && (s->hi[d] || *lo) && !mentions_index(b, *hi) && !(*lo && mentions_index(b, *lo));
}

/* Number of the point in its ranges, the last index fastest; NULL after an error. */
static sq_expr *number(sq_builder *b, const sq_draft *s, sq_loc loc)
{
    if (s->ndim == s->nfree + 1)
        return value_of(b, sq_affine_of_var(b, s->dim[s->nfree]), loc);
    sq_expr *n = NULL;
    for (int d = s->nfree; d < s->ndim; d++) {
        isl_aff *lo, *hi;
        if (!bounds_of(b, s, d, &lo, &hi)) {
            sq_error(
                b->r.d, SQ_FAULT_INPUT, loc,
                "a position over several indices counts through their ranges, and that of '%s' "
                "depends on other indices; write one index, or ranges from sizes alone",
                b->var[s->dim[d]].name);
            return NULL;
        }
        isl_aff *at = sq_affine_of_var(b, s->dim[d]), *extent = isl_aff_copy(hi);
        if (lo) {
            at = isl_aff_sub(at, isl_aff_copy(lo));
            extent = isl_aff_sub(extent, isl_aff_copy(lo));
        }
        sq_expr *here = value_of(b, at, loc), *length = value_of(b, extent, loc);
        if (n)
            n = sq_expr_binary(b, SQ_OP_MUL, n, length, loc);
        n = n ? sq_expr_binary(b, SQ_OP_ADD, n, here, loc) : here;
    }
    return n;
}

static sq_expr *choice(sq_builder *b, sq_expr *x, sq_expr *y, sq_expr *equal, sq_expr *other)
{
    sq_expr *e = sq_expr_new(b, SQ_OP_SELECT, equal->type, x->loc);
    e->nargs = 3;
    e->arg[0] = sq_expr_binary(b, SQ_OP_EQ, x, y, x->loc);
    e->arg[0]->type = SQ_I32;
    e->arg[1] = equal;
    e->arg[2] = other;
    return e;
}

static sq_expr *none(sq_builder *b, sq_loc loc)
{
    return sq_expr_constant(b, SQ_I64, 0, INT64_MAX, loc);
}

int sq_position_lower(sq_builder *b, const sq_draft *s, sq_reduction *r, sq_expr *body,
                      sq_expr *best)
{
    if (!exact(body)) {
        sq_error(b->r.d, SQ_FAULT_INPUT, r->loc,
                 "a position is that of a value that can be compared exactly; assign the values to "
                 "a local array first, T[i][j] = …, and take argmax(T[i][j], j)");
        return -1;
    }
    sq_expr *n = number(b, s, r->loc);
    if (!n)
        return -1;
    r->op = SQ_OP_MIN;
    r->position = false;
    r->body = choice(b, body, best, n, none(b, r->loc));
    r->type = SQ_I64;
    return 0;
}

sq_expr *sq_position_result(sq_builder *b, sq_expr *reduced)
{
    sq_expr *again = sq_expr_copy(b, reduced);
    sq_expr *minus = sq_expr_constant(b, SQ_I64, 0, -1, reduced->loc);
    return sq_expr_cast(b, SQ_I32, choice(b, reduced, none(b, reduced->loc), minus, again));
}
