/* Ansor's features: see ansor_features.h. The numbers are those of the released code as far as a plan has them:
 * conversions are not counted, what is allocated are the copies, and the limit of automatic unrolling is what the plan
 * writes out. */
#include "tuner/model/ansor_features.h"
#include "tuner/model/draft_count.h"
#include <math.h>
#include <string.h>

enum {
    MOST_LOOPS = SQ_MAX_LOOPS + SQ_MAX_DIMS + 4,
    BUFFERS = 5,
    BUFFER_NUMBERS = 18,
    SAMPLES = 10, /* of the curve */
    POSITIONS = 8,
    LINE = 64 /* bytes */
};

typedef enum way { SERIAL, VECTORIZED, UNROLLED, PARALLEL } way;

typedef struct loop {
    int dim;
    double trips;
    way way;
} loop;

typedef struct access {
    const sq_operand *operand;
    bool is_read, is_written;
    sq_packing packing; /* of what is touched: the array, or its copy */
    double bytes; /* touched by all of the nest, each time counted */
} access;

/* A statement with its loops, outer to inner. */
typedef struct nest {
    const sq_plan *plan;
    int n;
    loop loop[MOST_LOOPS];
    int naccesses;
    access access[SQ_MAX_OPERANDS];
    double flops; /* of one iteration */
    double inside[MOST_LOOPS + 1];       /* iterations of the loops from here on */
    double touched[MOST_LOOPS + 1];      /* bytes of all accesses in them */
    double covered[MOST_LOOPS + 1][SQ_MAX_DIMS]; /* points along each dimension */
} nest;

/* ---- loops ---- */

static void add_loop(nest *x, int dim, double trips, way w)
{
    if (trips > 1 && x->n < MOST_LOOPS)
        x->loop[x->n++] = (loop){dim, trips, w};
}

static double extent(const sq_plan *q, int d)
{
    return (double)q->shape->extent[d];
}

/* The serial loop of a sum, and the steps of it that are written out. */
static void add_serial(nest *x)
{
    const sq_plan *q = x->plan;
    int d = q->serial;
    if (d < 0)
        return;
    double points = q->block[d] ? fmin(extent(q, d), (double)q->block[d]) : extent(q, d);
    double steps = q->across ? ceil(points / q->lanes) : points, written = fmax(q->unroll, q->split);
    add_loop(x, d, ceil(steps / written), SERIAL);
    add_loop(x, d, fmin(steps, written), UNROLLED);
}

static void add_tile(nest *x)
{
    const sq_plan *q = x->plan;
    for (int d = q->shape->nfree; d < q->shape->ndim; d++)
        if (d != q->vector)
            add_loop(x, d, (double)q->points[d], UNROLLED);
    for (int d = 0; d < q->shape->nfree; d++)
        if (d != q->vector)
            add_loop(x, d, (double)q->points[d], UNROLLED);
    if (!q->across)
        add_loop(x, q->vector, (double)q->points[q->vector] / q->lanes, UNROLLED);
    add_loop(x, q->vector, q->lanes, VECTORIZED);
}

/* ---- what is touched ---- */

/* Elements along subscript a that a box of points touches. */
static double along(const sq_operand *o, int a, const double *points, int ndims)
{
    double n = 1 + (double)o->window[a];
    for (int d = 0; d < ndims; d++)
        n += fabs((double)o->coef[a][d]) * (points[d] - 1);
    return fmin(n, fmax(1, (double)o->extent[a]));
}

static double touched_by(const nest *x, const sq_operand *o, const double *points)
{
    double n = o->bytes;
    for (int a = 0; a < o->nsubs; a++)
        n *= along(o, a, points, x->plan->shape->ndim);
    return n;
}

/* From the innermost loop outwards. */
static void measure(nest *x)
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
            x->touched[l] += touched_by(x, x->access[i].operand, x->covered[l]);
    }
    for (int i = 0; i < x->naccesses; i++)
        x->access[i].bytes = x->inside[0] * x->access[i].operand->bytes * x->access[i].operand->nrefs;
}

/* ---- numbers ---- */

/* Magnitudes as the model reads them. */
static float magnitude(double v)
{
    return (float)(v < 0 ? -log2(1 - v) : log2(1 + v));
}

/* Operations in the order of the row; those of integers are so many behind those of floats. */
typedef enum operation {
    MULTIPLY_ADD,
    ADD,
    MULTIPLY,
    DIVIDE,
    COMPARE,
    FUNCTION,
    OTHER,
    OF_INTEGERS,
    CONDITION = 2 * OF_INTEGERS,
    CHOICE,
    OPERATIONS,
    NO_OPERATION
} operation;

static operation operation_of(sq_op op)
{
    switch (op) {
    case SQ_OP_NEG:
    case SQ_OP_ADD:
    case SQ_OP_SUB:
        return ADD;
    case SQ_OP_MUL:
        return MULTIPLY;
    case SQ_OP_DIV:
    case SQ_OP_MOD:
        return DIVIDE;
    case SQ_OP_LT:
    case SQ_OP_LE:
    case SQ_OP_EQ:
    case SQ_OP_NE:
    case SQ_OP_MIN:
    case SQ_OP_MAX:
        return COMPARE;
    case SQ_OP_AND:
    case SQ_OP_OR:
    case SQ_OP_NOT:
        return CONDITION;
    case SQ_OP_SELECT:
        return CHOICE;
    case SQ_OP_DOT4:
    case SQ_OP_DOT2:
        return MULTIPLY_ADD;
    case SQ_OP_CONST:
    case SQ_OP_SCALAR:
    case SQ_OP_INDEX:
    case SQ_OP_READ:
    case SQ_OP_REDUCED:
    case SQ_OP_CAST:
    case SQ_OP_WORD:
        return NO_OPERATION;
    case SQ_OP_ABS:
    case SQ_OP_BIT_AND:
    case SQ_OP_BIT_OR:
    case SQ_OP_BIT_XOR:
    case SQ_OP_BIT_NOT:
    case SQ_OP_SHL:
    case SQ_OP_SHR:
        return OTHER;
    default:
        return FUNCTION;
    }
}

static void count_one(operation o, sq_type type, double times, double *to)
{
    if (o != NO_OPERATION)
        to[o + (o < OF_INTEGERS && !sq_type_real(type) ? OF_INTEGERS : 0)] += times;
}

/* A sum that has a product as a term is a multiply-add. */
static void count(const sq_expr *e, bool is_term, double times, double *to)
{
    operation o = operation_of(e->op);
    bool has_product = false;
    for (int i = 0; i < e->nargs && o == ADD; i++)
        has_product |= e->arg[i]->op == SQ_OP_MUL;
    if (!(is_term && o == MULTIPLY))
        count_one(has_product ? MULTIPLY_ADD : o, e->type, times, to);
    for (int i = 0; i < e->nargs; i++) {
        bool is_product = has_product && e->arg[i]->op == SQ_OP_MUL;
        count(e->arg[i], is_product, times, to);
        has_product = has_product && !is_product; /* one product of two goes into it */
    }
}

/* What is done in a step of a sum and, `times`, with it; or at each point. */
static void count_statement(const nest *x, const sq_stmt *s, double times, double *to)
{
    if (s->body) {
        bool is_product = s->reduce == SQ_OP_ADD && s->body->op == SQ_OP_MUL;
        count(s->body, is_product, x->inside[0], to);
        count_one(is_product ? MULTIPLY_ADD : operation_of(s->reduce), s->body->type, x->inside[0], to);
    }
    count(s->value, false, times, to);
}

static void put_operations(const nest *x, float *row)
{
    double n[OPERATIONS] = {0}, elements = 1;
    const sq_group *g = x->plan->shape->group;
    for (int d = 0; d < x->plan->shape->nfree; d++)
        elements *= x->covered[0][d];
    for (int s = 0; s < g->nstmts; s++)
        count_statement(x, g->stmt[s], g->stmt[0]->updates ? elements : x->inside[0], n);
    for (int i = 0; i < OPERATIONS; i++)
        row[SQ_ANSOR_OPERATIONS + i] = magnitude(n[i]);
}

/* Where a dimension is among those of its kind: 1 to 3 innermost, between, outermost of free ones, 4 to 6 of sums. */
static int position_of(const sq_shape *h, int d)
{
    bool is_sum = d >= h->nfree;
    int first = is_sum ? h->nfree : 0, last = (is_sum ? h->ndim : h->nfree) - 1;
    return (is_sum ? 4 : 1) + (d == last ? 0 : d == first ? 2 : 1);
}

/* Loops that are annotated in a way: how many, iterations of all, of the innermost, and where. */
static void put_annotation(const nest *x, way w, float *to)
{
    double n = 0, all = 1, innermost = 0;
    int where = 0;
    for (int l = 0; l < x->n; l++) {
        if (x->loop[l].way != w)
            continue;
        int here = position_of(x->plan->shape, x->loop[l].dim);
        n++;
        all *= x->loop[l].trips;
        innermost = x->loop[l].trips;
        where = where == 0 || where == here ? here : POSITIONS - 1;
    }
    to[0] = magnitude(n);
    to[1] = magnitude(n > 0 ? all : 0);
    to[2] = magnitude(innermost);
    to[3 + where] = 1;
}

/* How often the copy of operand i is made; the points along each dimension that it covers then. */
static double copied(const sq_plan *q, int i, double *points)
{
    int64_t covered[SQ_MAX_DIMS];
    double times = sq_plan_fillings(q, i, covered);
    for (int d = 0; d < q->shape->ndim; d++)
        points[d] = fmin(extent(q, d), (double)covered[d]);
    return times;
}

/* Elements of a copy with the array's subscripts between neighbours along d. */
static double stride_of_copy(const sq_plan *q, int i, int d)
{
    const sq_operand *o = &q->shape->operand[i];
    double points[SQ_MAX_DIMS], step = 0, inner = 1;
    copied(q, i, points);
    for (int a = o->nsubs - 1; a >= 0; a--) {
        step += (double)o->coef[a][d] * inner;
        inner *= along(o, a, points, q->shape->ndim);
    }
    return fabs(step);
}

/* Elements between what neighbouring iterations of a loop along d touch. Panels follow each other along the vector, or
 * along rows; a step in another direction is as long as a panel is wide. */
static double stride(const nest *x, const access *a, int d)
{
    const sq_plan *q = x->plan;
    int i = (int)(a->operand - q->shape->operand);
    if (a->packing == SQ_UNPACKED)
        return fabs((double)sq_operand_step(a->operand, d));
    if (d == q->vector)
        return fabs((double)sq_draft_lane_step(q, i));
    if (a->packing == SQ_PACKED_PLAIN)
        return stride_of_copy(q, i, d);
    int wide = sq_operand_moves(a->operand, q->vector) ? q->vector : q->row;
    return d == wide ? 1 : (double)q->points[wide];
}

/* The innermost loop that moves an access; -1: none does. */
static int moving_loop(const nest *x, const access *a)
{
    int l = x->n - 1;
    while (l >= 0 && !sq_operand_moves(a->operand, x->loop[l].dim))
        l--;
    return l;
}

/* The innermost loop whose iterations touch the same again; -1: none does. */
static int reusing_loop(const nest *x, const access *a)
{
    int l = x->n - 1;
    while (l >= 0 && sq_operand_moves(a->operand, x->loop[l].dim))
        l--;
    return l;
}

/* Lines of the elements that all of the nest touches. */
static double unique_lines(const nest *x, const access *a)
{
    const sq_operand *o = a->operand;
    double bytes = touched_by(x, o, x->covered[0]);
    double run = o->nsubs ? along(o, o->nsubs - 1, x->covered[0], x->plan->shape->ndim) * o->bytes : o->bytes;
    return fmax(1, a->packing != SQ_UNPACKED ? bytes / LINE : bytes / run * ceil(run / LINE));
}

static bool is_touched_elsewhere(const nest *x, const access *a)
{
    bool found = a->operand->nrefs > 1;
    for (int i = 0; i < x->naccesses; i++)
        found |= &x->access[i] != a && x->access[i].operand->array == a->operand->array && a->packing == SQ_UNPACKED;
    return found;
}

static void put_buffer(const nest *x, const access *a, float *to)
{
    int moves = moving_loop(x, a), reuses = reusing_loop(x, a), bytes = a->operand->bytes;
    double step = moves < 0 ? 0 : stride(x, a, x->loop[moves].dim);
    double times = moves < 0 ? 1 : x->inside[0] / x->inside[moves + 1];
    bool is_serial = reuses < 0 && is_touched_elsewhere(x, a);
    double again = reuses >= 0 ? x->loop[reuses].trips : is_serial ? fmax(1, a->operand->nrefs) : 0;
    int from = reuses >= 0 ? reuses + 1 : x->n;
    double traffic[] = {a->bytes, touched_by(x, a->operand, x->covered[0]),
                        fmax(1, times * fmin(1, step * bytes / LINE)), unique_lines(x, a)};
    to[a->is_read && a->is_written ? 2 : a->is_written ? 1 : 0] = 1;
    to[7 + (reuses >= 0 ? 0 : is_serial ? 1 : 2)] = 1;
    to[10] = magnitude(again > 0 ? x->inside[from] : 0);
    to[11] = magnitude(again > 0 ? x->touched[from] : 0);
    to[12] = magnitude(again);
    for (int i = 0; i < 4; i++) {
        to[3 + i] = magnitude(traffic[i]);
        to[13 + i] = magnitude(again > 0 ? traffic[i] / again : 2 * traffic[i]);
    }
    to[17] = magnitude(step);
}

/* Those with most traffic; of equals the first. */
static void put_buffers(const nest *x, float *to)
{
    bool is_put[SQ_MAX_OPERANDS] = {false};
    for (int b = 0; b < BUFFERS && b < x->naccesses; b++) {
        int most = -1;
        for (int i = 0; i < x->naccesses; i++)
            if (!is_put[i] && (most < 0 || x->access[i].bytes > x->access[most].bytes))
                most = i;
        is_put[most] = true;
        put_buffer(x, &x->access[most], to + b * BUFFER_NUMBERS);
    }
}

static double intensity(const nest *x, int l)
{
    return x->touched[l] > 0 ? x->flops * x->inside[l] / x->touched[l] : 0;
}

/* Operations by bytes, inside of ever more loops, at steps of equally many doublings of operations. */
static void put_intensity(const nest *x, float *to)
{
    double all = log2(x->inside[0]);
    for (int i = 0, l = x->n; i < SAMPLES; i++) {
        double at = all * i / (SAMPLES - 1);
        while (l > 0 && log2(x->inside[l]) < at)
            l--;
        double high = log2(x->inside[l]), low = l < x->n ? log2(x->inside[l + 1]) : high;
        double share = high > low ? fmin(1, (at - low) / (high - low)) : 1;
        double below = l < x->n ? intensity(x, l + 1) : intensity(x, l);
        to[i] = magnitude(below + share * (intensity(x, l) - below));
    }
}

/* Of the copies that the statement reads: bytes at a time, in all, times that they are made, iterations for each. */
static void put_allocation(const nest *x, float *to)
{
    const sq_plan *q = x->plan;
    double size = 0, all = 0, points[SQ_MAX_DIMS];
    for (int i = 0; i < q->shape->noperands; i++) {
        if (q->packing[i] == SQ_UNPACKED)
            continue;
        double times = copied(q, i, points), bytes = touched_by(x, &q->shape->operand[i], points);
        size += bytes;
        all += bytes * times;
    }
    double mean = size > 0 ? all / size : 0;
    to[0] = magnitude(size);
    to[1] = magnitude(all);
    to[2] = magnitude(mean);
    to[3] = magnitude(mean > 0 ? x->inside[0] / mean : 0);
}

static void put_nest(const nest *x, float *to)
{
    double written = 1;
    for (int l = 0; l < x->n; l++)
        written *= x->loop[l].way == UNROLLED ? x->loop[l].trips : 1;
    to[0] = magnitude(x->inside[0]);
    to[1] = magnitude(x->n);
    to[2] = magnitude(written);
}

/* ---- all ---- */

static void describe(nest *x)
{
    const sq_plan *q = x->plan;
    for (int l = 0; l < q->nloops; l++)
        add_loop(x, q->loop[l].dim, (double)sq_plan_trips(q, l), q->loop[l].parallel ? PARALLEL : SERIAL);
    add_serial(x);
    add_tile(x);
    for (int i = 0; i < q->shape->noperands; i++) {
        const sq_operand *o = &q->shape->operand[i];
        x->access[x->naccesses++] = (access){.operand = o,
                                             .is_read = o->read || q->shape->group->stmt[0]->updates,
                                             .is_written = o->written,
                                             .packing = q->packing[i]};
    }
    measure(x);
}

void sq_ansor_features(const sq_plan *q, float row[SQ_FEATURES])
{
    nest x = {.plan = q, .flops = q->shape->step_flops + q->shape->step_decisions};
    memset(row, 0, SQ_FEATURES * sizeof *row);
    describe(&x);
    put_operations(&x, row);
    put_annotation(&x, VECTORIZED, row + SQ_ANSOR_VECTORS);
    put_annotation(&x, UNROLLED, row + SQ_ANSOR_UNROLLED);
    put_annotation(&x, PARALLEL, row + SQ_ANSOR_THREADS);
    put_buffers(&x, row + SQ_ANSOR_BUFFERS);
    put_intensity(&x, row + SQ_ANSOR_INTENSITY);
    put_allocation(&x, row + SQ_ANSOR_ALLOCATION);
    put_nest(&x, row + SQ_ANSOR_NEST);
}
