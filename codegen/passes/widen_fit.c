/* Widen, fit: which loops can be vectorized. A vector of iterations runs statement by statement: if
 * one iteration writes an element that another one of the same vector reads or writes, the order of
 * these accesses must be that of the statements. See widen.h. */
#include "codegen/passes/widen.h"
#include "codegen/code/from_isl.h"
#include "codegen/isa/isa.h"
#include <stdlib.h>
#include <string.h>

/* ---- accesses of the body ---- */

static bool add(sq_widen *w, const sq_code_expr *place, bool writes, bool maybe)
{
    if (w->naccesses == SQ_WIDEN_ACCESSES)
        return false;
    w->access[w->naccesses++] = (sq_widen_access){place, w->nstores, writes, maybe};
    return true;
}

/* Collects the loads of a value; false if there are too many, or an operation that cannot be
 * vectorized. */
static bool see(sq_widen *w, const sq_code_expr *e, bool maybe)
{
    if (sq_code_is_index(e))
        return true;
    if (e->op == SQ_CODE_LOAD)
        return e->lanes <= 1 && !sq_code_is_pointer(e->buffer) && add(w, e, false, maybe);
    bool second =
        e->op == SQ_CODE_SELECT ||
        (e->op == SQ_CODE_OPERATION && (e->operation == SQ_OP_AND || e->operation == SQ_OP_OR));
    for (int i = 0; i < e->nargs; i++)
        if (!see(w, e->arg[i], maybe || (second && i > 0)))
            return false;
    return true;
}

static bool see_store(sq_widen *w, const sq_code *x)
{
    const sq_code_expr *place = sq_code_load(w->pool, x->buffer, x->index);
    bool fine = w->nstores < SQ_WIDEN_STORES && !sq_code_is_pointer(x->buffer) &&
                x->buffer->lanes <= 1 && x->value->lanes <= 1 && !x->lane_step &&
                !(x->cond && sq_code_is_index(x->cond));
    if (!fine || (x->cond && !see(w, x->cond, false)) || !see(w, x->value, x->cond != NULL) ||
        !add(w, place, true, x->cond != NULL))
        return false;
    w->store[w->nstores++] = (sq_widen_store){.x = x, .place = place};
    return true;
}

/* True if the body declares the register, which is private to an iteration. */
static bool is_declared(const sq_code *x, const sq_code_buffer *b)
{
    for (; x; x = x->next)
        if ((x->kind == SQ_CODE_DECLARE && x->buffer == b) || is_declared(x->body, b))
            return true;
    return false;
}

static bool see_body(sq_widen *w, const sq_code *x)
{
    bool fine = true;
    for (; x && fine; x = x->next) {
        if (x->kind == SQ_CODE_STORE)
            fine = see_store(w, x);
        else if (x->kind == SQ_CODE_LOOP)
            fine = w->is_nest && see_body(w, x->body);
        else if (x->kind == SQ_CODE_DECLARE)
            fine = x->buffer->storage == SQ_CODE_REGISTER && x->buffer->ndim == 0;
        else
            fine = x->kind == SQ_CODE_COMMENT || x->kind == SQ_CODE_UNUSED;
    }
    return fine && w->nstores > 0;
}

/* ---- strides ---- */

static bool moves(const sq_widen *w, const sq_code_expr *place)
{
    for (int d = 0; d < place->nargs; d++)
        if (sq_code_mentions(place->arg[d], w->loop->name))
            return true;
    return false;
}

bool sq_widen_step(const sq_widen *w, const sq_code_expr *place, int64_t *step)
{
    int64_t coef = 0, stride = 1;
    *step = 0;
    for (int d = 0; d < place->nargs; d++) {
        if (!sq_code_is_affine(place->arg[d], w->loop->name, &coef))
            return false;
        bool last = d == place->nargs - 1,
             known = last ||
                     (place->buffer->stride && sq_code_known(place->buffer->stride[d], &stride));
        if (coef != 0 && !known)
            return false;
        *step += coef * w->loop->step * (last ? 1 : stride);
    }
    return true;
}

bool sq_widen_is_sure(const sq_widen *w, const sq_code_expr *place)
{
    for (int i = 0; i < w->naccesses; i++)
        if (w->access[i].place == place && !w->access[i].maybe)
            return true;
    return false;
}

/* ---- order ---- */

/* How two subscripts of one buffer can be equal. */
typedef enum meeting { NEVER, AT_DISTANCE, AHEAD, BEHIND, ANYWHERE } meeting;

/* For a difference that is not known, in a dimension that moves by `step`. */
static meeting meet_unknown(const sq_widen *w, const sq_code_expr *by, int64_t step)
{
    const sq_code_expr *back = sq_code_scale(w->pool, -1, by);
    isl_set *known = w->c->kernel->context;
    if (step == 0)
        return ANYWHERE;
    return sq_code_is_never_negative(step > 0 ? by : back, known)   ? AHEAD
           : sq_code_is_never_negative(step > 0 ? back : by, known) ? BEHIND
                                                                    : ANYWHERE;
}

/* AT_DISTANCE: a at iteration i + *distance is b at iteration i, and nowhere else; AHEAD, BEHIND:
 * at a distance that is at least, or at most, 0. */
static meeting meet(const sq_widen *w, const sq_code_expr *a, const sq_code_expr *b,
                    int64_t *distance)
{
    meeting all = ANYWHERE;
    for (int d = 0; d < a->nargs; d++) {
        int64_t of_a, of_b, by, here;
        bool same = sq_code_is_affine(a->arg[d], w->loop->name, &of_a) &&
                    sq_code_is_affine(b->arg[d], w->loop->name, &of_b) && of_a == of_b;
        if (!same)
            continue;
        const sq_code_expr *difference = sq_code_sub(w->pool, b->arg[d], a->arg[d]);
        of_a *= w->loop->step;
        if (!sq_code_known(difference, &by)) {
            all = all == ANYWHERE ? meet_unknown(w, difference, of_a) : all;
            continue;
        }
        if (of_a == 0 ? by != 0 : by % of_a != 0)
            return NEVER;
        if (of_a == 0)
            continue;
        here = by / of_a;
        if (all == AT_DISTANCE && here != *distance)
            return NEVER;
        *distance = here;
        all = AT_DISTANCE;
    }
    return all;
}

bool sq_widen_may_meet(const sq_widen *w, const sq_code_expr *a, const sq_code_expr *b)
{
    int64_t distance;
    return meet(w, a, b, &distance) != NEVER && !sq_widen_is_apart(w, a, b);
}

/* True if vectorizing preserves the order of `a`, a write, and `b` on each element. */
static bool keeps_order(const sq_widen *w, const sq_widen_access *a, const sq_widen_access *b)
{
    int64_t distance = 0;
    meeting m = a->place->nargs ? meet(w, a->place, b->place, &distance) : ANYWHERE;
    if (m == NEVER || w->loop->any_order || w->is_nest || sq_widen_meets_at_cut(w, a->place, b->place))
        return true;
    if (m != AT_DISTANCE && sq_widen_is_apart(w, a->place, b->place))
        return true;
    if (m == ANYWHERE)
        return false;
    distance = m == AHEAD ? 1 : m == BEHIND ? -1 : distance;
    if (distance == 0 || llabs(distance) >= w->lanes)
        return true;
    if (distance >
        0) /* b runs first: its statement precedes, or the store's own value reads it */
        return b->stmt < a->stmt || (b->stmt == a->stmt && !b->writes);
    return a->stmt < b->stmt;
}

/* Stores with constant addresses are checked separately. */
static bool is_ordered(const sq_widen *w)
{
    for (int i = 0; i < w->naccesses; i++)
        for (int j = 0; j < w->naccesses && w->access[i].writes; j++) {
            const sq_widen_access *a = &w->access[i], *b = &w->access[j];
            if (a->place->buffer != b->place->buffer) {
                if (sq_pass_may_overlap(w->c, a->place->buffer, b->place->buffer))
                    return false;
                continue;
            }
            if (!moves(w, a->place) && a->place == b->place)
                continue;
            if (i != j && !keeps_order(w, a, b))
                return false;
        }
    return true;
}

/* ---- stores with constant addresses ---- */

static int count_place(const sq_widen *w, const sq_code_expr *place, bool writes)
{
    int n = 0;
    for (int i = 0; i < w->naccesses; i++)
        n += w->access[i].place == place && w->access[i].writes == writes;
    return n;
}

static bool has_lanes_together(const sq_widen *w, const sq_code_expr *e)
{
    bool strict = sq_type_real(e->type) && w->c->kernel->fp == SQ_FP_STRICT;
    switch (e->operation) {
    case SQ_OP_ADD:
    case SQ_OP_SUB:
    case SQ_OP_MUL:
        return !strict;
    case SQ_OP_MIN:
    case SQ_OP_MAX:
        return !strict;
    case SQ_OP_BIT_AND:
    case SQ_OP_BIT_OR:
    case SQ_OP_BIT_XOR:
        return true;
    default:
        return false;
    }
}

/* True for place = place op x, where nothing else accesses the place. */
static bool is_sum(const sq_widen *w, sq_widen_store *s)
{
    const sq_code_expr *e = s->x->value;
    bool adds = e->op == SQ_CODE_OPERATION && e->nargs == 2 && has_lanes_together(w, e) &&
                e->type == s->place->type && !s->x->cond;
    if (!adds || count_place(w, s->place, true) != 1 || count_place(w, s->place, false) != 1)
        return false;
    int side = e->arg[0] == s->place                                ? 1
               : e->arg[1] == s->place && e->operation != SQ_OP_SUB ? 0
                                                                    : -1;
    if (side < 0)
        return false;
    s->kind = SQ_WIDEN_SUM;
    s->op = e->operation;
    s->added = e->arg[side];
    s->keeps_old = side == 0 && (s->op == SQ_OP_MIN || s->op == SQ_OP_MAX);
    return true;
}

/* True if only this body reads a local scalar. */
static bool is_private(const sq_widen *w, const sq_widen_store *s)
{
    const sq_array *a = s->x->stmt ? s->x->stmt->write->array : NULL;
    bool fine = a && a->role == SQ_LOCAL && s->x->buffer->ndim == 0;
    for (int i = 0; i < w->c->kernel->nstmts && fine; i++) {
        const sq_stmt *reader = w->c->kernel->stmt[i];
        bool is_inside = false;
        for (const sq_code *x = w->loop->body; x; x = x->next)
            is_inside |= x->kind == SQ_CODE_STORE && x->stmt == reader;
        fine = is_inside || !sq_stmt_reads_array(reader, a);
    }
    return fine;
}

/* True if the place is stored to unconditionally before it is read. */
static bool is_value(const sq_widen *w, sq_widen_store *s)
{
    s->kind = SQ_WIDEN_VALUE;
    bool is_register = s->place->buffer->storage == SQ_CODE_REGISTER;
    s->is_own = (is_register && is_declared(w->loop->body, s->place->buffer)) || is_private(w, s);
    for (int i = 0; i < w->naccesses; i++)
        if (w->access[i].place == s->place) {
            s->is_new = w->access[i].writes && &w->store[w->access[i].stmt] == s;
            return w->access[i].writes && !w->access[i].maybe;
        }
    return false;
}

/* Stores to the same place use one register. */
static const sq_code_buffer *register_of(const sq_widen *w, const sq_widen_store *s)
{
    for (const sq_widen_store *x = w->store; x < s; x++)
        if (x->place == s->place)
            return x->now;
    const char *stem = s->place->buffer->name;
    stem = sq_arena_printf(w->pool->arena, "%s_of%d", stem + (*stem == '@'), (int)(s - w->store));
    return sq_widen_register(w, stem, s->place->type);
}

static bool sort_stores(sq_widen *w)
{
    for (sq_widen_store *s = w->store; s < w->store + w->nstores; s++) {
        if (moves(w, s->place) || s->kind == SQ_WIDEN_SUM)
            continue;
        if (w->is_nest && is_declared(w->loop->body, s->place->buffer) && is_value(w, s))
            continue;
        if (w->is_nest)
            return false;
        if (!sq_widen_is_position(w, s) && !sq_widen_is_last_match(w, s) && !is_sum(w, s) && !is_value(w, s))
            return false;
    }
    return true;
}

/* ---- interleaved groups ---- */

/* True if b's address is a's plus this number of elements. */
static bool is_behind(const sq_widen *w, const sq_code_expr *a, const sq_code_expr *b, int elements)
{
    int64_t by;
    int last = a->nargs - 1;
    for (int d = 0; d < last; d++)
        if (a->arg[d] != b->arg[d])
            return false;
    return last >= 0 && sq_code_known(sq_code_sub(w->pool, b->arg[last], a->arg[last]), &by) &&
           by == elements;
}

/* Returns the store to elements interleaved with those of s, at this distance behind them; NULL:
 * there is none, or it has a group. */
static sq_widen_store *beside(sq_widen *w, const sq_widen_store *s, int behind, int64_t step)
{
    int64_t own;
    for (sq_widen_store *x = w->store; x < w->store + w->nstores; x++)
        if (x->x->buffer == s->x->buffer && !x->x->cond && !x->group &&
            is_behind(w, s->place, x->place, behind) && sq_widen_step(w, x->place, &own) &&
            own == step)
            return x;
    return NULL;
}

/* True if the body accesses an element of one of the stores between that store and the last one of
 * the group. */
static bool is_seen(const sq_widen *w, const sq_widen_group *g)
{
    int last = (int)(g->last - w->store);
    for (int m = 0; m < g->n; m++)
        for (int i = 0; i < w->naccesses; i++) {
            const sq_widen_access *a = &w->access[i];
            const sq_widen_store *s = g->member[m];
            bool between = a->stmt > s - w->store && a->stmt <= last;
            if (between && a->place->buffer == s->x->buffer && sq_widen_may_meet(w, a->place, s->place))
                return true;
        }
    return false;
}

/* Groups interleaved stores that cover all elements. */
static void group(sq_widen *w, sq_widen_store *s)
{
    int64_t step;
    sq_widen_store *member[SQ_STRIDE_MOST] = {s};
    if (s->x->cond || s->group || !sq_widen_step(w, s->place, &step) || step < 2 ||
        step > SQ_STRIDE_MOST)
        return;
    sq_widen_group *g = SQ_NEW(w->pool->arena, sq_widen_group);
    *g = (sq_widen_group){.n = (int)step, .last = s};
    for (int m = 0; m < g->n; m++) {
        member[m] = m ? beside(w, s, m, step) : s;
        if (!member[m])
            return;
        g->member[m] = member[m];
        g->last = member[m] > g->last ? member[m] : g->last;
    }
    for (int m = 0; m < g->n && !is_seen(w, g); m++)
        member[m]->group = g;
}

/* Returns what lies at a distance from the place of s: a store of the same stride, or what the body surely reads; NULL:
 * neither. */
static const sq_code_expr *around(sq_widen *w, const sq_widen_store *s, int at, int64_t step, bool *stored)
{
    *stored = at == 0 || beside(w, s, at, step);
    return *stored ? s->place : sq_widen_read_at(w, s->place, at);
}

static bool store_back(sq_widen *w, const sq_widen_store *s, const sq_code_expr *place)
{
    sq_code *x = sq_code_store(w->pool, place->buffer, place->arg, place);
    x->stmt = s->x->stmt;
    return see_store(w, x);
}

/* Stores what the body reads beside s and does not write, so that whole vectors are stored: the colours of a pixel are
 * multiplied by its alpha, which stays. Other threads cannot write what this one reads. False: there are too many. */
static bool complete(sq_widen *w, const sq_widen_store *s)
{
    int64_t step;
    if (s->x->cond || s->group || !sq_widen_step(w, s->place, &step) || step < 2 || step > SQ_STRIDE_MOST)
        return true;
    for (int first = 1 - (int)step; first <= 0; first++) {
        const sq_code_expr *only_read[SQ_STRIDE_MOST] = {NULL};
        bool all = true, stored;
        for (int m = 0; m < step && all; m++) {
            const sq_code_expr *at = around(w, s, first + m, step, &stored);
            only_read[m] = stored ? NULL : at;
            all = at != NULL;
        }
        for (int m = 0; m < step && all; m++)
            if (only_read[m] && !store_back(w, s, only_read[m]))
                return false;
        if (all)
            break;
    }
    return true;
}

/* ---- shapes ---- */

/* chooses: of a condition that chooses between values, which is a mask as wide as what it compares, and no int. */
static int widest(const sq_code_expr *e, bool chooses, int so_far)
{
    if (sq_code_is_index(e))
        return so_far;
    bool is_mask = chooses && e->op == SQ_CODE_OPERATION && sq_op_is_condition(e->operation);
    bool joins = is_mask && !sq_op_compares(e->operation);
    int bytes = is_mask ? 1 : sq_type_bytes(sq_type_held(e->type));
    so_far = bytes > so_far ? bytes : so_far;
    if (sq_widen_casts_scalar(e))
        return so_far;
    for (int i = 0; i < e->nargs && e->op != SQ_CODE_LOAD; i++)
        so_far = widest(e->arg[i], joins || (e->op == SQ_CODE_SELECT && i == 0), so_far);
    return so_far;
}

/* The widest value determines the number of lanes. */
static bool choose_lanes(sq_widen *w)
{
    int bytes = 1;
    for (int i = 0; i < w->nstores; i++) {
        bytes = widest(w->store[i].x->value, false, bytes);
        bytes = w->store[i].x->cond ? widest(w->store[i].x->cond, false, bytes) : bytes;
    }
    w->lanes = w->c->target->vector_bytes / bytes;
    return w->lanes > 1;
}

/* True if the instruction set has masked loads and stores for the type. */
static bool has_masks(const sq_widen *w, sq_type t)
{
    return w->c->target->isa->where && w->c->target->isa->masks & (unsigned)sq_type_bytes(t) &&
           w->lanes * sq_type_bytes(t) >= 16;
}

/* True if lanes are stored one by one: a vector's load would wait for stores of a few of its lanes. */
static bool scatters(const sq_widen *w, const sq_widen_access *a, int64_t way)
{
    bool reads = a->maybe || way > SQ_STRIDE_MOST;
    for (int i = 0; i < w->naccesses; i++)
        reads |= !w->access[i].writes && w->access[i].place->buffer == a->place->buffer;
    return !reads;
}

/* True if elements are contiguous, constant, or lie two to four apart, or in the other
 * direction; under a condition only if masks exclude elements that may not exist. */
static bool lies_well(const sq_widen *w, const sq_widen_access *a)
{
    int64_t step = 0;
    bool near = sq_widen_step(w, a->place, &step), once = near && step == 0;
    int64_t way = w->is_backwards ? -step : step;
    if (!near || sq_type_stored(a->place->type))
        return false;
    if (a->maybe && a->place->buffer->storage != SQ_CODE_REGISTER &&
        !sq_widen_is_sure(w, a->place) && !(way == 1 && has_masks(w, a->place->type)))
        return false;
    if (w->is_nest && a->writes)
        return once || way == 1;
    return once || way == 1 || (!a->writes && way >= 2 && way <= 4) ||
           (way == -1 && !a->maybe && sq_widen_is_sure(w, a->place)) ||
           (a->writes && way >= 2 && (w->store[a->stmt].group || scatters(w, a, way)));
}

static bool lie_well(sq_widen *w)
{
    int64_t step;
    int forward = 0, back = 0;
    for (int i = 0; i < w->naccesses; i++) {
        bool near = sq_widen_step(w, w->access[i].place, &step);
        forward += near && step > 0;
        back += near && step < 0;
    }
    w->is_backwards = back > 0 && forward == 0;
    for (int i = 0; i < w->naccesses; i++)
        if (!lies_well(w, &w->access[i]))
            return false;
    return forward + back > 0;
}

/* Fewer lanes, in vectors of at least 16 bytes, may preserve an order that more would not. */
static bool keeps_some(sq_widen *w)
{
    int bytes = w->c->target->vector_bytes / w->lanes;
    for (; w->lanes * bytes >= 16 && w->lanes > 1; w->lanes /= 2)
        if (is_ordered(w))
            return lie_well(w);
    return false;
}

static const sq_code_buffer *part_of(const sq_widen *w, const sq_widen_store *s)
{
    return sq_widen_register(w, sq_arena_printf(w->pool->arena, "part%d", (int)(s - w->store)),
                             s->place->type);
}

/* True if the loop has fewer iterations than a vector has lanes. */
static bool is_too_short(const sq_widen *w)
{
    return sq_code_is_brief(w->loop) && sq_code_iterations(w->loop) < w->lanes;
}

bool sq_widen_fits(sq_widen *w)
{
    if (!w->loop->hi || !see_body(w, w->loop->body) || !choose_lanes(w) || is_too_short(w))
        return false;
    for (int i = 0, n = w->nstores; i < n && !w->is_nest; i++)
        if (!complete(w, &w->store[i]))
            return false;
    for (sq_widen_store *s = w->store; s < w->store + w->nstores && !w->is_nest; s++)
        group(w, s);
    if (!lie_well(w) || !keeps_some(w) || !sort_stores(w))
        return false;
    for (sq_widen_store *s = w->store; s < w->store + w->nstores; s++)
        s->now = s->kind == SQ_WIDEN_VALUE ? register_of(w, s) : s->group ? part_of(w, s) : NULL;
    return true;
}
