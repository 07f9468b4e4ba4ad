/* Auto, bands: runs isl's scheduler, and converts its result to a sq_tree. */
#include "ir/kernel/quota.h"
#include "ir/kernel/touch.h"
#include "transforms/auto.h"
#include "ir/kernel/piece.h"
#include <isl/constraint.h>
#include <isl/id.h>
#include <isl/options.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <isl/val.h>
#include <math.h>
#include <string.h>

enum { WIDEST_BAND = SQ_MAX_DIMS };
/* Limit on the size of a problem: about a second, and ten times that of any sample. */
enum { MOST_SIZE = 1000000 };
/* Limit on the operations of isl's scheduler. */
enum { MOST_OPERATIONS = 300000, MOST_EXACT = 10000 };
enum { MOST_GROWTHS = 200 }; /* limit on numbers that grow beyond two words; in samples none does */
/* Limit on the operations times the size of what is solved at once: a second or two if each is
 * slow, and twice that of any sample. On a grid all statements of adi are one problem, of four
 * times that size. */
static const double most_work = 8e10, most_grid_work = 8e10;
/* A larger problem, above that of any sample, may take two seconds within all limits. */
enum { LARGE = 100000 };
enum { NEAR = 4, LEAST_SIZE = 1000 }; /* larger constants may be, and are treated as, sizes */

typedef struct taker {
    bool is_large; /* the last problem was large */
    const sq_kernel *k;
    const sq_group *g;
    sq_arena *arena;
    sq_row *kept[SQ_MAX_DIMS]; /* rows of the loops that are kept outside, per statement */
    int nkept;
    const char *why; /* why the problem was not solved; or NULL */
} taker;

/* ---- loops kept as written ---- */

/* The textual time's components are [place, loop, place, loop, …]. */
static bool place_of(const sq_stmt *s, int level, long *place)
{
    isl_val *v = isl_map_plain_get_val_if_fixed(s->textual, isl_dim_out, 2 * (unsigned)level);
    bool ok = isl_val_is_int(v) == isl_bool_true;
    *place = ok ? isl_val_get_num_si(v) : 0;
    isl_val_free(v);
    return ok;
}

static bool written_row(const sq_kernel *k, const sq_stmt *s, int level, sq_row *r)
{
    isl_pw_multi_aff *all = isl_pw_multi_aff_from_map(isl_map_copy(s->textual));
    isl_aff *aff = sq_only_piece(isl_pw_multi_aff_get_pw_aff(all, 2 * level + 1));
    isl_pw_multi_aff_free(all);
    bool ok = aff && sq_row_read(k, s, aff, r);
    isl_aff_free(aff);
    return ok;
}

static bool shares_level(const sq_group *g, int level)
{
    long first = 0, place;
    for (int i = 0; i < g->nstmts; i++) {
        const sq_stmt *s = g->stmt[i];
        if (!s->textual || level >= s->nfree || !place_of(s, level, &place))
            return false;
        if (i == 0)
            first = place;
        if (place != first)
            return false;
    }
    return true;
}

int sq_auto_keepable(const sq_kernel *k, const sq_group *g)
{
    int n = 0;
    while (2 * n + 1 < k->textual_dims && shares_level(g, n))
        n++;
    return n;
}

/* Returns the rows of a C loop that all statements share; NULL if they are not rows of
 * dimensions. */
static sq_row *shared_row(const taker *t, int level)
{
    sq_row *row = SQ_NEW_ARRAY(t->arena, sq_row, t->g->nstmts);
    for (int i = 0; i < t->g->nstmts; i++)
        if (!written_row(t->k, t->g->stmt[i], level, &row[i]))
            return NULL;
    return row;
}

static bool take_kept(taker *t, int keep)
{
    if (keep > sq_auto_keepable(t->k, t->g))
        return false;
    for (t->nkept = 0; t->nkept < keep; t->nkept++) {
        t->kept[t->nkept] = shared_row(t, t->nkept);
        if (!t->kept[t->nkept])
            return false;
    }
    return true;
}

/* Returns the pairs that agree in the kept loops. */
static isl_map *inside_kept(const taker *t, const sq_tree_dep *d)
{
    isl_map *m = isl_map_copy(d->map);
    for (int i = 0; i < t->nkept; i++) {
        isl_map *from =
            isl_map_from_aff(sq_row_aff(t->k, t->g->stmt[d->from], &t->kept[i][d->from]));
        isl_map *to = isl_map_from_aff(sq_row_aff(t->k, t->g->stmt[d->to], &t->kept[i][d->to]));
        m = isl_map_intersect(m, isl_map_apply_range(from, isl_map_reverse(to)));
    }
    return m;
}

/* Lists all accesses of a statement, the write first. */
static int accesses(const sq_stmt *s, const sq_access **list)
{
    sq_access *read[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(s, read, NULL);
    list[0] = s->write;
    for (int i = 0; i < n; i++)
        list[i + 1] = read[i];
    return n + 1;
}

/* Returns the same pairs, with one basic map for two accesses of an element: basic maps of few
 * constraints are much cheaper than the set they form together. Takes m. */
static isl_map *in_pieces(const taker *t, const sq_tree_dep *d, isl_map *m)
{
    const sq_stmt *s = t->g->stmt[d->from], *u = t->g->stmt[d->to];
    const sq_access *a[SQ_MAX_STMT_READS + 1], *b[SQ_MAX_STMT_READS + 1];
    int na = accesses(s, a), nb = accesses(u, b);
    if (s->updates || u->updates)
        return m;
    isl_map *all = isl_map_empty(isl_map_get_space(m));
    for (int i = 0; i < na; i++)
        for (int j = 0; j < nb; j++) {
            if (a[i]->array != b[j]->array || (i > 0 && j > 0))
                continue;
            isl_map *meet =
                isl_map_apply_range(sq_touch_rel(t->k, s, a[i], false),
                                    isl_map_reverse(sq_touch_rel(t->k, u, b[j], false)));
            meet = isl_map_intersect(meet, isl_map_copy(m));
            all = isl_map_union(all, isl_map_detect_equalities(meet));
        }
    isl_map_free(m);
    return all;
}

/* ---- the scheduling problem ---- */

typedef struct question {
    const sq_tree_deps *deps;
    bool with_reuse, on_grid;
    sq_fuse_strategy fuse;
} question;

static isl_stat keep_near(isl_constraint *c /* __isl_take */, void *user)
{
    isl_basic_map **to = user;
    isl_val *v = isl_constraint_get_constant_val(c);
    bool far = isl_val_cmp_si(v, NEAR) > 0 || isl_val_cmp_si(v, -NEAR) < 0;
    isl_val_free(v);
    if (far && isl_constraint_is_equality(c) == isl_bool_false)
        isl_constraint_free(c);
    else
        *to = isl_basic_map_add_constraint(*to, c);
    return isl_stat_ok;
}

static isl_stat add_piece(isl_basic_map *piece /* __isl_take */, void *user)
{
    isl_map **to = user;
    piece = isl_basic_map_remove_redundancies(piece);
    if (isl_basic_map_dim(piece, isl_dim_div) == 0) {
        isl_basic_map *wide = isl_basic_map_universe(isl_basic_map_get_space(piece));
        isl_basic_map_foreach_constraint(piece, keep_near, &wide);
        isl_basic_map_free(piece);
        piece = wide;
    }
    *to = isl_map_union(*to, isl_map_from_basic_map(piece));
    return isl_stat_ok;
}

/* Returns a superset of the pairs: without bounds from fixed sizes. An order that respects them
 * respects the real ones, and the scheduler's numbers stay small. Takes m. */
static isl_map *without_ends(isl_map *m)
{
    isl_map *wide = isl_map_empty(isl_map_get_space(m));
    isl_map_foreach_basic_map(m, add_piece, &wide);
    isl_map_free(m);
    return wide;
}

static isl_schedule_constraints *constraints(const taker *t, const question *q, bool wide)
{
    const sq_tree_deps *deps = q->deps;
    isl_union_set *domain = isl_union_set_empty(isl_set_get_space(t->k->context));
    for (int i = 0; i < t->g->nstmts; i++)
        domain = isl_union_set_union(
            domain, isl_union_set_from_set(sq_stmt_instances(t->k, t->g->stmt[i], false)));
    isl_union_map *must = isl_union_map_empty(isl_set_get_space(t->k->context));
    isl_union_map *near = isl_union_map_copy(must), *coincident = isl_union_map_copy(must);
    for (int i = 0; i < deps->n; i++) {
        const sq_tree_dep *d = &deps->dep[i];
        if (d->reuse && !q->with_reuse)
            continue;
        isl_map *exact, *pairs = in_pieces(t, d, inside_kept(t, d));
        pairs = sq_auto_loose(t->arena, wide ? without_ends(pairs) : pairs, &exact);
        isl_union_map *m = isl_union_map_from_map(pairs);
        if (!d->update)
            must = isl_union_map_union(must, isl_union_map_copy(m));
        coincident = isl_union_map_union(coincident, m);
        near = isl_union_map_union(near, isl_union_map_from_map(exact));
    }
    isl_schedule_constraints *c = isl_schedule_constraints_on_domain(domain);
    c = isl_schedule_constraints_set_context(c, isl_set_copy(t->k->context));
    c = isl_schedule_constraints_set_validity(c, must);
    c = isl_schedule_constraints_set_coincidence(c, coincident);
    return isl_schedule_constraints_set_proximity(c, near);
}

static bool too_large(taker *t, isl_schedule_constraints *c)
{
    isl_union_map *pairs = isl_schedule_constraints_get_coincidence(c);
    bool large = sq_auto_size(t->k, t->g, pairs, true) > MOST_SIZE;
    isl_union_map_free(pairs);
    if (large)
        t->why = "the statements, their loops and the pairs that depend are too many";
    return large;
}

/* Returns the limit of a problem: an operation is a step through a table, whose size determines its
 * cost. */
static unsigned long limit_of(const taker *t, const question *q, isl_schedule_constraints *c,
                              unsigned long operations)
{
    isl_union_map *pairs = isl_schedule_constraints_get_coincidence(c);
    double size = sq_auto_size(t->k, t->g, pairs, q->fuse == SQ_FUSE_MAX);
    double by_size = (q->on_grid ? most_grid_work : most_work) / fmax(size, 1);
    unsigned long share = sq_quota_share(t->k, sq_quota_share(t->k, operations));
    isl_union_map_free(pairs);
    return by_size < (double)share ? (unsigned long)by_size : share;
}

/* True if the problem is large and one before it was: two would take too long, whatever the
 * result. */
static bool is_one_too_many(taker *t, const question *q, isl_schedule_constraints *c)
{
    isl_union_map *pairs = isl_schedule_constraints_get_coincidence(c);
    bool again = false;
    t->is_large = sq_auto_size(t->k, t->g, pairs, q->fuse == SQ_FUSE_MAX) > LARGE && !q->on_grid;
    isl_union_map_free(pairs);
    for (const sq_tree_order *o = *q->deps->orders; o; o = o->next)
        again |= t->is_large && o->is_large;
    if (again)
        t->why = "one question of this size was asked before";
    return again;
}

/* Runs the scheduler once, with a limit on its operations: NULL beyond it. */
static isl_schedule *ask(taker *t, const question *q, bool wide, unsigned long operations)
{
    isl_ctx *ctx = t->k->ctx;
    isl_schedule_constraints *c = constraints(t, q, wide);
    if (too_large(t, c) || is_one_too_many(t, q, c)) {
        isl_schedule_constraints_free(c);
        return NULL;
    }
    int serial = isl_options_get_schedule_serialize_sccs(ctx);
    int whole = isl_options_get_schedule_whole_component(ctx);
    isl_options_set_schedule_serialize_sccs(ctx, q->fuse == SQ_FUSE_MIN);
    isl_options_set_schedule_whole_component(ctx, q->fuse == SQ_FUSE_MAX);
    unsigned long around =
        sq_quota_narrow_growing(ctx, limit_of(t, q, c, operations), MOST_GROWTHS);
    isl_schedule *s = isl_schedule_constraints_compute_schedule(c);
    if (sq_quota_widen(ctx, around)) {
        s = isl_schedule_free(s);
        t->why = "it took more steps than the limit allows";
    }
    isl_options_set_schedule_serialize_sccs(ctx, serial);
    isl_options_set_schedule_whole_component(ctx, whole);
    return s;
}

/* Search for a constraint with a constant greater than `beyond` that is an upper bound; found:
 * there is one. */
typedef struct end_search {
    long beyond;
    bool found;
} end_search;

static isl_stat find_end(isl_constraint *c /* __isl_take */, void *user)
{
    end_search *e = user;
    isl_val *v = isl_constraint_get_constant_val(c);
    e->found |= isl_val_cmp_si(v, e->beyond) > 0;
    isl_val_free(v);
    isl_constraint_free(c);
    return isl_stat_ok;
}

static isl_stat find_end_in(isl_basic_set *piece /* __isl_take */, void *user)
{
    isl_basic_set_foreach_constraint(piece, find_end, user);
    isl_basic_set_free(piece);
    return isl_stat_ok;
}

/* True if a size is fixed or has a constant upper bound, or if a loop ends at a number as large as
 * sizes are. */
static bool any_end(const sq_kernel *k)
{
    end_search context = {NEAR, false}, loops = {LEAST_SIZE, false};
    for (int i = 0; i < k->nsizes; i++)
        if (k->size[i]->fixed)
            return true;
    isl_set_foreach_basic_set(k->context, find_end_in, &context);
    for (int i = 0; i < k->nstmts; i++)
        isl_set_foreach_basic_set(k->stmt[i]->domain, find_end_in, &loops);
    return context.found || loops.found;
}

/* If constants bound sizes or loops, the exact problem is tried second, with a small limit: with
 * numbers as large as sizes, it can take a thousand times as long. */
static isl_schedule *order_of(taker *t, const question *q)
{
    if (!any_end(t->k))
        return ask(t, q, false, MOST_OPERATIONS);
    isl_schedule *s = ask(t, q, true, MOST_OPERATIONS);
    if (s)
        return s;
    isl_ctx_reset_error(t->k->ctx);
    return ask(t, q, false, MOST_EXACT);
}

static bool is_answer(const sq_tree_order *o, const taker *t, const question *q)
{
    return o->with_reuse == q->with_reuse && o->on_grid == q->on_grid && o->fuse == q->fuse &&
           o->keep == t->nkept;
}

/* Returns the same, computed once: scripts that differ in tiles and threads only share the result,
 * even if a limit was exceeded: that limit is below all outer ones. */
static isl_schedule *known_order(taker *t, const question *q)
{
    sq_tree_order **orders = q->deps->orders;
    for (const sq_tree_order *o = *orders; o; o = o->next)
        if (is_answer(o, t, q)) {
            t->why = o->why;
            return isl_schedule_copy(o->schedule);
        }
    isl_schedule *s = order_of(t, q);
    sq_tree_order *o = SQ_NEW(t->k->arena, sq_tree_order);
    *o = (sq_tree_order){.with_reuse = q->with_reuse,
                         .fuse = q->fuse,
                         .keep = t->nkept,
                         .on_grid = q->on_grid,
                         .is_large = t->is_large,
                         .schedule = isl_schedule_copy(s),
                         .why = s ? NULL : t->why,
                         .next = *orders};
    *orders = o;
    return s;
}

/* ---- the result ---- */

static sq_tree *take_node(taker *t, isl_schedule_node *node, const int *stmt, int nstmts);

/* Takes the only child of a node; frees the node. */
static sq_tree *take_below(taker *t, isl_schedule_node *node, const int *stmt, int nstmts)
{
    node = isl_schedule_node_child(node, 0);
    return take_node(t, node, stmt, nstmts);
}

/* Several unordered statements run in textual order. */
static sq_tree *take_leaf(taker *t, const int *stmt, int nstmts)
{
    if (nstmts == 1)
        return sq_tree_new(t->arena, SQ_TREE_LEAF, 0, stmt, 1);
    sq_tree *s = sq_tree_new(t->arena, SQ_TREE_SEQUENCE, nstmts, stmt, nstmts);
    for (int i = 0; i < nstmts; i++)
        s->child[i] = sq_tree_new(t->arena, SQ_TREE_LEAF, 0, &stmt[i], 1);
    return s;
}

typedef struct find_row {
    const taker *t;
    const sq_stmt *stmt;
    sq_row *row;
    bool found;
} find_row;

static isl_stat row_of(isl_pw_aff *pa, void *user)
{
    find_row *f = user;
    isl_id *id = isl_pw_aff_get_tuple_id(pa, isl_dim_in);
    bool ours = id && strcmp(isl_id_get_name(id), f->stmt->name) == 0;
    isl_id_free(id);
    if (!ours) {
        isl_pw_aff_free(pa);
        return isl_stat_ok;
    }
    isl_aff *aff = sq_only_piece(pa);
    f->found = aff && sq_row_read(f->t->k, f->stmt, aff, f->row);
    isl_aff_free(aff);
    return isl_stat_ok;
}

static bool take_rows(taker *t, isl_multi_union_pw_aff *all, int m, const int *stmt, int nstmts,
                      sq_row *row)
{
    isl_union_pw_aff *u = isl_multi_union_pw_aff_get_union_pw_aff(all, m);
    bool ok = true;
    for (int i = 0; i < nstmts && ok; i++) {
        find_row f = {t, t->g->stmt[stmt[i]], &row[stmt[i]], false};
        isl_union_pw_aff_foreach_pw_aff(u, row_of, &f);
        ok = f.found;
    }
    isl_union_pw_aff_free(u);
    return ok;
}

/* True if the row is a combination of the kept ones: constant inside their loops. By
 * elimination. */
static bool is_kept(const taker *t, int stmt, const sq_row *row)
{
    double a[SQ_MAX_DIMS + 1][SQ_MAX_DIMS] = {{0}};
    int n = t->g->stmt[stmt]->nfree, used = 0;
    for (int i = 0; i <= t->nkept; i++)
        for (int d = 0; d < n; d++)
            a[i][d] = (double)(i < t->nkept ? t->kept[i][stmt].dim[d] : row->dim[d]);
    for (int d = 0; d < n; d++) {
        int p = used;
        while (p < t->nkept && a[p][d] == 0)
            p++;
        if (p >= t->nkept)
            continue;
        for (int x = 0; x < n; x++) {
            double swap = a[p][x];
            a[p][x] = a[used][x];
            a[used][x] = swap;
        }
        for (int i = used + 1; i <= t->nkept; i++)
            for (int x = n - 1; x >= d; x--)
                a[i][x] -= a[used][x] * a[i][d] / a[used][d];
        used++;
    }
    for (int d = 0; d < n; d++)
        if (fabs(a[t->nkept][d]) > 1e-9)
            return false;
    return true;
}

static sq_tree *take_band(taker *t, isl_schedule_node *node, const int *stmt, int nstmts)
{
    isl_multi_union_pw_aff *all = isl_schedule_node_band_get_partial_schedule(node);
    int n = (int)isl_schedule_node_band_n_member(node);
    sq_tree *b = sq_tree_new(t->arena, SQ_TREE_BAND, 1, stmt, nstmts);
    bool ok = all && n >= 0 && n <= WIDEST_BAND;
    b->member = SQ_NEW_ARRAY(t->arena, sq_member, n > 0 ? n : 1);
    b->permutable = isl_schedule_node_band_get_permutable(node) == isl_bool_true;
    for (int m = 0; m < n && ok; m++) {
        sq_row *row = SQ_NEW_ARRAY(t->arena, sq_row, t->g->nstmts);
        ok = take_rows(t, all, m, stmt, nstmts, row);
        bool outside = t->nkept > 0;
        for (int i = 0; i < nstmts; i++)
            outside = outside && is_kept(t, stmt[i], &row[stmt[i]]);
        if (!outside)
            b->member[b->nmembers++] = (sq_member){.row = row, .size = 1};
    }
    isl_multi_union_pw_aff_free(all);
    b->child[0] = ok ? take_below(t, isl_schedule_node_copy(node), stmt, nstmts) : NULL;
    isl_schedule_node_free(node);
    if (!b->child[0])
        return NULL;
    return b->nmembers > 0 ? b : b->child[0];
}

typedef struct pick {
    const taker *t;
    const int *stmt;
    int nstmts, n;
    int *to;
} pick;

static isl_stat pick_set(isl_set *set, void *user)
{
    pick *p = user;
    const char *name = isl_set_get_tuple_name(set);
    for (int i = 0; i < p->nstmts; i++)
        if (name && strcmp(p->t->g->stmt[p->stmt[i]]->name, name) == 0)
            p->to[p->n++] = p->stmt[i];
    isl_set_free(set);
    return isl_stat_ok;
}

static void sort(int *a, int n)
{
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && a[j - 1] > a[j]; j--) {
            int swap = a[j];
            a[j] = a[j - 1];
            a[j - 1] = swap;
        }
}

static sq_tree *take_sequence(taker *t, isl_schedule_node *node, const int *stmt, int nstmts)
{
    int n = (int)isl_schedule_node_n_children(node);
    int *some = SQ_NEW_ARRAY(t->arena, int, nstmts), nsome = 0; /* without statements that never run */
    sq_tree **child = SQ_NEW_ARRAY(t->arena, sq_tree *, n > 0 ? n : 1);
    bool ok = true;
    for (int c = 0; c < n && ok; c++) {
        isl_schedule_node *filter = isl_schedule_node_get_child(node, c);
        isl_union_set *which = isl_schedule_node_filter_get_filter(filter);
        pick p = {t, stmt, nstmts, 0, SQ_NEW_ARRAY(t->arena, int, nstmts)};
        isl_union_set_foreach_set(which, pick_set, &p);
        isl_union_set_free(which);
        sort(p.to, p.n);
        child[c] = take_below(t, filter, p.to, p.n);
        ok = child[c] != NULL && p.n > 0;
        for (int i = 0; i < p.n && ok; i++)
            some[nsome++] = p.to[i];
    }
    isl_schedule_node_free(node);
    if (!ok)
        return NULL;
    sort(some, nsome);
    sq_tree *s = sq_tree_new(t->arena, SQ_TREE_SEQUENCE, n, some, nsome);
    memcpy(s->child, child, (size_t)n * sizeof *child);
    return s;
}

static sq_tree *take_node(taker *t, isl_schedule_node *node, const int *stmt, int nstmts)
{
    switch (isl_schedule_node_get_type(node)) {
    case isl_schedule_node_band:
        return take_band(t, node, stmt, nstmts);
    case isl_schedule_node_sequence:
    case isl_schedule_node_set:
        return take_sequence(t, node, stmt, nstmts);
    case isl_schedule_node_domain:
        return take_below(t, node, stmt, nstmts);
    case isl_schedule_node_leaf:
        isl_schedule_node_free(node);
        return take_leaf(t, stmt, nstmts);
    default:
        isl_schedule_node_free(node);
        return NULL;
    }
}

static sq_tree *under_kept(taker *t, sq_tree *inner, const int *stmt, int nstmts)
{
    if (t->nkept == 0 || !inner)
        return inner;
    sq_tree *b = sq_tree_new(t->arena, SQ_TREE_BAND, 1, stmt, nstmts);
    b->member = SQ_NEW_ARRAY(t->arena, sq_member, t->nkept);
    for (int i = 0; i < t->nkept; i++)
        b->member[b->nmembers++] = (sq_member){.row = t->kept[i], .size = 1};
    b->child[0] = inner;
    return b;
}

sq_tree *sq_auto_bands(const sq_kernel *k, const sq_group *g, const sq_auto *how, bool with_reuse,
                       const sq_tree_deps *deps, sq_arena *arena, const char **why)
{
    taker t = {.k = k, .g = g, .arena = arena};
    int *stmt = SQ_NEW_ARRAY(arena, int, g->nstmts);
    for (int i = 0; i < g->nstmts; i++)
        stmt[i] = i;
    if (!take_kept(&t, how->keep))
        return NULL;
    isl_schedule *s = known_order(&t, &(question){deps, with_reuse, how->grid, how->fuse});
    *why = s ? NULL : t.why;
    isl_schedule_node *root = s ? isl_schedule_get_root(s) : NULL;
    isl_schedule_free(s);
    sq_tree *inner = root ? take_node(&t, root, stmt, g->nstmts) : NULL;
    return inner ? under_kept(&t, inner, inner->stmt, inner->nstmts) : NULL;
}
