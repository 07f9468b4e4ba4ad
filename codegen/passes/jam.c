/* Jam: several iterations of a loop run side by side in the serial loop inside of it, whose own iterations wait for
 * each other: rows of a recurrence, or rows of a stencil in place, of which each is a step behind the one before. Where
 * their ranges differ, what some rows have and others have not runs row by row before and behind. Which loops may be
 * taken so, auto() has found (transforms/auto_jam.c). */
#include "codegen/passes/jam.h"
#include "codegen/code/build.h"
#include "codegen/passes/rows.h"
#include "ir/schedule/tree.h"

enum { MOST_STORES = 4 };

/* Counts plain stores to memory, under conditions or not, and in blocks with variables of their own; MOST_STORES + 1 if
 * there is something else. */
static int stores(const sq_code *x, bool in_block)
{
    int n = 0;
    for (; x && n <= MOST_STORES; x = x->next) {
        bool is_block = x->kind == SQ_CODE_BLOCK && !x->part,
             is_choice = x->kind == SQ_CODE_IF && !x->part;
        bool plain = x->kind == SQ_CODE_STORE && !x->lane_step && !sq_code_is_pointer(x->buffer);
        if (is_block || is_choice)
            n += stores(x->body, is_block) + stores(x->other, false);
        else if (x->kind != SQ_CODE_LET || !in_block)
            n += !plain ? MOST_STORES + 1 : x->buffer->storage != SQ_CODE_REGISTER;
    }
    return n;
}

/* True for a loop of stores alone, in which rows can alternate. */
static bool is_inner(const sq_code *x)
{
    return x->kind == SQ_CODE_LOOP && x->runs == SQ_CODE_SERIAL && x->is_scalar && x->hi &&
           !x->cond && x->step == 1 && stores(x->body, false) <= MOST_STORES;
}

static bool ends_alike(const sq_code *loop, const sq_code *inner)
{
    return !sq_code_mentions(inner->lo, loop->name) && !sq_code_mentions(inner->hi, loop->name);
}

/* True if the body has such loops, and beside them stores and scalars at most. Where ranges differ, rows have no
 * scalars. */
static bool fits(const sq_code *loop)
{
    int loops = 0, others = 0, own = 0;
    bool alike = true;
    for (const sq_code *x = loop->body; x; x = x->next) {
        sq_code one = *x;
        one.next = NULL;
        bool inner = is_inner(x), is_own = sq_jam_is_own(x);
        if (!inner && !is_own && stores(&one, false) > MOST_STORES)
            return false;
        alike &= !inner || ends_alike(loop, x);
        loops += inner;
        others += !inner;
        own += is_own;
    }
    return loops > 0 && (loop->jam == SQ_JAM_ALL || (loops == 1 && others == 0)) && (alike || own == 0) &&
           own <= SQ_JAM_OWN;
}

const sq_code_expr *sq_jam_in_row(const sq_jam_loop *j, const sq_code_expr *e,
                                  const sq_code_expr *row)
{
    return e ? sq_code_substitute(j->pool, e, j->loop->name, row) : NULL;
}

/* Returns a copy of stores with `by` in place of a name. */
static sq_code *stores_with(const sq_jam_loop *j, const sq_code *x, const char *name, const sq_code_expr *by)
{
    sq_code_list all = {0};
    for (; x; x = x->next) {
        sq_code *own = sq_code_copy(j->pool, x);
        own->next = NULL;
        own->cond = x->cond ? sq_code_substitute(j->pool, x->cond, name, by) : NULL;
        own->value = x->value ? sq_code_substitute(j->pool, x->value, name, by) : NULL;
        if (x->kind == SQ_CODE_STORE)
            own->index = sq_code_substitute(j->pool, sq_code_load(j->pool, x->buffer, x->index), name, by)->arg;
        own->body = stores_with(j, x->body, name, by);
        own->other = stores_with(j, x->other, name, by);
        sq_code_append(&all, own);
    }
    return all.first;
}

static sq_code *stores_in_row(const sq_jam_loop *j, const sq_code *x, const sq_code_expr *row)
{
    return stores_with(j, x, j->loop->name, row);
}

const sq_code_expr *sq_jam_row(const sq_jam_loop *j, int r)
{
    return sq_code_plus(j->pool, sq_code_name(j->pool, j->loop->name), r);
}

/* Returns the body of the inner loop for row number r, which is behind the first one. */
static sq_code *body_in_row(const sq_jam_loop *j, int r)
{
    sq_code *x = stores_in_row(j, j->inner->body, sq_jam_row(j, r));
    const sq_code_expr *at = sq_code_plus(j->pool, sq_code_name(j->pool, j->inner->name), -(int64_t)j->delay * r);
    return r && j->delay ? stores_with(j, x, j->inner->name, at) : x;
}

static sq_code *in_all_rows(const sq_jam_loop *j, const sq_code *x)
{
    sq_code_list all = {0};
    for (int r = 0; r < SQ_JAM_ROWS; r++)
        sq_code_append(&all, sq_jam_with_own(j, r, stores_in_row(j, x, sq_jam_row(j, r))));
    return all.first;
}

static sq_code *inner_loop(const sq_jam_loop *j, const sq_code_expr *lo, const sq_code_expr *hi,
                           sq_code *body)
{
    sq_code *x = SQ_NEW(j->pool->arena, sq_code);
    *x = *j->inner;
    x->lo = lo;
    x->hi = hi;
    x->body = body;
    x->next = NULL;
    return x;
}

/* Returns the iterations of each row before those that all rows have, or behind them: row by row. */
static sq_code *apart(const sq_jam_loop *j, bool behind)
{
    const sq_code_expr *at = sq_code_name(j->pool, "@row"), *first = sq_jam_row(j, 0);
    const sq_code_expr *lo = sq_jam_in_row(j, j->inner->lo, at), *hi = sq_jam_in_row(j, j->inner->hi, at),
                       *late = sq_code_scale(j->pool, j->delay, sq_code_sub(j->pool, at, first));
    lo = behind ? sq_code_sub(j->pool, sq_code_name(j->pool, "@to"), late) : lo;
    hi = behind ? hi : sq_code_min(j->pool, hi, sq_code_sub(j->pool, sq_code_name(j->pool, "@from"), late));
    sq_code *x = sq_code_new(j->pool, SQ_CODE_LOOP);
    x->name = "@row";
    x->lo = sq_jam_row(j, 0);
    x->hi = sq_jam_row(j, SQ_JAM_ROWS);
    x->step = 1;
    x->body = inner_loop(j, lo, hi, stores_in_row(j, j->inner->body, at));
    return x;
}

/* Returns the loop over what all rows have. */
static sq_code *together(const sq_jam_loop *j, const sq_code_expr *lo, const sq_code_expr *hi)
{
    sq_code_list body = {0}, before = {0};
    sq_jam_carries carries = sq_jam_carried(j);
    sq_jam_begin(j, &carries, lo, &before);
    for (int r = 0; r < SQ_JAM_ROWS; r++)
        sq_code_append(&body, sq_jam_with_own(j, r,
                                              sq_jam_resolve(j, &carries, r, body_in_row(j, r))));
    sq_jam_advance(j, &carries, &body);
    sq_code *loop = inner_loop(j, lo, hi, body.first);
    if (!carries.n)
        return loop;
    sq_code_append(&before, loop);
    return sq_code_guarded(j->pool, sq_code_compare(j->pool, SQ_CODE_LT, lo, hi), before.first);
}

/* Returns the inner loop of all rows. */
static sq_code *rows_of(const sq_jam_loop *j)
{
    sq_code_pool *p = j->pool;
    sq_code_list parts = {0};
    const sq_code_expr *lo = sq_jam_in_row(j, j->inner->lo, sq_jam_row(j, 0)),
                       *hi = sq_jam_in_row(j, j->inner->hi, sq_jam_row(j, 0));
    for (int r = 1; r < SQ_JAM_ROWS; r++) {
        int64_t late = (int64_t)j->delay * r;
        lo = sq_code_max(p, lo, sq_code_plus(p, sq_jam_in_row(j, j->inner->lo, sq_jam_row(j, r)), late));
        hi = sq_code_min(p, hi, sq_code_plus(p, sq_jam_in_row(j, j->inner->hi, sq_jam_row(j, r)), late));
    }
    bool begins = j->delay || sq_code_mentions(j->inner->lo, j->loop->name),
         ends = j->delay || sq_code_mentions(j->inner->hi, j->loop->name);
    if (!begins && !ends)
        return together(j, lo, hi);
    const sq_code_expr *from = sq_code_name(p, "@from"), *end = sq_code_name(p, "@to");
    sq_code_append(&parts, sq_code_let(p, "@from", lo));
    sq_code_append(&parts, sq_code_let(p, "@to", sq_code_max(p, from, hi)));
    if (begins)
        sq_code_append(&parts, apart(j, false));
    sq_code_append(&parts, together(j, from, end));
    if (ends)
        sq_code_append(&parts, apart(j, true));
    return sq_code_guarded(p, NULL, parts.first);
}

static sq_code *over(const sq_jam_loop *j, int rows, sq_code *body)
{
    sq_code *x = sq_code_new(j->pool, SQ_CODE_LOOP);
    x->name = j->loop->name;
    x->cond = sq_code_compare(j->pool, SQ_CODE_LT, sq_jam_row(j, rows - 1),
                              sq_code_name(j->pool, "@rows"));
    x->step = rows;
    x->body = body;
    return x;
}

/* Rows that need those before them are an iteration more behind than they must: they need not wait within one. */
static sq_code *jammed(const sq_pass_context *c, const sq_code *loop)
{
    sq_code_pool *p = c->pool;
    sq_jam_loop j = {.c = c, .pool = p, .loop = loop, .delay = loop->jam == SQ_JAM_LOOP};
    sq_code_list all = {0}, body = {0};
    sq_jam_find_own(&j);
    for (const sq_code *x = loop->body; x; x = x->next) {
        sq_code *one = sq_code_copy(p, x);
        one->next = NULL;
        j.inner = one;
        sq_code_append(&body, is_inner(x) ? rows_of(&j) : in_all_rows(&j, one));
    }
    sq_code *variable = sq_code_let(p, loop->name, loop->lo);
    variable->kind = SQ_CODE_VARIABLE;
    sq_code_append(&all, sq_code_let(p, "@rows", loop->hi));
    sq_code_append(&all, variable);
    sq_code_append(&all, over(&j, SQ_JAM_ROWS, body.first));
    sq_code_append(&all, over(&j, 1, loop->body));
    return sq_code_guarded(p, NULL, all.first);
}

sq_code *sq_pass_jam(const sq_pass_context *c, sq_code *x)
{
    for (sq_code **at = &x; *at; at = &(*at)->next) {
        sq_code *s = *at;
        bool may = s->kind == SQ_CODE_LOOP && s->jam != SQ_JAM_NONE && s->runs == SQ_CODE_SERIAL &&
                   s->hi && s->step == 1;
        int64_t n = may ? sq_code_iterations(s) : -1;
        if (may && (n < 0 || n >= SQ_JAM_ROWS) && fits(s)) {
            *at = jammed(c, s);
            (*at)->next = s->next;
            continue;
        }
        s->body = sq_pass_jam(c, s->body);
        s->other = sq_pass_jam(c, s->other);
    }
    return x;
}
