/* Nudge: see nudge.h. */
#include "runtime/nudge.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative: some digits above the last, so that rounding on the way does not undo it. */
static double size_of_nudge(sq_element type)
{
    return ldexp(1, sq_elements[type].bytes == 2 ? 3 - sq_elements[type].digits : -16);
}

/* Up or down, by turns without a pattern that a stencil could see. */
static void nudge_element(void *at, size_t i, sq_element type)
{
    uint64_t turn = (i + 1) * 0x9e3779b97f4a7c15u;
    double by = turn >> 63 ? size_of_nudge(type) : -size_of_nudge(type);
    sq_element_put(at, i, type, sq_element_get(at, i, type) * (1 + by));
}

/* Nudges all that the kernel reads; returns the largest nudge, relative. */
static double nudge_inputs(sq_case *c)
{
    double most = 0;
    for (int i = 0; i < c->nparams; i++) {
        sq_case_param *p = &c->param[i];
        int reads = p->kind == 'c' || (p->kind == 'a' && p->role != 'o');
        if (!reads || !sq_elements[p->type].real)
            continue;
        for (size_t e = 0; e < (p->kind == 'a' ? p->count : 1); e++)
            nudge_element(p->kind == 'a' ? (void *)p->at : &p->value, e, p->type);
        most = fmax(most, size_of_nudge(p->type));
    }
    return most;
}

static double farthest(const sq_case *c, const sq_case_param *p)
{
    double most = 0;
    for (size_t i = 0; i < p->count; i++) {
        double by = fabs(sq_element_get(p->at, i, p->type) -
                         sq_element_get(c->data + p->after, i, p->type));
        if (isfinite(by) && by > most)
            most = by;
    }
    return most;
}

static void put_scalars_back(sq_case *c, const sq_case_param *were)
{
    for (int i = 0; i < c->nparams; i++)
        if (c->param[i].kind == 'c')
            c->param[i].value = were[i].value;
}

int sq_case_nudge(sq_case *c, void (*f)(void *const *), char *why)
{
    sq_case_param *were = malloc((size_t)c->nparams * sizeof *were + 1);
    if (!were || sq_case_place(c, SQ_PLACE_ALIGNED, why) < 0) {
        free(were);
        return -1;
    }
    memcpy(were, c->param, (size_t)c->nparams * sizeof *were);
    double by = nudge_inputs(c);
    f(c->arg);
    for (int i = 0; i < c->nparams; i++) {
        const sq_case_param *p = &c->param[i];
        if (p->kind == 'a' && p->role != 'i' && by > 0 && sq_elements[p->type].real)
            sq_case_moves(c, i, farthest(c, p) / by);
    }
    put_scalars_back(c, were);
    free(were);
    return 0;
}
