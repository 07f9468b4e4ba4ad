/* Online, finding: a maximum, the sums of exp(x - maximum) over the same range, and the temporaries
 * that x reads; and whether running them in tiles changes what other statements read. */
#include "transforms/online.h"
#include <isl/aff.h>
#include <isl/space.h>
#include <string.h>

static int refuse(const sq_online *o, const char *text)
{
    return sq_edit_refuse(o->s, o->why, o->at, 0, "%s", text);
}

const sq_online_stmt *sq_online_member(const sq_online *o, const sq_stmt *s)
{
    for (int i = 0; i < o->nmembers; i++)
        if (o->member[i].stmt == s)
            return &o->member[i];
    return NULL;
}

int sq_online_moved(const sq_online *o, const sq_array *a)
{
    for (int i = 0; i < o->nmoved; i++)
        if (o->moved[i] == a)
            return i;
    return -1;
}

isl_multi_aff *sq_online_map(isl_space *from, isl_space *to, const int *src)
{
    int n = (int)isl_space_dim(to, isl_dim_set);
    isl_local_space *ls = isl_local_space_from_space(isl_space_copy(from));
    isl_aff_list *list = isl_aff_list_alloc(isl_space_get_ctx(from), n);
    for (int d = 0; d < n; d++)
        list = isl_aff_list_add(
            list, isl_aff_var_on_domain(isl_local_space_copy(ls), isl_dim_set, (unsigned)src[d]));
    isl_local_space_free(ls);
    return isl_multi_aff_from_aff_list(isl_space_map_from_domain_and_range(from, to), list);
}

/* ---- subscripts ---- */

/* Returns the dimension that a subscript equals; -1. */
static int dim_of_sub(const sq_access *a, int sub)
{
    isl_aff *f = isl_multi_aff_get_aff(a->map, sub);
    isl_val *c = isl_aff_get_constant_val(f);
    int found = -1, used = (int)isl_aff_dim(f, isl_dim_div);
    bool is_dim = isl_val_is_zero(c) == isl_bool_true;
    used += isl_aff_involves_dims(f, isl_dim_param, 0, (unsigned)isl_aff_dim(f, isl_dim_param));
    isl_val_free(c);
    for (int d = 0; d < (int)isl_aff_dim(f, isl_dim_in); d++) {
        isl_val *v = isl_aff_get_coefficient_val(f, isl_dim_in, d);
        if (isl_val_is_zero(v) != isl_bool_true) {
            is_dim = is_dim && found < 0 && isl_val_is_one(v) == isl_bool_true;
            found = d;
        }
        isl_val_free(v);
    }
    isl_aff_free(f);
    return is_dim && used == 0 ? found : -1;
}

/* True if every subscript is a dimension, and no dimension occurs twice; fills dim[subscript]. */
static bool dims_of_subs(const sq_access *a, int *dim)
{
    if (a->edge != SQ_EDGE_NONE)
        return false;
    for (int i = 0; i < a->array->ndim; i++) {
        dim[i] = dim_of_sub(a, i);
        if (dim[i] < 0)
            return false;
        for (int k = 0; k < i; k++)
            if (dim[k] == dim[i])
                return false;
    }
    return true;
}

/* Returns { instances of m's statement that update -> those of the maximum } */
static isl_multi_aff *to_maximum(const sq_online *o, const sq_online_stmt *m)
{
    int src[SQ_MAX_DIMS];
    memcpy(src, m->row, sizeof src);
    src[o->most->nfree] = m->j;
    isl_set *from = m->stmt->updates ? m->stmt->updates : m->stmt->domain;
    return sq_online_map(isl_set_get_space(from), isl_set_get_space(o->most->updates), src);
}

/* True if `e`, at an instance of m, equals the maximum's `x` at the same row and j. */
static bool same_value(const sq_expr *x, const sq_expr *e, isl_multi_aff *by)
{
    bool same = x->op == e->op && x->type == e->type && x->nargs == e->nargs &&
                x->scalar == e->scalar && x->integer == e->integer &&
                memcmp(&x->real, &e->real, sizeof x->real) == 0;
    if (same && x->op == SQ_OP_READ) {
        same = x->access->array == e->access->array && x->access->edge == e->access->edge &&
               sq_number_same(x->access->outside, e->access->outside) && !x->access->where &&
               !e->access->where;
        isl_multi_aff *at = isl_multi_aff_pullback_multi_aff(isl_multi_aff_copy(x->access->map),
                                                             isl_multi_aff_copy(by));
        isl_multi_aff *here = isl_multi_aff_align_params(isl_multi_aff_copy(e->access->map),
                                                         isl_multi_aff_get_space(at));
        same = same && isl_multi_aff_plain_is_equal(at, here) == isl_bool_true;
        isl_multi_aff_free(at);
        isl_multi_aff_free(here);
    }
    if (same && x->index) {
        isl_aff *at = isl_aff_pullback_multi_aff(isl_aff_copy(x->index), isl_multi_aff_copy(by));
        same = isl_aff_plain_is_equal(at, e->index) == isl_bool_true;
        isl_aff_free(at);
    }
    for (int i = 0; i < x->nargs && same; i++)
        same = same_value(x->arg[i], e->arg[i], by);
    return same;
}

/* ---- sums ---- */

static int count_reads(const sq_expr *e, const sq_array *a)
{
    int n = e->op == SQ_OP_READ && e->access->array == a;
    for (int i = 0; i < e->nargs; i++)
        n += count_reads(e->arg[i], a);
    return n;
}

/* Returns exp(… - m[…]) if it is a factor of e. */
static const sq_expr *factor_of(const sq_expr *e, const sq_array *m)
{
    if ((e->op == SQ_OP_EXP || e->op == SQ_OP_EXP2) && e->arg[0]->op == SQ_OP_SUB &&
        e->arg[0]->arg[1]->op == SQ_OP_READ && e->arg[0]->arg[1]->access->array == m)
        return e;
    bool product = e->op == SQ_OP_MUL, first = product || e->op == SQ_OP_DIV ||
                                               e->op == SQ_OP_NEG ||
                                               (e->op == SQ_OP_CAST && sq_type_real(e->type));
    const sq_expr *f = first ? factor_of(e->arg[0], m) : NULL;
    return f || !product ? f : factor_of(e->arg[1], m);
}

/* Finds the rows and j of a sum from the subscripts of m in its factor. */
static bool find_rows(const sq_online *o, sq_online_stmt *m)
{
    const sq_access *a = m->factor->arg[0]->arg[1]->access;
    int of[SQ_MAX_DIMS], to[SQ_MAX_DIMS];
    if (!dims_of_subs(a, of) || !dims_of_subs(o->most->write, to))
        return false;
    for (int i = 0; i < a->array->ndim; i++) {
        if (of[i] >= m->stmt->nfree)
            return false;
        m->row[to[i]] = of[i];
    }
    m->j = m->stmt->nfree;
    return true;
}

/* True if it sums over the same j as the maximum. */
static bool same_range(const sq_online *o, const sq_online_stmt *m, isl_multi_aff *by)
{
    const sq_stmt *s = m->stmt;
    isl_set *all =
        isl_set_preimage_multi_aff(isl_set_copy(o->most->updates), isl_multi_aff_copy(by));
    int src[SQ_MAX_DIMS];
    for (int d = 0; d < s->nfree; d++)
        src[d] = d;
    isl_multi_aff *drop =
        sq_online_map(isl_set_get_space(s->updates), isl_set_get_space(s->domain), src);
    all = isl_set_intersect(all, isl_set_preimage_multi_aff(isl_set_copy(s->domain), drop));
    all = isl_set_intersect_params(all, isl_set_copy(o->k->context));
    isl_set *mine = isl_set_intersect_params(isl_set_copy(s->updates), isl_set_copy(o->k->context));
    bool same = isl_set_is_equal(all, mine) == isl_bool_true;
    isl_set_free(all);
    isl_set_free(mine);
    return same;
}

static int add_sum(sq_online *o, const sq_stmt *s)
{
    const char *m = o->most->write->array->name, *n = s->name;
    sq_online_stmt *x = &o->member[o->nmembers];
    if (o->nmembers == SQ_MAX_MEMBERS)
        return refuse(o, "too many statements belong to it");
    *x = (sq_online_stmt){
        .kind = SQ_MEMBER_SUMS, .stmt = s, .factor = factor_of(s->body, o->most->write->array)};
    if (s->reduce != SQ_OP_ADD || s->ndim != s->nfree + 1 || !x->factor ||
        count_reads(s->body, o->most->write->array) != 1)
        return sq_edit_refuse(o->s, o->why, o->at, 0,
                              "%s reduces what depends on %s, but not as a sum over one index of "
                              "exp(x - %s) times what does not depend on %s, so it cannot be "
                              "rescaled when %s changes",
                              n, m, m, m, m);
    if (o->exp != SQ_OP_CONST && o->exp != x->factor->op)
        return refuse(o, "some sums are of exp and some of exp2");
    o->exp = x->factor->op;
    if (s->written_loops || !find_rows(o, x))
        return sq_edit_refuse(o->s, o->why, o->at, 0,
                              "%s reads %s through other subscripts than plain indices", n, m);
    isl_multi_aff *by = to_maximum(o, x);
    bool value = same_value(o->most->body, x->factor->arg[0]->arg[0], by);
    bool range = same_range(o, x, by);
    isl_multi_aff_free(by);
    if (!value || !range)
        return sq_edit_refuse(
            o->s, o->why, o->at, 0,
            value ? "%s sums over another range than that of which %s is the maximum"
                  : "%s subtracts %s from something else than what it is the "
                    "maximum of",
            n, m);
    o->nmembers++;
    return 0;
}

static int find_sums(sq_online *o)
{
    const sq_array *m = o->most->write->array;
    o->member[o->nmembers] =
        (sq_online_stmt){.kind = SQ_MEMBER_MAXIMUM, .stmt = o->most, .j = o->most->nfree};
    for (int d = 0; d < o->most->nfree; d++)
        o->member[o->nmembers].row[d] = d;
    o->nmembers++;
    for (int i = o->most->position + 1; i < o->k->nstmts; i++)
        if (o->k->stmt[i]->body && sq_expr_reads(o->k->stmt[i]->body, m) &&
            add_sum(o, o->k->stmt[i]))
            return -1;
    if (o->nmembers > 1)
        return 0;
    return sq_edit_refuse(o->s, o->why, o->at, 0,
                          "no sum of exp(x - %s) follows; where a temporary holds it, inline the "
                          "statement that fills it first",
                          m->name);
}

/* ---- temporaries that x reads ---- */

static const sq_stmt *only_writer(const sq_kernel *k, const sq_array *a)
{
    const sq_stmt *w = NULL;
    for (int i = 0; i < k->nstmts; i++)
        if (k->stmt[i]->write->array == a) {
            if (w)
                return NULL;
            w = k->stmt[i];
        }
    return w;
}

typedef struct lookup {
    const sq_online *o;
    const sq_array *a;
    const sq_online_stmt *m;
    int sub;              /* the subscript that is j */
    int dim[SQ_MAX_DIMS]; /* dimensions of the maximum, per subscript; -1: not seen yet */
    bool fine;
} lookup;

/* All reads must be of the element of their own row and j. */
static void look(sq_expr *e, void *user)
{
    lookup *l = user;
    int dim[SQ_MAX_DIMS];
    if (e->op != SQ_OP_READ || e->access->array != l->a || !l->fine)
        return;
    l->fine = dims_of_subs(e->access, dim) && l->a->ndim == l->o->most->nfree + 1;
    for (int i = 0; i < l->a->ndim && l->fine; i++) {
        int at = dim[i] == l->m->j ? l->o->most->nfree : -1;
        for (int r = 0; r < l->o->most->nfree; r++)
            at = l->m->row[r] == dim[i] ? r : at;
        l->fine = at >= 0 && (l->dim[i] < 0 || l->dim[i] == at);
        l->dim[i] = at;
        l->sub = at == l->o->most->nfree ? i : l->sub;
    }
}

/* Reads outside of the members, or by the value of a sum, need more than a tile. */
static void look_at(lookup *l, const sq_stmt *s)
{
    l->m = sq_online_member(l->o, s);
    if (!sq_stmt_reads_array(s, l->a))
        return;
    bool sums = l->m && l->m->kind != SQ_MEMBER_MAKES;
    if (!l->m || (sums && sq_expr_reads(s->value, l->a)))
        l->fine = false;
    if (l->fine && s->body)
        sq_expr_walk(s->body, look, l);
    if (l->fine && !sums)
        sq_expr_walk(s->value, look, l);
}

/* True if the statement that fills a temporary can run in tiles as well; it then becomes a
 * member. */
static bool move_writer(sq_online *o, const sq_array *a)
{
    const sq_stmt *w = only_writer(o->k, a);
    lookup l = {.o = o, .a = a, .fine = true, .sub = -1};
    int dim[SQ_MAX_DIMS];
    memset(l.dim, -1, sizeof l.dim);
    if (a->role != SQ_LOCAL || !w || w->written_loops || o->nmembers == SQ_MAX_MEMBERS ||
        sq_online_member(o, w) || sq_stmt_reads_array(w, a) || w->position > o->most->position)
        return false;
    for (int i = 0; i < o->k->nstmts; i++)
        look_at(&l, o->k->stmt[i]);
    if (!l.fine || l.sub < 0 || !dims_of_subs(w->write, dim) || w->nfree != a->ndim)
        return false;
    memmove(&o->member[1], &o->member[0], (size_t)o->nmembers * sizeof o->member[0]);
    o->nmembers++;
    sq_online_stmt *m = &o->member[0];
    *m = (sq_online_stmt){.kind = SQ_MEMBER_MAKES, .stmt = w};
    for (int i = 0; i < a->ndim; i++)
        if (l.dim[i] == o->most->nfree)
            m->j = dim[i];
        else
            m->row[l.dim[i]] = dim[i];
    o->moved_sub[o->nmoved] = l.sub;
    o->moved[o->nmoved++] = a;
    return true;
}

static bool move_any(sq_online *o)
{
    for (int i = 0; i < o->nmembers; i++) {
        sq_access *read[SQ_MAX_STMT_READS];
        int n = sq_stmt_all_reads(o->member[i].stmt, read, NULL);
        for (int r = 0; r < n; r++)
            if (sq_online_moved(o, read[r]->array) < 0 && move_writer(o, read[r]->array))
                return true;
    }
    return false;
}

/* Sorts in textual order. */
static void sort(sq_online *o)
{
    for (int i = 1; i < o->nmembers; i++)
        for (int k = i; k > 0 && o->member[k].stmt->position < o->member[k - 1].stmt->position;
             k--) {
            sq_online_stmt m = o->member[k];
            o->member[k] = o->member[k - 1];
            o->member[k - 1] = m;
        }
}

/* ---- other statements ---- */

/* True if one of them writes what the other accesses; with body_alone, if p writes what q's body
 * reads. */
static bool conflict(const sq_stmt *p, const sq_stmt *q, bool body_alone)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(q, read, in_body);
    for (int r = 0; r < n; r++)
        if ((in_body[r] || !body_alone) && sq_arrays_overlap(read[r]->array, p->write->array))
            return true;
    if (body_alone)
        return false;
    if (sq_arrays_overlap(p->write->array, q->write->array))
        return true;
    n = sq_stmt_all_reads(p, read, NULL);
    for (int r = 0; r < n; r++)
        if (sq_arrays_overlap(read[r]->array, q->write->array))
            return true;
    return false;
}

/* A sum's value is computed after the tiles, and stays in order with other statements there; if the
 * array of a sum holds its running value, in_place() ensures that none of them reads it before. */
static bool changes_places(const sq_online *o, int i, const sq_online_stmt *m)
{
    const sq_stmt *p = o->k->stmt[i], *s = m->stmt;
    if (o->after[i])
        return s->position > i && conflict(p, s, m->kind == SQ_MEMBER_SUMS);
    return s->position < i && conflict(p, s, false);
}

static bool reads_made(const sq_online *o, const sq_stmt *p)
{
    for (int i = 0; i < o->nmembers; i++)
        if (o->member[i].kind != SQ_MEMBER_MAKES &&
            sq_stmt_reads_array(p, o->member[i].stmt->write->array))
            return true;
    for (int i = 0; i < p->position; i++)
        if (o->after[i] && sq_stmt_reads_array(p, o->k->stmt[i]->write->array))
            return true;
    return false;
}

static int shares(const sq_online *o, const sq_stmt *p, const sq_stmt *q)
{
    return sq_edit_refuse(o->s, o->why, o->at, 0,
                          "%s stands between and shares an array with %s, so the tiles cannot run "
                          "as a whole before or after it",
                          p->name, q->name);
}

/* Other statements run before the tiles, or after them if they depend on their results; a statement
 * that is reordered with a member, or with another one, must be independent of it. */
static int place_others(sq_online *o)
{
    int first = o->member[0].stmt->position, last = o->member[o->nmembers - 1].stmt->position;
    for (int i = 0; i < o->k->nstmts; i++) {
        const sq_stmt *p = o->k->stmt[i];
        if (sq_online_member(o, p))
            continue;
        o->after[i] = i > last || (i > first && reads_made(o, p));
        for (int b = 0; b < o->nmembers; b++)
            if (changes_places(o, i, &o->member[b]))
                return shares(o, p, o->member[b].stmt);
        for (int b = 0; b < i && !o->after[i]; b++)
            if (o->after[b] && conflict(p, o->k->stmt[b], false))
                return shares(o, p, o->k->stmt[b]);
    }
    return 0;
}

/* Inside the tiles no other result of theirs is complete. */
static int complete(const sq_online *o)
{
    for (int i = 0; i < o->nmembers; i++)
        for (int b = 0; b < o->nmembers; b++) {
            const sq_stmt *s = o->member[i].stmt, *w = o->member[b].stmt;
            bool own = o->member[b].kind == SQ_MEMBER_MAKES ||
                       (w == o->most && o->member[i].kind == SQ_MEMBER_SUMS);
            if (!own && s->body && sq_expr_reads(s->body, w->write->array))
                return sq_edit_refuse(
                    o->s, o->why, o->at, 0,
                    "%s reads %s inside its sum, which is complete only after the "
                    "last tile; divide or scale after the sum",
                    s->name, w->write->array->name);
        }
    return 0;
}

/* True if a sum's array may hold the partial sums: it has their type, and nothing reads it before
 * its final value is stored. */
static bool in_place(const sq_online *o, const sq_online_stmt *m)
{
    const sq_stmt *s = m->stmt;
    const sq_array *a = s->write->array;
    if (a->type != s->body->type || sq_expr_reads(s->value, a))
        return false;
    for (int i = 0; i < o->k->nstmts; i++)
        if (o->k->stmt[i] != s && sq_stmt_touches(o->k->stmt[i], a) && !o->after[i])
            return false;
    for (int i = 0; i < s->position; i++)
        if (o->k->stmt[i] != s && sq_stmt_touches(o->k->stmt[i], a))
            return false;
    int dim[SQ_MAX_DIMS];
    return dims_of_subs(s->write, dim) && a->ndim == s->nfree;
}

int sq_online_maximum(sq_online *o)
{
    const sq_stmt *m = o->most;
    int dim[SQ_MAX_DIMS];
    if (m->written_loops || o->k->textual_dims > 0)
        return refuse(o, "it is for index statements; this kernel has C loops");
    if (sq_kernel_overlaps(o->k))
        return refuse(o, "it needs arrays that do not overlap; this kernel has some that are `alias`");
    if (m->reduce != SQ_OP_MAX || m->ndim != m->nfree + 1 || m->value->op != SQ_OP_REDUCED ||
        !sq_type_real(m->body->type) || m->write->array->type != m->body->type)
        return sq_edit_refuse(o->s, o->why, o->at, 0,
                              "%s is no maximum over one index: m[i] = rmax(x, j)", m->name);
    if (!dims_of_subs(m->write, dim) || m->write->array->ndim != m->nfree ||
        only_writer(o->k, m->write->array) != m)
        return sq_edit_refuse(
            o->s, o->why, o->at, 0,
            "%s must be written by %s alone, one element an instance, under plain "
            "indices",
            m->write->array->name, m->name);
    return 0;
}

int sq_online_find(sq_online *o)
{
    if (o->k->nstmts > (int)(sizeof o->after))
        return refuse(o, "the kernel has too many statements");
    if (find_sums(o))
        return -1;
    while (move_any(o))
        ;
    sort(o);
    if (complete(o) || place_others(o))
        return -1;
    for (int i = 0; i < o->nmembers; i++)
        if (o->member[i].kind == SQ_MEMBER_SUMS)
            o->member[i].in_place = in_place(o, &o->member[i]);
    return 0;
}
