/* From isl: see from_isl.h. */
#include "codegen/code/from_isl.h"
#include "support/diag.h"
#include <isl/aff.h>
#include <isl/id.h>
#include <isl/set.h>
#include <isl/val.h>

typedef enum isl_ast_expr_op_type isl_op;
typedef const sq_code_expr *builder(sq_code_pool *, const sq_code_expr *, const sq_code_expr *);

/* Operators with any number of arguments. */
static const struct fold {
    isl_op op;
    builder *build;
} folds[] = {
    {isl_ast_expr_op_or, sq_code_or},   {isl_ast_expr_op_or_else, sq_code_or},
    {isl_ast_expr_op_and, sq_code_and}, {isl_ast_expr_op_and_then, sq_code_and},
    {isl_ast_expr_op_min, sq_code_min}, {isl_ast_expr_op_max, sq_code_max},
    {isl_ast_expr_op_add, sq_code_add}, {isl_ast_expr_op_sub, sq_code_sub},
    {isl_ast_expr_op_mul, sq_code_mul},
};

/* Operators with two arguments. */
static const struct pair {
    isl_op op;
    sq_code_op code;
} pairs[] = {
    {isl_ast_expr_op_div, SQ_CODE_DIV},       {isl_ast_expr_op_pdiv_q, SQ_CODE_DIV},
    {isl_ast_expr_op_fdiv_q, SQ_CODE_FLOORD}, {isl_ast_expr_op_pdiv_r, SQ_CODE_REM},
    {isl_ast_expr_op_zdiv_r, SQ_CODE_REM},    {isl_ast_expr_op_eq, SQ_CODE_EQ},
    {isl_ast_expr_op_lt, SQ_CODE_LT},         {isl_ast_expr_op_le, SQ_CODE_LE},
    {isl_ast_expr_op_gt, SQ_CODE_GT},         {isl_ast_expr_op_ge, SQ_CODE_GE},
};

static const sq_code_expr *arg(sq_code_pool *p, isl_ast_expr *e, int i)
{
    isl_ast_expr *a = isl_ast_expr_op_get_arg(e, i);
    const sq_code_expr *x = sq_code_from_ast(p, a);
    isl_ast_expr_free(a);
    return x;
}

/* Folds the arguments from the left. */
static const sq_code_expr *folded(sq_code_pool *p, isl_ast_expr *e, builder *build)
{
    const sq_code_expr *x = arg(p, e, 0);
    for (int i = 1; i < (int)isl_ast_expr_op_get_n_arg(e); i++)
        x = build(p, x, arg(p, e, i));
    return x;
}

static const sq_code_expr *from_pair(sq_code_pool *p, isl_ast_expr *e, sq_code_op op)
{
    const sq_code_expr *a = arg(p, e, 0), *b = arg(p, e, 1);
    return op < SQ_CODE_EQ ? sq_code_divide(p, op, a, b) : sq_code_compare(p, op, a, b);
}

static const sq_code_expr *from_op(sq_code_pool *p, isl_ast_expr *e)
{
    isl_op op = isl_ast_expr_op_get_type(e);
    for (size_t i = 0; i < sizeof folds / sizeof *folds; i++)
        if (folds[i].op == op)
            return folded(p, e, folds[i].build);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].op == op)
            return from_pair(p, e, pairs[i].code);
    if (op == isl_ast_expr_op_minus)
        return sq_code_scale(p, -1, arg(p, e, 0));
    if (op == isl_ast_expr_op_cond || op == isl_ast_expr_op_select)
        return sq_code_select(p, arg(p, e, 0), arg(p, e, 1), arg(p, e, 2));
    sq_bug("code", "isl operation %d in an expression", (int)op);
}

static const sq_code_expr *from_number(sq_code_pool *p, isl_ast_expr *e)
{
    isl_val *v = isl_ast_expr_int_get_val(e);
    const sq_code_expr *x = sq_code_number(p, isl_val_get_num_si(v));
    isl_val_free(v);
    return x;
}

static const sq_code_expr *from_name(sq_code_pool *p, isl_ast_expr *e)
{
    isl_id *id = isl_ast_expr_id_get_id(e);
    const sq_code_expr *x = sq_code_name(p, isl_id_get_name(id));
    isl_id_free(id);
    return x;
}

const sq_code_expr *sq_code_from_ast(sq_code_pool *p, isl_ast_expr *e)
{
    if (!e)
        return NULL;
    switch (isl_ast_expr_get_type(e)) {
    case isl_ast_expr_int:
        return from_number(p, e);
    case isl_ast_expr_id:
        return from_name(p, e);
    case isl_ast_expr_op:
        return from_op(p, e);
    default:
        sq_bug("code", "isl expression in error");
    }
}

/* Returns a coefficient of an affine expression over the common denominator. */
static int64_t scaled(isl_val *v /* __isl_take */, int64_t den)
{
    v = isl_val_mul(v, isl_val_int_from_si(isl_val_get_ctx(v), den));
    int64_t n = isl_val_get_num_si(v);
    isl_val_free(v);
    return n;
}

static int64_t coefficient(isl_aff *a, enum isl_dim_type type, int i, int64_t den)
{
    return scaled(isl_aff_get_coefficient_val(a, type, i), den);
}

const sq_code_expr *sq_code_from_aff(sq_code_pool *p, isl_aff *a, const sq_code_expr *const *dim)
{
    isl_val *v = isl_aff_get_denominator_val(a);
    int64_t den = isl_val_get_num_si(v);
    isl_val_free(v);
    const sq_code_expr *sum = sq_code_number(p, 0);
    for (int i = 0; i < (int)isl_aff_dim(a, isl_dim_in); i++)
        sum = sq_code_add_scaled(p, sum, coefficient(a, isl_dim_in, i, den), dim[i]);
    for (int i = 0; i < (int)isl_aff_dim(a, isl_dim_param); i++) {
        const char *name = isl_aff_get_dim_name(a, isl_dim_param, (unsigned)i);
        int64_t c = coefficient(a, isl_dim_param, i, den);
        sum = c ? sq_code_add_scaled(p, sum, c, sq_code_name(p, name)) : sum;
    }
    for (int i = 0; i < (int)isl_aff_dim(a, isl_dim_div); i++) {
        isl_aff *div = isl_aff_get_div(a, i); /* what is rounded down */
        int64_t c = coefficient(a, isl_dim_div, i, den);
        sum = c ? sq_code_add_scaled(p, sum, c, sq_code_from_aff(p, div, dim)) : sum;
        isl_aff_free(div);
    }
    sum = sq_code_plus(p, sum, scaled(isl_aff_get_constant_val(a), den));
    return sq_code_divide(p, SQ_CODE_FLOORD, sum, sq_code_number(p, den));
}

const sq_code_expr *sq_code_take_ast(sq_code_pool *p, isl_ast_expr *e)
{
    const sq_code_expr *x = sq_code_from_ast(p, e);
    isl_ast_expr_free(e);
    return x;
}

isl_ast_expr *sq_ast_from_pw_aff(isl_pw_aff *pa, isl_set *context)
{
    isl_ast_build *b = isl_ast_build_from_context(isl_set_copy(context));
    isl_ast_expr *e = isl_ast_build_expr_from_pw_aff(b, pa);
    isl_ast_build_free(b);
    return e;
}

isl_ast_expr *sq_ast_from_set(isl_set *set, isl_set *context)
{
    isl_ast_build *b = isl_ast_build_from_context(isl_set_copy(context));
    isl_ast_expr *e = isl_ast_build_expr_from_set(b, set);
    isl_ast_build_free(b);
    return e;
}

const sq_code_expr *sq_code_from_pw_aff(sq_code_pool *p, isl_pw_aff *pa, isl_set *context)
{
    return sq_code_take_ast(p, sq_ast_from_pw_aff(pa, context));
}

const sq_code_expr *sq_code_from_set(sq_code_pool *p, isl_set *set, isl_set *context)
{
    return sq_code_take_ast(p, sq_ast_from_set(set, context));
}

static bool aff_is_never_negative(isl_aff *a, isl_set *known)
{
    isl_set *below = isl_set_from_basic_set(isl_aff_neg_basic_set(isl_aff_copy(a)));
    below = isl_set_intersect(below, isl_set_copy(known));
    bool never = isl_set_is_empty(below) == isl_bool_true;
    isl_set_free(below);
    return never;
}

/* Returns a sum of sizes, also divided by numbers, over the space of `known`; NULL: it is something else,
 * or a negative number is divided, which DIV rounds up. */
static isl_aff *aff_of_sizes(const sq_code_expr *e, isl_set *known)
{
    isl_local_space *ls = isl_local_space_from_space(isl_set_get_space(known));
    isl_aff *a = isl_aff_zero_on_domain(ls), *term;
    int at = e->op == SQ_CODE_NAME ? isl_set_find_dim_by_name(known, isl_dim_param, e->name) : -1;
    if (at >= 0)
        return isl_aff_add_coefficient_si(a, isl_dim_param, at, 1);
    if (e->op == SQ_CODE_NUMBER)
        return isl_aff_add_constant_val(a, isl_val_int_from_si(isl_aff_get_ctx(a), (long)e->number));
    int64_t by;
    bool divides = (e->op == SQ_CODE_DIV || e->op == SQ_CODE_FLOORD) && sq_code_known(e->arg[1], &by) && by > 0;
    if (divides && (term = aff_of_sizes(e->arg[0], known))) {
        isl_aff_free(a);
        if (e->op == SQ_CODE_FLOORD || aff_is_never_negative(term, known))
            return isl_aff_floor(isl_aff_scale_down_val(term, isl_val_int_from_si(isl_aff_get_ctx(term), (long)by)));
        return isl_aff_free(term);
    }
    if (e->op != SQ_CODE_SUM)
        return isl_aff_free(a);
    a = isl_aff_add_constant_val(a, isl_val_int_from_si(isl_aff_get_ctx(a), (long)e->number));
    for (int i = 0; i < e->nargs && a; i++) {
        term = aff_of_sizes(e->arg[i], known);
        if (term)
            term = isl_aff_scale_val(term, isl_val_int_from_si(isl_aff_get_ctx(term), (long)e->coef[i]));
        a = term ? isl_aff_add(a, term) : isl_aff_free(a);
    }
    return a;
}

bool sq_code_is_never_negative(const sq_code_expr *e, isl_set *known)
{
    isl_aff *a = known ? aff_of_sizes(e, known) : NULL;
    bool never = a && aff_is_never_negative(a, known);
    isl_aff_free(a);
    return never;
}

isl_set *sq_code_not_negative(const sq_code_expr *e, isl_set *known)
{
    isl_aff *a = aff_of_sizes(e, known);
    isl_set *all = isl_set_copy(known);
    return a ? isl_set_intersect(all, isl_pw_aff_nonneg_set(isl_pw_aff_from_aff(a))) : all;
}
