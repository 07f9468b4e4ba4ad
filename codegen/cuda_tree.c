/* CUDA tree: loops that auto() found, as launches. Loops around those that the grid shares run on
 * the host, one step after the other: a stream's kernels do not overlap, so each step has all that
 * the one before wrote. What no loop of the grid is around is a kernel of one thread, as much of it
 * together as there is.
 *
 * A kernel's loops are dealt so: threads of a block have neighbouring iterations of the innermost
 * one, blocks the rest. The host counts iterations of each, with the ends that loops inside have at
 * the first and last of those around; whatever the counts, every loop goes on in strides. */
#include "codegen/ast_loops.h"
#include "codegen/base.h"
#include "codegen/cuda.h"
#include "codegen/strict.h"
#include "codegen/text_of.h"
#include "codegen/tree_inside.h"
#include "support/words.h"
#include <isl/id.h>
#include <isl/set.h>
#include <isl/val.h>
#include <string.h>

enum { MOST_DEALT = 8 };

/* Loops that the grid shares, outermost first. */
typedef struct dealt {
    const char *name, *first, *end, *step;
    const char *many; /* variable: its iterations, by threads where they share it */
    bool exact;       /* the same for all iterations around: one stride is all */
    bool once;        /* it has one iteration, and no variable for that */
    const sq_member *member;
} dealt;

typedef struct walk {
    sq_cuda *c;
    sq_tree_printer w;
    dealt loop[MOST_DEALT];
    int n;
    int along; /* the one that threads of a block share: the innermost with more iterations; -1 */
} walk;

static const sq_member *marked(isl_ast_node *mark)
{
    isl_id *id = isl_ast_node_mark_get_id(mark);
    const sq_member *m = isl_id_get_user(id);
    isl_id_free(id);
    return m;
}

/* The only node below; NULL where there are none or several. __isl_give */
static isl_ast_node *inner(isl_ast_node *x)
{
    switch (isl_ast_node_get_type(x)) {
    case isl_ast_node_for:
        return isl_ast_node_for_get_body(x);
    case isl_ast_node_mark:
        return isl_ast_node_mark_get_node(x);
    case isl_ast_node_if:
        return isl_ast_node_if_has_else_node(x) == isl_bool_true ? NULL
                                                                 : isl_ast_node_if_get_then_node(x);
    default:
        return NULL;
    }
}

static bool is_shared(const sq_member *m)
{
    return m && m->parallel;
}

static isl_bool look(isl_ast_node *x, void *user)
{
    const sq_member *m = isl_ast_node_get_type(x) == isl_ast_node_mark ? marked(x) : NULL;
    *(bool *)user |= is_shared(m);
    return isl_bool_true;
}

/* Is there a loop that the grid shares. */
static bool shares(isl_ast_node *x)
{
    bool any = false;
    isl_ast_node_foreach_descendant_top_down(x, look, &any);
    return any;
}

static const char *text(walk *d, isl_ast_expr *e)
{
    const char *t = sq_ast_expr_text(e, d->c->p->arena);
    isl_ast_expr_free(e);
    return t;
}

/* ---- the largest grid, of the sizes alone ---- */

static bool is_below(const sq_tree *t, const sq_tree *node)
{
    bool found = t == node;
    for (int i = 0; i < t->nchildren && !found; i++)
        found = is_below(t->child[i], node);
    return found;
}

/* The node of a member. */
static const sq_tree *node_of(const sq_tree *t, const sq_member *m, int *at)
{
    for (int i = 0; i < t->nmembers; i++)
        if (&t->member[i] == m) {
            *at = i;
            return t;
        }
    for (int i = 0; i < t->nchildren; i++) {
        const sq_tree *found = node_of(t->child[i], m, at);
        if (found)
            return found;
    }
    return NULL;
}

static isl_map *value_of(walk *d, const sq_tree *t, int member, int stmt)
{
    const sq_stmt *s = d->w.g->stmt[stmt];
    return isl_map_from_pw_aff(sq_tree_value(d->w.k, t, member, s, stmt));
}

/* { [values of the loops around a member's, if asked for] -> [its value] } of one statement. */
static isl_map *values_inside(walk *d, const sq_tree *node, int at, int stmt, bool inside)
{
    isl_set *domain = isl_set_intersect_params(isl_set_copy(d->w.g->stmt[stmt]->domain),
                                               isl_set_copy(d->w.k->context));
    isl_map *value = isl_map_intersect_domain(value_of(d, node, at, stmt), domain);
    isl_map *around = isl_map_from_domain(isl_map_domain(isl_map_copy(value)));
    for (const sq_tree *t = inside ? d->w.g->plan->tree : NULL; t;) {
        for (int i = 0; i < (t == node ? at : t->nmembers); i++)
            around = isl_map_flat_range_product(around, value_of(d, t, i, stmt));
        const sq_tree *next = NULL;
        for (int i = 0; t != node && i < t->nchildren && !next; i++)
            next = is_below(t->child[i], node) ? t->child[i] : NULL;
        t = next;
    }
    return isl_map_apply_domain(value, around);
}

/* The largest number of values that a member's loop runs over: inside of one iteration of the loops
 * around it, or from its least to its largest at all. */
static isl_pw_aff *most_values(walk *d, const sq_tree *t, int at, bool inside)
{
    isl_map *all = NULL;
    for (int i = 0; i < t->nstmts; i++) {
        isl_map *values = values_inside(d, t, at, t->stmt[i], inside);
        all = all ? isl_map_union(all, values) : values;
    }
    isl_map *pairs = isl_map_range_product(isl_map_copy(all), all);
    isl_set *apart = isl_map_deltas(isl_set_unwrap(isl_map_range(pairs)));
    return isl_pw_aff_add_constant_val(isl_set_dim_max(apart, 0), isl_val_one(d->w.k->ctx));
}

/* Tiles of so many values of a member's loop, the most there are in one iteration of the loops
 * around it: those are the host's, each step of which is a launch. Where that takes many cases, as
 * of skewed tiles, it is no less. */
static const char *hull(walk *d, const sq_member *m, int64_t step)
{
    enum { MOST_CASES = 3 };
    sq_arena *a = d->c->p->arena;
    int at = 0;
    const sq_tree *t = node_of(d->w.g->plan->tree, m, &at);
    isl_pw_aff *n = most_values(d, t, at, true);
    if (isl_pw_aff_n_piece(n) > MOST_CASES) {
        isl_pw_aff_free(n);
        n = most_values(d, t, at, false);
    }
    return sq_arena_printf(a, "sq_tiles(0, %s, %lld)", sq_pw_aff_text(n, d->w.k->context, a),
                           (long long)step);
}

/* ---- the kernel's loops ---- */

/* Takes a loop into the list; false where it has no end to count to. */
static bool take(walk *d, isl_ast_node *loop, const sq_member *m)
{
    sq_arena *a = d->c->p->arena;
    dealt *x = &d->loop[d->n];
    bool once = isl_ast_node_for_is_degenerate(loop) == isl_bool_true;
    if (d->n == MOST_DEALT)
        return false;
    *x = (dealt){.name = text(d, isl_ast_node_for_get_iterator(loop)),
                 .first = text(d, isl_ast_node_for_get_init(loop)),
                 .end = once ? "" : sq_tree_end(&d->w, loop),
                 .step = once ? "1" : text(d, isl_ast_node_for_get_inc(loop)),
                 .many = once ? "1" : sq_arena_printf(a, "@many%d", d->n),
                 .exact = true,
                 .once = once,
                 .member = m};
    for (int i = 0; i < d->n; i++)
        if (x->end && (sq_text_mentions(x->first, d->loop[i].name) ||
                       sq_text_mentions(x->end, d->loop[i].name)))
            x->exact = false;
    if (!x->end)
        return false;
    d->along = once ? d->along : d->n;
    d->n++;
    return true;
}

/* Takes all shared loops from a node on, one in the other; what is left is a thread's own.
 * __isl_give */
static isl_ast_node *take_all(walk *d, isl_ast_node *given)
{
    isl_ast_node *x = isl_ast_node_copy(given), *last = NULL;
    const sq_member *next = d->w.next;
    while (x) {
        enum isl_ast_node_type type = isl_ast_node_get_type(x);
        if (type == isl_ast_node_mark)
            next = marked(x);
        bool dealt_out = type == isl_ast_node_for && is_shared(next);
        if (type != isl_ast_node_mark && !(dealt_out && take(d, x, next)))
            break;
        if (dealt_out)
            next = NULL;
        last = x;
        x = inner(last);
        isl_ast_node_free(last);
        if (d->n && d->loop[d->n - 1].member->nprivate)
            break;
    }
    d->w.next = next;
    return x;
}

static int threads(const walk *d)
{
    return d->w.g->plan->how.grid;
}

/* Points that one iteration of a loop's blocks takes. */
static int64_t stride(const walk *d, int i)
{
    return i == d->along ? threads(d) : 1;
}

static const char *many(walk *d, int i)
{
    const dealt *x = &d->loop[i];
    const char *step =
        strcmp(x->step, "1") == 0 ? "" : sq_arena_printf(d->c->p->arena, "%s * ", x->step);
    return sq_arena_printf(d->c->p->arena, "sq_tiles(%s, %s, %s%lld)", x->first, x->end, step,
                           (long long)stride(d, i));
}

/* The first iteration of a loop, then its last. */
static void open_ends(const dealt *x, sq_text *to)
{
    if (x->once) {
        sq_text_open(to, "{");
        sq_text_line(to, "const int64_t %s = %s;", x->name, x->first);
        sq_text_line(to, "(void)%s;", x->name);
        return;
    }
    sq_text_open(to, "for (int64_t %s = %s; %s < %s; %s += sq_max(%s - 1 - %s, 1)) {", x->name,
                 x->first, x->name, x->end, x->name, x->end, x->name);
}

/* Iterations of the loops, on the host: where ends move with a loop around, the most at its first
 * and its last iteration. */
static void put_counts(walk *d, sq_text *to)
{
    for (int i = 0; i < d->n; i++) {
        const dealt *x = &d->loop[i];
        if (x->once)
            continue;
        if (x->exact) {
            sq_text_line(to, "const int64_t %s = %s;", x->many, many(d, i));
            continue;
        }
        sq_text_line(to, "int64_t %s = 1;", x->many);
        for (int o = 0; o < i; o++)
            open_ends(&d->loop[o], to);
        sq_text_line(to, "%s = sq_max(%s, %s);", x->many, x->many, many(d, i));
        for (int o = 0; o < i; o++)
            sq_text_close(to, "}");
    }
}

/* The number of a loop's share in the block's: "@tile / (@many1 * @many2) % @many0". */
static const char *share_of(walk *d, int i)
{
    sq_arena *a = d->c->p->arena;
    const char *by = "", *index = "@tile";
    for (int o = i + 1; o < d->n; o++)
        if (!d->loop[o].once)
            by = sq_arena_printf(a, "%s%s%s", by, *by ? " * " : "", d->loop[o].many);
    if (*by)
        index = sq_arena_printf(a, strchr(by, '*') ? "@tile / (%s)" : "@tile / %s", by);
    bool outermost = true;
    for (int o = 0; o < i; o++)
        outermost &= d->loop[o].once;
    if (!outermost)
        index = sq_arena_printf(a, "%s %% %s", index, d->loop[i].many);
    return index;
}

static void open_loop(walk *d, int i, sq_text *to)
{
    sq_arena *a = d->c->p->arena;
    const dealt *x = &d->loop[i];
    const char *index = share_of(d, i);
    bool along = i == d->along, one = strcmp(x->step, "1") == 0;
    if (x->once) {
        sq_text_open(to, "{");
        sq_text_line(to, "const int64_t %s = %s;", x->name, x->first);
        return;
    }
    if (along)
        index = sq_arena_printf(
            a, strcmp(index, "@tile") ? "(%s) * %d + threadIdx.x" : "%s * %d + threadIdx.x", index,
            threads(d));
    if (!one)
        index = sq_arena_printf(a, "(%s) * %s", index, x->step);
    const char *start =
        strcmp(x->first, "0") == 0 ? index : sq_arena_printf(a, "%s + %s", x->first, index);
    if (x->exact) {
        sq_text_line(to, "const int64_t %s = %s;", x->name, start);
        sq_text_open(to, along ? "if (%s < %s) {" : "{", x->name, x->end);
        return;
    }
    sq_text_open(to, "for (int64_t %s = %s; %s < %s; %s += %s * %lld%s%s) {", x->name, start,
                 x->name, x->end, x->name, x->many, (long long)stride(d, i), one ? "" : " * ",
                 one ? "" : x->step);
}

static const char *blocks(walk *d, bool largest)
{
    const char *all = "";
    for (int i = 0; i < d->n; i++)
        if (!d->loop[i].once)
            all = sq_arena_printf(d->c->p->arena, "%s%s%s", all, *all ? " * " : "",
                                  largest ? hull(d, d->loop[i].member, stride(d, i))
                                          : d->loop[i].many);
    return all;
}

/* ---- host and device ---- */

/* What stands in the printer's body is the kernel's. */
static void begin(walk *d)
{
    sq_text_clear(&d->c->p->body);
    d->c->p->body.indent = 1;
    d->w.scan.to = &d->c->p->body;
}

/* Half of the threads that a multiprocessor has room for, with 64 registers each: told nothing,
 * ptxas makes do with 32 and spills a few. */
static int finish(walk *d, const char *launched, const char *largest, int nthreads)
{
    enum { HALF = 1024, WARP = 32 };
    int together = nthreads < WARP || nthreads > HALF ? 0 : HALF / nthreads;
    sq_text none = {0};
    d->w.scan.to = &d->c->launch;
    return sq_cuda_kernel_end(d->c, launched, largest, nthreads, together, 0, &none);
}

/* A kernel of the loops that the grid shares from this node on; 1 where it begins with none. */
static int put_shared(walk *d, isl_ast_node *x)
{
    sq_cuda *c = d->c;
    sq_text *to = &c->p->body;
    const sq_member *m = d->w.next;
    int vars = c->nvars;
    d->n = 0;
    d->along = -1;
    isl_ast_node *body = take_all(d, x);
    if (d->along < 0) {
        d->w.next = m;
        isl_ast_node_free(body);
        return 1;
    }
    begin(d);
    sq_text_open(to, "for (int64_t @tile = blockIdx.x; @tile < %s; @tile += gridDim.x) {",
                 blocks(d, false));
    for (int i = 0; i < d->n; i++)
        open_loop(d, i, to);
    sq_tree_body(&d->w, d->loop[d->n - 1].member, body);
    d->w.next = NULL;
    for (int i = 0; i <= d->n; i++)
        sq_text_close(to, "}");
    isl_ast_node_free(body);
    sq_text_open(&c->launch, "{");
    put_counts(d, &c->launch);
    for (int i = 0; i < d->n; i++)
        if (!d->loop[i].once)
            c->var[c->nvars++] = d->loop[i].many;
    int rc = finish(d, blocks(d, false), blocks(d, true), threads(d));
    c->nvars = vars;
    sq_text_close(&c->launch, "}");
    return rc;
}

/* What a kernel of one thread has: the names of its statements, and whether it has loops. */
typedef struct own {
    sq_cuda *c;
    const char *stmts;
    bool loops;
} own;

static isl_bool take_own(isl_ast_node *x, void *user)
{
    own *o = user;
    enum isl_ast_node_type type = isl_ast_node_get_type(x);
    o->loops |= type == isl_ast_node_for && isl_ast_node_for_is_degenerate(x) != isl_bool_true;
    if (type != isl_ast_node_user)
        return isl_bool_true;
    isl_ast_expr *call = isl_ast_node_user_get_expr(x), *f = isl_ast_expr_op_get_arg(call, 0);
    isl_id *id = isl_ast_expr_id_get_id(f);
    const sq_stmt *s = sq_kernel_stmt(o->c->p->kernel, isl_id_get_name(id));
    o->loops |= s->updates != NULL;
    if (!sq_text_mentions(o->stmts, s->name))
        o->stmts =
            sq_arena_printf(o->c->p->arena, "%s%s%s", o->stmts, *o->stmts ? ", " : "", s->name);
    isl_id_free(id);
    isl_ast_expr_free(f);
    isl_ast_expr_free(call);
    return isl_bool_true;
}

static int finish_alone(walk *d, const own *o)
{
    const char *all = d->c->stmts;
    d->c->stmts = o->stmts;
    d->c->points = !o->loops;
    int rc = finish(d, "1", "1", 1);
    d->c->stmts = all;
    d->c->points = false;
    return rc;
}

/* A kernel of one thread. */
static int put_alone(walk *d, isl_ast_node *x)
{
    own o = {.c = d->c, .stmts = ""};
    begin(d);
    sq_tree_put(&d->w, x);
    isl_ast_node_foreach_descendant_top_down(x, take_own, &o);
    return finish_alone(d, &o);
}

static int put_host(walk *d, isl_ast_node *x);

/* From child i on as many as no loop of the grid is in, in one kernel; the last one's number. */
static int put_together(walk *d, isl_ast_node_list *list, int i, int *last)
{
    int n = (int)isl_ast_node_list_n_ast_node(list);
    own o = {.c = d->c, .stmts = ""};
    bool more = true;
    begin(d);
    for (; i < n && more; i += more) {
        isl_ast_node *child = isl_ast_node_list_get_ast_node(list, i);
        more = !shares(child);
        if (more) {
            sq_tree_put(&d->w, child);
            isl_ast_node_foreach_descendant_top_down(child, take_own, &o);
        }
        isl_ast_node_free(child);
    }
    *last = i - 1;
    return finish_alone(d, &o);
}

/* A loop that the grid shares may come in pieces: the mark before them is each one's. */
static int put_block(walk *d, isl_ast_node *x)
{
    const sq_member *m = d->w.next;
    isl_ast_node_list *list = isl_ast_node_block_get_children(x);
    int n = (int)isl_ast_node_list_n_ast_node(list), rc = 0;
    d->w.next = NULL;
    for (int i = 0; i < n && rc == 0; i++) {
        isl_ast_node *child = isl_ast_node_list_get_ast_node(list, i);
        if (is_shared(m) || shares(child)) {
            d->w.next = m;
            rc = put_host(d, child);
            d->w.next = NULL;
        } else {
            rc = put_together(d, list, i, &i);
        }
        isl_ast_node_free(child);
    }
    isl_ast_node_list_free(list);
    return rc;
}

static int put_host_loop(walk *d, isl_ast_node *x)
{
    sq_cuda *c = d->c;
    isl_ast_node *body = isl_ast_node_for_get_body(x);
    d->w.next = NULL;
    sq_tree_header(&d->w, x, NULL);
    c->var[c->nvars++] = text(d, isl_ast_node_for_get_iterator(x));
    int rc = put_host(d, body);
    c->nvars--;
    sq_text_close(&c->launch, "}");
    isl_ast_node_free(body);
    return rc;
}

static int put_host_if(walk *d, isl_ast_node *x)
{
    sq_text *to = &d->c->launch;
    const sq_member *m = d->w.next;
    isl_ast_node *branch = isl_ast_node_if_get_then_node(x);
    sq_text_open(to, "if (%s) {", text(d, isl_ast_node_if_get_cond(x)));
    int rc = put_host(d, branch);
    isl_ast_node_free(branch);
    if (rc == 0 && isl_ast_node_if_has_else_node(x) == isl_bool_true) {
        sq_text_close(to, "} else {");
        to->indent++;
        d->w.next = m;
        branch = isl_ast_node_if_get_else_node(x);
        rc = put_host(d, branch);
        isl_ast_node_free(branch);
    }
    sq_text_close(to, "}");
    return rc;
}

static int put_host(walk *d, isl_ast_node *x)
{
    enum isl_ast_node_type type = isl_ast_node_get_type(x);
    bool mine = is_shared(d->w.next);
    int rc = 1;
    if (type == isl_ast_node_mark) {
        isl_ast_node *next = isl_ast_node_mark_get_node(x);
        d->w.next = marked(x);
        rc = put_host(d, next);
        d->w.next = NULL;
        isl_ast_node_free(next);
        return rc;
    }
    if (type == isl_ast_node_for && mine)
        rc = put_shared(d, x);
    if (rc < 1)
        return rc;
    if (type == isl_ast_node_block)
        return put_block(d, x);
    if (type == isl_ast_node_if && (mine || shares(x)))
        return put_host_if(d, x);
    return type == isl_ast_node_for && shares(x) ? put_host_loop(d, x) : put_alone(d, x);
}

int sq_cuda_tree(sq_cuda *c, const sq_group *g)
{
    walk *d = SQ_NEW(c->p->arena, walk);
    *d = (walk){.c = c,
                .w = {.p = c->p,
                      .k = c->p->kernel,
                      .g = g,
                      .scan = {.kernel = c->p->kernel,
                               .group = g,
                               .arena = c->p->arena,
                               .to = &c->launch,
                               .rounded = sq_strict_rounded(c->p->kernel, c->p->options->target)}}};
    isl_ast_node *loops = sq_tree_loops(&d->w, c->diags);
    if (!loops)
        return -1;
    c->counted = false;
    sq_text_line(&c->launch, "/* Loops found by auto: those not shared by the grid run here. */");
    int rc = put_host(d, loops);
    isl_ast_node_free(loops);
    return rc == 0 && d->w.refused ? sq_ast_loops_refused(d->w.refused, c->diags) : rc;
}
