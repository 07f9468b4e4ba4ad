/* Form: see form.h. */
#include "ir/kernel/form.h"
#include "support/memory.h"
#include <isl/constraint.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

struct sq_affine_form {
    int64_t divisor, constant; /* (constant + ...) / divisor */
    int64_t *size, *dim;       /* coefficients */
    int nsizes, ndims, nparts;
    struct part {
        int64_t coef;
        sq_affine_form *of;
    } * part; /* divisions in it */
};

/* ---- affine expressions ---- */

static int64_t number_of(isl_val *v /* __isl_take */, int64_t times)
{
    v = isl_val_mul_ui(v, (unsigned long)times);
    int64_t n = isl_val_get_num_si(v);
    isl_val_free(v);
    return n;
}

static int size_named(const sq_kernel *k, const char *name)
{
    for (int i = 0; i < k->nsizes; i++)
        if (strcmp(k->size[i]->name, name) == 0)
            return i;
    for (int i = 0; i < k->nproducts; i++)
        if (strcmp(k->product[i]->name, name) == 0)
            return k->nsizes + i;
    return -1;
}

static void add_divisions(const sq_kernel *k, isl_aff *a, sq_affine_form *f, sq_arena *arena)
{
    int n = (int)isl_aff_dim(a, isl_dim_div);
    f->part = SQ_NEW_ARRAY(arena, struct part, n);
    for (int i = 0; i < n; i++) {
        int64_t c = number_of(isl_aff_get_coefficient_val(a, isl_dim_div, i), f->divisor);
        if (c == 0)
            continue; /* a division has an unused term for itself */
        isl_aff *div = isl_aff_get_div(a, i);
        f->part[f->nparts++] = (struct part){c, sq_form_new(k, div, arena)};
        isl_aff_free(div);
    }
}

sq_affine_form *sq_form_new(const sq_kernel *k, isl_aff *a, sq_arena *arena)
{
    sq_affine_form *f = SQ_NEW(arena, sq_affine_form);
    int np = (int)isl_aff_dim(a, isl_dim_param);
    f->divisor = number_of(isl_aff_get_denominator_val(a), 1);
    f->constant = number_of(isl_aff_get_constant_val(a), f->divisor);
    f->nsizes = k->nsizes + k->nproducts;
    f->ndims = (int)isl_aff_dim(a, isl_dim_in);
    f->size = SQ_NEW_ARRAY(arena, int64_t, f->nsizes + 1);
    f->dim = SQ_NEW_ARRAY(arena, int64_t, f->ndims + 1);
    for (int i = 0; i < np; i++) {
        int s = size_named(k, isl_aff_get_dim_name(a, isl_dim_param, (unsigned)i));
        if (s >= 0)
            f->size[s] = number_of(isl_aff_get_coefficient_val(a, isl_dim_param, i), f->divisor);
    }
    for (int i = 0; i < f->ndims; i++)
        f->dim[i] = number_of(isl_aff_get_coefficient_val(a, isl_dim_in, i), f->divisor);
    add_divisions(k, a, f, arena);
    return f;
}

static int64_t floor_of(int64_t a, int64_t b)
{
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

/* Returns the terms that do not depend on dimensions, except divisions. */
static int64_t fixed_part(const sq_affine_form *f, const int64_t *sizes)
{
    int64_t sum = f->constant;
    for (int i = 0; i < f->nsizes; i++)
        sum += f->size[i] * sizes[i];
    return sum;
}

int64_t sq_form_value(const sq_affine_form *f, const int64_t *sizes, const int64_t *at)
{
    int64_t sum = fixed_part(f, sizes);
    for (int i = 0; i < f->ndims; i++)
        sum += f->dim[i] ? f->dim[i] * at[i] : 0;
    for (int i = 0; i < f->nparts; i++)
        sum += f->part[i].coef * sq_form_value(f->part[i].of, sizes, at);
    return f->divisor == 1 ? sum : floor_of(sum, f->divisor);
}

/* ---- sets ---- */

typedef struct condition {
    sq_affine_form *form;
    bool equal; /* == 0; else >= 0 */
    struct condition *next;
} condition;

struct sq_points {
    const sq_kernel *k;
    int ndims, nparts;
    condition **part; /* disjoint parts */
    sq_arena *arena;  /* arena for what is being built */
    bool failed;
};

static isl_stat add_condition(isl_constraint *c /* __isl_take */, void *user)
{
    sq_points *p = user;
    isl_aff *a = isl_constraint_get_aff(c);
    condition *x = SQ_NEW(p->arena, condition);
    p->failed |= a == NULL;
    if (a) {
        *x = (condition){sq_form_new(p->k, a, p->arena),
                         isl_constraint_is_equality(c) == isl_bool_true, p->part[p->nparts]};
        p->part[p->nparts] = x;
    }
    isl_aff_free(a);
    isl_constraint_free(c);
    return isl_stat_ok;
}

/* Adds the constraints that follow without divisions: they alone may bound a dimension. */
static isl_stat add_part(isl_basic_set *b /* __isl_take */, void *user)
{
    sq_points *p = user;
    isl_basic_set *around = isl_basic_set_remove_divs(isl_basic_set_copy(b));
    p->failed |= isl_basic_set_foreach_constraint(b, add_condition, p) != isl_stat_ok;
    p->failed |= isl_basic_set_foreach_constraint(around, add_condition, p) != isl_stat_ok;
    p->nparts++;
    isl_basic_set_free(around);
    isl_basic_set_free(b);
    return isl_stat_ok;
}

sq_points *sq_points_new(const sq_kernel *k, isl_set *set, sq_arena *arena)
{
    sq_points *p = SQ_NEW(arena, sq_points);
    set = isl_set_intersect_params(isl_set_copy(set), isl_set_copy(k->context));
    set = isl_set_compute_divs(isl_set_make_disjoint(isl_set_coalesce(set)));
    *p = (sq_points){.k = k, .arena = arena, .ndims = (int)isl_set_dim(set, isl_dim_set)};
    p->part = SQ_NEW_ARRAY(arena, condition *, isl_set_n_basic_set(set) + 1);
    p->failed |= isl_set_foreach_basic_set(set, add_part, p) != isl_stat_ok;
    isl_set_free(set);
    return p->failed ? NULL : p;
}

/* ---- ranges of one part ---- */

enum { MOST_DIMS = 32 };
/* Larger than any index, so that sums of a few do not overflow. */
static const int64_t far = INT64_C(1) << 40;

/* A part of the set during a walk: the bounding box of its points, and the range of each dimension
 * given those before it. */
typedef struct ranges {
    const condition *of;
    int64_t lo[MOST_DIMS], hi[MOST_DIMS];   /* both inclusive */
    int64_t from[MOST_DIMS], to[MOST_DIMS]; /* both inclusive */
    /* number of leading coordinates of the walk's point that are in its ranges; -1: the given ones
     * are not */
    int n;
} ranges;

typedef struct walk {
    const sq_points *p;
    const int64_t *sizes;
    int64_t *at;
    ranges *part;
    bool (*visit)(const int64_t *at, void *user);
    void *user;
} walk;

/* Computes the maximum of the form without dimension `but`, given the sizes and the dimensions
 * before n. False if it has divisions. */
static bool most_of(const walk *w, const ranges *x, const sq_affine_form *f, int sign, int n,
                    int but, int64_t *most)
{
    int64_t sum = sign * fixed_part(f, w->sizes);
    for (int i = 0; i < f->ndims; i++) {
        int64_t c = sign * f->dim[i];
        if (c != 0 && i != but)
            sum += i < n ? c * w->at[i] : c > 0 ? c * x->hi[i] : c * x->lo[i];
    }
    *most = sum;
    return f->nparts == 0;
}

/* Narrows [lo, hi] of dimension d by the conditions, given the first n coordinates. */
static void narrow(const walk *w, const ranges *x, int d, int n, int64_t *lo, int64_t *hi)
{
    for (const condition *c = x->of; c; c = c->next)
        for (int sign = 1; sign >= (c->equal ? -1 : 1); sign -= 2) {
            int64_t coef = sign * c->form->dim[d], most;
            if (coef == 0 || !most_of(w, x, c->form, sign, n, d, &most))
                continue;
            if (coef > 0 && -floor_of(most, coef) > *lo)
                *lo = -floor_of(most, coef);
            if (coef < 0 && floor_of(most, -coef) < *hi)
                *hi = floor_of(most, -coef);
        }
}

static bool is_inside(const walk *w, const ranges *x)
{
    for (const condition *c = x->of; c; c = c->next) {
        int64_t v = sq_form_value(c->form, w->sizes, w->at);
        if (c->equal ? v != 0 : v < 0)
            return false;
    }
    return true;
}

/* Computes the bounding box of the part's points, narrowing it until nothing changes. If the first
 * n coordinates are not in it the part has no point. */
static void find_box(const walk *w, ranges *x, int n)
{
    x->n = n;
    for (int d = 0; d < w->p->ndims; d++) {
        x->lo[d] = d < n ? w->at[d] : -far;
        x->hi[d] = d < n ? w->at[d] : far;
    }
    for (int round = 0; round < w->p->ndims; round++)
        for (int d = n; d < w->p->ndims; d++)
            narrow(w, x, d, n, &x->lo[d], &x->hi[d]);
    for (int d = 0; d < n; d++) {
        int64_t lo = x->lo[d], hi = x->hi[d];
        narrow(w, x, d, n, &lo, &hi);
        if (lo > hi)
            x->n = -1;
    }
}

/* ---- visiting the points of all parts in order, without storing any ---- */

/* Computes the parts' ranges of dimension d, given the coordinates before it. False if one is
 * unbounded. */
static bool find_ranges(const walk *w, int d)
{
    for (int i = 0; i < w->p->nparts; i++) {
        ranges *x = &w->part[i];
        if (x->n < d)
            continue;
        x->from[d] = x->lo[d];
        x->to[d] = x->hi[d];
        narrow(w, x, d, d, &x->from[d], &x->to[d]);
        if (x->to[d] >= x->from[d] && (x->from[d] <= -far || x->to[d] >= far))
            return false;
    }
    return true;
}

/* Returns the smallest value of dimension d, from `least` on, that is in the range of some part,
 * and selects those parts. far: there is none. */
static int64_t next_value(const walk *w, int d, int64_t least)
{
    int64_t next = far;
    for (int i = 0; i < w->p->nparts; i++) {
        const ranges *x = &w->part[i];
        if (x->n < d || x->to[d] < least)
            continue;
        int64_t from = x->from[d] > least ? x->from[d] : least;
        if (from <= x->to[d] && from < next)
            next = from;
    }
    for (int i = 0; i < w->p->nparts; i++) {
        ranges *x = &w->part[i];
        if (x->n >= d)
            x->n = next >= x->from[d] && next <= x->to[d] ? d + 1 : d;
    }
    return next;
}

static bool visit_point(const walk *w)
{
    for (int i = 0; i < w->p->nparts; i++)
        if (w->part[i].n == w->p->ndims && is_inside(w, &w->part[i]))
            return w->visit(w->at, w->user);
    return true;
}

static bool walk_from(const walk *w, int d)
{
    if (d == w->p->ndims)
        return visit_point(w);
    if (!find_ranges(w, d))
        return false;
    for (int64_t v = next_value(w, d, -far); v < far; v = next_value(w, d, v + 1)) {
        w->at[d] = v;
        if (!walk_from(w, d + 1))
            return false;
    }
    return true;
}

bool sq_points_each(const sq_points *p, const int64_t *sizes, int64_t *at, int n,
                    bool (*visit)(const int64_t *at, void *user), void *user)
{
    walk w = {.p = p, .sizes = sizes, .at = at, .visit = visit, .user = user};
    if (p->ndims > MOST_DIMS)
        return false;
    w.part = sq_allocated(malloc(((size_t)p->nparts + 1) * sizeof *w.part));
    for (int i = 0; i < p->nparts; i++) {
        w.part[i].of = p->part[i];
        find_box(&w, &w.part[i], n);
    }
    bool going = walk_from(&w, n);
    free(w.part);
    return going;
}
