/* Draft, dot: sums of products of small integers become products of words (transforms/dot.h) where the target has
 * these: they are two to four times as many as of f32, for a pass over each factor that makes words of it. */
#include "codegen/isa/isa.h"
#include "ir/kernel/touch.h"
#include "transforms/dot.h"
#include "transforms/transform.h"
#include "tuner/model/draft.h"
#include <isl/aff.h>

/* Uses of a word that are worth the pass that makes it; with fewer than MOST_IN_PLACE it is read where it lies, if
 * it may be: sums along lanes reach half of the rate then (1024 x 1024 weights times 16 rows: 90 us in place of 164,
 * 32 rows 191 of 246, 64 rows 366 of 337; Sapphire Rapids, gcc 12.2). */
enum { LEAST_USES = 8, MOST_IN_PLACE = 48 };
/* Bytes of the shortest sum along lanes: blocks of 32 bytes that have a scale each, as the weights of language models
 * have (1376 rows of 16 blocks: 19 us in place of 62, avxvnni, and of 49, avx512vnni; Zen 5, gcc 12.2). */
enum { LEAST_BYTES = 32 };

/* How often each element of the factor is used. */
static double uses(const sq_dot_factor *f, const sq_shape *h)
{
    double n = 1;
    for (int d = 0; d < h->nfree; d++)
        n *= sq_access_moves(f->read, d) ? 1 : (double)h->extent[d];
    return n;
}

/* True if words are full enough, and used often enough, or there where they are used, and enough of them for each
 * sum: lanes lie along it. Marks the factors of which the last is true. */
static bool pays(sq_dot *x, const sq_shape *h)
{
    bool is_long = h->extent[x->dim] * 4 / x->parts >= LEAST_BYTES;
    bool all = 2 * h->extent[x->dim] > x->parts || h->extent[x->dim] == 2;
    for (int f = 0; f < 2 && all; f++) {
        double n = uses(&x->factor[f], h);
        x->factor[f].in_place = is_long && n < MOST_IN_PLACE && !sq_dot_refuses_place(x, f);
        all = x->factor[f].in_place || n >= LEAST_USES;
    }
    return all;
}

/* The call for the dimension along which words of the statement's factors are worth making; NULL: there is none. */
static const char *call_for(const sq_kernel *k, const sq_stmt *s, const sq_target *t, const int64_t *sizes, sq_arena *a)
{
    sq_shape h;
    sq_dot x;
    bool known = false;
    for (int d = s->nfree; d < s->ndim; d++) {
        if (sq_dot_find(k, s, d, &x) || !(t->isa->dots & (unsigned)x.parts))
            continue;
        if (!known)
            sq_shape_of(k, sq_group_new(k, s, a), sizes, a, &h);
        known = true;
        if (!pays(&x, &h))
            continue;
        const char *call = sq_arena_printf(a, "dot(%s, %s", s->name, s->dim[d]);
        for (int f = 0; f < 2; f++)
            if (x.factor[f].in_place)
                call = sq_arena_printf(a, "%s, %s", call, x.factor[f].read->array->name);
        return sq_arena_printf(a, "%s) ", call);
    }
    return NULL;
}

void sq_draft_dot(sq_schedule *s, const sq_target *t, const int64_t *sizes, sq_arena *a, sq_text *script)
{
    const sq_kernel *k = s->kernel;
    for (int i = 0; k->deps && t->isa->dots && i < k->nstmts; i++) {
        const sq_stmt *of = k->stmt[i];
        const char *call = of->updates && of->ndim <= SQ_MAX_DIMS ? call_for(k, of, t, sizes, a) : NULL;
        if (call && sq_script_try(s, call, a))
            sq_text_puts(script, call);
    }
}
