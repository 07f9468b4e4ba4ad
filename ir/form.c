/* Form: see form.h. */
#include "ir/form.h"
#include <isl/constraint.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

struct sq_form {
    int64_t divisor, constant; /* (constant + ...) / divisor */
    int64_t *size, *dim;       /* coefficients */
    int nsizes, ndims, nparts;
    struct part {
        int64_t coef;
        sq_form *of;
    } * part; /* divisions inside */
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
    return -1;
}

static void add_divisions(const sq_kernel *k, isl_aff *a, sq_form *f, sq_arena *arena)
{
    int n = (int)isl_aff_dim(a, isl_dim_div);
    f->part = SQ_NEW_ARRAY(arena, struct part, n);
    for (int i = 0; i < n; i++) {
        int64_t c = number_of(isl_aff_get_coefficient_val(a, isl_dim_div, i), f->divisor);
        if (c == 0)
            continue; /* a division has itself among its own, unused */
        isl_aff *div = isl_aff_get_div(a, i);
        f->part[f->nparts++] = (struct part){c, sq_form_new(k, div, arena)};
        isl_aff_free(div);
    }
}

sq_form *sq_form_new(const sq_kernel *k, isl_aff *a, sq_arena *arena)
{
    sq_form *f = SQ_NEW(arena, sq_form);
    int np = (int)isl_aff_dim(a, isl_dim_param);
    f->divisor = number_of(isl_aff_get_denominator_val(a), 1);
    f->constant = number_of(isl_aff_get_constant_val(a), f->divisor);
    f->nsizes = k->nsizes;
    f->ndims = (int)isl_aff_dim(a, isl_dim_in);
    f->size = SQ_NEW_ARRAY(arena, int64_t, k->nsizes + 1);
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

/* What does not depend on dimensions, but for divisions. */
static int64_t fixed_part(const sq_form *f, const int64_t *sizes)
{
    int64_t sum = f->constant;
    for (int i = 0; i < f->nsizes; i++)
        sum += f->size[i] * sizes[i];
    return sum;
}

int64_t sq_form_value(const sq_form *f, const int64_t *sizes, const int64_t *at)
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
    sq_form *form;
    bool equal; /* == 0; else >= 0 */
    struct condition *next;
} condition;

struct sq_points {
    const sq_kernel *k;
    int ndims, nparts;
    condition **part; /* disjoint ones */
    sq_arena *arena;  /* of what is being built */
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

/* With what follows without divisions: they alone may bound a dimension. */
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

/* ---- the points of one part ---- */

enum { MOST_DIMS = 32 };
/* Further than any index is, so that sums of a few do not overflow. */
static const int64_t far = INT64_C(1) << 40;

typedef struct walk {
    const sq_points *p;
    const condition *of;
    const int64_t *sizes;
    int64_t *at;
    int64_t lo[MOST_DIMS], hi[MOST_DIMS]; /* of all points: both included */
    bool (*visit)(const int64_t *at, void *user);
    void *user;
    bool failed;
} walk;

/* The most that the form may be, but for dimension `but`; of sizes and the dimensions before n the
 * values are known. False where divisions are in it. */
static bool most_of(const walk *w, const sq_form *f, int sign, int n, int but, int64_t *most)
{
    int64_t sum = sign * fixed_part(f, w->sizes);
    for (int i = 0; i < f->ndims; i++) {
        int64_t c = sign * f->dim[i];
        if (c != 0 && i != but)
            sum += i < n ? c * w->at[i] : c > 0 ? c * w->hi[i] : c * w->lo[i];
    }
    *most = sum;
    return f->nparts == 0;
}

/* Narrows [lo, hi] of dimension d by what the conditions say, the first n coordinates given. */
static void narrow(const walk *w, int d, int n, int64_t *lo, int64_t *hi)
{
    for (const condition *c = w->of; c; c = c->next)
        for (int sign = 1; sign >= (c->equal ? -1 : 1); sign -= 2) {
            int64_t coef = sign * c->form->dim[d], most;
            if (coef == 0 || !most_of(w, c->form, sign, n, d, &most))
                continue;
            if (coef > 0 && -floor_of(most, coef) > *lo)
                *lo = -floor_of(most, coef);
            if (coef < 0 && floor_of(most, -coef) < *hi)
                *hi = floor_of(most, -coef);
        }
}

static bool is_inside(const walk *w)
{
    for (const condition *c = w->of; c; c = c->next) {
        int64_t v = sq_form_value(c->form, w->sizes, w->at);
        if (c->equal ? v != 0 : v < 0)
            return false;
    }
    return true;
}

static bool walk_from(walk *w, int d)
{
    if (d == w->p->ndims)
        return !is_inside(w) || w->visit(w->at, w->user);
    int64_t lo = w->lo[d], hi = w->hi[d];
    narrow(w, d, d, &lo, &hi);
    if (hi >= lo && (lo <= -far || hi >= far)) {
        w->failed = true;
        return false;
    }
    for (int64_t v = lo; v <= hi; v++) {
        w->at[d] = v;
        if (!walk_from(w, d + 1))
            return false;
    }
    return true;
}

/* The box around all points: it is narrowed until nothing more follows. */
static void find_box(walk *w, int n)
{
    for (int d = 0; d < w->p->ndims; d++) {
        w->lo[d] = d < n ? w->at[d] : -far;
        w->hi[d] = d < n ? w->at[d] : far;
    }
    for (int round = 0; round < w->p->ndims; round++)
        for (int d = n; d < w->p->ndims; d++)
            narrow(w, d, n, &w->lo[d], &w->hi[d]);
}

/* ---- all points ---- */

typedef struct collected {
    int ndims;
    size_t n, room;
    int64_t *at;
} collected;

static bool collect(const int64_t *at, void *user)
{
    collected *c = user;
    size_t width = (size_t)c->ndims;
    if (c->n == c->room) {
        c->room = 2 * c->room + 64;
        c->at = realloc(c->at, c->room * (width + 1) * sizeof *c->at);
        if (!c->at)
            abort();
    }
    memcpy(c->at + c->n++ * width, at, width * sizeof *at);
    return true;
}

static int before(const void *a, const void *b, void *user)
{
    const collected *c = user;
    const int64_t *x = a, *y = b;
    for (int d = 0; d < c->ndims; d++)
        if (x[d] != y[d])
            return x[d] < y[d] ? -1 : 1;
    return 0;
}

static bool visit_sorted(collected *c, walk *w)
{
    size_t width = (size_t)c->ndims;
    bool going = true;
    if (width)
        qsort_r(c->at, c->n, width * sizeof *c->at, before, c);
    for (size_t i = 0; i < c->n && going; i++) {
        memcpy(w->at, c->at + i * width, width * sizeof *w->at);
        going = w->visit(w->at, w->user);
    }
    return going;
}

bool sq_points_each(const sq_points *p, const int64_t *sizes, int64_t *at, int n,
                    bool (*visit)(const int64_t *at, void *user), void *user)
{
    walk w = {.p = p, .sizes = sizes, .at = at, .visit = visit, .user = user};
    collected all = {.ndims = p->ndims};
    walk gather = w;
    bool going = true;
    if (p->ndims > MOST_DIMS)
        return false;
    gather.visit = collect;
    gather.user = &all;
    walk *each = p->nparts == 1 ? &w : &gather; /* several parts are put in order first */
    for (int i = 0; i < p->nparts && going; i++) {
        each->of = p->part[i];
        find_box(each, n);
        going = walk_from(each, n);
    }
    if (p->nparts > 1)
        going = going && visit_sorted(&all, &w);
    free(all.at);
    return going;
}
