/* Sketch: coordinates, plans and scripts; see sketch.h. The order of a plan's loops is always
 *     batch dimensions | blocks of column, sum and row | other reductions | rows and columns
 * with the order of the blocks and of the last two a choice. */
#include "tuner/sketch.h"
#include "tuner/draft.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum choice {
    R_VECTOR,
    R_LANES,
    R_VECTORS,
    R_ROWS,
    R_ROWS2,
    R_TAPS,
    R_UNROLL,
    R_KC,
    R_NC,
    R_MC,
    R_YC,
    R_OUTER,
    R_INNER,
    R_PARALLEL,
    R_PACK,
    R_COUNT = R_PACK + SQ_MAX_OPERANDS
} choice;

typedef struct part {
    sq_shape shape;
    int coord[R_COUNT]; /* index in the space, -1: no choice */
    int candidate[4];   /* dimensions that may carry the vector */
    int ncandidates;
} part;

struct sq_sketch {
    const sq_schedule *naive;
    const sq_machine *machine;
    const sq_target *target;
    int threads, nparts;
    part *part;
    sq_space space;
    sq_arena *arena;
};

/* ---- coordinates ---- */

typedef struct builder {
    sq_sketch *s;
    part *p;
    int group;
    const char *prefix;
} builder;

static void add(builder *b, choice r, const char *name, const long *value, int n, long start,
                int axis, bool structural)
{
    sq_space *sp = &b->s->space;
    b->p->coord[r] = -1;
    if (n < 1 || sp->n == SQ_MAX_COORDS)
        return;
    sq_coord *c = &sp->coord[sp->n];
    long *copy = SQ_NEW_ARRAY(b->s->arena, long, n);
    memcpy(copy, value, (size_t)n * sizeof *value);
    snprintf(c->name, sizeof c->name, "%s%s", b->prefix, name);
    c->nvalues = n;
    c->value = copy;
    c->axis = axis;
    c->structural = structural;
    sp->start[sp->n] = 0;
    for (int i = 0; i < n; i++)
        if (copy[i] <= start)
            sp->start[sp->n] = i;
    b->p->coord[r] = sp->n++;
}

/* Members of list (ended by 0) below limit, then limit itself. */
static int up_to(const long *list, long limit, long *out)
{
    int n = 0;
    for (; *list && *list < limit; list++)
        out[n++] = *list;
    out[n++] = limit;
    return n;
}

static long count_to(int n, long *out)
{
    for (int i = 0; i < n; i++)
        out[i] = i;
    return n;
}

static bool lone_unit(const sq_operand *o, int dim)
{
    for (int a = 0; a < o->nsubs; a++) {
        int others = 0;
        for (int d = 0; d < SQ_MAX_DIMS; d++)
            others += d != dim && o->coef[a][d] != 0;
        if (o->coef[a][dim])
            return o->coef[a][dim] == 1 && others == 0;
    }
    return false;
}

/* Where nothing the body reads is contiguous along `vector`, the reduction dimension along which
 * something is: a matrix times a vector, row by row; -1. Lanes then hold partial sums. */
static int contiguous_sum(const sq_shape *h, int vector)
{
    int found = -1;
    for (int i = 0; i < h->noperands; i++) {
        const sq_operand *o = &h->operand[i];
        if (!o->in_body || !o->nsubs)
            continue;
        if (o->coef[o->nsubs - 1][vector] == 1 || o->padded)
            return -1;
        for (int d = h->nfree; d < h->ndim; d++)
            if (o->coef[o->nsubs - 1][d] == 1 && h->extent[d] >= 16 && h->rectangular[d])
                found = d;
    }
    return found;
}

/* Dimensions along which the written array is contiguous first, then a long one of the body's. */
static void find_candidates(part *p)
{
    const sq_shape *h = &p->shape;
    for (int i = 0; i < h->noperands; i++) {
        const sq_operand *o = &h->operand[i];
        for (int d = 0; o->written && d < h->nfree; d++)
            if (o->nsubs && o->coef[o->nsubs - 1][d] == 1 && !p->ncandidates)
                p->candidate[p->ncandidates++] = d;
    }
    if (!h->group->stmt[0]->updates || !p->ncandidates)
        return;
    int best = -1;
    for (int d = 0; d < h->nfree; d++)
        if (sq_shape_part(h, d, p->candidate[0]) == SQ_PART_ROW && h->extent[d] >= 16 &&
            (best < 0 || h->extent[d] > h->extent[best]))
            best = d;
    if (best >= 0 && h->extent[p->candidate[0]] % 16 != 0)
        p->candidate[p->ncandidates++] = best;
    int sum = h->group->stmt[0]->ordered ? -1 : contiguous_sum(h, p->candidate[0]);
    if (sum >= 0)
        p->candidate[p->ncandidates++] = sum;
}

static long native_lanes(const sq_sketch *s, const part *p)
{
    return s->target->vector_bytes / p->shape.bytes;
}

static void add_tile(builder *b)
{
    static const long rows[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 20, 24, 28};
    static const long rows2[] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const long vectors[] = {1, 2, 3, 4, 5, 6}, unroll[] = {1, 2, 4, 8};
    const sq_shape *h = &b->p->shape;
    long native = native_lanes(b->s, b->p), list[8];
    add(b, R_VECTOR, "vector", list, (int)count_to(b->p->ncandidates, list), 0, -1, true);
    list[0] = native / 2;
    list[1] = native;
    bool half = native >= 8;
    add(b, R_LANES, "lanes", half ? list : list + 1, half ? 2 : 1, native, -1, false);
    add(b, R_VECTORS, "vectors", vectors, 6, 2, -1, false);
    bool across = b->p->candidate[b->p->ncandidates - 1] >= h->nfree;
    if (h->nfree > 1 || across)
        add(b, R_ROWS, "rows", rows, 18, 6, -1, false);
    if (h->nfree > 2)
        add(b, R_ROWS2, "rows2", rows2, 8, 1, -1, false);
    if (h->ndim > h->nfree + 1)
        add(b, R_TAPS, "taps", list,
            (int)count_to(h->ndim - h->nfree + 1 < 5 ? h->ndim - h->nfree + 1 : 5, list), 5, -1,
            true);
    if (h->ndim > h->nfree)
        add(b, R_UNROLL, "unroll", unroll, 4, 1, -1, false);
}

static void add_blocks(builder *b)
{
    static const long kc[] = {16, 32, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 0};
    static const long nc[] = {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 2048, 3072, 0};
    static const long mc[] = {12, 24, 48, 72, 96, 120, 144, 192, 240, 288, 384, 480, 768, 1024, 0};
    static const long yc[] = {2, 4, 7, 8, 14, 16, 28, 56, 112, 0};
    const sq_shape *h = &b->p->shape;
    long list[20], longest_sum = 1, longest_free = 1;
    for (int d = 0; d < h->ndim; d++) {
        long *l = d < h->nfree ? &longest_free : &longest_sum;
        *l = h->extent[d] > *l ? (long)h->extent[d] : *l;
    }
    bool reduces = h->group->stmt[0]->updates != NULL;
    if (reduces && longest_sum > 16)
        add(b, R_KC, "kc", list, up_to(kc, longest_sum, list), 384, b->group * 4, false);
    if (reduces && longest_free > 32) {
        add(b, R_NC, "nc", list, up_to(nc, longest_free, list), 768, b->group * 4, false);
        add(b, R_MC, "mc", list, up_to(mc, longest_free, list), 192, b->group * 4, false);
    }
    if (h->nfree > 1 && longest_free > 4 && h->ndim > 3)
        add(b, R_YC, "yc", list, up_to(yc, longest_free, list), longest_free, -1, false);
    add(b, R_OUTER, "outer", list, reduces ? (int)count_to(6, list) : 0, 0, -1, true);
    add(b, R_INNER, "inner", list, h->nfree > 1 ? (int)count_to(2, list) : 0, 0, -1, true);
    if (b->s->threads > 1)
        add(b, R_PARALLEL, "parallel", list, (int)count_to(3, list), 1, -1, true);
}

static int walks(const sq_shape *h, const sq_array *a)
{
    int n = 0;
    for (int i = 0; i < h->noperands; i++)
        n += h->operand[i].array == a;
    return n;
}

/* Can the operand be packed in panels for a tile whose vector and rows are these. */
static bool panels_fit(const sq_operand *o, int vector, int row)
{
    if (sq_operand_moves(o, vector))
        return lone_unit(o, vector);
    return row >= 0 && lone_unit(o, row);
}

static void add_packs(builder *b)
{
    const sq_shape *h = &b->p->shape;
    bool reduces = h->group->stmt[0]->updates != NULL;
    for (int i = 0; i < h->noperands; i++) {
        const sq_operand *o = &h->operand[i];
        b->p->coord[R_PACK + i] = -1;
        if (o->written || !o->nsubs || !(o->padded || (reduces && o->in_body)))
            continue;
        if (walks(h, o->array) > 1 && !panels_fit(o, b->p->candidate[0], -1))
            continue;
        static const long packed[] = {SQ_PACKED_PLAIN, SQ_PACKED_PANELS},
                          free_to[] = {SQ_UNPACKED, SQ_PACKED_PLAIN, SQ_PACKED_PANELS};
        char name[40];
        snprintf(name, sizeof name, "pack.%s", o->array->name);
        add(b, (choice)(R_PACK + i), name, o->padded ? packed : free_to, o->padded ? 2 : 3,
            o->padded ? 1 : 0, -1, true);
    }
}

static void open_part(sq_sketch *s, const sq_group *g, const int64_t *sizes)
{
    part *p = &s->part[s->nparts];
    sq_shape_of(s->naive->kernel, g, sizes, s->arena, &p->shape);
    for (int r = 0; r < R_COUNT; r++)
        p->coord[r] = -1;
    find_candidates(p);
    if (!p->shape.tileable || !p->ncandidates)
        return;
    builder b = {s, p, s->nparts,
                 s->naive->ngroups > 1 ? sq_arena_printf(s->arena, "%s.", g->stmt[0]->name) : ""};
    s->nparts++;
    add_tile(&b);
    add_blocks(&b);
    add_packs(&b);
}

sq_sketch *sq_sketch_new(const sq_schedule *naive, const sq_machine *m, const sq_target *t,
                         const int64_t *sizes, int threads, sq_arena *arena)
{
    sq_sketch *s = SQ_NEW(arena, sq_sketch);
    *s = (sq_sketch){.naive = naive, .machine = m, .target = t, .threads = threads, .arena = arena};
    s->part = SQ_NEW_ARRAY(arena, part, naive->ngroups + 1);
    for (int g = 0; g < naive->ngroups; g++)
        open_part(s, naive->group[g], sizes);
    return s;
}

const sq_space *sq_sketch_space(const sq_sketch *s)
{
    return &s->space;
}

int sq_sketch_groups(const sq_sketch *s)
{
    return s->nparts;
}

/* ---- plans ---- */

static long get(const sq_sketch *s, const part *p, choice r, const int *point, long otherwise)
{
    int c = p->coord[r];
    return c < 0 ? otherwise : s->space.coord[c].value[point[c]];
}

static int64_t round_up(int64_t x, int64_t m)
{
    return (x + m - 1) / m * m;
}

static int64_t at_most(int64_t x, int64_t limit)
{
    return x < limit ? x : limit;
}

/* Longest free dimension of a part, not `except`; -1. */
static int longest(const sq_shape *h, sq_part want, int vector, int except)
{
    int best = -1;
    for (int d = 0; d < h->nfree; d++)
        if (d != vector && d != except && sq_shape_part(h, d, vector) == want &&
            (best < 0 || h->extent[d] >= h->extent[best]))
            best = d;
    return best;
}

static void choose_dims(const sq_sketch *s, const part *p, const int *point, sq_plan *q)
{
    const sq_shape *h = &p->shape;
    q->shape = h;
    q->vector = p->candidate[get(s, p, R_VECTOR, point, 0)];
    q->across = q->vector >= h->nfree;
    q->row = longest(h, SQ_PART_ROW, q->vector, -1);
    q->row2 = longest(h, SQ_PART_COLUMN, q->vector, -1);
    if (q->row < 0) {
        q->row = q->row2;
        q->row2 = q->row < 0 ? -1 : longest(h, SQ_PART_COLUMN, q->vector, q->row);
    }
}

/* Short reduction dimensions are unrolled in the tile, innermost first; the longest of the others
 * is the serial one. Where their order counts, the last ones are unrolled and the next is serial.
 */
static void choose_reductions(const sq_sketch *s, const part *p, const int *point, sq_plan *q)
{
    const sq_shape *h = &p->shape;
    long want = get(s, p, R_TAPS, point, 5), written = 1;
    bool ordered = h->group->stmt[0]->ordered;
    q->serial = -1;
    for (int d = h->ndim - 1; d >= h->nfree && want > 0; d--) {
        if (!h->known[d] || h->extent[d] > 16 || written * h->extent[d] > 64) {
            if (ordered)
                break;
            continue;
        }
        q->points[d] = h->extent[d];
        written *= (long)h->extent[d];
        want--;
    }
    for (int d = h->nfree; d < h->ndim; d++)
        if (q->points[d] <= 1 && (ordered || q->serial < 0 || h->extent[d] > h->extent[q->serial]))
            q->serial = d;
}

static void choose_tile(const sq_sketch *s, const part *p, const int *point, sq_plan *q)
{
    const sq_shape *h = &p->shape;
    for (int d = 0; d < h->ndim; d++)
        q->points[d] = 1;
    choose_reductions(s, p, point, q);
    q->lanes = (int)get(s, p, R_LANES, point, native_lanes(s, p));
    int64_t vectors = q->across ? 1 : get(s, p, R_VECTORS, point, 1);
    if (q->across)
        q->serial = q->vector;
    q->points[q->vector] = at_most(vectors * q->lanes, round_up(h->extent[q->vector], q->lanes));
    if (q->row >= 0)
        q->points[q->row] = at_most(get(s, p, R_ROWS, point, 1), h->extent[q->row]);
    if (q->row2 >= 0)
        q->points[q->row2] = at_most(get(s, p, R_ROWS2, point, 1), h->extent[q->row2]);
    q->unroll = q->serial < 0 ? 1 : (int)get(s, p, R_UNROLL, point, 1);
}

/* A cache tile, a multiple of the tile's points; none where one block holds everything. */
static void choose_block(sq_plan *q, int d, long want)
{
    if (d < 0 || want <= 0)
        return;
    int64_t points = q->points[d] > 1 ? q->points[d] : 1, b = round_up(want, points);
    bool whole = b >= q->shape->extent[d] && q->shape->known[d];
    q->block[d] = whole || (b <= points && d < q->shape->nfree) ? 0 : b;
}

/* A copy needs a known size: dimensions that hang on sizes are cut into blocks for it. */
static void bound_copies(sq_plan *q)
{
    for (int i = 0; i < q->shape->noperands; i++)
        for (int d = 0; d < q->shape->ndim; d++) {
            bool cut = q->packing[i] != SQ_UNPACKED && sq_operand_moves(&q->shape->operand[i], d) &&
                       !q->shape->known[d] && !q->block[d];
            sq_part role = sq_shape_part(q->shape, d, q->vector);
            if (cut && role == SQ_PART_SUM && !q->shape->rectangular[d]) {
                q->packing[i] = SQ_UNPACKED; /* its range cannot be cut */
                break;
            }
            bool kept =
                role == SQ_PART_SUM &&
                (d != q->serial || (q->shape->group->stmt[0]->ordered && d > q->shape->nfree));
            if (!cut || role == SQ_PART_BATCH || kept)
                continue;
            q->block[d] = round_up(role == SQ_PART_SUM ? 64
                                   : d == q->vector    ? 64
                                                       : 16,
                                   q->points[d] > 1 ? q->points[d] : 1);
        }
}

static void choose_blocks(const sq_sketch *s, const part *p, const int *point, sq_plan *q)
{
    long kc = get(s, p, R_KC, point, 0);
    if (q->across)
        return; /* sums stay in lanes from beginning to end */
    bool first = q->serial == p->shape.nfree || !p->shape.group->stmt[0]->ordered;
    if (q->serial >= 0 && p->shape.rectangular[q->serial] && first)
        choose_block(q, q->serial, kc);
    choose_block(q, q->vector, get(s, p, R_NC, point, 0));
    if (q->row >= 0 && sq_shape_part(&p->shape, q->row, q->vector) == SQ_PART_ROW)
        choose_block(q, q->row, get(s, p, R_MC, point, 0));
    int y = q->row2 >= 0 ? q->row2 : q->row;
    if (y >= 0 && sq_shape_part(&p->shape, y, q->vector) == SQ_PART_COLUMN)
        choose_block(q, y, get(s, p, R_YC, point, 0));
}

static void add_loop(sq_plan *q, int d, bool block)
{
    if (q->nloops < SQ_MAX_LOOPS)
        q->loop[q->nloops++] = (sq_plan_loop){d, block ? q->block[d] : q->points[d], block, false};
}

static void add_free_loops(sq_plan *q, sq_part want, int last)
{
    for (int d = 0; d < q->shape->nfree; d++)
        if (d != last && sq_shape_part(q->shape, d, q->vector) == want)
            add_loop(q, d, false);
    if (last >= 0)
        add_loop(q, last, false);
}

static void add_blocks_of(sq_plan *q, sq_part want)
{
    for (int d = 0; d < q->shape->ndim; d++)
        if (q->block[d] && sq_shape_part(q->shape, d, q->vector) == want)
            add_loop(q, d, true);
}

static void choose_loops(const sq_sketch *s, const part *p, const int *point, sq_plan *q)
{
    static const sq_part outer[6][3] = {
        {SQ_PART_COLUMN, SQ_PART_SUM, SQ_PART_ROW}, {SQ_PART_SUM, SQ_PART_COLUMN, SQ_PART_ROW},
        {SQ_PART_SUM, SQ_PART_ROW, SQ_PART_COLUMN}, {SQ_PART_ROW, SQ_PART_SUM, SQ_PART_COLUMN},
        {SQ_PART_COLUMN, SQ_PART_ROW, SQ_PART_SUM}, {SQ_PART_ROW, SQ_PART_COLUMN, SQ_PART_SUM}};
    const sq_part *o = outer[get(s, p, R_OUTER, point, 0)];
    bool rows_inside = get(s, p, R_INNER, point, 0) == 0;
    add_free_loops(q, SQ_PART_BATCH, -1);
    for (int i = 0; i < 3; i++)
        add_blocks_of(q, o[i]);
    for (int d = q->shape->nfree; d < q->shape->ndim; d++)
        if (q->points[d] <= 1 && d != q->serial)
            add_loop(q, d, false);
    bool row_is_row = q->row >= 0 && sq_shape_part(q->shape, q->row, q->vector) == SQ_PART_ROW;
    if (!rows_inside)
        add_free_loops(q, SQ_PART_ROW, row_is_row ? q->row : -1);
    add_free_loops(q, SQ_PART_COLUMN, q->across ? -1 : q->vector);
    if (rows_inside)
        add_free_loops(q, SQ_PART_ROW, row_is_row ? q->row : -1);
}

/* Where a copy is made: the innermost of the loops around the blocks that the operand moves along.
 */
static int pack_place(const sq_plan *q, const sq_operand *o)
{
    int place = -1;
    for (int l = 0; l < q->nloops; l++) {
        int d = q->loop[l].dim;
        sq_part role = sq_shape_part(q->shape, d, q->vector);
        bool around = q->loop[l].block || role == SQ_PART_BATCH ||
                      (role == SQ_PART_SUM && !q->shape->known[d]);
        if (around && sq_operand_moves(o, d))
            place = l;
    }
    return place;
}

static void choose_packs(const sq_sketch *s, const part *p, const int *point, sq_plan *q)
{
    for (int i = 0; i < p->shape.noperands; i++) {
        const sq_operand *o = &p->shape.operand[i];
        q->packing[i] = q->across ? SQ_UNPACKED
                                  : (sq_packing)get(s, p, (choice)(R_PACK + i), point, SQ_UNPACKED);
        if (q->packing[i] == SQ_PACKED_PANELS && !panels_fit(o, q->vector, q->row))
            q->packing[i] = SQ_PACKED_PLAIN;
        if (q->packing[i] == SQ_PACKED_PLAIN && walks(&p->shape, o->array) > 1)
            q->packing[i] = SQ_UNPACKED;
    }
}

static void place_packs(sq_plan *q)
{
    for (int i = 0; i < q->shape->noperands; i++)
        q->pack_loop[i] = pack_place(q, &q->shape->operand[i]);
}

static int64_t trips(const sq_plan *q, int l)
{
    int d = q->loop[l].dim;
    int64_t n = !q->loop[l].block && q->block[d] ? at_most(q->block[d], q->shape->extent[d])
                                                 : q->shape->extent[d];
    return (n + q->loop[l].step - 1) / q->loop[l].step;
}

/* The nth loop from outside over a free dimension that has work for every thread; where none has,
 * the one with the most. */
static void choose_parallel(const sq_sketch *s, const part *p, const int *point, sq_plan *q)
{
    long nth = get(s, p, R_PARALLEL, point, 0);
    int best = -1;
    for (int l = 0; l < q->nloops && nth > 0; l++) {
        if (q->loop[l].dim >= q->shape->nfree || trips(q, l) < 2)
            continue;
        if (best < 0 || trips(q, l) > trips(q, best))
            best = l;
        if (trips(q, l) >= s->threads && --nth == 0)
            best = l;
    }
    if (best >= 0)
        q->loop[best].parallel = true;
}

void sq_sketch_plan(const sq_sketch *s, int group, const int *point, sq_plan *q)
{
    const part *p = &s->part[group];
    memset(q, 0, sizeof *q);
    choose_dims(s, p, point, q);
    choose_tile(s, p, point, q);
    choose_blocks(s, p, point, q);
    choose_packs(s, p, point, q);
    bound_copies(q);
    choose_loops(s, p, point, q);
    place_packs(q);
    choose_parallel(s, p, point, q);
}

void sq_sketch_script(const sq_sketch *s, const int *point, sq_text *to)
{
    for (int i = 0; i < s->nparts; i++) {
        sq_plan q;
        sq_sketch_plan(s, i, point, &q);
        if (s->naive->ngroups > 1)
            sq_text_printf(to, "%s: ", q.shape->group->stmt[0]->name);
        sq_plan_script(&q, to);
    }
    while (to->n && to->s[to->n - 1] == ' ')
        to->s[--to->n] = 0;
}

double sq_sketch_cost(const sq_sketch *s, const int *point)
{
    double seconds = 0;
    for (int i = 0; i < s->nparts; i++) {
        sq_plan q;
        sq_sketch_plan(s, i, point, &q);
        seconds += sq_draft_cost(&q, s->machine, s->target, s->threads);
    }
    return seconds;
}
