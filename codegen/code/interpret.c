/* Interpret: see interpret.h. */
#include "codegen/code/interpret_inside.h"
#include "ir/evaluate.h"
#include "support/stats.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

typedef sq_linked linked;
typedef sq_step step;

typedef struct run {
    sq_interpret_options o;
    int64_t left; /* of what may run */
    sq_rng rng;
    const step *at; /* in hand */
    const char *wrong;
    sq_arena *arena;
} run;

/* ---- errors ---- */

static void put_variables(const sq_defined *d, sq_text *to)
{
    if (!d)
        return;
    put_variables(d->before, to);
    if (d->name)
        sq_text_printf(to, "%s%s = %" PRId64, to->n ? ", " : " at ", d->name, *d->variable);
}

/* The first thing that is wrong stays: "S1: store to C[3][8]: outside of it at i = 3, j = 8". */
static void fail(run *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fail(run *r, const char *format, ...)
{
    sq_text where = {0};
    va_list args;
    if (r->wrong)
        return;
    const char *stmt = r->at && r->at->x->stmt ? r->at->x->stmt->name : NULL;
    put_variables(r->at ? r->at->around : NULL, &where);
    va_start(args, format);
    r->wrong = sq_arena_printf(r->arena, "%s%s%s%s", stmt ? stmt : "", stmt ? ": " : "",
                               sq_arena_vprintf(r->arena, format, args), sq_text_str(&where));
    va_end(args);
    sq_text_free(&where);
}

/* True while there is something to be done. */
static bool goes_on(run *r)
{
    if (r->left-- <= 0)
        fail(r, "more than %" PRId64 " statements and iterations", r->o.most);
    return !r->wrong;
}

/* ---- index expressions ---- */

static int64_t index_of(run *r, const linked *x);

static int64_t sum_of(run *r, const linked *x)
{
    int64_t sum = x->e->number, term;
    bool over = false;
    for (int i = 0; i < x->e->nargs; i++) {
        over |= __builtin_mul_overflow(x->e->coef[i], index_of(r, x->arg[i]), &term);
        over |= __builtin_add_overflow(sum, term, &sum);
    }
    if (over)
        fail(r, "an index expression overflows");
    return sum;
}

static int64_t quotient_of(run *r, sq_code_op op, int64_t a, int64_t b)
{
    if (b == 0 || (a == INT64_MIN && b == -1)) {
        fail(r, "an index expression divides %" PRId64 " by %" PRId64, a, b);
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

/* Of two arguments, both evaluated. */
static int64_t binary_of(run *r, const linked *x)
{
    int64_t a = index_of(r, x->arg[0]), b = index_of(r, x->arg[1]), product;
    switch (x->e->op) {
    case SQ_CODE_MUL:
        if (__builtin_mul_overflow(a, b, &product))
            fail(r, "an index expression overflows");
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

static bool is_true(run *r, const linked *x);

static int64_t index_of(run *r, const linked *x)
{
    switch (x->e->op) {
    case SQ_CODE_NUMBER:
        return x->e->number;
    case SQ_CODE_NAME:
        return *x->variable;
    case SQ_CODE_SUM:
        return sum_of(r, x);
    case SQ_CODE_SELECT:
        return index_of(r, x->arg[is_true(r, x->arg[0]) ? 1 : 2]);
    case SQ_CODE_AND:
    case SQ_CODE_OR:
        for (int i = 0; i < x->e->nargs; i++)
            if ((index_of(r, x->arg[i]) != 0) == (x->e->op == SQ_CODE_OR))
                return x->e->op == SQ_CODE_OR;
        return x->e->op == SQ_CODE_AND;
    default:
        return binary_of(r, x);
    }
}

/* ---- values ---- */

static const char *place_text(run *r, const sq_code_buffer *b, const int64_t *at)
{
    const char *text = b->name;
    for (int d = 0; d < b->ndim; d++)
        text = sq_arena_printf(r->arena, "%s[%" PRId64 "]", text, at[d]);
    return text;
}

enum { MOST_SUBSCRIPTS = 32 };

/* The subscripts, and the number of the element; -1 where there is none. */
static int64_t element_of(run *r, const sq_cells *c, linked *const *index, const char *what,
                          int64_t *at)
{
    int64_t i = 0;
    bool inside = c->buffer->ndim <= MOST_SUBSCRIPTS;
    for (int d = 0; d < c->buffer->ndim && inside; d++)
        at[d] = index_of(r, index[d]);
    for (int d = 0; d < c->buffer->ndim && inside; d++) {
        inside = at[d] >= 0 && at[d] < c->extent[d];
        i = i * c->extent[d] + at[d];
    }
    if (!inside)
        fail(r, "%s %s, which is outside of it", what, place_text(r, c->buffer, at));
    return inside && !r->wrong ? i : -1;
}

static sq_number load(run *r, const linked *x)
{
    const sq_cells *c = x->cells;
    int64_t at[MOST_SUBSCRIPTS], i = element_of(r, c, x->arg, "a load of", at);
    if (i < 0)
        return (sq_number){0};
    if (!c->defined[i])
        fail(r, "a load of %s, which was never written", place_text(r, c->buffer, at));
    return c->at[i];
}

static sq_number value_of(run *r, const linked *x);

static bool is_true(run *r, const linked *x)
{
    if (sq_code_is_index(x->e))
        return index_of(r, x) != 0;
    return sq_number_is_true(x->e->type, value_of(r, x));
}

static sq_number operation(run *r, const linked *x)
{
    const sq_code_expr *e = x->e;
    sq_number arg[2] = {{0, 0}, {0, 0}}, to = {0};
    if (e->operation == SQ_OP_AND)
        return (sq_number){.integer = is_true(r, x->arg[0]) && is_true(r, x->arg[1])};
    if (e->operation == SQ_OP_OR)
        return (sq_number){.integer = is_true(r, x->arg[0]) || is_true(r, x->arg[1])};
    for (int i = 0; i < e->nargs && i < 2; i++)
        arg[i] = value_of(r, x->arg[i]);
    if (r->wrong)
        return to;
    const char *wrong = sq_op_evaluate(e->operation, e->type, e->arg[0]->type, arg, &to);
    if (wrong)
        fail(r, "%s", wrong);
    return to;
}

static sq_number value_of(run *r, const linked *x)
{
    sq_number n = {0};
    switch (x->e->op) {
    case SQ_CODE_CONSTANT:
        return (sq_number){x->e->real, x->e->number};
    case SQ_CODE_SCALAR:
        return x->scalar;
    case SQ_CODE_LOAD:
        return load(r, x);
    case SQ_CODE_OPERATION:
        return operation(r, x);
    case SQ_CODE_SELECT:
        if (!sq_code_is_index(x->e))
            return value_of(r, x->arg[is_true(r, x->arg[0]) ? 1 : 2]);
        return (sq_number){.integer = index_of(r, x)};
    case SQ_CODE_COMMA:
        for (int i = 0; i < x->e->nargs; i++)
            n = value_of(r, x->arg[i]);
        return n;
    default:
        return (sq_number){.integer = index_of(r, x)};
    }
}

/* ---- statements ---- */

static void run_list(run *r, const step *s);

static void iterate(run *r, const step *s, int64_t i)
{
    *s->variable = i;
    run_list(r, s->body);
}

static bool is_below_end(run *r, const step *s, int64_t i)
{
    *s->variable = i;
    return s->hi ? i < index_of(r, s->hi) : index_of(r, s->cond) != 0;
}

static void shuffle(run *r, int64_t *at, int64_t n)
{
    for (int64_t i = n - 1; i > 0; i--) {
        int64_t j = (int64_t)sq_rng_below(&r->rng, (size_t)i + 1), other = at[i];
        at[i] = at[j];
        at[j] = other;
    }
}

/* Iterations that may run in any order. */
static void run_unordered(run *r, const step *s, int64_t lo, int64_t hi)
{
    int64_t by = s->x->step, n = hi > lo ? (hi - lo + by - 1) / by : 0;
    if (n > r->left) {
        fail(r, "%" PRId64 " iterations of a loop, which are too many", n);
        return;
    }
    int64_t *at = malloc(((size_t)n + 1) * sizeof *at);
    if (!at)
        abort();
    for (int64_t i = 0; i < n; i++)
        at[r->o.order == SQ_INTERPRET_REVERSED ? n - 1 - i : i] = lo + i * by;
    if (r->o.order == SQ_INTERPRET_SHUFFLED)
        shuffle(r, at, n);
    for (int64_t i = 0; i < n && goes_on(r); i++)
        iterate(r, s, at[i]);
    free(at);
}

static void run_loop(run *r, const step *s)
{
    bool unordered = s->x->runs != SQ_CODE_SERIAL && s->x->runs != SQ_CODE_UNROLLED && s->hi &&
                     r->o.order != SQ_INTERPRET_WRITTEN;
    int64_t i = index_of(r, s->lo);
    *s->variable = i;
    if (s->x->step < 1) {
        fail(r, "a loop with the step %" PRId64, s->x->step);
    } else if (unordered) {
        run_unordered(r, s, i, index_of(r, s->hi));
    } else {
        for (; is_below_end(r, s, i) && goes_on(r); i += s->x->step) {
            iterate(r, s, i);
            r->at = s;
        }
    }
}

/* What a declaration makes is undefined, or 0. */
static void declare(const step *s)
{
    for (int64_t i = 0; i < s->cells->count; i++) {
        s->cells->at[i] = (sq_number){0};
        s->cells->defined[i] = s->x->zeroed;
    }
}

static void store(run *r, const step *s)
{
    if (s->cond && !is_true(r, s->cond))
        return;
    sq_number n = value_of(r, s->value);
    int64_t at[MOST_SUBSCRIPTS], i = element_of(r, s->cells, s->index, "a store to", at);
    if (i < 0)
        return;
    s->cells->at[i] = n;
    s->cells->defined[i] = true;
}

static void run_one(run *r, const step *s)
{
    switch (s->x->kind) {
    case SQ_CODE_LOOP:
        run_loop(r, s);
        break;
    case SQ_CODE_IF:
        run_list(r, is_true(r, s->cond) ? s->body : s->other);
        break;
    case SQ_CODE_LET:
        *s->variable = index_of(r, s->value);
        break;
    case SQ_CODE_DECLARE:
        declare(s);
        break;
    case SQ_CODE_STORE:
        store(r, s);
        break;
    case SQ_CODE_BLOCK:
        run_list(r, s->body);
        break;
    case SQ_CODE_UNUSED:
    case SQ_CODE_FRESH:
        break;
    case SQ_CODE_VARIABLE:
    case SQ_CODE_ASSIGN:
    case SQ_CODE_POINTER:
    case SQ_CODE_ADVANCE:
        fail(r, "a statement of register tiles, which are not interpreted");
    }
}

static void run_list(run *r, const step *s)
{
    for (; s && !r->wrong; s = s->next) {
        r->at = s;
        if (goes_on(r))
            run_one(r, s);
    }
}

const char *sq_code_interpret(const sq_code *x, sq_image *m, const sq_interpret_options *o,
                              sq_arena *arena)
{
    enum { MOST = 10000000 };
    run r = {.o = *o, .rng = {o->seed}, .arena = arena};
    sq_arena *own = sq_arena_new();
    const char *why;
    r.o.most = r.left = o->most ? o->most : MOST;
    step *s = sq_interpret_link(x, m, own, &why);
    if (why)
        r.wrong = sq_arena_strdup(arena, why);
    else
        run_list(&r, s);
    sq_arena_free(own);
    return r.wrong;
}
