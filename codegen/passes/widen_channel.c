/* Widen, channels: a body that reads all of the elements that a stride skips, as b[2 * i] and
 * b[2 * i + 1], loads them as whole vectors, once for all. See codegen/isa/strided.c. */
#include "codegen/passes/widen.h"

bool sq_widen_lies_behind(const sq_widen *w, const sq_code_expr *a, const sq_code_expr *b, int64_t distance)
{
    int last = a->nargs - 1;
    if (b->buffer != a->buffer || last < 0)
        return false;
    for (int d = 0; d < last; d++)
        if (a->arg[d] != b->arg[d])
            return false;
    return sq_code_is(sq_code_sub(w->pool, b->arg[last], a->arg[last]), distance);
}

const sq_code_expr *sq_widen_read_at(const sq_widen *w, const sq_code_expr *place, int64_t distance)
{
    for (int i = 0; i < w->naccesses; i++) {
        const sq_widen_access *a = &w->access[i];
        if (!a->writes && !a->maybe && sq_widen_lies_behind(w, place, a->place, distance))
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
    return sq_widen_read_at(x->w, x->at, distance) != NULL;
}

int sq_widen_channels(const sq_widen *w, const sq_code_expr *at, int64_t step,
                      const sq_code_expr **channel)
{
    const place x = {w, at};
    if (w->is_backwards || step < 2 || step > SQ_STRIDE_MOST || !sq_widen_read_at(w, at, 0) ||
        !sq_strided_shares(sq_type_bytes(at->type), w->lanes, (int)step, w->c->target))
        return -1;
    int k = sq_strided_channel((int)step, reads_at, &x);
    for (int c = 0; c < step && k >= 0; c++)
        channel[c] = sq_widen_read_at(w, at, c - k);
    return k;
}
