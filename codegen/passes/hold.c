/* Hold: keeps in registers what a serial loop updates at one place, such as the state of a filter, and stores it behind
 * the loop. Compilers do so only where each iteration stores, and where they can see that nothing else is the same
 * memory. */
#include "codegen/code/build.h"
#include "codegen/passes/overlap.h"
#include "codegen/passes/rows.h"

enum { MOST_ACCESSES = 256, MOST_NAMES = 32 };

typedef struct access {
    const sq_code_expr *place; /* as a load */
    bool writes, sure;         /* sure: in every iteration */
} access;

/* A loop, and what it does to memory. */
typedef struct holding {
    const sq_pass_context *c;
    bool is_known; /* each of its accesses is one of these */
    int naccesses, nnames;
    access of[MOST_ACCESSES];
    const char *name[MOST_NAMES]; /* that differ between iterations */
} holding;

/* ---- what a loop accesses ---- */

static void add(holding *h, const sq_code_expr *place, bool writes, bool sure)
{
    h->is_known &= h->naccesses < MOST_ACCESSES;
    if (h->is_known)
        h->of[h->naccesses++] = (access){place, writes, sure};
}

static void changes(holding *h, const char *name)
{
    h->is_known &= h->nnames < MOST_NAMES;
    if (h->is_known)
        h->name[h->nnames++] = name;
}

/* Vectors are no single places: what they are of is not held. */
static void see(holding *h, const sq_code_expr *e, bool sure)
{
    if (!e)
        return;
    bool second =
        e->op == SQ_CODE_SELECT ||
        (e->op == SQ_CODE_OPERATION && (e->operation == SQ_OP_AND || e->operation == SQ_OP_OR));
    for (int i = 0; i < e->nargs; i++)
        see(h, e->arg[i], sure && !(second && i > 0));
    if (e->buffer && e->buffer->storage != SQ_CODE_REGISTER)
        add(h, e, false, sure && e->op == SQ_CODE_LOAD);
}

static void see_store(holding *h, const sq_code *x, bool sure)
{
    see(h, x->cond, sure);
    see(h, x->value, sure && !x->cond);
    see(h, x->lane_step, sure);
    see(h, x->left, sure);
    for (int d = 0; d < x->buffer->ndim; d++)
        see(h, x->index[d], sure);
    if (x->buffer->storage == SQ_CODE_REGISTER)
        return;
    h->is_known &= !sq_code_is_pointer(x->buffer);
    if (h->is_known && x->lane_step)
        add(h,
            sq_code_load_lanes(h->c->pool, x->buffer, x->value->lanes,
                               &(sq_code_lanes){.index = x->index, .step = x->lane_step}),
            true, false);
    else if (h->is_known)
        add(h, sq_code_load(h->c->pool, x->buffer, x->index), true, sure && !x->cond);
}

static void see_list(holding *h, const sq_code *x, bool sure)
{
    for (; x && h->is_known; x = x->next) {
        bool inside = x->kind == SQ_CODE_LOOP || x->kind == SQ_CODE_IF;
        h->is_known =
            !x->part && x->kind != SQ_CODE_CALL && x->kind != SQ_CODE_COPY &&
            x->kind != SQ_CODE_POINTER && x->kind != SQ_CODE_ADVANCE && x->kind != SQ_CODE_FRESH &&
            x->kind != SQ_CODE_TRANSPOSE &&
            (x->kind != SQ_CODE_LOOP || x->runs == SQ_CODE_SERIAL || x->runs == SQ_CODE_UNROLLED);
        if (!h->is_known)
            return;
        if (x->kind == SQ_CODE_STORE) {
            see_store(h, x, sure);
            continue;
        }
        const sq_code_expr *const own[] = {x->lo, x->hi, x->cond, x->value};
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            see(h, own[i], sure);
        if (x->kind == SQ_CODE_LOOP || x->kind == SQ_CODE_LET || x->kind == SQ_CODE_VARIABLE ||
            x->kind == SQ_CODE_ASSIGN)
            changes(h, x->name);
        see_list(h, x->body, sure && !inside);
        see_list(h, x->other, false);
    }
}

/* ---- what may be held ---- */

/* True if it is the same element in all iterations. */
static bool is_one(const holding *h, const sq_code_expr *place)
{
    bool one = place->op == SQ_CODE_LOAD && place->lanes == 1;
    for (int d = 0; d < place->nargs && one; d++) {
        one = sq_code_positions(place->arg[d], NULL, 0) == 0;
        for (int i = 0; i < h->nnames && one; i++)
            one = !sq_code_mentions(place->arg[d], h->name[i]);
    }
    return one;
}

/* True if both are elements of one array, and never the same. */
static bool are_apart(const holding *h, const sq_code_expr *a, const sq_code_expr *b)
{
    int64_t by;
    bool apart = false;
    for (int d = 0; d < a->nargs && !apart && is_one(h, b); d++)
        apart = sq_code_known(sq_code_sub(h->c->pool, a->arg[d], b->arg[d]), &by) && by != 0;
    return apart;
}

static bool is_alone(const holding *h, const sq_code_expr *place)
{
    for (int i = 0; i < h->naccesses; i++) {
        const sq_code_expr *other = h->of[i].place;
        if (other == place || (other->buffer == place->buffer && are_apart(h, place, other)))
            continue;
        if (other->buffer == place->buffer ||
            sq_pass_may_overlap(h->c, place->buffer, other->buffer))
            return false;
    }
    return true;
}

/* The first access of the place. */
static const access *first_of(const holding *h, const sq_code_expr *place)
{
    const access *a = h->of;
    while (a->place != place)
        a++;
    return a;
}

/* True if an iteration may read what was there before the loop. */
static bool is_read_first(const holding *h, const sq_code_expr *place)
{
    const access *a = first_of(h, place);
    return !(a->writes && a->sure);
}

/* True if there may be nothing before the loop: of a temporary or an output, which some iteration may write before any
 * reads it. */
static bool may_be_empty(const holding *h, const sq_code_expr *place)
{
    const sq_array *a = sq_pass_array(h->c, place->buffer);
    return (!a || a->role == SQ_LOCAL || a->role == SQ_OUT) && is_read_first(h, place) && !first_of(h, place)->sure;
}

/* True if the loop updates the place of an access, which exists and is not held yet, and if compilers keep it in
 * memory: no iteration has to store. */
static bool may_be_held(const holding *h, const access *a)
{
    const sq_code_expr *place = a->place;
    bool exists = place->nargs == 0;
    if (!a->writes || sq_type_stored(place->type) || !is_one(h, place))
        return false;
    for (int i = 0; i < h->naccesses; i++) {
        const access *other = &h->of[i];
        if (other->place == place && other->writes && (other->sure || other < a))
            return false;
        exists |= other->place == place && other->sure;
    }
    return exists && is_alone(h, place) && !may_be_empty(h, place);
}

/* ---- the loop on registers ---- */

typedef struct held {
    sq_code_pool *pool;
    const sq_code_expr *place, *now;
} held;

static const sq_code_expr *replaced(const held *h, const sq_code_expr *e)
{
    if (!e || e == h->place)
        return e ? h->now : NULL;
    const sq_code_expr **arg = SQ_NEW_ARRAY(h->pool->arena, const sq_code_expr *, e->nargs + 1);
    bool same = true;
    for (int i = 0; i < e->nargs; i++) {
        arg[i] = replaced(h, e->arg[i]);
        same &= arg[i] == e->arg[i];
    }
    return same ? e : sq_code_rebuilt(h->pool, e, arg);
}

/* Returns a copy of the list. */
static sq_code *on_register(const held *h, const sq_code *x)
{
    sq_code_list all = {0};
    for (; x; x = x->next) {
        sq_code *own = sq_code_copy(h->pool, x);
        own->lo = replaced(h, x->lo);
        own->hi = replaced(h, x->hi);
        own->cond = replaced(h, x->cond);
        own->value = replaced(h, x->value);
        own->lane_step = replaced(h, x->lane_step);
        own->left = replaced(h, x->left);
        own->body = on_register(h, x->body);
        own->other = on_register(h, x->other);
        if (x->kind == SQ_CODE_STORE && x->buffer->ndim > 0) {
            const sq_code_expr **index =
                SQ_NEW_ARRAY(h->pool->arena, const sq_code_expr *, x->buffer->ndim);
            for (int d = 0; d < x->buffer->ndim; d++)
                index[d] = replaced(h, x->index[d]);
            own->index = index;
        }
        if (x->kind == SQ_CODE_STORE && !x->lane_step &&
            sq_code_load(h->pool, x->buffer, x->index) == h->place) {
            own->buffer = h->now->buffer;
            own->index = NULL;
        }
        sq_code_append(&all, own);
    }
    return all.first;
}

/* Appends a register of what is at the place, which is stored to it at the end. */
static void hold(const holding *h, const sq_code_expr *place, int *n, sq_code_list *begin,
                 sq_code **loop, sq_code_list *end)
{
    sq_code_pool *p = h->c->pool;
    const char *stem = place->buffer->name, *name;
    name = sq_arena_printf(p->arena, "@%s_%d", stem + (*stem == '@'), (*n)++);
    const held r = {p, place, sq_code_load(p, sq_code_register(p, name, place->type), NULL)};
    bool reads = is_read_first(h, place);
    sq_code_append(begin, sq_code_declare(p, r.now->buffer, !reads));
    if (reads)
        sq_code_append(begin, sq_code_set(p, r.now->buffer, place));
    *loop = on_register(&r, *loop);
    sq_code_append(end, sq_code_store(p, place->buffer, place->arg, r.now));
}

/* Returns a loop on registers, which runs only if it has an iteration; NULL: nothing is held. */
static sq_code *held_loop(const sq_pass_context *c, const sq_code *loop, int *n)
{
    holding *h = SQ_NEW(c->pool->arena, holding);
    *h = (holding){.c = c, .is_known = true};
    sq_code *now = sq_code_copy(c->pool, loop);
    sq_code_list begin = {0}, end = {0};
    changes(h, loop->name);
    see_list(h, loop->body, true);
    for (int i = 0; i < h->naccesses && h->is_known; i++)
        if (may_be_held(h, &h->of[i]))
            hold(h, h->of[i].place, n, &begin, &now, &end);
    if (!begin.first)
        return NULL;
    sq_code_append(&begin, now);
    sq_code_append(&begin, end.first);
    return sq_code_guarded(c->pool, sq_code_compare(c->pool, SQ_CODE_LT, loop->lo, loop->hi),
                           begin.first);
}

static sq_code *hold_all(const sq_pass_context *c, sq_code *x, int *n)
{
    for (sq_code **at = &x; *at; at = &(*at)->next) {
        sq_code *s = *at;
        bool serial = s->kind == SQ_CODE_LOOP && s->runs == SQ_CODE_SERIAL && s->lo && s->hi;
        sq_code *now = serial ? held_loop(c, s, n) : NULL;
        if (now) {
            now->next = s->next;
            s = *at = now;
        }
        s->body = hold_all(c, s->body, n);
        s->other = hold_all(c, s->other, n);
    }
    return x;
}

sq_code *sq_pass_hold(const sq_pass_context *c, sq_code *x)
{
    int n = 0;
    return c->target->grid ? x : hold_all(c, x, &n);
}
