/* Grid features: see grid_features.h. The loops of a unit are written as a plan's, from which the numbers follow as of
 * any plan; only the draft reads what is counted of a launch. */
#include "tuner/model/grid_features.h"
#include "tuner/model/ansor_features.h"
#include "tuner/model/pruner_features.h"
#include <math.h>
#include <string.h>

enum {
    SCHEDULERS = 4,        /* of a multiprocessor */
    ENOUGH_THREADS = 512,  /* of a multiprocessor: fewer leave it waiting */
    ISSUE_LATENCY = 4,     /* cycles of arithmetic */
    TWO = 2                /* blocks that share a multiprocessor cover each other's barriers */
};
static const double of_l2 = 0.5; /* what stays there beside what passes through */

/* ---- the loops of a unit as a plan ---- */

typedef struct tile {
    int row, column, lines, serial; /* dimensions; -1: it has none */
} tile;

static bool is_product(const sq_grid_unit *u)
{
    return u->kind == SQ_GRID_TENSOR || u->kind == SQ_GRID_PRODUCT;
}

static tile tile_of(const sq_grid_unit *u)
{
    const sq_grid_shape *h = u->of[0];
    if (u->kind == SQ_GRID_TENSOR)
        return (tile){h->tensor.rows, h->tensor.columns, h->tensor.lines, h->tensor.steps};
    if (u->kind == SQ_GRID_PRODUCT)
        return (tile){h->row, h->column, h->lines, h->serial};
    return (tile){-1, -1, -1, -1};
}

static void add_loop(sq_plan *q, int d, int64_t step, bool is_block, bool is_parallel)
{
    if (q->nloops < SQ_MAX_LOOPS)
        q->loop[q->nloops++] = (sq_plan_loop){d, step, is_block, is_parallel};
}

/* Points of a block along d, and of a warp or thread in it. */
static void put_points(sq_plan *q, int d, long block, long points)
{
    q->block[d] = block;
    q->points[d] = points;
}

/* A block's tile, and a thread's part of it; a warp's with matrix instructions. */
static void put_tile(const sq_grid_unit *u, sq_plan *q)
{
    tile t = tile_of(u);
    const long *k = u->knob;
    bool wide = sq_grid_is_warpgroup(u);
    put_points(q, t.row, k[SQ_KNOB_ROWS], wide ? SQ_WARPGROUP_ROWS / SQ_WARPGROUP : k[SQ_KNOB_ROW_POINTS]);
    put_points(q, t.column, k[SQ_KNOB_COLUMNS], wide ? k[SQ_KNOB_COLUMNS] : k[SQ_KNOB_COLUMN_POINTS]);
    put_points(q, t.serial, k[SQ_KNOB_STEPS], 1);
    if (t.lines >= 0 && k[SQ_KNOB_LINES] > 1)
        put_points(q, t.lines, k[SQ_KNOB_LINES], 1);
    if (u->kind == SQ_GRID_TENSOR)
        q->lanes = u->of[0]->tensor.shape->n;
    q->row = t.row;
}

static bool is_staged(const sq_grid_unit *u, const sq_array *a)
{
    const sq_grid_shape *h = u->of[0];
    return u->kind == SQ_GRID_TENSOR ? a == h->tensor.of[0]->array || a == h->tensor.of[1]->array
                                     : a == h->operand[0] || a == h->operand[1];
}

/* Blocks share free dimensions, then threads a block's part of them; sums are in sequence, their outermost block last:
 * for it operands are copied to shared memory. */
static void put_loops(const sq_grid_unit *u, const sq_grid_shape *h, sq_plan *q)
{
    const sq_shape *x = &h->numbers;
    for (int d = 0; d < x->nfree; d++)
        add_loop(q, d, q->block[d] ? q->block[d] : q->points[d], true, true);
    for (int d = x->nfree; d < x->ndim; d++)
        if (d != q->serial && u->kind == SQ_GRID_PRODUCT && sq_grid_unrolls(h, d))
            q->points[d] = x->extent[d];
        else if (d != q->serial)
            add_loop(q, d, 1, true, false);
    if (q->serial >= 0 && q->block[q->serial])
        add_loop(q, q->serial, q->block[q->serial], true, false);
    int copied = q->nloops - 1;
    for (int d = 0; d < x->nfree; d++)
        if (q->block[d] > q->points[d])
            add_loop(q, d, q->points[d], false, true);
    for (int i = 0; i < x->noperands; i++) {
        bool is_copied = is_product(u) && is_staged(u, x->operand[i].array);
        q->packing[i] = is_copied ? SQ_PACKED_PLAIN : SQ_UNPACKED;
        q->pack_loop[i] = is_copied ? copied : -1;
    }
}

/* False for a statement whose accesses numbers do not tell, or which has no dimension. */
static bool plan_of(const sq_grid_unit *u, const sq_grid_shape *h, sq_plan *q)
{
    const sq_shape *x = &h->numbers;
    bool reduces = x->ndim > x->nfree;
    if (!x->tileable || x->ndim == 0)
        return false;
    *q = (sq_plan){.shape = x, .row = -1, .row2 = -1, .lanes = 1, .unroll = 1, .split = 1};
    for (int d = 0; d < x->ndim; d++)
        q->points[d] = 1;
    q->serial = is_product(u) ? tile_of(u).serial : reduces ? x->ndim - 1 : -1;
    q->across = x->nfree == 0;
    q->vector = is_product(u) ? tile_of(u).column : q->across ? q->serial : h->lane >= 0 ? h->lane : x->nfree - 1;
    if (is_product(u))
        put_tile(u, q);
    else if (u->kind == SQ_GRID_VECTORS)
        q->points[q->vector] = q->lanes = h->lanes;
    put_loops(u, h, q);
    return true;
}

/* ---- the draft ---- */

static double at_most_one(double v)
{
    return v < 1 ? v : 1;
}

static double filled(double n, double of)
{
    return n / (ceil(n / of) * of);
}

/* Multiply-adds issued beside one of the other instructions: the more, the less these are in the way. */
static double computing(const sq_launch *l)
{
    double own = l->fma / (l->fma_each > 0 ? l->fma_each : SQ_WARP), others = fmax(1, l->instructions - own);
    return (1 + own / others) / (2 + own / others);
}

/* Independent instructions of a multiprocessor's warps, of those that cover the latency of one. */
static double covered(const sq_launch *l, double resident)
{
    double each = l->fma_each > 0 ? l->fma_each : SQ_WARP, latency = l->latency > 0 ? l->latency : ISSUE_LATENCY;
    double warps = ceil(l->threads / (double)SQ_WARP) * resident;
    return at_most_one(warps * fmax(1, l->chains) * each / (latency * l->fma_cycle));
}

/* Blocks of whole waves: of all that are resident at once, or of one for each multiprocessor if there are fewer. */
static double waves(const sq_launch *l, const sq_device *d, double resident)
{
    double wave = d->multiprocessors * resident;
    return filled(l->blocks, l->blocks >= wave ? wave : d->multiprocessors);
}

/* Bytes that a step's tile is of, of those of the sectors that are fetched for it. */
static double run(const sq_plan_nest *x, const sq_launch *l)
{
    double of_step = l->l2_bytes / fmax(1, l->waits);
    return of_step > 0 ? fmax(1.0 / SQ_WARP, at_most_one(x->touched[x->block] / of_step)) : 1;
}

static void put_draft(const sq_plan_nest *x, const sq_device *d, const sq_launch *l, double resident, float *to)
{
    double hertz = 1e9 * d->ghz, memory = l->memory_bytes / (1e9 * d->bandwidth),
           l2 = l->blocks * l->l2_bytes / (d->l2_cycle * hertz);
    to[SQ_DRAFT_COMPUTE] = (float)(l->blocks * l->fma / (l->fma_cycle * d->multiprocessors * hertz));
    to[SQ_DRAFT_MEMORY] = (float)memory;
    to[SQ_DRAFT_REGISTERS] = (float)at_most_one((double)d->registers / ENOUGH_THREADS / fmax(1, l->registers));
    to[SQ_DRAFT_LOADS] = (float)computing(l);
    to[SQ_DRAFT_CHAINS] = (float)covered(l, resident);
    to[SQ_DRAFT_LANES] = (float)filled(ceil(l->threads / (double)SQ_WARP), SCHEDULERS);
    to[SQ_DRAFT_THREADS] = (float)waves(l, d, resident);
    to[SQ_DRAFT_L1] = (float)(l->shared > 0 ? at_most_one((double)d->shared / (TWO * (double)l->shared)) : 1);
    to[SQ_DRAFT_L2] = (float)(l2 > memory ? memory / l2 : 1);
    to[SQ_DRAFT_RUN] = (float)run(x, l);
}

/* A further statement of the launch, whose time is in the first one's. */
static void put_no_draft(float *to)
{
    for (int i = SQ_DRAFT_REGISTERS; i < SQ_DRAFT_NUMBERS; i++)
        to[i] = 1;
}

/* ---- all ---- */

static void put_grid(const sq_grid_unit *u, const sq_launch *l, double resident, float *to)
{
    const double of[] = {[SQ_GRID_BLOCKS] = l->blocks,
                         [SQ_GRID_TOGETHER] = (double)u->knob[SQ_KNOB_GROUP],
                         [SQ_GRID_RESIDENT] = resident,
                         [SQ_GRID_BLOCK_THREADS] = l->threads,
                         [SQ_GRID_REGISTERS] = l->registers,
                         [SQ_GRID_SHARED] = (double)l->shared,
                         [SQ_GRID_STAGES] = (double)u->knob[SQ_KNOB_STAGES]};
    to[SQ_GRID_IS_ONE] = 1;
    for (int i = SQ_GRID_BLOCKS; i <= SQ_GRID_STAGES; i++)
        to[i] = sq_ansor_magnitude(of[i]);
}

int sq_grid_features(const sq_grid_unit *u, const sq_device *d, float (*row)[SQ_STATEMENT], int most)
{
    sq_launch l;
    int known = sq_grid_unit_fits(u) ? sq_grid_unit_count(u, d, &l) : -1;
    if (known <= 0)
        return known;
    double resident = sq_device_occupancy(d, l.threads, l.registers, l.shared, NULL);
    sq_levels levels = {.near = (double)d->shared_block, .far = of_l2 * (double)d->l2};
    if (resident < 1)
        return -1;
    for (int i = 0; i < u->n && i < most; i++) {
        sq_plan q;
        sq_plan_nest x;
        if (!plan_of(u, u->of[i], &q))
            return 0;
        sq_nest_of(&q, &x);
        memset(row[i], 0, sizeof row[i]);
        sq_ansor_features(&x, row[i]);
        put_grid(u, &l, resident, row[i] + SQ_ANSOR_GRID);
        if (i == 0)
            put_draft(&x, d, &l, resident, row[i] + SQ_DRAFT);
        else
            put_no_draft(row[i] + SQ_DRAFT);
        sq_pruner_flow(&x, &levels, row[i] + SQ_FLOW);
    }
    return u->n < most ? u->n : most;
}
