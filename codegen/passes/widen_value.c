/* Widen, values: the values of a statement, as vectors. Operands have one type each, masks are as
 * wide as what they choose between; an element that exists only under a condition is loaded under
 * its mask. See widen.h. */
#include "codegen/isa/isa.h"
#include "codegen/isa/math.h"
#include "codegen/passes/widen.h"

static const sq_code_expr *single(const sq_widen *w, sq_type type, int64_t number)
{
    const sq_number n = {(double)number, number};
    return sq_code_broadcast(w->pool, w->lanes, sq_code_constant(w->pool, type, n));
}

const sq_code_expr *sq_widen_both(sq_widen *w, sq_op op, const sq_code_expr *a,
                                  const sq_code_expr *b)
{
    const sq_code_expr *arg[] = {a, b};
    return a && b ? sq_code_operation(w->pool, op, a->type, arg) : NULL;
}

/* Returns a vector each of whose fours has in all lanes what its four combine to. */
static const sq_code_expr *folded(sq_widen *w, sq_op op, const sq_code_expr *v)
{
    static const int turned[2][4] = {{2, 3, 0, 1}, {1, 0, 3, 2}};
    for (int i = 0; i < 2; i++)
        v = sq_widen_both(w, op, v, sq_code_swizzle(w->pool, v, sq_code_fours(turned[i])));
    return v;
}

const sq_code_expr *sq_widen_whole(sq_widen *w, sq_op op, const sq_code_buffer *acc)
{
    const sq_code_expr *v = sq_code_load(w->pool, acc, NULL), *all;
    const bool fours = w->lanes % 4 == 0;
    if (op == SQ_OP_ADD)
        return sq_code_add_lanes(w->pool, v);
    v = fours ? folded(w, op, v) : v;
    all = sq_code_extract(w->pool, v, 0);
    for (int l = fours ? 4 : 1; l < w->lanes; l += fours ? 4 : 1)
        all = sq_widen_both(w, op, all, sq_code_extract(w->pool, v, l));
    return all;
}

/* Conversions between floating types and small integers go through int32_t, as in hardware. */
const sq_code_expr *sq_widen_converted(const sq_widen *w, const sq_code_expr *x, sq_type to)
{
    if (!x || x->type == to)
        return x;
    bool small = sq_type_bytes(sq_type_real(x->type) ? to : x->type) < 4;
    if (sq_type_real(x->type) != sq_type_real(to) && small)
        x = sq_code_operation(w->pool, SQ_OP_CAST, SQ_I32, &x);
    return sq_code_operation(w->pool, SQ_OP_CAST, to, &x);
}

/* ---- names ---- */

/* True if every lane of the first mask is one of the other. */
static bool implies(const sq_code_expr *mask, const sq_code_expr *other)
{
    if (!other || mask == other)
        return true;
    return mask && mask->op == SQ_CODE_OPERATION && mask->operation == SQ_OP_AND &&
           (implies(mask->arg[0], other) || implies(mask->arg[1], other));
}

/* Returns the register that holds an expression, in the lanes that matter; NULL: none does. */
static const sq_code_expr *known(const sq_widen *w, const sq_code_expr *e)
{
    for (int i = 0; i < w->nnamed; i++)
        if (w->name[i].e == e && implies(w->where, w->name[i].where))
            return sq_code_load(w->pool, w->name[i].in, NULL);
    return NULL;
}

/* Compilers look through it, but they would not recognize a mask that is repeated at each use. */
const sq_code_expr *sq_widen_named(sq_widen *w, const sq_code_expr *e, const sq_code_expr *value)
{
    if (!value || value->op == SQ_CODE_LOAD || w->nnamed == SQ_WIDEN_NAMES)
        return value;
    const char *stem = sq_arena_printf(w->pool->arena, "@v%d", w->nnames++);
    sq_code_buffer *b = SQ_NEW(w->pool->arena, sq_code_buffer);
    *b = *sq_widen_register(w, stem, value->type);
    b->is_constant = true;
    b->is_mask = value->is_mask;
    sq_code_append(w->to, sq_code_declare(w->pool, b, false));
    sq_code_append(w->to, sq_code_set(w->pool, b, value));
    w->name[w->nnamed++] = (sq_widen_name){e, w->where, b};
    return sq_code_load(w->pool, b, NULL);
}

/* True if two elements lie a known number of elements from each other. */
static bool is_near(const sq_widen *w, const sq_code_expr *a, const sq_code_expr *b)
{
    int64_t by;
    bool near = true;
    for (int d = 0; d < a->nargs && near; d++)
        near = sq_code_known(sq_code_sub(w->pool, a->arg[d], b->arg[d]), &by);
    return near;
}

/* True if the value may be another one once the place is stored to. Others are not loaded once more: a load waits for a
 * store at the same place of another page. */
static bool changes(const sq_widen *w, const sq_code_expr *e, const sq_code_expr *place)
{
    bool found = e->op == SQ_CODE_LOAD && e->buffer == place->buffer &&
                 (is_near(w, e, place) || !sq_widen_is_apart(w, e, place));
    for (int i = 0; i < e->nargs && !found; i++)
        found = changes(w, e->arg[i], place);
    return found;
}

void sq_widen_forget(sq_widen *w, const sq_code_expr *place)
{
    int n = 0;
    for (int i = 0; i < w->nnamed && place; i++)
        if (!changes(w, w->name[i].e, place))
            w->name[n++] = w->name[i];
    w->nnamed = n;
}

/* True if the body reads the place several times. */
static bool is_shared(const sq_widen *w, const sq_code_expr *place)
{
    int n = 0;
    for (int i = 0; i < w->naccesses; i++)
        n += w->access[i].place == place && !w->access[i].writes;
    return n > 1;
}

/* ---- loads ---- */

/* Returns the subscript at the first lane, which is the last iteration of a loop that runs
 * backwards. */
static const sq_code_expr *at_lane(const sq_widen *w, const sq_code_expr *index, int64_t further)
{
    int64_t on = w->ahead + further + (w->is_backwards ? w->lanes - 1 : 0);
    if (on == 0 && !w->last)
        return index;
    return sq_code_substitute(w->pool, index, w->loop->name,
                              sq_code_plus(w->pool, w->last ? w->last : w->at, on * w->loop->step));
}

const sq_code_expr *const *sq_widen_subscripts(const sq_widen *w, const sq_code_expr *place,
                                               int64_t further)
{
    const sq_code_expr **at = SQ_NEW_ARRAY(w->pool->arena, const sq_code_expr *, place->nargs + 1);
    for (int d = 0; d < place->nargs; d++)
        at[d] = at_lane(w, place->arg[d], further);
    return at;
}

const sq_code_buffer *sq_widen_register(const sq_widen *w, const char *stem, sq_type type)
{
    sq_code_buffer *b = SQ_NEW(w->pool->arena, sq_code_buffer);
    *b = *sq_code_register(w->pool, sq_arena_printf(w->pool->arena, "@%s_x", stem + (*stem == '@')),
                           type);
    b->lanes = w->lanes;
    return b;
}

/* Returns the register that currently holds a place's value; NULL: it is in memory. */
static const sq_code_buffer *current(const sq_widen *w, const sq_code_expr *place)
{
    for (int i = 0; i < w->nstores; i++)
        if (w->store[i].place == place && w->store[i].kind == SQ_WIDEN_VALUE)
            return w->store[i].now;
    return NULL;
}

bool sq_widen_is_stored(const sq_widen *w, const sq_code_buffer *b)
{
    for (int i = 0; i < w->nstores; i++)
        if (w->store[i].x->buffer == b)
            return true;
    return false;
}

const sq_code_expr *sq_widen_hoisted(sq_widen *w, const sq_code_expr *key, const sq_code_expr *value, const char *stem)
{
    int i = 0;
    while (i < w->nbefore && w->once[i] != key)
        i++;
    if (i == SQ_WIDEN_ACCESSES)
        return value;
    if (i == w->nbefore) {
        w->once[i] = key;
        w->kept[i] = sq_widen_register(w, sq_arena_printf(w->pool->arena, "%s_%d", stem, i), key->type);
        w->nbefore++;
        sq_code_append(&w->before, sq_code_declare(w->pool, w->kept[i], false));
        sq_code_append(&w->before, sq_code_set(w->pool, w->kept[i], value));
    }
    return sq_code_load(w->pool, w->kept[i], NULL);
}

/* Broadcasts a loop-invariant load before the loop. */
static const sq_code_expr *kept(sq_widen *w, const sq_code_expr *place)
{
    const sq_code_expr *all = sq_code_broadcast(w->pool, w->lanes, place);
    bool is_kept = !sq_widen_is_stored(w, place->buffer) || sq_widen_keeps(w, place);
    if (!is_kept || !sq_widen_is_sure(w, place) || (w->is_nest && place->nargs > 0))
        return all; /* of a nest: loops in it may not run, or change the subscripts */
    return sq_widen_hoisted(w, place, all, place->buffer->name);
}

/* Returns a load of lanes with a stride of 1 to 4, which may be one of its channels; under a mask if
 * some elements may not exist. */
static const sq_code_expr *lanes(sq_widen *w, const sq_code_expr *e, int64_t step, int channel)
{
    const sq_code_expr *const *index = sq_widen_subscripts(w, e, 0);
    if (!sq_widen_is_sure(w, e)) {
        sq_type mask = sq_type_integer(sq_type_bytes(e->type), false);
        return w->where
                   ? sq_code_load_where(w->pool, e->buffer, index, sq_widen_converted(w, w->where, mask))
                   : NULL;
    }
    const sq_code_lanes at = {.index = index,
                              .step = sq_code_number(w->pool, w->is_backwards ? -step : step),
                              .left = w->left,
                              .kind = channel < 0 ? SQ_LANES_ANY : SQ_LANES_CHANNEL,
                              .channel = sq_code_number(w->pool, channel)};
    return sq_code_load_lanes(w->pool, e->buffer, w->lanes, &at);
}

/* Loads all channels at once: stores in between would make compilers load the vectors again. */
static const sq_code_expr *load_lanes(sq_widen *w, const sq_code_expr *e, int64_t step)
{
    const sq_code_expr *of[SQ_STRIDE_MOST];
    int channel = sq_widen_channels(w, e, step, of);
    if (channel < 0 || sq_widen_is_stored(w, e->buffer)) {
        const sq_code_expr *x = lanes(w, e, step, channel);
        return is_shared(w, e) ? sq_widen_named(w, e, x) : x;
    }
    for (int k = 0; k < step; k++)
        if (of[k] && !known(w, of[k]))
            sq_widen_named(w, of[k], lanes(w, of[k], step, k));
    const sq_code_expr *x = known(w, e);
    return x ? x : lanes(w, e, step, channel);
}

static const sq_code_expr *load(sq_widen *w, const sq_code_expr *e)
{
    const sq_code_buffer *now = current(w, e);
    const sq_code_expr *before, *outer = w->where;
    int64_t step = 0;
    if (now)
        return sq_code_load(w->pool, now, NULL);
    if (!sq_widen_step(w, e, &step))
        return NULL;
    if (step == 0)
        return kept(w, e);
    if (sq_widen_is_sure(w, e))
        w->where = NULL; /* it is valid under any condition */
    before = known(w, e);
    if (!before)
        before = load_lanes(w, e, step);
    w->where = outer;
    return before;
}

/* ---- indices ---- */

/* Returns an index expression as a vector of an integer type: the lanes differ by its step. Vectors of several chains
 * differ by constants, so that the index goes to a vector once. */
static const sq_code_expr *ramp(sq_widen *w, sq_type type, const sq_code_expr *index)
{
    int64_t step, ahead = w->ahead;
    if (sq_type_real(type) || !sq_code_is_affine(index, w->loop->name, &step))
        return NULL;
    w->ahead = 0;
    const sq_code_expr *lane[64], *first = at_lane(w, index, 0);
    w->ahead = ahead;
    first =
        sq_code_broadcast(w->pool, w->lanes, sq_code_operation(w->pool, SQ_OP_CAST, type, &first));
    if (step == 0)
        return first;
    ahead *= step * w->loop->step;
    step *= w->is_backwards ? -w->loop->step : w->loop->step;
    for (int l = 0; l < w->lanes; l++)
        lane[l] = sq_code_constant(w->pool, type, (sq_number){.integer = sq_type_wrap(type, ahead + l * step)});
    return sq_widen_both(w, SQ_OP_ADD, first, sq_code_vector(w->pool, w->lanes, lane));
}

bool sq_widen_casts_scalar(const sq_code_expr *e)
{
    return e->op == SQ_CODE_OPERATION && e->operation == SQ_OP_CAST && e->arg[0]->op == SQ_CODE_SCALAR &&
           !sq_type_stored(e->type) && !sq_type_stored(e->arg[0]->type);
}

static const sq_code_expr *cast(sq_widen *w, const sq_code_expr *e)
{
    const sq_code_expr *x = e->arg[0];
    bool scalar = sq_widen_casts_scalar(e);
    if (!sq_code_is_index(x) && !scalar)
        return sq_type_stored(e->type) ? NULL : sq_widen_converted(w, sq_widen_value(w, x), e->type);
    if (scalar || !sq_code_mentions(x, w->loop->name))
        return sq_code_broadcast(w->pool, w->lanes, e);
    return ramp(w, e->type, x);
}

/* ---- conditions ---- */

static const sq_code_expr *comparison(sq_widen *w, sq_op op, const sq_code_expr *a,
                                      const sq_code_expr *b)
{
    if (!a || !b)
        return NULL;
    const sq_code_expr *arg[] = {a, b};
    return sq_code_operation(w->pool, op, sq_type_integer(sq_type_bytes(a->type), false), arg);
}

/* Compares a widened integer with a number as it was: its lanes need not be widened for a mask that has a
 * bit for each. NULL: it is no such comparison. */
static const sq_code_expr *compared_narrow(sq_widen *w, const sq_code_expr *e)
{
    const sq_code_expr *a = e->arg[0], *b = e->arg[1];
    if (!w->c->target->isa->mask_registers || a->op != SQ_CODE_OPERATION ||
        a->operation != SQ_OP_CAST || sq_code_is_index(a->arg[0]) || b->op != SQ_CODE_CONSTANT ||
        !sq_type_holds(a->type, a->arg[0]->type) ||
        sq_type_wrap(a->arg[0]->type, b->number) != b->number)
        return NULL;
    return comparison(w, e->operation, sq_widen_value(w, a->arg[0]),
                      single(w, a->arg[0]->type, b->number));
}

/* Converts both sides to the type in which C compares them. */
static const sq_code_expr *compared(sq_widen *w, const sq_code_expr *e)
{
    const sq_code_expr *narrow = compared_narrow(w, e);
    if (narrow)
        return narrow;
    sq_type type = e->arg[0]->type;
    if (e->arg[1]->type != type)
        type = sq_type_common(type, e->arg[1]->type);
    const sq_code_expr *a = sq_widen_converted(w, sq_widen_value(w, e->arg[0]), type);
    return comparison(w, e->operation, a, sq_widen_converted(w, sq_widen_value(w, e->arg[1]), type));
}

/* Elements that the second operand of && and || reads exist where the first one makes C evaluate
 * it. */
static const sq_code_expr *joined(sq_widen *w, const sq_code_expr *e, int bytes)
{
    const sq_code_expr *outer = w->where, *a = sq_widen_condition(w, e->arg[0], bytes), *b;
    if (!a)
        return NULL;
    b = e->operation == SQ_OP_AND ? a : sq_code_operation(w->pool, SQ_OP_NOT, a->type, &a);
    w->where = outer ? sq_widen_both(w, SQ_OP_AND, sq_widen_converted(w, outer, a->type), b) : b;
    b = sq_widen_condition(w, e->arg[1], bytes);
    w->where = outer;
    return sq_widen_both(w, e->operation, a, b);
}

static const sq_code_expr *condition(sq_widen *w, const sq_code_expr *e, int bytes)
{
    const sq_code_expr *x;
    if (e->op == SQ_CODE_OPERATION && (e->operation == SQ_OP_AND || e->operation == SQ_OP_OR))
        return joined(w, e, bytes);
    if (e->op == SQ_CODE_OPERATION && e->operation == SQ_OP_NOT) {
        x = sq_widen_condition(w, e->arg[0], bytes);
        return x ? sq_code_operation(w->pool, SQ_OP_NOT, x->type, &x) : NULL;
    }
    if (e->op == SQ_CODE_OPERATION && sq_op_compares(e->operation)) {
        x = compared(w, e);
    } else {
        x = sq_widen_value(w, e);
        x = x ? comparison(w, SQ_OP_NE, x, single(w, x->type, 0)) : NULL;
    }
    return sq_widen_converted(w, x, sq_type_integer(bytes, false));
}

/* Returns the mask that a scalar was set from, if it is known still: `c = x < y; if (c) …`; NULL: it is not. */
static const sq_code_expr *set_from(sq_widen *w, const sq_code_expr *e)
{
    const sq_widen_store *set = NULL;
    bool is_test = e->op == SQ_CODE_OPERATION && e->operation == SQ_OP_NE && e->arg[1]->op == SQ_CODE_CONSTANT &&
                   e->arg[1]->number == 0;
    int n = 0;
    for (const sq_widen_store *s = w->store; s < w->store + w->nstores; s++)
        if (s->place == (is_test ? e->arg[0] : e) && ++n == 1)
            set = s;
    if (n != 1 || set->kind != SQ_WIDEN_VALUE || set->x->cond || w->nnamed == SQ_WIDEN_NAMES)
        return NULL;
    const sq_code_expr *mask = known(w, set->x->value);
    if (mask)
        w->name[w->nnamed++] = (sq_widen_name){e, w->where, mask->buffer};
    return mask;
}

const sq_code_expr *sq_widen_condition(sq_widen *w, const sq_code_expr *e, int bytes)
{
    if (sq_code_is_index(e))
        return NULL;
    const sq_code_expr *before = known(w, e);
    before = before ? before : set_from(w, e);
    if (before && sq_type_bytes(before->type) == bytes)
        return before;
    return sq_widen_named(w, e, condition(w, e, bytes));
}

/* ---- operations ---- */

/* Returns an arm of a conditional, whose loads may exist only if it is selected. */
static const sq_code_expr *side(sq_widen *w, const sq_code_expr *e, const sq_code_expr *mask)
{
    const sq_code_expr *outer = w->where;
    w->where = outer ? sq_widen_both(w, SQ_OP_AND, sq_widen_converted(w, outer, mask->type), mask) : mask;
    const sq_code_expr *x = sq_widen_value(w, e);
    w->where = outer;
    return x;
}

static const sq_code_expr *choice(sq_widen *w, const sq_code_expr *e)
{
    const sq_code_expr *m = sq_widen_condition(w, e->arg[0], sq_type_bytes(e->type));
    if (!m)
        return NULL;
    const sq_code_expr *a = sq_widen_converted(w, side(w, e->arg[1], m), e->type),
                       *fails = sq_code_operation(w->pool, SQ_OP_NOT, m->type, &m),
                       *b = sq_widen_converted(w, side(w, e->arg[2], fails), e->type);
    return a && b ? sq_code_choose(w->pool, m, a, b) : NULL;
}

static bool is_product(const sq_widen *w, const sq_code_expr *e, sq_type type)
{
    return e->op == SQ_CODE_OPERATION && e->operation == SQ_OP_MUL && e->type == type &&
           sq_type_real(type) && w->c->kernel->fp != SQ_FP_STRICT;
}

/* True if 32 bits with a sign hold the value. */
static bool is_half(const sq_code_expr *e)
{
    sq_type from = e->op == SQ_CODE_OPERATION && e->operation == SQ_OP_CAST ? e->arg[0]->type : e->type;
    return !sq_type_real(from) && (sq_type_bytes(from) < 4 || from == SQ_I32);
}

/* True if it is a product of int64_t whose factors are half as wide, for which there is an instruction. */
static bool is_low(const sq_widen *w, const sq_code_expr *e)
{
    return w->c->target->isa->fma_low && e->op == SQ_CODE_OPERATION && e->operation == SQ_OP_MUL &&
           e->type == SQ_I64 && is_half(e->arg[0]) && is_half(e->arg[1]);
}

/* Returns a + b, where b is such a product; NULL: it is none. */
static const sq_code_expr *added_low(sq_widen *w, const sq_code_expr *a, const sq_code_expr *b)
{
    bool is = a->type == SQ_I64 && is_low(w, b);
    const sq_code_expr *x = is ? sq_widen_converted(w, sq_widen_value(w, b->arg[0]), SQ_I64) : NULL,
                       *y = x ? sq_widen_converted(w, sq_widen_value(w, b->arg[1]), SQ_I64) : NULL;
    return y ? sq_code_fma_low(w->pool, x, y, a) : NULL;
}

const sq_code_expr *sq_widen_added(sq_widen *w, const sq_code_expr *a, bool minus,
                                   const sq_code_expr *b)
{
    const sq_code_expr *low = a && !minus ? added_low(w, a, b) : NULL;
    if (low)
        return low;
    if (!a || !is_product(w, b, a->type))
        return a ? sq_widen_both(w, minus ? SQ_OP_SUB : SQ_OP_ADD, a,
                                 sq_widen_converted(w, sq_widen_value(w, b), a->type))
                 : NULL;
    const sq_code_expr *x = sq_widen_converted(w, sq_widen_value(w, b->arg[0]), a->type),
                       *y = sq_widen_converted(w, sq_widen_value(w, b->arg[1]), a->type);
    if (!x || !y)
        return NULL;
    if (minus)
        x = sq_code_operation(w->pool, SQ_OP_NEG, x->type, &x);
    return sq_code_fma(w->pool, a->type, x, y, a);
}

/* True for integer division: unused lanes divide as well, but never by 0. */
static bool divides(const sq_code_expr *e)
{
    const sq_code_expr *by = e->arg[1];
    return by->op == SQ_CODE_CONSTANT && by->number != 0 && by->number != -1 &&
           sq_type_bytes(e->type) > 1; /* there are no byte versions of these instructions */
}

bool sq_widen_has_form(const sq_code_expr *e)
{
    bool real = sq_type_real(e->type);
    switch (e->operation) {
    case SQ_OP_NEG:
    case SQ_OP_ADD:
    case SQ_OP_SUB:
    case SQ_OP_MUL:
    case SQ_OP_MIN:
    case SQ_OP_MAX:
        return true;
    case SQ_OP_DIV:
    case SQ_OP_MOD:
        return (real && e->operation == SQ_OP_DIV) || divides(e);
    case SQ_OP_BIT_AND:
    case SQ_OP_BIT_OR:
    case SQ_OP_BIT_XOR:
    case SQ_OP_BIT_NOT:
    case SQ_OP_AVERAGE:
    case SQ_OP_SHL:
    case SQ_OP_SHR:
        return !real;
    default:
        return real && sq_math_is_function(e->operation);
    }
}

static const sq_code_expr *sum(sq_widen *w, const sq_code_expr *e)
{
    bool minus = e->operation == SQ_OP_SUB;
    if (!minus && is_product(w, e->arg[0], e->type) && !is_product(w, e->arg[1], e->type))
        return sq_widen_added(w, sq_widen_converted(w, sq_widen_value(w, e->arg[1]), e->type), false,
                              e->arg[0]);
    return sq_widen_added(w, sq_widen_converted(w, sq_widen_value(w, e->arg[0]), e->type), minus, e->arg[1]);
}

static const sq_code_expr *operation(sq_widen *w, const sq_code_expr *e)
{
    const sq_code_expr *arg[2] = {NULL, NULL};
    if (e->operation == SQ_OP_CAST)
        return cast(w, e);
    if (sq_op_is_condition(e->operation)) {
        const sq_code_expr *m = sq_widen_condition(w, e, sq_type_bytes(e->type));
        return m ? sq_code_choose(w->pool, m, single(w, e->type, 1), single(w, e->type, 0)) : NULL;
    }
    if (!sq_widen_has_form(e) || sq_type_stored(e->type))
        return NULL;
    if (e->operation == SQ_OP_ADD || e->operation == SQ_OP_SUB)
        return sum(w, e);
    for (int i = 0; i < e->nargs && i < 2; i++) {
        arg[i] = sq_widen_converted(w, sq_widen_value(w, e->arg[i]), e->type);
        if (!arg[i])
            return NULL;
    }
    if (is_low(w, e))
        return sq_code_fma_low(w->pool, arg[0], arg[1], single(w, SQ_I64, 0));
    return sq_code_operation(w->pool, e->operation, e->type, arg);
}

const sq_code_expr *sq_widen_value(sq_widen *w, const sq_code_expr *e)
{
    if (sq_code_is_index(e))
        return NULL;
    switch (e->op) {
    case SQ_CODE_LOAD:
        return load(w, e);
    case SQ_CODE_CONSTANT:
    case SQ_CODE_SCALAR:
        return sq_type_stored(e->type) ? NULL : sq_code_broadcast(w->pool, w->lanes, e);
    case SQ_CODE_SELECT:
        return choice(w, e);
    case SQ_CODE_OPERATION:
        return operation(w, e);
    default:
        return NULL;
    }
}
