/* Tile order: the order in which a step of the serial loop adds terms to the sums of the tile. Tap by tap, all rows in
 * turn, a tap of a window reads what other rows have read at other taps, and will read again: y rows under k taps keep
 * y + k - 1 vectors for that. Sorted by the element that they read, the terms that share one follow each other:
 *
 *     Y[y] += X[y + r]:   X[0] to Y[0];  X[1] to Y[0], Y[1];  X[2] to Y[0], Y[1], Y[2];  X[3] to Y[1], Y[2], Y[3]; …
 *
 * and one register is enough for them. */
#include "codegen/tile/tile_inside.h"
#include <stdlib.h>

/* ---- rows ---- */

int sq_tile_row_in_turn(const sq_tile *t, int i)
{
    int row = 0, at[SQ_MAX_DIMS] = {0};
    for (int d = t->group->nfree - 1; d >= 0; d--)
        if (sq_tile_row(t, d) && d != t->slow) {
            at[d] = i % (int)t->variant->points[d];
            i /= (int)t->variant->points[d];
        }
    for (int d = 0; d < t->group->nfree; d++)
        if (sq_tile_row(t, d))
            row = row * (int)t->variant->points[d] + (d == t->slow ? i : at[d]);
    return row;
}

/* Returns the registers of one read while rows along `slow` are visited one after the other. */
static int registers_of(const sq_tile *t, const sq_ref *r, int slow)
{
    const sq_point origin = {0};
    const sq_code_expr *step = sq_tile_lane_step(t, r, &origin);
    int n = !step || !sq_code_is(step, 0) ? t->vectors : 1;
    for (int d = 0; d < t->group->nfree; d++)
        if (sq_tile_row(t, d) && d != slow && sq_ref_depends(r, d))
            n *= (int)t->variant->points[d];
    return n;
}

/* Rows f x y of G[f] * I[y]: f by f, all I[y] stay in registers and a G[f] for each f; y by y, all G[f]. */
int sq_tile_slow_rows(const sq_tile *t)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    int nread = sq_stmt_all_reads(t->group->stmt[0], read, in_body), best = -1, least = 0, first = -1;
    for (int d = 0; d < t->group->nfree; d++) {
        int n = 0;
        if (!sq_tile_row(t, d) || t->variant->points[d] == 1)
            continue;
        first = first < 0 ? d : first;
        for (int i = 0; i < nread; i++)
            n += in_body[i] ? registers_of(t, t->nest->ref[sq_tile_ref(t, read[i])], d) : 0;
        if (best < 0 || n < least) {
            best = d;
            least = n;
        }
    }
    return best == first ? -1 : best;
}

/* ---- terms ---- */

sq_tile_order sq_tile_order_in_turn(const sq_tile *t)
{
    sq_tile_order o = {.n = t->taps * t->rows};
    o.at = SQ_NEW_ARRAY(t->arena, struct sq_tile_term, o.n);
    for (int i = 0; i < o.n; i++)
        o.at[i] = (struct sq_tile_term){.tap = i / t->rows, .row = sq_tile_row_in_turn(t, i % t->rows)};
    return o;
}

/* True if dimension d has several points in the tile, which are rows or taps. */
static bool has_points(const sq_tile *t, int d)
{
    const sq_micro *m = &t->group->micro;
    return d != m->vector && d != m->serial && t->variant->points[d] > 1;
}

/* True if subscript a of a reference moves with rows of the tile and with taps. */
static bool moves_with_both(const sq_tile *t, const sq_ref *r, int a)
{
    bool rows = false, taps = false;
    for (int d = 0; d < t->group->ndim; d++) {
        bool moves = r->coef[a][d] && has_points(t, d);
        rows |= moves && d < t->group->nfree;
        taps |= moves && d >= t->group->nfree;
    }
    return rows && taps;
}

/* Returns a reference of the sum's terms whose subscript *a slides over elements; NULL: there is none. */
static const sq_ref *sliding_ref(const sq_tile *t, int *a)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(t->group->stmt[0], read, in_body);
    for (int i = 0; i < n; i++) {
        const sq_ref *r = t->nest->ref[sq_tile_ref(t, read[i])];
        for (*a = 0; in_body[i] && r->affine && *a < r->nsubs; ++*a)
            if (moves_with_both(t, r, *a))
                return r;
    }
    return NULL;
}

static int compare(const void *x, const void *y)
{
    const struct sq_tile_term *a = x, *b = y;
    for (int i = 0; i < 2; i++)
        if (a->key[i] != b->key[i])
            return a->key[i] < b->key[i] ? -1 : 1;
    return a->tap != b->tap ? a->tap - b->tap : a->row - b->row;
}

/* Sets the keys of a term: first its place along the taps that the subscript does not move with, then its element. */
static void set_keys(const sq_tile *t, const sq_ref *r, int a, struct sq_tile_term *x)
{
    sq_point p = sq_tile_point(t, x->row, 0, x->tap, 0);
    for (int d = 0; d < t->group->ndim; d++) {
        if (!has_points(t, d))
            continue;
        if (r->coef[a][d])
            x->key[1] += r->coef[a][d] * p.at[d];
        else if (d >= t->group->nfree)
            x->key[0] = x->key[0] * t->variant->points[d] + p.at[d];
    }
}

bool sq_tile_order_sliding(const sq_tile *t, sq_tile_order *order)
{
    int a;
    const sq_ref *r = sliding_ref(t, &a);
    if (!r)
        return false;
    *order = sq_tile_order_in_turn(t);
    for (int i = 0; i < order->n; i++)
        set_keys(t, r, a, &order->at[i]);
    qsort(order->at, (size_t)order->n, sizeof *order->at, compare);
    return true;
}
