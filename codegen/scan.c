/* Scan: text of loops over single points. Three tuples a free point: start (clear the sum), add,
 * end (evaluate and write); isl orders and bounds them, so triangles and remainders of any shape
 * are exact. Slow and always right: the tile takes over wherever it can. */
#include "codegen/ast_loops.h"
#include "codegen/scan_inside.h"
#include "codegen/strict.h"
#include "codegen/base.h"
#include "codegen/lower.h"
#include "codegen/scalar.h"
#include "codegen/text_of.h"
#include "support/words.h"
#include <isl/id.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

typedef sq_scan scan;

/* ---- one value ---- */

static const char *subscript(const scan *s, const sq_access *a, int d)
{
    isl_aff *aff = isl_multi_aff_get_aff(a->map, d);
    sq_text t = {0};
    if (a->edge == SQ_EDGE_CLAMP)
        sq_text_puts(&t, "sq_clamp(");
    sq_scalar_aff(aff, s->at, "sq_", &t);
    if (a->edge == SQ_EDGE_CLAMP)
        sq_text_printf(&t, ", %s)", sq_aff_text(s->kernel, a->array->extent[d], s->arena));
    const char *text = sq_arena_strdup(s->arena, sq_text_str(&t));
    sq_text_free(&t);
    isl_aff_free(aff);
    return text;
}

static void put_element(const scan *s, const sq_access *a, sq_text *to)
{
    const char *plus = "";
    if (a->array->ndim == 0) {
        sq_text_printf(to, "(*%s)", a->array->name);
        return;
    }
    sq_text_printf(to, "%s[", a->array->name);
    for (int d = 0; d < a->array->ndim; d++) {
        const char *at = subscript(s, a, d);
        int64_t stride = sq_array_stride(a->array, d);
        if (strcmp(at, "0") == 0)
            continue;
        sq_text_printf(to, "%s%s", plus, stride == 1 ? at : sq_text_factor(at, s->arena));
        if (stride == 0)
            sq_text_printf(to, " * %s", sq_stride_name(a->array, d, s->arena));
        else if (stride != 1)
            sq_text_printf(to, " * %lld", (long long)stride);
        plus = " + ";
    }
    sq_text_puts(to, *plus ? "]" : "0]");
}

static void put_inside(const scan *s, const sq_access *a, sq_text *to)
{
    for (int d = 0; d < a->array->ndim; d++) {
        isl_aff *aff = isl_multi_aff_get_aff(a->map, d);
        sq_text sub = {0};
        sq_scalar_aff(aff, s->at, "sq_", &sub);
        sq_text_printf(to, "%s(%s) >= 0 && (%s) < %s", d ? " && " : "", sub.s, sub.s,
                       sq_aff_text(s->kernel, a->array->extent[d], s->arena));
        sq_text_free(&sub);
        isl_aff_free(aff);
    }
}

/* An element, or the value of the bits of one. */
static void put_loaded(const scan *s, const sq_access *a, sq_text *to)
{
    bool stored = sq_type_stored(a->array->type);
    if (stored)
        sq_text_printf(to, "sq_%s_get(", sq_type_suffix(a->array->type));
    put_element(s, a, to);
    if (stored)
        sq_text_puts(to, ")");
}

static void put_read(const scan *s, const sq_access *a, sq_text *to)
{
    if (s->nest && sq_nest_contracted(s->nest, a->array)) {
        sq_text_printf(to, "@%s_here", a->array->name);
        return;
    }
    if (a->edge == SQ_EDGE_PAD) {
        sq_text_puts(to, "(");
        put_inside(s, a, to);
        sq_text_puts(to, " ? ");
        put_loaded(s, a, to);
        sq_text_puts(to, " : ");
        sq_scalar_value(a->outside, a->array->type, to);
        sq_text_puts(to, ")");
        return;
    }
    put_loaded(s, a, to);
}

static void leaf(const sq_expr *e, sq_text *to, void *user)
{
    const scan *s = user;
    if (e->op == SQ_OP_READ) {
        put_read(s, e->access, to);
    } else if (e->op == SQ_OP_INDEX) {
        sq_text_printf(to, "(%s)(", sq_type_ctype(e->type));
        sq_scalar_aff(e->index, s->at, "sq_", to);
        sq_text_puts(to, ")");
    } else {
        sq_text_puts(to, s->sum ? s->sum : "@sum");
    }
}

const char *sq_scan_value(scan *s, const sq_expr *e)
{
    sq_text t = {0};
    sq_scalar_style style = {.prefix = "sq_", .leaf = leaf, .user = s, .rounded = s->rounded};
    sq_scalar_expr(e, &style, &t);
    const char *text = sq_arena_strdup(s->arena, t.s);
    sq_text_free(&t);
    return text;
}

/* The same as the element it is written to holds it. */
const char *sq_scan_stored(scan *s, const sq_expr *e)
{
    sq_text t = {0};
    sq_scalar_style style = {.prefix = "sq_", .leaf = leaf, .user = s, .rounded = s->rounded};
    sq_scalar_stored(e, &style, &t);
    const char *text = sq_arena_strdup(s->arena, t.s);
    sq_text_free(&t);
    return text;
}

const char *sq_scan_place(scan *s, const sq_access *a)
{
    sq_text t = {0};
    put_element(s, a, &t);
    const char *text = sq_arena_strdup(s->arena, t.s);
    sq_text_free(&t);
    return text;
}

/* ---- one point ---- */

static const char *sum_of(const scan *s, const sq_stmt *st)
{
    return sq_arena_printf(s->arena, "@sum_%s", st->name);
}

static const char *start_name(const scan *s, const sq_stmt *st)
{
    return sq_arena_printf(s->arena, "%s_start", st->name);
}

static const char *identity(const sq_stmt *s)
{
    return sq_scalar_identity(s->body->type, s->reduce);
}

static bool finishes_last(const scan *s)
{
    return s->nest->first && sq_group_epilogue(s->group) == SQ_EPILOGUE_LAST;
}

static void put_start(scan *s)
{
    const sq_stmt *st = s->group->stmt[0];
    if (finishes_last(s))
        sq_text_line(s->to, "@sum = (%s) ? %s : %s;", sq_code_text(s->nest->first, s->arena),
                     identity(st), sq_scan_place(s, st->write));
    else
        sq_text_line(s->to, "@sum = %s;", identity(st));
}

/* "a += v;" in the reduction's own operation; sums of integers wrap around. */
void sq_scan_combine(scan *s, const sq_stmt *st, const char *a, const char *v)
{
    sq_type t = st->body->type;
    char infix = st->reduce == SQ_OP_ADD ? '+' : '*';
    if (st->reduce != SQ_OP_ADD && st->reduce != SQ_OP_MUL)
        sq_text_line(s->to, "%s = sq_%s_%s(%s, %s);", a, st->reduce == SQ_OP_MAX ? "max" : "min",
                     sq_type_suffix(t), a, v);
    else if (sq_rounded_call(s->rounded, t, infix))
        sq_text_line(s->to, "%s = %s(%s, %s);", a, sq_rounded_call(s->rounded, t, infix), a, v);
    else if (sq_type_real(t))
        sq_text_line(s->to, "%s %c= %s;", a, infix, v);
    else
        sq_text_line(s->to, "%s = (%s)((uint64_t)%s %c (uint64_t)(%s));", a, sq_type_ctype(t), a,
                     infix, v);
}

static void put_add(scan *s)
{
    const sq_stmt *st = s->group->stmt[0];
    sq_scan_combine(s, st, "@sum", sq_scan_value(s, st->body));
}

static void put_value(scan *s, const sq_stmt *st)
{
    if (sq_nest_contracted(s->nest, st->write->array))
        sq_text_line(s->to, "@%s_here = %s;", st->write->array->name, sq_scan_value(s, st->value));
    else
        sq_text_line(s->to, "%s = %s;", sq_scan_place(s, st->write), sq_scan_stored(s, st->value));
}

/* Later partial sums of a linear value; see the tile's. */
static void put_joined(scan *s, const sq_stmt *st, const char *place)
{
    const char *slope =
        st->reduce == SQ_OP_ADD ? sq_scan_value(s, sq_expr_slope(st->value, s->arena)) : NULL;
    if (slope && sq_type_real(st->body->type))
        sq_text_line(s->to, "%s += %s * @sum;", place, slope);
    else if (slope)
        sq_scan_combine(s, st, place,
                        sq_arena_printf(s->arena, "(uint64_t)(%s) * (uint64_t)@sum", slope));
    else
        sq_scan_combine(s, st, place, "@sum");
}

/* The first statement, the one that may have a reduction. */
static void put_end(scan *s)
{
    const sq_stmt *st = s->group->stmt[0];
    if (!s->nest->first) {
        put_value(s, st);
        return;
    }
    const char *place = sq_scan_place(s, st->write);
    sq_text_open(s->to, "if (%s) {",
                 sq_code_text(finishes_last(s) ? s->nest->last : s->nest->first, s->arena));
    put_value(s, st);
    sq_text_close(s->to, "} else {");
    s->to->indent++;
    if (finishes_last(s))
        sq_text_line(s->to, "%s = @sum;", place);
    else
        put_joined(s, st, place);
    sq_text_close(s->to, "}");
}

/* Fused statements [from, to): with the last partial sum. */
static void put_fused(scan *s, int from, int to)
{
    if (from >= to)
        return;
    if (s->nest->first)
        sq_text_open(s->to, "if (%s) {", sq_code_text(s->nest->last, s->arena));
    for (int i = from; i < to; i++)
        put_value(s, s->group->stmt[i]);
    if (s->nest->first)
        sq_text_close(s->to, "}");
}

/* A phase of a statement of written loops; its sum has a variable of its own. */
static void put_written(scan *s, const char *phase)
{
    for (int i = 0; i < s->group->nstmts; i++) {
        const sq_stmt *st = s->group->stmt[i];
        s->sum = sum_of(s, st);
        if (strcmp(phase, start_name(s, st)) == 0)
            sq_text_line(s->to, "%s = %s;", s->sum, identity(st));
        else if (strcmp(phase, sq_stmt_update_name(s->kernel, st)) == 0)
            sq_scan_combine(s, st, s->sum, sq_scan_value(s, st->body));
        else if (strcmp(phase, st->name) == 0)
            sq_text_line(s->to, "%s = %s;", sq_scan_place(s, st->write),
                         sq_scan_stored(s, st->value));
    }
}

/* ---- isl's tree as text ---- */

static void put_node(scan *s, isl_ast_node *node);

static void put_user(scan *s, isl_ast_node *node)
{
    isl_ast_expr *e = isl_ast_node_user_get_expr(node), *f = isl_ast_expr_op_get_arg(e, 0);
    isl_id *id = isl_ast_expr_id_get_id(f);
    int n = (int)isl_ast_expr_op_get_n_arg(e) - 1;
    for (int d = 0; d < n; d++) {
        isl_ast_expr *a = isl_ast_expr_op_get_arg(e, d + 1);
        const char *text = sq_ast_expr_text(a, s->arena);
        s->at[d] = strpbrk(text, " ?-") ? sq_arena_printf(s->arena, "(%s)", text) : text;
        isl_ast_expr_free(a);
    }
    const char *name = isl_id_get_name(id);
    if (!s->nest) {
        put_written(s, name);
    } else if (strcmp(name, "start") == 0) {
        put_start(s);
    } else if (strcmp(name, "add") == 0) {
        put_add(s);
    } else if (strcmp(name, "end") == 0) {
        put_end(s);
        if (sq_nest_pointwise(s->nest))
            put_fused(s, 1, s->group->nstmts);
    } else {
        int i = atoi(name + strlen("end"));
        put_fused(s, i, i + 1);
    }
    isl_id_free(id);
    isl_ast_expr_free(f);
    isl_ast_expr_free(e);
}

static const char *take_text(scan *s, isl_ast_expr *e)
{
    const char *t = sq_ast_expr_text(e, s->arena);
    isl_ast_expr_free(e);
    return t;
}

static void put_for(scan *s, isl_ast_node *node)
{
    const char *i = take_text(s, isl_ast_node_for_get_iterator(node));
    const char *init = take_text(s, isl_ast_node_for_get_init(node));
    isl_ast_node *body = isl_ast_node_for_get_body(node);
    if (isl_ast_node_for_is_degenerate(node) == isl_bool_true) {
        sq_text_open(s->to, "{");
        sq_text_line(s->to, "const int64_t %s = %s;", i, init);
        sq_text_line(s->to, "(void)%s;", i);
    } else {
        const char *cond = take_text(s, isl_ast_node_for_get_cond(node));
        const char *inc = take_text(s, isl_ast_node_for_get_inc(node));
        sq_text_open(s->to, "for (int64_t %s = %s; %s; %s += %s) {", i, init, cond, i, inc);
    }
    put_node(s, body);
    sq_text_close(s->to, "}");
    isl_ast_node_free(body);
}

static void put_if(scan *s, isl_ast_node *node)
{
    isl_ast_node *then = isl_ast_node_if_get_then_node(node);
    sq_text_open(s->to, "if (%s) {", take_text(s, isl_ast_node_if_get_cond(node)));
    put_node(s, then);
    isl_ast_node_free(then);
    if (isl_ast_node_if_has_else_node(node) == isl_bool_true) {
        isl_ast_node *other = isl_ast_node_if_get_else_node(node);
        sq_text_close(s->to, "} else {");
        s->to->indent++;
        put_node(s, other);
        isl_ast_node_free(other);
    }
    sq_text_close(s->to, "}");
}

static isl_stat put_child(__isl_take isl_ast_node *node, void *user)
{
    put_node(user, node);
    isl_ast_node_free(node);
    return isl_stat_ok;
}

static void put_node(scan *s, isl_ast_node *node)
{
    isl_ast_node_list *list;
    switch (isl_ast_node_get_type(node)) {
    case isl_ast_node_for:
        put_for(s, node);
        break;
    case isl_ast_node_if:
        put_if(s, node);
        break;
    case isl_ast_node_user:
        put_user(s, node);
        break;
    case isl_ast_node_block:
        list = isl_ast_node_block_get_children(node);
        isl_ast_node_list_foreach(list, put_child, s);
        isl_ast_node_list_free(list);
        break;
    default:
        break;
    }
}

/* ---- schedules ---- */

static isl_map *timed(isl_set *set, const char *name, const char *map)
{
    isl_map *m = isl_map_read_from_str(isl_set_get_ctx(set), map);
    m = isl_map_intersect_domain(m, set);
    return isl_map_set_tuple_name(m, isl_dim_in, name);
}

/* "{ [x0, x1, x2] -> [0, x0, x1, 1, x2] }": statement, then phase between the free and the reduced
 * dimensions. */
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

static const char *text_of_schedule(scan *s, __isl_take isl_union_map *schedule,
                                    __isl_take isl_set *context, int ntimes)
{
    sq_text t = {0};
    isl_ast_build *b = new_build(s, context, ntimes);
    isl_ast_node *node = sq_ast_loops(s->kernel, b, schedule);
    if (!node)
        return NULL;
    s->to = &t;
    put_node(s, node);
    isl_ast_node_free(node);
    const char *text = sq_arena_strdup(s->arena, sq_text_str(&t));
    sq_text_free(&t);
    return text;
}

/* Phases of the first statement, and the others after it where they cannot go point by point. */
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

/* The variables of one point: the sum, and temporaries that live only here. */
static void declare_here(const scan *s, sq_text *to)
{
    const sq_group *g = s->group;
    if (g->stmt[0]->updates)
        sq_text_line(to, "%s @sum;", sq_type_ctype(g->stmt[0]->body->type));
    for (int i = 0; i < g->nstmts; i++) {
        const sq_array *a = g->stmt[i]->write->array;
        bool seen = !sq_nest_contracted(s->nest, a);
        for (int j = 0; j < i; j++)
            seen |= g->stmt[j]->write->array == a;
        if (!seen)
            sq_text_line(to, "%s @%s_here;",
                         sq_type_stored(a->type) ? "float" : sq_type_ctype(a->type), a->name);
    }
}

const char *sq_scan_text(const sq_nest *n, isl_set *points, sq_arena *arena)
{
    scan s = {
        .kernel = n->kernel, .group = n->group, .nest = n, .arena = arena, .rounded = n->rounded};
    isl_set *all = isl_set_reset_tuple_id(isl_set_copy(points));
    isl_union_map *times = all_times(&s, all);
    const char *loops = text_of_schedule(&s, times, isl_set_params(all), n->group->ndim + 2);
    if (!loops)
        return NULL;
    sq_text t = {0};
    declare_here(&s, &t);
    sq_text_puts(&t, loops);
    const char *text = sq_arena_strdup(arena, sq_text_str(&t));
    sq_text_free(&t);
    return text;
}

/* { set -> its n dimensions from `first` on, then zeros up to `all` } */
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

/* How many dimensions there are at most of either kind. */
typedef struct most {
    int indices, reduced;
} most;

/* A phase of a statement of written loops: the statement's time, its indices, which transforms
 * leave out of that, the phase, the place in the sum. */
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

const char *sq_scan_written(const sq_kernel *k, const sq_group *g, const sq_target *t,
                            sq_arena *arena)
{
    scan s = {.kernel = k, .group = g, .arena = arena, .rounded = sq_strict_rounded(k, t)};
    most n = {0};
    sq_text text = {0};
    for (int i = 0; i < g->nstmts; i++) {
        const sq_stmt *st = g->stmt[i];
        n.reduced = st->ndim - st->nfree > n.reduced ? st->ndim - st->nfree : n.reduced;
        n.indices = st->nindex > n.indices ? st->nindex : n.indices;
    }
    const char *loops = text_of_schedule(&s, written_times(&s, n), isl_set_copy(k->context),
                                         k->textual_dims + n.indices + 1 + n.reduced);
    if (!loops)
        return NULL;
    for (int i = 0; i < g->nstmts; i++) {
        const sq_stmt *st = g->stmt[i];
        if (st->updates && sq_text_mentions(loops, sum_of(&s, st))) /* it may have no instance */
            sq_text_line(&text, "%s %s;", sq_type_ctype(st->body->type), sum_of(&s, st));
    }
    sq_text_puts(&text, loops);
    const char *made = sq_arena_strdup(arena, sq_text_str(&text));
    sq_text_free(&text);
    return made;
}
