/* Regions: parallel loops that are too short for threads. Threads take some microseconds to start and
 * to meet again; where sizes are known the model has weighed that against the work, where they are
 * arguments the text does: `if (2.0 * M * N * K >= 1000000)`. */
#include "codegen/regions.h"
#include "codegen/sum.h"
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
static const char *points(sq_printer *p, const sq_nest *n, int l, int d)
{
    const sq_group *g = n->group;
    sq_sum s = {0};
    int64_t most = 0;
    if (!n->end[d] || !n->anchor[d])
        return NULL;
    sq_sum_add(&s, 1, n->end[d]);
    sq_sum_add(&s, -1, n->anchor[d]);
    const char *all = sq_sum_text(&s, p->arena);
    for (int i = 0; i < g->nloops; i++) {
        if (sq_text_mentions(all, g->loop[i].name))
            return NULL;
        if (i < l && g->loop[i].dim == d)
            most = g->loop[i].step;
    }
    int64_t known;
    if (!most)
        return all;
    if (sq_text_number(all, &known))
        return sq_arena_printf(p->arena, "%lld", (long long)(known < most ? known : most));
    return sq_arena_printf(p->arena, "sq_min(%lld, %s)", (long long)most, all);
}

/* Work: flops times the factors that are numbers, and the text of the others. */
typedef struct work {
    double known;
    sq_text factors; /* " * M * N" */
} work;

static void multiply(const sq_printer *p, work *w, const char *factor)
{
    int64_t number;
    if (sq_text_number(factor, &number))
        w->known *= (double)number;
    else
        sq_text_printf(&w->factors, " * %s", sq_text_factor(factor, p->arena));
}

/* The clause of a loop of that work, which it takes; "" without factors known only at run time. */
static const char *clause(const sq_printer *p, work *w)
{
    const char *text = "";
    if (w->factors.n)
        text = sq_arena_printf(p->arena, " if (%.1f%s >= %.0f)", w->known, w->factors.s, worth(p));
    sq_text_free(&w->factors);
    return text;
}

const char *sq_region_if(sq_printer *p, const sq_nest *n, const char *loop)
{
    int l = sq_group_loop(n->group, loop);
    work w = {.known = flops_of_point(p, n)};
    if (p->options->eager || n->has_run || l < 0)
        return "";
    for (int d = 0; d < n->group->ndim; d++) {
        const char *factor = points(p, n, l, d);
        if (!factor) {
            sq_text_free(&w.factors);
            return "";
        }
        multiply(p, &w, factor);
    }
    return clause(p, &w);
}

const char *sq_region_copy_if(const sq_printer *p, const sq_buffer *b, const char *const *len,
                              int nlen)
{
    work w = {.known = sq_type_bytes(b->type) * machine(p)->peak_f32 / machine(p)->bandwidth};
    if (p->options->eager)
        return "";
    for (int i = 0; i < nlen; i++)
        multiply(p, &w, len[i]);
    return !w.factors.n && w.known < worth(p) ? NULL : clause(p, &w);
}
