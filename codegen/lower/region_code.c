/* Region of code: the work of a parallel C loop, computed from its code. An inner loop whose bounds
 * depend on the variable of another one, as in tiles and triangles, counts with its maximum length.
 * For skewed loops, whose lengths would be long expressions, no work is given. */
#include "codegen/lower/region_work.h"
#include "ir/machine/machine.h"
#include <math.h>
#include <string.h>

enum {
    MOST_SCOPE = 64,
    MOST_NODES = 7, /* limit on the nodes of a factor, so that it stays readable */
    LATENCY = 4,    /* cycles of an operation */
    LONG_TILE = 64  /* points: loops with less work are not worth threads anyway */
};

/* A name that is defined inside of the parallel loop: its values are in lo ... hi. */
typedef struct inner {
    const char *name;
    const sq_code_expr *lo, *hi;
} inner;

typedef struct counter {
    sq_code_pool *pool;
    const sq_machine *m;
    inner scope[MOST_SCOPE];
    int nscope;
    sq_code_product around; /* trip counts of the current loops */
    sq_code_work *work;
    bool is_known;
} counter;

/* Returns the index of the last of the first n names that is this one; -1: it is defined
 * outside. */
static int find(const counter *c, const char *name, int n)
{
    while (--n >= 0 && strcmp(c->scope[n].name, name) != 0)
        ;
    return n;
}

static const sq_code_expr *bound(const counter *c, const sq_code_expr *e, bool above, int n);

static const sq_code_expr *bound_of_sum(const counter *c, const sq_code_expr *e, bool above, int n)
{
    const sq_code_expr *all = sq_code_number(c->pool, e->number);
    for (int i = 0; i < e->nargs && all; i++) {
        const sq_code_expr *one = bound(c, e->arg[i], above == (e->coef[i] > 0), n);
        all = one ? sq_code_add_scaled(c->pool, all, e->coef[i], one) : NULL;
    }
    return all;
}

/* A minimum is at most any of its arguments, and at least the least of their lower bounds. */
static const sq_code_expr *bound_of_choice(const counter *c, const sq_code_expr *e, bool above,
                                           int n)
{
    bool is_min = e->op == SQ_CODE_MIN;
    const sq_code_expr *all = NULL;
    for (int i = 0; i < e->nargs; i++) {
        const sq_code_expr *one = bound(c, e->arg[i], above, n);
        if (!one && is_min != above)
            return NULL;
        if (one)
            all = !all     ? one
                  : is_min ? sq_code_min(c->pool, all, one)
                           : sq_code_max(c->pool, all, one);
    }
    return all;
}

/* Returns an expression over outer names that is an upper or lower bound of e; NULL if none is
 * found. e uses the first n names of the scope and outer ones. */
static const sq_code_expr *bound(const counter *c, const sq_code_expr *e, bool above, int n)
{
    int at = e->op == SQ_CODE_NAME ? find(c, e->name, n) : -1;
    if (at >= 0)
        return bound(c, above ? c->scope[at].hi : c->scope[at].lo, above, at);
    switch (e->op) {
    case SQ_CODE_NUMBER:
    case SQ_CODE_NAME:
        return e;
    case SQ_CODE_SUM:
        return bound_of_sum(c, e, above, n);
    case SQ_CODE_MIN:
    case SQ_CODE_MAX:
        return bound_of_choice(c, e, above, n);
    default:
        return NULL;
    }
}

/* Returns the constant one of two upper bounds of a length: most loops of tiles have nearly the
 * width of a tile. Otherwise their minimum. */
static const sq_code_expr *closer(const counter *c, const sq_code_expr *a, const sq_code_expr *b)
{
    int64_t number;
    if (!a || !b)
        return a ? a : b;
    if (sq_code_known(a, &number) != sq_code_known(b, &number))
        return sq_code_known(a, &number) ? a : b;
    return sq_code_min(c->pool, a, b);
}

/* Returns the minimum or maximum (op) that e is, or has as a term with a positive coefficient; else
 * NULL. */
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

/* Returns an upper bound of hi - lo: over all pairs of bounds of hi and lo, since the difference of
 * a tile's end and begin is a number. NULL: not known before the loops. */
static const sq_code_expr *length(const counter *c, const sq_code_expr *lo, const sq_code_expr *hi)
{
    int64_t coef;
    const sq_code_expr *least = NULL, *end = choice_in(hi, SQ_CODE_MIN, &coef);
    for (int i = 0; end && i < end->nargs; i++) {
        const sq_code_expr *by = sq_code_sub(c->pool, end->arg[i], end);
        least = closer(c, least, length(c, lo, sq_code_add_scaled(c->pool, hi, coef, by)));
    }
    const sq_code_expr *begin = end ? NULL : choice_in(lo, SQ_CODE_MAX, &coef);
    for (int i = 0; begin && i < begin->nargs; i++) {
        const sq_code_expr *by = sq_code_sub(c->pool, begin->arg[i], begin);
        least = closer(c, least, length(c, sq_code_add_scaled(c->pool, lo, coef, by), hi));
    }
    return end || begin ? least : bound(c, sq_code_sub(c->pool, hi, lo), true, c->nscope);
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

/* Returns the cost of a store, in flops of full vectors of f32. In loops that are not vectorized
 * each operation is assumed to wait for the previous one, as in a recurrence: starting threads too
 * early costs less than too late (docs/CODEGEN.md). */
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
    int64_t number;
    int scope = c->nscope;
    c->is_known &= n && c->around.n < SQ_MAX_DIMS && count_nodes(n) <= MOST_NODES;
    if (!c->is_known || (sq_code_known(n, &number) && number <= 0))
        return;
    sq_region_multiply(&c->around, n);
    c->around.number /= (double)x->step;
    define(c, x->name, x->lo, sq_code_plus(c->pool, x->hi, -1));
    count_list(c, x->body, x->runs == SQ_CODE_LANES || x->runs == SQ_CODE_SUMS);
    c->around = were;
    c->nscope = scope;
}

static void count_store(counter *c, const sq_code *x, bool in_lanes)
{
    sq_code_product one = sq_region_product_new(c->pool->arena, c->around.number);
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

/* Returns NULL if it is not known before the loop, or known to be sufficient. */
static const sq_code_work *work_of(sq_code_pool *p, const sq_code *loop, const sq_machine *m)
{
    counter c = {.pool = p,
                 .m = m,
                 .around = sq_region_product_new(p->arena, 1),
                 .work = sq_region_work_new(p->arena, count_stores(loop->body), m),
                 .is_known = true};
    count_loop(&c, loop);
    bool enough = sq_region_is_known(c.work) && c.work->term[0].number >= c.work->least;
    return c.is_known && c.work->n && !enough ? c.work : NULL;
}

/* A tile of many points is one iteration, which is not parallel until sizes are larger. */
static void give_work(sq_code_pool *p, sq_code *x, const sq_machine *m)
{
    x->work = work_of(p, x, m);
    if (x->work && x->step >= LONG_TILE && count_nodes(sq_code_sub(p, x->hi, x->lo)) <= MOST_NODES)
        x->least = x->step;
}

void sq_region_of_code(sq_code_pool *p, sq_code *x, const sq_target *t)
{
    for (; x; x = x->next)
        if (x->runs != SQ_CODE_THREADS) {
            sq_region_of_code(p, x->body, t);
            sq_region_of_code(p, x->other, t);
        } else if (!x->work && !x->least) {
            give_work(p, x, sq_machine_class(t->machine));
        }
}
