/* Compare: an output with what the naive nest makes of the same inputs, and the memory around it with its pattern. See
 * case.h. */
#define _GNU_SOURCE
#include "runtime/case.h"
#include "runtime/poison.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_around(const sq_case *c, const sq_case_param *p, char *why)
{
    const unsigned char *lo = p->map + page_bytes(), *hi = p->map + p->map_bytes - page_bytes();
    const unsigned char *end = p->at + p->bytes;
    int under = !is_poison(around(c, p), lo, 0, (size_t)(p->at - lo));
    int over = !is_poison(around(c, p), end, 0, (size_t)(hi - end));
    if (under || over)
        snprintf(why, WHY, "writes %s of '%.*s'", under ? "before the start" : "past the end",
                 SHOWN, p->name);
    return under || over ? -1 : 0;
}

/* Returns the distance of adjacent values of f16 or bf16; for wider types it is in the bound. */
static double own_rounding(sq_element type, double value)
{
    const sq_element_info *t = &sq_elements[type];
    return t->bytes == 2 ? fmax(ldexp(fabs(value), -t->digits), ldexp(1, t->least - t->digits)) : 0;
}

/* True for the last finite values of a divergent recurrence: the neighbour of a much larger element
 * becomes infinite at the next step, or a step earlier in another type. */
static int overflows(const sq_case *c, const sq_case_param *p, size_t i, double got, double want)
{
    double last = ldexp(1, 100);
    return c->carried && p->type == SQ_CASE_F32 && !(fabs(got) < last) && !(fabs(want) < last) &&
           !is_poison(INSIDE, p->at, i * type_bytes(p->type), 4);
}

/* For special inputs, compares values that differ: infinite if one is an infinity or, where it
 * matters, a zero of another sign; 0 if the case has no bound for finite values, else -1. */
static double difference_of_kind(const sq_case *c, double got, double want)
{
    int signs = got == 0 && want == 0 && c->has_signs && !signbit(got) != !signbit(want);
    if (isinf(got) || isinf(want) || signs)
        return got == want && !signs ? 0 : INFINITY;
    return c->bounded ? -1 : 0;
}

/* What the bounds of all elements of an output have in common. */
static double size_of(const sq_case *c, const sq_case_param *p)
{
    double moves;
    memcpy(&moves, c->data + p->moves, sizeof moves);
    return moves + (sq_case_special(c) ? p->least_size : fmax(fmax(1, c->order), pow(c->reach, c->degree)));
}

/* Returns the difference relative to the bound, which `size` is part of; 0 for equal bits or NaNs, infinite for
 * errors. */
static double difference(const sq_case *c, const sq_case_param *p, double size, size_t i)
{
    const unsigned char *expected = c->data + p->after;
    size_t w = type_bytes(p->type);
    if (memcmp(p->at + i * w, expected + i * w, w) == 0)
        return 0;
    double got = sq_element_get(p->at, i, p->type), want = sq_element_get(expected, i, p->type);
    int nans = isnan(got) && isnan(want) && !is_poison(INSIDE, p->at, i * w, w);
    if (p->rounding == 0)
        return nans ? 0 : INFINITY; /* strict: -0 differs from 0 as well */
    if (!sq_elements[p->type].real)
        return c->steps && fabs(got - want) <= 1 ? 0.5 : INFINITY;
    if (is_poison(INSIDE, expected, i * w, w))
        return INFINITY; /* an element that may not be written */
    if (overflows(c, p, i, got, want))
        return 0;
    double spread = p->spread ? p->spread[i] : 0;
    int mark = c->carried ? c->data[p->marks + i] : 0;
    if (spread == INFINITY || mark & SQ_MARK_ANY || (mark && !isfinite(got)))
        return is_poison(INSIDE, p->at, i * w, w) ? INFINITY : 0;
    if (isnan(got) || isnan(want))
        return nans ? 0 : INFINITY;
    if (c->nonfinite && difference_of_kind(c, got, want) >= 0)
        return difference_of_kind(c, got, want);
    if (isinf(got) || isinf(want))
        return got == want ? 0 : INFINITY;
    return fabs(got - want) / (p->rounding * (size + fabs(want) + spread) + own_rounding(p->type, want));
}

/* Writes "C[3][17]" for a flat index. */
static void name_element(const sq_case_param *p, size_t i, char *to, size_t n)
{
    size_t below = p->count;
    int used = snprintf(to, n, "%.*s", SHOWN, p->name);
    for (int d = 0; d < p->ndim && used < (int)n; d++) {
        below /= (size_t)p->extent[d];
        used += snprintf(to + used, n - (size_t)used, "[%zu]", i / below);
        i %= below;
    }
}

int sq_case_finite(const sq_case *c, char *why)
{
    for (int a = 0; a < c->nparams; a++) {
        const sq_case_param *p = &c->param[a];
        size_t w = type_bytes(p->type);
        for (size_t i = 0; p->kind == 'a' && p->role != 'i' && i < p->count; i++) {
            const unsigned char *data = c->data + p->after;
            if (isfinite(sq_element_get(data, i, p->type)) || is_poison(INSIDE, data, i * w, w))
                continue;
            char name[120];
            name_element(p, i, name, sizeof name);
            snprintf(why, WHY, "the reference makes %s not finite", name);
            return -1;
        }
    }
    return 0;
}

static void say_wrong(const sq_case *c, const sq_case_param *p, size_t i, char *why)
{
    char name[80];
    name_element(p, i, name, sizeof name);
    size_t w = type_bytes(p->type);
    const char *note = is_poison(INSIDE, p->at, i * w, w)                ? " (never written)"
                       : is_poison(INSIDE, c->data + p->after, i * w, w) ? " (not to be written)"
                                                                         : "";
    int digits = p->rounding == 0 && w == 8 ? 17 : 9;
    snprintf(why, WHY, "%s is %.*g, expected %.*g%s", name, digits,
             sq_element_get(p->at, i, p->type), digits,
             sq_element_get(c->data + p->after, i, p->type), note);
}

/* Returns how many integers made of rounded numbers may be off by one: few are so near to a step. Of
 * those, nearly all change with perturbed inputs, and one in nine may be off that did not. */
static size_t most_off(const sq_case_param *p)
{
    size_t moved = 0;
    for (size_t i = 0; p->spread && i < p->count; i++)
        moved += p->spread[i] > 0;
    return p->spread ? (moved + 7) / 8 : 2 + p->count / 6;
}

/* True if the code as written makes about this number where it is not to be compared with the naive nest's. */
static bool is_as_written(const sq_case_param *p, size_t i)
{
    double got = sq_element_get(p->at, i, p->type), own = sq_element_get(p->as_written, i, p->type);
    if (!isfinite(got) || !isfinite(own))
        return isfinite(got) == isfinite(own);
    return fabs(got - own) <= p->rounding * (1 + fabs(own)) + own_rounding(p->type, own);
}

/* True if nothing follows from a difference; *odd: how many such elements are as neither nest makes them. */
static bool is_doubted(const sq_case_param *p, size_t i, size_t *odd)
{
    size_t w = type_bytes(p->type);
    if (!p->doubted || !p->doubted[i] || is_poison(INSIDE, p->at, i * w, w))
        return false;
    *odd += !is_as_written(p, i);
    return true;
}

/* Rounding errors may be anything, but only few elements of correct code consist of them. */
static int check_odd(const sq_case_param *p, size_t odd, char *why)
{
    if (odd <= 2 + p->count / 8)
        return 0;
    snprintf(
        why, WHY,
        "%zu of %zu elements of '%.*s' are neither as in double nor as in the kernel's own types",
        odd, p->count, SHOWN - 20, p->name);
    return -1;
}

static int check_output(const sq_case *c, const sq_case_param *p, double *error, char *why)
{
    size_t off = 0, odd = 0;
    if (memcmp(p->at, c->data + p->after, p->bytes) == 0)
        return 0; /* as most are */
    const double size = size_of(c, p);
    for (size_t i = 0; i < p->count; i++) {
        double e = difference(c, p, size, i);
        if (e > 1 && is_doubted(p, i, &odd))
            continue;
        off += e > 0 && !sq_elements[p->type].real && !(p->spread && p->spread[i] > 0);
        if (e > *error)
            *error = e;
        if (e > 1) {
            say_wrong(c, p, i, why);
            return -1;
        }
    }
    if (off <= most_off(p))
        return check_odd(p, odd, why);
    snprintf(why, WHY, "%zu of %zu elements of '%.*s' are off by one, and rounding moves few", off,
             p->count, SHOWN, p->name);
    return -1;
}

/* Checks that nothing around the arrays and no input changed. */
static int check_memory(const sq_case *c, char *why)
{
    for (int i = 0; i < c->nparams; i++) {
        const sq_case_param *p = &c->param[i];
        if (p->kind != 'a')
            continue;
        if (check_around(c, p, why) < 0)
            return -1;
        if (p->role == 'i' && memcmp(p->at, c->data + p->before, p->bytes) != 0) {
            snprintf(why, WHY, "changes the input '%.*s'", SHOWN, p->name);
            return -1;
        }
    }
    return 0;
}

int sq_case_check(const sq_case *c, double *error, char *why)
{
    *error = 0;
    if (check_memory(c, why) < 0)
        return -1;
    for (int i = 0; i < c->nparams; i++) {
        const sq_case_param *p = &c->param[i];
        if (p->kind == 'a' && p->role != 'i' && check_output(c, p, error, why) < 0)
            return -1;
    }
    return 0;
}

/* ---- the code as written ---- */

static bool is_output(const sq_case_param *p)
{
    return p->kind == 'a' && p->role != 'i';
}

static unsigned char *outputs_kept(const sq_case *c)
{
    size_t bytes = 0;
    for (int i = 0; i < c->nparams; i++)
        bytes += is_output(&c->param[i]) ? c->param[i].bytes : 0;
    unsigned char *kept = malloc(bytes + 1), *to = kept;
    for (int i = 0; kept && i < c->nparams; i++) {
        const sq_case_param *p = &c->param[i];
        if (is_output(p))
            to = (unsigned char *)memcpy(to, p->at, p->bytes) + p->bytes;
    }
    return kept;
}

static void put_back(const sq_case *c, const unsigned char *kept)
{
    for (int i = 0; i < c->nparams; i++) {
        const sq_case_param *p = &c->param[i];
        if (!is_output(p))
            continue;
        memcpy(p->at, kept, p->bytes);
        kept += p->bytes;
    }
}

static int doubt_output(const sq_case *c, sq_case_param *p)
{
    p->as_written = malloc(p->bytes + 1);
    p->doubted = calloc(p->count + 1, 1);
    if (!p->as_written || !p->doubted)
        return -1;
    memcpy(p->as_written, p->at, p->bytes);
    const double size = size_of(c, p);
    for (size_t i = 0; i < p->count; i++)
        p->doubted[i] = difference(c, p, size, i) > 1;
    return 0;
}

int sq_case_doubt(sq_case *c, sq_place place, void (*as_written)(void *const *), char *why)
{
    unsigned char *kept = outputs_kept(c);
    snprintf(why, WHY, "no memory for what the code as written makes");
    int rc = kept ? sq_case_place(c, place, why) : -1;
    if (rc == 0) {
        as_written(c->arg);
        for (int i = 0; i < c->nparams && rc == 0; i++)
            if (is_output(&c->param[i]) && c->param[i].rounding > 0)
                rc = doubt_output(c, &c->param[i]);
        put_back(c, kept);
    }
    free(kept);
    return rc;
}
