/* Tile, channels: a statement that reads all of the elements that a stride skips loads them as whole
 * vectors, once for all. See codegen/isa/strided.c. */
#include "codegen/isa/vector.h"
#include "codegen/tile/tile_inside.h"

/* Returns the statement of the group that reads by the access; NULL: none does. */
static const sq_stmt *reader_of(const sq_group *g, const sq_access *a)
{
    sq_access *read[SQ_MAX_STMT_READS];
    for (int s = 0; s < g->nstmts; s++) {
        int n = sq_stmt_all_reads(g->stmt[s], read, NULL);
        for (int i = 0; i < n; i++)
            if (read[i] == a)
                return g->stmt[s];
    }
    return NULL;
}

/* A load of lanes. */
typedef struct place {
    const sq_tile *t;
    int ref;
    const sq_point *p;
    const sq_code_expr *at;
} place;

static bool is_behind(const place *x, int ref, const sq_point *p, int64_t distance)
{
    const sq_tile *t = x->t;
    return sq_code_is(sq_code_sub(t->pool, sq_tile_offset(t, ref, p), x->at), distance);
}

/* True if another point of the tile reads the element by the same reference, as the terms of a short
 * sum do. */
static bool reads_beside(const place *x, int64_t distance)
{
    const sq_group *g = x->t->group;
    for (int d = 0; d < g->ndim; d++) {
        sq_point q = *x->p;
        bool whole = d != g->micro.vector && !x->t->variant->runtime[d];
        for (q.at[d] = 0; whole && q.at[d] < x->t->variant->points[d]; q.at[d]++)
            if (is_behind(x, x->ref, &q, distance))
                return true;
    }
    return false;
}

/* True if the place's statement also reads the element at this distance from it. */
static bool reads_at(const void *user, int64_t distance)
{
    const place *x = user;
    const sq_nest *n = x->t->nest;
    const sq_ref *r = n->ref[x->ref];
    const sq_stmt *reader = reader_of(x->t->group, r->access);
    for (int i = 0; i < n->nrefs && reader; i++) {
        const sq_ref *o = n->ref[i];
        if (o->array == r->array && o->buffer == r->buffer && o->affine &&
            sq_tile_pointer(x->t, i) == sq_tile_pointer(x->t, x->ref) &&
            reader_of(x->t->group, o->access) == reader && is_behind(x, i, x->p, distance))
            return true;
    }
    return reader && reads_beside(x, distance);
}

int sq_tile_channel(const sq_tile *t, int ref, const sq_point *p, const sq_code_expr *step)
{
    const place x = {t, ref, p, sq_tile_offset(t, ref, p)};
    int bytes = sq_type_bytes(sq_tile_memory(t->nest->ref[ref]));
    int64_t n;
    bool shares = sq_code_known(step, &n) && n > 1 && n <= SQ_STRIDE_MOST &&
                  sq_strided_shares(bytes, t->lanes, (int)n, t->target);
    return shares ? sq_strided_channel((int)n, reads_at, &x) : -1;
}
