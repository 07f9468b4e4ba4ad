/* Widen, channels: a body that reads all of the elements that a stride skips, as b[2 * i] and
 * b[2 * i + 1], loads them as whole vectors, once for all. See codegen/isa/strided.c. */
#include "codegen/passes/widen.h"

/* True if b's place is `distance` elements behind a's in every iteration. */
static bool lies_behind(const sq_widen *w, const sq_code_expr *a, const sq_code_expr *b,
                        int64_t distance)
{
    int last = a->nargs - 1;
    if (b->buffer != a->buffer || last < 0)
        return false;
    for (int d = 0; d < last; d++)
        if (a->arg[d] != b->arg[d])
            return false;
    return sq_code_is(sq_code_sub(w->pool, b->arg[last], a->arg[last]), distance);
}

/* Returns what the body surely reads at a distance from a place; NULL: it does not. */
static const sq_code_expr *read_at(const sq_widen *w, const sq_code_expr *place, int64_t distance)
{
    for (int i = 0; i < w->naccesses; i++) {
        const sq_widen_access *a = &w->access[i];
        if (!a->writes && !a->maybe && lies_behind(w, place, a->place, distance))
            return a->place;
    }
    return NULL;
}

typedef struct place {
    const sq_widen *w;
    const sq_code_expr *at;
} place;

static bool reads_at(const void *user, int64_t distance)
{
    const place *x = user;
    return read_at(x->w, x->at, distance) != NULL;
}

int sq_widen_channels(const sq_widen *w, const sq_code_expr *at, int64_t step,
                      const sq_code_expr **channel)
{
    const place x = {w, at};
    if (w->is_backwards || step < 2 || step > SQ_STRIDE_MOST || !read_at(w, at, 0) ||
        !sq_strided_shares(sq_type_bytes(at->type), w->lanes, (int)step, w->c->target))
        return -1;
    int k = sq_strided_channel((int)step, reads_at, &x);
    for (int c = 0; c < step && k >= 0; c++)
        channel[c] = read_at(w, at, c - k);
    return k;
}
