/* Widen, best: where the greatest or the smallest of many values is.
 *
 *     at = a[i] > most ? i : at;
 *     most = a[i] > most ? a[i] : most;
 *
 * Each lane keeps the best value that it met and where it first met it. After the loop the best of all lanes
 * counts, if it is better than what the scalar was before; of lanes that have it, the one that met it first.
 * Where one condition is for both, `if (a[i] > most) { most = a[i]; at = i; }`, they are put into this order.
 * The last iteration at which something holds, `if (a[i] < 0) at = i;`, is the greatest: -1 stands for none.
 * See widen.h. */
#include "codegen/code/from_isl.h"
#include "codegen/passes/widen.h"
#include <string.h>

/* Returns the store of the extreme that a comparison of `most` with a value belongs to; NULL: none. */
static sq_widen_store *extreme_of(sq_widen *w, const sq_widen_store *s, const sq_code_expr *compared)
{
    for (sq_widen_store *x = w->store + (s - w->store) + 1; x < w->store + w->nstores; x++) {
        const sq_code_expr *e = x->x->value;
        bool is_extreme = e->op == SQ_CODE_OPERATION && (e->operation == SQ_OP_MAX || e->operation == SQ_OP_MIN) &&
                          e->arg[1] == x->place && e->type == x->place->type && !x->x->cond;
        bool max = is_extreme && e->operation == SQ_OP_MAX;
        if (is_extreme && compared->arg[max ? 0 : 1] == x->place && compared->arg[max ? 1 : 0] == e->arg[0])
            return x;
    }
    return NULL;
}

static int accesses(const sq_widen *w, const sq_code_buffer *b)
{
    int n = 0;
    for (int i = 0; i < w->naccesses; i++)
        n += w->access[i].place->buffer == b;
    return n;
}

/* True if the value is the loop's variable, as an integer that holds it. */
static bool is_variable(const sq_widen *w, const sq_code_expr *e)
{
    return e->op == SQ_CODE_OPERATION && e->operation == SQ_OP_CAST && e->arg[0]->op == SQ_CODE_NAME &&
           strcmp(e->arg[0]->name, w->loop->name) == 0 && (e->type == SQ_I32 || e->type == SQ_I64);
}

bool sq_widen_is_position(sq_widen *w, sq_widen_store *s)
{
    const sq_code_expr *e = s->x->value, *cond = e->op == SQ_CODE_SELECT ? e->arg[0] : NULL;
    bool fits = cond && !sq_code_is_index(cond) && cond->op == SQ_CODE_OPERATION && cond->operation == SQ_OP_LT &&
                e->arg[2] == s->place && is_variable(w, e->arg[1]) && e->type == s->place->type && !s->x->cond &&
                w->loop->step > 0 && !w->is_backwards;
    sq_widen_store *best = fits ? extreme_of(w, s, cond) : NULL;
    if (!best || (sq_type_real(best->place->type) && w->c->kernel->fp == SQ_FP_STRICT))
        return false;
    /* Each is read and written where the other code says, and nowhere else. */
    if (accesses(w, s->place->buffer) != 2 || accesses(w, best->place->buffer) != 3)
        return false;
    s->kind = SQ_WIDEN_POSITION;
    s->added = e->arg[1];
    s->best = best;
    best->kind = SQ_WIDEN_SUM;
    best->is_placed = true;
    best->op = best->x->value->operation;
    best->added = best->x->value->arg[0];
    return true;
}

bool sq_widen_is_last_match(sq_widen *w, sq_widen_store *s)
{
    const sq_code_expr *e = s->x->value, *lo = w->loop->lo;
    bool fits = e->op == SQ_CODE_SELECT && e->arg[2] == s->place && is_variable(w, e->arg[1]) &&
                e->type == s->place->type && !s->x->cond && w->loop->step > 0 && !w->is_backwards;
    if (!fits || accesses(w, s->place->buffer) != 2 || !sq_code_is_never_negative(lo, w->c->kernel->context))
        return false;
    s->kind = SQ_WIDEN_SUM;
    s->is_last = true;
    s->op = SQ_OP_MAX;
    s->added = e->arg[1];
    return true;
}

sq_code *sq_widen_last_match(sq_widen *w, const sq_widen_store *s, const sq_code_buffer *acc)
{
    const sq_code_expr *mask = sq_widen_condition(w, s->x->value->arg[0], sq_type_bytes(acc->type)),
                       *at = mask ? sq_widen_value(w, s->added) : NULL;
    if (!at)
        return NULL;
    sq_code *x = sq_code_set(w->pool, acc, sq_code_choose(w->pool, mask, at, sq_code_load(w->pool, acc, NULL)));
    x->stmt = s->x->stmt;
    return x;
}

void sq_widen_finish_last_match(sq_widen *w, const sq_widen_store *s, const sq_code_buffer *acc, sq_code_list *to)
{
    const char *name = sq_arena_printf(w->pool->arena, "@match%d", (int)(s - w->store));
    const sq_code_buffer *of_all = sq_code_register(w->pool, name, acc->type);
    const sq_code_expr *most = sq_code_load(w->pool, of_all, NULL),
                       *arg[] = {sq_code_constant(w->pool, acc->type, (sq_number){0, 0}), most},
                       *any = sq_code_operation(w->pool, SQ_OP_LE, SQ_I32, arg);
    sq_code_append(to, sq_code_declare(w->pool, of_all, false));
    sq_code_append(to, sq_code_set(w->pool, of_all, sq_widen_whole(w, SQ_OP_MAX, acc)));
    sq_code *x = sq_code_store(w->pool, s->x->buffer, s->x->index, sq_code_choose(w->pool, any, most, s->place));
    x->stmt = s->x->stmt;
    sq_code_append(to, x);
}

static const sq_code_expr *compare(const sq_widen *w, sq_op op, const sq_code_expr *a, const sq_code_expr *b)
{
    const sq_code_expr *arg[] = {a, b};
    sq_type type = a->lanes > 1 ? sq_type_integer(sq_type_bytes(a->type), false) : SQ_I32;
    return sq_code_operation(w->pool, op, type, arg);
}

/* Returns the mask of lanes, or the truth, of a value that is better than another one. */
static const sq_code_expr *better(const sq_widen *w, const sq_widen_store *best, const sq_code_expr *value,
                                  const sq_code_expr *than)
{
    bool max = best->op == SQ_OP_MAX;
    return compare(w, SQ_OP_LT, max ? than : value, max ? value : than);
}

sq_code *sq_widen_position(sq_widen *w, const sq_widen_store *s, const sq_code_buffer *acc, const sq_code_buffer *best)
{
    const sq_code_expr *value = sq_widen_value(w, s->best->added), *at = sq_widen_value(w, s->added);
    if (!value || !at || value->type != best->type)
        return NULL;
    const sq_code_expr *mask = better(w, s->best, value, sq_code_load(w->pool, best, NULL));
    mask = sq_widen_converted(w, mask, sq_type_integer(sq_type_bytes(acc->type), false));
    sq_code *x = sq_code_set(w->pool, acc, sq_code_choose(w->pool, mask, at, sq_code_load(w->pool, acc, NULL)));
    x->stmt = s->x->stmt;
    return x;
}

void sq_widen_finish_position(sq_widen *w, const sq_widen_store *s, const sq_code_buffer *acc,
                              const sq_code_buffer *best, sq_code_list *to)
{
    sq_type type = acc->type, mask = sq_type_integer(sq_type_bytes(type), false);
    const char *name = sq_arena_printf(w->pool->arena, "@best%d", (int)(s - w->store));
    const sq_code_buffer *of_all = sq_code_register(w->pool, name, best->type);
    const sq_number largest = {.integer = type == SQ_I64 ? INT64_MAX : INT32_MAX};
    const sq_code_expr *lanes = sq_code_load(w->pool, best, NULL), *one = sq_code_load(w->pool, of_all, NULL),
                       *last = sq_code_constant(w->pool, type, largest);
    sq_code_append(to, sq_code_declare(w->pool, of_all, false));
    sq_code_append(to, sq_code_set(w->pool, of_all, sq_widen_whole(w, s->best->op, best)));
    const sq_code_expr *has = sq_widen_converted(
        w, compare(w, SQ_OP_EQ, lanes, sq_code_broadcast(w->pool, w->lanes, one)), mask);
    sq_code_append(to, sq_code_set(w->pool, acc,
                                   sq_code_choose(w->pool, has, sq_code_load(w->pool, acc, NULL),
                                                  sq_code_broadcast(w->pool, w->lanes, last))));
    const sq_code_expr *at = sq_code_choose(w->pool, better(w, s->best, one, s->best->place),
                                            sq_widen_whole(w, SQ_OP_MIN, acc), s->place);
    sq_code *x = sq_code_store(w->pool, s->x->buffer, s->x->index, at);
    x->stmt = s->x->stmt;
    sq_code_append(to, x);
}

/* ---- one condition for both ---- */

/* True if x is `condition ? value : place`, of the scalar that `condition` is stored to. */
static bool is_chosen(const sq_code *x, const sq_code_expr *condition)
{
    const sq_code_expr *e = x->value, *c = e->op == SQ_CODE_SELECT ? e->arg[0] : NULL;
    bool compares = c && !sq_code_is_index(c) && c->op == SQ_CODE_OPERATION && c->operation == SQ_OP_NE;
    return compares && !x->cond && x->buffer->ndim == 0 && c->arg[0] == condition &&
           c->arg[1]->op == SQ_CODE_CONSTANT && c->arg[1]->number == 0 && e->arg[2]->op == SQ_CODE_LOAD &&
           e->arg[2]->buffer == x->buffer;
}

/* True if x stores to a temporary that other statements than the next two do not read. */
static bool is_unread(const sq_pass_context *c, const sq_code *x)
{
    const sq_array *a = x->stmt ? x->stmt->write->array : NULL;
    bool fine = a && a->role == SQ_LOCAL && x->buffer->ndim == 0 && !x->cond;
    for (int i = 0; i < c->kernel->nstmts && fine; i++) {
        const sq_stmt *s = c->kernel->stmt[i];
        fine = s == x->next->stmt || s == x->next->next->stmt || !sq_stmt_reads_array(s, a);
    }
    return fine;
}

sq_code *sq_widen_position_first(const sq_pass_context *c, const sq_code *loop)
{
    const sq_code *x = loop->body, *best = x ? x->next : NULL, *place = best ? best->next : NULL;
    bool stores = place && !place->next;
    for (const sq_code *s = loop->body; s && stores; s = s->next)
        stores = s->kind == SQ_CODE_STORE && s->stmt;
    if (!stores || !is_unread(c, x) || x->value->op != SQ_CODE_OPERATION || x->value->operation != SQ_OP_LT)
        return NULL;
    const sq_code_expr *condition = sq_code_load(c->pool, x->buffer, x->index);
    if (!is_chosen(best, condition) || !is_chosen(place, condition))
        return NULL;
    const sq_code_expr *arg[] = {best->value->arg[1], best->value->arg[2]};
    bool max = x->value->arg[0] == arg[1];
    if (x->value->arg[max ? 1 : 0] != arg[0] || x->value->arg[max ? 0 : 1] != arg[1])
        return NULL;
    const sq_code_expr *at = sq_code_choose(c->pool, x->value, place->value->arg[1], place->value->arg[2]),
                       *extreme = sq_code_operation(c->pool, max ? SQ_OP_MAX : SQ_OP_MIN, arg[0]->type, arg);
    sq_code *own = sq_code_copy(c->pool, loop);
    own->body = sq_code_store(c->pool, place->buffer, place->index, at);
    own->body->stmt = place->stmt;
    own->body->next = sq_code_store(c->pool, best->buffer, best->index, extreme);
    own->body->next->stmt = best->stmt;
    return own;
}
