/* Interpret, values: expressions; see interpret_inside.h. A value has the lanes of its expression,
 * which are evaluated one at a time. */
#include "codegen/code/interpret_inside.h"
#include "ir/kernel/evaluate.h"
#include <inttypes.h>

typedef sq_linked linked;
typedef sq_interpretation run;

/* ---- index expressions ---- */

static int64_t sum_of(run *r, const linked *x)
{
    int64_t sum = x->e->number, term;
    bool over = false;
    for (int i = 0; i < x->e->nargs; i++) {
        over |= __builtin_mul_overflow(x->e->coef[i], sq_run_index(r, x->arg[i]), &term);
        over |= __builtin_add_overflow(sum, term, &sum);
    }
    if (over)
        sq_run_fail(r, "an index expression overflows");
    return sum;
}

static int64_t quotient_of(run *r, sq_code_op op, int64_t a, int64_t b)
{
    if (b == 0 || (a == INT64_MIN && b == -1)) {
        sq_run_fail(r, "an index expression divides %" PRId64 " by %" PRId64, a, b);
        return 0;
    }
    int64_t q = a / b, rest = a % b;
    if (op == SQ_CODE_REM)
        return rest;
    return op == SQ_CODE_FLOORD && rest != 0 && (rest < 0) != (b < 0) ? q - 1 : q;
}

static int64_t compared(sq_code_op op, int64_t a, int64_t b)
{
    switch (op) {
    case SQ_CODE_EQ:
        return a == b;
    case SQ_CODE_LT:
        return a < b;
    case SQ_CODE_LE:
        return a <= b;
    case SQ_CODE_GT:
        return a > b;
    default:
        return a >= b;
    }
}

/* Evaluates an operator of two arguments, both of which are evaluated. */
static int64_t binary_of(run *r, const linked *x)
{
    int64_t a = sq_run_index(r, x->arg[0]), b = sq_run_index(r, x->arg[1]), product;
    switch (x->e->op) {
    case SQ_CODE_MUL:
        if (__builtin_mul_overflow(a, b, &product))
            sq_run_fail(r, "an index expression overflows");
        return product;
    case SQ_CODE_DIV:
    case SQ_CODE_REM:
    case SQ_CODE_FLOORD:
        return quotient_of(r, x->e->op, a, b);
    case SQ_CODE_MIN:
        return a < b ? a : b;
    case SQ_CODE_MAX:
        return a > b ? a : b;
    case SQ_CODE_CLAMP:
        return a < 0 ? 0 : a >= b ? b - 1 : a;
    default:
        return compared(x->e->op, a, b);
    }
}

/* Returns where an element of rows of 64 is, whose units of 8 are permuted in groups of 8 rows. */
int64_t sq_run_swizzled(int64_t element)
{
    return element ^ (element >> 3 & 56);
}

/* Arrays begin at aligned addresses. */
static int64_t is_aligned(run *r, const linked *x)
{
    int64_t at = sq_run_index(r, x->arg[0]);
    sq_cells *c = sq_run_elements(x->cells, &at);
    return at * sq_type_bytes(c->buffer->type) % x->e->number == 0;
}

int64_t sq_run_index(run *r, const linked *x)
{
    switch (x->e->op) {
    case SQ_CODE_NUMBER:
        return x->e->number;
    case SQ_CODE_NAME:
        return *x->variable;
    case SQ_CODE_SUM:
        return sum_of(r, x);
    case SQ_CODE_NARROW:
        return sq_run_index(r, x->arg[0]);
    case SQ_CODE_SWIZZLED:
        return sq_run_swizzled(sq_run_index(r, x->arg[0]));
    case SQ_CODE_ALIGNED:
        return is_aligned(r, x);
    case SQ_CODE_POSITION:
        return sq_run_value(r, x->arg[0], 0).integer;
    case SQ_CODE_SELECT:
        return sq_run_index(r, x->arg[sq_run_is_true(r, x->arg[0], 0) ? 1 : 2]);
    case SQ_CODE_AND:
    case SQ_CODE_OR:
        for (int i = 0; i < x->e->nargs; i++)
            if ((sq_run_index(r, x->arg[i]) != 0) == (x->e->op == SQ_CODE_OR))
                return x->e->op == SQ_CODE_OR;
        return x->e->op == SQ_CODE_AND;
    default:
        return binary_of(r, x);
    }
}

/* ---- elements ---- */

sq_cells *sq_run_elements(sq_cells *c, int64_t *i)
{
    if (!c->of)
        return c;
    *i += c->begin;
    return c->of;
}

const char *sq_run_place(run *r, const sq_cells *c, int64_t i)
{
    const char *text = "";
    for (int d = c->buffer->ndim - 1; d >= 0; d--) {
        int64_t n = c->extent[d] > 0 ? c->extent[d] : 1;
        text = sq_arena_printf(r->arena, "[%" PRId64 "]%s", d ? i % n : i, text);
        i /= n;
    }
    return sq_arena_printf(r->arena, "%s%s", c->buffer->name, text);
}

static const char *subscripts_text(run *r, const sq_cells *c, const int64_t *at)
{
    const char *text = c->buffer->name;
    for (int d = 0; d < c->buffer->ndim; d++)
        text = sq_arena_printf(r->arena, "%s[%" PRId64 "]", text, at[d]);
    return text;
}

/* A lane beyond the end of a dimension of constant extent carries into the dimension before. */
static void carry(const sq_cells *c, int d, int64_t *at)
{
    int64_t n;
    if (!c->of && c->buffer->extent && sq_code_known(c->buffer->extent[d], &n) && n > 0) {
        at[d - 1] += at[d] / n;
        at[d] %= n;
    }
}

int64_t sq_run_element(run *r, sq_cells *c, linked *const *index, int64_t lane, const char *what,
                       int64_t *at)
{
    int64_t i = 0;
    int n = c->buffer->ndim;
    bool inside = n <= SQ_RUN_SUBSCRIPTS;
    for (int d = 0; d < n && inside; d++)
        at[d] = sq_run_index(r, index[d]) + (d == n - 1 ? lane : 0);
    for (int d = n - 1; d > 0 && inside && lane; d--)
        carry(c, d, at);
    if (c->of) {
        i = at[0];
        const sq_cells *of = sq_run_elements(c, &i);
        inside = i >= 0 && i < of->count;
    }
    for (int d = 0; d < n && inside && !c->of; d++) {
        inside = at[d] >= 0 && at[d] < c->extent[d];
        i = i * c->extent[d] + at[d];
    }
    if (!inside)
        sq_run_fail(r, "%s %s, which is outside of it", what, subscripts_text(r, c, at));
    return inside && !r->wrong ? i : -1;
}

/* Returns element i. Panels have lanes that no copy fills: results computed from them must not be
 * stored to memory. */
static sq_number element(run *r, const sq_cells *c, int64_t i)
{
    const sq_unknown own = {c, i},
                     *from = c->unknown && c->unknown[i].cells ? &c->unknown[i] : &own;
    if (c->touched)
        sq_run_touch(r, c, i, false);
    if (c->defined[i])
        return c->at[i];
    if (from == &own && c->buffer->storage != SQ_CODE_PANEL)
        sq_run_fail(r, "a load of %s, which was never written", sq_run_place(r, c, i));
    if (!r->unknown.cells)
        r->unknown = *from;
    return c->at[i];
}

/* Returns the element in memory at `lane` elements behind the subscripts. */
static sq_number element_at(run *r, const linked *x, int64_t lane)
{
    int64_t at[SQ_RUN_SUBSCRIPTS], i = sq_run_element(r, x->cells, x->arg, lane, "a load of", at);
    return i < 0 ? (sq_number){0} : element(r, x->cells->of ? x->cells->of : x->cells, i);
}

static sq_number load(run *r, const linked *x, int lane)
{
    int64_t at[SQ_RUN_SUBSCRIPTS], i;
    if (x->cells->buffer->storage != SQ_CODE_REGISTER)
        return element_at(r, x, 0);
    i = sq_run_element(r, x->cells, x->arg, 0, "a load of", at);
    return i < 0 ? (sq_number){0} : element(r, x->cells, i * x->cells->lanes + (x->cells->lanes > 1 ? lane : 0));
}

static sq_number load_lane(run *r, const linked *x, int lane)
{
    linked *step = x->arg[x->e->buffer->ndim],
           *left = sq_code_lanes_left(x->e) ? x->arg[x->e->buffer->ndim + 1] : NULL;
    if (left && lane >= sq_run_index(r, left))
        return (sq_number){0};
    return element_at(r, x, lane * sq_run_index(r, step));
}

/* ---- values ---- */

static sq_number load_where(run *r, const linked *x, int lane)
{
    bool loads = sq_run_value(r, x->arg[x->e->buffer->ndim], lane).integer != 0;
    return loads ? element_at(r, x, lane) : (sq_number){0};
}

static sq_number load_words(run *r, const linked *x, int lane)
{
    int bits = 8 * sq_type_bytes(x->e->buffer->type), parts = 32 / bits;
    uint32_t word = 0;
    if (x->arg[1] && lane >= sq_run_index(r, x->arg[1]))
        return (sq_number){0};
    for (int p = 0; p < parts; p++) {
        uint32_t part = (uint32_t)element_at(r, x, lane * parts + p).integer;
        word |= (part & ((1u << bits) - 1)) << p * bits;
    }
    return (sq_number){.integer = (int32_t)word};
}

static sq_number word_of_lanes(run *r, const linked *x, int lane)
{
    int parts = x->arg[0]->e->lanes / x->e->lanes, bits = 32 / parts;
    uint32_t word = 0;
    for (int i = 0; i < parts; i++) {
        uint32_t part = (uint32_t)sq_run_value(r, x->arg[0], parts * lane + i).integer;
        word |= (part & (UINT32_MAX >> (32 - bits))) << i * bits;
    }
    return (sq_number){.integer = (int32_t)word};
}

bool sq_run_is_true(run *r, const linked *x, int lane)
{
    if (sq_code_is_index(x->e))
        return sq_run_index(r, x) != 0;
    return sq_number_is_true(x->e->type, sq_run_value(r, x, lane));
}

static sq_number evaluated(run *r, sq_op op, sq_type type, sq_type from, const sq_number *arg)
{
    sq_number to = {0};
    if (r->wrong)
        return to;
    const char *wrong = sq_op_evaluate(op, type, from, arg, &to);
    if (wrong)
        sq_run_fail(r, "%s", wrong);
    return to;
}

static sq_number operation(run *r, const linked *x, int lane)
{
    const sq_code_expr *e = x->e;
    sq_number arg[2] = {{0, 0}, {0, 0}}, to;
    if (e->operation == SQ_OP_AND || e->operation == SQ_OP_OR) {
        bool first = sq_run_is_true(r, x->arg[0], lane), more = first == (e->operation == SQ_OP_AND);
        to = (sq_number){.integer = more ? sq_run_is_true(r, x->arg[1], lane) : first};
    } else {
        for (int i = 0; i < e->nargs && i < 2; i++)
            arg[i] = sq_run_value(r, x->arg[i], lane);
        to = evaluated(r, e->operation, e->type, e->arg[0]->type, arg);
    }
    if (e->lanes > 1 && sq_op_is_condition(e->operation))
        to.integer = -(to.integer != 0); /* all bits set */
    return to;
}

static sq_number multiply_add(run *r, const linked *x, int lane)
{
    sq_type type = x->e->type;
    sq_number arg[] = {sq_run_value(r, x->arg[0], lane), sq_run_value(r, x->arg[1], lane)};
    arg[0] = evaluated(r, x->e->operation, type, type, arg);
    arg[1] = sq_run_value(r, x->arg[2], lane);
    return evaluated(r, x->e->number && lane % 2 == 0 ? SQ_OP_SUB : SQ_OP_ADD, type, type, arg);
}

static sq_number sum_of_lanes(run *r, const linked *x)
{
    sq_type type = x->e->type;
    sq_number arg[] = {sq_run_value(r, x->arg[0], 0), {0, 0}};
    for (int l = 1; l < x->arg[0]->e->lanes; l++) {
        arg[1] = sq_run_value(r, x->arg[0], l);
        arg[0] = evaluated(r, SQ_OP_ADD, type, type, arg);
    }
    return arg[0];
}

sq_number sq_run_value(run *r, const linked *x, int lane)
{
    sq_number n = {0};
    switch (x->e->op) {
    case SQ_CODE_CONSTANT:
        return (sq_number){x->e->real, x->e->number};
    case SQ_CODE_SCALAR:
        return x->scalar;
    case SQ_CODE_LOAD:
        return load(r, x, lane);
    case SQ_CODE_LOAD_LANES:
        return load_lane(r, x, lane);
    case SQ_CODE_LOAD_WHERE:
        return load_where(r, x, lane);
    case SQ_CODE_LOAD_WORDS:
        return load_words(r, x, lane);
    case SQ_CODE_INDEXED:
        return element_at(r, x, sq_run_value(r, x->arg[1], lane).integer);
    case SQ_CODE_OPERATION:
        return operation(r, x, lane);
    case SQ_CODE_FMA:
        return multiply_add(r, x, lane);
    case SQ_CODE_ZIP:
        lane += (int)x->e->number * x->e->lanes;
        return sq_run_value(r, x->arg[lane % x->e->nargs], lane / x->e->nargs);
    case SQ_CODE_SWIZZLE:
        return sq_run_value(r, x->arg[0], sq_code_swizzled(x->e->number, lane));
    case SQ_CODE_PAIRS:
        return word_of_lanes(r, x, lane);
    case SQ_CODE_BROADCAST:
        return sq_run_value(r, x->arg[0], 0);
    case SQ_CODE_VECTOR:
        return sq_run_value(r, x->arg[lane], 0);
    case SQ_CODE_ADD_LANES:
        return sum_of_lanes(r, x);
    case SQ_CODE_EXTRACT:
        return sq_run_value(r, x->arg[0], (int)x->e->number);
    case SQ_CODE_SELECT:
        if (!sq_code_is_index(x->e))
            return sq_run_value(r, x->arg[sq_run_is_true(r, x->arg[0], lane) ? 1 : 2], lane);
        return (sq_number){.integer = sq_run_index(r, x)};
    case SQ_CODE_COMMA:
        for (int i = 0; i < x->e->nargs; i++)
            n = sq_run_value(r, x->arg[i], lane);
        return n;
    default:
        return (sq_number){.integer = sq_run_index(r, x)};
    }
}
