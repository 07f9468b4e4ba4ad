/* Draft, count: see draft_count.h. */
#include "tuner/model/draft_count.h"
#include "codegen/isa/vector.h"
#include "codegen/tile/tile.h"
#include <math.h>

/* Registers left free by what is loaded before a loop. */
enum { LEFT = 2 };

/* The operands that are read in a step. */
typedef struct operands {
    int n, of[SQ_MAX_OPERANDS];
} operands;

static bool reduces(const sq_shape *h)
{
    return h->group->stmt[0]->updates != NULL;
}

static double vectors(const sq_plan *q)
{
    return (double)q->points[q->vector] / q->lanes;
}

static double sums(const sq_plan *q)
{
    double n = vectors(q);
    for (int d = 0; d < q->shape->nfree; d++)
        if (d != q->vector)
            n *= (double)q->points[d];
    return n;
}

/* Terms of each sum that a step adds. */
static double terms(const sq_plan *q)
{
    double n = 1;
    for (int d = q->shape->nfree; d < q->shape->ndim; d++)
        n *= d == q->vector ? 1 : (double)q->points[d];
    return n;
}

/* Points of the tile along dimension d, of one term or of all that a step adds. */
static double points(const sq_plan *q, int d, bool of_one_term)
{
    return of_one_term && d >= q->shape->nfree ? 1 : (double)q->points[d];
}

/* Different elements along subscript a, where windows slide over each other; *product: places that read
 * them. */
static double along(const sq_plan *q, const sq_operand *o, int a, bool of_one_term, double *product)
{
    double n = 1 + (double)o->window[a];
    *product = n;
    for (int d = 0; d < q->shape->ndim; d++) {
        double k = fabs((double)o->coef[a][d]), p = points(q, d, of_one_term);
        if (!k || d == q->vector || d == q->serial)
            continue;
        n += k * (p - 1);
        *product *= p;
    }
    return fmin(n, *product);
}

/* References times the points of the tile that each reads: fewer than the box around them has, where they are a
 * star. */
static double places(const sq_plan *q, const sq_operand *o, bool of_one_term)
{
    double n = o->nrefs;
    for (int d = 0; d < q->shape->ndim; d++)
        if (d != q->vector && d != q->serial && sq_operand_moves(o, d))
            n *= points(q, d, of_one_term);
    return sq_operand_moves(o, q->vector) ? n * vectors(q) : n;
}

static double reads(const sq_plan *q, const sq_operand *o, bool of_one_term)
{
    double n = 1, product;
    for (int a = 0; a < o->nsubs; a++)
        n *= along(q, o, a, of_one_term, &product) * (o->coef[a][q->vector] ? vectors(q) : 1);
    return fmin(n, places(q, o, of_one_term));
}

int64_t sq_draft_lane_step(const sq_plan *q, int i)
{
    const sq_operand *o = &q->shape->operand[i];
    int64_t step = sq_operand_step(o, q->vector);
    if (step && q->packing[i] == SQ_PACKED_PANELS)
        return 1;
    if (step > 1 && q->packing[i] != SQ_UNPACKED && o->coef[o->nsubs - 1][q->vector])
        return 1; /* phases */
    return step;
}

static bool is_read(const sq_plan *q, int i)
{
    const sq_operand *o = &q->shape->operand[i];
    return reduces(q->shape) ? o->in_body : o->read;
}

/* Vectors of a row that are read through an operand. */
static double vectors_of(const sq_plan *q, const sq_operand *o)
{
    return sq_operand_moves(o, q->vector) ? vectors(q) : 1;
}

/* Registers that hold what is read through an operand. Rows of the tile follow each other in the order of
 * their dimensions, the vectors of a row come last: a value is kept over the rows of a dimension that the
 * operand does not move along, with all that are read inside of that. */
static double kept(const sq_plan *q, const sq_operand *o)
{
    bool is_kept = false;
    double n = 1;
    for (int d = 0; d < q->shape->nfree; d++) {
        if (d == q->vector || q->points[d] <= 1)
            continue;
        if (!sq_operand_moves(o, d))
            is_kept = true;
        else if (is_kept)
            n *= (double)q->points[d];
    }
    return is_kept ? n * vectors_of(q, o) : n;
}

/* Registers that hold what a term leaves for later ones: the rows that a window slides over. */
static double kept_for_terms(const sq_plan *q, const sq_operand *o)
{
    double all = reads(q, o, false), n = 0, product;
    for (int a = 0; a < o->nsubs && reduces(q->shape); a++) {
        double here = along(q, o, a, false, &product);
        for (int d = 0; d < q->shape->nfree && here < product; d++)
            if (d != q->vector && o->coef[a][d])
                n = fmax(n, all / here * fmin((double)q->points[d] - 1, product - here));
    }
    return n;
}

/* True if rows of the tile, or taps of a term, move subscript a. */
static bool moved_by(const sq_plan *q, const sq_operand *o, int a, int from, int to)
{
    bool moves = false;
    for (int d = from; d < to; d++)
        moves |= d != q->vector && d != q->serial && o->coef[a][d] && q->points[d] > 1;
    return moves;
}

/* Finds an operand and a subscript *a whose elements rows slide over (codegen/tile/tile_order.c); NULL: there is
 * none. */
static const sq_operand *slides(const sq_plan *q, int *a)
{
    const sq_shape *h = q->shape;
    for (int i = 0; i < h->noperands; i++)
        for (*a = 0; h->operand[i].in_body && *a < h->operand[i].nsubs; ++*a)
            if (moved_by(q, &h->operand[i], *a, 0, h->nfree) && moved_by(q, &h->operand[i], *a, h->nfree, h->ndim))
                return &h->operand[i];
    return NULL;
}

/* Registers of an operand while terms are added in the order of the elements that rows slide over: of what they read
 * there, one for each of the other rows; of what taps read, as many as rows share an element. */
static double kept_sliding(const sq_plan *q, const sq_operand *slider, int a, const sq_operand *o)
{
    double n = vectors_of(q, o);
    for (int d = 0; d < q->shape->ndim; d++) {
        bool is_row = d < q->shape->nfree && !slider->coef[a][d];
        bool is_tap = d >= q->shape->nfree && slider->coef[a][d] && o != slider;
        if ((is_row || is_tap) && d != q->vector && d != q->serial && sq_operand_moves(o, d))
            n *= (double)q->points[d];
    }
    return n;
}

/* The registers of all operands in that order; 0 if there is none, or no such text is written. A loop around the terms
 * leaves few registers: its tiles are as high without. */
static double sliding_registers(const sq_plan *q, const operands *list, const sq_draft_count *c)
{
    int a;
    double n = 0;
    const sq_operand *slider = slides(q, &a);
    bool whole = q->serial < 0 && c->sums * c->terms <= SQ_TILE_MOST_SLIDING;
    bool can = slider && whole && !q->shape->group->stmt[0]->ordered;
    for (int i = 0; can && i < list->n; i++)
        n += kept_sliding(q, slider, a, &q->shape->operand[list->of[i]]);
    return n;
}

/* True if no step changes what is read through an operand. */
static bool is_fixed(const sq_plan *q, const sq_operand *o)
{
    return q->serial >= 0 && !sq_operand_moves(o, q->serial);
}

/* Registers of what no step changes, where it is loaded before the loop; 0 where it is loaded in it. */
static double fixed_registers(const sq_plan *q, double sums, int registers)
{
    double n = 0;
    for (int i = 0; i < q->shape->noperands; i++)
        if (is_read(q, i) && is_fixed(q, &q->shape->operand[i]))
            n += reads(q, &q->shape->operand[i], false);
    return n <= registers - LEFT - sums ? n : 0;
}

/* Terms of a sum that the tile has at once, if they read neighbours; 1 if not. */
static int64_t neighbours(const sq_plan *q, const sq_operand *o)
{
    for (int d = q->shape->nfree; d < q->shape->ndim && o->nsubs; d++)
        if (o->coef[o->nsubs - 1][d] == 1)
            return q->points[d];
    return 1;
}

double sq_draft_channel_loads(const sq_plan *q, int i, const sq_target *t)
{
    const sq_operand *o = &q->shape->operand[i];
    int64_t step = sq_draft_lane_step(q, i), n = neighbours(q, o);
    if (step < 2 || step > SQ_STRIDE_MOST ||
        !sq_strided_shares(o->bytes, q->lanes, (int)step, t))
        return 0;
    if (o->windows[step])
        return (double)(o->windows[step] * step) / o->nrefs;
    return n < step ? 0 : (double)((n + step - 1) / step * step) / (double)n;
}

static double loads_of_vector(const sq_plan *q, int i, const sq_target *t)
{
    int64_t step = sq_draft_lane_step(q, i);
    if (step == 0 || step == 1 || step == -1)
        return 1;
    if (step < 0 || step > SQ_STRIDE_MOST || q->lanes == 1)
        return q->lanes;
    const sq_operand *o = &q->shape->operand[i];
    double shared = sq_draft_channel_loads(q, i, t);
    return (shared > 0 ? shared : 1) *
           sq_strided_counted(o->bytes, q->lanes, (int)step, shared > 0, t).loads;
}

static operands of_step(const sq_plan *q, bool with_fixed)
{
    operands list = {0};
    for (int i = 0; i < q->shape->noperands; i++)
        if (is_read(q, i) && (with_fixed || !is_fixed(q, &q->shape->operand[i])))
            list.of[list.n++] = i;
    return list;
}

/* What no order of loads can do without: the sums, and the vectors of a row, that all rows read. */
static double least_registers(const sq_plan *q, double sums)
{
    double n = sums + 1;
    for (int i = 0; i < q->shape->noperands; i++)
        n += q->shape->operand[i].in_body && sq_draft_lane_step(q, i) ? vectors(q) : 0;
    return n;
}

/* Rows of the tile. */
static double rows(const sq_plan *q)
{
    double n = 1;
    for (int d = 0; d < q->shape->nfree; d++)
        n *= d == q->vector ? 1 : (double)q->points[d];
    return n;
}

/* Of the values that a term keeps for other rows, those that there is no register for are read again for
 * each of these rows: of the operand that keeps most. */
static void read_again(const sq_plan *q, const operands *list, double excess, const sq_target *t,
                       sq_draft_count *c)
{
    const sq_operand *o = NULL;
    double most = 1;
    int at = -1;
    for (int i = 0; i < list->n; i++) {
        double n = kept(q, &q->shape->operand[list->of[i]]);
        if (n > most)
            most = n, at = list->of[i];
    }
    if (at < 0 || excess <= 0)
        return;
    o = &q->shape->operand[at];
    double times = rows(q) * vectors_of(q, o) / most,
           n = fmin(excess, most) * (times - 1) * c->terms;
    c->reads[at] += n;
    c->loads += n * loads_of_vector(q, at, t);
}

static void count_reads(const sq_plan *q, const operands *list, const sq_target *t,
                        sq_draft_count *c)
{
    for (int i = 0; i < list->n; i++) {
        int k = list->of[i];
        const sq_operand *o = &q->shape->operand[k];
        c->distinct[k] = reads(q, o, false);
        c->reads[k] = c->shares ? c->distinct[k] : c->terms * reads(q, o, true);
        c->loads += c->reads[k] * loads_of_vector(q, k, t);
    }
}

/* Multiply-adds and decisions of a point in a step, less what the tile knows: of an index all of whose values are its
 * own, each is a number. */
static double work_of_point(const sq_plan *q)
{
    const sq_shape *h = q->shape;
    double n = h->step_flops / 2 + h->step_decisions;
    for (int d = 0; d < h->ndim; d++)
        n -= d != q->vector && d != q->serial && h->known[d] && q->points[d] == h->extent[d] ? h->index_work[d] : 0;
    return fmax(1, n);
}

sq_draft_count sq_draft_counted(const sq_plan *q, const sq_target *t)
{
    int registers = t->registers;
    const sq_shape *h = q->shape;
    sq_draft_count c = {.sums = sums(q), .terms = terms(q)};
    double held = reduces(h) ? c.sums * q->split : 1, in_term = 0, in_all = 0;
    double fixed = fixed_registers(q, held, registers);
    operands list = of_step(q, fixed == 0);
    for (int i = 0; i < list.n; i++) {
        const sq_operand *o = &h->operand[list.of[i]];
        double later = kept_for_terms(q, o), now = kept(q, o);
        in_term += now;
        in_all += later > 0 ? fmax(now, later + vectors_of(q, o)) : now;
    }
    double sliding = sliding_registers(q, &list, &c);
    if (in_all > sliding && sliding > 0 && held + fixed + in_all > registers)
        in_all = sliding;
    c.shares = held + fixed + in_all <= registers;
    c.registers = held + fixed + (c.shares ? in_all : in_term);
    c.least_registers = least_registers(q, c.sums * q->split);
    c.arithmetic = c.sums * c.terms * work_of_point(q);
    count_reads(q, &list, t, &c);
    read_again(q, &list, held + fixed + in_term - registers, t, &c);
    return c;
}
