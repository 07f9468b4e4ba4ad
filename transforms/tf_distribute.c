/* distribute(S0): the C loops that S0 shares with other statements become a nest for each
 * statement; distribute(S0 at t) keeps t and the loops around it, whose iterations run these nests
 * one after the other, in the order written or, if needed, in another one. Legal if, in one
 * iteration of the kept loops, no statement needs an instance of one of a later nest, by the exact
 * dependences. Updates in loops that their element does not depend on become reductions, which
 * absorb the statement that initializes the element, and, if the element is a scalar of the loops,
 * the one that reads it. */
#include "ir/dependence/deps.h"
#include "ir/dependence/rewrite.h"
#include "ir/kernel/shared_loops.h"
#include "support/nearest.h"
#include "transforms/distribute.h"
#include "transforms/edit.h"
#include "transforms/rows.h"
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <string.h>

typedef struct distributor {
    const sq_schedule *s;
    const sq_kernel *k;
    const sq_group *g;
    int kept;          /* outer loops that all statements still share */
    sq_update *update; /* per statement of the group; .stmt is NULL if it is none */
    int *nest;         /* per statement of the group: the number of its nest, in the order in which they run */
    const char **why;
    sq_culprit *at;
    int rc;
} distributor;

static int find(const sq_group *g, const sq_stmt *s)
{
    for (int i = 0; i < g->nstmts; i++)
        if (g->stmt[i] == s)
            return i;
    return -1;
}

/* Returns the update that absorbs this statement, which precedes or follows it; or NULL. */
static const sq_update *joins(const distributor *n, const sq_stmt *s)
{
    for (int i = 0; i < n->g->nstmts; i++)
        if (n->update[i].stmt &&
            (n->update[i].stmt == s || n->update[i].start == s || n->update[i].end == s))
            return &n->update[i];
    return NULL;
}

/* Returns the statement of the group whose nest contains a statement: the last one absorbed by its
 * update; -1: another group's. */
static int owner(const distributor *n, const sq_stmt *s)
{
    const sq_update *u = joins(n, s);
    return find(n->g, !u ? s : u->end ? u->end : u->stmt);
}

/* Returns the number of its nest; -1: another group's. */
static int place(const distributor *n, const sq_stmt *s)
{
    int at = owner(n, s);
    return at < 0 ? -1 : n->nest[at];
}

/* True if `to` initializes the updates of `from`: it would then run once before all of them. */
static bool starts_again(const distributor *n, const sq_stmt *from, const sq_stmt *to)
{
    const sq_update *u = joins(n, from);
    return u && u->stmt == from && u->start == to && !u->end;
}

/* Keeps the part of a dependence that is within one iteration of the kept loops. __isl_take */
static isl_map *within_kept(const distributor *n, isl_map *dep)
{
    for (int d = 0; d < n->kept; d++)
        dep = isl_map_equate(dep, isl_dim_in, d, isl_dim_out, d);
    return dep;
}

/* ---- the order of the nests ---- */

typedef struct needs {
    const distributor *n;
    bool *of; /* [to * statements + from]: the nest of `to` needs that of `from` */
} needs;

static isl_stat note_need(isl_map *dep, void *user)
{
    const needs *o = user;
    const distributor *n = o->n;
    bool update = false;
    const sq_stmt *from = sq_deps_stmt(n->k, isl_map_get_tuple_name(dep, isl_dim_in), &update);
    const sq_stmt *to = sq_deps_stmt(n->k, isl_map_get_tuple_name(dep, isl_dim_out), &update);
    int a = from ? owner(n, from) : -1, b = to ? owner(n, to) : -1;
    if (a >= 0 && b >= 0 && a != b) {
        dep = within_kept(n, dep);
        o->of[b * n->g->nstmts + a] |= isl_map_is_empty(dep) != isl_bool_true;
    }
    isl_map_free(dep);
    return isl_stat_ok;
}

/* Numbers the nests: the first in the order written whose needs are met comes next. False if there is a cycle. */
static bool number_nests(const needs *o, int *nest)
{
    int all = o->n->g->nstmts, next = 0;
    for (int i = 0; i < all; i++)
        nest[i] = -1;
    for (bool any = true; any && next < all;) {
        any = false;
        for (int i = 0; i < all && !any; i++) {
            bool ready = nest[i] < 0;
            for (int j = 0; j < all && ready; j++)
                ready = !o->of[i * all + j] || nest[j] >= 0;
            if (ready)
                nest[i] = next++;
            any = ready;
        }
    }
    return next == all;
}

/* Nests run in the order written where that is legal, else in another one that is; else as written, to be refused. */
static void order_nests(distributor *n)
{
    int all = n->g->nstmts;
    needs o = {n, SQ_NEW_ARRAY(n->k->arena, bool, all * all)};
    n->nest = SQ_NEW_ARRAY(n->k->arena, int, all);
    isl_union_map_foreach_map(n->k->deps, note_need, &o);
    bool ordered = number_nests(&o, n->nest);
    for (int i = 0; i < all && !ordered; i++)
        n->nest[i] = i;
}

/* ---- legality ---- */

static isl_stat goes_forward(isl_map *dep, void *user)
{
    distributor *n = user;
    bool update = false;
    const sq_stmt *from = sq_deps_stmt(n->k, isl_map_get_tuple_name(dep, isl_dim_in), &update);
    const sq_stmt *to = sq_deps_stmt(n->k, isl_map_get_tuple_name(dep, isl_dim_out), &update);
    bool back = from && to && place(n, to) >= 0 && (place(n, from) > place(n, to) || starts_again(n, from, to));
    if (back)
        dep = within_kept(n, dep);
    if (back && isl_map_is_empty(dep) != isl_bool_true)
        n->rc = sq_edit_refuse(n->s, n->why, n->at, 0, "%s would run whole before %s, but %s",
                               to->name, from->name, sq_deps_example(n->k, dep));
    isl_map_free(dep);
    return n->rc ? isl_stat_error : isl_stat_ok;
}

/* Checks that there is more than one nest, or a reduction. 0; -1 if refused. */
static int gains(distributor *n)
{
    bool any = n->g->nstmts > 1 && n->g->kind == SQ_GROUP_WRITTEN;
    for (int i = 0; i < n->g->nstmts; i++)
        any |= n->update[i].stmt != NULL;
    if (any)
        return 0;
    return sq_edit_refuse(n->s, n->why, n->at, 0,
                          "%s shares no C loop with another statement and updates no element again "
                          "and again, so there is nothing to distribute",
                          n->g->stmt[0]->name);
}

static int legal(distributor *n)
{
    isl_union_map_foreach_map(n->k->deps, goes_forward, n);
    return n->rc;
}

/* ---- the kept loops ---- */

/* True if the outer `depth` loops of `a` are those of `b`, and count their dimensions upwards. */
static bool share(const sq_stmt *a, const sq_stmt *b, int depth)
{
    if (a->nfree - a->nindex < depth || b->nfree - b->nindex < depth)
        return false;
    isl_map *own = isl_map_copy(a->textual);
    for (int d = 0; d < depth; d++)
        own = isl_map_equate(own, isl_dim_in, d, isl_dim_out, 2 * d + 1);
    bool same = isl_map_is_equal(own, a->textual) == isl_bool_true;
    isl_map_free(own);
    for (int d = 0; d < depth && same; d++)
        same = sq_stmt_place_inside(a, d) >= 0 && sq_stmt_place_inside(a, d) == sq_stmt_place_inside(b, d);
    return same;
}

/* Reads `at t`, the innermost loop that is kept. 0; -1 if refused. */
static int read_kept(distributor *n, const sq_call *call)
{
    const sq_stmt *s = sq_kernel_stmt(n->k, call->arg[0].name);
    const char *loop = call->arg[1].name, *names = "";
    int nloops = s->nfree - s->nindex;
    for (int d = 0; d < nloops; d++) {
        names = sq_arena_printf(n->k->arena, "%s%s%s", names, d ? ", " : "", s->dim[d]);
        if (strcmp(s->dim[d], loop) == 0)
            n->kept = d + 1;
    }
    if (!n->kept) {
        n->at->meant = sq_nearest(loop, s->dim, (size_t)nloops);
        bool list = *names && !n->at->meant;
        return sq_edit_refuse(n->s, n->why, n->at, 1, "'%s' is no C loop around %s%s%s", loop, s->name,
                              list ? "; there are " : "", list ? names : "");
    }
    for (int i = 0; i < n->g->nstmts; i++)
        if (!share(n->g->stmt[i], s, n->kept))
            return sq_edit_refuse(n->s, n->why, n->at, 1, "%s does not run inside the loop '%s' of %s",
                                  n->g->stmt[i]->name, loop, s->name);
    return 0;
}

/* Makes the kept loops the first free dimensions of an update. False if no loop of a sum is left, or, under
 * strict, if it then adds to what is there. */
static bool keep_loops(const distributor *n, sq_update *u)
{
    int order[SQ_MAX_DIMS], nfree = 0, all = 0;
    for (int d = 0; d < n->kept; d++)
        order[nfree++] = d;
    for (int f = 0; f < u->nfree; f++)
        if (u->dim[f] >= n->kept)
            order[nfree++] = u->dim[f];
    all = nfree;
    for (int r = u->nfree; r < u->stmt->ndim; r++)
        if (u->dim[r] >= n->kept)
            order[all++] = u->dim[r];
    if (nfree > u->nfree) /* the element is that of all iterations */
        u->start = NULL;
    u->nfree = nfree;
    memcpy(u->dim, order, sizeof *order * (size_t)all);
    bool exact = n->k->fp == SQ_FP_STRICT && sq_type_real(u->term->type);
    return nfree < all && (!exact || sq_update_from_zero(u));
}

/* ---- the statements ---- */

/* Returns the textual time of a nest inside of the kept loops: their values, then its number. That of what
 * runs inside of the nest follows; of a reduction nothing does. */
static isl_map *in_kept(const distributor *n, const sq_stmt *s, bool is_reduction, int nest)
{
    unsigned at = 2 * (unsigned)n->kept, all = (unsigned)n->k->textual_dims;
    const sq_stmt *first = n->g->stmt[0];
    isl_map *t = isl_map_copy(s->textual);
    if (is_reduction) {
        isl_space *from = isl_set_get_space(s->domain);
        isl_space *to = isl_space_params(isl_space_copy(from));
        to = isl_space_add_dims(isl_space_set_from_params(to), isl_dim_set, all);
        t = isl_map_universe(isl_space_map_from_domain_and_range(from, to));
        for (int d = 0; d < n->kept; d++) {
            t = isl_map_fix_si(t, isl_dim_out, 2 * (unsigned)d, sq_stmt_place_inside(first, d));
            t = isl_map_equate(t, isl_dim_in, d, isl_dim_out, 2 * d + 1);
        }
        for (unsigned i = at + 1; i < all; i++)
            t = isl_map_fix_si(t, isl_dim_out, i, 0);
    } else {
        t = isl_map_insert_dims(isl_map_project_out(t, isl_dim_out, at, 1), isl_dim_out, at, 1);
    }
    return isl_map_fix_si(t, isl_dim_out, at, nest);
}

/* Makes the first component of the textual time the number of the nest. */
static isl_map *in_nest(isl_map *textual, int step, int nest)
{
    isl_val *v = isl_map_plain_get_val_if_fixed(textual, isl_dim_out, 0);
    int at = isl_val_is_int(v) == isl_bool_true ? (int)isl_val_get_num_si(v) : 0;
    isl_val_free(v);
    textual =
        isl_map_insert_dims(isl_map_project_out(textual, isl_dim_out, 0, 1), isl_dim_out, 0, 1);
    return isl_map_fix_si(textual, isl_dim_out, 0, at * step + nest);
}

/* ---- the new kernel ---- */

static void add(distributor *n, sq_kernel *k, const sq_stmt *s)
{
    const sq_update *u = joins(n, s);
    int own = owner(n, s), at = place(n, s);
    if (own >= 0 && n->g->stmt[own] != s)
        return; /* absorbed by an update */
    sq_stmt *c = u ? sq_update_reduction(k, u) : sq_stmt_copied(k, s, NULL, NULL);
    if (n->kept && at >= 0) {
        isl_map *time = in_kept(n, u ? c : s, u != NULL, at);
        isl_map_free(c->textual);
        c->textual = time;
        c->written_loops = true;
        c->nindex = u ? c->nfree - n->kept : c->nindex;
    } else if (c->textual && !n->kept) {
        c->textual = in_nest(c->textual, n->k->nstmts, at < 0 ? 0 : at);
    }
    k->stmt[k->nstmts++] = c;
}

/* True if it is a nest's, by its name: a copy, or the reduction that has taken its place. */
static bool is_nest(const distributor *n, const sq_stmt *s)
{
    for (int i = 0; i < n->g->nstmts; i++)
        if (n->g->stmt[i]->name == s->name)
            return true;
    return false;
}

/* Returns the schedule in which each nest is a group that shares the kept loops with the one before. */
static const sq_schedule *in_kept_loops(const distributor *n, const sq_kernel *k)
{
    sq_schedule *s = sq_schedule_new(k, k->arena);
    int at = 0;
    while (s && !is_nest(n, s->group[at]->stmt[0]))
        at++;
    if (!s)
        return NULL;
    const sq_group *nests = s->group[at];
    int more = nests->nstmts - 1;
    memmove(&s->group[at + 1 + more], &s->group[at + 1], (size_t)(s->ngroups - at - 1) * sizeof *s->group);
    s->ngroups += more;
    for (int i = 0; i <= more; i++) {
        s->group[at + i] = sq_group_new(k, nests->stmt[i], k->arena);
        s->group[at + i]->shared = i ? n->kept : 0;
        s->group[at + i]->kept = n->kept;
    }
    return s;
}

static const sq_schedule *make(distributor *n, const char *call)
{
    sq_kernel *k = sq_rewritten_begin(n->k, n->k->nstmts);
    int first = 0, all = n->g->nstmts;
    while (n->k->stmt[first] != n->g->stmt[0])
        add(n, k, n->k->stmt[first++]);
    for (int nest = 0; nest < all; nest++) /* statements of a group follow each other */
        for (int i = 0; i < all; i++)
            if (n->nest[i] == nest)
                add(n, k, n->g->stmt[i]);
    for (int i = first + all; i < n->k->nstmts; i++)
        add(n, k, n->k->stmt[i]);
    const sq_schedule *start = n->kept ? in_kept_loops(n, k) : sq_schedule_new(k, k->arena);
    return sq_rewritten_end(n->k, k, start, call, n->why) ? NULL : start;
}

/* All statements of the loops have to be in the group: then no other one runs between their instances. */
static int find_group(distributor *n, const sq_call *call)
{
    const char *name = call->arg[0].name;
    int at = 0;
    for (int g = 0; g < n->s->ngroups; g++)
        for (int i = 0; i < n->s->group[g]->nstmts; i++)
            if (strcmp(n->s->group[g]->stmt[i]->name, name) == 0)
                n->g = n->s->group[at = g];
    if (!n->g)
        return sq_edit_no_stmt(n->s, call, 0, n->why, n->at);
    if (sq_fusion_length(n->s, sq_fusion_head(n->s, at)) == 1)
        return 0;
    return sq_edit_refuse(n->s, n->why, n->at, 0, "%s has a nest of its own, in loops that it shares with others",
                          name);
}

/* A statement belongs to at most one update: one that ends the sums of two scalars leaves both
 * unchanged, and one that initializes the element of other updates is not absorbed. */
static void part(distributor *n)
{
    for (int i = 0; i < n->g->nstmts; i++)
        for (int j = 0; j < n->g->nstmts; j++) {
            sq_update *u = &n->update[i], *v = &n->update[j];
            if (i == j || !u->end || !v->stmt)
                continue;
            if (v->stmt == u->end)
                *v = (sq_update){0};
            else if (v->end == u->end)
                *u = *v = (sq_update){0};
            else if (v->start == u->end && n->k->fp == SQ_FP_STRICT)
                *v = (sq_update){0};
            else if (v->start == u->end)
                v->start = NULL;
        }
}

static const sq_schedule *distribute(distributor *n, const char *text)
{
    const sq_schedule *start = sq_rewritten_find(n->k, text);
    if (start)
        return start;
    n->update = SQ_NEW_ARRAY(n->k->arena, sq_update, n->g->nstmts);
    for (int i = 0; i < n->g->nstmts; i++)
        if (!sq_update_find(n->k, n->g, i, &n->update[i]) || !keep_loops(n, &n->update[i]))
            n->update[i] = (sq_update){0};
    part(n);
    order_nests(n);
    return gains(n) || legal(n) ? NULL : make(n, text);
}

int sq_apply_distribute(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    (void)g;
    distributor *n = SQ_NEW(s->kernel->arena, distributor);
    *n = (distributor){.s = s, .k = s->kernel, .why = why, .at = at};
    bool names = call->nargs == 1 || (call->nargs == 2 && call->arg[1].section == 't');
    for (int i = 0; i < call->nargs; i++)
        names &= !call->arg[i].has_value && call->arg[i].name[0];
    if (!names || call->arg[0].section)
        return sq_edit_refuse(s, why, at, -1,
                              "name one statement of the loops, and the innermost loop that they keep, if any: "
                              "distribute(S0) or distribute(S0 at t)");
    if (!sq_schedule_untouched(s))
        return sq_edit_refuse(s, why, at, -1,
                              "distribute changes the statements that the other calls are about; "
                              "write it before them");
    if (!s->kernel->deps || !s->kernel->rewritten)
        return sq_edit_refuse(s, why, at, -1, "the dependences are not known");
    if (find_group(n, call) || (call->nargs > 1 && read_kept(n, call)))
        return -1;
    const char *text = sq_arena_printf(s->kernel->arena, "distribute(%s%s%s)", call->arg[0].name,
                                       n->kept ? " at " : "", n->kept ? call->arg[1].name : "");
    const sq_schedule *start = distribute(n, text);
    if (!start)
        return -1;
    sq_schedule_rewritten(s, start, text);
    return 0;
}
