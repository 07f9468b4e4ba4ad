/* Nest: see nest.h. */
#include "tuner/model/nest.h"
#include <math.h>
#include <string.h>

/* ---- loops ---- */

static void add_loop(sq_plan_nest *x, int dim, double trips, sq_nest_way w)
{
    if (trips > 1 && x->n < SQ_NEST_LOOPS)
        x->loop[x->n++] = (sq_nest_loop){dim, trips, w};
}

static double extent(const sq_plan *q, int d)
{
    return (double)q->shape->extent[d];
}

/* The serial loop of a sum, and the steps of it that are written out. */
static void add_serial(sq_plan_nest *x)
{
    const sq_plan *q = x->plan;
    int d = q->serial;
    if (d < 0)
        return;
    double points = q->block[d] ? fmin(extent(q, d), (double)q->block[d]) : extent(q, d);
    double steps = q->across ? ceil(points / q->lanes) : points, written = fmax(q->unroll, q->split);
    add_loop(x, d, ceil(steps / written), SQ_NEST_SERIAL);
    add_loop(x, d, fmin(steps, written), SQ_NEST_UNROLLED);
}

static void add_tile(sq_plan_nest *x)
{
    const sq_plan *q = x->plan;
    for (int d = q->shape->nfree; d < q->shape->ndim; d++)
        if (d != q->vector)
            add_loop(x, d, (double)q->points[d], SQ_NEST_UNROLLED);
    for (int d = 0; d < q->shape->nfree; d++)
        if (d != q->vector)
            add_loop(x, d, (double)q->points[d], SQ_NEST_UNROLLED);
    if (!q->across)
        add_loop(x, q->vector, (double)q->points[q->vector] / q->lanes, SQ_NEST_UNROLLED);
    add_loop(x, q->vector, q->lanes, SQ_NEST_VECTORIZED);
}

/* ---- what is touched ---- */

double sq_nest_along(const sq_plan_nest *x, const sq_operand *o, int a, const double *points)
{
    double n = 1 + (double)o->window[a];
    for (int d = 0; d < x->plan->shape->ndim; d++)
        n += fabs((double)o->coef[a][d]) * (points[d] - 1);
    return fmin(n, fmax(1, (double)o->extent[a]));
}

double sq_nest_touched(const sq_plan_nest *x, const sq_operand *o, const double *points)
{
    double n = o->bytes;
    for (int a = 0; a < o->nsubs; a++)
        n *= sq_nest_along(x, o, a, points);
    return n;
}

/* From the innermost loop outwards. */
static void measure(sq_plan_nest *x)
{
    for (int d = 0; d < SQ_MAX_DIMS; d++)
        x->covered[x->n][d] = 1;
    x->inside[x->n] = 1;
    for (int l = x->n; l >= 0; l--) {
        if (l < x->n) {
            int d = x->loop[l].dim;
            memcpy(x->covered[l], x->covered[l + 1], sizeof x->covered[l]);
            x->covered[l][d] = fmin(extent(x->plan, d), x->covered[l][d] * x->loop[l].trips);
            x->inside[l] = x->inside[l + 1] * x->loop[l].trips;
        }
        x->touched[l] = 0;
        for (int i = 0; i < x->naccesses; i++)
            x->touched[l] += sq_nest_touched(x, x->access[i].operand, x->covered[l]);
    }
    for (int i = 0; i < x->naccesses; i++)
        x->access[i].bytes = x->inside[0] * x->access[i].operand->bytes * x->access[i].operand->nrefs;
}

double sq_nest_copied(const sq_plan *q, int i, double *points)
{
    int64_t covered[SQ_MAX_DIMS];
    double times = sq_plan_fillings(q, i, covered);
    for (int d = 0; d < q->shape->ndim; d++)
        points[d] = fmin(extent(q, d), (double)covered[d]);
    return times;
}

/* ---- all ---- */

void sq_nest_of(const sq_plan *q, sq_plan_nest *x)
{
    *x = (sq_plan_nest){.plan = q, .flops = q->shape->step_flops + q->shape->step_decisions};
    for (int l = 0; l < q->nloops; l++) {
        sq_nest_way w = q->loop[l].parallel ? SQ_NEST_PARALLEL : SQ_NEST_SERIAL;
        add_loop(x, q->loop[l].dim, (double)sq_plan_trips(q, l), w);
        x->block = q->loop[l].block ? x->n : x->block;
    }
    x->serial = x->n;
    add_serial(x);
    add_tile(x);
    for (int i = 0; i < q->shape->noperands; i++) {
        const sq_operand *o = &q->shape->operand[i];
        x->access[x->naccesses++] = (sq_nest_access){.operand = o,
                                                     .is_read = o->read || q->shape->group->stmt[0]->updates,
                                                     .is_written = o->written,
                                                     .packing = q->packing[i]};
    }
    measure(x);
}
