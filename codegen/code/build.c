/* Build: expressions that are not sums; see expr.h. Simplifications hold for all values. */
#include "codegen/code/build.h"
#include "support/integer.h"
#include <string.h>

const sq_code_expr *sq_code_number(sq_code_pool *p, int64_t number)
{
    return sq_code_cons(p, &(sq_code_expr){.op = SQ_CODE_NUMBER, .number = number});
}

const sq_code_expr *sq_code_name(sq_code_pool *p, const char *name)
{
    return sq_code_cons(p, &(sq_code_expr){.op = SQ_CODE_NAME, .name = name});
}

bool sq_code_known(const sq_code_expr *e, int64_t *number)
{
    bool known = e->op == SQ_CODE_NUMBER;
    if (known)
        *number = e->number;
    return known;
}

static int64_t divisor_of_product(int64_t a, int64_t b)
{
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? 1 : product;
}

int64_t sq_code_divisor(const sq_code_expr *e)
{
    int64_t all = 0, first = e->op == SQ_CODE_SELECT;
    switch (e->op) {
    case SQ_CODE_NUMBER:
        return sq_gcd(e->number, 0);
    case SQ_CODE_SUM:
        all = sq_gcd(e->number, 0);
        for (int i = 0; i < e->nargs; i++)
            all =
                sq_gcd(all, divisor_of_product(sq_gcd(e->coef[i], 0), sq_code_divisor(e->arg[i])));
        return all;
    case SQ_CODE_MUL:
        return divisor_of_product(sq_code_divisor(e->arg[0]), sq_code_divisor(e->arg[1]));
    case SQ_CODE_MIN:
    case SQ_CODE_MAX:
    case SQ_CODE_SELECT:
        for (int i = (int)first; i < e->nargs; i++)
            all = sq_gcd(all, sq_code_divisor(e->arg[i]));
        return all;
    default:
        return 1;
    }
}

bool sq_code_is(const sq_code_expr *e, int64_t number)
{
    return e->op == SQ_CODE_NUMBER && e->number == number;
}

bool sq_code_is_short(const sq_code_expr *e)
{
    if (e->op != SQ_CODE_SUM)
        return e->op == SQ_CODE_NUMBER || e->op == SQ_CODE_NAME;
    for (int i = 0; i < e->nargs; i++)
        if (e->arg[i]->op != SQ_CODE_NAME)
            return false;
    return true;
}

bool sq_code_subtracts(const sq_code_expr *e)
{
    bool any = e->number < 0;
    for (int i = 0; e->op == SQ_CODE_SUM && i < e->nargs; i++)
        any |= e->coef[i] < 0;
    return any;
}

bool sq_code_branches(const sq_code_expr *e)
{
    bool any = e->op == SQ_CODE_SELECT || e->op == SQ_CODE_DIV || e->op == SQ_CODE_REM;
    for (int i = 0; i < e->nargs && !any; i++)
        any = sq_code_branches(e->arg[i]);
    return any;
}

bool sq_code_mentions(const sq_code_expr *e, const char *name)
{
    if (e->op == SQ_CODE_NAME || e->op == SQ_CODE_SCALAR)
        return strcmp(e->name, name) == 0;
    for (int i = 0; i < e->nargs; i++)
        if (sq_code_mentions(e->arg[i], name))
            return true;
    return false;
}

static const sq_code_expr *binary(sq_code_pool *p, sq_code_op op, const sq_code_expr *a,
                                  const sq_code_expr *b)
{
    const sq_code_expr *arg[] = {a, b};
    return sq_code_cons(p, &(sq_code_expr){.op = op, .nargs = 2, .arg = arg});
}

const sq_code_expr *sq_code_mul(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b)
{
    int64_t x;
    if (sq_code_known(a, &x))
        return sq_code_scale(p, x, b);
    if (sq_code_known(b, &x))
        return sq_code_scale(p, x, a);
    return binary(p, SQ_CODE_MUL, a, b);
}

static int64_t quotient(sq_code_op op, int64_t x, int64_t y)
{
    return op == SQ_CODE_FLOORD ? sq_floor_div(x, y) : op == SQ_CODE_DIV ? x / y : x % y;
}

/* True if e is a multiple of y plus `number` for all values of its names; false for y = -1 and y = 0. */
static bool is_multiple(const sq_code_expr *e, int64_t y)
{
    if (y < 1 || (e->op != SQ_CODE_SUM && e->op != SQ_CODE_NUMBER))
        return false;
    for (int i = 0; i < e->nargs; i++)
        if (e->coef[i] % y != 0)
            return false;
    return true;
}

/* Rounds towards minus infinity. */
static const sq_code_expr *divided(sq_code_pool *p, const sq_code_expr *e, int64_t y)
{
    const sq_code_expr *sum = sq_code_number(p, sq_floor_div(e->number, y));
    for (int i = 0; i < e->nargs; i++)
        sum = sq_code_add_scaled(p, sum, e->coef[i] / y, e->arg[i]);
    return sum;
}

const sq_code_expr *sq_code_divide(sq_code_pool *p, sq_code_op op, const sq_code_expr *a,
                                   const sq_code_expr *b)
{
    int64_t x, y;
    if (!sq_code_known(b, &y) || y == 0)
        return binary(p, op, a, b);
    if (y == 1)
        return op == SQ_CODE_REM ? sq_code_number(p, 0) : a;
    if (sq_code_known(a, &x) && y > 0)
        return sq_code_number(p, quotient(op, x, y));
    if (is_multiple(a, y) && (op == SQ_CODE_FLOORD || a->number % y == 0))
        return op == SQ_CODE_REM ? sq_code_number(p, 0) : divided(p, a, y);
    return binary(p, op, a, b);
}

/* Returns true and a - b if that is a constant. */
static bool difference(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b, int64_t *d)
{
    return sq_code_known(sq_code_sub(p, a, b), d);
}

/* ---- minimum and maximum ---- */

enum { MOST_CHOICES = 8 };

/* The operands of a minimum (MIN) or maximum (MAX). */
typedef struct choices {
    sq_code_op op;
    int n; /* MOST_CHOICES + 1: there are more */
    const sq_code_expr *of[MOST_CHOICES + 1];
} choices;

/* Returns the index of a term that is itself such an operator, with coefficient 1; else -1. */
static int choice_in(const sq_code_expr *e, sq_code_op op)
{
    for (int i = 0; e->op == SQ_CODE_SUM && i < e->nargs; i++)
        if (e->arg[i]->op == op && e->coef[i] == 1)
            return i;
    return -1;
}

/* Gathers the operands. Each such term of a sum doubles the number of operands, so this stops at
 * the limit. */
static void gather(sq_code_pool *p, const sq_code_expr *e, choices *to)
{
    int i = choice_in(e, to->op);
    if (to->n > MOST_CHOICES)
        return;
    if (e->op == to->op) {
        gather(p, e->arg[0], to);
        gather(p, e->arg[1], to);
    } else if (i >= 0) { /* min(a, b) + c is min(a + c, b + c) */
        const sq_code_expr *rest = sq_code_sub(p, e, e->arg[i]);
        gather(p, sq_code_add(p, e->arg[i]->arg[0], rest), to);
        gather(p, sq_code_add(p, e->arg[i]->arg[1], rest), to);
    } else if (to->n < MOST_CHOICES) {
        to->of[to->n++] = e;
    } else {
        to->n = MOST_CHOICES + 1;
    }
}

/* True if of[i] can be left out: another operand is never worse, whatever the values are. */
static bool is_idle(sq_code_pool *p, const choices *c, int i)
{
    int64_t d;
    for (int j = 0; j < c->n; j++)
        if (i != j && difference(p, c->of[i], c->of[j], &d) &&
            (c->op == SQ_CODE_MIN ? d >= 0 : d <= 0))
            return true;
    return false;
}

/* Drops redundant operands, the last ones first; true if there was one. */
static bool reduce(sq_code_pool *p, choices *c)
{
    bool any = false;
    for (int i = c->n - 1; i >= 0; i--) {
        if (!is_idle(p, c, i))
            continue;
        memmove(&c->of[i], &c->of[i + 1], (size_t)(--c->n - i) * sizeof *c->of);
        any = true;
    }
    return any;
}

static const sq_code_expr *extreme(sq_code_pool *p, sq_code_op op, const sq_code_expr *a,
                                   const sq_code_expr *b)
{
    choices c = {.op = op};
    gather(p, a, &c);
    gather(p, b, &c);
    if (c.n > MOST_CHOICES || !reduce(p, &c))
        return binary(p, op, a, b);
    const sq_code_expr *e = c.of[0];
    for (int i = 1; i < c.n; i++)
        e = binary(p, op, e, c.of[i]);
    return e;
}

const sq_code_expr *sq_code_min(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b)
{
    return extreme(p, SQ_CODE_MIN, a, b);
}

const sq_code_expr *sq_code_max(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b)
{
    return extreme(p, SQ_CODE_MAX, a, b);
}

const sq_code_expr *sq_code_clamp(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *end)
{
    int64_t x, n;
    if (sq_code_known(a, &x) && sq_code_known(end, &n))
        return sq_code_number(p, x < 0 ? 0 : x >= n ? n - 1 : x);
    return binary(p, SQ_CODE_CLAMP, a, end);
}

const sq_code_expr *sq_code_position(sq_code_pool *p, const sq_code_expr *value)
{
    bool casts = value->op == SQ_CODE_OPERATION && value->operation == SQ_OP_CAST;
    if (value->op == SQ_CODE_CONSTANT)
        return sq_code_number(p, value->number);
    if (casts && sq_code_is_index(value->arg[0]))
        return value->arg[0];
    return sq_code_cons(p, &(sq_code_expr){.op = SQ_CODE_POSITION, .nargs = 1, .arg = &value});
}

const sq_code_expr *sq_code_narrow(sq_code_pool *p, const sq_code_expr *e, bool is_unsigned)
{
    if (e->op == SQ_CODE_NUMBER)
        return e;
    return sq_code_cons(p, &(sq_code_expr){.op = SQ_CODE_NARROW, .number = is_unsigned, .nargs = 1, .arg = &e});
}

const sq_code_expr *sq_code_swizzled_at(sq_code_pool *p, const sq_code_expr *at)
{
    return sq_code_cons(p, &(sq_code_expr){.op = SQ_CODE_SWIZZLED, .nargs = 1, .arg = &at});
}

/* ---- conditions ---- */

const sq_code_expr *sq_code_aligned(sq_code_pool *p, const struct sq_code_buffer *buffer, const sq_code_expr *at,
                                    int64_t bytes)
{
    return sq_code_cons(
        p, &(sq_code_expr){.op = SQ_CODE_ALIGNED, .buffer = buffer, .number = bytes, .nargs = 1, .arg = &at});
}

const sq_code_expr *sq_code_select(sq_code_pool *p, const sq_code_expr *condition,
                                   const sq_code_expr *a, const sq_code_expr *b)
{
    int64_t x;
    const sq_code_expr *arg[] = {condition, a, b};
    if (sq_code_known(condition, &x))
        return x ? a : b;
    if (a == b)
        return a;
    return sq_code_cons(p, &(sq_code_expr){.op = SQ_CODE_SELECT, .nargs = 3, .arg = arg});
}

static bool compares(sq_code_op op, int64_t difference)
{
    switch (op) {
    case SQ_CODE_EQ:
        return difference == 0;
    case SQ_CODE_LT:
        return difference < 0;
    case SQ_CODE_LE:
        return difference <= 0;
    case SQ_CODE_GT:
        return difference > 0;
    default:
        return difference >= 0;
    }
}

const sq_code_expr *sq_code_compare(sq_code_pool *p, sq_code_op op, const sq_code_expr *a,
                                    const sq_code_expr *b)
{
    int64_t d;
    if (difference(p, a, b, &d))
        return sq_code_number(p, compares(op, d));
    return binary(p, op, a, b);
}

/* Joins conditions by AND or OR: `neutral` is dropped, its opposite is the result. */
static const sq_code_expr *joined(sq_code_pool *p, sq_code_op op, const sq_code_expr *a,
                                  const sq_code_expr *b)
{
    int n = 0, neutral = op == SQ_CODE_AND;
    const sq_code_expr *side[] = {a, b};
    int most = (a->op == op ? a->nargs : 1) + (b->op == op ? b->nargs : 1);
    const sq_code_expr **arg = SQ_NEW_ARRAY(p->arena, const sq_code_expr *, most);
    for (int s = 0; s < 2; s++) {
        const sq_code_expr *const *from = side[s]->op == op ? side[s]->arg : &side[s];
        int m = side[s]->op == op ? side[s]->nargs : 1;
        for (int i = 0; i < m; i++) {
            bool seen = sq_code_is(from[i], neutral);
            if (sq_code_is(from[i], !neutral))
                return from[i];
            for (int j = 0; j < n; j++)
                seen |= arg[j] == from[i];
            if (!seen)
                arg[n++] = from[i];
        }
    }
    if (n < 2)
        return n ? arg[0] : sq_code_number(p, neutral);
    return sq_code_cons(p, &(sq_code_expr){.op = op, .nargs = n, .arg = arg});
}

const sq_code_expr *sq_code_and(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b)
{
    if (!a || !b)
        return a ? a : b;
    return joined(p, SQ_CODE_AND, a, b);
}

const sq_code_expr *sq_code_or(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b)
{
    if (!a || !b)
        return NULL;
    return joined(p, SQ_CODE_OR, a, b);
}
