/* Branch: in loops that stay serial, statements in a row that ask for one condition become two lists, one where it
 * holds and one where not:
 *
 *     s += x[i] > 0 ? x[i] : 0;
 *     if (x[i] > 0) y[i] = s;
 *     if (!(x[i] > 0)) z[i] = s;
 *
 * asks once, and adds nothing to s where it need not: the next iteration waits for s. A choice alone stays one. */
#include "codegen/code/build.h"
#include "codegen/passes/overlap.h"
#include "codegen/passes/rows.h"

enum { MOST_CANDIDATES = 8, MOST_GROWTH = 3 };

typedef struct branching {
    const sq_pass_context *c;
    const sq_code_expr *condition;
    bool holds;
    int vanished; /* operations that have no effect under the condition */
    const sq_code *store; /* whose value is looked at */
} branching;

/* ---- what is known under a condition ---- */

static bool is_operation(const sq_code_expr *e, sq_op op)
{
    return e->op == SQ_CODE_OPERATION && e->operation == op && e->lanes == 1;
}

static bool is_zero(const sq_code_expr *e)
{
    return e->op == SQ_CODE_CONSTANT && (sq_type_real(e->type) ? e->real == 0 : e->number == 0);
}

/* The truth of what a comparison with zero asks: 1, 0, or -1 where it is not known. */
static int truth(const branching *b, const sq_code_expr *e)
{
    if (e == b->condition)
        return b->holds;
    if (e->op == SQ_CODE_CONSTANT)
        return !is_zero(e);
    int first = e->nargs && !sq_code_is_index(e) ? truth(b, e->arg[0]) : -1;
    if (is_operation(e, SQ_OP_NOT))
        return first < 0 ? -1 : !first;
    if ((is_operation(e, SQ_OP_NE) || is_operation(e, SQ_OP_EQ)) && is_zero(e->arg[1]) &&
        e->arg[0]->type == SQ_I32)
        return first < 0 ? -1 : first == is_operation(e, SQ_OP_NE);
    if (e->op == SQ_CODE_SELECT && first >= 0)
        return truth(b, e->arg[first ? 1 : 2]);
    if (!is_operation(e, SQ_OP_AND) && !is_operation(e, SQ_OP_OR))
        return -1;
    int decides = is_operation(e, SQ_OP_OR), second = truth(b, e->arg[1]);
    return first == decides || second == decides ? decides
           : first >= 0 && second >= 0           ? !decides
                                                 : -1;
}

/* Returns the operand that a minimum or maximum is under the condition; NULL: either. */
static const sq_code_expr *extreme(const branching *b, const sq_code_expr *e)
{
    const sq_code_expr *less = b->condition;
    int greater = is_operation(e, SQ_OP_MAX);
    if ((!greater && !is_operation(e, SQ_OP_MIN)) || !is_operation(less, SQ_OP_LT) ||
        less->arg[greater] != e->arg[0] || less->arg[!greater] != e->arg[1])
        return NULL;
    return e->arg[b->holds ? 0 : 1];
}

/* Returns the other side of a sum of which one side is zero; NULL: it is none. Of floating numbers -0 + 0 is another
 * zero: only what a store adds to its own place has no effect then, unless the contract is strict. */
static const sq_code_expr *unchanged(branching *b, const sq_code_expr *e)
{
    bool minus = is_operation(e, SQ_OP_SUB), plus = is_operation(e, SQ_OP_ADD);
    const sq_code_expr *left = NULL;
    if ((plus || minus) && is_zero(e->arg[1]))
        left = e->arg[0];
    else if (plus && is_zero(e->arg[0]))
        left = e->arg[1];
    if (left && sq_type_real(e->type) &&
        (b->c->kernel->fp == SQ_FP_STRICT || !b->store || !sq_code_loads(left, b->store)))
        return NULL;
    b->vanished += left != NULL;
    return left;
}

/* Returns the value under the condition. */
static const sq_code_expr *under(branching *b, const sq_code_expr *e)
{
    if (sq_code_is_index(e) || e->nargs == 0 || e->lanes > 1)
        return e;
    const sq_code_expr *one = extreme(b, e);
    int known = e->op == SQ_CODE_SELECT && !sq_code_is_index(e->arg[0]) ? truth(b, e->arg[0]) : -1;
    if (one || known >= 0)
        return under(b, one ? one : e->arg[known ? 1 : 2]);
    if (truth(b, e) >= 0)
        return sq_code_constant(b->c->pool, e->type, (sq_number){truth(b, e), truth(b, e)});
    bool both = is_operation(e, SQ_OP_AND) || is_operation(e, SQ_OP_OR);
    if (both && truth(b, e->arg[0]) >= 0)
        return under(b, e->arg[1]);
    if (both && truth(b, e->arg[1]) >= 0)
        return under(b, e->arg[0]);
    const sq_code_expr **arg = SQ_NEW_ARRAY(b->c->pool->arena, const sq_code_expr *, e->nargs);
    bool same = true;
    for (int i = 0; i < e->nargs; i++) {
        arg[i] = under(b, e->arg[i]);
        same &= arg[i] == e->arg[i];
    }
    if (same)
        return e;
    e = sq_code_rebuilt(b->c->pool, e, arg);
    one = unchanged(b, e);
    return one ? one : e;
}

/* Returns what a store is under the condition: itself, NULL where it stores nothing new. */
static sq_code *store_under(branching *b, sq_code *x)
{
    b->store = x;
    int known = x->cond && !sq_code_is_index(x->cond) ? truth(b, x->cond) : -1;
    if (known == 0)
        return NULL;
    const sq_code_expr *cond = known == 1 ? NULL
                               : x->cond  ? under(b, x->cond)
                                          : NULL,
                       *value = under(b, x->value);
    if (cond == x->cond && value == x->value)
        return x;
    if (sq_code_loads(value, x))
        return NULL;
    sq_code *own = sq_code_copy(b->c->pool, x);
    own->cond = cond;
    own->value = value;
    return own;
}

/* ---- statements in a row ---- */

/* True if the store may change what the expression reads. */
static bool changes(const branching *b, const sq_code *x, const sq_code_expr *e)
{
    int64_t by;
    bool any = false;
    for (int i = 0; i < e->nargs && !any; i++)
        any = changes(b, x, e->arg[i]);
    if (any || !e->buffer)
        return any;
    if (e->buffer != x->buffer)
        return sq_pass_may_overlap(b->c, e->buffer, x->buffer);
    for (int d = 0; d < x->buffer->ndim && e->op == SQ_CODE_LOAD; d++)
        if (sq_code_known(sq_code_sub(b->c->pool, e->arg[d], x->index[d]), &by) && by != 0)
            return false;
    return true;
}

static bool is_plain(const sq_code *x)
{
    return x->kind == SQ_CODE_STORE && !x->lane_step && x->value->lanes == 1 &&
           !(x->cond && sq_code_is_index(x->cond));
}

/* Statements in a row that a condition changes, and what they are where it holds and where not. */
typedef struct row {
    const sq_code_expr *condition;
    int n, conditional; /* statements; stores under a condition */
    int vanished, dropped;
    bool is_real;
    sq_code_list arm[2];
    sq_code *rest;
} row;

static row row_of(const sq_pass_context *c, sq_code *x, const sq_code_expr *condition)
{
    branching b[2] = {{.c = c, .condition = condition},
                      {.c = c, .condition = condition, .holds = true}};
    row r = {.condition = condition};
    for (bool same = true; x && same && is_plain(x); x = x->next) {
        sq_code *arm[2] = {store_under(&b[0], x), store_under(&b[1], x)};
        if (arm[0] == x && arm[1] == x)
            break;
        for (int i = 0; i < 2; i++)
            if (arm[i])
                sq_code_append(&r.arm[i], sq_code_copy(c->pool, arm[i]));
        r.n++;
        r.conditional += x->cond != NULL;
        r.dropped += !arm[0] + !arm[1];
        r.is_real |= sq_type_real(x->value->type);
        same = !changes(&b[0], x, condition);
    }
    r.vanished = b[0].vanished + b[1].vanished;
    r.rest = x;
    return r;
}

/* True if two lists are better: conditions are asked for once, or a sum is shorter. Choices between integers cost less
 * than a branch that is not foreseen. */
static bool pays(const row *r)
{
    if (r->conditional)
        return r->n > 1;
    return r->is_real && (r->vanished || (r->dropped && r->n > 1));
}

/* ---- conditions ---- */

typedef struct candidates {
    int n;
    const sq_code_expr *of[MOST_CANDIDATES];
} candidates;

static bool is_comparison(const sq_code_expr *e)
{
    return is_operation(e, SQ_OP_LT) || is_operation(e, SQ_OP_LE) || is_operation(e, SQ_OP_EQ) ||
           is_operation(e, SQ_OP_NE);
}

/* Adds a condition that is asked for in any case, and the first part of it. */
static void add_condition(candidates *c, const sq_code_expr *e)
{
    while (is_operation(e, SQ_OP_NOT) ||
           ((is_operation(e, SQ_OP_NE) || is_operation(e, SQ_OP_EQ)) && is_zero(e->arg[1]) &&
            (is_comparison(e->arg[0]) || is_operation(e->arg[0], SQ_OP_NOT) ||
             is_operation(e->arg[0], SQ_OP_AND) || is_operation(e->arg[0], SQ_OP_OR))))
        e = e->arg[0];
    bool both = is_operation(e, SQ_OP_AND) || is_operation(e, SQ_OP_OR);
    if (c->n < MOST_CANDIDATES && (both || is_comparison(e)))
        c->of[c->n++] = e;
    if (both)
        add_condition(c, e->arg[0]);
    if (e->op == SQ_CODE_SELECT && !sq_code_is_index(e->arg[0]))
        add_condition(c, e->arg[0]);
}

/* Adds the conditions of choices that are made in any case; inner ones first, of which outer ones may be made. */
static void add_choices(candidates *c, const sq_code_expr *e)
{
    if (sq_code_is_index(e) || e->lanes > 1)
        return;
    bool some = e->op == SQ_CODE_SELECT || is_operation(e, SQ_OP_AND) || is_operation(e, SQ_OP_OR);
    for (int i = 0; i < (some ? 1 : e->nargs); i++)
        add_choices(c, e->arg[i]);
    if (e->op == SQ_CODE_SELECT && !sq_code_is_index(e->arg[0]))
        add_condition(c, e->arg[0]);
}

static candidates candidates_of(const sq_code *x)
{
    candidates c = {0};
    for (int i = 0; i < 2 && x && is_plain(x); i++, x = x->next) {
        if (x->cond)
            add_condition(&c, x->cond);
        else
            add_choices(&c, x->value);
    }
    return c;
}

/* ---- lists ---- */

static int count(const sq_code *x)
{
    int n = 0;
    for (; x; x = x->next)
        n += 1 + count(x->body) + count(x->other);
    return n;
}

static sq_code *branch_list(const sq_pass_context *c, sq_code *x, int room);

static sq_code *conditional(const sq_pass_context *c, const row *r, int room)
{
    sq_code *yes = branch_list(c, r->arm[1].first, room),
            *no = branch_list(c, r->arm[0].first, room);
    if (!yes && !no)
        return NULL;
    const sq_code_expr *cond =
        yes ? r->condition : sq_code_operation(c->pool, SQ_OP_NOT, SQ_I32, &r->condition);
    sq_code *x = sq_code_guarded(c->pool, cond, yes ? yes : no);
    x->other = yes ? no : NULL;
    return x;
}

/* room: statements that a row may become. */
static sq_code *branch_list(const sq_pass_context *c, sq_code *x, int room)
{
    sq_code_list all = {0};
    while (x) {
        const candidates from = candidates_of(x);
        row best = {0};
        for (int i = 0; i < from.n && room > 0; i++) {
            const row r = row_of(c, x, from.of[i]);
            if (r.n > best.n && pays(&r))
                best = r;
        }
        int n = count(best.arm[0].first) + count(best.arm[1].first);
        if (best.n && n <= room) {
            sq_code_append(&all, conditional(c, &best, room - n));
            x = best.rest;
            continue;
        }
        sq_code *next = x->next;
        x->next = NULL;
        sq_code_append(&all, x);
        x = next;
    }
    return all.first;
}

sq_code *sq_pass_branch(const sq_pass_context *c, sq_code *x)
{
    for (sq_code *s = x; s; s = s->next) {
        s->body = sq_pass_branch(c, s->body);
        s->other = sq_pass_branch(c, s->other);
        if (s->kind == SQ_CODE_LOOP && s->runs == SQ_CODE_SERIAL && s->lo && s->hi &&
            !c->target->grid)
            s->body = branch_list(c, s->body, MOST_GROWTH * count(s->body));
    }
    return x;
}
