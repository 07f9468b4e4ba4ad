/* Perturb: see perturb.h. */
#include "runtime/perturb.h"
#include "runtime/values.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Relative: some digits above the last, so that rounding on the way does not undo it. With `least`,
 * only so many: what rounding may do, and a little more. */
static double size_of_perturbation(sq_element type, bool least)
{
    return ldexp(1, least || sq_elements[type].bytes == 2 ? 3 - sq_elements[type].digits : -16);
}

enum {
    TURNS = 5
}; /* the perturbations of one may cancel in a sum or a difference, hardly those of all */

/* Up or down, by turns without a pattern that a stencil could see; but for `stream` 0 by more or
 * less, too, so that nothing cancels that need not. */
static void perturb_element(void *at, size_t i, sq_element type, uint64_t stream, double most)
{
    uint64_t state = stream << 40 ^ i;
    uint64_t turn = stream ? sq_next(&state) : (i + 1) * 0x9e3779b97f4a7c15u;
    double by = turn >> 63 ? most : -most;
    by *= stream ? (double)(turn & 0xffff) / 65536 : 1;
    sq_element_put(at, i, type, sq_element_get(at, i, type) * (1 + by));
}

/* Perturbs all that the kernel reads; returns the largest perturbation, relative. */
static double perturb_inputs(sq_case *c, uint64_t time, bool least)
{
    double most = 0;
    for (int i = 0; i < c->nparams; i++) {
        sq_case_param *p = &c->param[i];
        int reads = p->kind == 'c' || (p->kind == 'a' && p->role != 'o');
        if (!reads || !sq_elements[p->type].real)
            continue;
        double by = size_of_perturbation(p->type, least);
        uint64_t stream = time ? time + (uint64_t)(i + 1) * (TURNS + 1) : 0;
        for (size_t e = 0; e < (p->kind == 'a' ? p->count : 1); e++)
            perturb_element(p->kind == 'a' ? (void *)p->at : &p->value, e, p->type, stream, by);
        most = fmax(most, by);
    }
    return most;
}

static double farthest(const sq_case *c, const sq_case_param *p)
{
    double most = 0;
    for (size_t i = 0; i < p->count; i++) {
        double by = fabs(sq_element_get(p->at, i, p->type) -
                         sq_element_get(c->data + p->after, i, p->type));
        if (isfinite(by) && p->spread[i] != INFINITY && by > most)
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

/* Calls f on perturbed inputs; returns the largest perturbation, 0 if nothing could be. */
static double call_perturbed(sq_case *c, void (*f)(void *const *), const sq_case_param *were,
                             bool least)
{
    double by = perturb_inputs(c, 0, least);
    f(c->arg);
    put_scalars_back(c, were);
    return by;
}

/* An element that moves by as much as this part of it, when inputs change in their last digits, is
 * made of rounding: what is left after all of a column has been taken out of it. */
static const double most_moved = 0x1p-6;

static void find_rounding(const sq_case *c, const sq_case_param *p)
{
    for (size_t i = 0; i < p->count; i++) {
        double now = sq_element_get(p->at, i, p->type);
        double before = sq_element_get(c->data + p->after, i, p->type);
        bool differs = fabs(now - before) > most_moved * fmax(fabs(now), fabs(before));
        p->spread[i] = differs || isfinite(now) != isfinite(before) ? INFINITY : 0;
    }
}

/* Elements that are nothing but rounding, and how far the others move. */
static int perturb_twice(sq_case *c, void (*f)(void *const *), const sq_case_param *were, char *why)
{
    double by = call_perturbed(c, f, were, true);
    for (int i = 0; i < c->nparams; i++)
        if (c->param[i].spread && by > 0)
            find_rounding(c, &c->param[i]);
    if (sq_case_place(c, SQ_PLACE_ALIGNED, why) < 0)
        return -1;
    by = call_perturbed(c, f, were, false);
    for (int i = 0; i < c->nparams; i++)
        if (c->param[i].spread && by > 0)
            sq_case_moves(c, i, farthest(c, &c->param[i]) / by);
    return 0;
}

/* What has moved per unit of perturbation, as far as numbers say. */
static double moved(double now, double before, double by)
{
    if (isfinite(now) && isfinite(before))
        return fabs(now - before) / by;
    bool same = isnan(now) ? isnan(before) : now == before;
    return same ? 0 : INFINITY;
}

static void add_spread(const sq_case *c, const sq_case_param *p, double by)
{
    for (size_t i = 0; i < p->count; i++)
        p->spread[i] =
            fmax(p->spread[i], moved(sq_element_get(p->at, i, p->type),
                                     sq_element_get(c->data + p->after, i, p->type), by));
}

static int spread_once(sq_case *c, void (*f)(void *const *), uint64_t time, char *why)
{
    if (sq_case_place(c, SQ_PLACE_ALIGNED, why) < 0)
        return -1;
    double by = perturb_inputs(c, time, false);
    f(c->arg);
    for (int i = 0; i < c->nparams; i++)
        if (c->param[i].spread && by > 0)
            add_spread(c, &c->param[i], by);
    return 0;
}

static int give_spreads(sq_case *c)
{
    for (int i = 0; i < c->nparams; i++) {
        sq_case_param *p = &c->param[i];
        if (p->kind != 'a' || p->role == 'i' || !sq_elements[p->type].real)
            continue;
        p->spread = calloc(p->count + 1, sizeof *p->spread);
        if (!p->spread)
            return -1;
    }
    return 0;
}

int sq_case_perturb(sq_case *c, void (*f)(void *const *), char *why)
{
    sq_case_param *were = malloc((size_t)c->nparams * sizeof *were + 1);
    int rc = were ? give_spreads(c) : -1;
    if (rc < 0)
        strcpy(why, "no memory for what outputs may move by");
    rc = rc ? rc : sq_case_place(c, SQ_PLACE_ALIGNED, why);
    if (rc == 0) {
        memcpy(were, c->param, (size_t)c->nparams * sizeof *were);
        rc = perturb_twice(c, f, were, why);
    }
    free(were);
    return rc;
}

/* A choice may hide at every turn how large it is what is chosen from: results are of one order. */
static void find_least_sizes(sq_case *c)
{
    for (int i = 0; i < c->nparams; i++) {
        sq_case_param *p = &c->param[i];
        p->least_size = ldexp(1, -100);
        for (size_t e = 0; p->spread && e < p->count; e++)
            if (isfinite(p->spread[e]))
                p->least_size = fmax(p->least_size, p->spread[e] / 16);
    }
}

int sq_case_spread(sq_case *c, void (*f)(void *const *), char *why)
{
    sq_case_param *were = malloc((size_t)c->nparams * sizeof *were + 1);
    int rc = were ? give_spreads(c) : -1;
    if (rc == 0)
        memcpy(were, c->param, (size_t)c->nparams * sizeof *were);
    else
        strcpy(why, "no memory for what outputs may move by");
    for (uint64_t time = 1; time <= TURNS && rc == 0; time++) {
        rc = spread_once(c, f, time, why);
        put_scalars_back(c, were);
    }
    find_least_sizes(c);
    free(were);
    return rc;
}
