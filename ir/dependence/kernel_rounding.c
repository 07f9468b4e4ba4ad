/* Rounding: how far two correct evaluations of a kernel may differ, per array, from the types of
 * its operations, the lengths of its reductions and the chain of preceding statements.
 *
 * Errors are relative to 1 + |value|, for data of the order of 1. With u half a unit in the last
 * place of an operation's type:
 *   an operation       adds u, a function 8 u; errors of its operands add up, and are doubled if it
 *                      divides or is no polynomial. If index values or integers, which may be large,
 *                      make it larger, u is relative to its size
 *   a sum of n terms   adds 4 n u: partial sums of random terms grow like sqrt(n), as do the errors
 *                      of adding to them, and 4 covers both. Errors of the terms themselves are
 *                      nearly independent: sqrt(n) times one
 *   a sum divided by a number d >= 1 that follows from the sizes: of its 4 n u, which hold where the
 *                      sum is near 0 as well as where it is of the order of n, only 4 sqrt(n) u
 *                      are relative to it, and n / d of them to 1: 4 u times the larger. Errors of
 *                      the terms may be equal: sqrt(n) / d times one, but at least one
 *   integers           are inputs up to 8 (runtime/case.h: `integers small`); a sum of n terms of size s is of
 *                      the order of sqrt(n) s, and exact, but what it becomes as a real number is not
 *   constants          count with their magnitude, where they are summed or multiplied: 127.5 - x may be near 0 and
 *                      have the error of 127.5. A constant that is only chosen is not rounded; beyond 2^16 it is
 *                      a mask, which is not made of the other values
 *   loops that read what they write add the errors of as many statements as an element has writes,
 *                      and as the longest of the loops has iterations: the chain of a recurrence
 *
 * Factors that a matrix instruction rounds to tf32 add half a unit of that. Half a unit of f16 and
 * bf16 is added where such an element is read again; the comparison adds that of the result. */
#include "ir/dependence/tensor.h"
#include <isl/aff.h>
#include <isl/ilp.h>
#include <isl/map.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/val.h>
#include <math.h>
#include <string.h>
typedef struct rounding {
    const sq_kernel *k;
    const int64_t *sizes;
    double *of;                  /* per array of the kernel */
    double *size;                /* the same: of elements, above 1 only for integers */
    const sq_schedule *schedule; /* or NULL */
} rounding;

/* Most of an integer among the inputs of a kernel that makes real numbers of it. */
enum { INPUT_INTEGER = 8 };
/* Most that a constant counts for. */
static const double most_constant = 0x1p16;

/* Returns the error of one operation of this type; both sides of a comparison round in double at
 * least. */
static double unit(sq_type t)
{
    return !sq_type_real(t) ? 0 : sq_type_promoted(t) == SQ_F32 ? 0x1p-24 : 0x1p-53;
}

static int index_of(const rounding *r, const sq_array *a)
{
    int i = 0;
    while (r->k->array[i] != a)
        i++;
    return i;
}

static bool is_function(sq_op op)
{
    return op >= SQ_OP_EXP && op != SQ_OP_ABS && op != SQ_OP_FLOOR && op != SQ_OP_CEIL;
}

static bool amplifies(sq_op op)
{
    return op == SQ_OP_DIV || is_function(op);
}

/* The reduction of a statement: its operands and its error. */
typedef struct reduction {
    bool adds;
    double terms, unit, term, all; /* errors of one term and of all together */
    double size;                   /* of the result, above 1 only for integers */
    double largest[SQ_MAX_DIMS];   /* largest absolute values of dimensions */
} reduction;

static double index_value(const rounding *r, const sq_expr *e)
{
    isl_set *all = isl_map_range(isl_map_from_aff(isl_aff_copy(e->index)));
    isl_point *one = isl_set_sample_point(sq_kernel_at(r->k, all, r->sizes));
    isl_val *v = isl_point_get_coordinate_val(one, isl_dim_set, 0);
    double value = isl_val_get_d(v);
    isl_val_free(v);
    isl_point_free(one);
    return value;
}

/* Returns the value of an expression over sizes only. */
static double value_of(const rounding *r, const sq_expr *e)
{
    double a = e->nargs > 0 ? value_of(r, e->arg[0]) : 0;
    double b = e->nargs > 1 ? value_of(r, e->arg[1]) : 0;
    switch (e->op) {
    case SQ_OP_CONST:
        return sq_type_real(e->type) ? e->real : (double)e->integer;
    case SQ_OP_INDEX:
        return index_value(r, e);
    case SQ_OP_NEG:
        return -a;
    case SQ_OP_ADD:
        return a + b;
    case SQ_OP_SUB:
        return a - b;
    case SQ_OP_MUL:
        return a * b;
    default: /* a cast */
        return a;
    }
}

/* Returns the error of a sum divided by d. */
static double error_of_mean(const reduction *q, double d)
{
    double root = sqrt(q->terms);
    return fmax(1, root / d) * q->term + 4 * q->unit * fmax(root, q->terms / d);
}

/* Returns the absolute value. */
static double coefficient(isl_val *v /* __isl_take */)
{
    double c = fabs(isl_val_get_d(v));
    isl_val_free(v);
    return c;
}

/* Returns a bound on the absolute value of an index expression; at least 1. */
static double largest_index(const rounding *r, const sq_expr *e, const reduction *q)
{
    double most = coefficient(isl_aff_get_constant_val(e->index));
    for (int d = 0; d < (int)isl_aff_dim(e->index, isl_dim_in); d++)
        most += q->largest[d] * coefficient(isl_aff_get_coefficient_val(e->index, isl_dim_in, d));
    for (int i = 0; i < r->k->nsizes; i++) {
        int p = isl_aff_find_dim_by_name(e->index, isl_dim_param, r->k->size[i]->name);
        if (p >= 0)
            most += fabs((double)r->sizes[i]) *
                    coefficient(isl_aff_get_coefficient_val(e->index, isl_dim_param, p));
    }
    return fmax(1, most);
}

static void mark_index(sq_expr *e, void *user)
{
    bool *any = user;
    *any |= e->op == SQ_OP_INDEX;
}

/* Computes the largest absolute values of a statement's dimensions, if e uses index values. */
static void find_largest(const rounding *r, sq_expr *e, isl_set *instances /* __isl_keep */,
                         reduction *q)
{
    bool has_indices = false;
    sq_expr_walk(e, mark_index, &has_indices);
    if (!has_indices)
        return;
    isl_set *at = sq_kernel_at(r->k, isl_set_copy(instances), r->sizes);
    bool any = isl_set_is_empty(at) == isl_bool_false;
    for (int d = 0; d < (int)isl_set_dim(at, isl_dim_set); d++) {
        q->largest[d] = 0;
        if (any)
            q->largest[d] = fmax(coefficient(isl_set_dim_min_val(isl_set_copy(at), d)),
                                 coefficient(isl_set_dim_max_val(isl_set_copy(at), d)));
    }
    isl_set_free(at);
}

/* Returns the magnitude of a number, at least 1; 1 for what is no constant. */
static double magnitude(const sq_expr *e)
{
    while (e->op == SQ_OP_NEG || (e->op == SQ_OP_CAST && sq_type_real(e->type)))
        e = e->arg[0];
    double c = e->op != SQ_OP_CONST ? 1 : sq_type_real(e->type) ? fabs(e->real) : fabs((double)e->integer);
    return fmin(fmax(1, c), most_constant);
}

/* Returns what a division by a constant multiplies by; 1 for other divisors. */
static double quotient(const sq_expr *divisor)
{
    bool known = divisor->op == SQ_OP_CONST && sq_type_real(divisor->type) && divisor->real != 0;
    return known ? fmin(1 / fabs(divisor->real), most_constant) : 1;
}

/* Returns the size of a value if real elements are of the order of 1: above 1 because of indices and integers only. */
static double size_of(const rounding *r, const sq_expr *e, const reduction *q)
{
    double a = e->nargs > 0 ? size_of(r, e->arg[0], q) : 1,
           b = e->nargs > 1 ? size_of(r, e->arg[1], q) : 1;
    bool summed = e->op == SQ_OP_ADD || e->op == SQ_OP_SUB || e->op == SQ_OP_MUL;
    if (summed && sq_type_real(e->type)) {
        a = fmax(a, magnitude(e->arg[0]));
        b = fmax(b, magnitude(e->arg[1]));
    }
    switch (e->op) {
    case SQ_OP_INDEX:
        return sq_expr_of_sizes(e) ? 1 : largest_index(r, e, q);
    case SQ_OP_READ:
        return r->size[index_of(r, e->access->array)];
    case SQ_OP_REDUCED:
        return q->size;
    case SQ_OP_CAST:
    case SQ_OP_NEG:
    case SQ_OP_ABS:
        return a;
    case SQ_OP_ADD:
    case SQ_OP_SUB:
    case SQ_OP_MAX:
    case SQ_OP_MIN:
        return fmax(a, b);
    case SQ_OP_MUL:
        return a * b;
    case SQ_OP_DIV:
        return fmax(1, (e->arg[1]->op == SQ_OP_CONST ? a : 1) * quotient(e->arg[1]));
    case SQ_OP_SELECT:
        return fmax(b, size_of(r, e->arg[2], q));
    default:
        return 1;
    }
}

/* Returns by how much an operation multiplies the error of an operand. */
static double factor(const rounding *r, const sq_expr *e, int operand, const reduction *q)
{
    if (e->op == SQ_OP_MUL)
        return fmax(size_of(r, e->arg[1 - operand], q), sq_type_real(e->type) ? magnitude(e->arg[1 - operand]) : 1);
    return e->op == SQ_OP_DIV && operand == 0 ? fmax(1, quotient(e->arg[1])) : 1;
}

/* Returns the error of an expression's value; q is its statement's reduction. */
static double error_of(const rounding *r, const sq_expr *e, const reduction *q)
{
    double sum = 0, u = unit(e->type);
    if (e->op == SQ_OP_READ)
        return r->of[index_of(r, e->access->array)];
    if (e->op == SQ_OP_REDUCED)
        return q->all;
    if (e->op == SQ_OP_DIV && e->arg[0]->op == SQ_OP_REDUCED && q->adds &&
        sq_expr_of_sizes(e->arg[1]) && value_of(r, e->arg[1]) >= 1)
        return error_of_mean(q, value_of(r, e->arg[1])) + error_of(r, e->arg[1], q) + u;
    if (e->nargs == 0)
        return u; /* a literal, or an integer that becomes one */
    for (int i = 0; i < e->nargs; i++)
        sum += error_of(r, e->arg[i], q) * factor(r, e, i, q);
    return sum * (amplifies(e->op) ? 2 : 1) +
           u * (is_function(e->op) ? 8 : 1) * (u > 0 ? size_of(r, e, q) : 1);
}

static double most_instances(const rounding *r, isl_set *set)
{
    return fmax(1, sq_kernel_count(r->k, set, r->sizes));
}

/* Returns the terms of the longest reduction: for triangles and the like up to three times the
 * average. */
static double terms(const rounding *r, const sq_stmt *s)
{
    isl_set *some = isl_set_project_out(isl_set_copy(s->updates), isl_dim_set, (unsigned)s->nfree,
                                        (unsigned)(s->ndim - s->nfree));
    double elements = most_instances(r, some), all = most_instances(r, isl_set_copy(s->updates));
    bool even = true;
    for (int d = s->nfree; d < s->ndim; d++)
        even &= sq_stmt_rectangular(s, d);
    return fmax(1, all / elements * (even ? 1 : 3));
}

/* Returns the error that the schedule's instructions add to the factors of a statement's sum. */
static double rounded_factors(const rounding *r, const sq_stmt *s)
{
    for (int g = 0; r->schedule && g < r->schedule->ngroups; g++)
        if (strcmp(r->schedule->group[g]->stmt[0]->name, s->name) == 0 &&
            sq_tensor_rounds(r->schedule->group[g]))
            return 2 * 0x1p-11;
    return 0;
}

/* Notes the size of what an integer statement writes. */
static void note_size(const rounding *r, const sq_stmt *s, const reduction *q)
{
    const sq_array *a = s->write->array;
    double *size = &r->size[index_of(r, a)];
    if (!sq_type_real(a->type))
        *size = fmax(*size, size_of(r, s->value, q));
}

static double error_of_stmt(const rounding *r, const sq_stmt *s)
{
    reduction q = {.adds = s->reduce == SQ_OP_ADD, .size = 1};
    if (s->updates) {
        q.terms = terms(r, s);
        q.unit = unit(s->body->type);
        find_largest(r, s->body, s->updates, &q);
        q.term = error_of(r, s->body, &q) + rounded_factors(r, s);
        bool adds = q.adds || s->reduce == SQ_OP_MUL;
        double size = size_of(r, s->body, &q);
        q.all = adds ? sqrt(q.terms) * q.term + 4 * q.terms * q.unit * size : q.term;
        q.size = sq_type_real(s->body->type) ? 1 : q.adds ? sqrt(q.terms) * size : size;
    }
    sq_type t = s->write->array->type;
    find_largest(r, s->value, s->domain, &q);
    double stored = t == SQ_F16 ? 0x1p-11 : t == SQ_BF16 ? 0x1p-8 : unit(t);
    note_size(r, s, &q);
    return error_of(r, s->value, &q) + stored;
}

/* Returns the longest range of dimension d of the statement's instances. */
static double length_of(const rounding *r, const sq_stmt *s, int d)
{
    isl_set *one = isl_set_copy(s->domain);
    one = isl_set_project_out(one, isl_dim_set, (unsigned)d + 1, (unsigned)(s->nfree - d - 1));
    return most_instances(r, isl_set_project_out(one, isl_dim_set, 0, (unsigned)d));
}

/* Returns how often one element may be written: dimensions that its subscripts do not depend on all
 * write it; of the others, as many of the longest ones as exceed the number of subscripts. */
static double writes_an_element(const rounding *r, const sq_stmt *s)
{
    double length[SQ_MAX_DIMS + 1], times = 1;
    int involved = 0, subscripts = 0;
    for (int d = 0; d < s->nfree; d++) {
        double n = length_of(r, s, d);
        if (isl_multi_aff_involves_dims(s->write->map, isl_dim_in, (unsigned)d, 1) !=
            isl_bool_true) {
            times *= n;
            continue;
        }
        int at = involved++;
        for (; at > 0 && length[at - 1] < n; at--)
            length[at] = length[at - 1];
        length[at] = n;
    }
    for (int x = 0; x < s->write->array->ndim; x++) {
        isl_aff *a = isl_multi_aff_get_aff(s->write->map, x);
        subscripts += isl_aff_involves_dims(a, isl_dim_in, 0, (unsigned)s->nfree) == isl_bool_true;
        isl_aff_free(a);
    }
    for (int i = 0; i < involved - subscripts; i++)
        times *= length[i];
    return times;
}

/* Returns how often one element is written, and the longest loop. */
static double chain(const rounding *r, const sq_stmt *s)
{
    double longest = 0;
    for (int d = 0; d < s->nfree; d++)
        longest = fmax(longest, length_of(r, s, d));
    return longest + writes_an_element(r, s);
}

/* True if one of the statements [from, to) reads what one of them writes. */
static bool recurs(const sq_kernel *k, int from, int to)
{
    for (int i = from; i < to; i++)
        for (int j = from; j < to; j++)
            if (sq_stmt_reads_array(k->stmt[i], k->stmt[j]->write->array))
                return true;
    return false;
}

/* True if a statement from `from` on and before i writes the same array. */
static bool writes_before(const sq_kernel *k, int from, int i)
{
    for (int j = from; j < i; j++)
        if (k->stmt[j]->write->array == k->stmt[i]->write->array)
            return true;
    return false;
}

static void add_loops(rounding *r, int from, int to)
{
    double longest = 1, once = 0;
    bool again = recurs(r->k, from, to);
    for (int i = from; i < to; i++) {
        const sq_stmt *s = r->k->stmt[i];
        int a = index_of(r, s->write->array);
        double before = r->of[a], e = error_of_stmt(r, s);
        r->of[a] = fmax(before, e);
        once = fmax(once, e);
        longest = again ? fmax(longest, chain(r, s)) : 1;
    }
    for (int i = from; i < to; i++)
        if (!writes_before(r->k, from, i))
            r->of[index_of(r, r->k->stmt[i]->write->array)] *= longest;
}

static void find_bounds(const sq_kernel *k, const sq_schedule *schedule, const int64_t *sizes,
                        double *bound)
{
    rounding r = {k, sizes, bound, SQ_NEW_ARRAY(k->arena, double, k->narrays), schedule};
    for (int a = 0; a < k->narrays; a++) {
        bool is_input = k->array[a]->role == SQ_IN || k->array[a]->role == SQ_INOUT;
        bound[a] = 0;
        r.size[a] = is_input && !sq_type_real(k->array[a]->type) ? INPUT_INTEGER : 1;
    }
    for (int s = 0; s < k->nstmts && k->fp != SQ_FP_STRICT;) {
        int n = 1;
        while (k->stmt[s]->written_loops && s + n < k->nstmts && k->stmt[s + n]->written_loops)
            n++;
        if (k->stmt[s]->written_loops) {
            add_loops(&r, s, s + n);
        } else {
            int a = index_of(&r, k->stmt[s]->write->array);
            r.of[a] = fmax(r.of[a], error_of_stmt(&r, k->stmt[s]));
        }
        s += n;
    }
    for (int a = 0; a < k->narrays && k->fp != SQ_FP_STRICT; a++)
        bound[a] += 16 * unit(k->array[a]->type);
}

void sq_kernel_rounding(const sq_kernel *k, const int64_t *sizes, double *bound)
{
    find_bounds(k, NULL, sizes, bound);
}

void sq_schedule_rounding(const sq_schedule *s, const int64_t *sizes, double *bound)
{
    find_bounds(s->kernel, s, sizes, bound);
}
