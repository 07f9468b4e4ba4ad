/* Useful flops of a kernel at given sizes: the instances of every statement, counted exactly, times
 * the flops of one evaluation. With all sizes fixed, a domain consists of groups of dimensions that
 * share no constraint; their counts multiply. A group of one dimension is an interval; in a larger
 * one (a triangle) all dimensions but the last are enumerated and the last is an interval again, so
 * a triangular matrix of 4096 rows costs 4096 steps. */
#include "ir/kernel/kernel.h"
#include "support/integer.h"
#include <isl/constraint.h>
#include <isl/ilp.h>
#include <isl/val.h>
#include <string.h>

enum { MAX_DIMS = 16, MAX_ROWS = 64 };

/* constant + sum coef[d] x[d] >= 0, or == 0 */
typedef struct row {
    int64_t constant, coef[MAX_DIMS];
    bool equality;
} row;

typedef struct rows {
    int n, ndim;
    bool bad; /* there are too many */
    row r[MAX_ROWS];
} rows;

static int64_t take_si(isl_val *v)
{
    int64_t n = v ? isl_val_get_num_si(v) : 0;
    isl_val_free(v);
    return n;
}

static isl_stat add_row(isl_constraint *c, void *user)
{
    rows *to = user;
    if (to->n == MAX_ROWS || isl_constraint_dim(c, isl_dim_div) > 0) {
        to->bad = true;
        isl_constraint_free(c);
        return isl_stat_ok;
    }
    row *r = &to->r[to->n++];
    memset(r, 0, sizeof *r);
    r->constant = take_si(isl_constraint_get_constant_val(c));
    r->equality = isl_constraint_is_equality(c) == isl_bool_true;
    for (int d = 0; d < to->ndim; d++)
        r->coef[d] = take_si(isl_constraint_get_coefficient_val(c, isl_dim_set, d));
    isl_constraint_free(c);
    return isl_stat_ok;
}

/* Narrows the interval of x[d], where `rest` is the constant part of a constraint. */
static void tighten(const row *r, int d, int64_t rest, int64_t *lo, int64_t *hi)
{
    int64_t c = r->coef[d];
    if (c > 0 || r->equality) {
        int64_t a = c > 0 ? c : -c,
                bound = c > 0 ? -sq_floor_div(rest, a) : -sq_floor_div(-rest, a);
        if (bound > *lo)
            *lo = bound;
    }
    if (c < 0 || r->equality) {
        int64_t a = c < 0 ? -c : c, bound = c < 0 ? sq_floor_div(rest, a) : sq_floor_div(-rest, a);
        if (bound < *hi)
            *hi = bound;
    }
}

/* True if row r depends on d, and on no dimension group[from..n) that has no value yet. */
static bool decides(const row *r, int d, const int *group, int n, int from)
{
    if (r->coef[d] == 0)
        return false;
    for (int i = from; i < n; i++)
        if (r->coef[group[i]] != 0)
            return false;
    return true;
}

/* Counts the points of group[at..] given x of the earlier ones. lo/hi: bounding box. */
static double enumerate(const rows *set, const int *group, int n, int at, int64_t *x,
                        const int64_t *box)
{
    int d = group[at];
    int64_t lo = box[2 * d], hi = box[2 * d + 1];
    for (int i = 0; i < set->n; i++) {
        const row *r = &set->r[i];
        if (!decides(r, d, group, n, at + 1))
            continue;
        int64_t rest = r->constant;
        for (int j = 0; j < at; j++)
            rest += r->coef[group[j]] * x[group[j]];
        tighten(r, d, rest, &lo, &hi);
    }
    if (at == n - 1)
        return hi < lo ? 0 : (double)(hi - lo + 1);
    double total = 0;
    for (x[d] = lo; x[d] <= hi; x[d]++)
        total += enumerate(set, group, n, at + 1, x, box);
    return total;
}

/* Finds the dimensions that share a constraint with `first`, directly or not. Marks them done. */
static int connected(const rows *set, int first, bool *done, int *group)
{
    int n = 0;
    group[n++] = first;
    done[first] = true;
    for (int i = 0; i < n; i++)
        for (int r = 0; r < set->n; r++)
            for (int d = 0; set->r[r].coef[group[i]] && d < set->ndim; d++)
                if (set->r[r].coef[d] && !done[d]) {
                    done[d] = true;
                    group[n++] = d;
                }
    return n;
}

static bool box_of(isl_set *set, int ndim, int64_t *box)
{
    for (int d = 0; d < ndim; d++) {
        isl_val *lo = isl_set_dim_min_val(isl_set_copy(set), d);
        isl_val *hi = isl_set_dim_max_val(isl_set_copy(set), d);
        bool fine = isl_val_is_int(lo) == isl_bool_true && isl_val_is_int(hi) == isl_bool_true;
        box[2 * d] = take_si(lo);
        box[2 * d + 1] = take_si(hi);
        if (!fine)
            return false;
    }
    return true;
}

typedef struct counting {
    double total;
} counting;

/* Divisions become dimensions of their own, whose values are determined by the others: the number
 * of points is the same. A piece with too many dimensions or constraints counts as its box. */
static isl_stat count_piece(isl_basic_set *piece, void *user)
{
    counting *c = user;
    if (isl_basic_set_dim(piece, isl_dim_div) > 0)
        piece = isl_basic_set_flatten(isl_basic_set_lift(piece));
    rows set = {.ndim = (int)isl_basic_set_dim(piece, isl_dim_set)};
    int64_t box[2 * MAX_DIMS], x[MAX_DIMS] = {0};
    isl_set *whole = isl_set_from_basic_set(isl_basic_set_copy(piece));
    bool empty = isl_set_is_empty(whole) != isl_bool_false;
    if (!empty && set.ndim <= MAX_DIMS && box_of(whole, set.ndim, box)) {
        isl_basic_set_foreach_constraint(piece, add_row, &set);
        bool done[MAX_DIMS] = {false};
        int group[MAX_DIMS];
        double n = 1;
        for (int d = 0; d < set.ndim; d++)
            if (set.bad)
                n *= (double)(box[2 * d + 1] - box[2 * d] + 1);
            else if (!done[d])
                n *= enumerate(&set, group, connected(&set, d, done, group), 0, x, box);
        c->total += n;
    }
    isl_set_free(whole);
    isl_basic_set_free(piece);
    return isl_stat_ok;
}

int64_t sq_kernel_size_at(const sq_kernel *k, int i, const int64_t *sizes)
{
    if (i < k->nsizes)
        return k->size[i]->fixed ? k->size[i]->value : sizes[i];
    const int *of = k->product[i - k->nsizes]->factor;
    return sq_kernel_size_at(k, of[0], sizes) * sq_kernel_size_at(k, of[1], sizes);
}

isl_set *sq_kernel_at(const sq_kernel *k, isl_set *set, const int64_t *sizes)
{
    for (int i = 0; i < k->nsizes + k->nproducts; i++) {
        const char *name = i < k->nsizes ? k->size[i]->name : k->product[i - k->nsizes]->name;
        int p = isl_set_find_dim_by_name(set, isl_dim_param, name);
        if (p >= 0)
            set = isl_set_fix_val(set, isl_dim_param, (unsigned)p,
                                  isl_val_int_from_si(k->ctx, sq_kernel_size_at(k, i, sizes)));
    }
    return set;
}

bool sq_kernel_takes(const sq_kernel *k, isl_set *context, const int64_t *sizes)
{
    isl_set *s = sq_kernel_at(k, isl_set_copy(context), sizes);
    isl_bool empty = isl_set_is_empty(s);
    isl_set_free(s);
    return empty == isl_bool_false;
}

double sq_kernel_count(const sq_kernel *k, isl_set *set, const int64_t *sizes)
{
    set = sq_kernel_at(k, set, sizes);
    set = isl_set_coalesce(isl_set_project_out_all_params(set));
    set = isl_set_make_disjoint(isl_set_remove_redundancies(set));
    counting c = {0};
    isl_set_foreach_basic_set(set, count_piece, &c);
    isl_set_free(set);
    return c.total;
}

/* Returns the operations, where each value that is written counts as at least `least` flops. */
static double operations(const sq_kernel *k, const int64_t *sizes, int least)
{
    double total = 0;
    for (int i = 0; i < k->nstmts; i++) {
        const sq_stmt *s = k->stmt[i];
        int value = sq_expr_flops(s->value);
        value = value > least ? value : least;
        if (value)
            total += value * sq_kernel_count(k, isl_set_copy(s->domain), sizes);
        if (s->updates) {
            int body = sq_expr_flops(s->body) + sq_op_get(s->reduce)->flops;
            total += body * sq_kernel_count(k, isl_set_copy(s->updates), sizes);
        }
    }
    return total;
}

double sq_kernel_flops(const sq_kernel *k, const int64_t *sizes)
{
    return operations(k, sizes, 0);
}

/* Bytes of the narrowest integers among what is read and, of a value, written; 4 without any. */
static int narrowest(const sq_stmt *s, bool in_body)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool body[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(s, read, body), least = 0;
    for (int i = -1; i < n; i++) {
        const sq_array *a = i < 0 ? s->write->array : read[i]->array;
        bool counts = i < 0 ? !in_body : body[i] == in_body;
        int bytes = counts && !sq_type_real(a->type) ? sq_type_bytes(a->type) : 0;
        least = bytes && (!least || bytes < least) ? bytes : least;
    }
    return least ? least : 4;
}

static void add_work(const sq_expr *e, double times, int bytes, sq_work *to)
{
    sq_expr_work w = sq_expr_work_of(e);
    to->f64 += times * w.f64;
    to->f32 += times * w.f32;
    to->integer_bytes += times * w.integer * bytes;
}

sq_work sq_kernel_work(const sq_kernel *k, const int64_t *sizes)
{
    sq_work all = {0};
    for (int i = 0; i < k->nstmts; i++) {
        const sq_stmt *s = k->stmt[i];
        if (sq_expr_flops(s->value))
            add_work(s->value, sq_kernel_count(k, isl_set_copy(s->domain), sizes), narrowest(s, false), &all);
        if (!s->updates)
            continue;
        double n = sq_kernel_count(k, isl_set_copy(s->updates), sizes), sums = n * sq_op_get(s->reduce)->flops;
        add_work(s->body, n, narrowest(s, true), &all);
        all.f64 += s->body->type == SQ_F64 ? sums : 0;
        all.f32 += sq_type_real(s->body->type) && s->body->type != SQ_F64 ? sums : 0;
        all.integer_bytes += sq_type_real(s->body->type) ? 0 : sums * sq_type_bytes(s->body->type);
    }
    return all;
}

double sq_kernel_operations(const sq_kernel *k, const int64_t *sizes)
{
    return operations(k, sizes, 1);
}
