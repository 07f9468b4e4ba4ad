/* Widen, nests: a loop around serial ones, whose own iterations do not depend on each other (SQ_JAM_ALL), such as
 * recurrences down the columns of an image. Its iterations are the lanes, also inside of the loops in it; scalars that
 * the body declares are vectors. An iteration of a recurrence waits for the one before, so that several vectors run
 * side by side. See widen.h. */
#include "codegen/passes/widen.h"
#include "ir/schedule/tree.h"

enum { FEW = 8 }; /* iterations that are written out */

static bool is_serial_in(const sq_code *loop, const sq_code *x)
{
    return x->kind == SQ_CODE_LOOP && x->runs == SQ_CODE_SERIAL && x->is_scalar && x->hi && !x->cond &&
           !sq_code_mentions(x->lo, loop->name) && !sq_code_mentions(x->hi, loop->name);
}

bool sq_widen_is_nest(const sq_code *loop)
{
    int loops = 0;
    for (const sq_code *x = loop->body; x; x = x->next) {
        if (x->kind == SQ_CODE_LOOP && !is_serial_in(loop, x))
            return false;
        loops += x->kind == SQ_CODE_LOOP;
    }
    return loops > 0 && loop->jam == SQ_JAM_ALL && loop->hi;
}

void sq_widen_begin_nest(sq_widen *w)
{
    w->each = w->lanes;
    for (sq_widen_store *s = w->store; s < w->store + w->nstores; s++) {
        if (s->kind != SQ_WIDEN_VALUE)
            continue;
        s->chain[0] = s->now;
        for (int k = 1; k < SQ_WIDEN_NEST; k++) {
            const char *name = sq_arena_printf(w->pool->arena, "%s_%d", s->now->name + 1, k);
            const sq_widen_store *same = w->store;
            while (same->place != s->place)
                same++;
            s->chain[k] = same < s ? same->chain[k] : sq_widen_register(w, name, s->place->type);
        }
    }
}

/* Values are those of vector k from here on. */
static void take_chain(sq_widen *w, int k)
{
    w->ahead = (int64_t)k * w->lanes;
    for (sq_widen_store *s = w->store; s < w->store + w->nstores; s++)
        if (s->kind == SQ_WIDEN_VALUE)
            s->now = s->chain[k];
    sq_widen_forget(w, NULL);
}

static void declare(const sq_widen *w, const sq_code_buffer *b, int chains)
{
    for (const sq_widen_store *s = w->store; s < w->store + w->nstores; s++)
        if (s->x->buffer == b) {
            for (int k = 0; k < chains; k++)
                sq_code_append(w->to, sq_code_declare(w->pool, s->chain[k], false));
            return;
        }
}

/* Appends n stores, from *s on, of each vector. */
static bool append_stores(sq_widen *w, const sq_widen_store *s, int n, int chains, sq_widen_plain *plain)
{
    for (int k = 0; k < chains; k++) {
        take_chain(w, k);
        for (int i = 0; i < n; i++) {
            sq_code *x = plain(w, s + i);
            if (!x)
                return false;
            sq_code_append(w->to, x);
            sq_widen_forget(w, s[i].place);
        }
    }
    return true;
}

static bool append_list(sq_widen *w, const sq_code *x, int chains, sq_widen_plain *plain, int *done);

static bool append_loop(sq_widen *w, const sq_code *x, int chains, sq_widen_plain *plain, int *done)
{
    sq_code_list inside = {0}, *outer = w->to;
    w->to = &inside;
    bool fine = append_list(w, x->body, chains, plain, done);
    w->to = outer;
    sq_code *loop = sq_code_copy(w->pool, x);
    loop->body = inside.first;
    loop->is_scalar = false;
    int64_t n = sq_code_iterations(x);
    if (n > 0 && n <= FEW)
        loop->runs = SQ_CODE_UNROLLED;
    loop->next = NULL;
    sq_code_append(w->to, loop);
    return fine;
}

/* *done: the stores so far, in the order of the text. */
static bool append_list(sq_widen *w, const sq_code *x, int chains, sq_widen_plain *plain, int *done)
{
    bool fine = true;
    while (x && fine) {
        int n = 0;
        for (; x && x->kind == SQ_CODE_STORE; x = x->next)
            n++;
        if (n) {
            fine = append_stores(w, w->store + *done, n, chains, plain);
            *done += n;
            continue;
        }
        if (x->kind == SQ_CODE_LOOP)
            fine = append_loop(w, x, chains, plain, done);
        else if (x->kind == SQ_CODE_DECLARE)
            declare(w, x->buffer, chains);
        x = x->next;
    }
    return fine;
}

sq_code *sq_widen_nest(sq_widen *w, int chains, sq_widen_plain *plain)
{
    sq_code_list all = {0};
    int done = 0;
    w->to = &all;
    bool fine = append_list(w, w->loop->body, chains, plain, &done);
    take_chain(w, 0);
    return fine ? all.first : NULL;
}
