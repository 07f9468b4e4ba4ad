/* Image: see image.h. */
#include "ir/kernel/image.h"
#include "ir/kernel/form.h"
#include "ir/kernel/narrow.h"
#include "support/stats.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Returns an array with the given extents. */
static sq_image_array array_of(const sq_array *a, int64_t *extent, sq_arena *arena)
{
    sq_image_array x = {.array = a, .extent = extent, .count = 1};
    for (int d = 0; d < a->ndim; d++)
        x.count *= extent[d];
    x.at = SQ_NEW_ARRAY(arena, sq_number, x.count);
    x.defined = SQ_NEW_ARRAY(arena, bool, x.count);
    return x;
}

static int64_t *extents_of(const sq_image *m, const sq_array *a, sq_arena *arena)
{
    int64_t *extent = SQ_NEW_ARRAY(arena, int64_t, a->ndim + 1);
    for (int d = 0; d < a->ndim; d++) {
        int64_t n = sq_form_value(sq_form_new(m->kernel, a->extent[d], arena), m->size, NULL);
        extent[d] = n > 0 ? n : 0;
    }
    return extent;
}

static sq_image *empty(const sq_kernel *k, const int64_t *sizes, sq_arena *arena)
{
    sq_image *m = SQ_NEW(arena, sq_image);
    m->kernel = k;
    m->size = SQ_NEW_ARRAY(arena, int64_t, k->nsizes + k->nproducts + 1);
    m->array = SQ_NEW_ARRAY(arena, sq_image_array, k->narrays + 1);
    m->scalar = SQ_NEW_ARRAY(arena, sq_number, k->nparams + 1);
    for (int i = 0; i < k->nsizes + k->nproducts; i++)
        m->size[i] = sq_kernel_size_at(k, i, sizes);
    return m;
}

double sq_image_elements(const sq_kernel *k, const int64_t *sizes)
{
    double all = 0;
    sq_arena *arena = sq_arena_new();
    const sq_image *m = empty(k, sizes, arena);
    for (int a = 0; a < k->narrays; a++) {
        const int64_t *extent = extents_of(m, k->array[a], arena);
        double n = 1;
        for (int d = 0; d < k->array[a]->ndim; d++)
            n *= (double)extent[d];
        all += n;
    }
    sq_arena_free(arena);
    return all;
}

sq_image *sq_image_new(const sq_kernel *k, const int64_t *sizes, sq_arena *arena)
{
    sq_image *m = empty(k, sizes, arena);
    for (int a = 0; a < k->narrays; a++)
        m->array[a] = array_of(k->array[a], extents_of(m, k->array[a], arena), arena);
    return m;
}

sq_image *sq_image_like(const sq_image *m, sq_arena *arena)
{
    sq_image *x = empty(m->kernel, m->size, arena);
    for (int a = 0; a < m->kernel->narrays; a++)
        x->array[a] = array_of(m->array[a].array, m->array[a].extent, arena);
    return x;
}

sq_image_array *sq_image_named(const sq_image *m, const char *name)
{
    for (int a = 0; a < m->kernel->narrays; a++)
        if (strcmp(m->kernel->array[a]->name, name) == 0)
            return &m->array[a];
    return NULL;
}

/* ---- contents ---- */

static sq_number draw(sq_rng *r, sq_type type, const sq_image_contents *c)
{
    enum { UNITS = 64 }; /* multiples of 1/32 in an interval of length 2, of 1/64 in one of length 1 */
    double unit = (double)sq_rng_below(r, UNITS) / UNITS;
    if (sq_type_real(type))
        return (sq_number){.real = c->positive ? 0.5 + unit : 2 * unit - 1};
    if (c->any_integer)
        return (sq_number){.integer = sq_type_wrap(type, (int64_t)sq_rng_next(r))};
    int64_t small = (int64_t)sq_rng_below(r, 16);
    return (sq_number){.integer = sq_type_unsigned(type) ? small + 1 : small - 8};
}

/* The numbers that elements are drawn from where callers promise some; false: no promise. Where it leaves none the
 * kernel takes no such sizes. */
static bool promised(const sq_image *m, const sq_array *a, sq_arena *arena, sq_range *to)
{
    *to = sq_type_range(a->type);
    if (sq_type_unsigned(a->type))
        to->lo = 0;
    int64_t least = a->least ? sq_form_value(sq_form_new(m->kernel, a->least, arena), m->size, NULL) : to->lo;
    int64_t most = a->most ? sq_form_value(sq_form_new(m->kernel, a->most, arena), m->size, NULL) : to->hi;
    to->lo = least > to->lo ? least : to->lo;
    to->hi = most < to->hi ? most : to->hi;
    return (a->least || a->most) && to->lo <= to->hi;
}

/* Every other element is at an end. */
static sq_number draw_between(sq_rng *r, sq_range all)
{
    uint64_t span = (uint64_t)all.hi - (uint64_t)all.lo, turn = sq_rng_below(r, 4);
    uint64_t by = span == UINT64_MAX ? sq_rng_next(r) : sq_rng_next(r) % (span + 1);
    return (sq_number){.integer = turn == 0   ? all.lo
                                  : turn == 1 ? all.hi
                                              : (int64_t)((uint64_t)all.lo + by)};
}

static void fill(const sq_image *m, sq_image_array *x, const sq_image_contents *c, sq_rng *r)
{
    const sq_array *a = x->array;
    int64_t columns = a->ndim == 2 ? x->extent[1] : 0;
    sq_range all;
    sq_arena *arena = sq_arena_new();
    bool is_promised = promised(m, a, arena, &all);
    sq_arena_free(arena);
    for (int64_t i = 0; i < x->count; i++) {
        x->at[i] = is_promised ? draw_between(r, all) : draw(r, a->type, c);
        if (c->dominant && columns && sq_type_real(a->type) && i / columns == i % columns)
            x->at[i].real = sq_type_round(a->type, x->at[i].real + 2 * (double)columns);
        x->defined[i] = true;
    }
}

void sq_image_fill(sq_image *m, const sq_image_contents *c)
{
    const sq_kernel *k = m->kernel;
    sq_rng r = {c->seed};
    for (int p = 0; p < k->nparams; p++)
        if (k->param[p].scalar)
            m->scalar[p] = draw(&r, k->param[p].scalar->type, c);
    for (int a = 0; a < k->narrays; a++)
        if (k->array[a]->role == SQ_IN || k->array[a]->role == SQ_INOUT)
            fill(m, &m->array[a], c, &r);
}

/* Packs words of the elements of another array, the first in the lowest bits. */
static void make_words(sq_image *m, sq_image_array *x)
{
    const sq_image_array *of = sq_image_named(m, x->array->words_of->name);
    int bits = 8 * sq_type_bytes(of->array->type), parts = 32 / bits;
    for (int64_t i = 0; i < x->count; i++) {
        uint32_t word = 0;
        x->defined[i] = true;
        for (int p = 0; p < parts; p++) {
            word |= ((uint32_t)of->at[i * parts + p].integer & ((1u << bits) - 1)) << p * bits;
            x->defined[i] &= of->defined[i * parts + p];
        }
        x->at[i] = (sq_number){.integer = (int32_t)word};
    }
}

void sq_image_copy(sq_image *to, const sq_image *from)
{
    const sq_kernel *k = to->kernel, *of = from->kernel;
    for (int a = 0; a < k->narrays; a++) {
        sq_image_array *x = &to->array[a], *y = sq_image_named(from, k->array[a]->name);
        if (k->array[a]->role == SQ_LOCAL)
            memset(x->defined, 0, (size_t)x->count * sizeof *x->defined);
        if (!y || k->array[a]->role == SQ_LOCAL || x->count != y->count)
            continue;
        memcpy(x->at, y->at, (size_t)x->count * sizeof *x->at);
        memcpy(x->defined, y->defined, (size_t)x->count * sizeof *x->defined);
    }
    for (int a = 0; a < k->narrays; a++)
        if (k->array[a]->words_of)
            make_words(to, &to->array[a]);
    for (int p = 0; p < k->nparams; p++)
        for (int q = 0; q < of->nparams && k->param[p].scalar; q++)
            if (of->param[q].scalar &&
                strcmp(of->param[q].scalar->name, k->param[p].scalar->name) == 0)
                to->scalar[p] = from->scalar[q];
}

/* ---- comparison ---- */

static bool is_near(sq_type type, sq_number expected, sq_number actual, double bound)
{
    if (!sq_type_real(type))
        return expected.integer == actual.integer;
    if (isnan(expected.real) || isnan(actual.real))
        return isnan(expected.real) && isnan(actual.real);
    return expected.real == actual.real ||
           fabs(expected.real - actual.real) <= bound * (1 + fabs(expected.real));
}

const char *sq_image_place(const sq_image_array *a, int64_t i, sq_arena *arena)
{
    const char *text = "";
    for (int d = a->array->ndim - 1; d >= 0; d--) {
        text = sq_arena_printf(arena, "[%" PRId64 "]%s", i % a->extent[d], text);
        i /= a->extent[d];
    }
    return text;
}

static const char *shown(sq_type type, sq_number n, bool defined, sq_arena *arena)
{
    if (!defined)
        return "undefined";
    if (sq_type_real(type))
        return sq_arena_printf(arena, "%.17g", n.real);
    return sq_arena_printf(arena, type == SQ_U64 ? "%" PRIu64 : "%" PRId64, n.integer);
}

static bool same_array(const sq_image_array *x, const sq_image_array *y, double bound,
                       sq_arena *arena, const char **why)
{
    sq_type type = x->array->type;
    for (int64_t i = 0; i < x->count; i++) {
        bool both = x->defined[i] && y->defined[i];
        if (both ? is_near(type, x->at[i], y->at[i], bound) : x->defined[i] == y->defined[i])
            continue;
        *why = sq_arena_printf(arena, "%s%s is %s, expected %s", x->array->name,
                               sq_image_place(x, i, arena),
                               shown(type, y->at[i], y->defined[i], arena),
                               shown(type, x->at[i], x->defined[i], arena));
        return false;
    }
    return true;
}

bool sq_image_same(const sq_image *expected, const sq_image *actual, const double *bound,
                   sq_arena *arena, const char **why)
{
    for (int a = 0; a < expected->kernel->narrays; a++) {
        const sq_image_array *x = &expected->array[a], *y = sq_image_named(actual, x->array->name);
        if (x->array->role == SQ_LOCAL)
            continue;
        if (!y || y->count != x->count) {
            *why = sq_arena_printf(arena, "%s is not there, or of another shape", x->array->name);
            return false;
        }
        if (!same_array(x, y, bound ? bound[a] : 0, arena, why))
            return false;
    }
    return true;
}
