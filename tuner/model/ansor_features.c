/* Ansor's features: see ansor_features.h. The numbers are those of the released code as far as a plan has them:
 * conversions are not counted, what is allocated are the copies, and the limit of automatic unrolling is what the plan
 * writes out. */
#include "tuner/model/ansor_features.h"
#include "tuner/model/draft_count.h"
#include <math.h>
#include <string.h>

enum {
    BUFFERS = 5,
    SAMPLES = 10, /* of the curve */
    POSITIONS = 8,
    LINE = 64 /* bytes */
};

/* ---- numbers ---- */

float sq_ansor_magnitude(double v)
{
    return (float)(v < 0 ? -log2(1 - v) : log2(1 + v));
}

/* Operations in the order of the row; those of integers follow those of floats at this distance. */
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
    case SQ_OP_SAD4:
    case SQ_OP_MUL_LOW:
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
    case SQ_OP_AVERAGE:
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
static void count_statement(const sq_plan_nest *x, const sq_stmt *s, double times, double *to)
{
    if (s->body) {
        bool is_product = s->reduce == SQ_OP_ADD && s->body->op == SQ_OP_MUL;
        count(s->body, is_product, x->inside[0], to);
        count_one(is_product ? MULTIPLY_ADD : operation_of(s->reduce), s->body->type, x->inside[0], to);
    }
    count(s->value, false, times, to);
}

static void put_operations(const sq_plan_nest *x, float *row)
{
    double n[OPERATIONS] = {0}, elements = 1;
    const sq_group *g = x->plan->shape->group;
    for (int d = 0; d < x->plan->shape->nfree; d++)
        elements *= x->covered[0][d];
    for (int s = 0; s < g->nstmts; s++)
        count_statement(x, g->stmt[s], g->stmt[0]->updates ? elements : x->inside[0], n);
    for (int i = 0; i < OPERATIONS; i++)
        row[SQ_ANSOR_OPERATIONS + i] = sq_ansor_magnitude(n[i]);
}

/* Where a dimension is among those of its kind: 1 to 3 innermost, between, outermost of free ones, 4 to 6 of sums. */
static int position_of(const sq_shape *h, int d)
{
    bool is_sum = d >= h->nfree;
    int first = is_sum ? h->nfree : 0, last = (is_sum ? h->ndim : h->nfree) - 1;
    return (is_sum ? 4 : 1) + (d == last ? 0 : d == first ? 2 : 1);
}

/* Loops that are annotated in a way: how many, iterations of all, of the innermost, and where. */
static void put_annotation(const sq_plan_nest *x, sq_nest_way w, float *to)
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
    to[0] = sq_ansor_magnitude(n);
    to[1] = sq_ansor_magnitude(n > 0 ? all : 0);
    to[2] = sq_ansor_magnitude(innermost);
    to[3 + where] = 1;
}

/* Elements of a copy with the array's subscripts between neighbours along d. */
static double stride_of_copy(const sq_plan_nest *x, int i, int d)
{
    const sq_plan *q = x->plan;
    const sq_operand *o = &q->shape->operand[i];
    double points[SQ_MAX_DIMS], step = 0, inner = 1;
    sq_nest_copied(q, i, points);
    for (int a = o->nsubs - 1; a >= 0; a--) {
        step += (double)o->coef[a][d] * inner;
        inner *= sq_nest_along(x, o, a, points);
    }
    return fabs(step);
}

/* Elements between what neighbouring iterations of a loop along d touch. Panels follow each other along the vector, or
 * along rows; a step in another direction is as long as a panel is wide. */
static double stride(const sq_plan_nest *x, const sq_nest_access *a, int d)
{
    const sq_plan *q = x->plan;
    int i = (int)(a->operand - q->shape->operand);
    if (a->packing == SQ_UNPACKED)
        return fabs((double)sq_operand_step(a->operand, d));
    if (d == q->vector)
        return fabs((double)sq_draft_lane_step(q, i));
    if (a->packing == SQ_PACKED_PLAIN)
        return stride_of_copy(x, i, d);
    int wide = sq_operand_moves(a->operand, q->vector) ? q->vector : q->row;
    return d == wide ? 1 : (double)q->points[wide];
}

/* The innermost loop that moves an access; -1: none does. */
static int moving_loop(const sq_plan_nest *x, const sq_nest_access *a)
{
    int l = x->n - 1;
    while (l >= 0 && !sq_operand_moves(a->operand, x->loop[l].dim))
        l--;
    return l;
}

/* The innermost loop whose iterations touch the same again; -1: none does. */
static int reusing_loop(const sq_plan_nest *x, const sq_nest_access *a)
{
    int l = x->n - 1;
    while (l >= 0 && sq_operand_moves(a->operand, x->loop[l].dim))
        l--;
    return l;
}

/* Lines of the elements that all of the nest touches. */
static double unique_lines(const sq_plan_nest *x, const sq_nest_access *a)
{
    const sq_operand *o = a->operand;
    double bytes = sq_nest_touched(x, o, x->covered[0]);
    double run = o->nsubs ? sq_nest_along(x, o, o->nsubs - 1, x->covered[0]) * o->bytes : o->bytes;
    return fmax(1, a->packing != SQ_UNPACKED ? bytes / LINE : bytes / run * ceil(run / LINE));
}

static bool is_touched_elsewhere(const sq_plan_nest *x, const sq_nest_access *a)
{
    bool found = a->operand->nrefs > 1;
    for (int i = 0; i < x->naccesses; i++)
        found |= &x->access[i] != a && x->access[i].operand->array == a->operand->array && a->packing == SQ_UNPACKED;
    return found;
}

void sq_ansor_buffer(const sq_plan_nest *x, const sq_nest_access *a, float *to)
{
    int moves = moving_loop(x, a), reuses = reusing_loop(x, a), bytes = a->operand->bytes;
    double step = moves < 0 ? 0 : stride(x, a, x->loop[moves].dim);
    double times = moves < 0 ? 1 : x->inside[0] / x->inside[moves + 1];
    bool is_serial = reuses < 0 && is_touched_elsewhere(x, a);
    double again = reuses >= 0 ? x->loop[reuses].trips : is_serial ? fmax(1, a->operand->nrefs) : 0;
    int from = reuses >= 0 ? reuses + 1 : x->n;
    double traffic[] = {a->bytes, sq_nest_touched(x, a->operand, x->covered[0]),
                        fmax(1, times * fmin(1, step * bytes / LINE)), unique_lines(x, a)};
    to[a->is_read && a->is_written ? 2 : a->is_written ? 1 : 0] = 1;
    to[7 + (reuses >= 0 ? 0 : is_serial ? 1 : 2)] = 1;
    to[10] = sq_ansor_magnitude(again > 0 ? x->inside[from] : 0);
    to[11] = sq_ansor_magnitude(again > 0 ? x->touched[from] : 0);
    to[12] = sq_ansor_magnitude(again);
    for (int i = 0; i < 4; i++) {
        to[3 + i] = sq_ansor_magnitude(traffic[i]);
        to[13 + i] = sq_ansor_magnitude(again > 0 ? traffic[i] / again : 2 * traffic[i]);
    }
    to[17] = sq_ansor_magnitude(step);
}

/* Those with most traffic; of equals the first. */
static void put_buffers(const sq_plan_nest *x, float *to)
{
    bool is_put[SQ_MAX_OPERANDS] = {false};
    for (int b = 0; b < BUFFERS && b < x->naccesses; b++) {
        int most = -1;
        for (int i = 0; i < x->naccesses; i++)
            if (!is_put[i] && (most < 0 || x->access[i].bytes > x->access[most].bytes))
                most = i;
        is_put[most] = true;
        sq_ansor_buffer(x, &x->access[most], to + b * SQ_ANSOR_BUFFER);
    }
}

static double intensity(const sq_plan_nest *x, int l)
{
    return x->touched[l] > 0 ? x->flops * x->inside[l] / x->touched[l] : 0;
}

/* Operations by bytes, inside of ever more loops, at steps of equally many doublings of operations. */
static void put_intensity(const sq_plan_nest *x, float *to)
{
    double all = log2(x->inside[0]);
    for (int i = 0, l = x->n; i < SAMPLES; i++) {
        double at = all * i / (SAMPLES - 1);
        while (l > 0 && log2(x->inside[l]) < at)
            l--;
        double high = log2(x->inside[l]), low = l < x->n ? log2(x->inside[l + 1]) : high;
        double share = high > low ? fmin(1, (at - low) / (high - low)) : 1;
        double below = l < x->n ? intensity(x, l + 1) : intensity(x, l);
        to[i] = sq_ansor_magnitude(below + share * (intensity(x, l) - below));
    }
}

/* Of the copies that the statement reads: bytes at a time, in all, times that they are made, iterations for each. */
static void put_allocation(const sq_plan_nest *x, float *to)
{
    const sq_plan *q = x->plan;
    double size = 0, all = 0, points[SQ_MAX_DIMS];
    for (int i = 0; i < q->shape->noperands; i++) {
        if (q->packing[i] == SQ_UNPACKED)
            continue;
        double times = sq_nest_copied(q, i, points), bytes = sq_nest_touched(x, &q->shape->operand[i], points);
        size += bytes;
        all += bytes * times;
    }
    double mean = size > 0 ? all / size : 0;
    to[0] = sq_ansor_magnitude(size);
    to[1] = sq_ansor_magnitude(all);
    to[2] = sq_ansor_magnitude(mean);
    to[3] = sq_ansor_magnitude(mean > 0 ? x->inside[0] / mean : 0);
}

static void put_nest(const sq_plan_nest *x, float *to)
{
    double written = 1;
    for (int l = 0; l < x->n; l++)
        written *= x->loop[l].way == SQ_NEST_UNROLLED ? x->loop[l].trips : 1;
    to[0] = sq_ansor_magnitude(x->inside[0]);
    to[1] = sq_ansor_magnitude(x->n);
    to[2] = sq_ansor_magnitude(written);
}

/* ---- all ---- */

void sq_ansor_features(const sq_plan_nest *x, float *row)
{
    put_operations(x, row);
    put_annotation(x, SQ_NEST_VECTORIZED, row + SQ_ANSOR_VECTORS);
    put_annotation(x, SQ_NEST_UNROLLED, row + SQ_ANSOR_UNROLLED);
    put_annotation(x, SQ_NEST_PARALLEL, row + SQ_ANSOR_THREADS);
    put_buffers(x, row + SQ_ANSOR_BUFFERS);
    put_intensity(x, row + SQ_ANSOR_INTENSITY);
    put_allocation(x, row + SQ_ANSOR_ALLOCATION);
    put_nest(x, row + SQ_ANSOR_NEST);
}
