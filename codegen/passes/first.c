/* First: what only the first iteration of a serial loop does runs before the loop, if what stands before it in the body
 * may as well run after it. Orders that are found put the beginning of a sum inside of the loop that adds to it, where
 * it keeps the loop from becoming vectors. */
#include "codegen/code/build.h"
#include "codegen/passes/overlap.h"
#include "codegen/passes/rows.h"

typedef struct firsts {
    const sq_pass_context *c;
    const sq_code *loop;
} firsts;

/* True for plain stores alone. */
static bool are_stores(const sq_code *x)
{
    for (; x; x = x->next)
        if (x->kind != SQ_CODE_STORE || x->lane_step || sq_code_is_pointer(x->buffer))
            return false;
    return true;
}

/* True if the statement does something in the first iteration alone. */
static bool is_first(const firsts *f, const sq_code *x)
{
    const sq_code_expr *at = sq_code_name(f->c->pool, f->loop->name);
    return x->kind == SQ_CODE_IF && !x->other && !x->part && are_stores(x->body) &&
           x->cond == sq_code_compare(f->c->pool, SQ_CODE_EQ, at, f->loop->lo);
}

static bool reads(const firsts *f, const sq_code_expr *e, const sq_code_buffer *b)
{
    if (!e)
        return false;
    bool found = e->buffer && (e->buffer == b || sq_pass_may_overlap(f->c, e->buffer, b));
    for (int i = 0; i < e->nargs && !found; i++)
        found = reads(f, e->arg[i], b);
    return found;
}

static bool store_reads(const firsts *f, const sq_code *x, const sq_code_buffer *b)
{
    bool found = reads(f, x->value, b) || reads(f, x->cond, b);
    for (int d = 0; d < x->buffer->ndim && !found; d++)
        found = reads(f, x->index[d], b);
    return found;
}

/* True if two stores may change their places. */
static bool commute(const firsts *f, const sq_code *a, const sq_code *b)
{
    return a->buffer != b->buffer && !sq_pass_may_overlap(f->c, a->buffer, b->buffer) &&
           !store_reads(f, a, b->buffer) && !store_reads(f, b, a->buffer);
}

/* True if the statement may run before those in front of it. */
static bool may_lead(const firsts *f, const sq_code *first)
{
    for (const sq_code *a = f->loop->body; a != first; a = a->next) {
        if (a->kind != SQ_CODE_STORE || a->lane_step || sq_code_is_pointer(a->buffer))
            return false;
        for (const sq_code *b = first->body; b; b = b->next)
            if (!commute(f, a, b))
                return false;
    }
    return true;
}

/* Returns the stores with the loop's variable at its beginning. */
static sq_code *at_begin(const firsts *f, const sq_code *x)
{
    sq_code_list all = {0};
    for (; x; x = x->next)
        sq_code_append(&all, sq_code_store_with(f->c->pool, x, f->loop->name, f->loop->lo));
    return all.first;
}

/* Takes such statements out of a loop; returns them. */
static sq_code *taken_out(const sq_pass_context *c, sq_code *loop)
{
    const firsts f = {c, loop};
    sq_code_list all = {0};
    for (sq_code **at = &loop->body; *at;) {
        sq_code *x = *at;
        if (!is_first(&f, x) || !may_lead(&f, x)) {
            at = &x->next;
            continue;
        }
        sq_code_append(&all, at_begin(&f, x->body));
        *at = x->next;
    }
    return all.first;
}

sq_code *sq_pass_first(const sq_pass_context *c, sq_code *x)
{
    for (sq_code **at = &x; *at; at = &(*at)->next) {
        sq_code *s = *at;
        bool serial = s->kind == SQ_CODE_LOOP && s->runs == SQ_CODE_SERIAL && s->lo && s->hi &&
                      !c->target->grid;
        s->body = sq_pass_first(c, s->body);
        s->other = sq_pass_first(c, s->other);
        sq_code *first = serial ? taken_out(c, s) : NULL;
        if (!first)
            continue;
        const sq_code_expr *any = sq_code_compare(c->pool, SQ_CODE_LT, s->lo, s->hi);
        *at = sq_code_guarded(c->pool, any, first);
        (*at)->next = s;
        at = &(*at)->next;
    }
    return x;
}
