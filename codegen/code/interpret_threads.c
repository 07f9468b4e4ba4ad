/* Interpret, threads: see interpret_threads.h. */
#include "codegen/code/interpret_threads.h"
#include "support/integer.h"
#include "support/memory.h"
#include <stdlib.h>
#include <string.h>

typedef sq_linked_step step;
typedef sq_interpretation run;
typedef struct sq_run_block block;

/* ---- frames ---- */

static char *frame_of(const block *b, int thread)
{
    return b->saved + (size_t)thread * b->frame->used;
}

void sq_run_enter(run *r, int thread)
{
    r->block->thread = thread;
    memcpy(r->block->frame->at, frame_of(r->block, thread), r->block->frame->used);
}

void sq_run_leave(run *r)
{
    memcpy(frame_of(r->block, r->block->thread), r->block->frame->at, r->block->frame->used);
}

/* Calls a function in each of the threads, in the order of the run. */
static void in_each(run *r, const bool *threads, void (*call)(run *r, const step *s, bool *holds), const step *s,
                    bool *holds)
{
    int n = r->block->n;
    for (int i = 0; i < n && !r->wrong; i++) {
        int turn = r->o.order == SQ_INTERPRET_WRITTEN    ? i
                   : r->o.order == SQ_INTERPRET_REVERSED ? n - 1 - i
                                                         : (i * r->stride + r->first) % n;
        if (!threads[turn])
            continue;
        sq_run_enter(r, turn);
        call(r, s, holds ? &holds[turn] : NULL);
        sq_run_leave(r);
    }
}

static bool any(const run *r, const bool *threads)
{
    bool found = false;
    for (int i = 0; i < r->block->n; i++)
        found |= threads[i];
    return found;
}

static bool all(const run *r, const bool *threads, int first, int n)
{
    bool every = first + n <= r->block->n;
    for (int i = 0; i < n && every; i++)
        every = threads[first + i];
    return every;
}

/* ---- statements ---- */

static void together(run *r, const step *s, const bool *threads);

/* Runs the statements up to the next one at which threads meet. */
static void alone(run *r, const step *s, bool *holds)
{
    (void)holds;
    for (; s && !s->meets && !r->wrong; s = s->next)
        sq_run_one(r, s);
}

static void start(run *r, const step *s, bool *holds)
{
    *holds = true;
    if (s->lo)
        *s->variable = sq_run_index(r, s->lo);
}

static void ask(run *r, const step *s, bool *holds)
{
    *holds = *holds && (s->hi ? *s->variable < sq_run_index(r, s->hi) : sq_run_is_true(r, s->cond, 0));
}

static void advance(run *r, const step *s, bool *holds)
{
    (void)r, (void)holds;
    if (s->variable)
        *s->variable += s->x->step;
}

/* Runs a loop in which threads meet; one whose iterations have ended waits behind it. */
static void loop_together(run *r, const step *s, const bool *threads)
{
    bool *runs = SQ_NEW_ARRAY(r->arena, bool, r->block->n);
    in_each(r, threads, start, s, runs);
    for (;;) {
        in_each(r, threads, ask, s, runs);
        if (r->wrong || !any(r, runs))
            return;
        together(r, s->body, runs);
        in_each(r, runs, advance, s, NULL);
    }
}

static void if_together(run *r, const step *s, const bool *threads)
{
    bool *runs = SQ_NEW_ARRAY(r->arena, bool, r->block->n);
    memcpy(runs, threads, (size_t)r->block->n * sizeof *runs);
    in_each(r, threads, ask, s, runs);
    if (any(r, runs))
        together(r, s->body, runs);
    for (int i = 0; i < r->block->n; i++)
        runs[i] = threads[i] && !runs[i];
    if (any(r, runs))
        together(r, s->other, runs);
}

static void instruct_together(run *r, const step *s, const bool *threads)
{
    bool is_group = s->x->instruction->row == SQ_INSTRUCTION_WGMMA;
    int many = is_group ? 4 * SQ_RUN_WARP : SQ_RUN_WARP;
    if (s->x->instruction->row == SQ_INSTRUCTION_BARRIER) {
        if (!all(r, threads, 0, r->block->n))
            sq_run_fail(r, "a barrier that not all threads of the block reach");
        r->barriers++;
        return;
    }
    for (int first = 0; first < r->block->n && !r->wrong; first += many) {
        bool some = false;
        for (int i = first; i < first + many && i < r->block->n; i++)
            some |= threads[i];
        if (some && !all(r, threads, first, many))
            sq_run_fail(r, "an instruction of a warp that not all of its lanes execute");
        else if (some)
            sq_run_warp(r, s, first);
    }
}

static void meet(run *r, const step *s, const bool *threads)
{
    switch (s->x->kind) {
    case SQ_CODE_INSTRUCTION:
        instruct_together(r, s, threads);
        break;
    case SQ_CODE_DECLARE: /* once for all threads */
        sq_run_one(r, s);
        break;
    case SQ_CODE_LOOP:
        loop_together(r, s, threads);
        break;
    case SQ_CODE_IF:
        if_together(r, s, threads);
        break;
    default:
        together(r, s->body, threads);
    }
}

static void together(run *r, const step *s, const bool *threads)
{
    while (s && !r->wrong) {
        r->at = s;
        if (s->meets) {
            meet(r, s, threads);
            s = s->next;
            continue;
        }
        in_each(r, threads, alone, s, NULL);
        while (s && !s->meets)
            s = s->next;
    }
}

static void number(run *r, const step *s, bool *holds)
{
    *s->variable = r->block->thread;
    *holds = true;
}

void sq_run_threads(run *r, const step *s)
{
    sq_arena *arena = r->arena, *own = sq_arena_new();
    int n = (int)sq_run_index(r, s->hi);
    block b = {.n = n, .frame = s->frame, .saved = sq_allocated(calloc((size_t)n, s->frame->used + 1))};
    bool *threads = SQ_NEW_ARRAY(own, bool, n);
    for (int i = 0; i < n; i++) {
        threads[i] = true;
        memcpy(frame_of(&b, i), b.frame->at, b.frame->used);
    }
    r->arena = own; /* a message is copied below */
    b.copies = SQ_NEW_ARRAY(own, sq_on_its_way *, n);
    b.group = SQ_NEW_ARRAY(own, int64_t, n);
    r->block = &b;
    r->barriers++; /* before it nothing was touched, not even by another block */
    r->first = (int)sq_rng_below(&r->rng, (size_t)n);
    for (r->stride = n / 3 + 1; sq_gcd(r->stride, n) != 1;)
        r->stride++;
    in_each(r, threads, number, s, threads);
    together(r, s->body, threads);
    r->block = NULL;
    r->arena = arena;
    r->wrong = r->wrong ? sq_arena_strdup(arena, r->wrong) : NULL;
    free(b.saved);
    sq_arena_free(own);
}

/* ---- races ---- */

void sq_run_touch(run *r, const sq_cells *c, int64_t i, bool writes)
{
    sq_touched *t = &c->touched[i];
    int own = r->block->thread;
    bool written = t->written == r->barriers && t->writer != own, read = t->read == r->barriers && t->reader != own;
    if (written || (writes && read))
        sq_run_fail(r, "threads %s %s without a barrier between them", writes && written ? "write" : "read and write",
                    sq_run_place(r, c, i));
    if (writes)
        t->writer = own, t->written = r->barriers;
    else
        t->reader = read ? SQ_RUN_MANY : own, t->read = r->barriers;
}

/* ---- operands ---- */

bool sq_run_meets(const sq_code_instruction *x)
{
    return x->row == SQ_INSTRUCTION_BARRIER || x->row == SQ_INSTRUCTION_SHUFFLE || x->row == SQ_INSTRUCTION_LDMATRIX ||
           x->row == SQ_INSTRUCTION_MMA || x->row == SQ_INSTRUCTION_WGMMA;
}

/* Returns the number of a register among the cells of its buffer; -1 where there is none. */
static int64_t register_at(run *r, const step *s, int o, int64_t element)
{
    const sq_code_operand *x = &s->x->instruction->operand[o];
    const sq_cells *c = s->of[o];
    int64_t at = (x->at ? sq_run_index(r, s->at[o]) : 0) + element;
    at = at * c->lanes + x->lane;
    if (at < 0 || at >= c->count)
        sq_run_fail(r, "%s has no register %lld", c->buffer->name, (long long)at);
    return r->wrong ? -1 : at;
}

sq_number sq_run_read(run *r, const step *s, int o, int64_t element)
{
    int64_t at = register_at(r, s, o, element);
    if (at >= 0 && !s->of[o]->defined[at])
        sq_run_fail(r, "%s is read by an instruction and was never written", s->of[o]->buffer->name);
    return at < 0 ? (sq_number){0} : s->of[o]->at[at];
}

void sq_run_write(run *r, const step *s, int o, int64_t element, sq_number value)
{
    int64_t at = register_at(r, s, o, element);
    if (at < 0)
        return;
    s->of[o]->at[at] = value;
    s->of[o]->defined[at] = true;
    s->of[o]->unknown[at] = (sq_unknown){0};
}

sq_cells *sq_run_address(run *r, const step *s, int o, int64_t n, int64_t *at)
{
    *at = sq_run_index(r, s->at[o]);
    sq_cells *c = sq_run_elements(s->of[o], at);
    if (*at < 0 || *at + n > c->count) {
        sq_run_fail(r, "an instruction accesses element %lld of %s, which is outside of it", (long long)*at,
                    c->buffer->name);
        return NULL;
    }
    return c;
}
