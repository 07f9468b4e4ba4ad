/* Vectorize: a LANES loop over one store becomes a loop over vectors. The remainder runs point by
 * point, or under a mask if the target has masked loads and stores. A loop that adds to one element
 * uses several accumulators in turn, which hides the latency of additions. */
#include "codegen/code/build.h"
#include "codegen/isa/isa.h"
#include "codegen/passes/overlap.h"
#include "codegen/passes/rows.h"

enum { CHAINS = 4 };

typedef struct lanes {
    sq_code_pool *pool;
    const sq_code *loop, *store;
    int n; /* lanes of a vector */
    sq_type type;
    bool is_fused;                /* a product and a sum are one operation */
    const sq_code_expr *at, *end; /* the loop's variable, and its end */
    const sq_code_expr *left;     /* lanes that exist; NULL: all */
    int64_t ahead;                /* points that are added to the variable */
    bool is_last;                 /* `at` is the first point of the last vector, not the variable */
} lanes;

/* ---- values ---- */

/* Returns the subscripts `ahead` points further on. */
static const sq_code_expr *const *subscripts(const lanes *l, int n,
                                             const sq_code_expr *const *index)
{
    const sq_code_expr **at = SQ_NEW_ARRAY(l->pool->arena, const sq_code_expr *, n + 1),
                       *on = sq_code_plus(l->pool, l->at, l->ahead);
    for (int d = 0; d < n; d++)
        at[d] = l->ahead || l->is_last ? sq_code_substitute(l->pool, index[d], l->loop->name, on) : index[d];
    return at;
}

static const sq_code_expr *load(const lanes *l, const sq_code_expr *e)
{
    const sq_code_lanes at = {.index = subscripts(l, e->nargs, e->arg),
                              .step = sq_code_number(l->pool, 1),
                              .left = l->left};
    bool moves = false;
    for (int d = 0; d < e->nargs; d++)
        moves = moves || sq_code_mentions(e->arg[d], l->loop->name);
    return moves ? sq_code_load_lanes(l->pool, e->buffer, l->n, &at)
                 : sq_code_broadcast(l->pool, l->n, e);
}

static const sq_code_expr *value(const lanes *l, const sq_code_expr *e);

static bool is_product(const sq_code_expr *e)
{
    return e->op == SQ_CODE_OPERATION && e->operation == SQ_OP_MUL;
}

/* Returns a + b, or a - b */
static const sq_code_expr *sum(const lanes *l, const sq_code_expr *a, bool minus,
                               const sq_code_expr *b)
{
    const sq_code_expr *arg[] = {a, NULL};
    if (!is_product(b) || !l->is_fused) {
        arg[1] = value(l, b);
        return sq_code_operation(l->pool, minus ? SQ_OP_SUB : SQ_OP_ADD, l->type, arg);
    }
    const sq_code_expr *first = value(l, b->arg[0]);
    if (minus)
        first = sq_code_operation(l->pool, SQ_OP_NEG, l->type, &first);
    return sq_code_fma(l->pool, l->type, first, value(l, b->arg[1]), a);
}

static const sq_code_expr *operation(const lanes *l, const sq_code_expr *e)
{
    const sq_code_expr *arg[2];
    if (e->operation == SQ_OP_ADD || e->operation == SQ_OP_SUB)
        return sum(l, value(l, e->arg[0]), e->operation == SQ_OP_SUB, e->arg[1]);
    for (int i = 0; i < e->nargs && i < 2; i++)
        arg[i] = value(l, e->arg[i]);
    return sq_code_operation(l->pool, e->operation, l->type, arg);
}

static const sq_code_expr *value(const lanes *l, const sq_code_expr *e)
{
    if (e->op == SQ_CODE_LOAD)
        return load(l, e);
    return e->op == SQ_CODE_OPERATION ? operation(l, e) : sq_code_broadcast(l->pool, l->n, e);
}

/* ---- loops ---- */

/* True while at least `points` further points are before the end. */
static const sq_code_expr *has(const lanes *l, int64_t points)
{
    return sq_code_compare(l->pool, SQ_CODE_LT, sq_code_plus(l->pool, l->at, points - 1), l->end);
}

/* Returns the loop that continues with the variable while there are enough points for a step. */
static sq_code *over(const lanes *l, int64_t step, sq_code *body)
{
    sq_code *x = sq_code_new(l->pool, SQ_CODE_LOOP);
    x->name = l->loop->name;
    x->cond = has(l, step);
    x->step = step;
    x->body = body;
    return x;
}

/* The store of a vector. */
static sq_code *stored(const lanes *l)
{
    const sq_code *s = l->store;
    sq_code *x = sq_code_store(l->pool, s->buffer, subscripts(l, s->buffer->ndim, s->index), value(l, s->value));
    x->lane_step = sq_code_number(l->pool, 1);
    x->left = l->left;
    x->stmt = s->stmt;
    x->is_read_soon = s->stmt && sq_stmt_reads_array(s->stmt, s->stmt->write->array);
    return x;
}

static sq_code *single(const lanes *l)
{
    sq_code *x = sq_code_store(l->pool, l->store->buffer, l->store->index, l->store->value);
    x->stmt = l->store->stmt;
    return x;
}

/* ---- remainders ---- */

/* True if the value reads nothing that may be part of what the loop stores: points may be computed twice. */
static bool repeats(const sq_pass_context *c, const sq_code_buffer *stored, const sq_code_expr *e)
{
    bool fine = e->op != SQ_CODE_LOAD || (e->buffer != stored && !sq_pass_may_overlap(c, e->buffer, stored));
    for (int i = 0; i < e->nargs && fine; i++)
        fine = repeats(c, stored, e->arg[i]);
    return fine;
}

/* Returns the vector that ends where the loop does. */
static sq_code *last_vector(const lanes *l)
{
    sq_code_list all = {0};
    lanes last = *l;
    last.at = sq_code_name(l->pool, "@last");
    last.is_last = true;
    sq_code_append(&all, sq_code_let(l->pool, "@last", sq_code_plus(l->pool, l->end, -l->n)));
    sq_code_append(&all, stored(&last));
    return all.first;
}

static void append_elements(lanes *l, bool has_masks, bool repeats, sq_code_list *to)
{
    const sq_code_expr *first = sq_code_plus(l->pool, l->loop->lo, l->n - 1);
    sq_code *last = repeats ? last_vector(l) : NULL, *rest;
    sq_code_append(to, over(l, l->n, stored(l)));
    l->left = has_masks ? sq_code_sub(l->pool, l->end, l->at) : NULL;
    rest = has_masks ? stored(l) : over(l, 1, single(l));
    if (last) {
        last = sq_code_guarded(l->pool, sq_code_compare(l->pool, SQ_CODE_LT, first, l->end), last);
        last->other = rest;
        rest = last;
    }
    sq_code_append(to, has_masks || last ? sq_code_guarded(l->pool, has(l, 1), rest) : rest);
}

/* ---- sums ---- */

/* Returns what the loop adds to the element that it updates. */
static const sq_code_expr *addend(const sq_code *store)
{
    const sq_code_expr *first = store->value->arg[0];
    return sq_code_loads(first, store) ? store->value->arg[1] : first;
}

/* Returns accumulator = accumulator + addend for each of n accumulators and the next n vectors. */
static sq_code *chains(lanes *l, const sq_code_buffer *const *acc, int n)
{
    sq_code_list all = {0};
    for (int i = 0; i < n; i++) {
        l->ahead = (int64_t)i * l->n;
        sq_code *x = sq_code_set(
            l->pool, acc[i], sum(l, sq_code_load(l->pool, acc[i], NULL), false, addend(l->store)));
        x->stmt = l->store->stmt;
        sq_code_append(&all, x);
    }
    l->ahead = 0;
    return over(l, (int64_t)n * l->n, all.first);
}

static const sq_code_buffer *accumulator(const lanes *l, int i)
{
    sq_code_buffer *b = SQ_NEW(l->pool->arena, sq_code_buffer);
    *b = *sq_code_register(l->pool, sq_arena_printf(l->pool->arena, "@acc%d", i), l->type);
    b->lanes = l->n;
    return b;
}

/* Returns the element += (a + b) + (c + d) */
static sq_code *added(const lanes *l, const sq_code_buffer *const *acc)
{
    sq_code_pool *p = l->pool;
    const sq_code_expr *half[2], *part[2];
    for (int i = 0; i < 2; i++) {
        part[0] = sq_code_load(p, acc[2 * i], NULL);
        part[1] = sq_code_load(p, acc[2 * i + 1], NULL);
        half[i] = sq_code_operation(p, SQ_OP_ADD, l->type, part);
    }
    part[0] = sq_code_load(p, l->store->buffer, l->store->index);
    part[1] = sq_code_add_lanes(p, sq_code_operation(p, SQ_OP_ADD, l->type, half));
    sq_code *x = single(l);
    x->value = sq_code_operation(p, l->store->value->operation, l->type, part);
    return x;
}

static void append_sums(lanes *l, sq_code_list *to)
{
    const sq_code_buffer *acc[CHAINS];
    sq_code_list all = {0};
    for (int i = 0; i < CHAINS; i++) {
        acc[i] = accumulator(l, i);
        sq_code_append(&all, sq_code_declare(l->pool, acc[i], true));
    }
    sq_code_append(&all, chains(l, acc, CHAINS));
    sq_code_append(&all, chains(l, acc, 1));
    sq_code_append(&all, added(l, acc));
    sq_code_append(to, sq_code_guarded(l->pool, has(l, l->n), all.first));
    sq_code_append(to, over(l, 1, single(l)));
}

/* ---- the pass ---- */

static sq_code *of_loop(const sq_pass_context *c, const sq_code *loop)
{
    sq_type type = loop->body->buffer->type;
    lanes l = {.pool = c->pool,
               .loop = loop,
               .store = loop->body,
               .n = c->target->vector_bytes / sq_type_bytes(type),
               .type = type,
               .is_fused = c->kernel->fp != SQ_FP_STRICT,
               .at = sq_code_name(c->pool, loop->name),
               .end = sq_code_name(c->pool, "@end")};
    sq_code_list all = {0};
    sq_code *variable = sq_code_let(c->pool, loop->name, loop->lo);
    variable->kind = SQ_CODE_VARIABLE;
    sq_code_append(&all, sq_code_let(c->pool, l.end->name, loop->hi));
    sq_code_append(&all, variable);
    bool has_masks = c->target->isa->masks & (unsigned)sq_type_bytes(type);
    if (loop->runs == SQ_CODE_SUMS)
        append_sums(&l, &all);
    else
        append_elements(&l, has_masks,
                        (!has_masks || c->target->isa->slow_masks) &&
                            repeats(c, loop->body->buffer, loop->body->value),
                        &all);
    return sq_code_guarded(c->pool, NULL, all.first);
}

sq_code *sq_pass_vectorize(const sq_pass_context *c, sq_code *x)
{
    for (sq_code **at = &x; *at; at = &(*at)->next) {
        sq_code *s = *at;
        if (s->kind == SQ_CODE_LOOP && (s->runs == SQ_CODE_LANES || s->runs == SQ_CODE_SUMS)) {
            *at = of_loop(c, s);
            (*at)->next = s->next;
            continue;
        }
        s->body = sq_pass_vectorize(c, s->body);
        s->other = sq_pass_vectorize(c, s->other);
    }
    return x;
}
