/* Expressions: walks, equality, and costs. */
#include "ir/kernel/kernel.h"
#include "ir/kernel/narrow.h"
#include <string.h>

void sq_expr_walk(sq_expr *e, sq_expr_visit visit, void *user)
{
    if (!e)
        return;
    visit(e, user);
    for (int i = 0; i < e->nargs; i++)
        sq_expr_walk(e->arg[i], visit, user);
}

bool sq_number_same(sq_number a, sq_number b)
{
    return a.integer == b.integer && memcmp(&a.real, &b.real, sizeof a.real) == 0;
}

bool sq_number_is_zero(sq_number a)
{
    return sq_number_same(a, (sq_number){0});
}

bool sq_expr_is_element(const sq_expr *e)
{
    return e->op == SQ_OP_READ && !e->access->indirect;
}

const sq_expr *sq_expr_place(const sq_expr *read)
{
    const sq_array *a = read->access->array;
    int last = a->ndim - 1;
    if (a->is_open || last < 0 || read->access->indirect != 1u << last)
        return NULL;
    const sq_expr *place = read->arg[0];
    if (place->op == SQ_OP_CAST && sq_type_bytes(place->arg[0]->type) <= 4)
        place = place->arg[0];
    bool fits = sq_type_bytes(place->type) <= 4 ? sq_expr_range(place).hi <= INT32_MAX
                                                : sq_type_bytes(a->type) == 8;
    return !sq_type_real(place->type) && fits ? place : NULL;
}

bool sq_expr_is_lookup(const sq_expr *read)
{
    const sq_array *a = read->access->array;
    return sq_type_bytes(a->type) == 4 && sq_expr_place(read) &&
           sq_array_extent(a, a->ndim - 1) == SQ_TABLE;
}

bool sq_expr_moves(const sq_expr *e, int d)
{
    bool moves = e->op == SQ_OP_REDUCED;
    if (e->access)
        moves |= isl_multi_aff_involves_dims(e->access->map, isl_dim_in, (unsigned)d, 1) !=
                 isl_bool_false;
    if (e->index)
        moves |= isl_aff_involves_dims(e->index, isl_dim_in, (unsigned)d, 1) != isl_bool_false;
    for (int i = 0; i < e->nargs && !moves; i++)
        moves = sq_expr_moves(e->arg[i], d);
    return moves;
}

typedef struct wanted {
    const sq_access *access;
    const sq_expr *read;
} wanted;

static void find_read(sq_expr *e, void *user)
{
    wanted *w = user;
    if (e->access == w->access)
        w->read = e;
}

const sq_expr *sq_stmt_read_of(const sq_stmt *s, const sq_access *a)
{
    wanted w = {.access = a};
    sq_expr_walk(s->body, find_read, &w);
    sq_expr_walk(s->value, find_read, &w);
    return w.read;
}

sq_expr *sq_expr_subscript(const sq_expr *read, int d)
{
    unsigned before = read->access->indirect & ((1u << d) - 1);
    return read->access->indirect >> d & 1 ? read->arg[__builtin_popcount(before)] : NULL;
}

/* Compares last arguments first, as these are where long sums differ. */
bool sq_expr_same(const sq_expr *x, const sq_expr *y)
{
    if (x->op != y->op || x->type != y->type || x->nargs != y->nargs)
        return false;
    for (int i = x->nargs - 1; i >= 0; i--)
        if (!sq_expr_same(x->arg[i], y->arg[i]))
            return false;
    switch (x->op) {
    case SQ_OP_CONST:
        return sq_type_real(x->type) ? memcmp(&x->real, &y->real, sizeof x->real) == 0
                                     : x->integer == y->integer;
    case SQ_OP_SCALAR:
        return x->scalar == y->scalar;
    case SQ_OP_INDEX:
        return isl_aff_plain_is_equal(x->index, y->index) == isl_bool_true;
    case SQ_OP_READ:
        return x->access->array == y->access->array && x->access->edge == y->access->edge &&
               x->access->indirect == y->access->indirect &&
               sq_number_same(x->access->outside, y->access->outside) &&
               isl_multi_aff_plain_is_equal(x->access->map, y->access->map) == isl_bool_true;
    default:
        return x->nargs > 0;
    }
}

bool sq_expr_of_sizes(const sq_expr *e)
{
    switch (e->op) {
    case SQ_OP_INDEX:
        return isl_aff_involves_dims(e->index, isl_dim_in, 0,
                                     (unsigned)isl_aff_dim(e->index, isl_dim_in)) == isl_bool_false;
    case SQ_OP_CONST:
        return true;
    case SQ_OP_NEG:
    case SQ_OP_ADD:
    case SQ_OP_SUB:
    case SQ_OP_MUL:
    case SQ_OP_CAST:
        return !sq_type_stored(e->type) && sq_expr_of_sizes(e->arg[0]) &&
               (e->nargs < 2 || sq_expr_of_sizes(e->arg[1]));
    default:
        return false;
    }
}

/* ---- cost ---------------------------------------------------------------------------------- */

bool sq_expr_is_partial(const sq_expr *e)
{
    switch (e->op) {
    case SQ_OP_SQRT:
    case SQ_OP_RSQRT:
    case SQ_OP_LOG:
    case SQ_OP_LOG2:
    case SQ_OP_POW:
        return true;
    case SQ_OP_DIV:
    case SQ_OP_MOD:
    case SQ_OP_SHL:
    case SQ_OP_SHR:
        return sq_type_real(e->type) || e->arg[1]->op != SQ_OP_CONST;
    default:
        return false;
    }
}

enum { MOST_COUNTED = 1024 }; /* limit on the operations among which equal ones are found */

typedef struct counted {
    int n;
    const sq_expr *e[MOST_COUNTED];
} counted;

/* Returns the instructions of a node other than flops: comparisons, logical operators, indices as
 * values. */
static int decisions(const sq_expr *e)
{
    if (e->op == SQ_OP_INDEX)
        return sq_expr_of_sizes(e) ? 0 : 2;
    return sq_op_is_condition(e->op);
}

static int flops(const sq_expr *e)
{
    return sq_op_get(e->op)->flops;
}

/* Sums over all nodes, counting equal ones once. */
static int sum_of(const sq_expr *e, int (*own)(const sq_expr *e), counted *before)
{
    int n = own(e);
    for (int i = 0; i < before->n && e->nargs; i++)
        if (sq_expr_same(e, before->e[i]))
            return 0;
    for (int i = 0; i < e->nargs; i++)
        n += sum_of(e->arg[i], own, before);
    if (e->nargs && before->n < MOST_COUNTED)
        before->e[before->n++] = e;
    return n;
}

int sq_expr_flops(const sq_expr *e)
{
    counted before = {0};
    return e ? sum_of(e, flops, &before) : 0;
}

static int flops_f64(const sq_expr *e)
{
    return e->type == SQ_F64 ? flops(e) : 0;
}

static int flops_integer(const sq_expr *e)
{
    return sq_type_real(e->type) ? 0 : flops(e);
}

sq_expr_work sq_expr_work_of(const sq_expr *e)
{
    counted of_f64 = {0}, of_integers = {0};
    sq_expr_work w = {0};
    if (!e)
        return w;
    w.f64 = sum_of(e, flops_f64, &of_f64);
    w.integer = sum_of(e, flops_integer, &of_integers);
    w.f32 = sq_expr_flops(e) - w.f64 - w.integer;
    return w;
}

int sq_expr_decisions(const sq_expr *e)
{
    counted before = {0};
    return e ? sum_of(e, decisions, &before) : 0;
}

/* True if the index is one of that dimension alone. */
static bool is_index_of(isl_aff *index, int dim)
{
    int n = (int)isl_aff_dim(index, isl_dim_in), nparams = (int)isl_aff_dim(index, isl_dim_param);
    if (dim >= n || isl_aff_involves_dims(index, isl_dim_param, 0, (unsigned)nparams))
        return false;
    for (int d = 0; d < n; d++)
        if (isl_aff_involves_dims(index, isl_dim_in, (unsigned)d, 1) != (d == dim))
            return false;
    return true;
}

/* True if numbers and the index of a dimension decide the value. */
static bool is_of_index(const sq_expr *e, int dim)
{
    if (e->op == SQ_OP_INDEX)
        return is_index_of(e->index, dim);
    bool all = e->op == SQ_OP_CONST || (e->nargs > 0 && e->op != SQ_OP_READ);
    for (int i = 0; i < e->nargs && all; i++)
        all = is_of_index(e->arg[i], dim);
    return all;
}

/* Sums over the largest parts that an index decides, counting equal ones once. */
static double index_work(const sq_expr *e, int dim, counted *before)
{
    double n = 0;
    for (int i = 0; i < before->n && e->nargs; i++)
        if (sq_expr_same(e, before->e[i]))
            return 0;
    if (is_of_index(e, dim))
        n = sq_expr_flops(e) / 2.0 + sq_expr_decisions(e);
    else
        for (int i = 0; i < e->nargs; i++)
            n += index_work(e->arg[i], dim, before);
    if (e->nargs && before->n < MOST_COUNTED)
        before->e[before->n++] = e;
    return n;
}

double sq_expr_index_work(const sq_expr *e, int dim)
{
    counted before = {0};
    return e ? index_work(e, dim, &before) : 0;
}
