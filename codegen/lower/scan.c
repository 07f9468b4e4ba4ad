/* Scan: loops over single points. There are three tuples per free point: start (clear the sum),
 * add, end (evaluate and write); isl orders and bounds them, so triangles and remainders of any
 * shape are exact. Slow but always correct: tiles are used wherever possible. */
#include "codegen/lower/scan.h"
#include "codegen/lower/tree.h"
#include "codegen/nest/ast_loops.h"
#include "codegen/nest/lower.h"
#include "codegen/lower/loop_names.h"
#include "codegen/lower/point.h"
#include "codegen/lower/verified.h"
#include "ir/kernel/kept.h"
#include <isl/id.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <stdlib.h>
#include <string.h>

typedef struct scan {
    const sq_kernel *kernel;
    const sq_group *group;
    const sq_nest *nest; /* NULL for C loops */
    sq_arena *arena;
    sq_point_values v;
    const sq_code_buffer **sum; /* of the group's statements; NULL for statements without one */
    sq_code *declared;          /* of the sum of one point; NULL: none */
} scan;

static const char *start_name(const scan *s, const sq_stmt *st)
{
    return sq_arena_printf(s->arena, "%s_start", st->name);
}

/* ---- one point ---- */

static bool finishes_last(const scan *s)
{
    return s->nest->first && sq_group_epilogue(s->group) == SQ_EPILOGUE_LAST;
}

static const sq_code_expr *sum_of(scan *s)
{
    return sq_point_register(&s->v, s->sum[0]);
}

static sq_code *start(scan *s)
{
    const sq_stmt *st = s->group->stmt[0];
    const sq_code_expr *from = sq_point_identity(&s->v, st);
    if (finishes_last(s))
        from = sq_code_choose(s->v.pool, s->nest->first, from,
                              sq_point_cast(&s->v, from->type, sq_point_element(&s->v, st->write)));
    return sq_point_assign(&s->v, sum_of(s), from);
}

static sq_code *add(scan *s)
{
    const sq_stmt *st = s->group->stmt[0];
    return sq_point_combine(&s->v, st, sum_of(s), sq_point_value(&s->v, st->body));
}

static sq_code *finished(scan *s, const sq_stmt *st)
{
    return sq_point_finish(&s->v, st);
}

/* Returns a later partial sum of a linear value; see the tile's. NULL: the value does not have it. */
static sq_code *joined(scan *s, const sq_stmt *st)
{
    const sq_code_expr *sum = sum_of(s), *place = sq_point_element(&s->v, st->write);
    const sq_expr *slope = st->reduce == SQ_OP_ADD ? sq_expr_slope(st->value, s->arena) : NULL;
    if (st->reduce == SQ_OP_ADD && !slope)
        return NULL;
    if (slope) {
        const sq_code_expr *arg[] = {sq_point_cast(&s->v, sum->type, sq_point_value(&s->v, slope)),
                                     sum};
        sum = sq_code_operation(s->v.pool, SQ_OP_MUL, sum->type, arg);
    }
    return sq_point_combine(&s->v, st, place, sum);
}

/* Returns the end of the first statement, which may have a reduction. */
static sq_code *end(scan *s)
{
    const sq_stmt *st = s->group->stmt[0];
    if (!s->nest->first)
        return finished(s, st);
    sq_code *x = sq_code_new(s->v.pool, SQ_CODE_IF);
    x->cond = finishes_last(s) ? s->nest->last : s->nest->first;
    x->body = finished(s, st);
    x->other = finishes_last(s) ? sq_point_store(&s->v, st->write, sum_of(s)) : joined(s, st);
    return x;
}

/* Returns the fused statements [from, to): run with the last partial sum. */
static sq_code *fused(scan *s, int from, int to)
{
    sq_code_list all = {0};
    for (int i = from; i < to; i++)
        sq_code_append(&all, finished(s, s->group->stmt[i]));
    if (!s->nest->first || !all.first)
        return all.first;
    sq_code *x = sq_code_new(s->v.pool, SQ_CODE_IF);
    x->cond = s->nest->last;
    x->body = all.first;
    return x;
}

static sq_code *of_points(const char *tuple, const sq_code_expr *const *at, int n, void *user)
{
    scan *s = user;
    sq_code_list all = {0};
    memcpy(s->v.at, at, (size_t)n * sizeof(*at));
    if (strcmp(tuple, "start") == 0)
        return start(s);
    if (strcmp(tuple, "add") == 0)
        return add(s);
    if (strcmp(tuple, "end") != 0) {
        int i = atoi(tuple + strlen("end"));
        return fused(s, i, i + 1);
    }
    sq_code_append(&all, end(s));
    if (sq_nest_pointwise(s->nest))
        sq_code_append(&all, fused(s, 1, s->group->nstmts));
    return all.first;
}

/* Returns a phase of a statement of C loops; its sum has a variable of its own. */
static sq_code *of_written(const char *tuple, const sq_code_expr *const *at, int n, void *user)
{
    scan *s = user;
    memcpy(s->v.at, at, (size_t)n * sizeof(*at));
    for (int i = 0; i < s->group->nstmts; i++) {
        const sq_stmt *st = s->group->stmt[i];
        s->v.sum = s->sum[i];
        if (strcmp(tuple, st->name) == 0)
            return finished(s, st);
        if (!st->updates)
            continue;
        const sq_code_expr *sum = sq_point_register(&s->v, s->sum[i]);
        if (strcmp(tuple, start_name(s, st)) == 0)
            return sq_point_assign(&s->v, sum, sq_point_identity(&s->v, st));
        if (strcmp(tuple, sq_stmt_update_name(s->kernel, st)) == 0)
            return sq_point_combine(&s->v, st, sum, sq_point_value(&s->v, st->body));
    }
    return NULL;
}

/* Returns the statement of a phase of C loops. */
static const sq_stmt *stmt_of(const scan *s, const char *tuple)
{
    for (int i = 0; i < s->group->nstmts; i++) {
        const sq_stmt *st = s->group->stmt[i];
        if (strcmp(tuple, st->name) == 0 || strcmp(tuple, start_name(s, st)) == 0 ||
            (st->updates && strcmp(tuple, sq_stmt_update_name(s->kernel, st)) == 0))
            return st;
    }
    return NULL;
}

static const char *dim_of_written(const char *tuple, int d, void *user)
{
    const scan *s = user;
    return sq_loop_dim(s->kernel, stmt_of(s, tuple), d);
}

/* ---- schedules ---- */

static isl_map *timed(isl_set *set, const char *name, const char *map)
{
    isl_map *m = isl_map_read_from_str(isl_set_get_ctx(set), map);
    m = isl_map_intersect_domain(m, set);
    return isl_map_set_tuple_name(m, isl_dim_in, name);
}

/* Returns "{ [x0, x1, x2] -> [0, x0, x1, 1, x2] }": statement, then phase between the free and the
 * reduction dimensions. */
static const char *time_text(const scan *s, int ndim, int stmt, int phase)
{
    const sq_group *g = s->group;
    sq_text t = {0};
    sq_text_puts(&t, "{ [");
    for (int d = 0; d < ndim; d++)
        sq_text_printf(&t, "%sx%d", d ? ", " : "", d);
    sq_text_printf(&t, "] -> [%d, ", stmt);
    for (int d = 0; d < g->nfree; d++)
        sq_text_printf(&t, "x%d, ", d);
    sq_text_printf(&t, "%d", phase);
    for (int d = g->nfree; d < g->ndim; d++)
        sq_text_printf(&t, d < ndim ? ", x%d" : ", 0", d);
    sq_text_puts(&t, "] }");
    const char *text = sq_arena_strdup(s->arena, t.s);
    sq_text_free(&t);
    return text;
}

static isl_ast_build *new_build(const scan *s, __isl_take isl_set *context, int ntimes)
{
    isl_ctx *ctx = s->kernel->ctx;
    isl_id_list *names = isl_id_list_alloc(ctx, 2 * SQ_MAX_DIMS);
    for (int i = 0; i < ntimes; i++)
        names =
            isl_id_list_add(names, isl_id_alloc(ctx, sq_arena_printf(s->arena, "@p%d", i), NULL));
    isl_ast_build *b = isl_ast_build_from_context(context);
    return isl_ast_build_set_iterators(b, names);
}

/* Returns isl's loops; NULL on failure. */
static isl_ast_node *loops(const scan *s, isl_union_map *schedule /* __isl_take */,
                           isl_set *context /* __isl_take */, int ntimes)
{
    sq_text of = {0};
    sq_text_puts(&of, "loops ");
    sq_kept_put_map(schedule, &of);
    sq_kept_put_set(context, &of);
    isl_ast_node *node = sq_kept_node(s->kernel, &of);
    if (node) {
        isl_union_map_free(schedule);
        isl_set_free(context);
    } else {
        isl_ast_build *b = new_build(s, context, ntimes);
        node = sq_keep_node(s->kernel, &of, sq_ast_loops_placed(s->kernel, b, schedule));
    }
    sq_text_free(&of);
    return node;
}

/* Appends the loops; false on failure. */
static bool append_loops(scan *s, isl_union_map *schedule /* __isl_take */,
                         isl_set *context /* __isl_take */, int ntimes, sq_code_list *to)
{
    isl_ast_node *node = loops(s, schedule, context, ntimes);
    if (!node)
        return false;
    sq_ast_lowering w = {.pool = s->v.pool,
                         .call = s->nest ? of_points : of_written,
                         .dim = s->nest ? NULL : dim_of_written,
                         .kernel = s->kernel,
                         .user = s};
    sq_code_append(to, sq_lower_ast(&w, node));
    isl_ast_node_free(node);
    return true;
}

/* Returns the phases of the first statement, and the others after it if they cannot run point by
 * point. */
static isl_union_map *all_times(scan *s, isl_set *all)
{
    const sq_group *g = s->group;
    isl_set *done = isl_set_project_out(isl_set_copy(all), isl_dim_set, (unsigned)g->nfree,
                                        (unsigned)(g->ndim - g->nfree));
    isl_union_map *u =
        isl_union_map_from_map(timed(isl_set_copy(done), "end", time_text(s, g->nfree, 0, 2)));
    if (g->stmt[0]->updates) {
        u = isl_union_map_add_map(u,
                                  timed(isl_set_copy(done), "start", time_text(s, g->nfree, 0, 0)));
        u = isl_union_map_add_map(u, timed(isl_set_copy(all), "add", time_text(s, g->ndim, 0, 1)));
    }
    for (int i = 1; i < g->nstmts && !sq_nest_pointwise(s->nest); i++)
        u = isl_union_map_add_map(u,
                                  timed(isl_set_copy(done), sq_arena_printf(s->arena, "end%d", i),
                                        time_text(s, g->nfree, i, 2)));
    isl_set_free(done);
    return u;
}

/* Declares the variables of one point: the sum, and temporaries that live only here. */
static void declare_here(scan *s, sq_code_list *to)
{
    const sq_group *g = s->group;
    if (g->stmt[0]->updates) {
        s->v.sum = s->sum[0] = sq_code_register(s->v.pool, "@sum", g->stmt[0]->body->type);
        s->declared = sq_code_declare(s->v.pool, s->v.sum, false);
        sq_code_append(to, s->declared);
    }
    for (int i = 0; i < g->nstmts; i++) {
        const sq_array *a = g->stmt[i]->write->array;
        bool seen = !sq_nest_contracted(s->nest, a);
        for (int j = 0; j < i; j++)
            seen |= g->stmt[j]->write->array == a;
        if (seen)
            continue;
        const char *name = sq_arena_printf(s->arena, "@%s_here", a->name);
        sq_point_bind(&s->v, a, sq_code_register(s->v.pool, name, a->type));
        sq_code_append(to, sq_code_declare(s->v.pool, s->v.bound->buffer, false));
    }
}

/* True if the sum starts under a condition that holds wherever something is added, which compilers
 * do not see. */
static bool starts_in_if(const sq_code *x, const sq_code_buffer *sum, bool in_if)
{
    for (; x; x = x->next) {
        bool is_if = x->kind == SQ_CODE_IF;
        if ((in_if && x->kind == SQ_CODE_STORE && x->buffer == sum) ||
            starts_in_if(x->body, sum, is_if) || starts_in_if(x->other, sum, is_if))
            return true;
    }
    return false;
}

static scan new_scan(const sq_kernel *k, const sq_group *g, sq_code_pool *code)
{
    return (scan){.kernel = k,
                  .group = g,
                  .arena = code->arena,
                  .v = {.kernel = k, .pool = code},
                  .sum = SQ_NEW_ARRAY(code->arena, const sq_code_buffer *, g->nstmts)};
}

bool sq_scan_points(const sq_nest *n, isl_set *points, sq_code **to)
{
    scan s = new_scan(n->kernel, n->group, n->code);
    sq_code_list all = {0};
    s.nest = n;
    s.v.nwindows = n->nwindows;
    s.v.window = n->window;
    s.v.group = n->group;
    declare_here(&s, &all);
    isl_set *set = isl_set_reset_tuple_id(isl_set_copy(points));
    isl_union_map *times = all_times(&s, set);
    bool made = append_loops(&s, times, isl_set_params(set), n->group->ndim + 2, &all);
    if (made && s.declared)
        s.declared->zeroed = starts_in_if(all.first, s.v.sum, false);
    if (made && !sq_tile_possible(n))
        sq_lanes_allow(all.first);
    *to = made ? sq_lower_verified(s.kernel, s.group, s.v.pool, all.first) : NULL;
    return made;
}

/* Returns { set -> its n dimensions from `first` on, then zeros up to `all` } */
static isl_map *dims_of(isl_set *set /* __isl_keep */, int first, int n, int all)
{
    isl_map *m = isl_set_identity(isl_set_copy(set));
    int ndim = (int)isl_set_dim(set, isl_dim_set);
    m = isl_map_reset_tuple_id(m, isl_dim_out);
    m = isl_map_project_out(m, isl_dim_out, (unsigned)(first + n), (unsigned)(ndim - first - n));
    m = isl_map_project_out(m, isl_dim_out, 0, (unsigned)first);
    m = isl_map_add_dims(m, isl_dim_out, (unsigned)(all - n));
    for (int d = n; d < all; d++)
        m = isl_map_fix_si(m, isl_dim_out, (unsigned)d, 0);
    return m;
}

/* The maximum number of dimensions of either kind. */
typedef struct most {
    int indices, reduced;
} most;

/* Adds a phase of a statement of C loops: the statement's time, its indices, which transforms omit
 * from it, the phase, the position in the sum. */
static isl_union_map *add_phase(isl_union_map *u, isl_set *set /* __isl_take */, const sq_stmt *s,
                                int phase, most n)
{
    int own = (int)isl_set_dim(set, isl_dim_set) - s->nfree;
    isl_map *instance = dims_of(set, 0, s->nfree, s->nfree);
    instance = isl_map_set_tuple_name(instance, isl_dim_out, s->name);
    isl_map *time = isl_map_apply_range(instance, isl_map_copy(s->textual));
    isl_map *indices = dims_of(set, s->nfree - s->nindex, s->nindex, n.indices);
    isl_map *inside = dims_of(set, s->nfree, own, n.reduced);
    inside = isl_map_insert_dims(inside, isl_dim_out, 0, 1);
    inside = isl_map_fix_si(inside, isl_dim_out, 0, phase);
    isl_set_free(set);
    time = isl_map_flat_range_product(time, indices);
    return isl_union_map_add_map(u, isl_map_flat_range_product(time, inside));
}

static isl_union_map *written_times(const scan *s, most n)
{
    isl_union_map *u = isl_union_map_empty(isl_set_get_space(s->kernel->context));
    for (int i = 0; i < s->group->nstmts; i++) {
        const sq_stmt *st = s->group->stmt[i];
        u = add_phase(u, isl_set_copy(st->domain), st, 2, n);
        if (!st->updates)
            continue;
        u = add_phase(u, isl_set_set_tuple_name(isl_set_copy(st->domain), start_name(s, st)), st, 0,
                      n);
        u = add_phase(u, isl_set_copy(st->updates), st, 1, n);
    }
    return u;
}

bool sq_scan_written(const sq_kernel *k, const sq_group *g, sq_code_pool *code, sq_code **to)
{
    scan s = new_scan(k, g, code);
    most n = {0};
    sq_code_list all = {0}, loops = {0};
    for (int i = 0; i < g->nstmts; i++) {
        const sq_stmt *st = g->stmt[i];
        n.reduced = st->ndim - st->nfree > n.reduced ? st->ndim - st->nfree : n.reduced;
        n.indices = st->nindex > n.indices ? st->nindex : n.indices;
        if (st->updates)
            s.sum[i] = sq_code_register(code, sq_arena_printf(code->arena, "@sum_%s", st->name),
                                        st->body->type);
    }
    if (!append_loops(&s, written_times(&s, n), isl_set_copy(k->context),
                      k->textual_dims + n.indices + 1 + n.reduced, &loops))
        return false;
    for (int i = 0; i < g->nstmts; i++)
        if (s.sum[i])
            sq_code_append(&all, sq_code_declare(code, s.sum[i], false));
    sq_code_append(&all, loops.first);
    *to = all.first;
    return true;
}
