/* Draft, lanes: what it costs that the lanes of a tile are no neighbours in memory, where they are stored and where
 * they are copied. */
#include "tuner/model/draft_point.h"
#include "codegen/isa/isa.h"
#include <math.h>
#include <stdlib.h>

/* True if squares of registers are transposed where operand i is written: points of a row dimension are
 * neighbours there, and make whole vectors. */
static bool is_transposed(const sq_costing *c, int i)
{
    for (int d = 0; d < c->h->nfree; d++)
        if (d != c->q->vector && sq_operand_step(&c->h->operand[i], d) == 1 &&
            c->q->points[d] % c->q->lanes == 0)
            return c->h->group->nstmts == 1 && !sq_draft_reduces(c->h);
    return false;
}

bool sq_draft_is_interleaved(const sq_costing *c, int i)
{
    int64_t step = sq_draft_lane_step(c->q, i);
    bool is = false;
    for (int d = 0; d < c->h->nfree && step >= 2 && step <= SQ_STRIDE_MOST; d++)
        is |= d != c->q->vector && sq_operand_step(&c->h->operand[i], d) == 1 && c->q->points[d] == step &&
              c->h->group->nstmts == 1;
    return is;
}

double sq_draft_scattering(const sq_costing *c, int i)
{
    int64_t step = sq_draft_lane_step(c->q, i);
    if (!c->h->operand[i].written || step == 0 || llabs(step) == 1 || c->q->lanes == 1)
        return 0;
    if (is_transposed(c, i))
        return log2(c->q->lanes);
    if (sq_draft_is_interleaved(c, i))
        return (double)sq_draft_lane_step(c->q, i) - 1; /* shuffles of each */
    return c->q->lanes * c->m->cost->scattered_lane;
}

/* How often an element is read: by all points of the dimensions that leave it, and of those that meet in a subscript
 * with a longer one. */
static double reuse(const sq_costing *c, int i)
{
    const sq_operand *o = &c->h->operand[i];
    double n = 1;
    for (int d = 0; d < c->h->ndim; d++)
        n *= sq_operand_moves(o, d) ? 1 : (double)c->h->extent[d];
    for (int a = 0; a < o->nsubs; a++) {
        double longest = 1, all = 1;
        for (int d = 0; d < c->h->ndim; d++)
            if (o->coef[a][d]) {
                longest = fmax(longest, (double)c->h->extent[d]);
                all *= (double)c->h->extent[d];
            }
        n *= all / longest;
    }
    return n;
}

bool sq_draft_is_idle_copy(const sq_costing *c, int i)
{
    const sq_operand *o = &c->h->operand[i];
    int64_t step = sq_operand_step(o, c->q->vector);
    bool shuffled = step > 1 && step <= SQ_STRIDE_MOST && sq_strided_shuffles(o->bytes, c->t);
    return !o->padded && !o->converts && reuse(c, i) < c->m->cost->copied_reuse &&
           (c->q->packing[i] == SQ_PACKED_PLAIN ? sq_draft_lane_step(c->q, i) == step : shuffled || step == 0);
}
