/* Widen, alike: interleaved stores whose values have one form, as the real and the imaginary part of a
 * product. Their vectors are computed in the order of memory, with all stores of some iterations in each:
 * what they read is loaded as it lies, and nothing is taken apart and interleaved again. A sum in one store
 * may be a difference in another. See widen.h. */
#include "codegen/isa/shuffle.h"
#include "codegen/passes/widen.h"

typedef struct alike {
    sq_widen *w;
    const sq_widen_group *g;
    int n;       /* stores: those of lanes l, l + n, ... are one */
    bool is_dry; /* nothing is hoisted: only whether there is a value matters */
} alike;

static const sq_code_expr *made(const alike *a, const sq_code_expr *const *e);

/* True if all are the same apart from their arguments. */
static bool are_one(const alike *a, const sq_code_expr *const *e)
{
    bool same = true;
    for (int m = 1; m < a->n; m++)
        same &= e[m]->op == e[0]->op && e[m]->type == e[0]->type && e[m]->nargs == e[0]->nargs &&
                e[m]->buffer == e[0]->buffer;
    return same;
}

/* ---- leaves ---- */

/* True if the value is the same in all iterations. */
static bool is_fixed(const sq_widen *w, const sq_code_expr *e)
{
    if (sq_code_is_index(e))
        return !sq_code_mentions(e, w->loop->name);
    bool fixed = e->op != SQ_CODE_LOAD || !sq_widen_is_stored(w, e->buffer);
    for (int i = 0; i < e->nargs && fixed; i++)
        fixed = is_fixed(w, e->arg[i]);
    return fixed;
}

/* Returns one value for all lanes; NULL: it differs. */
static const sq_code_expr *fixed(const alike *a, const sq_code_expr *const *e)
{
    const sq_number zero = {0, 0};
    for (int m = 0; m < a->n; m++)
        if (e[m] != e[0])
            return NULL;
    if (!is_fixed(a->w, e[0]))
        return NULL;
    return a->is_dry ? sq_code_broadcast(a->w->pool, a->w->lanes,
                                         sq_code_constant(a->w->pool, e[0]->type, zero))
                     : sq_widen_value(a->w, e[0]);
}

/* Returns numbers and parameters in turn; NULL: there are other values. */
static const sq_code_expr *in_turn(const alike *a, const sq_code_expr *const *e)
{
    const sq_code_expr *lane[SQ_SHUFFLE_MOST];
    for (int l = 0; l < a->w->lanes; l++) {
        lane[l] = e[l % a->n];
        if ((lane[l]->op != SQ_CODE_CONSTANT && lane[l]->op != SQ_CODE_SCALAR) || lane[l]->type != e[0]->type)
            return NULL;
    }
    return sq_code_vector(a->w->pool, a->w->lanes, lane);
}

/* True if a row from there on has the value of no store: it is of an array that the body does not write, or of the
 * elements that the row is stored to, in an array that nothing else in the body writes. */
static bool is_still_there(const alike *a, const sq_code_expr *place)
{
    const sq_widen *w = a->w;
    for (const sq_widen_store *s = w->store; s < w->store + w->nstores; s++)
        if (s->x->buffer == place->buffer &&
            (s->group != a->g || !sq_widen_lies_behind(w, a->g->member[0]->place, place, 0)))
            return false;
    return true;
}

/* Returns a vector of elements from one place on; NULL: the body may have changed them. */
static const sq_code_expr *row(const alike *a, const sq_code_expr *place)
{
    if (!is_still_there(a, place))
        return NULL;
    const sq_code_lanes at = {.index = sq_widen_subscripts(a->w, place, 0),
                              .step = sq_code_number(a->w->pool, 1)};
    return sq_code_load_lanes(a->w->pool, place->buffer, a->w->lanes, &at);
}

static const sq_code_expr *turned(const alike *a, const sq_code_expr *place, sq_code_swizzles how)
{
    const sq_code_expr *v = row(a, place);
    return v ? sq_code_swizzle(a->w->pool, v, how) : NULL;
}

/* Returns the element of an iteration that both stores read, twice: the other one of the pair is read as
 * well, so that it exists. */
static const sq_code_expr *twice(const alike *a, const sq_code_expr *place)
{
    const sq_code_expr *before = sq_widen_read_at(a->w, place, -1),
                       *behind = sq_widen_read_at(a->w, place, 1);
    return behind   ? turned(a, place, SQ_SWIZZLE_FIRST)
           : before ? turned(a, before, SQ_SWIZZLE_SECOND)
                    : NULL;
}

/* Returns elements that lie one behind the other; of two, in any order. */
static const sq_code_expr *loads(const alike *a, const sq_code_expr *const *e)
{
    int64_t step;
    bool in_order = true;
    for (int m = 0; m < a->n; m++) {
        if (!sq_widen_step(a->w, e[m], &step) || step != a->n || !sq_widen_is_sure(a->w, e[m]))
            return NULL;
        in_order &= sq_widen_lies_behind(a->w, e[0], e[m], m);
    }
    if (in_order)
        return row(a, e[0]);
    if (a->n != 2)
        return NULL;
    if (e[0] == e[1])
        return twice(a, e[0]);
    return sq_widen_lies_behind(a->w, e[1], e[0], 1) ? turned(a, e[1], SQ_SWIZZLE_SWAP) : NULL;
}

/* ---- operations ---- */

/* Returns argument number i of all, of the type. */
static const sq_code_expr *argument(const alike *a, const sq_code_expr *const *e, const int *i)
{
    const sq_code_expr *arg[SQ_STRIDE_MOST];
    for (int m = 0; m < a->n; m++) {
        arg[m] = e[m]->arg[i[m]];
        if (sq_code_is_index(arg[m]))
            return NULL;
    }
    return made(a, arg);
}

/* Returns both arguments of an operation in `to`; those of the last store also the other way round, where the
 * operation allows it. */
static bool both(const alike *a, const sq_code_expr *const *e, const sq_code_expr **to)
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
static const sq_code_expr *signs(const alike *a, const sq_code_expr *const *e)
{
    const sq_code_expr *lane[SQ_STRIDE_MOST];
    for (int m = 0; m < a->n; m++) {
        int64_t sign = e[m]->operation == SQ_OP_SUB ? -1 : 1;
        lane[m] = sq_code_constant(a->w->pool, e[0]->type, (sq_number){(double)sign, sign});
    }
    return in_turn(a, lane);
}

/* Returns y, or -y where a store subtracts; `all` stores do the same. */
static const sq_code_expr *signed_as(const alike *a, const sq_code_expr *const *e, bool all, const sq_code_expr *y)
{
    if (!all)
        return sq_widen_both(a->w, SQ_OP_MUL, y, signs(a, e));
    return e[0]->operation == SQ_OP_ADD ? y : sq_code_operation(a->w->pool, SQ_OP_NEG, y->type, &y);
}

static bool is_product(const alike *a, const sq_code_expr *x)
{
    return x->op == SQ_CODE_OPERATION && x->operation == SQ_OP_MUL && sq_type_real(x->type) &&
           a->w->c->kernel->fp != SQ_FP_STRICT;
}

/* Returns x + y where the stores add, x - y where they subtract: a multiply-add if one is a product. */
static const sq_code_expr *sum(const alike *a, const sq_code_expr *const *e)
{
    const sq_code_expr *x[2];
    bool all = true;
    for (int m = 1; m < a->n; m++)
        all &= e[m]->operation == e[0]->operation;
    if ((!all && !sq_type_real(e[0]->type)) || !both(a, e, x))
        return NULL;
    if (is_product(a, x[1]))
        return sq_code_fma(a->w->pool, e[0]->type, signed_as(a, e, all, x[1]->arg[0]), x[1]->arg[1], x[0]);
    if (is_product(a, x[0]))
        return sq_code_fma(a->w->pool, e[0]->type, x[0]->arg[0], x[0]->arg[1], signed_as(a, e, all, x[1]));
    if (all)
        return sq_widen_both(a->w, e[0]->operation, x[0], x[1]);
    return sq_widen_both(a->w, SQ_OP_ADD, x[0], signed_as(a, e, false, x[1]));
}

static const sq_code_expr *operation(const alike *a, const sq_code_expr *const *e)
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
    case SQ_OP_NEG:
        x[0] = argument(a, e, none);
        return x[0] && x[0]->type == e[0]->type ? sq_code_operation(a->w->pool, op, e[0]->type, x) : NULL;
    case SQ_OP_MUL:
        return both(a, e, x) ? sq_widen_both(a->w, op, x[0], x[1]) : NULL;
    default:
        return NULL;
    }
}

static const sq_code_expr *made(const alike *a, const sq_code_expr *const *e)
{
    const sq_code_expr *x = fixed(a, e);
    if (!x && !sq_type_stored(e[0]->type))
        x = in_turn(a, e);
    if (x || !are_one(a, e) || sq_type_stored(e[0]->type))
        return x;
    return e[0]->op == SQ_CODE_LOAD        ? loads(a, e)
           : e[0]->op == SQ_CODE_OPERATION ? operation(a, e)
                                           : NULL;
}

static const sq_code_expr *row_of(sq_widen *w, const sq_widen_group *g, int k, bool is_dry)
{
    const sq_code_expr *e[SQ_STRIDE_MOST];
    const alike a = {w, g, g->n, is_dry};
    for (int m = 0; m < g->n; m++)
        e[m] = g->member[m]->x->value;
    w->ahead += k * w->lanes / g->n;
    const sq_code_expr *v = made(&a, e);
    w->ahead -= k * w->lanes / g->n;
    return v && v->type == g->last->x->buffer->type ? v : NULL;
}

bool sq_widen_is_alike(sq_widen *w, const sq_widen_group *g)
{
    return !w->is_backwards && w->lanes % g->n == 0 && row_of(w, g, 0, true);
}

const sq_code_expr *sq_widen_row(sq_widen *w, const sq_widen_group *g, int k)
{
    return row_of(w, g, k, false);
}
