/* Perturb: see perturb.h. */
#define _GNU_SOURCE
#include "runtime/perturb.h"
#include "runtime/values.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Returns the relative perturbation: some digits above the last, so that rounding in between does
 * not undo it. With last_digits, what rounding in several operations may change. */
static double size_of_perturbation(sq_element type, bool last_digits)
{
    const sq_element_info *t = &sq_elements[type];
    if (t->bytes == 2)
        return ldexp(1, 3 - t->digits);
    return ldexp(1, last_digits ? 6 - t->digits : -16);
}

enum {
    TURNS =
        5, /* perturbations may cancel in a sum or difference in one run, but hardly in all */
    ROUNDING_TURNS =
        3 /* for last digits: rounding may agree by chance, but hardly three times */
};
static const double long_time = 0.5; /* seconds per run beyond which one is enough */

/* Moves elements up or down, without a pattern that a stencil could see; except for `stream` 0 also
 * by different amounts, so that nothing cancels by chance. */
static inline __attribute__((always_inline)) void perturb_each(void *at, size_t n, sq_element type,
                                                               uint64_t stream, double most)
{
    const double way[] = {-most, most}; /* no branch, which would be mispredicted */
    for (size_t i = 0; i < n; i++) {
        uint64_t state = stream << 40 ^ i;
        uint64_t turn = stream ? sq_next(&state) : (i + 1) * 0x9e3779b97f4a7c15u;
        double by = way[turn >> 63];
        by *= stream ? (double)(turn & 0xffff) / 65536 : 1;
        sq_element_put(at, i, type, sq_element_get(at, i, type) * (1 + by));
    }
}

/* Inlined for the most frequent types, so that they are constant in the loop. */
static void perturb_array(void *at, size_t n, sq_element type, uint64_t stream, double most)
{
    if (type == SQ_CASE_F32)
        perturb_each(at, n, SQ_CASE_F32, stream, most);
    else if (type == SQ_CASE_F64)
        perturb_each(at, n, SQ_CASE_F64, stream, most);
    else
        perturb_each(at, n, type, stream, most);
}

static bool is_read(const sq_case_param *p)
{
    return sq_elements[p->type].real && (p->kind == 'c' || (p->kind == 'a' && p->role != 'o'));
}

/* Perturbs all inputs, each by the amount for the coarsest type among them, so that one number
 * describes how far each result may move. Returns it, relative. */
static double perturb_inputs(sq_case *c, uint64_t time, bool last_digits)
{
    double by = 0;
    for (int i = 0; i < c->nparams; i++)
        if (is_read(&c->param[i]))
            by = fmax(by, size_of_perturbation(c->param[i].type, last_digits));
    for (int i = 0; i < c->nparams; i++) {
        sq_case_param *p = &c->param[i];
        uint64_t stream = time ? time + (uint64_t)(i + 1) * (TURNS + 1) : 0;
        size_t count = !is_read(p) ? 0 : p->kind == 'a' ? p->count : 1;
        perturb_array(p->kind == 'a' ? (void *)p->at : &p->value, count, p->type, stream, by);
    }
    return by;
}

static double farthest(const sq_case *c, const sq_case_param *p)
{
    double most = 0;
    for (size_t i = 0; i < p->count; i++) {
        double by = fabs(sq_element_get(p->at, i, p->type) -
                         sq_element_get(c->data + p->after, i, p->type));
        if (isfinite(by) && !(c->data[p->marks + i] & SQ_MARK_ANY) && by > most)
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

/* Calls f on perturbed inputs; *by: the largest perturbation, 0 if nothing could be perturbed. */
static int call_perturbed(sq_case *c, void (*f)(void *const *), const sq_case_param *were,
                          uint64_t time, bool last_digits, double *by, char *why)
{
    if (sq_case_place(c, SQ_PLACE_ALIGNED, why) < 0)
        return -1;
    *by = perturb_inputs(c, time, last_digits);
    f(c->arg);
    put_scalars_back(c, were);
    return 0;
}

static bool has_marks(const sq_case_param *p)
{
    return p->kind == 'a' && p->role != 'i' && sq_elements[p->type].real;
}

/* An element that moves by more than this fraction of itself when inputs change in their last
 * digits consists of rounding errors: such as the rest of a column after complete elimination. */
static const double most_moved = 0x1p-6;

/* A tiny element may still be compared, but quotients by it may be infinite. */
static inline unsigned char mark_of(double now, double before, double rounding)
{
    double by = fabs(now - before);
    if (!isfinite(now) || !isfinite(before))
        return SQ_MARK_ANY;
    if (!(by > most_moved * fabs(now)) || !(by > most_moved * fabs(before)))
        return 0;
    return by > rounding * (1 + fabs(before)) ? SQ_MARK_ANY : SQ_MARK_INFINITE;
}

static void mark_rounding(sq_case *c, const sq_case_param *p)
{
    for (size_t i = 0; i < p->count; i++)
        c->data[p->marks + i] |=
            mark_of(sq_element_get(p->at, i, p->type),
                    sq_element_get(c->data + p->after, i, p->type), p->rounding);
}

/* If some elements are only rounding errors, values derived from them may be infinite or NaN in
 * some orders of evaluation and not in others. */
static void spread_marks(sq_case *c)
{
    unsigned char any = 0;
    for (int turn = 0; turn < 2; turn++)
        for (int i = 0; i < c->nparams; i++)
            for (size_t e = 0; has_marks(&c->param[i]) && e < c->param[i].count; e++) {
                any |= c->data[c->param[i].marks + e];
                c->data[c->param[i].marks + e] |= turn && any ? SQ_MARK_INFINITE : 0;
            }
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Finds elements that are only rounding errors, and how far the others move. */
static int find_moves(sq_case *c, void (*f)(void *const *), const sq_case_param *were, char *why)
{
    double by = 0;
    double start = seconds_now();
    for (uint64_t time = 1; time <= ROUNDING_TURNS && seconds_now() - start < long_time; time++) {
        if (call_perturbed(c, f, were, time, true, &by, why) < 0)
            return -1;
        for (int i = 0; i < c->nparams; i++)
            if (has_marks(&c->param[i]) && by > 0)
                mark_rounding(c, &c->param[i]);
    }
    spread_marks(c);
    if (call_perturbed(c, f, were, 0, false, &by, why) < 0)
        return -1;
    for (int i = 0; i < c->nparams; i++)
        if (has_marks(&c->param[i]) && by > 0)
            sq_case_moves(c, i, farthest(c, &c->param[i]) / by);
    return 0;
}

int sq_case_perturb(sq_case *c, void (*f)(void *const *), char *why)
{
    sq_case_param *were = malloc((size_t)c->nparams * sizeof *were + 1);
    int rc = were ? 0 : -1;
    if (rc < 0)
        strcpy(why, "no memory for a copy of the scalars");
    else
        memcpy(were, c->param, (size_t)c->nparams * sizeof *were);
    rc = rc ? rc : find_moves(c, f, were, why);
    free(were);
    return rc;
}

/* Returns the movement per unit of perturbation, if both values are finite. */
static inline double moved(double now, double before, double by)
{
    if (isfinite(now) && isfinite(before))
        return fabs(now - before) / by;
    bool same = isnan(now) ? isnan(before) : now == before;
    return same ? 0 : INFINITY;
}

static inline __attribute__((always_inline)) void
add_each(double *spread, const void *now, const void *before, size_t n, sq_element type, double by)
{
    for (size_t i = 0; i < n; i++) {
        double more = moved(sq_element_get(now, i, type), sq_element_get(before, i, type), by);
        spread[i] = more > spread[i] ? more : spread[i];
    }
}

static void add_spread(const sq_case *c, const sq_case_param *p, double by)
{
    const void *before = c->data + p->after;
    if (p->type == SQ_CASE_F32)
        add_each(p->spread, p->at, before, p->count, SQ_CASE_F32, by);
    else
        add_each(p->spread, p->at, before, p->count, p->type, by);
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

/* Assigns it to outputs; integers move only if they are made of rounded numbers. */
static int give_spreads(sq_case *c)
{
    for (int i = 0; i < c->nparams; i++) {
        sq_case_param *p = &c->param[i];
        if (p->kind != 'a' || p->role == 'i' || (!sq_elements[p->type].real && !c->steps))
            continue;
        p->spread = calloc(p->count + 1, sizeof *p->spread);
        if (!p->spread)
            return -1;
    }
    return 0;
}

/* A conditional may hide the magnitude of its operands in every run: results are assumed to have
 * one magnitude. */
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

static bool reads_any(const sq_case *c)
{
    bool any = false;
    for (int i = 0; i < c->nparams; i++)
        any |= is_read(&c->param[i]);
    return any;
}

int sq_case_spread(sq_case *c, void (*f)(void *const *), char *why)
{
    if ((!c->spread && !c->steps) || !reads_any(c))
        return 0;
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
