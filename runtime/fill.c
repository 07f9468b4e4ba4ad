/* Fill: see fill.h. */
#include "runtime/fill.h"
#include "runtime/values.h"
#include <stdbool.h>

enum { LONG_ROW = 4096 };

static bool is_positive(const sq_case *c, int param)
{
    return c->positive && !c->param[param].has_signs;
}

/* Returns numbers at either end of the type's range, alternating with ordinary ones. */
static double special_end(uint64_t *s, const sq_element_info *t, int exponent)
{
    double sign = sq_next(s) >> 63 ? -1 : 1;
    unsigned turn = (unsigned)(sq_next(s) >> 61);
    if (exponent > 0) /* the largest, if its products are finite in f32 */
        return turn == 0 && t->least > -100 ? sign * ldexp(2 - ldexp(1, -t->digits), 1 - t->least)
                                            : ldexp(sq_unit(s, 0, 24), exponent);
    switch (turn) {
    case 0:
        return ldexp(sign, t->least);
    case 1:
        return sign * (ldexp(1, t->least) - ldexp(1, t->least - t->digits));
    case 2:
        return ldexp(sign * (double)(sq_next(s) >> 60), t->least - t->digits);
    default:
        return ldexp(sq_unit(s, 0, 24), t->least + 1);
    }
}

/* An array is small, ordinary or large as a whole, so that its contribution is visible beside the
 * others; one with infinities has few of them, so that not all results are infinite. */
static double special_value(const sq_case *c, size_t count, sq_element type, int param, uint64_t *s)
{
    static const double none[] = {INFINITY, -INFINITY, NAN, 0};
    const sq_element_info *t = &sq_elements[type];
    uint64_t whole = c->seed, own = c->seed * 31 + (uint64_t)param;
    bool infinite = c->no_number && sq_next(&whole) % 3 == 0;
    int exponents[] = {0, c->small, c->large}, exponent = exponents[sq_next(&own) % 3];
    if (infinite && t->bytes == 2 && sq_next(s) % (count + 1) < 4)
        return none[sq_next(s) % 4];
    if (infinite || exponent == 0)
        return sq_unit(s, 0, 24);
    if (t->bytes == 2)
        return special_end(s, t, exponent);
    bool beyond = c->wide && exponent > 0 && sq_next(s) >> 62 == 0;
    return ldexp(sq_unit(s, 0, 24), beyond ? c->wide : exponent);
}

/* Depending on the seed there are a few in an array, so that not all sums are NaN, or every fourth
 * element is one. */
static double nonfinite_value(const sq_case *c, size_t count, double ordinary, uint64_t *s)
{
    static const double those[] = {INFINITY, -INFINITY, NAN, 0, -0.0, -0.0, 0, NAN};
    bool taken = c->seed % 2 ? sq_next(s) % (count + 1) < 4 : sq_next(s) % 4 == 0;
    return taken ? those[sq_next(s) >> 61] : ordinary;
}

/* All elements of an array are of the same kind, depending on the seed: far below all ordinary ones
 * or far above them, equal or not, or infinite. */
static double extreme_value(const sq_case *c, const sq_element_info *t, char fill, uint64_t *s)
{
    bool is_near = sq_next(s) >> 63;
    double far = fill == 'l'   ? ldexp(is_near ? 1.25 : 1.5, 20)
                 : c->seed & 2 ? INFINITY
                               : ldexp(is_near ? 1.5 : 1.25, 1 - t->least);
    return c->seed & 1 ? far : -far;
}

/* Returns the smallest or largest integer of a type. */
static int64_t integer_end(const sq_element_info *t, bool most)
{
    int bits = 8 * (int)t->bytes;
    if (t->is_unsigned)
        return most ? (int64_t)(UINT64_MAX >> (64 - bits)) : 0;
    return most ? INT64_MAX >> (64 - bits) : INT64_MIN >> (64 - bits);
}

static void put_extreme(const sq_case *c, const sq_case_param *p, size_t i, uint64_t *s)
{
    const sq_element_info *t = &sq_elements[p->type];
    if (t->real)
        sq_element_put(c->data + p->before, i, p->type, extreme_value(c, t, p->fill, s));
    else
        sq_element_put_integer(c->data + p->before, i, p->type, integer_end(t, c->seed & 1));
}

/* Returns integers of 8 and 16 bits near the ends of their range. In every second array the second
 * half of a row is the first one negated: sums are large half-way, and 0 at the end. */
static int64_t narrow_end(const sq_case *c, int param, size_t i)
{
    const sq_case_param *p = &c->param[param];
    const sq_element_info *t = &sq_elements[p->type];
    size_t n = p->ndim ? (size_t)p->extent[p->ndim - 1] : 1, half = n / 2, at = n ? i % n : 0;
    uint64_t bits = c->seed * 31 + (uint64_t)param * 1000003u + (half ? at % half : 0);
    int64_t v = integer_end(t, true) - (int64_t)(sq_next(&bits) >> 62);
    if (!(((uint64_t)param + c->seed / 2) & 1) || at < half || t->is_unsigned)
        return v;
    return at < 2 * half ? -v : 0;
}

static bool is_threshold(const sq_case_param *p, int is_real)
{
    return p->kind == 'c' && sq_elements[p->type].real == is_real;
}

/* Returns the number of values that elements of this kind are compared with: thresholds, and
 * scalars among the first n parameters. */
static int count_thresholds(const sq_case *c, int nparams, int is_real)
{
    int n = 0;
    for (int i = 0; i < c->nthresholds; i++)
        n += c->threshold[i].is_real == is_real;
    for (int i = 0; i < nparams; i++)
        n += is_threshold(&c->param[i], is_real);
    return n;
}

/* Returns number `at` of them. Without any, elements may still be compared with each other. */
static sq_case_threshold threshold_at(const sq_case *c, int nparams, int is_real, int at)
{
    for (int i = 0; i < c->nthresholds; i++)
        if (c->threshold[i].is_real == is_real && at-- == 0)
            return c->threshold[i];
    for (int i = 0; i < nparams; i++) {
        const sq_case_param *p = &c->param[i];
        if (!is_threshold(p, is_real) || at-- != 0)
            continue;
        return is_real ? (sq_case_threshold){1, sq_element_get(&p->value, 0, p->type), 0}
                       : (sq_case_threshold){0, 0, sq_element_get_integer(&p->value, 0, p->type)};
    }
    return (sq_case_threshold){is_real, 0.5, 0};
}

/* Alternates between the threshold itself and a number one or two steps of the type below or
 * above. */
static void move_beside(sq_case_threshold *v, const sq_element_info *t, uint64_t turn)
{
    int by = turn == 2 ? 1 : turn == 3 ? -1 : 0;
    v->real += by * ldexp(fabs(v->real), -t->digits);
    v->integer = (int64_t)((uint64_t)v->integer + (uint64_t)(int64_t)by);
}

static const double least_positive = 0x1p-7;

/* True if an element of this type may have the value. */
static bool may_be(bool positive, const sq_case_threshold *v, const sq_element_info *t)
{
    if (t->real)
        return !positive || v->real >= least_positive;
    return t->is_unsigned && t->bytes == 8 ? !positive || v->integer != 0
                                           : v->integer >= (positive         ? 1
                                                            : t->is_unsigned ? 0
                                                                             : INT64_MIN);
}

/* Makes every other element one of those numbers, or one next to it. False: it gets another value.
 * Scalars among the first n parameters count. */
static bool put_threshold(const sq_case *c, int param, int nparams, void *at, size_t i, uint64_t *s)
{
    sq_element type = c->param[param].type;
    const sq_element_info *t = &sq_elements[type];
    uint64_t any = sq_next(s), turn = any & 7;
    int n = count_thresholds(c, nparams, t->real);
    if (turn > 3 || (n == 0 && !t->real))
        return false;
    sq_case_threshold v =
        threshold_at(c, nparams, t->real, n ? (int)((any >> 8) % (uint64_t)n) : 0);
    move_beside(&v, t, turn);
    if (!may_be(is_positive(c, param), &v, t))
        return false;
    if (t->real)
        sq_element_put(at, i, type, v.real);
    else
        sq_element_put_integer(at, i, type, v.integer);
    return true;
}

/* Returns a subscript: from slightly before the first element to slightly behind the last, or any
 * number of the type. */
static int64_t place_value(const sq_case_param *p, uint64_t *s)
{
    uint64_t any = sq_next(s), room = (uint64_t)p->places / 8 + 2;
    unsigned turn = (unsigned)(any >> 62);
    if (turn == 0 || (turn == 1 && sq_elements[p->type].bytes <= 2))
        return (int64_t)sq_next(s);
    int64_t before = sq_elements[p->type].is_unsigned ? 0 : (int64_t)room;
    return (int64_t)(any % ((uint64_t)p->places + 2 * room)) - before;
}

/* Returns a number of the range that a caller promises; few are at its ends, as ordinary calls have it, but of few
 * elements most. */
static int64_t ranged_value(const sq_case_param *p, uint64_t *s)
{
    uint64_t any = sq_next(s), span = (uint64_t)p->most - (uint64_t)p->least;
    if (p->most < p->least || sq_next(s) % (p->count + 2) < 2)
        return any >> 63 && p->most > p->least ? p->most : p->least;
    return span == UINT64_MAX ? (int64_t)any : (int64_t)((uint64_t)p->least + any % (span + 1));
}

/* What all ordinary numbers of an array have in common. */
typedef struct ordinary {
    bool positive, is_sized;
    double size[8];
} ordinary;

static ordinary ordinary_of(const sq_case *c, int param)
{
    ordinary o = {.positive = is_positive(c, param), .is_sized = c->reach != 0};
    if (o.is_sized)
        sq_sizes_of_values(o.positive, c->reach, o.size);
    return o;
}

static inline double ordinary_value(const ordinary *o, sq_element t, uint64_t *s)
{
    double v = sq_unit(s, o->positive, t == SQ_CASE_F64 ? 52 : 24);
    return o->is_sized ? v * o->size[sq_next(s) >> 61] : v;
}

static void put_value(const sq_case *c, int param, const ordinary *o, void *at, size_t i,
                      uint64_t *s)
{
    sq_element t = c->param[param].type;
    bool positive = o->positive;
    if (sq_elements[t].real) {
        double v = ordinary_value(o, t, s);
        size_t count = c->param[param].count;
        sq_element_put(at, i, t, c->nonfinite ? nonfinite_value(c, count, v, s) : v);
        return;
    }
    if (c->param[param].places) {
        sq_element_put_integer(at, i, t, place_value(&c->param[param], s));
        return;
    }
    int64_t least = positive ? 1 : sq_elements[t].is_unsigned ? 0 : -8;
    uint64_t any = sq_next(s);
    bool all = sq_elements[t].bytes <= (unsigned)c->all_integers;
    bool narrow =
        all && c->all_integers == 2 && c->seed & 1 && c->param[param].kind == 'a' && !positive;
    if (narrow) {
        sq_element_put_integer(at, i, t, narrow_end(c, param, i));
        return;
    }
    sq_element_put_integer(at, i, t, all ? (int64_t)any : (int64_t)(any % 17) + least);
}

static void add_to(void *at, size_t i, sq_element t, double by)
{
    if (sq_elements[t].real)
        sq_element_put(at, i, t, sq_element_get(at, i, t) + by);
}

/* Square matrices that are divided by or rooted in place are usually factorisations: a dominant
 * diagonal prevents results of NaNs, which would compare as equal. */
static void weigh_diagonal(const sq_case *c, const sq_case_param *p)
{
    int64_t n = p->ndim >= 2 ? p->extent[p->ndim - 1] : 0;
    int64_t rows = n > 0 ? p->extent[p->ndim - 2] : 0;
    int guess = c->positive && !p->has_signs && p->role == 'b' && rows == n;
    if (p->count == 0 || n == 0 || (p->fill != 'd' && !guess))
        return;
    size_t matrix = (size_t)rows * (size_t)n, step = (size_t)n + 1;
    for (size_t m = 0; m < p->count; m += matrix)
        for (size_t i = 0; i < matrix && i / step < (size_t)n; i += step)
            add_to(c->data + p->before, m + i, p->type, 2.0 * (double)(rows > n ? rows : n));
}

/* Square matrices that a recurrence divides by are triangular systems: off-diagonal elements are
 * small, so that results neither grow until only rounding is left nor vanish. */
static void lighten_triangle(const sq_case *c, const sq_case_param *p)
{
    int64_t n = p->ndim == 2 ? p->extent[1] : 0;
    if (!c->carried || !c->positive || p->has_signs || p->role != 'i' || p->fill || p->count == 0 ||
        n != p->extent[0] || !sq_elements[p->type].real)
        return;
    void *at = c->data + p->before;
    for (size_t i = 0; i < p->count; i++)
        if (i % ((size_t)n + 1))
            sq_element_put(at, i, p->type, sq_element_get(at, i, p->type) / (double)n);
}

/* The maximum or minimum of a row is at its first or last position, which reveals a search that is
 * off by one. In a long row it is one of the last, which a vector may contain. */
static void put_extrema(const sq_case *c, const sq_case_param *p, uint64_t *s)
{
    size_t n = p->ndim && p->count ? (size_t)p->extent[p->ndim - 1] : 0;
    for (size_t from = 0; n > 1 && c->reach && sq_elements[p->type].real && from < p->count;
         from += n) {
        uint64_t drawn = sq_next(s), any = drawn >> 61;
        size_t last = from + n - 1 - (n > LONG_ROW ? drawn % 64 : 0);
        double v = any & 1 && (!c->positive || p->has_signs) ? -2 * c->reach : 2 * c->reach;
        if (any >> 1)
            sq_element_put(c->data + p->before, any >> 1 == 1 ? from : last, p->type, v);
    }
}

static void make_small(const sq_case *c, const sq_case_param *p)
{
    double by = 1 / (2.0 * (double)p->count + 2);
    void *at = c->data + p->before;
    for (size_t i = 0; p->fill == 's' && sq_elements[p->type].real && i < p->count; i++)
        sq_element_put(at, i, p->type, sq_element_get(at, i, p->type) * by);
}

/* Fills an array with ordinary numbers only, as most are. A local copy of the state and of the
 * invariants stays in registers; inlined for each type, so that the type is constant in the
 * loop. */
static inline __attribute__((always_inline)) void put_each(void *at, size_t n, sq_element t,
                                                           ordinary o, uint64_t *state)
{
    uint64_t s = *state;
    for (size_t i = 0; i < n; i++)
        sq_element_put(at, i, t, ordinary_value(&o, t, &s));
    *state = s;
}

static void put_ordinary(const sq_case *c, int param, uint64_t *s)
{
    const sq_case_param *p = &c->param[param];
    unsigned char *at = c->data + p->before;
    ordinary o = ordinary_of(c, param);
    if (p->type == SQ_CASE_F32)
        put_each(at, p->count, SQ_CASE_F32, o, s);
    else if (p->type == SQ_CASE_F64)
        put_each(at, p->count, SQ_CASE_F64, o, s);
    else
        put_each(at, p->count, p->type, o, s);
}

static void put_others(const sq_case *c, int param, uint64_t *state)
{
    const sq_case_param *p = &c->param[param];
    uint64_t s = *state;
    ordinary o = ordinary_of(c, param);
    bool special = sq_case_special(c) && sq_elements[p->type].real;
    for (size_t e = 0; e < p->count; e++)
        if (p->has_range)
            sq_element_put_integer(c->data + p->before, e, p->type, ranged_value(p, &s));
        else if (special)
            sq_element_put(c->data + p->before, e, p->type,
                           special_value(c, p->count, p->type, param, &s));
        else if (p->fill == 'e' || p->fill == 'l')
            put_extreme(c, p, e, &s);
        else if (p->places || !c->thresholds ||
                 !put_threshold(c, param, c->nparams, c->data + p->before, e, &s))
            put_value(c, param, &o, c->data + p->before, e, &s);
    *state = s;
}

void sq_fill_array(sq_case *c, int param)
{
    sq_case_param *p = &c->param[param];
    uint64_t s = c->seed * 1000003u + (uint64_t)param;
    bool is_extreme = p->fill == 'e' || p->fill == 'l';
    if (sq_elements[p->type].real && !sq_case_special(c) && !is_extreme && !c->thresholds &&
        !c->nonfinite)
        put_ordinary(c, param, &s);
    else
        put_others(c, param, &s);
    put_extrema(c, p, &s);
    weigh_diagonal(c, p);
    lighten_triangle(c, p);
    make_small(c, p);
}

void sq_fill_scalars(sq_case *c)
{
    for (int i = 0; i < c->nparams; i++) {
        sq_case_param *p = &c->param[i];
        uint64_t s = c->seed * 1000003u + (uint64_t)i;
        ordinary o = ordinary_of(c, i);
        double v = (0.625 + 0.375 * sq_unit(&s, 0, 24)) * (c->order > 0 ? 2 : 1);
        if (p->kind != 'c' || (c->thresholds && put_threshold(c, i, i, &p->value, 0, &s)))
            continue;
        if (sq_elements[p->type].real)
            sq_element_put(&p->value, 0, p->type, v);
        else
            put_value(c, i, &o, &p->value, 0, &s);
    }
}
