/* Draft: cost of a plan in cycles, term by term. The slowest of work and the traffics counts in
 * full, a share of the others on top.
 *     work     per step of the serial loop the largest of: multiply-adds over ports, loads over
 *              ports, the latency of one accumulator's chain, instructions over issue width
 *     tile     clearing and storing accumulators, partial sums, call
 *     traffic  bytes that cross into each cache, by footprints of the loops
 *     copies   elements packed, times how dear a copy of that shape is */
#include "tuner/model/draft.h"
#include "codegen/isa/isa.h"
#include "tuner/space/chain.h"
#include "tuner/model/draft_point.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limits of the method: the same on every machine. */
enum {
    SHORT_TEXT = 16,      /* references at one point that count as nothing */
    MAX_STEP = 512,       /* multiply-adds in one step */
    MAX_WRITTEN = 3000,   /* and in all texts of the tile */
    MAX_COPIED = 1 << 25, /* elements of one buffer */
    CLOSE = 512           /* bytes between rows that share lines */
};

static double ceil_div(double a, double b)
{
    return ceil(a / b);
}

/* ---- the tile ---- */

static double extent(const sq_costing *c, int d)
{
    return (double)c->h->extent[d];
}

/* Steps of the serial loop in one tile. */
static double steps(const sq_costing *c)
{
    int s = c->q->serial;
    if (s < 0)
        return 1;
    double n = extent(c, s);
    if (c->q->across) {
        double lanes = c->q->lanes * sq_draft_terms(c);
        return c->h->known[s] ? floor(n / lanes) + fmod(n, lanes) : ceil_div(n, lanes);
    }
    return c->q->block[s] && (double)c->q->block[s] < n ? (double)c->q->block[s] : n;
}

/* How often sums pass through memory. */
static double passes(const sq_costing *c)
{
    double n = 1;
    for (int d = c->h->nfree; d < c->h->ndim; d++) {
        if (d == c->q->serial)
            n *= c->q->across ? 1 : ceil_div(extent(c, d), steps(c));
        else if (c->q->points[d] <= 1)
            n *= extent(c, d);
    }
    return n;
}

/* Tiles along a dimension of unknown length, of vectors, or of rows that share nothing: as likely a fourth or a
 * sixteenth of the guess, where a tile of many points is masked for the most part. Each counts for as many points
 * as the guess has.
 * masked: tiles' worth that the last one costs in addition. */
static double guessed_tiles(double e, double p, double masked)
{
    static const double likely[] = {1, 4, 16}; /* times shorter than the guess */
    double sum = 0;
    int n = (int)(sizeof likely / sizeof *likely);
    for (int i = 0; i < n; i++)
        sum += likely[i] * (ceil_div(e / likely[i], p) + masked);
    return sum / n;
}

/* True if whole vectors take what is left over along the lanes: codegen/nest/lower_ends.c. */
static bool ends_in_vectors(const sq_costing *c)
{
    bool can = c->t && !c->t->grid && c->t->isa->slow_masks && !sq_draft_reduces(c->h) &&
               c->h->rectangular[c->q->vector];
    for (int i = 0; i < c->h->noperands && can; i++)
        can = !c->h->operand[i].written || sq_draft_lane_step(c->q, i) == 1 || sq_draft_is_interleaved(c, i);
    return can;
}

/* Tiles along the vector dimension, whose length is not known. */
static double vector_tiles(const sq_costing *c, double e, double p)
{
    bool in_vectors = ends_in_vectors(c);
    double each = in_vectors ? c->q->lanes : p;
    double masked = !sq_draft_is_point(c) ? 0
                    : in_vectors          ? c->m->cost->end_vector * (p / each - 1) / 2
                                          : c->m->cost->masked_tile;
    return (c->h->guessed ? guessed_tiles(e, each, masked) : ceil_div(e, each)) * each / p;
}

/* Tiles along the vector dimension, whose length is known: the last one has the vectors that are left, and where these
 * are few it waits for its sums. */
static double known_vector_tiles(const sq_costing *c, double e, double p)
{
    double all = ceil_div(e, c->q->lanes) * c->q->lanes / p, left = all - floor(all);
    return left > 0 ? floor(all) + fmax(left, fmin(1, sq_draft_chain_cycles(c) / sq_draft_step_cycles(c))) : all;
}

/* True if lanes lie along a sum of which a tile has other terms, too: rows share nothing then, and whole ones count. */
static bool is_short_sum(const sq_costing *c)
{
    return c->q->across && c->count.terms > 1;
}

/* Tiles of p points along a row dimension of known length: each block of it ends with what it has left. */
static double row_tiles(const sq_costing *c, int d, double p)
{
    double e = extent(c, d), block = c->q->block[d] ? fmin(e, (double)c->q->block[d]) : e;
    double rests = floor(e / block) * (fmod(block, p) != 0) + (fmod(fmod(e, block), p) != 0);
    return e / p + c->m->cost->rest_tile * rests;
}

/* Tiles over the free dimensions, partial ones at what they cost: remainders of known sizes have a text of their own,
 * others run the masked whole or, along the lanes, whole vectors. Rows of several unknown lengths have as many. */
static double tiles(const sq_costing *c)
{
    double n = 1;
    int unknown = 0;
    for (int d = 0; d < c->h->nfree; d++) {
        double p = (double)c->q->points[d], e = extent(c, d);
        unknown += d != c->q->vector && p > 1 && !c->h->known[d];
        if (d == c->q->vector)
            n *= c->h->known[d] ? known_vector_tiles(c, e, p) : vector_tiles(c, e, p);
        else if (c->h->known[d])
            n *= row_tiles(c, d, p);
        else
            n *= is_short_sum(c) && c->h->guessed ? guessed_tiles(e, p, 0) : ceil_div(e, p);
    }
    return unknown > 1 ? n * (1 + c->m->cost->unknown_rows * (unknown - 1)) : n;
}

/* Texts of the tile: whole and remaining points along each dimension, or whole and masked. */
static double variants(const sq_costing *c)
{
    double n = 1;
    bool masked = false;
    for (int d = 0; d < c->h->nfree; d++) {
        masked |= !c->h->known[d] && c->q->points[d] > 1;
        n *= c->h->known[d] && c->h->extent[d] % c->q->points[d] ? 2 : 1;
    }
    return masked ? 2 : n;
}

/* References at one point. */
static int references(const sq_costing *c)
{
    int n = 0;
    for (int i = 0; i < c->h->noperands; i++)
        n += c->h->operand[i].nrefs;
    return n;
}

/* How much longer than a multiply-add the text of one point is: a filter written out reads all of
 * its taps there. */
static double length(const sq_costing *c)
{
    return fmax(1, references(c) - SHORT_TEXT);
}

/* True if the tile is one vector, whose operands are loaded as vectors: no text is shorter. */
static bool is_shortest(const sq_costing *c)
{
    return c->count.sums * c->count.terms <= 1 && sq_draft_written_steps(c) <= 1 && c->count.loads <= references(c);
}

/* Multiply-adds written out, in a step and in all. Beyond some hundreds a step leaves the cache of
 * decoded instructions, and compiling the file takes longer than measuring it. Lanes that are loaded one by one count
 * where they are more: compilers take minutes for thousands of them. */
static bool too_long(const sq_costing *c)
{
    double step = fmax(c->count.sums * c->count.terms, c->count.loads) * length(c);
    double all = step * (sq_draft_written_steps(c) + (sq_draft_written_steps(c) > 1)) * variants(c);
    return !is_shortest(c) && (step * sq_draft_written_steps(c) > MAX_STEP || all > MAX_WRITTEN);
}

/* Share of the points that a tile cannot take whole because dimensions whose ranges depend on each
 * other are more than one point wide in it; those are computed one by one. A serial loop that ends
 * elsewhere for every row leaves none. */
static double ragged(const sq_costing *c)
{
    double wide = 0, longest = 1;
    int n = 0, s = c->q->serial;
    for (int d = 0; d < c->h->ndim; d++) {
        if (c->h->rectangular[d] || d == s || c->q->points[d] <= 1)
            continue;
        n++;
        wide += (double)c->q->points[d];
        longest = fmax(longest, extent(c, d));
    }
    if (n > 0 && s >= 0 && !c->h->rectangular[s])
        return 1;
    return n < 2 ? 0 : fmin(1, wide / longest);
}

static double all_points(const sq_costing *c)
{
    double n = 1;
    for (int d = 0; d < c->h->ndim; d++)
        n *= extent(c, d);
    return n;
}

static double work_cycles(const sq_costing *c)
{
    if (too_long(c) || c->q->useless)
        return INFINITY;
    const sq_machine_cost *cost = c->m->cost;
    double acc = c->count.sums, p = passes(c);
    double per_tile =
        steps(c) * sq_draft_step_cycles(c) + (c->q->serial < 0 ? cost->point_tile : cost->tile);
    per_tile += acc * (p > 1 ? cost->partial_sum : cost->stored_sum);
    per_tile += acc * (c->q->split - 1);
    if (c->q->across)
        per_tile += acc * c->q->lanes * cost->added_lane;
    for (int i = 0; i < c->h->noperands && !c->q->across; i++)
        per_tile += acc * sq_draft_scattering(c, i);
    double apart = ragged(c), one_by_one = all_points(c) * fmax(1, c->h->flops);
    return (1 - apart) * tiles(c) * p * per_tile + apart * one_by_one * cost->single_point;
}

/* ---- traffic ---- */

/* Elements along subscript a of an operand that a box of len[] points touches. */
static double along_subscript(const sq_costing *c, const sq_operand *o, int a)
{
    double n = 1 + (double)o->window[a];
    for (int d = 0; d < c->h->ndim; d++)
        if (o->coef[a][d])
            n += fabs((double)o->coef[a][d]) * (double)(c->len[d] - 1);
    return !o->padded && n > (double)o->extent[a] ? (double)o->extent[a] : n;
}

/* Finds how long the rows of copies in the array's order are. */
static void measure_copies(sq_costing *c)
{
    for (int i = 0; i < c->h->noperands; i++) {
        c->copied_row[i] = 0;
        if (c->q->packing[i] != SQ_PACKED_PLAIN)
            continue;
        sq_plan_fillings(c->q, i, c->len);
        c->copied_row[i] = along_subscript(c, &c->h->operand[i], c->h->operand[i].nsubs - 1);
    }
}

/* Elements of a row in whole lines: they begin anywhere in one, which is half a line more on average. Those of a panel
 * are all used, and so are whole rows of a copy in the array's order; one in phases has as many rows as phases. */
static double in_lines(const sq_costing *c, int i, double along)
{
    const sq_operand *o = &c->h->operand[i];
    bool plain = c->q->packing[i] == SQ_PACKED_PLAIN;
    double line = c->m->cost->cache_line, step = plain ? fmax(1, (double)o->coef[o->nsubs - 1][c->q->vector]) : 1;
    if (sq_draft_is_packed(c, i) && step <= 1 && (!plain || along >= c->copied_row[i]))
        return along;
    double n = fmin(step, along) * (ceil(along / step * o->bytes / line) + 0.5) * line / o->bytes;
    return plain && step <= 1 ? fmin(n, c->copied_row[i]) : n;
}

/* Rows of an operand that such a box touches: those of each reference at most. */
static double rows_touched(const sq_costing *c, const sq_operand *o, const double *along)
{
    double n = 1, most = o->nrows;
    for (int a = 0; a < o->nsubs - 1; a++)
        n *= along[a];
    for (int d = 0; d < c->h->ndim; d++)
        for (int a = 0; a < o->nsubs - 1; a++)
            if (o->coef[a][d]) {
                most *= (double)c->len[d];
                break;
            }
    return fmin(n, most);
}

/* Pages of an operand that such a box touches, where rows beyond a page lie on pages of their own. */
static double pages_touched(const sq_costing *c, const sq_operand *o)
{
    double n = 1, page = c->m->cost->page, span = along_subscript(c, o, o->nsubs - 1) * o->bytes;
    for (int a = 0; a < o->nsubs - 1; a++) {
        double rows = along_subscript(c, o, a), apart = (double)o->stride[a] * o->bytes;
        if (apart >= page)
            n *= rows;
        else
            span += (rows - 1) * apart;
    }
    return n * ceil(span / page);
}

/* Bytes of an operand that such a box touches, in whole lines. Rows close to each other share lines, and so do those of
 * a matrix of short ones, as pixels are. */
static double footprint(const sq_costing *c, int i)
{
    const sq_operand *o = &c->h->operand[i];
    double n = 1, span = 1, line = c->m->cost->cache_line, along[SQ_MAX_SUBS];
    for (int a = 0; a < o->nsubs; a++) { /* from the first to the last of these elements */
        along[a] = along_subscript(c, o, a);
        span += (along[a] - 1) * (double)o->stride[a];
    }
    if (o->nsubs > 0)
        n = rows_touched(c, o, along) * in_lines(c, i, along[o->nsubs - 1]);
    double between = span * o->bytes;
    bool short_rows = o->nsubs == 2 && (double)o->stride[0] * o->bytes < line;
    return between > CLOSE && !short_rows ? n * o->bytes : fmin(n * o->bytes, between + line);
}

/* Rows of an operand inside the loops looked at. */
static double rows_of(const sq_costing *c, const sq_operand *o)
{
    double rows = 1;
    for (int d = 0; d < c->h->ndim; d++)
        rows += fabs((double)o->coef[o->nsubs - 2][d]) * (double)(c->len[d] - 1);
    return rows;
}

/* True if the rows of operand i crowd each other out of a cache, whatever they hold. */
static bool is_crowded(const sq_costing *c, int i, double cache)
{
    const sq_operand *o = &c->h->operand[i];
    return sq_draft_in_rows(c, i) && cache < c->m->cost->crowded_cache && sq_draft_knows_rows(c) &&
           rows_of(c, o) > sq_draft_rows_that_fit(c, o, cache);
}

/* True if these footprints fit into a cache together; one whose rows crowd each other out counts as larger. */
static bool fit_in(const sq_costing *c, const double *bytes, double cache)
{
    double n = 0;
    for (int i = 0; i < c->h->noperands; i++)
        n += is_crowded(c, i, cache) ? fmax(bytes[i], cache) : bytes[i];
    return n <= c->m->cost->cache_share * cache;
}

static void inside_tile(sq_costing *c)
{
    for (int d = 0; d < c->h->ndim; d++)
        c->len[d] = c->q->points[d] > 1 ? c->q->points[d] : 1;
    if (c->q->serial >= 0)
        c->len[c->q->serial] = c->q->across ? c->h->extent[c->q->serial] : (int64_t)steps(c);
}

/* What groups that share loops leave to each other in the cache. */
static void mark_kept(const sq_costing *c, bool *kept)
{
    for (int i = 0; i < c->h->noperands; i++)
        kept[i] = sq_chain_keeps(c->q->chain, c->h->group, &c->h->operand[i]);
}

/* True if the next iteration over rows of an operand, which begins in the line in which this one ends, finds that line
 * still there. Those that walk down many pages lose what sharing gains, but for stores. */
static bool shares_line(const sq_costing *c, const sq_operand *o)
{
    bool is_only_stored = sq_draft_is_point(c) && !o->read;
    return is_only_stored || o->nsubs < 2 || pages_touched(c, o) <= c->m->cost->open_pages;
}

/* Share of what an iteration of a loop over d touches of an operand that the one before it did not: where windows
 * slide, their rows stay, and where iterations lie side by side, the line that they share. len[] is what an iteration
 * covers. */
static double new_share(const sq_costing *c, int i, int d)
{
    const sq_operand *o = &c->h->operand[i];
    double share = 1;
    for (int a = 0; a < o->nsubs; a++) {
        double moved = fabs((double)o->coef[a][d]) * (double)c->len[d],
               along = along_subscript(c, o, a);
        if (moved > 0 && (moved < along || (moved == along && shares_line(c, o))))
            share = fmin(share, moved / (a < o->nsubs - 1 ? along : in_lines(c, i, along)));
    }
    return share;
}

/* What a tile touches of each operand, bytes[nloops], and an iteration of what is around each loop, bytes[l]: the same
 * for every cache. */
static void touched(sq_costing *c, double bytes[][SQ_MAX_OPERANDS])
{
    measure_copies(c);
    inside_tile(c);
    for (int l = c->q->nloops; l >= 0; l--) {
        if (l < c->q->nloops)
            c->len[c->q->loop[l].dim] = sq_plan_covered(c->q, l);
        for (int i = 0; i < c->h->noperands; i++)
            bytes[l][i] = footprint(c, i);
    }
}

/* How many times longer operand i takes to read, where groups share loops over few columns and walk down all rows in
 * each iteration: every page begins without what is fetched ahead. len[]: inside of the shared loops. */
static double walking(const sq_costing *c, int i)
{
    const sq_operand *o = &c->h->operand[i];
    if (o->nsubs < 2 || sq_draft_is_packed(c, i) || pages_touched(c, o) <= c->m->cost->open_pages)
        return 1;
    return 1 + c->m->cost->begun_page / fmax(c->m->cost->cache_line, along_subscript(c, o, o->nsubs - 1) * o->bytes);
}

/* Bytes that cross into a cache of this size; inside: as from touched(). */
static double traffic(sq_costing *c, double inside[][SQ_MAX_OPERANDS], double cache)
{
    double bytes[SQ_MAX_OPERANDS];
    bool kept[SQ_MAX_OPERANDS] = {false};
    inside_tile(c);
    memcpy(bytes, inside[c->q->nloops], sizeof bytes);
    bool fits = fit_in(c, bytes, cache);
    for (int l = c->q->nloops - 1; l >= 0; l--) {
        bool body_fits = fits;
        if (l == c->q->shared - 1) {
            for (int i = 0; i < c->h->noperands; i++)
                bytes[i] *= cache >= (double)c->m->l3 ? walking(c, i) : 1;
            if (body_fits)
                mark_kept(c, kept);
        }
        int d = c->q->loop[l].dim;
        double trips = (double)sq_plan_trips(c->q, l);
        double share[SQ_MAX_OPERANDS];
        for (int i = 0; i < c->h->noperands; i++)
            share[i] = body_fits ? new_share(c, i, d) : 1;
        c->len[d] = sq_plan_covered(c->q, l);
        fits = fit_in(c, inside[l], cache);
        for (int i = 0; i < c->h->noperands; i++) {
            if (fits)
                bytes[i] = inside[l][i];
            else if (sq_operand_moves(&c->h->operand[i], d) || !body_fits)
                bytes[i] *= 1 + (trips - 1) * share[i];
        }
    }
    /* What is in the second cache is still there for the next iteration around. */
    bool is_near = fit_in(c, inside[0], (double)c->m->l2);
    double sum = 0;
    for (int i = 0; i < c->h->noperands; i++) {
        double again = is_near && c->h->operand[i].stays ? c->h->again : 1;
        sum += kept[i] ? 0 : bytes[i] / again * (c->h->operand[i].written ? 2 : 1);
    }
    return sum;
}

/* ---- copies ---- */

/* True if a call fills the copies of an operand: those of a packed array are there before. */
static bool is_filled(const sq_costing *c, int i)
{
    return sq_draft_is_packed(c, i) && !c->h->operand[i].array->is_packed;
}

/* How much dearer large panels make a plan. What is larger than the last cache is read from memory
 * like the array, and a program pays for it in every thread that calls. A price and no wall: in a
 * space of many loops most points are beyond it, and a descent from there has to find its way back.
 * The wall is sq_draft_choice's. */
static double panels_penalty(sq_costing *c)
{
    double sum = 0;
    for (int i = 0; i < c->h->noperands; i++) {
        const sq_operand *o = &c->h->operand[i];
        if (!is_filled(c, i))
            continue;
        sq_plan_fillings(c->q, i, c->len);
        double n = footprint(c, i) / o->bytes;
        sum += n > MAX_COPIED ? INFINITY : n * (o->converts ? 4 : o->bytes);
    }
    bool fitted = true;
    for (int d = 0; d < c->h->ndim; d++)
        fitted = fitted && c->h->known[d];
    double times = sum / (fitted ? SQ_PANELS_FITTED : SQ_PANELS_DEAR);
    return times <= 1 || (c->q->roomy && isfinite(times))
               ? 1
               : c->m->cost->large_panels * times * times;
}

/* True if the copy of an operand takes elements one by one. */
static bool copies_elements(const sq_costing *c, int i)
{
    const sq_operand *o = &c->h->operand[i];
    int d = sq_operand_moves(o, c->q->vector) ? c->q->vector : c->q->row;
    if (c->q->packing[i] == SQ_PACKED_PANELS)
        return sq_operand_step(o, d) != 1;
    int64_t step = c->q->packing[i] == SQ_PACKED_PLAIN ? o->coef[o->nsubs - 1][c->q->vector] : 1;
    bool shuffles = step <= SQ_STRIDE_MOST && !o->converts && sq_strided_shuffles(o->bytes, c->t);
    return step > 1 && !shuffles;
}

/* Share of its room that a copy fills on average: the last block of a dimension has what is left. */
static double filled_share(const sq_costing *c, int i)
{
    double share = 1;
    for (int l = 0; l <= c->q->pack_loop[i]; l++) {
        double covered = (double)sq_plan_covered(c->q, l), step = fmin((double)c->q->loop[l].step, covered);
        if (sq_operand_moves(&c->h->operand[i], c->q->loop[l].dim))
            share *= covered / ((double)sq_plan_trips(c->q, l) * step);
    }
    return share;
}

/* Cycles to touch the memory of a copy for the first time, shared among the runs of its nest. */
static double fresh_cycles(const sq_costing *c, double bytes)
{
    return c->q->thrifty ? bytes * c->m->cost->fresh_byte / c->h->times : 0;
}

static double copy_cycles(sq_costing *c, int i, double hz)
{
    const sq_operand *o = &c->h->operand[i];
    if (!is_filled(c, i))
        return 0;
    double times = sq_plan_fillings(c->q, i, c->len), bytes = footprint(c, i) * filled_share(c, i);
    const sq_machine_cost *cost = c->m->cost;
    double each = copies_elements(c, i) ? cost->turned_element : cost->copied_element;
    double times_memory = sq_draft_is_idle_copy(c, i) ? cost->idle_bandwidth : cost->copied_bandwidth;
    double read = hz / (times_memory * 1e9 * c->m->bandwidth);
    return times * (bytes * (each / o->bytes + read) + cost->copy) + fresh_cycles(c, bytes);
}

/* Seconds when threads share a loop: the slowest thread counts, and every entry of the region. */
static double shared_time(const sq_costing *c, double seconds, int threads)
{
    double regions = 1;
    for (int l = 0; l < c->q->nloops; l++) {
        double trips = (double)sq_plan_trips(c->q, l);
        if (c->q->loop[l].parallel)
            return seconds * ceil_div(trips, threads) / trips +
                   regions * c->m->cost->parallel_region;
        regions *= trips;
    }
    return seconds;
}

/* Cycles a second. */
static double clock_of(const sq_machine *m)
{
    return m->peak_f32 * 1e9 / (2 * m->fma_per_cycle * m->vector_bytes / sizeof(float));
}

void sq_draft_traffic(const sq_plan *q, const sq_machine *m, double bytes[3])
{
    sq_costing c = {.q = q, .h = q->shape, .m = m};
    const int64_t cache[] = {m->l1, m->l2, m->l3};
    double inside[SQ_MAX_LOOPS + 1][SQ_MAX_OPERANDS];
    touched(&c, inside);
    for (int l = 0; l < 3; l++)
        bytes[l] = traffic(&c, inside, (double)cache[l]);
}

double sq_draft_cost(const sq_plan *q, const sq_machine *m, const sq_target *t, int threads)
{
    sq_costing c = {.q = q, .h = q->shape, .m = m, .t = t, .count = sq_draft_counted(q, t)};
    double hz = clock_of(m);
    double work = work_cycles(&c);
    if (!isfinite(work))
        return INFINITY;
    double inside[SQ_MAX_LOOPS + 1][SQ_MAX_OPERANDS];
    touched(&c, inside);
    double l2 = traffic(&c, inside, (double)m->l1) / m->cost->l2_bandwidth;
    double l3 = traffic(&c, inside, (double)m->l2) / m->cost->l3_bandwidth;
    double mem = traffic(&c, inside, (double)m->l3) * hz / (m->bandwidth * 1e9);
    double most = fmax(fmax(work, l2), fmax(l3, mem)), copies = 0;
    for (int i = 0; i < c.h->noperands; i++)
        copies += copy_cycles(&c, i, hz);
    double rest = m->cost->overlap * (work + l2 + l3 + mem - most);
    double entry = c.h->times == 1 ? m->cost->nest : m->cost->inner_nest;
    double total = most + rest + copies + entry;
    return c.h->times * shared_time(&c, total * panels_penalty(&c) / hz, threads);
}
