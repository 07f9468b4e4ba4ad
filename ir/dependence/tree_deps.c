/* Tree dependences: dependences between the free instances of a group's statements. They are the
 * kernel's, folded onto instances that run as a unit, and classified by strength: updates of one
 * sum may be exchanged; the reuse of a temporary's memory only constrains instances that share the
 * copy. */
#include "ir/dependence/deps.h"
#include "ir/kernel/quota.h"
#include "ir/kernel/touch.h"
#include "ir/dependence/tree_inside.h"
#include "ir/dependence/writers.h"
#include <isl/schedule.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <string.h>

/* limit on isl's operations, for one group: ten times what any sample needs */
enum { MOST_OPERATIONS = 1000000 };

typedef sq_tree_finder finder;

void sq_tree_dep_add(finder *f, sq_tree_dep d)
{
    isl_bool none = d.map ? isl_map_is_empty(d.map) : isl_bool_error;
    if (none != isl_bool_false) {
        f->failed |= none == isl_bool_error;
        isl_map_free(d.map);
        return;
    }
    if (f->to->n == f->to->cap) {
        int cap = 2 * f->to->cap + 16;
        sq_tree_dep *more = SQ_NEW_ARRAY(f->arena, sq_tree_dep, cap);
        if (f->to->n)
            memcpy(more, f->to->dep, (size_t)f->to->n * sizeof *more);
        f->to->dep = more;
        f->to->cap = cap;
    }
    f->to->dep[f->to->n++] = d;
}

static int index_of(const sq_group *g, const sq_stmt *s)
{
    for (int i = 0; i < g->nstmts; i++)
        if (g->stmt[i] == s)
            return i;
    return -1;
}

/* ---- sums ---- */

static bool same_place(const sq_access *a, const sq_access *b)
{
    return a->array == b->array && a->edge == SQ_EDGE_NONE && b->edge == SQ_EDGE_NONE &&
           isl_multi_aff_plain_is_equal(a->map, b->map) == isl_bool_true;
}

const sq_access *sq_stmt_sum(const sq_stmt *s)
{
    const sq_expr *v = s->value;
    if (s->updates || v->nargs != 2 || v->type != s->write->array->type)
        return NULL;
    bool turns =
        v->op == SQ_OP_ADD || v->op == SQ_OP_MUL || v->op == SQ_OP_MIN || v->op == SQ_OP_MAX;
    if (!turns && v->op != SQ_OP_SUB)
        return NULL;
    for (int i = 0; i < (turns ? 2 : 1); i++)
        if (v->arg[i]->op == SQ_OP_READ && same_place(v->arg[i]->access, s->write))
            return v->arg[i]->access;
    return NULL;
}

/* Returns { p -> q : reads of p, other than of its sum, access what q writes } */
static isl_map *watched(const sq_kernel *k, const sq_stmt *p, const sq_stmt *q)
{
    const sq_access *sum = sq_stmt_sum(p);
    int n = sq_stmt_reads(p, NULL, NULL, 0);
    sq_access **read = SQ_NEW_ARRAY(k->arena, sq_access *, n + 1);
    sq_stmt_reads(p, read, NULL, n);
    isl_map *all = NULL;
    for (int i = 0; i < n; i++) {
        if (read[i] == sum || read[i]->array != q->write->array)
            continue;
        isl_map *m = isl_map_apply_range(sq_touch_rel(k, p, read[i], false),
                                         isl_map_reverse(sq_touch_rel(k, q, q->write, false)));
        all = all ? isl_map_union(all, m) : m;
    }
    return all;
}

static isl_map *without(isl_map *m, isl_map *but)
{
    return but ? isl_map_subtract(m, but) : m;
}

/* True if the updates of two statements may be exchanged, whatever that does to the rounding of a sum: extremes, and
 * sums of integers. Of more statements than a few not all dependences are known: see writers.h. */
static bool is_one_update(const sq_kernel *k, const sq_stmt *a, const sq_stmt *b)
{
    sq_op op = a->value->op;
    bool exact = op == SQ_OP_MIN || op == SQ_OP_MAX || !sq_type_real(a->value->type);
    return a == b || (op == b->value->op && op != SQ_OP_SUB && exact && a->write->array == b->write->array &&
                      k->nstmts <= SQ_FEW_WRITERS);
}

isl_map *sq_stmts_exchangeable(const sq_kernel *k, const sq_stmt *a, const sq_stmt *b)
{
    bool strict = k->fp == SQ_FP_STRICT && sq_type_real(a->write->array->type);
    /* Overlapping arrays may access the sum through another name. */
    if (strict || sq_kernel_overlaps(k) || !sq_stmt_sum(a) || !sq_stmt_sum(b) || !is_one_update(k, a, b))
        return NULL;
    isl_map *both = isl_map_apply_range(sq_touch_rel(k, a, a->write, false),
                                        isl_map_reverse(sq_touch_rel(k, b, b->write, false)));
    isl_map *back = watched(k, b, a);
    both = without(both, watched(k, a, b));
    return without(both, back ? isl_map_reverse(back) : NULL);
}

/* ---- the kernel's dependences, folded ---- */

/* Folds reductions into their instance. */
static isl_map *fold(const sq_deps_pair *p)
{
    isl_map *dep = isl_map_copy(p->map);
    if (p->from_update)
        dep = isl_map_apply_domain(dep, sq_stmt_drop(p->from));
    return p->to_update ? isl_map_apply_range(dep, sq_stmt_drop(p->to)) : dep;
}

static isl_map *others(isl_map *dep)
{
    isl_map *same = isl_map_identity(isl_map_get_space(dep));
    return isl_map_subtract(dep, same);
}

static void take(finder *f, const sq_deps_pair *p)
{
    const sq_stmt *a = p->from, *b = p->to;
    sq_tree_dep d = {.from = index_of(f->g, a), .to = index_of(f->g, b)};
    if (d.from < 0 || d.to < 0)
        return;
    bool folded = a->updates || b->updates;
    d.map = folded ? fold(p) : isl_map_copy(p->map);
    if (folded && a == b)
        d.map = others(d.map);
    isl_map *swap = sq_stmts_exchangeable(f->k, a, b);
    if (swap) {
        sq_tree_dep u = d;
        u.update = true;
        u.map = isl_map_intersect(isl_map_copy(d.map), isl_map_copy(swap));
        sq_tree_dep_add(f, u);
        d.map = isl_map_coalesce(isl_map_subtract(d.map, swap));
    }
    sq_tree_dep_add(f, d);
}

/* ---- cache ---- */

typedef struct kept {
    struct kept *next;
    sq_fp fp; /* determines which sums may be exchanged */
    int nstmts;
    const sq_stmt **stmt;
    sq_tree_deps deps;
    const char *given_up; /* why they are missing; NULL: they are not */
} kept;

struct sq_tree_kept {
    kept *first;
};

static void free_found(sq_tree_deps *deps)
{
    for (int i = 0; i < deps->n; i++)
        isl_map_free(deps->dep[i].map);
    deps->n = 0;
    for (; *deps->orders; *deps->orders = (*deps->orders)->next)
        isl_schedule_free((*deps->orders)->schedule);
}

static bool find(const sq_kernel *k, const sq_group *g, sq_tree_deps *deps)
{
    finder f = {.k = k, .g = g, .arena = k->arena, .to = deps};
    const sq_deps_pair *pair;
    int n = sq_tree_private_find(&f) ? 0 : sq_deps_pairs(k, &pair);
    for (int i = 0; i < n; i++)
        take(&f, &pair[i]);
    return !f.failed;
}

static bool is_of(const kept *e, const sq_kernel *k, const sq_group *g)
{
    return e->fp == k->fp && e->nstmts == g->nstmts &&
           memcmp(e->stmt, g->stmt, (size_t)g->nstmts * sizeof *g->stmt) == 0;
}

const sq_tree_deps *sq_tree_deps_of(const sq_kernel *k, const sq_group *g, const char **why)
{
    if (!k->deps || !k->tree_kept) {
        *why = "its dependences are not known";
        return NULL;
    }
    for (const kept *e = k->tree_kept->first; e; e = e->next)
        if (is_of(e, k, g)) {
            *why = e->given_up;
            return e->given_up ? NULL : &e->deps;
        }
    kept *e = SQ_NEW(k->arena, kept);
    *e = (kept){.next = k->tree_kept->first, .fp = k->fp, .nstmts = g->nstmts};
    e->deps.orders = SQ_NEW(k->arena, sq_tree_order *);
    e->deps.fronts = SQ_NEW(k->arena, sq_tree_front *);
    e->stmt = SQ_NEW_ARRAY(k->arena, const sq_stmt *, g->nstmts + 1);
    memcpy(e->stmt, g->stmt, (size_t)g->nstmts * sizeof *g->stmt);
    /* A limit of its own: the cost allowed to a script does not depend on earlier ones. */
    sq_quota q = sq_quota_begin(k->ctx, sq_quota_share(k, MOST_OPERATIONS));
    bool ok = find(k, g, &e->deps);
    bool failed = sq_quota_end(q, why);
    k->tree_kept->first = e; /* a computation that exceeded its limit is not repeated for every script */
    if (ok && !failed)
        return &e->deps;
    free_found(&e->deps);
    e->given_up = *why;
    return NULL;
}

void sq_tree_deps_drop(sq_kernel *k)
{
    sq_deps_pairs_drop(k);
    for (kept *e = k->tree_kept ? k->tree_kept->first : NULL; e; e = e->next)
        free_found(&e->deps);
    k->tree_kept = SQ_NEW(k->arena, struct sq_tree_kept);
    k->tree_kept->first = NULL;
}
