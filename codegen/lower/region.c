/* Region: see region.h. Starting and joining threads takes some microseconds; if sizes are known
 * the model has weighed that against the work, if they are arguments the text does: `if (2.0 * M *
 * N * K >= 1000000)`. */
#include "codegen/lower/region_work.h"
#include <math.h>
#include <string.h>

/* Returns the flops of one core in the time after which a second core has compensated for the
 * start. */
static double worth(const sq_machine *m)
{
    return 2 * m->cost->parallel_region * m->peak_f32 * 1e9;
}

/* Returns the bytes that each point reads or writes for itself: of arrays that move with every
 * dimension. They usually come from caches, twice as fast as from memory. */
static double bytes_of_point(const sq_nest *n)
{
    double bytes = 0;
    for (int i = 0; i < n->nrefs; i++) {
        const sq_ref *r = n->ref[i];
        bool own = true;
        for (int d = 0; d < n->group->ndim; d++)
            own = own && (!r->affine || sq_ref_depends(r, d));
        for (int j = 0; j < i; j++)
            own = own && n->ref[j]->array != r->array;
        bytes += own ? sq_type_bytes(r->array->type) : 0;
    }
    return bytes;
}

/* Returns the cost of a point, in flops of full vectors of f32. */
static double flops_of_point(const sq_machine *m, const sq_nest *n)
{
    const sq_group *g = n->group;
    double flops = g->stmt[0]->updates != NULL, lanes = m->vector_bytes / 4.0;
    for (int s = 0; s < g->nstmts; s++)
        flops += sq_expr_flops(g->stmt[s]->body ? g->stmt[s]->body : g->stmt[s]->value);
    flops *= n->has_tiles && g->micro.vector >= 0 ? fmax(1, sq_group_bytes(g) / 4.0) : lanes;
    return fmax(flops, bytes_of_point(n) * m->peak_f32 / (2 * m->bandwidth));
}

/* Returns the number of points along dimension d inside of loop l, in one iteration of the loops
 * around it. NULL: not known before the loops. */
static const sq_code_expr *points(const sq_nest *n, int l, int d)
{
    const sq_group *g = n->group;
    int64_t most = 0;
    if (!n->end[d] || !n->anchor[d])
        return NULL;
    const sq_code_expr *all = sq_code_sub(n->code, n->end[d], n->anchor[d]);
    for (int i = 0; i < g->nloops; i++) {
        if (sq_code_mentions(all, g->loop[i].name))
            return NULL;
        if (i < l && g->loop[i].dim == d)
            most = g->loop[i].step;
    }
    return most ? sq_code_min(n->code, sq_code_number(n->code, most), all) : all;
}

sq_code_work *sq_region_work_new(sq_arena *arena, int most, const sq_machine *m)
{
    sq_code_work *w = SQ_NEW(arena, sq_code_work);
    *w = (sq_code_work){.term = SQ_NEW_ARRAY(arena, sq_code_product, most), .least = worth(m)};
    return w;
}

sq_code_product sq_region_product_new(sq_arena *arena, double number)
{
    return (sq_code_product){number, 0, SQ_NEW_ARRAY(arena, const sq_code_expr *, SQ_MAX_DIMS)};
}

void sq_region_multiply(sq_code_product *x, const sq_code_expr *factor)
{
    int64_t number;
    if (sq_code_known(factor, &number))
        x->number *= (double)number;
    else
        x->factor[x->n++] = factor;
}

void sq_region_add(sq_code_work *w, const sq_code_product *x)
{
    for (int i = 0; i < w->n; i++) {
        sq_code_product *t = &w->term[i];
        if (t->n != x->n || memcmp(t->factor, x->factor, (size_t)t->n * sizeof *t->factor) != 0)
            continue;
        t->number += x->number;
        return;
    }
    w->term[w->n++] = *x;
}

bool sq_region_is_known(const sq_code_work *w)
{
    return w->n == 1 && w->term[0].n == 0;
}

/* Adds the work of a nest inside of loop l, in one iteration of the loops around it; false if it is
 * not known before the loops. */
static bool add_nest(sq_code_work *w, const sq_nest *n, int l, const sq_machine *m)
{
    sq_code_product x = sq_region_product_new(n->code->arena, flops_of_point(m, n));
    for (int d = 0; d < n->group->ndim; d++) {
        const sq_code_expr *factor = points(n, l, d);
        if (!factor)
            return false;
        sq_region_multiply(&x, factor);
    }
    sq_region_add(w, &x);
    return true;
}

/* Returns the fusion whose frame has these nodes. */
static const sq_fusion *fusion_inside(const sq_node *x)
{
    const sq_fusion *r = NULL;
    for (; x && !r; x = x->next)
        r = x->kind == SQ_NODE_FUSION ? x->fusion : fusion_inside(x->body);
    return r;
}

/* Adds the work of all groups that share the loop. Where a reduction is empty, a second nest of its
 * group runs instead of the first, and has less work. */
static bool add_fusion(sq_code_work *w, const sq_fusion *r, int l, const sq_machine *m)
{
    bool known = true;
    for (int i = 0; i < r->nnests && known; i++)
        if (i == 0 || r->nest[i]->index != r->nest[i - 1]->index)
            known = add_nest(w, r->nest[i], l, m);
    return known;
}

const sq_code_work *sq_region_of_loop(const sq_nest *n, const char *loop, const sq_target *t)
{
    const sq_machine *m = sq_machine_class(t->machine);
    int l = sq_group_loop(n->group, loop);
    const sq_fusion *r = n->has_fusion ? fusion_inside(n->root) : NULL;
    sq_code_work *w = sq_region_work_new(n->code->arena, r ? r->nnests : 1, m);
    bool known = l >= 0 && (r ? add_fusion(w, r, l, m) : add_nest(w, n, l, m));
    return known && !sq_region_is_known(w) ? w : NULL;
}

bool sq_region_of_copy(sq_code_pool *p, const sq_buffer *b, const sq_code_expr *const *len,
                       const sq_target *t, const sq_code_work **work)
{
    const sq_machine *m = sq_machine_class(t->machine);
    sq_code_product x =
        sq_region_product_new(p->arena, sq_type_bytes(b->type) * m->peak_f32 / m->bandwidth);
    for (int a = 0; a < b->naxes; a++)
        sq_region_multiply(&x, len[a]);
    sq_code_work *w = sq_region_work_new(p->arena, 1, m);
    sq_region_add(w, &x);
    *work = sq_region_is_known(w) ? NULL : w;
    return *work || w->term[0].number >= w->least;
}
