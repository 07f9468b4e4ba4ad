/* Widen: vectorizes serial loops whose statements may each run for a whole vector of iterations
 * before the next statement. Elements become vectors; a scalar that the body sets becomes a vector
 * register whose last lane is its value after the loop; sums into one element use several
 * accumulators. The remainder runs iteration by iteration, or under a mask. */
#include "codegen/passes/widen.h"
#include "codegen/isa/isa.h"
#include "codegen/code/unrolled.h"
#include "codegen/passes/rows.h"
#include <string.h>

enum { CHAINS = 4 };

/* ---- statements ---- */

/* Returns the last store of a group: its vectors, interleaved. */
static sq_code *interleaved(sq_widen *w, const sq_widen_group *g, const sq_code_expr *v)
{
    const sq_code_expr *of[SQ_STRIDE_MOST];
    sq_code_list all = {0};
    sq_code_append(&all, sq_code_set(w->pool, g->last->now, v));
    for (int m = 0; m < g->n; m++)
        of[m] = sq_code_load(w->pool, g->member[m]->now, NULL);
    for (int k = 0; k < g->n; k++)
        sq_code_append(&all, sq_widen_member(w, g, k, sq_code_zip(w->pool, g->n, of, k)));
    return all.first;
}

/* The same where the values of all stores are computed in the order of memory. */
static sq_code *alike(sq_widen *w, const sq_widen_group *g)
{
    sq_code_list all = {0};
    for (int k = 0; k < g->n; k++) {
        const sq_code_expr *v = sq_widen_row(w, g, k);
        if (!v)
            return NULL;
        sq_code_append(&all, sq_widen_member(w, g, k, v));
    }
    return all.first;
}

/* True if lanes that a condition excludes are stored as they were: masked stores are slow, and the body reads
 * all of the elements anyway. */
static bool writes_back(const sq_widen *w, const sq_widen_store *s)
{
    return s->x->cond && w->c->target->isa->slow_masks && sq_widen_is_sure(w, s->place);
}

static sq_code *elements(sq_widen *w, const sq_widen_store *s)
{
    const sq_code *from = s->x;
    const sq_code_expr *outer = w->where, *mask = NULL;
    if (s->group && s->group->is_alike)
        return alike(w, s->group);
    if (from->cond) {
        mask = sq_widen_condition(w, from->cond, sq_type_bytes(from->buffer->type));
        if (!mask)
            return NULL;
        w->where = mask;
    }
    const sq_code_expr *v = sq_widen_value(w, from->value);
    w->where = outer;
    if (!v || v->type != from->buffer->type)
        return NULL;
    if (s->group)
        return s->group->last == s ? interleaved(w, s->group, v) : sq_code_set(w->pool, s->now, v);
    if (writes_back(w, s)) {
        const sq_code_expr *old = sq_widen_value(w, s->place);
        if (!old)
            return NULL;
        v = sq_code_choose(w->pool, mask, v, old);
        mask = NULL;
    }
    int64_t step = 1;
    sq_widen_step(w, s->place, &step);
    sq_code *x = sq_code_store(w->pool, from->buffer, sq_widen_subscripts(w, s->place, 0), v);
    x->lane_step = sq_code_number(w->pool, w->is_backwards ? -step : step);
    x->left = w->left;
    x->cond = mask;
    x->stmt = from->stmt;
    x->is_read_soon = x->stmt && sq_stmt_reads_array(x->stmt, x->stmt->write->array);
    return x;
}

/* Where its condition is false a scalar keeps its value. */
static sq_code *scalar(sq_widen *w, const sq_widen_store *s)
{
    const sq_code_expr *outer = w->where, *mask = NULL, *v;
    if (s->x->cond) {
        mask = sq_widen_condition(w, s->x->cond, sq_type_bytes(s->place->type));
        if (!mask)
            return NULL;
        w->where = mask;
    }
    v = sq_widen_value(w, s->x->value);
    w->where = outer;
    if (!v || v->type != s->place->type)
        return NULL;
    if (mask)
        v = sq_code_choose(w->pool, mask, v, sq_code_load(w->pool, s->now, NULL));
    sq_code *x = sq_code_set(w->pool, s->now, v);
    x->stmt = s->x->stmt;
    return x;
}

static const sq_code_buffer *chain(const sq_widen *w, const sq_widen_store *s, int k)
{
    sq_code_buffer *b = SQ_NEW(w->pool->arena, sq_code_buffer);
    *b = *sq_widen_register(w, "", s->place->type);
    b->name = sq_arena_printf(w->pool->arena, "@acc%d_%d", (int)(s - w->store), k);
    return b;
}

/* Subtracted values are added up, and the sum is subtracted at the end. */
static sq_op together(const sq_widen_store *s)
{
    return s->op == SQ_OP_SUB ? SQ_OP_ADD : s->op;
}

/* pairs: of two vectors of iterations. */
static sq_code *adds(sq_widen *w, const sq_widen_store *s, const sq_code_buffer *acc, bool pairs)
{
    const sq_code_expr *so_far = sq_code_load(w->pool, acc, NULL), *v;
    if (pairs)
        v = sq_widen_pairs(w, so_far, s->added);
    else if (together(s) == SQ_OP_ADD)
        v = sq_widen_added(w, so_far, false, s->added);
    else {
        v = sq_widen_value(w, s->added);
        bool fits = v && v->type == so_far->type;
        v = !fits                          ? NULL
            : s->is_placed || s->keeps_old ? sq_widen_both(w, s->op, v, so_far)
                                           : sq_widen_both(w, s->op, so_far, v);
    }
    sq_code *x = v ? sq_code_set(w->pool, acc, v) : NULL;
    if (x)
        x->stmt = s->x->stmt;
    return x;
}

/* ---- loops ---- */

/* The accumulators of sums, one per chain. */
typedef struct accumulators {
    const sq_code_buffer *of[SQ_WIDEN_STORES][CHAINS];
} accumulators;

static const sq_code_expr *has(const sq_widen *w, int64_t iterations)
{
    const sq_code_expr *last = sq_code_plus(w->pool, w->at, (iterations - 1) * w->loop->step);
    return sq_code_compare(w->pool, SQ_CODE_LT, last, sq_code_name(w->pool, "@end"));
}

static sq_code *over(const sq_widen *w, int64_t iterations, sq_code *body)
{
    sq_code *x = sq_code_new(w->pool, SQ_CODE_LOOP);
    x->name = w->loop->name;
    x->cond = has(w, iterations);
    x->step = iterations * w->loop->step;
    x->body = body;
    return x;
}

/* Returns a store of elements or of a value. */
static sq_code *plain(sq_widen *w, const sq_widen_store *s)
{
    return s->kind == SQ_WIDEN_ELEMENTS ? elements(w, s) : scalar(w, s);
}

static sq_code *statement(sq_widen *w, const sq_widen_store *s, const accumulators *a, int chain, bool pairs)
{
    const sq_code_buffer *acc = a->of[s - w->store][chain];
    switch (s->kind) {
    case SQ_WIDEN_ELEMENTS:
    case SQ_WIDEN_VALUE:
        return plain(w, s);
    case SQ_WIDEN_POSITION:
        return sq_widen_position(w, s, acc, a->of[s->best - w->store][chain]);
    default:
        return s->is_last ? sq_widen_last_match(w, s, acc) : adds(w, s, acc, pairs);
    }
}

/* True if the chain before adds for this one, too. */
static bool is_idle(const sq_widen_store *s, int chain)
{
    return s->has_pairs && chain % 2;
}

/* Returns the body for `chains` vectors of iterations; NULL: it cannot be vectorized. */
static sq_code *vectors(sq_widen *w, const accumulators *a, int chains)
{
    sq_code_list all = {0};
    if (w->is_nest)
        return sq_widen_nest(w, chains, plain);
    w->to = &all;
    for (int k = 0; k < chains; k++) {
        w->ahead = (int64_t)k * w->lanes;
        sq_widen_forget(w, NULL);
        for (const sq_widen_store *s = w->store; s < w->store + w->nstores; s++) {
            bool is_row = s->group && s->group->is_alike;
            if (is_row && (w->is_joint || s->group->last != s))
                continue; /* it is stored with the last one, or with all */
            if (w->is_joint && s->is_own)
                continue; /* its value is where it is read */
            if (is_idle(s, k))
                continue;
            if (((s->is_new && s->is_own) || (s->group && !is_row)) && k == 0)
                sq_code_append(&all, sq_code_declare(w->pool, s->now, false));
            sq_code *x = statement(w, s, a, k, s->has_pairs && chains > 1);
            if (!x)
                return NULL;
            sq_code_append(&all, x);
            sq_widen_forget(w, s->place);
        }
    }
    w->ahead = 0;
    return w->is_joint && !sq_widen_append_rows(w, &all) ? NULL : all.first;
}

/* Returns the operations and shuffles of vectors that an expression is made of. */
static int operations_in(const sq_code_expr *e)
{
    if (e->lanes <= 1 || e->op == SQ_CODE_LOAD || e->op == SQ_CODE_BROADCAST)
        return 0;
    int n = 1;
    for (int i = 0; i < e->nargs; i++)
        n += operations_in(e->arg[i]);
    return n;
}

static int operations_of(const sq_code *x)
{
    int n = 0;
    for (; x; x = x->next)
        n += x->value ? operations_in(x->value) : 0;
    return n;
}

/* Iterations of a loop of a few loads and stores are shorter than what counts them: the compiler is asked
 * to write some out. Not those of rows whose loads are shuffled more than once: of a single iteration gcc makes the
 * loads a part of the shuffles. */
static int at_a_time(const sq_widen *w, const sq_code *body)
{
    enum { FEW = 4, FEW_OPERATIONS = 2, AT_A_TIME = 2 };
    int64_t step;
    int n = 0;
    if (w->each < w->lanes)
        return operations_of(body) <= FEW_OPERATIONS ? AT_A_TIME : 0;
    for (int i = 0; i < w->naccesses; i++)
        n += sq_widen_step(w, w->access[i].place, &step) && step != 0;
    return n <= FEW ? AT_A_TIME : 0;
}

/* ---- before and after ---- */

/* Returns the initial value of a sum: the identity; for operations without one the old value, which
 * changes nothing; -1, which is no iteration. */
static const sq_code_expr *start(const sq_widen *w, const sq_widen_store *s)
{
    sq_op op = together(s);
    bool own = !s->is_last &&
               (s->kind == SQ_WIDEN_POSITION || op == SQ_OP_MIN || op == SQ_OP_MAX || op == SQ_OP_BIT_AND);
    int value = s->is_last ? -1 : op == SQ_OP_MUL;
    sq_number n = {value, value};
    return sq_code_broadcast(w->pool, w->lanes,
                             own ? s->place : sq_code_constant(w->pool, s->place->type, n));
}

static void begin(sq_widen *w, accumulators *a, int chains, sq_code_list *to)
{
    for (sq_widen_store *s = w->store; s < w->store + w->nstores; s++) {
        if (s->kind == SQ_WIDEN_VALUE && s->is_new && !s->is_own)
            sq_code_append(to, sq_code_declare(w->pool, s->now, true));
        bool has_chains = s->kind == SQ_WIDEN_SUM || s->kind == SQ_WIDEN_POSITION;
        for (int k = 0; k < chains && has_chains; k++) {
            if (is_idle(s, k))
                continue;
            const sq_code_buffer *acc = a->of[s - w->store][k] = chain(w, s, k);
            sq_code_append(to, sq_code_declare(w->pool, acc, false));
            sq_code_append(to, sq_code_set(w->pool, acc, start(w, s)));
        }
    }
}

static sq_code *stored(const sq_widen *w, const sq_widen_store *s, const sq_code_expr *value)
{
    sq_code *x = sq_code_store(w->pool, s->x->buffer, s->x->index, value);
    x->stmt = s->x->stmt;
    return x;
}

static void finish_sum(sq_widen *w, const sq_widen_store *s, const sq_code_buffer *const *acc,
                       int chains, sq_code_list *to)
{
    sq_op op = together(s);
    const sq_code_expr *v = sq_code_load(w->pool, acc[0], NULL);
    for (int k = 1; k < chains; k++)
        v = is_idle(s, k) ? v : sq_widen_both(w, op, v, sq_code_load(w->pool, acc[k], NULL));
    if (chains > 1)
        sq_code_append(to, sq_code_set(w->pool, acc[0], v));
    if (s->is_last) {
        sq_widen_finish_last_match(w, s, acc[0], to);
        return;
    }
    const sq_code_expr *all = sq_widen_whole(w, op, acc[0]);
    v = s->keeps_old ? sq_widen_both(w, s->op, all, s->place) : sq_widen_both(w, s->op, s->place, all);
    sq_code_append(to, stored(w, s, v));
}

static void finish(sq_widen *w, const accumulators *a, int chains, sq_code_list *to)
{
    int last = w->is_backwards ? 0 : w->lanes - 1;
    for (const sq_widen_store *s = w->store; s < w->store + w->nstores; s++) {
        if (s->kind == SQ_WIDEN_SUM)
            finish_sum(w, s, a->of[s - w->store], chains, to);
        if (s->kind == SQ_WIDEN_POSITION)
            sq_widen_finish_position(w, s, a->of[s - w->store][0], a->of[s->best - w->store][0], to);
        if (s->kind == SQ_WIDEN_VALUE && s->is_new && !s->is_own)
            sq_code_append(
                to,
                stored(w, s, sq_code_extract(w->pool, sq_code_load(w->pool, s->now, NULL), last)));
    }
}

/* ---- the pass ---- */

/* True if the remainder may be computed by one masked vector. */
static bool masks_rest(const sq_widen *w)
{
    bool fine = !w->is_backwards;
    for (int i = 0; i < w->nstores; i++)
        fine &= !w->store[i].x->cond && !w->store[i].group &&
                (w->store[i].kind == SQ_WIDEN_ELEMENTS || w->store[i].is_own);
    for (int i = 0; i < w->naccesses && fine; i++) {
        const sq_widen_access *a = &w->access[i];
        int bytes = sq_type_bytes(a->place->type);
        int64_t step;
        if (sq_widen_step(w, a->place, &step) && step < 0)
            return false; /* lanes that exist are the first ones of vectors that are turned */
        fine = a->place->buffer->storage == SQ_CODE_REGISTER ||
               ((w->c->target->isa->masks & (unsigned)bytes) && bytes * w->lanes >= 16 &&
                sq_widen_is_sure(w, a->place));
    }
    return fine;
}

/* Extremes take a cycle or few, and have no chains where their positions are kept. */
static int chains_of(const sq_widen *w)
{
    int chains = w->is_nest ? SQ_WIDEN_NEST : 1;
    for (int i = 0; i < w->nstores; i++)
        if (w->store[i].kind == SQ_WIDEN_POSITION)
            return 1;
        else if (w->store[i].kind == SQ_WIDEN_SUM)
            chains = CHAINS;
    return chains;
}

/* True if code runs before or after the loop over vectors, which therefore must have an
 * iteration. */
static bool frames(const sq_widen *w)
{
    bool any = w->nbefore > 0;
    for (int i = 0; i < w->nstores; i++)
        any |= w->store[i].kind == SQ_WIDEN_SUM || w->store[i].kind == SQ_WIDEN_POSITION ||
               (w->store[i].kind == SQ_WIDEN_VALUE && !w->store[i].is_own);
    return any;
}

/* True if the loop's variable has to fit an int32_t. */
static bool counts_in_words(const sq_widen *w)
{
    bool any = false;
    for (int i = 0; i < w->nstores; i++)
        any |= (w->store[i].kind == SQ_WIDEN_POSITION || w->store[i].is_last) && w->store[i].place->type == SQ_I32;
    return any;
}

static void append_framed(const sq_widen *w, int64_t least, sq_code *x, sq_code_list *to)
{
    const sq_code_expr *cond = frames(w) ? has(w, least) : NULL;
    if (counts_in_words(w))
        cond = sq_code_and(w->pool, cond,
                           sq_code_compare(w->pool, SQ_CODE_LE, sq_code_name(w->pool, "@end"),
                                           sq_code_number(w->pool, INT32_MAX)));
    sq_code_append(to, cond ? sq_code_guarded(w->pool, cond, x) : x);
}

/* True if there is no remainder: gcc warns of iterations that a loop never makes. */
static bool leaves_none(const sq_widen *w)
{
    int64_t n = sq_code_iterations(w->loop);
    return w->each == 1 || (n > 0 && n % w->each == 0);
}

/* ---- remainders ---- */

/* True if an iteration may run twice: it reads nothing that the loop writes. */
static bool repeats(const sq_widen *w)
{
    bool fine = w->loop->step == 1 && !w->is_backwards;
    for (int i = 0; i < w->nstores; i++)
        fine &= !w->store[i].x->cond &&
                (w->store[i].kind == SQ_WIDEN_ELEMENTS || w->store[i].is_own);
    for (int i = 0; i < w->naccesses; i++)
        for (int j = 0; j < w->nstores && fine && !w->access[i].writes; j++) {
            const sq_code_buffer *a = w->access[i].place->buffer, *b = w->store[j].x->buffer;
            fine = w->store[j].is_own || (a != b && !sq_pass_may_overlap(w->c, a, b));
        }
    return fine;
}

/* Returns the vector that ends where the loop does, some of whose iterations have run already. */
static sq_code *last_vector(sq_widen *w, const accumulators *a)
{
    sq_code_list all = {0};
    const sq_code_expr *at = sq_code_plus(w->pool, sq_code_name(w->pool, "@end"), -w->each);
    sq_code_append(&all, sq_code_let(w->pool, "@last", at));
    w->last = sq_code_name(w->pool, "@last");
    sq_code *x = vectors(w, a, 1);
    w->last = NULL;
    sq_code_append(&all, x);
    return x ? all.first : NULL;
}

/* Returns what follows the loop over vectors inside of its frame: a vector under a mask, or the last one again where
 * that may run twice and the loop has as many iterations; NULL: neither. */
static sq_code *rest_of(sq_widen *w, const accumulators *a)
{
    bool masks = masks_rest(w) && w->loop->step == 1;
    sq_code *masked = NULL, *last = NULL;
    if ((!masks || w->c->target->isa->slow_masks) && repeats(w))
        last = last_vector(w, a);
    if (masks) {
        w->left = sq_code_sub(w->pool, sq_code_name(w->pool, "@end"), w->at);
        masked = vectors(w, a, 1);
        w->left = NULL;
    }
    if (!last)
        return masked;
    const sq_code_expr *first = sq_code_plus(w->pool, w->loop->lo, w->each - 1), *end = sq_code_name(w->pool, "@end");
    sq_code *x = sq_code_guarded(w->pool, sq_code_compare(w->pool, SQ_CODE_LT, first, end), last);
    if (!x->cond)
        return last;
    x->other = masked ? masked : over(w, 1, w->loop->body);
    return x;
}

/* Appends the vectors of a loop to a list; false: it cannot be vectorized. */
static bool append_vectors(sq_widen *w, sq_code_list *to)
{
    accumulators a;
    int chains = chains_of(w);
    int64_t all = sq_code_iterations(w->loop);
    if (all >= 0 && all < w->each && (w->is_nest || !masks_rest(w)))
        return false;
    sq_code_list inside = {0};
    for (sq_widen_store *s = w->store; s < w->store + w->nstores; s++)
        s->has_pairs = chains > 1 && sq_widen_has_pairs(w, s);
    begin(w, &a, chains, &inside);
    sq_code *several = chains > 1 ? vectors(w, &a, chains) : NULL, *one = vectors(w, &a, 1);
    if (!one || (chains > 1 && !several))
        return false;
    if (several)
        sq_code_append(&inside, over(w, (int64_t)chains * w->lanes, several));
    sq_code *loop = over(w, w->each, one);
    loop->unroll = chains > 1 ? 0 : at_a_time(w, one);
    sq_code_append(&inside, loop);
    finish(w, &a, chains, &inside);
    sq_code_append(&w->before, inside.first);
    if (leaves_none(w)) {
        append_framed(w, w->each, w->before.first, to);
        return true;
    }
    sq_code *rest = rest_of(w, &a);
    if (rest) {
        sq_code_append(&w->before, sq_code_guarded(w->pool, has(w, 1), rest));
        append_framed(w, 1, w->before.first, to);
        return true;
    }
    append_framed(w, w->each, w->before.first, to);
    sq_code_append(to, over(w, 1, w->loop->body));
    return true;
}

/* Returns what is known of a loop that has vectors; NULL: it has none. cut: as in sq_widen. */
static sq_widen *fitted(const sq_pass_context *c, const sq_code *loop, const sq_code_expr *cut)
{
    sq_widen *w = SQ_NEW(c->pool->arena, sq_widen);
    *w = (sq_widen){.c = c, .pool = c->pool, .loop = loop, .cut = cut, .at = sq_code_name(c->pool, loop->name)};
    w->is_nest = sq_widen_is_nest(loop);
    if (!sq_widen_fits(w))
        return NULL;
    if (!w->is_nest)
        sq_widen_find_alike(w);
    else
        sq_widen_begin_nest(w);
    return w;
}

/* Returns the loop with scalars that are set once, where rows of memory can be computed so; w: where not. */
static sq_widen *with_versions(sq_widen *w)
{
    const sq_code *loop = w->is_joint || w->is_nest ? NULL : sq_widen_versions(w);
    sq_widen *other = loop ? fitted(w->c, loop, w->cut) : NULL;
    return other && other->is_joint ? other : w;
}

/* Returns NULL if it stays as it is. */
static sq_code *widened_part(const sq_pass_context *c, const sq_code *loop, const sq_code_expr *cut)
{
    sq_widen *w = fitted(c, loop, cut);
    sq_code_list all = {0};
    sq_code *variable = sq_code_let(c->pool, loop->name, loop->lo);
    variable->kind = SQ_CODE_VARIABLE;
    sq_code_append(&all, sq_code_let(c->pool, "@end", loop->hi));
    sq_code_append(&all, variable);
    if (!w || !append_vectors(with_versions(w), &all))
        return NULL;
    return sq_code_guarded(c->pool, NULL, all.first);
}

static sq_code *widened(const sq_pass_context *c, const sq_code *loop)
{
    return widened_part(c, loop, NULL);
}

/* Returns the loop in three parts, around an iteration that stores what others read; NULL: it is no such loop. */
static sq_code *widened_around(const sq_pass_context *c, const sq_code *loop)
{
    sq_code *part[3], *first, *last;
    const sq_code_expr *at = sq_widen_cut_at(c, loop, part);
    if (!at || !(first = widened_part(c, part[0], at)) || !(last = widened_part(c, part[2], at)))
        return NULL;
    first->next = part[1];
    part[1]->next = last;
    return first;
}

/* Tries the loop as it is, cut in parts, with manual unrolling undone, without scalars that are carried, and with one
 * iteration for each residue. */
static sq_code *widened_any(const sq_pass_context *c, const sq_code *loop)
{
    sq_code *rest = NULL, *peeled = NULL;
    sq_code_list all = {0};
    if (sq_widen_is_nest(loop))
        return widened(c, loop);
    const sq_code *other = sq_widen_rolled(c->pool, loop);
    sq_code *x = other ? widened(c, other) : NULL;
    if (x || (x = widened(c, loop)) || (x = widened_around(c, loop)))
        return x;
    other = sq_widen_position_first(c, loop);
    if (other && (x = widened(c, other)))
        return x;
    other = sq_widen_carried(c->pool, loop, &peeled);
    if (other && (x = widened(c, other))) {
        sq_code_append(&all, peeled);
        sq_code_append(&all, x);
        return all.first;
    }
    other = sq_widen_residues(c->pool, loop, &rest);
    if (other && (x = widened(c, other)))
        x->next = rest;
    return x;
}

/* True if the loop may be vectorized as it is. */
static bool is_itself(const sq_code *loop)
{
    return loop->is_scalar || sq_widen_is_nest(loop);
}

sq_code *sq_pass_widen(const sq_pass_context *c, sq_code *x)
{
    for (sq_code **at = &x; *at; at = &(*at)->next) {
        sq_code *s = *at;
        bool serial = s->kind == SQ_CODE_LOOP && s->runs == SQ_CODE_SERIAL && !c->target->grid;
        const sq_code *narrow = !serial ? NULL : is_itself(s) ? s : sq_widen_written_out(c, s);
        sq_code *wide = narrow ? widened_any(c, narrow) : NULL;
        if (wide) {
            *at = wide;
            while ((*at)->next)
                at = &(*at)->next;
            (*at)->next = s->next;
            continue;
        }
        s->body = sq_pass_widen(c, s->body);
        s->other = sq_pass_widen(c, s->other);
    }
    return x;
}
