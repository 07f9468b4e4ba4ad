/* Inside: see inside.h. */
#include "ir/dependence/inside.h"
#include "ir/kernel/fold_choice.h"
#include "ir/kernel/quota.h"
#include "ir/kernel/ranges.h"
#include "ir/kernel/volume.h"
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <math.h>
#include <string.h>

enum {
    MOST_OPERATIONS = 2000000,
    /* where fewer than one point in this number is at the border, the condition costs more than the points do alone */
    RARE = 8
};

typedef struct kept {
    int n;
    const sq_stmt **stmt;
    bool splits;
    sq_inside found;
    struct kept *next;
} kept;

struct sq_inside_kept {
    kept *first;
};

/* ---- which statements ---- */

/* True if two accesses to one array, at the free dimensions, touch the same element at each point. */
static bool is_same_point(const sq_access *x, const sq_access *y)
{
    isl_multi_aff *a = isl_multi_aff_reset_tuple_id(isl_multi_aff_copy(x->map), isl_dim_in);
    isl_multi_aff *b = isl_multi_aff_reset_tuple_id(isl_multi_aff_copy(y->map), isl_dim_in);
    bool same = isl_multi_aff_plain_is_equal(a, b) == isl_bool_true;
    isl_multi_aff_free(a);
    isl_multi_aff_free(b);
    return same;
}

/* True if each of the statement's points writes an element of its own. */
static bool writes_once(const sq_stmt *s)
{
    isl_map *m = isl_map_from_multi_aff(isl_multi_aff_copy(s->write->map));
    m = isl_map_intersect_domain(m, isl_set_copy(s->domain));
    bool once = isl_map_is_injective(m) == isl_bool_true;
    isl_map_free(m);
    return once;
}

/* True if the points may run in any order: none writes what another one writes or reads. */
static bool need_no_order(const sq_stmt *const *stmt, int n)
{
    bool none = true;
    for (int i = 0; i < n && none; i++) {
        none = writes_once(stmt[i]);
        for (int w = 0; w < i && none; w++)
            none = stmt[w]->write->array != stmt[i]->write->array || is_same_point(stmt[w]->write, stmt[i]->write);
    }
    return none;
}

/* True if no point reads what another one writes, and some read may leave its array or is made at some points alone. */
static bool has_border(const sq_stmt *const *stmt, int n)
{
    bool any = false;
    for (int i = 0; i < n; i++) {
        sq_access *read[SQ_MAX_STMT_READS];
        bool in_body[SQ_MAX_STMT_READS];
        int reads = sq_stmt_all_reads(stmt[i], read, in_body);
        for (int r = 0; r < reads; r++) {
            bool edge = read[r]->edge != SQ_EDGE_NONE;
            any |= edge || read[r]->where;
            if (edge && read[r]->indirect)
                return false;
            for (int w = 0; w < n; w++)
                if (read[r]->array == stmt[w]->write->array && (in_body[r] || !is_same_point(read[r], stmt[w]->write)))
                    return false;
        }
    }
    return any;
}

/* ---- sets ---- */

/* Returns the free points of instances of a statement; takes these. */
static isl_set *free_points(const sq_stmt *s, isl_set *of, bool in_body)
{
    if (!in_body)
        return of;
    of = isl_set_intersect(of, isl_set_reset_tuple_id(isl_set_copy(s->updates)));
    return isl_set_project_out(of, isl_dim_set, (unsigned)s->nfree, (unsigned)(s->ndim - s->nfree));
}

/* Returns the free points of a statement at which a read leaves its array. */
static isl_set *leaving(const sq_kernel *k, const sq_stmt *s, const sq_access *a, bool in_body)
{
    isl_set *out = isl_set_complement(sq_array_bounds(k, a->array));
    out = isl_set_set_tuple_id(out, isl_multi_aff_get_tuple_id(a->map, isl_dim_out));
    out = isl_set_preimage_multi_aff(out, isl_multi_aff_copy(a->map));
    return free_points(s, isl_set_reset_tuple_id(out), in_body);
}

/* True if choices make the read at few points, the ends of lines and the like; *made: these. */
static bool is_rare(const sq_kernel *k, const sq_stmt *s, const sq_access *a, bool in_body, isl_set **made)
{
    *made = NULL;
    if (!a->where)
        return false;
    isl_set *domain = isl_set_reset_tuple_id(isl_set_copy(s->domain));
    *made = free_points(s, isl_set_reset_tuple_id(isl_set_copy(a->where)), in_body);
    *made = isl_set_intersect(*made, isl_set_copy(domain));
    double all = sq_volume(k, domain);
    isl_set_free(domain);
    return all > 0 && !isinf(all) && sq_volume(k, *made) * RARE <= all;
}

/* Returns the points at which the read is inside, or, of a rare one, not made. */
static isl_set *points_fine(const sq_kernel *k, const sq_stmt *s, const sq_access *a, bool in_body, isl_set *of)
{
    isl_set *made;
    if (is_rare(k, s, a, in_body, &made))
        return isl_set_coalesce(isl_set_subtract(of, made));
    isl_set_free(made);
    return a->edge == SQ_EDGE_NONE ? of : isl_set_coalesce(isl_set_subtract(of, leaving(k, s, a, in_body)));
}

/* Returns the points at which all reads of all statements are inside, or not made. */
static isl_set *points_inside(const sq_kernel *k, const sq_stmt *const *stmt, int n)
{
    isl_set *in = isl_set_reset_tuple_id(isl_set_copy(stmt[0]->domain));
    in = isl_set_intersect_params(in, isl_set_copy(k->context));
    for (int i = 0; i < n; i++) {
        sq_access *read[SQ_MAX_STMT_READS];
        bool in_body[SQ_MAX_STMT_READS];
        int reads = sq_stmt_all_reads(stmt[i], read, in_body);
        for (int r = 0; r < reads; r++)
            if (read[r]->edge != SQ_EDGE_NONE || read[r]->where)
                in = points_fine(k, stmt[i], read[r], in_body[r], in);
    }
    return isl_set_remove_redundancies(in);
}

/* ---- statements ---- */

/* Returns a copy of the statement at these points only. */
static sq_stmt *at_points(const sq_stmt *of, isl_set *points /* __isl_keep */, sq_arena *arena)
{
    sq_stmt *s = SQ_NEW(arena, sq_stmt);
    *s = *of;
    isl_set *here = isl_set_copy(points);
    if (of->updates) {
        isl_set *all = isl_set_add_dims(isl_set_copy(points), isl_dim_set, (unsigned)(of->ndim - of->nfree));
        all = isl_set_set_tuple_id(all, isl_set_get_tuple_id(of->updates));
        s->updates = isl_set_intersect(isl_set_copy(of->updates), all);
    }
    here = isl_set_set_tuple_id(here, isl_set_get_tuple_id(of->domain));
    s->domain = isl_set_intersect(isl_set_copy(of->domain), here);
    return s;
}

/* Leaves out what choices never take at its points. */
static void decide(const sq_kernel *k, sq_stmt *s)
{
    isl_set *domain = isl_set_intersect_params(isl_set_copy(s->domain), isl_set_copy(k->context));
    isl_set *updates = s->updates ? isl_set_intersect_params(isl_set_copy(s->updates), isl_set_copy(k->context)) : NULL;
    s->body = updates ? sq_expr_folded(k, s->body, updates) : s->body;
    s->value = sq_expr_folded(k, s->value, domain);
    s->narrow = sq_expr_folded(k, s->narrow, domain);
    isl_set_free(updates);
    isl_set_free(domain);
}

static const sq_stmt **all_at(const sq_kernel *k, const sq_stmt *const *stmt, int n, isl_set *points)
{
    const sq_stmt **list = SQ_NEW_ARRAY(k->arena, const sq_stmt *, n);
    for (int i = 0; i < n; i++) {
        sq_stmt *s = at_points(stmt[i], points, k->arena);
        decide(k, s);
        list[i] = s;
    }
    return list;
}

static void split(const sq_kernel *k, kept *e)
{
    const char *why;
    sq_quota q = sq_quota_begin(k->ctx, sq_quota_share(k, MOST_OPERATIONS));
    isl_set *inside = points_inside(k, e->stmt, e->n);
    isl_set *all = isl_set_reset_tuple_id(isl_set_copy(e->stmt[0]->domain));
    isl_set *border = isl_set_coalesce(isl_set_subtract(all, isl_set_copy(inside)));
    bool some = need_no_order(e->stmt, e->n) && sq_set_is_box(inside) && isl_set_is_empty(border) == isl_bool_false;
    if (!sq_quota_end(q, &why) && some) {
        e->found.inside = all_at(k, e->stmt, e->n, inside);
        e->found.border = all_at(k, e->stmt, e->n, border);
        e->splits = true;
    }
    isl_set_free(inside);
    isl_set_free(border);
}

const sq_inside *sq_inside_of(const sq_kernel *k, const sq_stmt *const *stmt, int n)
{
    if (!k->inside_kept || !has_border(stmt, n))
        return NULL;
    kept *e = k->inside_kept->first;
    while (e && (e->n != n || memcmp(e->stmt, stmt, (size_t)n * sizeof *stmt) != 0))
        e = e->next;
    if (!e) {
        e = SQ_NEW(k->arena, kept);
        *e = (kept){.n = n, .next = k->inside_kept->first};
        e->stmt = SQ_NEW_ARRAY(k->arena, const sq_stmt *, n);
        memcpy(e->stmt, stmt, (size_t)n * sizeof *stmt);
        k->inside_kept->first = e;
        split(k, e);
    }
    return e->splits ? &e->found : NULL;
}

static void free_sets(const sq_stmt **stmt, int n)
{
    for (int i = 0; stmt && i < n; i++) {
        isl_set_free(stmt[i]->domain);
        isl_set_free(stmt[i]->updates);
    }
}

void sq_inside_drop(sq_kernel *k)
{
    for (kept *e = k->inside_kept ? k->inside_kept->first : NULL; e; e = e->next) {
        free_sets(e->found.inside, e->n);
        free_sets(e->found.border, e->n);
    }
    k->inside_kept = SQ_NEW(k->arena, struct sq_inside_kept);
    k->inside_kept->first = NULL;
}
