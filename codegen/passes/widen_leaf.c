/* Widen, leaves: what values of one form read. See widen_alike.h. */
#include "codegen/isa/shuffle.h"
#include "codegen/passes/widen_alike.h"

/* ---- the same in all iterations ---- */

/* True if the value is the same in all iterations, and exists. */
static bool is_fixed(const sq_widen *w, const sq_code_expr *e)
{
    if (sq_code_is_index(e))
        return !sq_code_mentions(e, w->loop->name);
    bool fixed = e->op != SQ_CODE_LOAD || (!sq_widen_is_stored(w, e->buffer) && sq_widen_is_sure(w, e));
    for (int i = 0; i < e->nargs && fixed; i++)
        fixed = is_fixed(w, e->arg[i]);
    return fixed;
}

const sq_code_expr *sq_alike_fixed(const sq_alike *a, const sq_code_expr *const *e)
{
    const sq_number zero = {0, 0};
    for (int m = 0; m < a->n; m++)
        if (e[m] != e[0])
            return NULL;
    if (!is_fixed(a->w, e[0]))
        return NULL;
    return a->is_dry
               ? sq_code_broadcast(a->w->pool, a->w->lanes, sq_code_constant(a->w->pool, e[0]->type, zero))
               : sq_widen_value(a->w, e[0]);
}

static bool has_load(const sq_code_expr *e)
{
    bool any = e->op == SQ_CODE_LOAD;
    for (int i = 0; i < e->nargs && !any; i++)
        any = has_load(e->arg[i]);
    return any;
}

/* Numbers are constants for compilers as well; elements are loaded before the loop. */
const sq_code_expr *sq_alike_in_turn(const sq_alike *a, const sq_code_expr *const *e)
{
    const sq_code_expr *lane[SQ_SHUFFLE_MOST];
    bool loads = false;
    if (sq_type_stored(e[0]->type))
        return NULL;
    for (int m = 0; m < a->n; m++) {
        if (e[m]->type != e[0]->type || !is_fixed(a->w, e[m]))
            return NULL;
        loads |= has_load(e[m]);
    }
    for (int l = 0; l < a->w->lanes; l++)
        lane[l] = e[(l + sq_alike_phase(a)) % a->n];
    const sq_code_expr *v = sq_code_vector(a->w->pool, a->w->lanes, lane);
    return loads && !a->is_dry ? sq_widen_hoisted(a->w, v, v, "turn") : v;
}

/* ---- scalars ---- */

const sq_code_expr *sq_alike_resolved(const sq_widen *w, const sq_code_expr *e)
{
    const sq_widen_store *found = NULL;
    for (const sq_widen_store *s = w->store; s < w->store + w->nstores && e->op == SQ_CODE_LOAD; s++) {
        if (s->place != e)
            continue;
        if (found || s->kind != SQ_WIDEN_VALUE || s->x->cond || s->x->value->type != e->type)
            return e;
        found = s;
    }
    return found ? found->x->value : e;
}

/* ---- rows of memory ---- */

/* True if a row from there on has the value of no store: it is of an array that the body does not write, or of the
 * elements that the row is stored to, in an array that nothing else in the body writes. */
static bool is_still_there(const sq_alike *a, const sq_code_expr *place)
{
    const sq_widen *w = a->w;
    for (const sq_widen_store *s = w->store; s < w->store + w->nstores && !w->is_joint; s++)
        if (s->x->buffer == place->buffer &&
            (s->group != a->g || !sq_widen_lies_behind(w, a->g->member[0]->place, place, 0)))
            return false;
    return true;
}

/* Returns a vector of elements from a place on, of those that begin at `first`; NULL: the body may have changed
 * them. */
static const sq_code_expr *row(const sq_alike *a, const sq_code_expr *first, const sq_code_expr *place)
{
    if (!is_still_there(a, first))
        return NULL;
    const sq_code_lanes at = {.index = sq_widen_subscripts(a->w, place, 0),
                              .step = sq_code_number(a->w->pool, 1)};
    return sq_code_load_lanes(a->w->pool, place->buffer, a->w->lanes, &at);
}

/* Returns the lanes of each n in another order. */
static const sq_code_expr *turned(const sq_alike *a, const sq_code_expr *place, const int *from)
{
    const sq_code_expr *v = row(a, place, place);
    if (!v)
        return NULL;
    if (a->n == 4)
        return sq_code_swizzle(a->w->pool, v, sq_code_fours(from));
    sq_code_swizzles how = from[0] == from[1] ? (from[0] ? SQ_SWIZZLE_SECOND : SQ_SWIZZLE_FIRST) : SQ_SWIZZLE_SWAP;
    return a->n == 2 ? sq_code_swizzle(a->w->pool, v, how) : NULL;
}

/* Returns what the body reads at the first one of n elements, all of which exist, where e[] are some of them; NULL:
 * there is none. from[]: which of them each is. */
static const sq_code_expr *first_of(const sq_alike *a, const sq_code_expr *const *e, int *from)
{
    for (int before = 0; before < a->n; before++) {
        const sq_code_expr *first = sq_widen_read_at(a->w, e[0], -before);
        bool fine = first != NULL;
        for (int i = 1; i < a->n && fine; i++)
            fine = sq_widen_read_at(a->w, first, i) != NULL;
        for (int m = 0; m < a->n && fine; m++) {
            from[m] = 0;
            while (from[m] < a->n && !sq_widen_lies_behind(a->w, first, e[m], from[m]))
                from[m]++;
            fine = from[m] < a->n;
        }
        if (fine)
            return first;
    }
    return NULL;
}

const sq_code_expr *sq_alike_loads(const sq_alike *a, const sq_code_expr *const *e)
{
    int64_t step;
    int from[SQ_STRIDE_MOST];
    for (int m = 0; m < a->n; m++)
        if (!sq_widen_step(a->w, e[m], &step) || step != a->n || !sq_widen_is_sure(a->w, e[m]))
            return NULL;
    const sq_code_expr *first = first_of(a, e, from);
    bool in_order = true;
    for (int m = 0; m < a->n && first; m++)
        in_order &= from[m] == m;
    if (!first)
        return NULL;
    return in_order ? row(a, first, e[sq_alike_phase(a)]) : turned(a, first, from);
}

/* Of longer rows, as the brightness of pixels that have a colour in common, the elements that are as far apart within
 * an iteration as from one iteration to the next. */
const sq_code_expr *sq_alike_strided(const sq_alike *a, const sq_code_expr *const *e)
{
    int64_t step;
    if (!sq_widen_step(a->w, e[0], &step) || step % a->n || sq_widen_is_stored(a->w, e[0]->buffer))
        return NULL;
    const int64_t apart = step / a->n;
    bool fine = apart >= 2 && apart <= SQ_STRIDE_MOST &&
                sq_strided_shuffles(sq_type_bytes(e[0]->type), a->w->c->target);
    for (int m = 0; m < a->n && fine; m++)
        fine = sq_widen_lies_behind(a->w, e[0], e[m], m * apart) && sq_widen_is_sure(a->w, e[m]);
    const sq_code_expr *first = e[sq_alike_phase(a)];
    const sq_code_lanes at = {.index = fine ? sq_widen_subscripts(a->w, first, 0) : NULL,
                              .step = sq_code_number(a->w->pool, apart)};
    return fine ? sq_code_load_lanes(a->w->pool, first->buffer, a->w->lanes, &at) : NULL;
}

/* Of the vector that a row's iterations are a part of, each element is taken n times. */
const sq_code_expr *sq_alike_repeated(const sq_alike *a, const sq_code_expr *const *e)
{
    const sq_code_expr *of[SQ_STRIDE_MOST];
    int64_t step;
    for (int m = 1; m < a->n; m++)
        if (e[m] != e[0])
            return NULL;
    if (!sq_widen_step(a->w, e[0], &step) || step != 1 || !sq_widen_is_sure(a->w, e[0]) || !is_still_there(a, e[0]))
        return NULL;
    const int64_t ahead = a->w->ahead;
    a->w->ahead -= a->k * a->w->lanes / a->n;
    const sq_code_expr *all = row(a, e[0], e[0]);
    a->w->ahead = ahead;
    a->w->has_repeats = true;
    for (int m = 0; m < a->n; m++)
        of[m] = all;
    return sq_code_zip(a->w->pool, a->n, of, a->k);
}
