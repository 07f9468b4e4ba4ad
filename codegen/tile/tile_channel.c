/* Tile, channels: a statement that reads all of the elements that a stride skips loads them as whole
 * vectors, once for all. See codegen/isa/strided.c. */
#include "codegen/isa/vector.h"
#include "codegen/tile/tile_inside.h"

enum { MOST_BESIDE = 32 };

/* Returns the statement of the group that reads by the access; NULL: none does. */
static const sq_stmt *reader_of(const sq_group *g, const sq_access *a)
{
    sq_access *read[SQ_MAX_STMT_READS];
    for (int s = 0; s < g->nstmts; s++) {
        int n = sq_stmt_reads(g->stmt[s], read, NULL, SQ_MAX_STMT_READS);
        for (int i = 0; i < n && i < SQ_MAX_STMT_READS; i++)
            if (read[i] == a)
                return g->stmt[s];
    }
    return NULL;
}

static bool is_behind(const sq_tile *t, int ref, const sq_point *p, const sq_code_expr *at,
                      int64_t distance)
{
    return sq_code_is(sq_code_sub(t->pool, sq_tile_offset(t, ref, p), at), distance);
}

/* True if another point of the tile reads the element by the same reference, as the terms of a short
 * sum do. */
static bool reads_beside(const sq_tile *t, int ref, const sq_point *p, const sq_code_expr *at,
                         int64_t distance)
{
    const sq_group *g = t->group;
    for (int d = 0; d < g->ndim; d++) {
        sq_point q = *p;
        bool whole = d != g->micro.vector && !t->variant->runtime[d];
        for (q.at[d] = 0; whole && q.at[d] < t->variant->points[d]; q.at[d]++)
            if (is_behind(t, ref, &q, at, distance))
                return true;
    }
    return false;
}

/* True if the statement that reads by `ref` also reads the element at this distance from it. */
static bool reads_at(const sq_tile *t, int ref, const sq_point *p, int64_t distance)
{
    const sq_ref *r = t->nest->ref[ref];
    const sq_code_expr *at = sq_tile_offset(t, ref, p);
    const sq_stmt *reader = reader_of(t->group, r->access);
    for (int i = 0; i < t->nest->nrefs && reader; i++) {
        const sq_ref *o = t->nest->ref[i];
        if (o->array == r->array && o->buffer == r->buffer && o->affine &&
            sq_tile_pointer(t, i) == sq_tile_pointer(t, ref) &&
            reader_of(t->group, o->access) == reader && is_behind(t, i, p, at, distance))
            return true;
    }
    return reader && reads_beside(t, ref, p, at, distance);
}

int sq_tile_channel(const sq_tile *t, int ref, const sq_point *p, const sq_code_expr *step)
{
    const sq_ref *r = t->nest->ref[ref];
    int64_t n;
    if (!sq_code_known(step, &n) || n < 2 || n > SQ_STRIDE_MOST ||
        !sq_strided_shares(sq_type_bytes(sq_tile_memory(r)), t->lanes, (int)n, t->target))
        return -1;
    int64_t before = 0; /* elements read side by side: they are channels from the first one on */
    while (before < MOST_BESIDE && reads_at(t, ref, p, -before - 1))
        before++;
    for (int64_t i = 0; i < n; i++) {
        int64_t k = (before + n - i) % n;
        if (reads_at(t, ref, p, -k) && reads_at(t, ref, p, n - 1 - k))
            return (int)k;
    }
    return -1;
}
