/* Interpret: see interpret.h. */
#include "codegen/code/interpret_threads.h"
#include "ir/kernel/evaluate.h"
#include "support/memory.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

typedef sq_linked_step step;

typedef sq_interpretation run;

enum { MOST_LANES = 64 }; /* of a vector */

/* ---- errors ---- */

static void put_variables(const sq_defined *d, sq_text *to)
{
    if (!d)
        return;
    put_variables(d->before, to);
    if (d->name)
        sq_text_printf(to, "%s%s = %" PRId64, to->n ? ", " : " at ", d->name, *d->variable);
}

/* Appends the loops around calls, outermost first. */
static void put_callers(const sq_caller *c, sq_text *to)
{
    if (!c)
        return;
    put_callers(c->before, to);
    put_variables(c->call->around, to);
}

/* Records the first failure: "S1: store to C[3][8]: outside of it at i = 3, j = 8". */
void sq_run_fail(run *r, const char *format, ...)
{
    sq_text where = {0};
    va_list args;
    if (r->wrong)
        return;
    const char *stmt = r->at && r->at->x->stmt ? r->at->x->stmt->name : NULL;
    put_callers(r->caller, &where);
    put_variables(r->at ? r->at->around : NULL, &where);
    va_start(args, format);
    r->wrong = sq_arena_printf(r->arena, "%s%s%s%s", stmt ? stmt : "", stmt ? ": " : "",
                               sq_arena_vprintf(r->arena, format, args), sq_text_str(&where));
    va_end(args);
    sq_text_free(&where);
}

/* Fails since the limit on statements is exceeded. */
static void run_over(run *r)
{
    sq_run_fail(r, "more than %" PRId64 " statements and iterations", r->o.most);
    if (r->o.is_over)
        *r->o.is_over = true;
}

/* True if there was no failure and the limit is not exceeded. */
static bool goes_on(run *r)
{
    if (r->left-- <= 0 && !r->wrong)
        run_over(r);
    return !r->wrong;
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
    return s->hi ? i < sq_run_index(r, s->hi) : sq_run_index(r, s->cond) != 0;
}

static void shuffle(run *r, int64_t *at, int64_t n)
{
    for (int64_t i = n - 1; i > 0; i--) {
        int64_t j = (int64_t)sq_rng_below(&r->rng, (size_t)i + 1), other = at[i];
        at[i] = at[j];
        at[j] = other;
    }
}

/* Runs iterations that may run in any order. */
static void run_unordered(run *r, const step *s, int64_t lo, int64_t hi)
{
    int64_t by = s->x->step, n = hi > lo ? (hi - lo + by - 1) / by : 0;
    if (n > r->left) {
        run_over(r);
        return;
    }
    int64_t *at = sq_allocated(malloc(((size_t)n + 1) * sizeof *at));
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
    if (s->x->runs == SQ_CODE_BLOCK_THREADS) {
        sq_run_threads(r, s);
        return;
    }
    bool unordered = s->x->runs != SQ_CODE_SERIAL && s->x->runs != SQ_CODE_UNROLLED && s->hi &&
                     r->o.order != SQ_INTERPRET_WRITTEN;
    int64_t i = sq_run_index(r, s->lo);
    *s->variable = i;
    if (s->x->step < 1) {
        sq_run_fail(r, "a loop with the step %" PRId64, s->x->step);
    } else if (unordered) {
        run_unordered(r, s, i, sq_run_index(r, s->hi));
    } else {
        for (; is_below_end(r, s, i) && goes_on(r); i += s->x->step) {
            iterate(r, s, i);
            r->at = s;
        }
    }
}

/* Runs a loop over an existing variable, or over values that its body changes. */
static void run_while(run *r, const step *s)
{
    while (sq_run_index(r, s->cond) && goes_on(r)) {
        run_list(r, s->body);
        r->at = s;
        if (s->variable)
            *s->variable += s->x->step;
    }
}

/* Declares a buffer: its elements are undefined, or 0. */
static void declare(const step *s)
{
    for (int64_t i = 0; i < s->cells->count; i++) {
        s->cells->at[i] = (sq_number){0};
        s->cells->defined[i] = s->x->zeroed;
        if (s->cells->unknown)
            s->cells->unknown[i] = (sq_unknown){0};
    }
}

/* Writes element i. A value that was computed from unwritten elements is unknown in registers, copies and memory of
 * the function's own. */
static void write(run *r, sq_cells *c, int64_t i, sq_number n)
{
    if (r->unknown.cells && c->buffer->storage == SQ_CODE_MEMORY)
        sq_run_fail(r, "what is stored to %s comes from %s, which was never written",
                    sq_run_place(r, c, i), sq_run_place(r, r->unknown.cells, r->unknown.at));
    if (c->touched)
        sq_run_touch(r, c, i, true);
    c->at[i] = n;
    c->defined[i] = !r->unknown.cells;
    if (c->unknown)
        c->unknown[i] = r->unknown;
}

/* The lanes of a store. */
typedef struct stored {
    int lanes;
    sq_number n[MOST_LANES];
    sq_unknown unknown[MOST_LANES];
    bool stores[MOST_LANES]; /* the lane is stored, under a mask */
} stored;

/* Computes all lanes before any is stored, since they may depend on what the store changes. */
static void compute(run *r, const step *s, int64_t lanes, stored *to)
{
    to->lanes = lanes < MOST_LANES ? (int)lanes : MOST_LANES;
    if (lanes > MOST_LANES)
        sq_run_fail(r, "%s has more than %d lanes", s->cells->buffer->name, MOST_LANES);
    for (int l = 0; l < to->lanes; l++) {
        r->unknown = (sq_unknown){0};
        to->n[l] = sq_run_value(r, s->value, l);
        to->unknown[l] = r->unknown;
        to->stores[l] = s->cond && s->cond->e->lanes > 1 && sq_run_is_true(r, s->cond, l);
    }
}

static void store(run *r, const step *s)
{
    bool is_register = s->cells->buffer->storage == SQ_CODE_REGISTER;
    int64_t lanes = is_register ? s->cells->lanes : s->value->e->lanes, at[SQ_RUN_SUBSCRIPTS];
    stored x;
    bool masked = s->cond && s->cond->e->lanes > 1;
    if (s->cond && !masked && !sq_run_is_true(r, s->cond, 0))
        return;
    int64_t by = s->lane_step ? sq_run_index(r, s->lane_step) : 0;
    int64_t left = s->left ? sq_run_index(r, s->left) : lanes;
    compute(r, s, left < lanes ? left : lanes, &x);
    for (int l = 0; l < x.lanes && !r->wrong; l++) {
        if (masked && !x.stores[l])
            continue;
        int64_t i = sq_run_element(r, s->cells, s->index, l * by, "a store to", at);
        i = is_register && i >= 0 ? i * lanes + l : i;
        r->unknown = x.unknown[l];
        if (i >= 0 && !r->wrong)
            write(r, s->cells->of ? s->cells->of : s->cells, i, x.n[l]);
    }
}

static void point(run *r, const step *s)
{
    int64_t at = sq_run_index(r, s->value);
    s->cells->of = sq_run_elements(*s->of, &at);
    s->cells->begin = at;
}

/* Returns element `from` of an array, converted to the type of a copy. Unwritten elements may be
 * copied. */
static sq_number copied(run *r, const step *s, int64_t from)
{
    const sq_code_buffer *of = (*s->of)->buffer, *to = s->cells->buffer;
    sq_cells *c = sq_run_elements(*s->of, &from);
    if (from < 0 || from >= c->count) {
        sq_run_fail(r, "a copy of element %" PRId64 " of %s, which is outside of it", from,
                    c->buffer->name);
        return (sq_number){0};
    }
    sq_number n = c->at[from], element = n;
    if (!c->defined[from])
        r->unknown = (sq_unknown){c, from};
    else if (of->type != to->type)
        sq_op_evaluate(SQ_OP_CAST, to->type, of->type, &element, &n);
    return n;
}

/* Copies row `number`. */
static void copy_row(run *r, const step *s, int64_t number)
{
    const sq_code_run *how = s->x->run;
    int64_t row = sq_run_index(r, s->row), n = sq_run_index(r, s->n),
            subscript = sq_run_index(r, s->first),
            extent = s->extent ? sq_run_index(r, s->extent) : 0, at[SQ_RUN_SUBSCRIPTS];
    row += number ? number * sq_run_index(r, s->between) : 0;
    for (int64_t i = 0; i < n && goes_on(r); i++, subscript += how->stride) {
        int64_t to =
            sq_run_element(r, s->cells, s->index, number + i * how->step, "a copy to", at);
        bool has = !s->extent || (subscript >= 0 && subscript < extent);
        r->unknown = (sq_unknown){0};
        sq_number x = has ? copied(r, s, row + subscript) : how->outside;
        if (to >= 0 && !r->wrong)
            write(r, s->cells, to, x);
    }
}

static void copy(run *r, const step *s)
{
    int64_t rows = s->rows ? sq_run_index(r, s->rows) : 1;
    for (int64_t i = 0; i < rows && goes_on(r); i++)
        copy_row(r, s, i);
}

static void exchange(sq_cells *c, int64_t a, int64_t b)
{
    const sq_number at = c->at[a];
    const sq_unknown unknown = c->unknown[a];
    const bool is_defined = c->defined[a];
    c->at[a] = c->at[b];
    c->unknown[a] = c->unknown[b];
    c->defined[a] = c->defined[b];
    c->at[b] = at;
    c->unknown[b] = unknown;
    c->defined[b] = is_defined;
}

static void transpose(sq_cells *c)
{
    for (int i = 0; i < c->lanes; i++)
        for (int l = 0; l < i; l++)
            exchange(c, (int64_t)i * c->lanes + l, (int64_t)l * c->lanes + i);
}

static void call(run *r, const step *s)
{
    const sq_linked_part *p = s->part;
    const sq_code_part *part = p->part;
    const sq_caller own = {s, r->caller};
    for (int i = 0; i < part->nparams; i++)
        if (s->arg[i])
            *p->variable[i] = sq_run_index(r, s->arg[i]);
    for (int i = 0; i < part->npointers; i++) {
        int64_t at = sq_run_index(r, s->at[i]);
        p->pointer[i]->of = sq_run_elements(s->of[i], &at);
        p->pointer[i]->begin = at;
    }
    r->caller = &own;
    run_list(r, p->body);
    r->caller = own.before;
}

static void run_one(run *r, const step *s)
{
    switch (s->x->kind) {
    case SQ_CODE_LOOP:
        if (s->lo)
            run_loop(r, s);
        else
            run_while(r, s);
        break;
    case SQ_CODE_IF:
        run_list(r, sq_run_is_true(r, s->cond, 0) ? s->body : s->other);
        break;
    case SQ_CODE_LET:
    case SQ_CODE_VARIABLE:
    case SQ_CODE_ASSIGN:
        *s->variable = sq_run_index(r, s->value);
        break;
    case SQ_CODE_DECLARE:
        declare(s);
        break;
    case SQ_CODE_STORE:
        store(r, s);
        break;
    case SQ_CODE_POINTER:
        point(r, s);
        break;
    case SQ_CODE_ADVANCE:
        s->cells->begin += sq_run_index(r, s->value);
        break;
    case SQ_CODE_TRANSPOSE:
        transpose(s->cells);
        break;
    case SQ_CODE_COPY:
        copy(r, s);
        break;
    case SQ_CODE_CALL:
        call(r, s);
        break;
    case SQ_CODE_BLOCK:
        run_list(r, s->body);
        break;
    case SQ_CODE_INSTRUCTION:
        sq_run_instruction(r, s);
        break;
    case SQ_CODE_UNUSED:
    case SQ_CODE_FRESH:
    case SQ_CODE_COMMENT:
        break;
    }
}

void sq_run_one(run *r, const step *s)
{
    r->at = s;
    if (goes_on(r))
        run_one(r, s);
}

static void run_list(run *r, const step *s)
{
    for (; s && !r->wrong; s = s->next)
        sq_run_one(r, s);
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
