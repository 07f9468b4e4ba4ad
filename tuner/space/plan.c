/* Plan: what its loops cover; see sketch.h. */
#include "tuner/space/sketch.h"

int64_t sq_plan_covered(const sq_plan *q, int l)
{
    int d = q->loop[l].dim;
    int64_t e = q->shape->extent[d];
    return !q->loop[l].block && q->block[d] ? (q->block[d] < e ? q->block[d] : e) : e;
}

int64_t sq_plan_trips(const sq_plan *q, int l)
{
    return (sq_plan_covered(q, l) + q->loop[l].step - 1) / q->loop[l].step;
}

double sq_plan_fillings(const sq_plan *q, int i, int64_t points[SQ_MAX_DIMS])
{
    double times = 1;
    for (int d = 0; d < q->shape->ndim; d++)
        points[d] = q->shape->extent[d];
    for (int l = 0; l <= q->pack_loop[i]; l++) {
        times *= (double)sq_plan_trips(q, l);
        points[q->loop[l].dim] = q->loop[l].step;
    }
    return times;
}
