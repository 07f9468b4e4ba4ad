/* Regions: parallel loops that are too short for threads. Threads take some microseconds to start and
 * to meet again; where sizes are known the model has weighed that against the work, where they are
 * arguments the text does: `if (2.0 * M * N * K >= 1000000)`. */
#include "codegen/regions.h"
#include <math.h>
#include <string.h>

static const sq_machine *machine(const sq_printer *p)
{
    return sq_machine_class(p->options->target->machine);
}

/* Flops of one core in the time after which a second one has made up for the start. */
static double worth(const sq_printer *p)
{
    return 2 * SQ_REGION * machine(p)->peak_f32 * 1e9;
}

/* Bytes that each point reads or writes for itself: of arrays that move with every dimension. They
 * come from the caches more often than not, twice as fast as from memory. */
static double bytes_of_point(const sq_nest *n)
{
    double bytes = 0;
    for (int i = 0; i < n->nrefs; i++) {
        const sq_ref *r = n->ref[i];
        bool own = true;
        for (int d = 0; d < n->group->ndim; d++)
            own = own && (!r->plain || sq_ref_depends(r, d));
        for (int j = 0; j < i; j++)
            own = own && n->ref[j]->array != r->array;
        bytes += own ? sq_type_bytes(r->array->type) : 0;
    }
    return bytes;
}

/* What a point costs, in flops of full vectors of f32. */
static double flops_of_point(const sq_printer *p, const sq_nest *n)
{
    const sq_group *g = n->group;
    const sq_machine *m = machine(p);
    double flops = g->stmt[0]->updates != NULL, lanes = m->vector_bytes / 4.0;
    for (int s = 0; s < g->nstmts; s++)
        flops += sq_expr_flops(g->stmt[s]->body ? g->stmt[s]->body : g->stmt[s]->value);
    flops *= n->has_tiles && g->micro.vector >= 0 ? fmax(1, sq_group_bytes(g) / 4.0) : lanes;
    return fmax(flops, bytes_of_point(n) * m->peak_f32 / (2 * m->bandwidth));
}

/* Points along dimension d inside of loop l: those of one iteration of the loops around it. NULL:
 * not known before the loops. */
static const sq_code_expr *points(const sq_printer *p, const sq_nest *n, int l, int d)
{
    const sq_group *g = n->group;
    int64_t most = 0;
    if (!n->end[d] || !n->anchor[d])
        return NULL;
    const sq_code_expr *all = sq_code_sub(p->code, n->end[d], n->anchor[d]);
    for (int i = 0; i < g->nloops; i++) {
        if (sq_code_mentions(all, g->loop[i].name))
            return NULL;
        if (i < l && g->loop[i].dim == d)
            most = g->loop[i].step;
    }
    return most ? sq_code_min(p->code, sq_code_number(p->code, most), all) : all;
}

/* Product: a number, times the text of factors known only at run time. */
typedef struct product {
    double known;
    sq_text factors; /* " * M * N"; empty: a number */
} product;

/* Work: flops, as a sum of products that differ in their factors. */
typedef struct work {
    int n;
    product *term;
} work;

static work work_of(const sq_printer *p, int most)
{
    return (work){.term = SQ_NEW_ARRAY(p->arena, product, most)};
}

static void work_free(work *w)
{
    for (int i = 0; i < w->n; i++)
        sq_text_free(&w->term[i].factors);
}

static void multiply(const sq_printer *p, product *x, const sq_code_expr *factor)
{
    int64_t number;
    if (sq_code_known(factor, &number))
        x->known *= (double)number;
    else
        sq_text_printf(&x->factors, " * %s", sq_code_factor(factor, p->arena));
}

/* Takes the product's text. */
static void add(work *w, product *x)
{
    for (int i = 0; i < w->n; i++) {
        const sq_text *t = &w->term[i].factors;
        if (t->n != x->factors.n || (t->n && strcmp(t->s, x->factors.s) != 0))
            continue;
        w->term[i].known += x->known;
        sq_text_free(&x->factors);
        return;
    }
    w->term[w->n++] = *x;
}

/* Is all of the work known now: that is one product then, without factors. */
static bool is_known(const work *w)
{
    return w->n == 1 && !w->term[0].factors.n;
}

/* The clause of a loop of that work; "" where sizes are known, and the model has decided. */
static const char *clause(const sq_printer *p, const work *w)
{
    sq_text t = {0};
    for (int i = 0; i < w->n; i++)
        sq_text_printf(&t, "%s%.1f%s", i ? " + " : "", w->term[i].known,
                       w->term[i].factors.n ? w->term[i].factors.s : "");
    const char *text =
        is_known(w) ? "" : sq_arena_printf(p->arena, " if (%s >= %.0f)", t.s, worth(p));
    sq_text_free(&t);
    return text;
}

/* Adds what a nest does inside of loop l, in one iteration of those around it; false where that is
 * not known before the loops. */
static bool add_nest(sq_printer *p, work *w, const sq_nest *n, int l)
{
    product x = {.known = flops_of_point(p, n)};
    for (int d = 0; d < n->group->ndim; d++) {
        const sq_code_expr *factor = points(p, n, l, d);
        if (!factor) {
            sq_text_free(&x.factors);
            return false;
        }
        multiply(p, &x, factor);
    }
    add(w, &x);
    return true;
}

/* The fusion whose frame has these nodes. */
static const sq_fusion *fusion_inside(const sq_node *x)
{
    const sq_fusion *r = NULL;
    for (; x && !r; x = x->next)
        r = x->kind == SQ_NODE_FUSION ? x->fusion : fusion_inside(x->body);
    return r;
}

/* Adds all groups that share the loop. Where a reduction has nothing to reduce, a second nest of its
 * group runs in place of the first, and has less to do. */
static bool add_run(sq_printer *p, work *w, const sq_fusion *r, int l)
{
    bool known = true;
    for (int i = 0; i < r->nnests && known; i++)
        if (i == 0 || r->nest[i]->index != r->nest[i - 1]->index)
            known = add_nest(p, w, r->nest[i], l);
    return known;
}

const char *sq_region_if(sq_printer *p, const sq_nest *n, const char *loop)
{
    int l = sq_group_loop(n->group, loop);
    const sq_fusion *r = n->has_fusion ? fusion_inside(n->root) : NULL;
    if (p->options->eager || l < 0)
        return "";
    work w = work_of(p, r ? r->nnests : 1);
    const char *text = (r ? add_run(p, &w, r, l) : add_nest(p, &w, n, l)) ? clause(p, &w) : "";
    work_free(&w);
    return text;
}

const char *sq_region_copy_if(const sq_printer *p, const sq_buffer *b,
                              const sq_code_expr *const *len, int nlen)
{
    product x = {.known = sq_type_bytes(b->type) * machine(p)->peak_f32 / machine(p)->bandwidth};
    if (p->options->eager)
        return "";
    for (int i = 0; i < nlen; i++)
        multiply(p, &x, len[i]);
    work w = work_of(p, 1);
    add(&w, &x);
    const char *text = is_known(&w) && w.term[0].known < worth(p) ? NULL : clause(p, &w);
    work_free(&w);
    return text;
}
