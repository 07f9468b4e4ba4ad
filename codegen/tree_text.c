/* Tree text: the tree becomes isl's schedule, isl's loops become C. Marks in the schedule carry the
 * tree's members to the loops that they became. */
#include "codegen/tree_inside.h"
#include "codegen/ast_loops.h"
#include "codegen/scalar.h"
#include "codegen/strict.h"
#include "codegen/text_of.h"
#include "ir/quota.h"
#include "ir/touch.h"
#include "support/words.h"
#include <isl/id.h>
#include <isl/map.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITERATORS = 64, STRIP = 2048 };
/* Operations of isl, for one tree's loops. Forty statements take 0.7 million; the skewed tiles of
 * two statements 0.3, and several seconds where their sizes share no factor. */
enum { MOST_OPERATIONS = 500000, MORE_EACH = 20000 };

typedef sq_tree_printer printer;

/* ---- tree to isl's schedule ---- */

static isl_multi_union_pw_aff *rows(const printer *w, const sq_tree *t, int member)
{
    isl_union_pw_aff *u = NULL;
    for (int i = 0; i < t->nstmts; i++) {
        isl_union_pw_aff *one = isl_union_pw_aff_from_pw_aff(
            sq_tree_value(w->k, t, member, w->g->stmt[t->stmt[i]], t->stmt[i]));
        u = u ? isl_union_pw_aff_union_add(u, one) : one;
    }
    return isl_multi_union_pw_aff_from_union_pw_aff(u);
}

static isl_union_set_list *filters(const printer *w, const sq_tree *t)
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

static isl_schedule_node *insert(const printer *w, isl_schedule_node *node, const sq_tree *t);

static isl_schedule_node *insert_sequence(const printer *w, isl_schedule_node *node,
                                          const sq_tree *t)
{
    node = isl_schedule_node_insert_sequence(node, filters(w, t));
    for (int c = 0; c < t->nchildren; c++) {
        node = isl_schedule_node_child(isl_schedule_node_child(node, c), 0);
        node = insert(w, node, t->child[c]);
        node = isl_schedule_node_parent(isl_schedule_node_parent(node));
    }
    return node;
}

/* Several statements in one innermost loop: the loop is cut so that no condition is left in it. */
static bool wants_cuts(const sq_tree *t, int member)
{
    return t->kind == SQ_TREE_BAND && member == t->nmembers - 1 && t->nstmts > 1 &&
           t->child[0]->kind == SQ_TREE_SEQUENCE && t->child[0]->child[0]->kind == SQ_TREE_LEAF &&
           t->nstmts <= 4;
}

static isl_schedule_node *insert_loops(const printer *w, isl_schedule_node *node, const sq_tree *t)
{
    int deep = 0;
    for (int m = 0; m < t->nmembers; m++) {
        sq_member *x = &t->member[m];
        node = isl_schedule_node_insert_partial_schedule(node, rows(w, t, m));
        if (wants_cuts(t, m))
            node = isl_schedule_node_band_member_set_ast_loop_type(node, 0, isl_ast_loop_separate);
        if (x->parallel || x->vector) {
            node = isl_schedule_node_insert_mark(node, isl_id_alloc(w->k->ctx, "member", x));
            node = isl_schedule_node_child(node, 0);
            deep++;
        }
        node = isl_schedule_node_child(node, 0);
        deep++;
        if (x->parallel && !x->vector) {
            /* isl leaves out a loop of one step: then the next one is not the marked one */
            node = isl_schedule_node_insert_mark(node, isl_id_alloc(w->k->ctx, "inside", NULL));
            node = isl_schedule_node_child(node, 0);
            deep++;
        }
    }
    node = insert(w, node, t->child[0]);
    return isl_schedule_node_ancestor(node, deep);
}

static isl_schedule_node *insert(const printer *w, isl_schedule_node *node, const sq_tree *t)
{
    if (t->kind == SQ_TREE_LEAF)
        return node;
    return t->kind == SQ_TREE_SEQUENCE ? insert_sequence(w, node, t) : insert_loops(w, node, t);
}

static isl_ast_node *loops_of(const printer *w, const sq_tree *t)
{
    isl_union_set *domain = isl_union_set_empty(isl_set_get_space(w->k->context));
    isl_id_list *names = isl_id_list_alloc(w->k->ctx, MOST_ITERATORS);
    for (int i = 0; i < w->g->nstmts; i++)
        domain = isl_union_set_union(
            domain, isl_union_set_from_set(sq_stmt_instances(w->k, w->g->stmt[i], false)));
    for (int i = 0; i < MOST_ITERATORS; i++)
        names = isl_id_list_add(
            names, isl_id_alloc(w->k->ctx, sq_arena_printf(w->p->arena, "@p%d", i), NULL));
    isl_schedule *s = isl_schedule_from_domain(domain);
    isl_schedule_node *root = isl_schedule_get_root(s);
    isl_schedule_free(s);
    root = insert(w, isl_schedule_node_child(root, 0), t);
    s = isl_schedule_node_get_schedule(root);
    isl_schedule_node_free(root);
    isl_ast_build *b = isl_ast_build_from_context(isl_set_copy(w->k->context));
    b = isl_ast_build_set_iterators(b, names);
    isl_ast_node *tree = isl_ast_build_node_from_schedule(b, s);
    isl_ast_build_free(b);
    return tree;
}

/* ---- one instance ---- */

/* The set with the free coordinates of the statement as parameters, by name. */
static isl_set *at_free(const printer *w, const sq_stmt *s, isl_set *set)
{
    set = isl_set_intersect_params(isl_set_reset_tuple_id(set), isl_set_copy(w->k->context));
    int np = (int)isl_set_dim(set, isl_dim_param);
    set = isl_set_move_dims(set, isl_dim_param, (unsigned)np, isl_dim_set, 0, (unsigned)s->nfree);
    for (int d = 0; d < s->nfree; d++)
        set = isl_set_set_dim_name(set, isl_dim_param, (unsigned)(np + d),
                                   sq_arena_printf(w->p->arena, "@f%d", d));
    return set;
}

/* The reduction of an instance, whole: loops over its points, the free coordinates by name, of which
 * it is known that there is such an instance. */
static isl_ast_node *reduction_loops(const printer *w, const sq_stmt *s)
{
    isl_set *u = isl_set_set_tuple_name(at_free(w, s, isl_set_copy(s->updates)), "add");
    isl_set *known = isl_set_params(at_free(w, s, isl_set_copy(s->domain)));
    isl_id_list *names = isl_id_list_alloc(w->k->ctx, MOST_ITERATORS);
    for (int i = 0; i < SQ_MAX_DIMS; i++)
        names = isl_id_list_add(
            names, isl_id_alloc(w->k->ctx, sq_arena_printf(w->p->arena, "@r%d", i), NULL));
    isl_map *order = isl_set_identity(isl_set_copy(u));
    order = isl_map_reset_tuple_id(order, isl_dim_out);
    isl_set_free(u);
    isl_ast_build *b = isl_ast_build_from_context(known);
    b = isl_ast_build_set_iterators(b, names);
    return sq_ast_loops(w->k, b, isl_union_map_from_map(order));
}

static const char *coordinate(printer *w, isl_ast_expr *call, int d)
{
    isl_ast_expr *a = isl_ast_expr_op_get_arg(call, d + 1);
    const char *text = sq_ast_expr_text(a, w->p->arena);
    isl_ast_expr_free(a);
    return strpbrk(text, " ?-") ? sq_arena_printf(w->p->arena, "(%s)", text) : text;
}

static void put_reduction(printer *w, const sq_stmt *s)
{
    const char *sum = sq_arena_printf(w->p->arena, "@sum_%s", s->name);
    isl_ast_node *inner = reduction_loops(w, s);
    if (!inner) {
        w->refused = s;
        return;
    }
    sq_text_open(w->scan.to, "{");
    for (int d = 0; d < s->nfree; d++) {
        sq_text_line(w->scan.to, "const int64_t @f%d = %s;", d, w->scan.at[d]);
        sq_text_line(w->scan.to, "(void)@f%d;", d);
        w->scan.at[d] = sq_arena_printf(w->p->arena, "@f%d", d);
    }
    sq_text_line(w->scan.to, "%s %s = %s;", sq_type_ctype(s->body->type), sum,
                 sq_scalar_identity(s->body->type, s->reduce));
    const sq_stmt *outer = w->scan.reducing;
    w->scan.reducing = s;
    w->scan.sum = sum;
    sq_tree_put(w, inner);
    w->scan.reducing = outer;
    sq_text_line(w->scan.to, "%s = %s;", sq_scan_place(&w->scan, s->write),
                 sq_scan_stored(&w->scan, s->value));
    w->scan.sum = NULL;
    sq_text_close(w->scan.to, "}");
    isl_ast_node_free(inner);
}

static const sq_stmt *stmt_of(const printer *w, isl_ast_expr *call)
{
    isl_ast_expr *f = isl_ast_expr_op_get_arg(call, 0);
    isl_id *id = isl_ast_expr_id_get_id(f);
    const sq_stmt *s = sq_kernel_stmt(w->k, isl_id_get_name(id));
    isl_id_free(id);
    isl_ast_expr_free(f);
    return s;
}

static void put_user(printer *w, isl_ast_node *node)
{
    isl_ast_expr *call = isl_ast_node_user_get_expr(node);
    const sq_stmt *s = w->scan.reducing;
    if (s) { /* a point of the reduction: free coordinates stand */
        for (int d = s->nfree; d < s->ndim; d++)
            w->scan.at[d] = coordinate(w, call, d - s->nfree);
        sq_scan_combine(&w->scan, s, w->scan.sum, sq_scan_value(&w->scan, s->body));
        isl_ast_expr_free(call);
        return;
    }
    s = stmt_of(w, call);
    for (int d = 0; d < s->nfree; d++)
        w->scan.at[d] = coordinate(w, call, d);
    if (s->updates)
        put_reduction(w, s);
    else
        sq_text_line(w->scan.to, "%s = %s;", sq_scan_place(&w->scan, s->write),
                     sq_scan_stored(&w->scan, s->value));
    isl_ast_expr_free(call);
}

/* ---- loops in lanes ---- */

static isl_ast_expr *arg(isl_ast_expr *e, int i)
{
    return isl_ast_expr_op_get_arg(e, i);
}

static bool mentions(isl_ast_expr *e, isl_id *id)
{
    bool found = false;
    if (isl_ast_expr_get_type(e) == isl_ast_expr_id) {
        isl_id *own = isl_ast_expr_id_get_id(e);
        found = own == id;
        isl_id_free(own);
    } else if (isl_ast_expr_get_type(e) == isl_ast_expr_op) {
        for (int i = 0; i < (int)isl_ast_expr_op_get_n_arg(e) && !found; i++) {
            isl_ast_expr *a = arg(e, i);
            found = mentions(a, id);
            isl_ast_expr_free(a);
        }
    }
    return found;
}

static bool int_of(isl_ast_expr *e, int64_t *x)
{
    if (isl_ast_expr_get_type(e) != isl_ast_expr_int)
        return false;
    isl_val *v = isl_ast_expr_int_get_val(e);
    *x = isl_val_get_num_si(v);
    isl_val_free(v);
    return true;
}

/* The coefficient of the iterator in an expression; false if it is not linear in it. */
static bool slope(isl_ast_expr *e, isl_id *id, int64_t *c)
{
    *c = 0;
    if (!mentions(e, id))
        return true;
    if (isl_ast_expr_get_type(e) == isl_ast_expr_id) {
        *c = 1;
        return true;
    }
    enum isl_ast_expr_op_type op = isl_ast_expr_op_get_type(e);
    isl_ast_expr *a = arg(e, 0), *b = isl_ast_expr_op_get_n_arg(e) > 1 ? arg(e, 1) : NULL;
    int64_t x = 0, y = 0, n = 0;
    bool ok = slope(a, id, &x) && (!b || slope(b, id, &y));
    if (op == isl_ast_expr_op_minus)
        *c = -x;
    else if (op == isl_ast_expr_op_add)
        *c = x + y;
    else if (op == isl_ast_expr_op_sub)
        *c = x - y;
    else if (op == isl_ast_expr_op_mul && int_of(a, &n))
        *c = n * y;
    else if (op == isl_ast_expr_op_mul && b && int_of(b, &n))
        *c = n * x;
    else
        ok = false;
    isl_ast_expr_free(a);
    isl_ast_expr_free(b);
    return ok;
}

static const char *take_text(printer *w, isl_ast_expr *e)
{
    const char *t = sq_ast_expr_text(e, w->p->arena);
    isl_ast_expr_free(e);
    return t;
}

/* Of `i <= x` or `i < x`. */
const char *sq_tree_end(printer *w, isl_ast_node *node)
{
    isl_ast_expr *cond = isl_ast_node_for_get_cond(node);
    enum isl_ast_expr_op_type op = isl_ast_expr_op_get_type(cond);
    const char *end = NULL;
    if (op == isl_ast_expr_op_le || op == isl_ast_expr_op_lt) {
        isl_ast_expr *bound = arg(cond, 1);
        end = take_text(w, bound);
        if (op == isl_ast_expr_op_le)
            end = sq_arena_printf(w->p->arena, "(%s) + 1", end);
    }
    isl_ast_expr_free(cond);
    return end;
}

static bool by_one(isl_ast_node *node)
{
    isl_ast_expr *inc = isl_ast_node_for_get_inc(node);
    int64_t n = 0;
    bool one = int_of(inc, &n) && n == 1;
    isl_ast_expr_free(inc);
    return one;
}

/* Strips for threads: so long that a thread has work, and a multiple of any vector's lanes, so that
 * what stands in one does not depend on how many threads there are. */
static void open_strips(printer *w, sq_lane_loop *l)
{
    sq_text *to = w->scan.to;
    sq_text_open(to, "{");
    sq_text_line(to, "const int64_t @stop = %s;", l->end);
    sq_text_printf(
        to,
        "#ifdef _OPENMP\n#pragma omp parallel for schedule(static) if (@stop - (%s) > %d)\n"
        "#endif\n",
        l->first, STRIP);
    sq_text_open(to, "for (int64_t @strip = %s; @strip < @stop; @strip += %d) {", l->first, STRIP);
    l->first = "@strip";
    l->end = sq_arena_printf(w->p->arena, "sq_min(@strip + %d, @stop)", STRIP);
}

/* The loop around one instance in lanes; false if it is not of that kind. */
static bool put_lanes(printer *w, isl_ast_node *node, const sq_member *m)
{
    isl_ast_node *body = isl_ast_node_for_get_body(node);
    bool ok = isl_ast_node_get_type(body) == isl_ast_node_user && by_one(node) && !w->scan.reducing;
    if (!ok) {
        isl_ast_node_free(body);
        return false;
    }
    isl_ast_expr *call = isl_ast_node_user_get_expr(body),
                 *it = isl_ast_node_for_get_iterator(node);
    isl_id *id = isl_ast_expr_id_get_id(it);
    sq_lane_loop l = {.stmt = stmt_of(w, call), .sums = m->lanes_sum};
    for (int d = 0; d < l.stmt->nfree; d++) {
        isl_ast_expr *a = arg(call, d + 1);
        ok = ok && slope(a, id, &l.step[d]);
        isl_ast_expr_free(a);
        w->scan.at[d] = coordinate(w, call, d);
    }
    l.iterator = take_text(w, it);
    l.first = take_text(w, isl_ast_node_for_get_init(node));
    l.end = sq_tree_end(w, node);
    ok = ok && l.end && sq_lanes_fit(w->p, &l);
    bool strips = ok && m->parallel && !m->nprivate && w->p->options->openmp && !w->threads;
    if (strips)
        open_strips(w, &l);
    if (ok)
        sq_lanes_print(w->p, &w->scan, &l, w->scan.to);
    for (int i = 0; strips && i < 2; i++)
        sq_text_close(w->scan.to, "}");
    isl_id_free(id);
    isl_ast_expr_free(call);
    isl_ast_node_free(body);
    return ok;
}

/* ---- loops ---- */

/* Of one loop several may come, and not all of them use every temporary. */
static void put_private(printer *w, const sq_member *m, const char *body)
{
    for (int i = 0; i < m->nprivate; i++) {
        const sq_array *a = m->private[i];
        const char *c = sq_type_ctype(a->type);
        int64_t n = 1;
        if (!sq_text_mentions(body, a->name))
            continue;
        for (int d = 0; d < a->ndim; d++)
            n *= sq_array_extent(a, d);
        sq_text_line(w->scan.to, "%s @%s_own[%lld] = {0}, *const %s = @%s_own;", c, a->name,
                     (long long)(n > 0 ? n : 1), a->name, a->name);
    }
}

void sq_tree_body(printer *w, const sq_member *m, isl_ast_node *node)
{
    sq_text *to = w->scan.to, body = {.indent = to->indent};
    w->scan.to = &body;
    sq_tree_put(w, node);
    w->scan.to = to;
    put_private(w, m, sq_text_str(&body));
    sq_text_puts(to, sq_text_str(&body));
    sq_text_free(&body);
}

void sq_tree_header(printer *w, isl_ast_node *node, const sq_member *m)
{
    const char *i = take_text(w, isl_ast_node_for_get_iterator(node));
    const char *init = take_text(w, isl_ast_node_for_get_init(node));
    if (isl_ast_node_for_is_degenerate(node) == isl_bool_true) {
        sq_text_open(w->scan.to, "{");
        sq_text_line(w->scan.to, "const int64_t %s = %s;", i, init);
        sq_text_line(w->scan.to, "(void)%s;", i);
        return;
    }
    const char *cond = take_text(w, isl_ast_node_for_get_cond(node));
    const char *inc = take_text(w, isl_ast_node_for_get_inc(node));
    for (int x = 0; m && x < m->nprivate; x++)
        sq_text_line(w->scan.to, "(void)%s;", m->private[x] -> name);
    if (m && w->p->options->openmp && !w->threads) /* tiles in turn: of a triangle all get alike */
        sq_text_printf(w->scan.to,
                       "#ifdef _OPENMP\n#pragma omp parallel for schedule(static%s)\n#endif\n",
                       m->size > 1 ? ", 1" : "");
    sq_text_open(w->scan.to, "for (int64_t %s = %s; %s; %s += %s) {", i, init, cond, i, inc);
}

static void put_for(printer *w, isl_ast_node *node)
{
    const sq_member *m = w->next;
    w->next = NULL;
    bool degenerate = isl_ast_node_for_is_degenerate(node) == isl_bool_true, was = w->threads;
    if (m && m->vector && !degenerate && put_lanes(w, node, m))
        return;
    const sq_member *shared = m && m->parallel ? m : NULL;
    isl_ast_node *body = isl_ast_node_for_get_body(node);
    sq_tree_header(w, node, shared);
    w->threads |= shared != NULL;
    if (shared)
        sq_tree_body(w, shared, body);
    else
        sq_tree_put(w, body);
    w->threads = was;
    sq_text_close(w->scan.to, "}");
    isl_ast_node_free(body);
}

static void put_if(printer *w, isl_ast_node *node)
{
    const sq_member *m = w->next;
    isl_ast_node *then = isl_ast_node_if_get_then_node(node);
    sq_text_open(w->scan.to, "if (%s) {", take_text(w, isl_ast_node_if_get_cond(node)));
    sq_tree_put(w, then);
    isl_ast_node_free(then);
    if (isl_ast_node_if_has_else_node(node) == isl_bool_true) {
        isl_ast_node *other = isl_ast_node_if_get_else_node(node);
        sq_text_close(w->scan.to, "} else {");
        w->scan.to->indent++;
        w->next = m;
        sq_tree_put(w, other);
        isl_ast_node_free(other);
    }
    sq_text_close(w->scan.to, "}");
}

static void put_block(printer *w, isl_ast_node *node)
{
    const sq_member *m = w->next;
    isl_ast_node_list *list = isl_ast_node_block_get_children(node);
    for (int i = 0; i < (int)isl_ast_node_list_n_ast_node(list); i++) {
        isl_ast_node *child = isl_ast_node_list_get_ast_node(list, i);
        w->next = m;
        sq_tree_put(w, child);
        isl_ast_node_free(child);
    }
    w->next = NULL;
    isl_ast_node_list_free(list);
}

static void put_mark(printer *w, isl_ast_node *node)
{
    isl_id *id = isl_ast_node_mark_get_id(node);
    isl_ast_node *inner = isl_ast_node_mark_get_node(node);
    w->next = isl_id_get_user(id);
    sq_tree_put(w, inner);
    w->next = NULL;
    isl_ast_node_free(inner);
    isl_id_free(id);
}

void sq_tree_put(printer *w, isl_ast_node *node)
{
    switch (isl_ast_node_get_type(node)) {
    case isl_ast_node_for:
        put_for(w, node);
        break;
    case isl_ast_node_if:
        put_if(w, node);
        break;
    case isl_ast_node_user:
        put_user(w, node);
        break;
    case isl_ast_node_block:
        put_block(w, node);
        break;
    case isl_ast_node_mark:
        put_mark(w, node);
        break;
    default:
        break;
    }
}

isl_ast_node *sq_tree_loops(sq_tree_printer *w, sq_diags *d)
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

int sq_tree_emit(sq_printer *p, const sq_group *g, sq_diags *d)
{
    printer w = {.p = p,
                 .k = p->kernel,
                 .g = g,
                 .scan = {.kernel = p->kernel,
                          .group = g,
                          .arena = p->arena,
                          .to = &p->body,
                          .rounded = sq_strict_rounded(p->kernel, p->options->target)}};
    isl_ast_node *loops = sq_tree_loops(&w, d);
    if (!loops)
        return -1;
    sq_tree_put(&w, loops);
    isl_ast_node_free(loops);
    return w.refused ? sq_ast_loops_refused(w.refused, d) : 0;
}
