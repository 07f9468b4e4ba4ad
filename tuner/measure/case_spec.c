/* Case spec: parameters with their extents at one row of sizes, seed, and the precision required of
 * each output (ir/dependence/kernel_rounding.c). */
#include "tuner/measure/case_spec.h"
#include "ir/kernel/narrow.h"
#include "ir/kernel/touch.h"
#include "tuner/measure/places.h"
#include "tuner/measure/signs.h"
#include <inttypes.h>
#include <isl/space.h>
#include <isl/val.h>
#include <math.h>
#include <string.h>

static int64_t size_by_name(const sq_kernel *k, const char *name, const int64_t *sizes)
{
    for (int i = 0; i < k->nsizes; i++)
        if (strcmp(k->size[i]->name, name) == 0)
            return k->size[i]->fixed ? k->size[i]->value : sizes[i];
    for (int i = 0; i < k->nproducts; i++)
        if (strcmp(k->product[i]->name, name) == 0)
            return sq_kernel_size_at(k, k->nsizes + i, sizes);
    return 0;
}

static double val_of(isl_val *v /* __isl_take */)
{
    double d = isl_val_get_d(v);
    isl_val_free(v);
    return d;
}

/* Returns the rational value; divisions that round down are applied. Exact below 2^53. */
static double rational(const sq_kernel *k, isl_aff *a, const int64_t *sizes)
{
    double sum = val_of(isl_aff_get_constant_val(a));
    int np = (int)isl_aff_dim(a, isl_dim_param), nd = (int)isl_aff_dim(a, isl_dim_div);
    for (int i = 0; i < np; i++) {
        const char *name = isl_aff_get_dim_name(a, isl_dim_param, (unsigned)i);
        sum += val_of(isl_aff_get_coefficient_val(a, isl_dim_param, i)) *
               (double)size_by_name(k, name, sizes);
    }
    for (int i = 0; i < nd; i++) {
        double c = val_of(isl_aff_get_coefficient_val(a, isl_dim_div, i));
        if (c == 0)
            continue; /* a division has an unused term for itself */
        isl_aff *div = isl_aff_get_div(a, i);
        sum += c * floor(rational(k, div, sizes) + 1e-9);
        isl_aff_free(div);
    }
    return sum;
}

int64_t sq_size_value(const sq_kernel *k, isl_aff *a, const int64_t *sizes)
{
    return (int64_t)floor(rational(k, a, sizes) + 1e-9);
}

static double elements(const sq_kernel *k, const sq_array *a, const int64_t *sizes)
{
    double n = 1;
    for (int d = 0; d < a->ndim; d++)
        n *= fmax(0, (double)sq_size_value(k, a->extent[d], sizes));
    return n;
}

double sq_array_bytes(const sq_kernel *k, const sq_array *a, const int64_t *sizes)
{
    return elements(k, a, sizes) * sq_type_bytes(a->type);
}

double sq_case_bytes(const sq_kernel *k, const int64_t *sizes)
{
    double n = 0;
    for (int a = 0; a < k->narrays; a++)
        n += sq_array_bytes(k, k->array[a], sizes);
    return n;
}

typedef struct integer_use {
    bool careful; /* combined with floating-point values, divided or shifted: small values only */
    bool partial; /* divided or shifted */
    bool rounded; /* made of floating-point values */
} integer_use;

static void look_at_integers(sq_expr *e, void *user)
{
    integer_use *u = user;
    u->partial |= !sq_type_real(e->type) && sq_expr_is_partial(e);
    u->careful |= sq_type_real(e->type) || sq_expr_is_partial(e);
    u->rounded |= e->op == SQ_OP_CAST && sq_type_real(e->arg[0]->type) && !sq_type_real(e->type);
}

static integer_use use_of_integers(const sq_kernel *k)
{
    integer_use u = {false, false, false};
    for (int s = 0; s < k->nstmts; s++) {
        sq_expr_walk(k->stmt[s]->body, look_at_integers, &u);
        sq_expr_walk(k->stmt[s]->value, look_at_integers, &u);
    }
    return u;
}

static void put_array(const sq_kernel *k, const sq_array *a, const int64_t *sizes, sq_text *to)
{
    const char *role = a->role == SQ_IN ? "in" : a->role == SQ_OUT ? "out" : "inout";
    sq_text_printf(to, "array %s %s %s %d", a->name, sq_type_name(a->type), role, a->ndim);
    /* C says nothing of what is behind a pointer: where nothing is touched it may be NULL, and there is nothing here */
    bool exists = !a->is_open || sq_touch_any_at(k, a, sizes);
    for (int d = 0; d < a->ndim; d++)
        sq_text_printf(to, " %" PRId64, exists ? sq_size_value(k, a->extent[d], sizes) : 0);
    sq_text_puts(to, "\n");
    if (a->align)
        sq_text_printf(to, "align %s %d\n", a->name, a->align);
}

static void put_size(const sq_kernel *k, const sq_size *s, const int64_t *sizes, sq_text *to)
{
    sq_text_printf(to, "size %s %s %" PRId64 "\n", s->name, sq_type_name(s->type),
                   size_by_name(k, s->name, sizes));
}

static bool makes_integers_alone(const sq_kernel *k)
{
    bool all = true;
    for (int a = 0; a < k->narrays; a++)
        all &= k->array[a]->role == SQ_IN || k->array[a]->role == SQ_LOCAL ||
               !sq_type_real(k->array[a]->type);
    return all;
}

/* Returns the largest value of an input of that type, if it is an integer of 8 or 16 bits; else
 * 1. */
static double narrow_size(const sq_array *a)
{
    int bytes = sq_type_bytes(a->type);
    bool is_input = a->role == SQ_IN || a->role == SQ_INOUT;
    return is_input && !sq_type_real(a->type) && bytes <= 2 ? ldexp(1, 8 * bytes) : 1;
}

static double narrow_most(const sq_kernel *k)
{
    double most = 1;
    for (int a = 0; a < k->narrays; a++)
        most = fmax(most, narrow_size(k->array[a]));
    return most;
}

/* What callers promise of its elements at these sizes, within what the type holds. Elements that are values as well
 * stay small where others do. */
static void put_range(const sq_kernel *k, const sq_array *a, const int64_t *sizes, bool is_small, sq_text *to)
{
    enum { SMALL = 16 };
    sq_range r = sq_type_range(a->type);
    if (sq_type_unsigned(a->type))
        r.lo = 0;
    int64_t least = a->least ? sq_size_value(k, a->least, sizes) : r.lo;
    int64_t most = a->most ? sq_size_value(k, a->most, sizes) : r.hi;
    r.lo = least > r.lo ? least : r.lo;
    r.hi = most < r.hi ? most : r.hi;
    if (is_small && r.hi - SMALL > r.lo)
        r.hi = r.lo + SMALL;
    sq_text_printf(to, "within %s %" PRId64 " %" PRId64 "\n", a->name, r.lo, r.hi);
}

/* signs: NULL if it is the same for all arrays. */
static void put_case(const sq_kernel *k, const int64_t *sizes, unsigned long long seed,
                     bool is_positive, const sq_signs *signs, sq_text *to)
{
    integer_use u = use_of_integers(k);
    double *rounding = SQ_NEW_ARRAY(k->arena, double, k->narrays);
    sq_kernel_rounding(k, sizes, rounding);
    sq_text_printf(to, "squall-case 1\nseed %llu\npositive %d\n", seed, is_positive);
    sq_text_printf(to, "integers %s\nsteps %d\n", u.careful ? "small" : "all", u.rounded);
    sq_text_printf(to, "carried %d\n", k->textual_dims > 0);
    for (int p = 0; p < k->nparams; p++) {
        const sq_param *q = &k->param[p];
        if (q->size)
            put_size(k, q->size, sizes, to);
        else if (q->scalar)
            sq_text_printf(to, "scalar %s %s\n", q->scalar->name, sq_type_name(q->scalar->type));
        else
            put_array(k, q->array, sizes, to);
    }
    for (int a = 0; a < k->narrays; a++) {
        const sq_array *x = k->array[a];
        if (x->role != SQ_IN && x->role != SQ_LOCAL)
            sq_text_printf(to, "rounding %s %.9g\n", x->name, rounding[a]);
        int64_t places = x->role == SQ_IN ? sq_places_of(k, x, sizes) : 0;
        if (x->least || x->most)
            put_range(k, x, sizes, !places && u.careful, to);
        else if (places)
            sq_text_printf(to, "places %s %" PRId64 "\n", x->name, places);
        if (x->role != SQ_LOCAL && is_positive && signs && !signs->is_positive[a])
            sq_text_printf(to, "sign %s any\n", x->name);
    }
}

void sq_case_spec(const sq_kernel *k, const int64_t *sizes, unsigned long long seed, sq_text *to)
{
    put_case(k, sizes, seed, sq_signs_of(k).any, NULL, to);
}

void sq_case_spec_signed(const sq_kernel *k, const int64_t *sizes, unsigned long long seed,
                         sq_text *to)
{
    sq_signs signs = sq_signs_of(k);
    put_case(k, sizes, seed, signs.any, &signs, to);
    sq_text_printf(to, "spread %d\n", signs.any);
}

void sq_case_spec_far(const sq_kernel *k, const int64_t *sizes, unsigned long long seed,
                      const sq_reach *reach, double largest, sq_text *to)
{
    put_case(k, sizes, seed, reach->is_positive, NULL, to);
    sq_text_printf(to, "spread 1\nreach %g %d\n", largest, reach->degree);
}

bool sq_case_has_narrow(const sq_kernel *k, const sq_reach *reach)
{
    integer_use u = use_of_integers(k);
    bool bounded = makes_integers_alone(k) || !reach->is_open;
    return narrow_most(k) > 1 && u.careful && !u.partial && reach->fits && bounded &&
           k->textual_dims == 0;
}

void sq_case_spec_narrow(const sq_kernel *k, const int64_t *sizes, unsigned long long seed,
                         const sq_reach *reach, sq_text *to)
{
    sq_case_spec(k, sizes, seed, to);
    sq_text_printf(to, "integers narrow\norder %g\n", pow(2 * narrow_most(k), reach->degree));
}

void sq_case_spec_special(const sq_kernel *k, const int64_t *sizes, unsigned long long seed,
                          const sq_special *special, sq_text *to)
{
    sq_case_spec(k, sizes, seed, to);
    sq_text_printf(to, "spread 1\nspecial %d %d %d %d\n", special->small, special->large,
                   special->wide, special->takes_no_number);
}

void sq_case_spec_nonfinite(const sq_kernel *k, const int64_t *sizes, unsigned long long seed,
                            const sq_nonfinite *nonfinite, bool is_bounded, sq_text *to)
{
    sq_case_spec(k, sizes, seed, to);
    sq_text_printf(to, "nonfinite %d %d\n", nonfinite->has_signs, is_bounded);
}

void sq_case_spec_thresholds(const sq_kernel *k, const int64_t *sizes, unsigned long long seed,
                             const sq_thresholds *thresholds, const sq_reach *reach, sq_text *to)
{
    sq_case_spec_signed(k, sizes, seed, to);
    if (thresholds->reach > 1)
        sq_text_printf(to, "reach %g %d\n", thresholds->reach, reach->degree);
    if (thresholds->is_open)
        sq_text_puts(to, "spread 1\n");
    sq_text_puts(to, "thresholds 1\n");
    for (int i = 0; i < thresholds->n; i++) {
        const sq_threshold *t = &thresholds->threshold[i];
        if (t->is_integer)
            sq_text_printf(to, "threshold integer %" PRId64 "\n", t->value.integer);
        else
            sq_text_printf(to, "threshold real %.17g\n", t->value.real);
    }
}

void sq_case_spec_extreme(const sq_kernel *k, const int64_t *sizes, unsigned long long seed,
                          const sq_extremes *extremes, sq_text *to)
{
    sq_case_spec(k, sizes, seed, to);
    if (extremes->is_moderate) /* the sensitivity of sums equals their allowed error */
        sq_text_puts(to, "spread 1\n");
    for (int a = 0; a < k->narrays; a++)
        if (extremes->is_extreme[a])
            sq_text_printf(to, "fill %s %s\n", k->array[a]->name,
                           extremes->is_moderate ? "large" : "extreme");
}
