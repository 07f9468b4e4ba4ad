/* Region of code: what a parallel C loop does, read off its code. A loop inside of it that begins or ends
 * by another one's variable, as tiles and triangles do, counts as long as it can be. Of skewed loops, whose
 * lengths would take lines, nothing is said. */
#include "codegen/lower/region_work.h"
#include "ir/machine/machine.h"
#include <math.h>
#include <string.h>

enum {
    MOST_SCOPE = 64,
    MOST_NODES = 7, /* of a factor: a person reads it */
    LATENCY = 4     /* cycles of an operation */
};

/* A name that is defined inside of the parallel loop: its values lie in lo ... hi. */
typedef struct inner {
    const char *name;
    const sq_code_expr *lo, *hi;
} inner;

typedef struct counter {
    sq_code_pool *pool;
    const sq_machine *m;
    inner scope[MOST_SCOPE];
    int nscope;
    sq_code_product around; /* iterations of the loops in hand */
    sq_code_work *work;
    bool is_known;
} counter;

static const inner *find(const counter *c, const char *name)
{
    for (int i = c->nscope - 1; i >= 0; i--)
        if (strcmp(c->scope[i].name, name) == 0)
            return &c->scope[i];
    return NULL;
}

static const sq_code_expr *bound(const counter *c, const sq_code_expr *e, bool above);

static const sq_code_expr *bound_of_sum(const counter *c, const sq_code_expr *e, bool above)
{
    const sq_code_expr *all = sq_code_number(c->pool, e->number);
    for (int i = 0; i < e->nargs && all; i++) {
        const sq_code_expr *one = bound(c, e->arg[i], above == (e->coef[i] > 0));
        all = one ? sq_code_add_scaled(c->pool, all, e->coef[i], one) : NULL;
    }
    return all;
}

/* A minimum is at most any of its arguments, and at least the least of their lower bounds. */
static const sq_code_expr *bound_of_choice(const counter *c, const sq_code_expr *e, bool above)
{
    bool is_min = e->op == SQ_CODE_MIN;
    const sq_code_expr *all = NULL;
    for (int i = 0; i < e->nargs; i++) {
        const sq_code_expr *one = bound(c, e->arg[i], above);
        if (!one && is_min != above)
            return NULL;
        if (one)
            all = !all     ? one
                  : is_min ? sq_code_min(c->pool, all, one)
                           : sq_code_max(c->pool, all, one);
    }
    return all;
}

/* An expression of names from outside that is at least e, or at most; NULL where none is found. */
static const sq_code_expr *bound(const counter *c, const sq_code_expr *e, bool above)
{
    const inner *x = e->op == SQ_CODE_NAME ? find(c, e->name) : NULL;
    if (x)
        return bound(c, above ? x->hi : x->lo, above);
    switch (e->op) {
    case SQ_CODE_NUMBER:
    case SQ_CODE_NAME:
        return e;
    case SQ_CODE_SUM:
        return bound_of_sum(c, e, above);
    case SQ_CODE_MIN:
    case SQ_CODE_MAX:
        return bound_of_choice(c, e, above);
    default:
        return NULL;
    }
}

/* Of two lengths at most the one that is a number, a tile's, else the lesser. */
static const sq_code_expr *lesser(const counter *c, const sq_code_expr *a, const sq_code_expr *b)
{
    int64_t number;
    if (!a || !b)
        return a ? a : b;
    if (sq_code_known(a, &number) != sq_code_known(b, &number))
        return sq_code_known(a, &number) ? a : b;
    return sq_code_min(c->pool, a, b);
}

/* The argument of a sum that is such a choice, added and not taken away, or e itself; else NULL. */
static const sq_code_expr *choice_in(const sq_code_expr *e, sq_code_op op, int64_t *coef)
{
    *coef = 1;
    if (e->op == op)
        return e;
    for (int i = 0; e->op == SQ_CODE_SUM && i < e->nargs; i++)
        if (e->arg[i]->op == op && e->coef[i] > 0) {
            *coef = e->coef[i];
            return e->arg[i];
        }
    return NULL;
}

/* hi - lo at most: of each of hi's bounds and each of lo's, since a tile's end less its begin is a number.
 * NULL: not known before the loops. */
static const sq_code_expr *length(const counter *c, const sq_code_expr *lo, const sq_code_expr *hi)
{
    int64_t coef;
    const sq_code_expr *least = NULL, *end = choice_in(hi, SQ_CODE_MIN, &coef);
    for (int i = 0; end && i < end->nargs; i++) {
        const sq_code_expr *by = sq_code_sub(c->pool, end->arg[i], end);
        least = lesser(c, least, length(c, lo, sq_code_add_scaled(c->pool, hi, coef, by)));
    }
    const sq_code_expr *begin = end ? NULL : choice_in(lo, SQ_CODE_MAX, &coef);
    for (int i = 0; begin && i < begin->nargs; i++) {
        const sq_code_expr *by = sq_code_sub(c->pool, begin->arg[i], begin);
        least = lesser(c, least, length(c, sq_code_add_scaled(c->pool, lo, coef, by), hi));
    }
    return end || begin ? least : bound(c, sq_code_sub(c->pool, hi, lo), true);
}

static void define(counter *c, const char *name, const sq_code_expr *lo, const sq_code_expr *hi)
{
    c->is_known &= c->nscope < MOST_SCOPE;
    if (c->is_known)
        c->scope[c->nscope++] = (inner){name, lo, hi};
}

static int count_stores(const sq_code *x)
{
    int n = 0;
    for (; x; x = x->next)
        n += (x->kind == SQ_CODE_STORE) + count_stores(x->body) + count_stores(x->other);
    return n;
}

/* What a store costs, in flops of full vectors of f32. Outside of lanes each operation waits for the one
 * before it, as in a recurrence. */
static double flops_of_store(const counter *c, const sq_code *x, bool in_lanes)
{
    const sq_expr *e = !x->stmt ? NULL : x->stmt->body ? x->stmt->body : x->stmt->value;
    double flops = 1 + (e ? sq_expr_flops(e) : 0), bytes = sq_type_bytes(x->buffer->type);
    flops *= in_lanes ? fmax(1, bytes / 4) : LATENCY * c->m->vector_bytes / 4.0;
    return x->buffer->storage == SQ_CODE_MEMORY
               ? fmax(flops, bytes * c->m->peak_f32 / (2 * c->m->bandwidth))
               : flops;
}

static int count_nodes(const sq_code_expr *e)
{
    int n = 1;
    for (int i = 0; i < e->nargs; i++)
        n += count_nodes(e->arg[i]);
    return n;
}

static void count_list(counter *c, const sq_code *x, bool in_lanes);

static void count_loop(counter *c, const sq_code *x)
{
    const sq_code_product were = c->around;
    const sq_code_expr *n = x->lo && x->hi ? length(c, x->lo, x->hi) : NULL;
    c->is_known &= n && c->around.n < SQ_MAX_DIMS && count_nodes(n) <= MOST_NODES;
    if (!c->is_known)
        return;
    sq_region_multiply(&c->around, n);
    c->around.number /= (double)x->step;
    define(c, x->name, x->lo, sq_code_plus(c->pool, x->hi, -1));
    count_list(c, x->body, x->runs == SQ_CODE_LANES || x->runs == SQ_CODE_SUMS);
    c->around = were;
}

static void count_store(counter *c, const sq_code *x, bool in_lanes)
{
    sq_code_product one = sq_region_product(c->pool->arena, c->around.number);
    for (int i = 0; i < c->around.n; i++)
        one.factor[one.n++] = c->around.factor[i];
    one.number *= flops_of_store(c, x, in_lanes);
    sq_region_add(c->work, &one);
}

static void count_list(counter *c, const sq_code *x, bool in_lanes)
{
    int scope = c->nscope;
    for (; x && c->is_known; x = x->next) {
        if (x->kind == SQ_CODE_LOOP)
            count_loop(c, x);
        else if (x->kind == SQ_CODE_STORE)
            count_store(c, x, in_lanes);
        else if (x->kind == SQ_CODE_LET)
            define(c, x->name, x->value, x->value);
        else if (x->kind == SQ_CODE_COPY || x->kind == SQ_CODE_CALL || x->kind == SQ_CODE_VARIABLE)
            c->is_known = false;
        else if (x->kind == SQ_CODE_IF || x->kind == SQ_CODE_BLOCK)
            count_list(c, x->body, in_lanes), count_list(c, x->other, in_lanes);
    }
    c->nscope = scope;
}

/* NULL where it is not known. */
static const sq_code_work *work_of(sq_code_pool *p, const sq_code *loop, const sq_machine *m)
{
    counter c = {.pool = p,
                 .m = m,
                 .around = sq_region_product(p->arena, 1),
                 .work = sq_region_work(p->arena, count_stores(loop->body), m),
                 .is_known = true};
    count_loop(&c, loop);
    return c.is_known && c.work->n ? c.work : NULL;
}

void sq_region_of_code(sq_code_pool *p, sq_code *x, const sq_target *t)
{
    const sq_machine *m = sq_machine_class(t->machine);
    for (; x; x = x->next)
        if (x->runs != SQ_CODE_THREADS) {
            sq_region_of_code(p, x->body, t);
            sq_region_of_code(p, x->other, t);
        } else if (!x->work && !x->least) {
            x->work = work_of(p, x, m);
        }
}
