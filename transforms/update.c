/* Update: statements of C loops that are equivalent to reductions; see distribute.h. */
#include "transforms/distribute.h"
#include <isl/aff.h>
#include <isl/set.h>
#include <isl/val.h>
#include <math.h>

/* Returns the only dimension a subscript moves with, one element per step; -1: it is constant, -2:
 * anything else. */
static int moves_with(isl_aff *sub, int ndim)
{
    int only = isl_aff_dim(sub, isl_dim_div) > 0 ? -2 : -1;
    for (int d = 0; d < ndim && only != -2; d++) {
        isl_val *c = isl_aff_get_coefficient_val(sub, isl_dim_in, d);
        bool moves = isl_val_is_zero(c) != isl_bool_true;
        bool one = isl_val_is_one(c) == isl_bool_true || isl_val_is_negone(c) == isl_bool_true;
        isl_val_free(c);
        if (moves)
            only = one && only == -1 ? d : -2;
    }
    return only;
}

/* Splits the dimensions into those of the subscripts and the rest; false if two instances that
 * differ in one of the former may write one element, or there is no rest. */
static bool split_dims(const sq_stmt *s, sq_update *u)
{
    bool free[SQ_MAX_DIMS] = {false};
    for (int x = 0; x < s->write->array->ndim; x++) {
        isl_aff *sub = isl_multi_aff_get_aff(s->write->map, x);
        int d = moves_with(sub, s->ndim);
        isl_aff_free(sub);
        if (d == -2)
            return false;
        if (d >= 0)
            free[d] = true;
    }
    int n = 0;
    for (int d = 0; d < s->ndim; d++)
        if (free[d])
            u->dim[n++] = d;
    u->nfree = n;
    for (int d = 0; d < s->ndim; d++)
        if (!free[d])
            u->dim[n++] = d;
    return u->nfree < s->ndim;
}

static bool same_element(const sq_access *read, const sq_access *write)
{
    return read->array == write->array && read->edge == SQ_EDGE_NONE && !read->where &&
           isl_multi_aff_plain_is_equal(read->map, write->map) == isl_bool_true;
}

bool sq_update_split(const sq_stmt *s, sq_update *u)
{
    const sq_expr *e = s->value;
    sq_type type = s->write->array->type;
    bool known = e->op == SQ_OP_ADD || e->op == SQ_OP_SUB || e->op == SQ_OP_MUL ||
                 e->op == SQ_OP_MAX || e->op == SQ_OP_MIN;
    if (!known || e->nargs != 2 || e->type != type)
        return false;
    for (int i = 0; i < (e->op == SQ_OP_SUB ? 1 : 2); i++) {
        const sq_expr *old = e->arg[i], *term = e->arg[1 - i];
        if (old->op != SQ_OP_READ || !same_element(old->access, s->write) || term->type != type)
            continue;
        u->op = e->op;
        u->old = old;
        u->term = term;
        u->keeps_old = i == 1 && (e->op == SQ_OP_MAX || e->op == SQ_OP_MIN);
        return true;
    }
    return false;
}

/* A sum that begins with -0 stays -0 as long as nothing else is added. */
bool sq_update_from_zero(const sq_update *u)
{
    const sq_expr *e = u->start ? u->start->value : NULL;
    return u->op == SQ_OP_ADD && e && e->op == SQ_OP_CONST && e->real == 0 && !signbit(e->real) &&
           e->integer == 0;
}

/* True if, from the array it writes, it reads only the element that it writes. */
static bool reads_own(const sq_stmt *s)
{
    sq_access *read[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(s, read, NULL);
    for (int i = 0; i < n; i++)
        if (read[i]->array == s->write->array && !same_element(read[i], s->write))
            return false;
    return true;
}

/* Returns { element } that a statement writes, over its instances. */
static isl_map *elements(const sq_kernel *k, const sq_stmt *s)
{
    isl_map *m = isl_map_from_multi_aff(isl_multi_aff_copy(s->write->map));
    m = isl_map_intersect_domain(m, isl_set_copy(s->domain));
    return isl_map_intersect_params(m, isl_set_copy(k->context));
}

/* True if each instance of p writes its own element, to which updates with the same free dimensions
 * add, and if every updated element has one. */
static bool starts(const sq_kernel *k, const sq_stmt *p, const sq_stmt *s, const sq_update *u)
{
    if (p->updates || p->nindex || !p->written_loops || p->write->array != s->write->array ||
        p->nfree != u->nfree || p->value->type != s->write->array->type || !reads_own(p))
        return false;
    isl_map *all = elements(k, s), *one = elements(k, p);
    for (int d = s->ndim - 1; d >= 0; d--) {
        bool free = false;
        for (int f = 0; f < u->nfree; f++)
            free |= u->dim[f] == d;
        if (!free)
            all = isl_map_project_out(all, isl_dim_in, (unsigned)d, 1);
    }
    all = isl_map_reset_tuple_id(all, isl_dim_in);
    one = isl_map_reset_tuple_id(one, isl_dim_in);
    bool fits =
        isl_map_is_subset(all, one) == isl_bool_true && isl_map_is_injective(one) == isl_bool_true;
    isl_map_free(all);
    isl_map_free(one);
    return fits;
}

bool sq_update_find(const sq_kernel *k, const sq_group *g, int at, sq_update *u)
{
    const sq_stmt *s = g->stmt[at];
    *u = (sq_update){.stmt = s};
    if (!s->written_loops || s->updates || s->nindex || s->ndim > SQ_MAX_DIMS ||
        sq_kernel_overlaps(k) || !split_dims(s, u) || !sq_update_split(s, u) ||
        sq_expr_reads(u->term, s->write->array))
        return false;
    if (!sq_update_in_scalar(k, g, u) && at > 0 && starts(k, g->stmt[at - 1], s, u))
        u->start = g->stmt[at - 1];
    bool exact = k->fp == SQ_FP_STRICT && sq_type_real(u->term->type);
    return !exact || sq_update_from_zero(u);
}

typedef struct reach {
    int ndim, most; /* dimensions of the statement, and the most of one operand of the term */
} reach;

static void note_read(sq_expr *e, void *user)
{
    reach *r = user;
    int n = 0;
    for (int d = 0; d < r->ndim && e->op == SQ_OP_READ; d++)
        n += isl_multi_aff_involves_dims(e->access->map, isl_dim_in, (unsigned)d, 1) ==
             isl_bool_true;
    r->most = n > r->most ? n : r->most;
}

/* True if the group becomes one reduction whose terms may be added in any order. */
static bool is_all(const sq_kernel *k, const sq_group *g, const sq_update *u)
{
    bool ordered = k->fp == SQ_FP_STRICT && sq_type_real(u->term->type);
    return !ordered && g->nstmts == 1 + (u->start != NULL) + (u->end != NULL);
}

bool sq_distribute_pays(const sq_kernel *k, const sq_group *g)
{
    sq_update u;
    for (int i = 0; i < g->nstmts; i++) {
        if (!sq_update_find(k, g, i, &u))
            continue;
        if (is_all(k, g, &u))
            return true;
        reach r = {.ndim = u.stmt->ndim};
        sq_expr_walk((sq_expr *)u.term, note_read, &r);
        if (r.most >= 2 && r.most < r.ndim)
            return true;
    }
    return false;
}
