/* Pruner's features: see pruner_features.h. */
#include "tuner/model/pruner_features.h"
#include "tuner/model/ansor_features.h"
#include "tuner/model/draft_count.h"
#include <math.h>
#include <string.h>

enum { LINE = 64 /* bytes */ };
static const double usable = 0.75; /* share of a cache */

/* ---- symbols ---- */

/* Points along d, with those of the last tile that are beyond the end. */
static double padded(const sq_plan *q, int d)
{
    double e = (double)q->shape->extent[d], step = d == q->vector ? q->lanes : fmax(1, (double)q->points[d]);
    return ceil(e / step) * step;
}

static double operations(const sq_plan_nest *x)
{
    double n = fmax(1, x->flops);
    for (int d = 0; d < x->plan->shape->ndim; d++)
        n *= padded(x->plan, d);
    return n;
}

/* Lanes that hold a point, of those that the processor has. Results that lie apart are stored one by one. */
static double lanes(const sq_plan_nest *x, const sq_machine *m)
{
    const sq_plan *q = x->plan;
    double all = (double)m->vector_bytes / q->shape->bytes;
    double filled = (double)q->shape->extent[q->vector] / padded(q, q->vector) * q->lanes / all;
    for (int i = 0; i < x->naccesses && !q->across; i++)
        if (x->access[i].is_written && sq_draft_lane_step(q, i) != 1)
            return 1 / all;
    return fmin(1, filled);
}

static bool is_moved(const sq_plan_nest *x, const sq_nest_access *a, int l)
{
    return sq_operand_moves(a->operand, x->loop[l].dim);
}

/* Times that a block touches something else: loops outside of the innermost one that moves it repeat it. */
static double fetches(const sq_plan_nest *x, const sq_nest_access *a)
{
    double n = 1;
    int last = x->block - 1;
    while (last >= 0 && !is_moved(x, a, last))
        last--;
    for (int l = 0; l <= last; l++)
        n *= x->loop[l].trips;
    return n;
}

static double moved(const sq_plan_nest *x)
{
    double n = 0;
    for (int i = 0; i < x->naccesses; i++) {
        const sq_nest_access *a = &x->access[i];
        n += fetches(x, a) * sq_nest_touched(x, a->operand, x->covered[x->block]) * (1 + (a->is_read && a->is_written));
    }
    return n;
}

/* The share of the lines' bytes that a register tile with its sum touches, over all arrays. */
static double run(const sq_plan_nest *x)
{
    double used = 0, whole = 0;
    for (int i = 0; i < x->naccesses; i++) {
        const sq_operand *o = x->access[i].operand;
        double bytes = sq_nest_touched(x, o, x->covered[x->serial]);
        double along = o->nsubs ? sq_nest_along(x, o, o->nsubs - 1, x->covered[x->serial]) * o->bytes : o->bytes;
        bool is_packed = x->access[i].packing != SQ_UNPACKED;
        used += bytes;
        whole += is_packed ? bytes : bytes / along * ceil(along / LINE) * LINE;
    }
    return whole > 0 ? used / whole : 1;
}

static double chunks(const sq_plan_nest *x)
{
    double n = 1;
    for (int l = 0; l < x->n; l++)
        n *= x->loop[l].way == SQ_NEST_PARALLEL ? x->loop[l].trips : 1;
    return n;
}

sq_symbols sq_pruner_symbols(const sq_plan_nest *x, const sq_machine *m, const sq_target *t)
{
    const sq_plan *q = x->plan;
    sq_draft_count c = sq_draft_counted(q, t);
    bool reduces = q->shape->ndim > q->shape->nfree;
    return (sq_symbols){.registers = c.least_registers,
                        .arithmetic = c.arithmetic,
                        .loads = c.loads,
                        .chains = reduces ? c.sums * q->split : 0,
                        .tile = x->touched[x->serial],
                        .block = x->touched[x->block],
                        .lanes = lanes(x, m),
                        .moved = moved(x),
                        .chunks = chunks(x),
                        .run = run(x),
                        .operations = operations(x)};
}

/* ---- the draft ---- */

static double at_most_one(double v)
{
    return v < 1 ? v : 1;
}

/* Cycles a second of a core. */
static double frequency(const sq_machine *m)
{
    return m->peak_f32 * 1e9 / (2 * m->fma_per_cycle * m->vector_bytes / 4);
}

/* Bytes a second of a core, from where all of the arrays lie. */
static double bandwidth(const sq_plan_nest *x, const sq_machine *m)
{
    double bytes = x->touched[0];
    return bytes <= usable * (double)m->l2   ? m->cost->l2_bandwidth * frequency(m)
           : bytes <= usable * (double)m->l3 ? m->cost->l3_bandwidth * frequency(m)
                                             : m->bandwidth * 1e9;
}

static double filled(double chunks, int threads)
{
    return chunks / (ceil(chunks / threads) * threads);
}

void sq_pruner_draft(const sq_plan_nest *x, const sq_machine *m, const sq_target *t, int threads, float *to)
{
    sq_symbols s = sq_pruner_symbols(x, m, t);
    double peak = m->peak_f32 * 1e9 * 4 / x->plan->shape->bytes * threads;
    double chains = m->fma_latency * m->fma_per_cycle;
    to[SQ_DRAFT_COMPUTE] = (float)(s.operations / peak);
    to[SQ_DRAFT_MEMORY] = (float)(s.moved / (bandwidth(x, m) * threads));
    to[SQ_DRAFT_REGISTERS] = (float)at_most_one(t->registers / s.registers);
    to[SQ_DRAFT_LOADS] =
        (float)(s.loads > 0 ? at_most_one(s.arithmetic / m->fma_per_cycle * m->loads_per_cycle / s.loads) : 1);
    to[SQ_DRAFT_CHAINS] = (float)(s.chains > 0 ? at_most_one(s.chains / chains) : 1);
    to[SQ_DRAFT_LANES] = (float)s.lanes;
    to[SQ_DRAFT_THREADS] = (float)filled(s.chunks, threads);
    to[SQ_DRAFT_L1] = (float)at_most_one(usable * (double)m->l1 / s.tile);
    to[SQ_DRAFT_L2] = (float)at_most_one(usable * (double)m->l2 / s.block);
    to[SQ_DRAFT_RUN] = (float)s.run;
}

/* ---- the flow of data ---- */

enum { OPERATIONS, PLACE, BUFFER = PLACE + 4, COPY = BUFFER + SQ_ANSOR_BUFFER };
typedef enum place { IN_REGISTERS, NEAR, FAR, BEYOND } place;
typedef enum step { BEGIN, PACK, READ = PACK + 2, UPDATE = READ + 2, WRITE, END } step;

sq_levels sq_pruner_levels(const sq_machine *m)
{
    return (sq_levels){.near = usable * (double)m->l1, .far = usable * (double)m->l2};
}

/* Returns the level in which this number of bytes fits. */
static place place_of(double bytes, const sq_levels *levels)
{
    return bytes <= levels->near ? NEAR : bytes <= levels->far ? FAR : BEYOND;
}

static void put(const sq_plan_nest *x, const sq_nest_access *a, place where, double operations, float *to)
{
    to[OPERATIONS] = sq_ansor_magnitude(operations);
    to[PLACE + where] = 1;
    sq_ansor_buffer(x, a, to + BUFFER);
}

/* An operand that the sum reads, and before it its copy, if it has one. */
static void put_operand(const sq_plan_nest *x, int i, int nth, const sq_levels *levels, float *to)
{
    const sq_nest_access *a = &x->access[i];
    double points[SQ_MAX_DIMS], bytes = x->touched[0];
    if (a->packing != SQ_UNPACKED) {
        sq_nest_copied(x->plan, i, points);
        float *pack = to + (PACK + nth) * SQ_FLOW_NUMBERS;
        put(x, a, place_of(sq_nest_touched(x, a->operand, x->covered[0]), levels), 0, pack);
        bytes = sq_nest_touched(x, a->operand, points);
        pack[COPY] = sq_ansor_magnitude(bytes);
    }
    float *read = to + (READ + nth) * SQ_FLOW_NUMBERS;
    put(x, a, place_of(bytes, levels), 0, read);
    read[COPY] = a->packing != SQ_UNPACKED ? sq_ansor_magnitude(bytes) : 0;
}

void sq_pruner_flow(const sq_plan_nest *x, const sq_levels *levels, float *to)
{
    const sq_shape *h = x->plan->shape;
    bool reduces = h->ndim > h->nfree;
    double operations = x->flops * x->inside[0];
    int nth = 0;
    bool has_end = false;
    memset(to, 0, SQ_FLOW_STEPS * SQ_FLOW_NUMBERS * sizeof *to);
    for (int i = 0; i < x->naccesses; i++) {
        const sq_nest_access *a = &x->access[i];
        if (a->is_written) {
            if (reduces)
                put(x, a, IN_REGISTERS, 0, to + BEGIN * SQ_FLOW_NUMBERS);
            put(x, a, IN_REGISTERS, operations, to + UPDATE * SQ_FLOW_NUMBERS);
            put(x, a, place_of(x->touched[0], levels), operations, to + WRITE * SQ_FLOW_NUMBERS);
        } else if ((a->operand->in_body || !reduces) && nth < 2) {
            put_operand(x, i, nth++, levels, to);
        } else if (!a->operand->in_body && !has_end) {
            has_end = true;
            put(x, a, place_of(x->touched[0], levels), operations, to + END * SQ_FLOW_NUMBERS);
        }
    }
}
