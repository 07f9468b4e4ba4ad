/* Draft, load: what it costs to load an operand's vectors, which lie side by side, at a stride, turned round, or apart;
 * and to convert them. */
#include "codegen/isa/isa.h"
#include "tuner/model/draft_point.h"
#include <math.h>

/* Returns the vectors that are loaded for each that operand i reads, if lanes are channels and the vectors
 * that these share can wait in registers; else 0. */
static double channel_loads(const sq_costing *c, int i, int64_t step)
{
    double vectors = 1;
    for (int d = 0; d < c->h->nfree; d++)
        if (sq_operand_moves(&c->h->operand[i], d))
            vectors *= (double)c->q->points[d] / (d == c->q->vector ? c->q->lanes : 1);
    double loads = sq_draft_channel_loads(c->q, i, c->t);
    return c->count.sums + vectors * (double)step <= c->t->registers ? loads : 0;
}

/* True if what is read through operand i is converted to wider elements each time. */
static bool widens(const sq_costing *c, int i)
{
    const sq_operand *o = &c->h->operand[i];
    return o->converts ? !sq_draft_is_packed(c, i) : !sq_type_real(o->array->type) && o->bytes < c->h->bytes;
}

/* True if two multiply-adds use what is loaded: gcc then loads it for each, as their operand, also where registers are
 * free (gcc 12: 2 rows of 4 vectors of a product reach 0.65 of the peak, 4 of 2 0.83). */
static bool is_loaded_twice(const sq_costing *c, int i)
{
    int64_t uses = 1;
    for (int d = 0; d < c->h->nfree; d++)
        if (d != c->q->vector && !sq_operand_moves(&c->h->operand[i], d))
            uses *= c->q->points[d];
    return sq_draft_reduces(c->h) && uses == 2 && c->count.arithmetic <= c->count.sums * c->count.terms;
}

double sq_draft_load_cost(const sq_costing *c, int i)
{
    const sq_machine_cost *cost = c->m->cost;
    double again = c->count.reads[i] - c->count.distinct[i];
    double n = c->count.distinct[i] + c->m->read_again * again;
    int64_t step = sq_draft_lane_step(c->q, i);
    int bytes = c->q->lanes * c->h->bytes;
    double convert = widens(c, i) ? n : 0;
    if (step == 0)
        return n + convert;
    if (step == -1) /* a whole vector, turned round */
        return n * cost->strided_load + convert;
    double shared = channel_loads(c, i, step);
    if (shared > 0)
        return n * (shared + (cost->strided_load - 1) * (double)(step - 1)) + convert;
    if (step > 1 && step <= SQ_STRIDE_MOST) /* whole vectors, put together */
        return n * (cost->strided_load * (double)step - 1) + convert;
    bool in_place = c->h->operand[i].array->words_of != NULL;
    if (step != 1 && in_place) /* lanes lie along the sum instead: that is what it is in place for */
        return INFINITY;
    if (step != 1)
        return n * c->q->lanes * (c->q->lanes >= 16 ? cost->gathered_many : cost->gathered_lane) + convert;
    n *= is_loaded_twice(c, i) && !convert ? 2 : 1;
    bool aligned = c->q->packing[i] == SQ_PACKED_PANELS;
    return convert + n * (aligned || bytes < cost->cache_line / 2 ? 1
                          : bytes >= cost->cache_line             ? cost->split_load
                                                                  : cost->unaligned_load);
}
