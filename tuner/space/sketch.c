/* Sketch: plans and scripts; see sketch.h. The order of a plan's loops is always
 *     batch dimensions | blocks of column, sum and row | other reductions | rows and columns
 * where the order of the blocks and of the last two is a choice. */
#include "tuner/space/sketch_inside.h"
#include "tuner/model/ansor_features.h"
#include "tuner/model/pruner_features.h"
#include "tuner/model/draft.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Limits on short reductions, which tiles may unroll. */
enum { MOST_TERMS = 16, MOST_WRITTEN = 64 /* for all of them together */ };
/* Block sizes of dimensions that are blocked only because of a copy. */
enum { COPIED_BLOCK = 64, COPIED_ROWS = 16 };

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

/* True if adjacent points along d read common elements: taps, or different constants. */
static bool slides(const sq_shape *h, int d)
{
    for (int i = 0; i < h->noperands; i++)
        for (int a = 0; a < h->operand[i].nsubs; a++) {
            const sq_operand *o = &h->operand[i];
            bool taps = o->window[a] > 0;
            for (int r = h->nfree; r < h->ndim; r++)
                taps |= o->coef[a][r] != 0;
            if (taps && o->coef[a][d] && (h->group->stmt[0]->updates == NULL || o->in_body))
                return true;
        }
    return false;
}

/* True if a tile can have all values of an index that decide what a point costs. */
static bool decides(const sq_shape *h, int d)
{
    return h->known[d] && h->extent[d] <= MOST_TERMS && h->index_work[d] > 0;
}

/* What speaks for a column in a tile: work that its values decide, else windows that slide along it. */
static int worth(const sq_shape *h, int d)
{
    return decides(h, d) ? 2 : slides(h, d) ? 1 : 0;
}

/* Returns the longest free dimension of a role, except `except`; of columns the longest of those that are
 * worth most; -1. */
static int longest(const sq_shape *h, sq_dim_role want, int vector, int except)
{
    int best = -1;
    for (int d = 0; d < h->nfree; d++) {
        if (d == vector || d == except || h->single[d] || sq_shape_role(h, d, vector) != want)
            continue;
        int more = want == SQ_DIM_COLUMN ? worth(h, d) : 0,
            most = best >= 0 && want == SQ_DIM_COLUMN ? worth(h, best) : 0;
        if (best < 0 || more > most || (more == most && h->extent[d] >= h->extent[best]))
            best = d;
    }
    return best;
}

/* Returns the dimension along which a statement's output is contiguous if it is strided along the
 * vector; -1. */
static int stored_along(const sq_shape *h, int vector)
{
    for (int i = 0; i < h->noperands && h->group->nstmts == 1; i++) {
        const sq_operand *o = &h->operand[i];
        if (!o->written || !o->nsubs || vector >= h->nfree || sq_operand_step(o, vector) == 1)
            continue;
        for (int d = 0; d < h->nfree; d++)
            if (d != vector && sq_operand_step(o, d) == 1 && !h->single[d])
                return d;
    }
    return -1;
}

static void choose_dims(const sq_sketch *s, const part *p, const int *point, sq_plan *q)
{
    const sq_shape *h = &p->shape;
    q->shape = h;
    q->vector = p->candidate[get(s, p, R_VECTOR, point, 0)];
    q->across = q->vector >= h->nfree;
    q->row = longest(h, SQ_DIM_ROW, q->vector, -1);
    q->row2 = longest(h, SQ_DIM_COLUMN, q->vector, -1);
    int stored = h->group->stmt[0]->updates ? -1 : stored_along(h, q->vector);
    if (stored >= 0) {
        q->row = stored;
        q->row2 = longest(h, SQ_DIM_COLUMN, q->vector, stored);
    } else if (q->row < 0) {
        q->row = q->row2;
        q->row2 = q->row < 0 ? -1 : longest(h, SQ_DIM_COLUMN, q->vector, q->row);
    }
}

/* Unrolls short reduction dimensions in the tile, innermost first; the longest of the others is the
 * serial one, or that which lanes lie along. If their order matters, the last ones are unrolled and
 * the next is serial. */
static void choose_reductions(const sq_sketch *s, const part *p, const int *point, sq_plan *q)
{
    const sq_shape *h = &p->shape;
    long want = get(s, p, R_TAPS, point, 5), written = 1;
    bool ordered = h->group->stmt[0]->ordered;
    q->serial = q->across ? q->vector : -1;
    for (int d = h->ndim - 1; d >= h->nfree && want > 0; d--) {
        if (q->across && d == q->vector)
            continue;
        if (!h->known[d] || h->extent[d] > MOST_TERMS || written * h->extent[d] > MOST_WRITTEN) {
            if (ordered)
                break;
            continue;
        }
        q->points[d] = h->extent[d];
        written *= (long)h->extent[d];
        want--;
    }
    for (int d = h->nfree; d < h->ndim && !q->across; d++)
        if (q->points[d] <= 1 && (ordered || q->serial < 0 || h->extent[d] > h->extent[q->serial]))
            q->serial = d;
}

/* Returns the lanes of vectors along a dimension: no more than it has points, if their number is
 * known. Those of a last vector of a sum that are too many are computed one by one: it has none. */
static int lanes_along(const sq_shape *h, int d, int lanes)
{
    while (h->known[d] && lanes > 2 && h->extent[d] <= (d < h->nfree ? lanes / 2 : lanes - 1))
        lanes /= 2;
    return lanes;
}

/* Returns the points of a tile along the dimension that is contiguous where lanes are not: whole squares, or all there
 * are of a few, which are put together in turn. */
static int64_t stored_points(const sq_shape *h, int d, int64_t points, int lanes)
{
    bool zipped = h->known[d] && (h->extent[d] == 2 || h->extent[d] == 3 || h->extent[d] == 4);
    return zipped ? h->extent[d] : round_up(points, lanes);
}

static void choose_tile(const sq_sketch *s, const part *p, const int *point, sq_plan *q)
{
    const sq_shape *h = &p->shape;
    for (int d = 0; d < h->ndim; d++)
        q->points[d] = 1;
    choose_reductions(s, p, point, q);
    q->lanes = lanes_along(h, q->vector, (int)get(s, p, R_LANES, point, sq_sketch_lanes(s, p)));
    int64_t vectors = q->across ? 1 : get(s, p, R_VECTORS, point, 1);
    q->points[q->vector] = at_most(vectors * q->lanes, round_up(h->extent[q->vector], q->lanes));
    if (q->row >= 0)
        q->points[q->row] = at_most(get(s, p, R_ROWS, point, 1), h->extent[q->row]);
    if (q->row >= 0 && q->row == stored_along(h, q->vector) && !h->group->stmt[0]->updates)
        q->points[q->row] = stored_points(h, q->row, q->points[q->row], q->lanes);
    if (q->row2 >= 0)
        q->points[q->row2] = at_most(get(s, p, R_ROWS2, point, 1), h->extent[q->row2]);
    q->unroll = q->serial < 0 ? 1 : (int)get(s, p, R_UNROLL, point, 1);
    q->split = q->serial < 0 ? 1 : (int)get(s, p, R_SPLIT, point, 1);
}

/* Sets a cache tile, a multiple of the tile's points; none if one block has everything. */
static void choose_block(sq_plan *q, int d, long want)
{
    if (d < 0 || want <= 0)
        return;
    int64_t points = q->points[d] > 1 ? q->points[d] : 1, b = round_up(want, points);
    bool whole = b >= q->shape->extent[d] && q->shape->known[d];
    q->block[d] = whole || (b <= points && d < q->shape->nfree) ? 0 : b;
}

static bool sum_is_repeated(const sq_shape *h)
{
    bool any = false;
    for (int d = 0; d < h->nfree; d++)
        any |= sq_shape_repeats(h, d);
    return any;
}

/* True if sums read elements of the array that they are stored to. */
static bool reads_output(const sq_shape *h)
{
    const sq_array *out = h->group->stmt[0]->write->array;
    bool any = false;
    for (int i = 0; i < h->noperands; i++)
        any |= h->operand[i].in_body && sq_arrays_overlap(h->operand[i].array, out);
    return any;
}

/* True if partial sums over dimension d may pass through memory. False if each element has a range
 * of its own, if the written array has another type than the sum or is read by it, or if a loop between two of them
 * would restart the sum. If the order of a sum matters, only its outermost dimension can be split,
 * and not if the value reads what the partial sums would replace. */
static bool sum_is_cut(const sq_shape *h, int d)
{
    const sq_stmt *s = h->group->stmt[0];
    return h->rectangular[d] && s->body->type == s->write->array->type && !sum_is_repeated(h) &&
           !reads_output(h) && (!s->ordered || (d == h->nfree && sq_stmt_storable(s)));
}

/* Returns the block of a copy along a dimension that depends on sizes: no longer than the sizes that a schedule is
 * asked for, since memory is needed for all of it. */
static int64_t copied_block(const sq_plan *q, int d, int64_t most)
{
    int64_t extent = q->shape->extent[d], points = q->points[d] > 1 ? q->points[d] : 1;
    return round_up(q->shape->guessed || extent > most ? most : extent, points);
}

/* A copy needs a constant size: dimensions that depend on sizes are blocked for it. */
static void bound_copies(sq_plan *q)
{
    for (int i = 0; i < q->shape->noperands; i++)
        for (int d = 0; d < q->shape->ndim; d++) {
            bool cut = q->packing[i] != SQ_UNPACKED && sq_operand_moves(&q->shape->operand[i], d) &&
                       !q->shape->known[d] && !q->block[d];
            sq_dim_role role = sq_shape_role(q->shape, d, q->vector);
            if (cut && role == SQ_DIM_SUM && (d == q->serial || !q->shape->rectangular[d]) &&
                !sum_is_cut(q->shape, d)) {
                q->packing[i] = SQ_UNPACKED; /* its range cannot be split */
                break;
            }
            if (!cut || role == SQ_DIM_BATCH || (role == SQ_DIM_SUM && d != q->serial))
                continue;
            q->block[d] = copied_block(q, d, role == SQ_DIM_SUM || d == q->vector ? COPIED_BLOCK : COPIED_ROWS);
        }
}

static void choose_blocks(const sq_sketch *s, const part *p, const int *point, sq_plan *q)
{
    long kc = get(s, p, R_KC, point, 0);
    if (q->across)
        return; /* sums stay in vectors from beginning to end */
    if (q->serial >= 0 && sum_is_cut(&p->shape, q->serial))
        choose_block(q, q->serial, kc);
    choose_block(q, q->vector, get(s, p, R_NC, point, 0));
    if (q->row >= 0 && sq_shape_role(&p->shape, q->row, q->vector) == SQ_DIM_ROW)
        choose_block(q, q->row, get(s, p, R_MC, point, 0));
    int y = q->row2 >= 0 ? q->row2 : q->row;
    if (y >= 0 && sq_shape_role(&p->shape, y, q->vector) == SQ_DIM_COLUMN)
        choose_block(q, y, get(s, p, R_YC, point, 0));
}

static void add_loop(sq_plan *q, int d, bool block)
{
    if (q->nloops < SQ_MAX_LOOPS)
        q->loop[q->nloops++] = (sq_plan_loop){d, block ? q->block[d] : q->points[d], block, false};
}

static void add_free_loops(sq_plan *q, sq_dim_role want, int last)
{
    for (int d = 0; d < q->shape->nfree; d++)
        if (d != last && sq_shape_role(q->shape, d, q->vector) == want)
            add_loop(q, d, false);
    if (last >= 0)
        add_loop(q, last, false);
}

static void add_blocks_of(sq_plan *q, sq_dim_role want)
{
    for (int d = 0; d < q->shape->ndim; d++)
        if (q->block[d] && sq_shape_role(q->shape, d, q->vector) == want)
            add_loop(q, d, true);
}

static void choose_loops(const sq_sketch *s, const part *p, const int *point, sq_plan *q)
{
    static const sq_dim_role outer[6][3] = {
        {SQ_DIM_COLUMN, SQ_DIM_SUM, SQ_DIM_ROW}, {SQ_DIM_SUM, SQ_DIM_COLUMN, SQ_DIM_ROW},
        {SQ_DIM_SUM, SQ_DIM_ROW, SQ_DIM_COLUMN}, {SQ_DIM_ROW, SQ_DIM_SUM, SQ_DIM_COLUMN},
        {SQ_DIM_COLUMN, SQ_DIM_ROW, SQ_DIM_SUM}, {SQ_DIM_ROW, SQ_DIM_COLUMN, SQ_DIM_SUM}};
    const sq_dim_role *o = outer[get(s, p, R_OUTER, point, 0)];
    bool rows_inside = get(s, p, R_INNER, point, 0) == 0;
    add_free_loops(q, SQ_DIM_BATCH, -1);
    for (int i = 0; i < 3; i++)
        add_blocks_of(q, o[i]);
    for (int d = q->shape->nfree; d < q->shape->ndim; d++)
        if (q->points[d] <= 1 && d != q->serial)
            add_loop(q, d, false);
    bool row_is_row = q->row >= 0 && sq_shape_role(q->shape, q->row, q->vector) == SQ_DIM_ROW;
    if (!rows_inside)
        add_free_loops(q, SQ_DIM_ROW, row_is_row ? q->row : -1);
    add_free_loops(q, SQ_DIM_COLUMN, q->across ? -1 : q->vector);
    if (rows_inside)
        add_free_loops(q, SQ_DIM_ROW, row_is_row ? q->row : -1);
}

/* Returns the loop at which a copy is made: the innermost of the loops around the blocks that the
 * operand moves along. */
static int pack_place(const sq_plan *q, const sq_operand *o)
{
    int place = -1;
    for (int l = 0; l < q->nloops; l++) {
        int d = q->loop[l].dim;
        sq_dim_role role = sq_shape_role(q->shape, d, q->vector);
        bool around =
            q->loop[l].block || role == SQ_DIM_BATCH || (role == SQ_DIM_SUM && !q->shape->known[d]);
        if (around && sq_operand_moves(o, d))
            place = l;
    }
    return place;
}

static long rows_together(const sq_sketch *s, const part *p, const int *point)
{
    if (p->chain < 0)
        return 0;
    int c = s->chain_rows[p->chain];
    return c >= 0 ? s->space.coord[c].value[point[c]] : s->chain[p->chain].given;
}

static void choose_packs(const sq_sketch *s, const part *p, const int *point, sq_plan *q)
{
    for (int i = 0; i < p->shape.noperands; i++) {
        const sq_operand *o = &p->shape.operand[i];
        q->packing[i] = q->across ? SQ_UNPACKED
                                  : (sq_packing)get(s, p, (choice)(R_PACK + i), point, SQ_UNPACKED);
        if (o->array->is_packed && rows_together(s, p, point) > 0)
            q->packing[i] = SQ_UNPACKED; /* its copies serve loops that no other group shares */
        if (q->packing[i] == SQ_PACKED_PANELS && !sq_sketch_panels_fit(o, q->vector, q->row))
            q->packing[i] = SQ_PACKED_PLAIN;
        if (q->packing[i] == SQ_PACKED_PLAIN && sq_sketch_walks(&p->shape, o->array) > 1)
            q->packing[i] = SQ_UNPACKED;
    }
}

sq_sketch_ends *sq_sketch_known_ends(sq_sketch *s)
{
    if (!s->ends) {
        s->ends = SQ_NEW(s->arena, sq_sketch_ends);
        s->ends->n = -1;
    }
    return s->ends;
}

void sq_sketch_bar(sq_sketch *s, const sq_array *a)
{
    s->ends = NULL;
    sq_known_costs_clear(s->known);
    for (int p = 0; p < s->nparts; p++)
        for (int i = 0; i < s->part[p].shape.noperands; i++)
            if (s->part[p].shape.operand[i].array == a)
                s->part[p].coord[R_PACK + i] = -1;
}

static void place_packs(sq_plan *q)
{
    for (int i = 0; i < q->shape->noperands; i++) {
        int place = pack_place(q, &q->shape->operand[i]);
        q->pack_loop[i] = place < q->shared - 1 ? q->shared - 1 : place;
    }
}

/* Returns the nth loop from outside over a free dimension that has work for all threads; if none
 * has, the one with the most. */
static void choose_parallel(const sq_sketch *s, const part *p, const int *point, sq_plan *q)
{
    const part *asked = p;
    while (q->chain && asked > s->part && asked[-1].chain == p->chain)
        asked--; /* all groups of a chain use the loop of the first */
    long nth = get(s, asked, R_PARALLEL, point, 0);
    int best = -1;
    int end = !q->chain ? q->nloops : q->chain->given ? q->shared - 1 : q->shared;
    for (int l = 0; l < end && nth > 0; l++) {
        if (q->loop[l].dim >= q->shape->nfree || sq_plan_trips(q, l) < 2)
            continue;
        if (best < 0 || sq_plan_trips(q, l) > sq_plan_trips(q, best))
            best = l;
        if (sq_plan_trips(q, l) >= s->threads && --nth == 0)
            best = l;
    }
    if (best >= 0)
        q->loop[best].parallel = true;
}

int sq_sketch_tile_coords(const sq_sketch *s, int group, int to[SQ_TILE_COORDS])
{
    static const choice of_tile[SQ_TILE_COORDS] = {R_VECTORS, R_ROWS, R_ROWS2};
    int n = 0;
    for (int i = 0; i < SQ_TILE_COORDS && group < s->nparts; i++)
        if (s->part[group].coord[of_tile[i]] >= 0)
            to[n++] = s->part[group].coord[of_tile[i]];
    return n;
}

bool sq_sketch_blocks_loops(const sq_sketch *s, int coordinate)
{
    const part *p = s->part_of[coordinate] < 0 ? NULL : &s->part[s->part_of[coordinate]];
    for (int i = R_KC; p && p->shape.of_loops && i <= R_YC; i++)
        if (p->coord[i] == coordinate)
            return true;
    return false;
}

bool sq_sketch_shares(const sq_sketch *s, int coordinate)
{
    for (int i = 0; i < s->nchains; i++)
        if (s->chain_rows[i] == coordinate)
            return true;
    return false;
}

void sq_sketch_plan(const sq_sketch *s, int group, const int *point, sq_plan *q)
{
    const part *p = &s->part[group];
    memset(q, 0, sizeof *q);
    if (group >= s->nparts)
        return;
    choose_dims(s, p, point, q);
    choose_tile(s, p, point, q);
    choose_blocks(s, p, point, q);
    choose_packs(s, p, point, q);
    bound_copies(q);
    choose_loops(s, p, point, q);
    if (rows_together(s, p, point) > 0)
        sq_chain_plan(&s->chain[p->chain], rows_together(s, p, point), q);
    place_packs(q);
    choose_parallel(s, p, point, q);
}

/* True if the part's tile is in the script: that of a statement of a tree is a choice. */
static bool has_tile(const sq_sketch *s, const part *p, const int *point)
{
    return p->tree < 0 || (sq_sketch_tree_has_nests(s, p->tree, point) && get(s, p, R_NEST, point, 1));
}

void sq_sketch_script(const sq_sketch *s, const int *point, sq_text *to)
{
    if (s->grid)
        sq_sketch_grid_script(s, point, to);
    sq_sketch_tree_scripts(s, point, to);
    for (int i = 0; i < s->nparts; i++) {
        sq_plan q;
        if (!has_tile(s, &s->part[i], point))
            continue;
        sq_sketch_plan(s, i, point, &q);
        if (s->naive->ngroups > 1 || s->part[i].tree >= 0)
            sq_text_printf(to, "%s: ", q.shape->group->stmt[0]->name);
        sq_plan_script(&q, to);
    }
    for (int i = 0; i < s->nchains; i++) {
        int c = s->chain_rows[i];
        if (c >= 0 && s->space.coord[c].value[point[c]] > 0)
            sq_chain_script(&s->chain[i], s->space.coord[c].value[point[c]], to);
    }
    while (to->n && to->s[to->n - 1] == ' ')
        to->s[--to->n] = 0;
}

void sq_sketch_roomy(sq_sketch *s, bool roomy)
{
    s->roomy = roomy;
}

void sq_sketch_thrifty(sq_sketch *s, bool thrifty)
{
    s->thrifty = thrifty;
}

static double plan_cost(const sq_sketch *s, int number, const int *point)
{
    sq_plan q;
    sq_sketch_plan(s, number, point, &q);
    q.roomy = s->roomy;
    q.thrifty = s->thrifty;
    return sq_draft_cost(&q, s->machine, s->target, s->threads);
}

/* Where the cost of a part's plan is kept: by the part's own coordinates, and by those of chains and trees. */
static double *known_cost(const sq_sketch *s, int number, const int *point)
{
    int key[SQ_MAX_COORDS + 1], n = 0;
    key[n++] = 4 * number + 2 * s->thrifty + s->roomy;
    for (int c = 0; c < s->space.n; c++)
        if (s->part_of[c] == number || s->part_of[c] < 0)
            key[n++] = point[c];
    return sq_known_cost(s->known, key, n);
}

static double part_cost(const sq_sketch *s, int number, const int *point)
{
    const part *p = &s->part[number];
    if (!has_tile(s, p, point))
        return sq_sketch_tree_has_nests(s, p->tree, point) ? p->loops : 0;
    double *known = known_cost(s, number, point);
    if (isnan(*known))
        *known = plan_cost(s, number, point);
    return *known;
}

double sq_sketch_cost(const sq_sketch *s, const int *point)
{
    if (s->grid)
        return sq_sketch_grid_cost(s, point, -1);
    double seconds = sq_sketch_tree_cost(s, point);
    for (int i = 0; i < s->nparts; i++)
        seconds += part_cost(s, i, point);
    return seconds;
}

/* True if plans say all of the code. */
static bool is_all_tiles(const sq_sketch *s)
{
    return s->ntrees == 0 && s->nparts == s->naive->ngroups;
}

int sq_sketch_features(const sq_sketch *s, const int *point, float (*row)[SQ_STATEMENT])
{
    int n = 0;
    if (s->grid)
        return sq_sketch_grid_features(s, point, row);
    sq_levels levels = sq_pruner_levels(s->machine);
    for (; is_all_tiles(s) && n < s->nparts && n < SQ_STATEMENTS; n++) {
        sq_plan q;
        sq_plan_nest x;
        sq_sketch_plan(s, n, point, &q);
        sq_nest_of(&q, &x);
        memset(row[n], 0, sizeof row[n]);
        sq_ansor_features(&x, row[n]);
        sq_pruner_draft(&x, s->machine, s->target, s->threads, row[n] + SQ_DRAFT);
        sq_pruner_flow(&x, &levels, row[n] + SQ_FLOW);
    }
    return n;
}

bool sq_sketch_traffic(const sq_sketch *s, const int *point, double bytes[3])
{
    memset(bytes, 0, 3 * sizeof *bytes);
    for (int i = 0; i < s->nparts && !s->grid; i++) {
        double own[3];
        sq_plan q;
        sq_sketch_plan(s, i, point, &q);
        sq_draft_traffic(&q, s->machine, own);
        for (int l = 0; l < 3; l++)
            bytes[l] += own[l];
    }
    return is_all_tiles(s);
}

double sq_sketch_cost_by(const sq_sketch *s, const int *point, int coordinate)
{
    if (s->grid)
        return sq_sketch_grid_cost(s, point, coordinate);
    int own = s->part_of[coordinate], chain = s->chain_of[coordinate];
    bool of_tree = own < 0 && chain < 0;
    double seconds = of_tree ? sq_sketch_tree_cost(s, point) : 0;
    for (int i = 0; i < s->nparts; i++)
        if (i == own || (chain >= 0 && s->part[i].chain == chain) || (of_tree && s->part[i].tree >= 0))
            seconds += part_cost(s, i, point);
    return seconds;
}
