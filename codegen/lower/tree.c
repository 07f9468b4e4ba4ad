/* Tree: converts the tree to isl's schedule, and isl's loops to code. Marks in the schedule map the
 * loops to the tree's members. */
#include "codegen/lower/tree.h"
#include "codegen/nest/ast_loops.h"
#include "codegen/lower/leaf.h"
#include "codegen/lower/loop_names.h"
#include "codegen/lower/point.h"
#include "ir/kernel/quota.h"
#include "ir/kernel/touch.h"
#include "ir/schedule/tree.h"
#include <isl/id.h>
#include <isl/map.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <string.h>

enum { MOST_ITERATORS = 64, STRIP = 2048 };
/* Limit on isl's operations for the loops of a tree. Forty statements take 0.7 million; the skewed
 * tiles of two statements 0.3, and several seconds if their sizes share no factor. */
enum { MOST_OPERATIONS = 500000, MORE_EACH = 20000 };

/* The nest of a statement inside of the tree's loops. */
typedef struct sq_tree_part {
    const sq_fusion *fusion; /* NULL: not lowered yet */
    sq_parts parts;
} sq_tree_part;

/* The context of a marked loop. */
typedef struct around {
    sq_bound_array *bound;
    bool in_threads;
    struct around *before;
} around;

typedef struct tree {
    const sq_kernel *k;
    const sq_group *g;
    const sq_target *target;
    sq_point_values v;
    bool threads;           /* parallel loops use threads */
    bool in_threads;        /* inside of a parallel loop */
    around *around;         /* of the current marked loops */
    const sq_stmt *stmt;    /* of the last call */
    const sq_stmt *refused; /* a reduction whose loops cannot be expressed */
    sq_tree_part *part;     /* per statement of the group: its nest, once it is lowered */
    const sq_nest_options *options;
    const sq_ast_lowering *loops; /* of the tree */
    sq_diags *d;
    bool failed; /* an error was added */
} tree;

/* ---- tree to isl's schedule ---- */

static isl_multi_union_pw_aff *rows(const tree *w, const sq_tree *t, int member)
{
    isl_union_pw_aff *u = NULL;
    for (int i = 0; i < t->nstmts; i++) {
        isl_union_pw_aff *one = isl_union_pw_aff_from_pw_aff(
            sq_tree_value(w->k, t, member, w->g->stmt[t->stmt[i]], t->stmt[i]));
        u = u ? isl_union_pw_aff_union_add(u, one) : one;
    }
    return isl_multi_union_pw_aff_from_union_pw_aff(u);
}

static isl_union_set_list *filters(const tree *w, const sq_tree *t)
{
    isl_union_set_list *list = isl_union_set_list_alloc(w->k->ctx, t->nchildren);
    for (int c = 0; c < t->nchildren; c++) {
        isl_union_set *u = NULL;
        for (int i = 0; i < t->child[c]->nstmts; i++) {
            isl_set *s =
                isl_set_universe(isl_set_get_space(w->g->stmt[t->child[c]->stmt[i]]->domain));
            isl_union_set *one = isl_union_set_from_set(s);
            u = u ? isl_union_set_union(u, one) : one;
        }
        list = isl_union_set_list_add(list, u);
    }
    return list;
}

static isl_schedule_node *insert(const tree *w, isl_schedule_node *node, const sq_tree *t);

static isl_schedule_node *insert_sequence(const tree *w, isl_schedule_node *node, const sq_tree *t)
{
    node = isl_schedule_node_insert_sequence(node, filters(w, t));
    for (int c = 0; c < t->nchildren; c++) {
        node = isl_schedule_node_child(isl_schedule_node_child(node, c), 0);
        node = insert(w, node, t->child[c]);
        node = isl_schedule_node_parent(isl_schedule_node_parent(node));
    }
    return node;
}

/* True for several statements in one innermost loop: the loop is split so that it contains no
 * condition. */
static bool wants_cuts(const sq_tree *t, int member)
{
    return t->kind == SQ_TREE_BAND && member == t->nmembers - 1 && t->nstmts > 1 &&
           t->child[0]->kind == SQ_TREE_SEQUENCE && t->child[0]->child[0]->kind == SQ_TREE_LEAF &&
           t->nstmts <= 4;
}

static isl_schedule_node *insert_loops(const tree *w, isl_schedule_node *node, const sq_tree *t)
{
    int deep = 0;
    for (int m = 0; m < t->nmembers; m++) {
        sq_member *x = &t->member[m];
        node = isl_schedule_node_insert_partial_schedule(node, rows(w, t, m));
        if (wants_cuts(t, m))
            node = isl_schedule_node_band_member_set_ast_loop_type(node, 0, isl_ast_loop_separate);
        if (x->parallel || x->vector || x->jam) {
            node = isl_schedule_node_insert_mark(node, isl_id_alloc(w->k->ctx, "member", x));
            node = isl_schedule_node_child(node, 0);
            deep++;
        }
        node = isl_schedule_node_child(node, 0);
        deep++;
        if ((x->parallel || x->jam) && !x->vector) {
            /* isl drops a loop of one step: then the next one is not the marked one */
            node = isl_schedule_node_insert_mark(node, isl_id_alloc(w->k->ctx, "inside", NULL));
            node = isl_schedule_node_child(node, 0);
            deep++;
        }
    }
    node = insert(w, node, t->child[0]);
    return isl_schedule_node_ancestor(node, deep);
}

static isl_schedule_node *insert(const tree *w, isl_schedule_node *node, const sq_tree *t)
{
    if (t->kind == SQ_TREE_LEAF)
        return node;
    return t->kind == SQ_TREE_SEQUENCE ? insert_sequence(w, node, t) : insert_loops(w, node, t);
}

/* Returns the instances that the tree's loops run over: of a statement with a nest one in the place of all that the
 * nest has, at 0 in its dimensions. */
static isl_set *instances(const tree *w, const sq_tree *t, int stmt)
{
    const sq_tree_nest *n = sq_tree_nest_of(t, stmt);
    isl_set *s = sq_stmt_instances(w->k, w->g->stmt[stmt], false);
    isl_id *name = isl_set_get_tuple_id(s);
    for (int i = 0; n && i < n->nown; i++) {
        s = isl_set_project_out(s, isl_dim_set, (unsigned)n->own[i], 1);
        s = isl_set_insert_dims(s, isl_dim_set, (unsigned)n->own[i], 1);
        s = isl_set_fix_si(s, isl_dim_set, (unsigned)n->own[i], 0);
    }
    return isl_set_set_tuple_id(s, name);
}

static isl_ast_node *loops_of(const tree *w, const sq_tree *t)
{
    isl_union_set *domain = isl_union_set_empty(isl_set_get_space(w->k->context));
    isl_id_list *names = isl_id_list_alloc(w->k->ctx, MOST_ITERATORS);
    for (int i = 0; i < w->g->nstmts; i++)
        domain = isl_union_set_union(domain, isl_union_set_from_set(instances(w, t, i)));
    for (int i = 0; i < MOST_ITERATORS; i++)
        names = isl_id_list_add(
            names, isl_id_alloc(w->k->ctx, sq_arena_printf(w->v.pool->arena, "@p%d", i), NULL));
    isl_schedule *s = isl_schedule_from_domain(domain);
    isl_schedule_node *root = isl_schedule_get_root(s);
    isl_schedule_free(s);
    root = insert(w, isl_schedule_node_child(root, 0), t);
    s = isl_schedule_node_get_schedule(root);
    isl_schedule_node_free(root);
    isl_ast_build *b = isl_ast_build_from_context(isl_set_copy(w->k->context));
    b = isl_ast_build_set_iterators(b, names);
    isl_ast_node *loops = isl_ast_build_node_from_schedule(b, s);
    isl_ast_build_free(b);
    return loops;
}

/* ---- one instance ---- */

/* Returns the set with the free coordinates of the statement as parameters, by name. */
static isl_set *at_free(const tree *w, const sq_stmt *s, isl_set *set)
{
    set = isl_set_intersect_params(isl_set_reset_tuple_id(set), isl_set_copy(w->k->context));
    int np = (int)isl_set_dim(set, isl_dim_param);
    set = isl_set_move_dims(set, isl_dim_param, (unsigned)np, isl_dim_set, 0, (unsigned)s->nfree);
    for (int d = 0; d < s->nfree; d++)
        set = isl_set_set_dim_name(set, isl_dim_param, (unsigned)(np + d),
                                   sq_arena_printf(w->v.pool->arena, "@f%d", d));
    return set;
}

/* Returns the complete reduction of an instance: loops over its points, with free coordinates as
 * named parameters, under the context that the instance exists. */
static isl_ast_node *reduction_loops(const tree *w, const sq_stmt *s)
{
    isl_set *u = isl_set_set_tuple_name(at_free(w, s, isl_set_copy(s->updates)), "add");
    isl_set *known = isl_set_params(at_free(w, s, isl_set_copy(s->domain)));
    isl_id_list *names = isl_id_list_alloc(w->k->ctx, MOST_ITERATORS);
    for (int i = 0; i < SQ_MAX_DIMS; i++)
        names = isl_id_list_add(
            names, isl_id_alloc(w->k->ctx, sq_arena_printf(w->v.pool->arena, "@r%d", i), NULL));
    isl_map *order = isl_set_identity(isl_set_copy(u));
    order = isl_map_reset_tuple_id(order, isl_dim_out);
    isl_set_free(u);
    isl_ast_build *b = isl_ast_build_from_context(known);
    b = isl_ast_build_set_iterators(b, names);
    return sq_ast_loops(w->k, b, isl_union_map_from_map(order));
}

static sq_code *finished(tree *w, const sq_stmt *s)
{
    return sq_point_finish(&w->v, s);
}

/* Returns a point of a statement's reduction, whose free coordinates are fixed. */
static sq_code *of_update(const char *tuple, const sq_code_expr *const *at, int n, void *user)
{
    (void)tuple;
    tree *w = user;
    memcpy(w->v.at + w->stmt->nfree, at, (size_t)n * sizeof(*at));
    return sq_point_combine(&w->v, w->stmt, sq_point_register(&w->v, w->v.sum),
                            sq_point_value(&w->v, w->stmt->body));
}

static const char *dim_of_update(const char *tuple, int d, void *user)
{
    (void)tuple;
    const tree *w = user;
    return sq_loop_dim(w->k, w->stmt, w->stmt->nfree + d);
}

/* Names the free coordinates for the loops of the reduction: long expressions get a variable. let:
 * those variables. */
static void name_free(tree *w, const sq_stmt *s, const char **name, sq_code **let)
{
    for (int d = 0; d < s->nfree; d++) {
        name[d] = sq_arena_printf(w->v.pool->arena, "@f%d", d);
        let[d] = NULL;
        if (sq_code_is_short(w->v.at[d]))
            continue;
        let[d] = sq_code_let(w->v.pool, name[d], w->v.at[d]);
        w->v.at[d] = sq_code_name(w->v.pool, name[d]);
    }
}

/* Returns the complete reduction of an instance. */
static sq_code *reduction(tree *w, const sq_stmt *s)
{
    const char *name[SQ_MAX_DIMS];
    sq_code_pool *p = w->v.pool;
    sq_code *let[SQ_MAX_DIMS];
    sq_code_list all = {0};
    isl_ast_node *inner = reduction_loops(w, s);
    if (!inner) {
        w->refused = s;
        return NULL;
    }
    name_free(w, s, name, let);
    for (int d = 0; d < s->nfree; d++)
        sq_code_append(&all, let[d]);
    w->v.sum = sq_code_register(p, sq_arena_printf(p->arena, "@sum_%s", s->name), s->body->type);
    sq_code_append(&all, sq_code_declare(p, w->v.sum, false));
    sq_code_append(&all, sq_point_assign(&w->v, sq_point_register(&w->v, w->v.sum),
                                         sq_point_identity(&w->v, s)));
    sq_ast_lowering l = {.pool = p,
                         .call = of_update,
                         .dim = dim_of_update,
                         .kernel = w->k,
                         .user = w,
                         .scope = w->loops->scope,
                         .nbound = s->nfree,
                         .name = name,
                         .value = w->v.at};
    sq_code_append(&all, sq_lower_ast(&l, inner));
    isl_ast_node_free(inner);
    sq_code_append(&all, finished(w, s));
    sq_code *block = sq_code_new(p, SQ_CODE_BLOCK);
    block->body = all.first;
    return block;
}

/* ---- nests ---- */

static sq_code *unused(tree *w, const char *name)
{
    sq_code *x = sq_code_new(w->v.pool, SQ_CODE_UNUSED);
    x->name = name;
    return x;
}

static int index_of(const tree *w, const sq_stmt *s)
{
    int i = 0;
    while (w->g->stmt[i] != s)
        i++;
    return i;
}

/* Lowers the nest of a statement, unless it is; isl may split the loops around into several. */
static sq_tree_part *part_of(tree *w, const sq_stmt *s, const sq_tree_nest *n)
{
    sq_tree_part *x = &w->part[index_of(w, s)];
    if (x->fusion)
        return x;
    sq_fusion *f = sq_lower_fusion(n->schedule, 0, w->target, w->v.pool, w->d);
    w->failed |= !f;
    x->fusion = f;
    return f ? x : NULL;
}

/* Returns the nest of a statement at the values of the loops around. */
static sq_code *of_nest(tree *w, const sq_stmt *s, const sq_tree_nest *n)
{
    sq_code_list all = {0};
    sq_tree_part *x = w->failed ? NULL : part_of(w, s, n);
    sq_nest_options o = *w->options;
    o.threads &= !w->in_threads;
    for (int i = 0; i < n->nouter; i++) {
        const char *name = n->schedule->kernel->outer[i];
        sq_code_append(&all, sq_code_let(w->v.pool, name, w->v.at[n->outer[i]]));
        sq_code_append(&all, unused(w, name));
    }
    if (x)
        sq_code_append(&all, sq_lower_nests_again(x->fusion, &o, &x->parts));
    sq_code *block = sq_code_new(w->v.pool, SQ_CODE_BLOCK);
    block->body = all.first;
    return block;
}

static sq_code *of_instance(const char *tuple, const sq_code_expr *const *at, int n, void *user)
{
    tree *w = user;
    w->stmt = sq_kernel_stmt(w->k, tuple);
    memcpy(w->v.at, at, (size_t)n * sizeof(*at));
    const sq_tree_nest *nest = sq_tree_nest_of(w->g->plan->tree, index_of(w, w->stmt));
    if (nest)
        return of_nest(w, w->stmt, nest);
    return w->stmt->updates ? reduction(w, w->stmt) : finished(w, w->stmt);
}

/* The loops of a statement's nest have the dimensions' names already. */
static const char *dim_of_instance(const char *tuple, int d, void *user)
{
    const tree *w = user;
    const sq_stmt *s = sq_kernel_stmt(w->k, tuple);
    return sq_tree_nest_of(w->g->plan->tree, index_of(w, s)) ? NULL : sq_loop_dim(w->k, s, d);
}

/* ---- marked loops ---- */

static bool has_own(const sq_member *m)
{
    return m->parallel || m->jam != SQ_JAM_NONE;
}

/* Binds private temporaries of each iteration, if there are several iterations. */
static void enter(const void *mark, bool once, void *user)
{
    tree *w = user;
    const sq_member *m = mark;
    around *x = SQ_NEW(w->v.pool->arena, around);
    *x = (around){w->v.bound, w->in_threads, w->around};
    w->around = x;
    w->in_threads |= m->parallel;
    for (int i = 0; has_own(m) && !once && i < m->nprivate; i++) {
        const char *name = sq_arena_printf(w->v.pool->arena, "@%s_own", m->private[i] -> name);
        sq_point_bind(&w->v, m->private[i], sq_point_stack(&w->v, m->private[i], name));
    }
}

/* Returns the body after the declarations of what it uses: isl may split one loop into several, not
 * all of which use all temporaries. */
static sq_code *with_own(tree *w, const sq_bound_array *outer, const sq_member *m, sq_code *body)
{
    sq_code_list all = {0};
    for (int i = 0; has_own(m) && i < m->nprivate; i++) {
        const sq_bound_array *x = w->v.bound;
        while (x != outer && x->array != m->private[i])
            x = x->before;
        if (x == outer || !sq_code_uses(body, x->buffer))
            continue;
        sq_code_append(&all, sq_code_declare(w->v.pool, x->buffer, true));
        if (!sq_code_reads(body, x->buffer)) /* the last value of several, which is never read */
            sq_code_append(&all, unused(w, x->buffer->name));
    }
    sq_code_append(&all, body);
    return all.first;
}

/* What private copies shadow around a loop may be unused. */
static sq_code *with_unused(tree *w, const sq_member *m, sq_code *loop)
{
    sq_code_list all = {0};
    for (int i = 0; i < m->nprivate; i++) {
        sq_code_append(&all, unused(w, m->private[i] -> name));
    }
    sq_code_append(&all, loop);
    return all.first;
}

/* Strip-mines a loop for threads: strips are so long that a thread has enough work, and a multiple
 * of any vector's lanes, so that the contents of a strip do not depend on the number of threads. */
static sq_code *strips(tree *w, sq_code *lanes)
{
    sq_code_pool *p = w->v.pool;
    sq_code *block = sq_code_new(p, SQ_CODE_BLOCK), *x = sq_code_new(p, SQ_CODE_LOOP);
    block->body = sq_code_let(p, "@stop", lanes->hi);
    block->body->next = x;
    x->name = "@strip";
    x->lo = lanes->lo;
    x->hi = sq_code_name(p, "@stop");
    x->step = STRIP;
    x->runs = SQ_CODE_THREADS;
    x->least = STRIP;
    x->body = lanes;
    lanes->lo = sq_code_name(p, x->name);
    lanes->hi = sq_code_min(p, sq_code_plus(p, lanes->lo, STRIP), x->hi);
    return block;
}

static sq_code *leave(const void *mark, sq_code *x, void *user)
{
    tree *w = user;
    const sq_member *m = mark;
    const around a = *w->around;
    bool loop = x && x->kind == SQ_CODE_LOOP && !x->next, grid = w->target->grid != NULL;
    w->around = a.before;
    w->in_threads = a.in_threads;
    if (loop && m->vector && !grid)
        x->runs = sq_lanes_of(x, m->lanes_sum, w->target);
    if (loop && x->runs != SQ_CODE_SERIAL) {
        w->v.bound = a.bound;
        bool shared = m->parallel && !m->nprivate && w->threads && !a.in_threads;
        return shared ? strips(w, x) : x;
    }
    if (loop && m->vector)
        x->any_order = !m->nprivate && !m->lanes_sum;
    if (loop)
        x->body = with_own(w, a.bound, m, x->body);
    w->v.bound = a.bound;
    if (loop)
        x->jam = m->jam;
    if (loop && m->jam && m->nprivate)
        return with_unused(w, m, x);
    if (!loop || !m->parallel)
        return x;
    x->any_order = !m->nprivate && !m->lanes_sum;
    x->member = grid ? m : NULL;
    x->runs = grid && x->hi                 ? SQ_CODE_GRID
              : w->threads && !a.in_threads ? SQ_CODE_THREADS
                                            : SQ_CODE_SERIAL;
    x->is_cyclic = m->size > 1; /* tiles are assigned cyclically, which balances triangles */
    return grid ? x : with_unused(w, m, x);
}

static isl_ast_node *bounded_loops(tree *w, sq_diags *d)
{
    const char *why = NULL;
    sq_quota q = sq_quota_begin(
        w->k->ctx, sq_quota_share(w->k, MOST_OPERATIONS + MORE_EACH * (unsigned long)w->g->nstmts));
    isl_ast_node *loops = loops_of(w, w->g->plan->tree);
    if (!sq_quota_end(q, &why) && loops)
        return loops;
    isl_ast_node_free(loops);
    sq_error(d, SQ_FAULT_REFUSED, w->g->stmt[0]->loc,
             "the loops of auto() around '%s' cannot be written down: %s; fewer tile "
             "sizes, or ones that divide each other, take less",
             w->g->stmt[0]->name, why);
    return NULL;
}

int sq_lower_tree(const sq_kernel *k, const sq_group *g, const sq_nest_options *o, sq_code_pool *code, sq_code **to,
                  sq_diags *d)
{
    tree w = {.k = k,
              .g = g,
              .target = o->target,
              .threads = o->threads,
              .v = {.kernel = k, .pool = code},
              .part = SQ_NEW_ARRAY(code->arena, sq_tree_part, g->nstmts + 1),
              .options = o,
              .d = d};
    isl_ast_node *loops = bounded_loops(&w, d);
    if (!loops)
        return -1;
    sq_ast_lowering l = {.pool = w.v.pool,
                         .call = of_instance,
                         .enter = enter,
                         .leave = leave,
                         .dim = dim_of_instance,
                         .kernel = k,
                         .user = &w};
    w.loops = &l;
    *to = sq_lower_ast(&l, loops);
    isl_ast_node_free(loops);
    if (w.refused)
        return sq_ast_loops_refused(w.refused, d);
    return w.failed ? -1 : 0;
}
