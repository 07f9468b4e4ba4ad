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
    bool aligned = c->q->packing[i] == SQ_PACKED_PANELS;
    return convert + n * (aligned || bytes < cost->cache_line / 2 ? 1
                          : bytes >= cost->cache_line             ? cost->split_load
                                                                  : cost->unaligned_load);
}
