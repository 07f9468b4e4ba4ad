/* Online, making: the kernel that runs a maximum and its sums tile by tile. With t the number of a
 * tile of j, m the maximum, a the sums and x the operand of the maximum:
 *
 *     m[r] = -inf;  a[r, d] = 0;
 *     for t:  x[r][j] = ...                                  moved statements, for one tile
 *             next[r] = max(m[r], rmax(x(r, j), j))
 *             scale[r] = exp(m[r] - next[r]);  m[r] = next[r]
 *             e[r][j] = exp(x(r, j) - m[r])
 *             a[r, d] = a[r, d] * scale[r] + sum(e[r][j] * g, j)
 *     out[r, d] = value(a[r, d])
 *
 * x and e only have the j of one tile, at j - tile*t. Where m is still -inf nothing was summed:
 * scale is 1 there, and e is 0. */
#include "ir/dependence/rewrite.h"
#include "transforms/online.h"
#include <isl/aff.h>
#include <isl/space.h>
#include <stdio.h>
#include <string.h>

typedef struct maker {
    sq_online *o;
    const sq_kernel *old;
    sq_kernel *k;
    const char *tile; /* name of the loop over tiles */
    sq_array *next, *scale, *e, *moved[SQ_MAX_MEMBERS], *acc[SQ_MAX_MEMBERS];
    int first, last; /* statements of the tiles: [first, last) */
} maker;

/* ---- names and arrays ---- */

static const char *unused(const maker *m, const char *stem, const char *end)
{
    return sq_rewritten_name(m->k, m->old, stem, end);
}

/* Returns a local array with the extents of another, `tile` in place of subscript `sub` (-1: none;
 * the number of subscripts: one more). */
static sq_array *new_array(maker *m, const sq_array *like, const char *end, sq_type type, int sub)
{
    sq_array *a = SQ_NEW(m->k->arena, sq_array);
    *a = (sq_array){.name = unused(m, like->name, end),
                    .type = type,
                    .role = SQ_LOCAL,
                    .ndim = like->ndim + (sub == like->ndim),
                    .loc = like->loc};
    a->extent = SQ_NEW_ARRAY(m->k->arena, isl_aff *, a->ndim + 1);
    for (int d = 0; d < a->ndim; d++) {
        if (d != sub) {
            a->extent[d] = isl_aff_copy(like->extent[d]);
            continue;
        }
        isl_local_space *ls = isl_local_space_from_space(isl_set_get_space(m->k->context));
        a->extent[d] = isl_aff_add_constant_si(isl_aff_zero_on_domain(ls), (int)m->o->tile);
    }
    m->k->array[m->k->narrays++] = a;
    return a;
}

/* ---- spaces ---- */

/* Returns `name`[n dimensions], and its identity on other dimensions of the same number. */
static isl_space *tuple(const maker *m, const char *name, int n)
{
    isl_space *space = isl_space_set_from_params(isl_set_get_space(m->k->context));
    space = isl_space_add_dims(space, isl_dim_set, (unsigned)n);
    return isl_space_set_tuple_name(space, isl_dim_set, name);
}

/* Returns { name[t, dims…] -> old[dims…] } */
static isl_multi_aff *tiled(const maker *m, const char *name, isl_set *old)
{
    int src[SQ_MAX_DIMS];
    for (int d = 0; d < SQ_MAX_DIMS; d++)
        src[d] = d + 1;
    int n = (int)isl_set_dim(old, isl_dim_set);
    return sq_online_map(tuple(m, name, n + 1), isl_set_get_space(old), src);
}

/* Returns j - tile*t, for x's instances under this name. */
static isl_aff *in_tile(const maker *m, const char *name, int n, int j)
{
    isl_local_space *ls = isl_local_space_from_space(tuple(m, name, n + 1));
    isl_aff *a = isl_aff_var_on_domain(ls, isl_dim_set, (unsigned)j + 1);
    return isl_aff_set_coefficient_si(a, isl_dim_in, 0, -(int)m->o->tile);
}

/* Returns the points of the old set with their tiles. */
static isl_set *tiled_set(const maker *m, isl_set *old, isl_multi_aff *by, int j)
{
    isl_set *s = isl_set_intersect_params(isl_set_copy(old), isl_set_copy(m->k->context));
    s = isl_set_preimage_multi_aff(s, isl_multi_aff_copy(by));
    isl_aff *at = in_tile(m, isl_set_get_tuple_name(s), (int)isl_set_dim(old, isl_dim_set), j);
    isl_aff *end = isl_aff_add_constant_si(isl_aff_copy(at), -(int)m->o->tile);
    s = isl_set_intersect(s, isl_pw_aff_nonneg_set(isl_pw_aff_from_aff(at)));
    return isl_set_intersect(s, isl_set_from_basic_set(isl_aff_neg_basic_set(end)));
}

static isl_set *tidy(isl_set *s)
{
    return isl_set_coalesce(isl_set_remove_redundancies(isl_set_detect_equalities(s)));
}

/* ---- statements ---- */

static sq_stmt *new_stmt(maker *m, const sq_stmt *like, const char *name, int ndim, int nfree)
{
    sq_kernel *k = m->k;
    sq_stmt *s = SQ_NEW(k->arena, sq_stmt);
    *s = (sq_stmt){
        .name = name, .ndim = ndim, .nfree = nfree, .reduce = SQ_OP_CONST, .loc = like->loc};
    s->dim = SQ_NEW_ARRAY(k->arena, const char *, ndim + 1);
    k->stmt[k->nstmts++] = s;
    return s;
}

static const char *named(const maker *m, const sq_stmt *s, const char *end)
{
    return sq_arena_printf(m->k->arena, "%s%s", s->name, end);
}

/* Sets the time of a statement of the tiles: [0, t, place]. */
static void in_tiles(maker *m, sq_stmt *s)
{
    isl_map *time = isl_map_universe(isl_space_map_from_domain_and_range(
        tuple(m, s->name, s->nfree),
        isl_space_add_dims(isl_space_set_from_params(isl_set_get_space(m->k->context)), isl_dim_set,
                           3)));
    time = isl_map_fix_si(time, isl_dim_out, 0, 0);
    time = isl_map_equate(time, isl_dim_in, 0, isl_dim_out, 1);
    s->textual = isl_map_fix_si(time, isl_dim_out, 2, m->k->nstmts);
    s->written_loops = true;
    s->nindex = s->nfree - 1;
}

static bool named_twice(const sq_stmt *s, int d)
{
    int n = 0;
    for (int i = 0; i < s->ndim; i++)
        n += strcmp(s->dim[i], s->dim[d]) == 0;
    return n > 1;
}

/* Names the dimensions of a member: t, then its own, rows and j with the maximum's names. Others
 * with such a name are renamed. */
static void name_dims(maker *m, sq_stmt *s, const sq_online_stmt *x)
{
    const sq_stmt *most = m->o->most;
    bool of_most[SQ_MAX_DIMS + 1] = {true};
    s->dim[0] = m->tile;
    for (int d = 1; d < s->ndim; d++)
        s->dim[d] = x->stmt->dim[d - 1];
    for (int r = 0; r < most->nfree; r++) {
        s->dim[x->row[r] + 1] = most->dim[r];
        of_most[x->row[r] + 1] = true;
    }
    if (x->j + 1 < s->ndim) {
        s->dim[x->j + 1] = most->dim[most->nfree];
        of_most[x->j + 1] = true;
    }
    for (int d = 0; d < s->ndim; d++)
        if (!of_most[d] && named_twice(s, d))
            s->dim[d] = unused(m, s->dim[d], "");
}

static sq_access *new_access(maker *m, sq_array *a, isl_multi_aff *map, sq_loc loc)
{
    sq_access *c = SQ_NEW(m->k->arena, sq_access);
    *c = (sq_access){.array = a,
                     .map = isl_multi_aff_set_tuple_name(map, isl_dim_out, a->name),
                     .edge = SQ_EDGE_NONE,
                     .loc = loc};
    return c;
}

static sq_expr *new_read(maker *m, sq_access *a)
{
    sq_expr *e = sq_expr_node(m->k, SQ_OP_READ, a->array->type, a->loc, 0, NULL);
    e->access = a;
    return e;
}

static sq_expr *pair(maker *m, sq_op op, sq_type type, sq_expr *a, sq_expr *b)
{
    sq_expr *arg[] = {a, b};
    return sq_expr_node(m->k, op, type, a->loc, b ? 2 : 1, arg);
}

static sq_expr *number(maker *m, sq_type type, double x, sq_loc loc)
{
    sq_expr *e = sq_expr_node(m->k, SQ_OP_CONST, type, loc, 0, NULL);
    e->real = x;
    return e;
}

static sq_expr *chosen(maker *m, sq_expr *cond, sq_expr *yes, sq_expr *no)
{
    sq_expr *arg[] = {cond, yes, no};
    return sq_expr_node(m->k, SQ_OP_SELECT, no->type, cond->loc, 3, arg);
}

/* Returns an access to an array shaped like m, at the rows of x's instances: `n` dimensions after
 * t. */
static sq_access *at_row(maker *m, sq_array *a, const char *name, const sq_online_stmt *x, int n)
{
    int src[SQ_MAX_DIMS];
    const sq_stmt *most = m->o->most;
    for (int r = 0; r < most->nfree; r++)
        src[r] = x->row[r] + 1;
    isl_multi_aff *by = sq_online_map(tuple(m, name, n + 1), isl_set_get_space(most->domain), src);
    isl_multi_aff *map = isl_multi_aff_pullback_multi_aff(isl_multi_aff_copy(most->write->map), by);
    return new_access(m, a, map, most->loc);
}

/* Returns e at the row and j of x's updates. */
static sq_access *at_point(maker *m, const char *name, const sq_online_stmt *x, int n)
{
    sq_access *a = at_row(m, m->e, name, x, n);
    isl_aff *j = in_tile(m, name, n, x->j);
    isl_multi_aff *map = isl_multi_aff_reset_tuple_id(a->map, isl_dim_out);
    map = isl_multi_aff_flat_range_product(map, isl_multi_aff_from_aff(j));
    a->map = isl_multi_aff_set_tuple_name(map, isl_dim_out, m->e->name);
    return a;
}

/* ---- expressions ---- */

typedef struct rewriting {
    maker *m;
    const sq_online_stmt *x;
    isl_multi_aff *by;
    const char *name;      /* of the new instances */
    int n;                 /* number of old dimensions */
    const sq_expr *factor; /* replaced by e; NULL */
} rewriting;

/* Rewrites an access to a moved array: to its tile, with the subscript of j relative to it. */
static void to_tile(const rewriting *w, sq_access *a)
{
    int i = sq_online_moved(w->m->o, a->array);
    if (i < 0)
        return;
    isl_aff *j = in_tile(w->m, w->name, w->n, w->x->j);
    a->array = w->m->moved[i];
    a->map = isl_multi_aff_reset_tuple_id(a->map, isl_dim_out);
    a->map = isl_multi_aff_set_aff(a->map, w->m->o->moved_sub[i], j);
    a->map = isl_multi_aff_set_tuple_name(a->map, isl_dim_out, a->array->name);
}

static void place(sq_expr *e, void *user)
{
    if (e->op == SQ_OP_READ)
        to_tile(user, e->access);
}

static sq_expr *with_e(const rewriting *w, const sq_expr *e)
{
    if (e == w->factor)
        return new_read(w->m, at_point(w->m, w->name, w->x, w->n));
    sq_expr *c = sq_expr_copied(w->m->k, e, w->by, NULL, NULL);
    return c;
}

/* Copies an expression over the new dimensions; the factor in it becomes e. */
static sq_expr *moved_expr(const rewriting *w, const sq_expr *e)
{
    if (e == w->factor || e->nargs == 0) {
        sq_expr *c = with_e(w, e);
        if (e != w->factor)
            sq_expr_walk(c, place, (void *)w);
        return c;
    }
    sq_expr *arg[3] = {0};
    for (int i = 0; i < e->nargs; i++)
        arg[i] = moved_expr(w, e->arg[i]);
    return sq_expr_node(w->m->k, e->op, e->type, e->loc, e->nargs, arg);
}

/* ---- before the tiles ---- */

static isl_multi_aff *renamed(const maker *m, const sq_stmt *s, const char *name)
{
    int src[SQ_MAX_DIMS];
    for (int d = 0; d < SQ_MAX_DIMS; d++)
        src[d] = d;
    return sq_online_map(tuple(m, name, s->nfree), isl_set_get_space(s->domain), src);
}

static sq_stmt *over_elements(maker *m, const sq_stmt *like, const char *end)
{
    sq_stmt *s = new_stmt(m, like, named(m, like, end), like->nfree, like->nfree);
    for (int d = 0; d < like->nfree; d++)
        s->dim[d] = like->dim[d];
    s->domain = isl_set_set_tuple_name(isl_set_copy(like->domain), s->name);
    return s;
}

static sq_access *own_element(maker *m, const sq_stmt *like, sq_array *a, const char *name)
{
    isl_multi_aff *by = renamed(m, like, name);
    isl_multi_aff *map = isl_multi_aff_pullback_multi_aff(isl_multi_aff_copy(like->write->map), by);
    return new_access(m, a, map, like->loc);
}

static void start_at(maker *m, const sq_stmt *like, sq_array *a, double x)
{
    sq_stmt *s = over_elements(m, like, "_start");
    s->write = own_element(m, like, a, s->name);
    s->value = number(m, a->type, x, like->loc);
}

/* ---- the tiles ---- */

static void finish_reduction(maker *m, sq_stmt *s, const sq_online_stmt *x, isl_multi_aff *by)
{
    s->updates = tidy(tiled_set(m, x->stmt->updates, by, x->j));
    isl_set *some =
        isl_set_project_out(isl_set_reset_tuple_id(isl_set_copy(s->updates)), isl_dim_set,
                            (unsigned)s->nfree, (unsigned)(s->ndim - s->nfree));
    s->domain = isl_set_set_tuple_name(tidy(some), s->name);
    s->reduce = x->stmt->reduce;
    s->keeps_old = x->stmt->keeps_old;
    s->ordered = false;
}

/* Makes the statement that fills a temporary of x. */
static void make_moved(maker *m, const sq_online_stmt *x)
{
    const sq_stmt *old = x->stmt;
    sq_stmt *s = new_stmt(m, old, old->name, old->ndim + 1, old->nfree + 1);
    name_dims(m, s, x);
    isl_multi_aff *by = tiled(m, s->name, old->domain);
    rewriting w = {.m = m, .x = x, .by = by, .name = s->name, .n = old->nfree};
    s->domain = tidy(tiled_set(m, old->domain, by, x->j));
    s->write = sq_access_copied(m->k, old->write, by);
    to_tile(&w, s->write);
    s->value = moved_expr(&w, old->value);
    isl_multi_aff_free(by);
    in_tiles(m, s);
    if (!old->updates)
        return;
    w.name = sq_stmt_update_name(m->k, s);
    w.n = old->ndim;
    w.by = tiled(m, w.name, old->updates);
    s->updates = tidy(tiled_set(m, old->updates, w.by, x->j));
    s->body = moved_expr(&w, old->body);
    s->reduce = old->reduce;
    s->keeps_old = old->keeps_old;
    isl_multi_aff_free(w.by);
}

/* Returns a statement over rows in each tile. */
static sq_stmt *over_rows(maker *m, const sq_stmt *next, const char *end)
{
    const sq_stmt *most = m->o->most;
    sq_stmt *s = new_stmt(m, most, named(m, most, end), most->nfree + 1, most->nfree + 1);
    for (int d = 0; d < s->nfree; d++)
        s->dim[d] = next->dim[d];
    s->domain = isl_set_set_tuple_name(isl_set_copy(next->domain), s->name);
    in_tiles(m, s);
    return s;
}

/* Makes next = max(m, rmax(x)); scale = exp(m - next); m = next */
static void make_maximum(maker *m, const sq_online_stmt *x)
{
    const sq_stmt *old = x->stmt;
    sq_array *most = old->write->array;
    int n = old->nfree;
    sq_stmt *s = new_stmt(m, old, old->name, old->ndim + 1, n + 1);
    name_dims(m, s, x);
    const char *update = sq_stmt_update_name(m->k, s);
    isl_multi_aff *by = tiled(m, update, old->updates);
    rewriting w = {.m = m, .x = x, .by = by, .name = update, .n = old->ndim};
    finish_reduction(m, s, x, by);
    s->body = moved_expr(&w, old->body);
    isl_multi_aff_free(by);
    s->write = at_row(m, m->next, s->name, x, n);
    s->value = pair(m, SQ_OP_MAX, most->type, new_read(m, at_row(m, most, s->name, x, n)),
                    sq_expr_node(m->k, SQ_OP_REDUCED, old->body->type, old->loc, 0, NULL));
    in_tiles(m, s);

    sq_stmt *f = over_rows(m, s, "_scale");
    sq_expr *a[4];
    for (int i = 0; i < 4; i++)
        a[i] = new_read(m, at_row(m, i % 2 ? m->next : most, f->name, x, n));
    f->write = at_row(m, m->scale, f->name, x, n);
    f->value =
        chosen(m, pair(m, SQ_OP_EQ, SQ_I32, a[0], a[1]), number(m, most->type, 1, old->loc),
               pair(m, m->o->exp, most->type, pair(m, SQ_OP_SUB, most->type, a[2], a[3]), NULL));
    sq_stmt *u = over_rows(m, s, "_keep");
    u->write = at_row(m, most, u->name, x, n);
    u->value = new_read(m, at_row(m, m->next, u->name, x, n));
}

/* Makes e = exp(x - m), for every j of the tile. */
static void make_e(maker *m, const sq_online_stmt *x)
{
    const sq_stmt *old = x->stmt;
    sq_array *most = old->write->array;
    int n = old->ndim;
    sq_stmt *s = new_stmt(m, old, named(m, old, "_exp"), n + 1, n + 1);
    name_dims(m, s, x);
    isl_multi_aff *by = tiled(m, s->name, old->updates);
    rewriting w = {.m = m, .x = x, .by = by, .name = s->name, .n = n};
    s->domain = isl_set_set_tuple_name(tidy(tiled_set(m, old->updates, by, x->j)), s->name);
    s->write = at_point(m, s->name, x, n);
    sq_expr *diff = pair(m, SQ_OP_SUB, most->type, moved_expr(&w, old->body),
                         new_read(m, at_row(m, most, s->name, x, n)));
    sq_expr *none = pair(m, SQ_OP_EQ, SQ_I32, new_read(m, at_row(m, most, s->name, x, n)),
                         number(m, most->type, -__builtin_inf(), old->loc));
    s->value = chosen(m, none, number(m, most->type, 0, old->loc),
                      pair(m, m->o->exp, most->type, diff, NULL));
    isl_multi_aff_free(by);
    in_tiles(m, s);
}

static sq_expr *as_type(maker *m, sq_type type, sq_expr *e)
{
    return e->type == type ? e : pair(m, SQ_OP_CAST, type, e, NULL);
}

/* Returns the element of a sum's array at its instances in the tiles. */
static sq_access *at_sum(maker *m, sq_array *a, const sq_stmt *s, const sq_online_stmt *x)
{
    isl_multi_aff *by = tiled(m, s->name, x->stmt->domain);
    isl_multi_aff *map =
        isl_multi_aff_pullback_multi_aff(isl_multi_aff_copy(x->stmt->write->map), by);
    return new_access(m, a, map, x->stmt->loc);
}

/* Makes a = a * scale + sum(e * g) */
static void make_sum(maker *m, const sq_online_stmt *x, sq_array *acc)
{
    const sq_stmt *old = x->stmt;
    sq_type type = old->body->type;
    sq_stmt *s = new_stmt(m, old, old->name, old->ndim + 1, old->nfree + 1);
    name_dims(m, s, x);
    const char *update = sq_stmt_update_name(m->k, s);
    isl_multi_aff *by = tiled(m, update, old->updates);
    rewriting w = {.m = m, .x = x, .by = by, .name = update, .n = old->ndim, .factor = x->factor};
    finish_reduction(m, s, x, by);
    s->body = moved_expr(&w, old->body);
    isl_multi_aff_free(by);
    s->write = at_sum(m, acc, s, x);
    sq_expr *f = as_type(m, type, new_read(m, at_row(m, m->scale, s->name, x, old->nfree)));
    sq_expr *before = pair(m, SQ_OP_MUL, type, new_read(m, at_sum(m, acc, s, x)), f);
    s->value = pair(m, SQ_OP_ADD, type, before,
                    sq_expr_node(m->k, SQ_OP_REDUCED, type, old->loc, 0, NULL));
    in_tiles(m, s);
}

/* ---- after the tiles ---- */

typedef struct ending {
    maker *m;
    const sq_stmt *old;
    sq_array *acc;
    const char *name;
    isl_multi_aff *by;
} ending;

static sq_expr *ended(const ending *e, const sq_expr *x)
{
    if (x->op == SQ_OP_REDUCED)
        return new_read(e->m, own_element(e->m, e->old, e->acc, e->name));
    if (x->nargs == 0)
        return sq_expr_copied(e->m->k, x, e->by, NULL, NULL);
    sq_expr *arg[3] = {0};
    for (int i = 0; i < x->nargs; i++)
        arg[i] = ended(e, x->arg[i]);
    return sq_expr_node(e->m->k, x->op, x->type, x->loc, x->nargs, arg);
}

static void make_end(maker *m, const sq_online_stmt *x, sq_array *acc)
{
    if (x->in_place && x->stmt->value->op == SQ_OP_REDUCED)
        return;
    sq_stmt *s = over_elements(m, x->stmt, "_end");
    ending e = {m, x->stmt, acc, s->name, renamed(m, x->stmt, s->name)};
    s->write = own_element(m, x->stmt, x->stmt->write->array, s->name);
    s->value = ended(&e, x->stmt->value);
    isl_multi_aff_free(e.by);
}

/* ---- the whole ---- */

static void make_arrays(maker *m)
{
    sq_online *o = m->o;
    sq_array *most = o->most->write->array;
    m->next = new_array(m, most, "_next", most->type, -1);
    m->scale = new_array(m, most, "_scale", most->type, -1);
    m->e = new_array(m, most, "_exp", most->type, most->ndim);
    for (int i = 0; i < o->nmoved; i++)
        m->moved[i] = new_array(m, o->moved[i], "_tile", o->moved[i]->type, o->moved_sub[i]);
    for (int i = 0; i < o->nmembers; i++) {
        const sq_online_stmt *x = &o->member[i];
        if (x->kind == SQ_MEMBER_SUMS)
            m->acc[i] = x->in_place
                            ? x->stmt->write->array
                            : new_array(m, x->stmt->write->array, "_sum", x->stmt->body->type, -1);
    }
}

static void copy_others(maker *m, int from, int to, bool after)
{
    for (int i = from; i < to; i++) {
        const sq_stmt *s = m->old->stmt[i];
        if (!sq_online_member(m->o, s) && m->o->after[i] == after)
            m->k->stmt[m->k->nstmts++] = sq_stmt_copied(m->k, s, NULL, NULL);
    }
}

static void make_all(maker *m)
{
    sq_online *o = m->o;
    copy_others(m, 0, m->old->nstmts, false);
    for (int i = 0; i < o->nmembers; i++)
        if (o->member[i].kind == SQ_MEMBER_MAXIMUM)
            start_at(m, o->most, o->most->write->array, -__builtin_inf());
        else if (o->member[i].kind == SQ_MEMBER_SUMS)
            start_at(m, o->member[i].stmt, m->acc[i], 0);
    m->first = m->k->nstmts;
    for (int i = 0; i < o->nmembers; i++) {
        const sq_online_stmt *x = &o->member[i];
        if (x->kind == SQ_MEMBER_MAKES) {
            make_moved(m, x);
        } else if (x->kind == SQ_MEMBER_SUMS) {
            make_sum(m, x, m->acc[i]);
        } else {
            make_maximum(m, x);
            make_e(m, x);
        }
    }
    m->last = m->k->nstmts;
    for (int i = 0, done = 0; i < o->nmembers; i++) {
        if (o->member[i].kind != SQ_MEMBER_SUMS)
            continue;
        copy_others(m, done, o->member[i].stmt->position, true);
        make_end(m, &o->member[i], m->acc[i]);
        done = o->member[i].stmt->position;
    }
    copy_others(m, o->member[o->nmembers - 1].stmt->position, m->old->nstmts, true);
    m->k->textual_dims = 3;
}

const sq_schedule *sq_online_make(sq_online *o, const char *call)
{
    maker m = {.o = o, .old = o->k};
    for (int i = 0; i < o->nmembers; i++)
        if (o->member[i].stmt->ndim + 1 > SQ_MAX_DIMS) {
            sq_edit_refuse(o->s, o->why, o->at, 0, "%s has too many dimensions",
                           o->member[i].stmt->name);
            return NULL;
        }
    m.k = sq_rewritten_begin(o->k, o->k->nstmts + 3 * o->nmembers + 4);
    if (!m.k) {
        sq_edit_refuse(o->s, o->why, o->at, -1, "the dependences are not known");
        return NULL;
    }
    m.tile = unused(&m, o->most->dim[o->most->nfree], "t");
    make_arrays(&m);
    make_all(&m);
    const sq_online_tiles tiles = {o->most, m.tile, m.first, m.last};
    const sq_schedule *start = sq_online_schedule(m.k, &tiles);
    return sq_rewritten_end(o->k, m.k, start, call, o->why) ? NULL : start;
}
