/* Widen, alike: interleaved stores whose values have one form, as the real and the imaginary part of a
 * product. Their vectors are computed in the order of memory, with all stores of some iterations in each:
 * what they read is loaded as it lies, and nothing is taken apart and interleaved again. A sum in one store
 * may be a difference in another. See widen.h. */
#include "codegen/passes/widen_alike.h"

/* True if all are the same apart from their arguments. */
static bool are_one(const sq_alike *a, const sq_code_expr *const *e)
{
    bool same = true;
    for (int m = 1; m < a->n; m++)
        same &= e[m]->op == e[0]->op && e[m]->type == e[0]->type && e[m]->nargs == e[0]->nargs &&
                e[m]->buffer == e[0]->buffer;
    return same;
}

/* ---- operations ---- */

/* Returns argument number i of all, of the type. */
static const sq_code_expr *argument(sq_alike *a, const sq_code_expr *const *e, const int *i)
{
    const sq_code_expr *arg[SQ_STRIDE_MOST];
    for (int m = 0; m < a->n; m++) {
        arg[m] = e[m]->arg[i[m]];
        if (sq_code_is_index(arg[m]))
            return NULL;
    }
    return sq_alike_vector(a, arg);
}

/* Returns both arguments of an operation in `to`; those of the last store also the other way round, where the
 * operation allows it. */
static bool both(sq_alike *a, const sq_code_expr *const *e, const sq_code_expr **to)
{
    int first[SQ_STRIDE_MOST] = {0}, second[SQ_STRIDE_MOST];
    sq_op last = e[a->n - 1]->operation;
    for (int turned = 0; turned < 2; turned++) {
        first[a->n - 1] = turned;
        for (int m = 0; m < a->n; m++)
            second[m] = 1 - first[m];
        to[0] = argument(a, e, first);
        to[1] = to[0] ? argument(a, e, second) : NULL;
        if (to[1])
            return to[0]->type == e[0]->type && to[1]->type == e[0]->type;
        if (last != SQ_OP_ADD && last != SQ_OP_MUL)
            return false;
    }
    return false;
}

/* Returns 1 for stores that add, -1 for those that subtract. */
static const sq_code_expr *signs(const sq_alike *a, const sq_code_expr *const *e)
{
    const sq_code_expr *lane[SQ_STRIDE_MOST];
    for (int m = 0; m < a->n; m++) {
        int64_t sign = e[m]->operation == SQ_OP_SUB ? -1 : 1;
        lane[m] = sq_code_constant(a->w->pool, e[0]->type, (sq_number){(double)sign, sign});
    }
    return sq_alike_in_turn(a, lane);
}

/* Returns y, or -y where a store subtracts; `all` stores do the same. */
static const sq_code_expr *signed_as(const sq_alike *a, const sq_code_expr *const *e, bool all, const sq_code_expr *y)
{
    if (!all)
        return sq_widen_both(a->w, SQ_OP_MUL, y, signs(a, e));
    return e[0]->operation == SQ_OP_ADD ? y : sq_code_operation(a->w->pool, SQ_OP_NEG, y->type, &y);
}

static bool is_product(const sq_alike *a, const sq_code_expr *x)
{
    return x->op == SQ_CODE_OPERATION && x->operation == SQ_OP_MUL && sq_type_real(x->type) &&
           a->w->c->kernel->fp != SQ_FP_STRICT;
}

/* Returns the sign of y in odd stores where it has the other one in even stores; 0: it is not so. */
static int turns(const sq_alike *a, const sq_code_expr *const *e)
{
    for (int m = 0; m < a->n; m++)
        if (a->n % 2 || e[m]->operation != e[m % 2]->operation)
            return 0;
    return e[0]->operation == e[1]->operation ? 0 : e[0]->operation == SQ_OP_SUB ? 1 : -1;
}

/* Returns x + y and x - y in turn, by one instruction. */
static const sq_code_expr *in_turns(const sq_alike *a, int sign, const sq_code_expr *x, const sq_code_expr *y)
{
    sq_code_pool *p = a->w->pool;
    const sq_number one = {1, 1};
    bool product = is_product(a, x);
    const sq_code_expr *by = product ? x->arg[1]
                                     : sq_code_broadcast(p, a->w->lanes, sq_code_constant(p, x->type, one));
    if (sign < 0)
        y = sq_code_operation(p, SQ_OP_NEG, y->type, &y);
    return sq_code_fma_turned(p, product ? x->arg[0] : x, by, y);
}

/* Returns x + y where the stores add, x - y where they subtract: a multiply-add if one is a product. */
static const sq_code_expr *sum(sq_alike *a, const sq_code_expr *const *e)
{
    const sq_code_expr *x[2];
    bool all = true;
    for (int m = 1; m < a->n; m++)
        all &= e[m]->operation == e[0]->operation;
    if ((!all && !sq_type_real(e[0]->type)) || !both(a, e, x))
        return NULL;
    const int sign = all ? 0 : turns(a, e);
    if (sign && (is_product(a, x[0]) || !is_product(a, x[1])))
        return in_turns(a, sign, x[0], x[1]);
    if (is_product(a, x[1]))
        return sq_code_fma(a->w->pool, e[0]->type, signed_as(a, e, all, x[1]->arg[0]), x[1]->arg[1], x[0]);
    if (is_product(a, x[0]))
        return sq_code_fma(a->w->pool, e[0]->type, x[0]->arg[0], x[0]->arg[1], signed_as(a, e, all, x[1]));
    if (all)
        return sq_widen_both(a->w, e[0]->operation, x[0], x[1]);
    return sq_widen_both(a->w, SQ_OP_ADD, x[0], signed_as(a, e, false, x[1]));
}

static const sq_code_expr *operation(sq_alike *a, const sq_code_expr *const *e)
{
    static const int none[SQ_STRIDE_MOST] = {0};
    const sq_code_expr *x[2];
    sq_op op = e[0]->operation;
    if (op == SQ_OP_ADD || op == SQ_OP_SUB)
        return sum(a, e);
    for (int m = 1; m < a->n; m++)
        if (e[m]->operation != op)
            return NULL;
    switch (op) {
    case SQ_OP_CAST:
        return sq_widen_converted(a->w, argument(a, e, none), e[0]->type);
    case SQ_OP_MUL:
    case SQ_OP_MIN:
    case SQ_OP_MAX:
    case SQ_OP_DIV:
    case SQ_OP_BIT_AND:
    case SQ_OP_BIT_OR:
    case SQ_OP_BIT_XOR:
    case SQ_OP_AVERAGE:
    case SQ_OP_SHL:
    case SQ_OP_SHR:
        return sq_widen_has_form(e[0]) && both(a, e, x) ? sq_widen_both(a->w, op, x[0], x[1]) : NULL;
    default:
        x[0] = sq_widen_has_form(e[0]) && e[0]->nargs == 1 ? argument(a, e, none) : NULL;
        return x[0] && x[0]->type == e[0]->type ? sq_code_operation(a->w->pool, op, e[0]->type, x) : NULL;
    }
}

static const sq_code_expr *made(sq_alike *a, const sq_code_expr *const *e)
{
    const sq_code_expr *x = sq_alike_fixed(a, e);
    x = x ? x : sq_alike_in_turn(a, e);
    if (x || !are_one(a, e) || sq_type_stored(e[0]->type))
        return x;
    if (e[0]->op == SQ_CODE_OPERATION)
        return operation(a, e);
    if (e[0]->op != SQ_CODE_LOAD)
        return NULL;
    x = sq_alike_loads(a, e);
    x = x ? x : sq_alike_strided(a, e);
    a->nordered += x != NULL;
    if (x)
        return x;
    x = sq_alike_repeated(a, e);
    a->nrepeated += x != NULL;
    return x;
}

/* Returns a product of named values: a sum that reads it is a multiply-add, and what else does computes it once. */
static const sq_code_expr *product_of_named(const sq_alike *a, const sq_code_expr *v)
{
    const sq_code_expr *x[2];
    for (int i = 0; i < 2; i++) {
        bool simple = v->arg[i]->op == SQ_CODE_BROADCAST;
        x[i] = simple ? v->arg[i] : sq_widen_named(a->w, v->arg[i], v->arg[i]);
    }
    return sq_code_operation(a->w->pool, SQ_OP_MUL, v->type, x);
}

/* Returns the vector of the scalars' values, named: several statements read them. */
static const sq_code_expr *scalars(sq_alike *a, const sq_code_expr *const *e)
{
    const sq_code_expr *v = sq_alike_vector(a, e);
    if (!v || a->is_dry)
        return v;
    return is_product(a, v) ? product_of_named(a, v) : sq_widen_named(a->w, v, v);
}

const sq_code_expr *sq_alike_vector(sq_alike *a, const sq_code_expr *const *e)
{
    const sq_code_expr *key = sq_code_comma(a->w->pool, a->n, e), *value[SQ_STRIDE_MOST];
    bool any = false;
    for (int i = 0; i < a->nknown; i++)
        if (a->key[i] == key)
            return a->vector[i];
    if (a->nknown == SQ_ALIKE_MOST)
        return NULL;
    for (int m = 0; m < a->n; m++) {
        value[m] = a->w->is_joint ? sq_alike_resolved(a->w, e[m]) : e[m];
        any |= value[m] != e[m];
    }
    const sq_code_expr *v = any ? scalars(a, value) : made(a, e);
    if (a->nknown < SQ_ALIKE_MOST) {
        a->key[a->nknown] = key;
        a->vector[a->nknown++] = v;
    }
    return v;
}

int sq_alike_phase(const sq_alike *a)
{
    return a->k * a->w->lanes % a->n;
}

const sq_code_expr *sq_alike_group(sq_alike *a, const sq_widen_group *g)
{
    const sq_code_expr *e[SQ_STRIDE_MOST];
    const int64_t first = (int64_t)a->k * a->w->lanes / a->n;
    for (int m = 0; m < a->n; m++)
        e[m] = g->member[m]->x->value;
    a->g = g;
    a->w->ahead += first;
    const sq_code_expr *v = sq_alike_vector(a, e);
    a->w->ahead -= first;
    return v && v->type == g->last->x->buffer->type ? v : NULL;
}

bool sq_alike_pays(const sq_alike *a, int ngroups)
{
    return a->nrepeated <= a->nordered + ngroups;
}

bool sq_alike_has_rows(const sq_widen *w, int n)
{
    return !w->is_backwards && (w->lanes % n == 0 || (n == 3 && w->lanes > n));
}

bool sq_widen_is_alike(sq_widen *w, const sq_widen_group *g)
{
    sq_alike a = {.w = w, .n = g->n, .is_dry = true};
    return sq_alike_has_rows(w, g->n) && sq_alike_group(&a, g) && sq_alike_pays(&a, 1);
}

const sq_code_expr *sq_widen_row(sq_widen *w, const sq_widen_group *g, int k)
{
    sq_alike a = {.w = w, .n = g->n, .k = k};
    return sq_alike_group(&a, g);
}
