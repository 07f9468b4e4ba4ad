/* Expr: nodes of values: made, converted as C does, copied. */
#include "frontend/build.h"
#include <isl/aff.h>
#include <isl/set.h>

sq_expr *sq_expr_new(sq_builder *b, sq_op op, sq_type type, sq_loc loc)
{
    sq_expr *e = SQ_NEW(b->k->arena, sq_expr);
    *e = (sq_expr){.op = op, .type = type, .loc = loc};
    return e;
}

sq_expr *sq_expr_constant(sq_builder *b, sq_type type, double real, int64_t integer, sq_loc loc)
{
    sq_expr *e = sq_expr_new(b, SQ_OP_CONST, type, loc);
    if (sq_type_real(type))
        e->real = sq_type_round(type, real);
    else
        e->integer = sq_type_wrap(type, integer);
    return e;
}

/* So small that every floating type of arithmetic holds it. Of uint64_t what is negative here is
 * 2^63 or more. */
static bool is_small(const sq_expr *e)
{
    int64_t most = 1 << 24, least = sq_type_unsigned(e->type) ? 0 : -most;
    return e->integer >= least && e->integer <= most;
}

sq_expr *sq_expr_cast(sq_builder *b, sq_type type, sq_expr *e)
{
    if (!e || e->type == type)
        return e;
    if (e->op == SQ_OP_CONST && sq_type_real(e->type) && sq_type_real(type))
        return sq_expr_constant(b, type, e->real, 0, e->loc);
    if (e->op == SQ_OP_CONST && !sq_type_real(e->type) && !sq_type_real(type))
        return sq_expr_constant(b, type, 0, e->integer, e->loc);
    if (e->op == SQ_OP_CONST && !sq_type_real(e->type) && is_small(e))
        return sq_expr_constant(b, type, (double)e->integer, 0, e->loc);
    if (e->op == SQ_OP_CAST && sq_type_stored(type) && e->type == SQ_F32 && e->arg[0]->type == type)
        return e->arg[0];
    if (sq_op_is_condition(e->op) && !sq_type_real(type) && sq_type_bytes(type) == 8)
        return sq_expr_choice(b, e, sq_expr_constant(b, type, 0, 1, e->loc), sq_expr_constant(b, type, 0, 0, e->loc),
                              e->loc); /* in lanes of 8 bytes, as those of what is compared may be */
    sq_expr *extreme = sq_expr_narrow_extreme(b, type, e);
    if (extreme)
        return extreme;
    sq_expr *cast = sq_expr_new(b, SQ_OP_CAST, type, e->loc);
    cast->nargs = 1;
    cast->arg[0] = e;
    return cast;
}

sq_expr *sq_expr_binary(sq_builder *b, sq_op op, sq_expr *x, sq_expr *y, sq_loc loc)
{
    if (!x || !y)
        return NULL;
    bool choice = (op == SQ_OP_MIN || op == SQ_OP_MAX) && x->type == y->type;
    sq_type type = choice ? x->type : sq_type_common(x->type, y->type);
    sq_expr *e = sq_expr_new(b, op, type, loc);
    e->nargs = 2;
    e->arg[0] = sq_expr_cast(b, type, x);
    e->arg[1] = sq_expr_cast(b, type, y);
    return e;
}

sq_expr *sq_expr_read(sq_builder *b, const sq_access *a, sq_loc loc)
{
    sq_expr *e = sq_expr_new(b, SQ_OP_READ, a->array->type, loc);
    e->access = SQ_NEW(b->k->arena, sq_access);
    *e->access = *a;
    e->access->map = isl_multi_aff_copy(a->map);
    e->access->where = isl_set_copy(a->where);
    sq_builder_own(b, e->access, NULL, NULL);
    return e;
}

sq_expr *sq_expr_copy(sq_builder *b, const sq_expr *e)
{
    sq_expr *c = e->op == SQ_OP_READ ? sq_expr_read(b, e->access, e->loc)
                                     : sq_expr_new(b, e->op, e->type, e->loc);
    sq_access *own = c->access;
    *c = *e;
    c->access = own;
    for (int i = 0; i < e->nargs; i++)
        c->arg[i] = sq_expr_copy(b, e->arg[i]);
    if (e->index) {
        c->index = isl_aff_copy(e->index);
        sq_builder_own(b, NULL, c, NULL);
    }
    return c;
}

typedef struct var_set {
    const sq_builder *b;
    uint64_t set;
} var_set;

static void add_vars(sq_expr *e, void *user)
{
    var_set *v = user;
    if (e->index)
        v->set |= sq_affine_vars(v->b, e->index);
    for (int d = 0; e->access && d < e->access->array->ndim; d++) {
        isl_aff *a = isl_multi_aff_get_aff(e->access->map, d);
        v->set |= sq_affine_vars(v->b, a);
        isl_aff_free(a);
    }
}

uint64_t sq_expr_vars(const sq_builder *b, sq_expr *e)
{
    var_set v = {b, 0};
    sq_expr_walk(e, add_vars, &v);
    return v.set;
}

sq_expr *sq_expr_promoted(sq_builder *b, sq_expr *e)
{
    return e && sq_type_stored(e->type) ? sq_expr_cast(b, SQ_F32, e) : e;
}
