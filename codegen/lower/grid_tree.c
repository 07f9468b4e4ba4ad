/* Grid, tree: makes kernels of loops that auto() found. Loops around shared ones run on the host, one step after the
 * other: kernels of a stream do not overlap, so that each step sees all that the previous one wrote. Statements
 * outside of all shared loops are kernels of one thread, with as many statements as possible.
 *
 * Iterations of a kernel's loops are distributed thus: threads of a block have adjacent iterations of the innermost
 * one, blocks the rest. The host counts the iterations of each loop, with the bounds of inner loops at the first and
 * last iteration of the outer ones; as each loop is strided, any count is correct. */
#include "codegen/code/from_isl.h"
#include "codegen/lower/grid_inside.h"
#include "codegen/lower/tree.h"
#include "ir/dependence/tensor.h"
#include "ir/schedule/tree.h"
#include <isl/set.h>
#include <isl/val.h>

enum { MOST_DEALT = 8 };

/* Loops that the grid shares, outermost first; the last one is distributed over the threads of a
 * block. */
typedef struct dealt {
    const sq_code *loop;
    const char *many; /* variable: its iterations, in blocks of threads if these share it */
    bool exact;       /* the count holds for all outer iterations: one stride suffices */
} dealt;

typedef struct walk {
    const sq_kernel *kernel;
    const sq_group *g;
    sq_code_pool *pool;
    sq_grid_host host;
    dealt loop[MOST_DEALT];
    int n;
} walk;

static bool list_shares(const sq_code *x);

/* True if the grid shares the loop or one below it. */
static bool shares(const sq_code *x)
{
    return x->runs == SQ_CODE_GRID || list_shares(x->body) || list_shares(x->other);
}

static bool list_shares(const sq_code *x)
{
    while (x && !shares(x))
        x = x->next;
    return x != NULL;
}

/* ---- the largest grid, over the sizes only ---- */

static bool is_below(const sq_tree *t, const sq_tree *node)
{
    bool found = t == node;
    for (int i = 0; i < t->nchildren && !found; i++)
        found = is_below(t->child[i], node);
    return found;
}

/* Returns the node of a member. */
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

static isl_map *value_of(const walk *w, const sq_tree *t, int member, int stmt)
{
    return isl_map_from_pw_aff(sq_tree_value(w->kernel, t, member, w->g->stmt[stmt], stmt));
}

/* Returns { [values of the loops around a member's, if requested] -> [its value] } of one
 * statement. */
static isl_map *values_inside(const walk *w, const sq_tree *node, int at, int stmt, bool inside)
{
    isl_set *domain = isl_set_intersect_params(isl_set_copy(w->g->stmt[stmt]->domain),
                                               isl_set_copy(w->kernel->context));
    isl_map *value = isl_map_intersect_domain(value_of(w, node, at, stmt), domain);
    isl_map *around = isl_map_from_domain(isl_map_domain(isl_map_copy(value)));
    for (const sq_tree *t = inside ? w->g->plan->tree : NULL; t;) {
        for (int i = 0; i < (t == node ? at : t->nmembers); i++)
            around = isl_map_flat_range_product(around, value_of(w, t, i, stmt));
        const sq_tree *next = NULL;
        for (int i = 0; t != node && i < t->nchildren && !next; i++)
            next = is_below(t->child[i], node) ? t->child[i] : NULL;
        t = next;
    }
    return isl_map_apply_domain(value, around);
}

/* Returns the largest number of values of a member's loop: inside of one iteration of the loops
 * around it, or from its minimum to its maximum overall. */
static isl_pw_aff *most_values(const walk *w, const sq_tree *t, int at, bool inside)
{
    isl_map *all = NULL;
    for (int i = 0; i < t->nstmts; i++) {
        isl_map *values = values_inside(w, t, at, t->stmt[i], inside);
        all = all ? isl_map_union(all, values) : values;
    }
    isl_map *pairs = isl_map_range_product(isl_map_copy(all), all);
    isl_set *distance = isl_map_deltas(isl_set_unwrap(isl_map_range(pairs)));
    return isl_pw_aff_add_constant_val(isl_set_dim_max(distance, 0), isl_val_one(w->kernel->ctx));
}

/* Returns the number of tiles of this size of a member's loop, as the maximum over iterations of
 * the loops around it: these run on the host, with a launch per step. If that has many cases, as
 * for skewed tiles, an upper bound. */
static const sq_code_expr *hull(const walk *w, const sq_member *m, int64_t step)
{
    enum { MOST_CASES = 3 };
    int at = 0;
    const sq_tree *t = node_of(w->g->plan->tree, m, &at);
    isl_pw_aff *n = most_values(w, t, at, true);
    if (isl_pw_aff_n_piece(n) > MOST_CASES) {
        isl_pw_aff_free(n);
        n = most_values(w, t, at, false);
    }
    const sq_code_expr *values = sq_code_from_pw_aff(w->pool, n, w->kernel->context);
    if (!values)
        sq_bug("grid", "isl has no number of iterations of a loop of %s", w->kernel->name);
    return sq_grid_tiles_between(w->pool, sq_code_number(w->pool, 0), values, step);
}

/* ---- the kernel's loops ---- */

/* Adds a loop to the list; false if the grid does not share it. */
static bool take(walk *w, const sq_code *loop)
{
    if (w->n == MOST_DEALT || loop->runs != SQ_CODE_GRID)
        return false;
    dealt *x = &w->loop[w->n];
    *x = (dealt){loop, sq_arena_printf(w->pool->arena, "@many%d", w->n), true};
    for (int i = 0; i < w->n; i++)
        if (sq_code_mentions(loop->lo, w->loop[i].loop->name) ||
            sq_code_mentions(loop->hi, w->loop[i].loop->name))
            x->exact = false;
    w->n++;
    return true;
}

/* Adds all shared loops from one on that are nested in each other; returns the rest, which a thread
 * runs by itself. */
static sq_code *take_all(walk *w, sq_code *x)
{
    w->n = 0;
    while (x && !(w->n && x->next) && take(w, x)) {
        const sq_member *m = x->member;
        x = x->body;
        if (m->nprivate)
            break;
    }
    return x;
}

static int threads(const walk *w)
{
    return w->g->plan->how.grid;
}

/* Returns the number of iterations of a loop that a block takes. */
static int64_t stride(const walk *w, int i)
{
    return i == w->n - 1 ? threads(w) : 1;
}

static const sq_code_expr *name_of(const walk *w, const char *name)
{
    return sq_code_name(w->pool, name);
}

/* Returns the index of the block's share of a loop: "@tile / (@many1 * @many2) % @many0". */
static const sq_code_expr *share_of(const walk *w, int i)
{
    sq_code_pool *p = w->pool;
    const sq_code_expr *index = name_of(w, "@tile"), *by = sq_code_number(p, 1);
    for (int o = i + 1; o < w->n; o++)
        by = sq_code_mul(p, by, name_of(w, w->loop[o].many));
    index = sq_code_divide(p, SQ_CODE_DIV, index, by);
    return i ? sq_code_divide(p, SQ_CODE_REM, index, name_of(w, w->loop[i].many)) : index;
}

/* Returns "while (cond) { body; name = next; }" behind the variable's definition. */
static sq_code *stepped(sq_code_pool *p, sq_code *variable, const sq_code_expr *cond, sq_code *body,
                        const sq_code_expr *next)
{
    sq_code_list all = {0}, inside = {0};
    sq_code *loop = sq_code_new(p, SQ_CODE_LOOP);
    sq_code_append(&inside, body);
    sq_code_append(&inside, sq_code_assign(p, variable->name, next));
    variable->kind = SQ_CODE_VARIABLE;
    loop->cond = cond;
    loop->body = inside.first;
    sq_code_append(&all, variable);
    sq_code_append(&all, loop);
    return sq_code_guarded(p, NULL, all.first);
}

/* Returns the statements of this thread's iterations of a loop: of one, or with a stride. */
static sq_code *iterations_of(const walk *w, int i, sq_code *body)
{
    sq_code_pool *p = w->pool;
    const sq_code *x = w->loop[i].loop;
    bool along = i == w->n - 1;
    const sq_code_expr *index = share_of(w, i), *own = name_of(w, x->name),
                       *exists = sq_code_compare(p, SQ_CODE_LT, own, x->hi);
    if (along)
        index = sq_code_add(p, sq_code_scale(p, threads(w), index), name_of(w, SQ_TILE_THREAD));
    sq_code *first = sq_code_let(p, x->name, sq_code_add_scaled(p, x->lo, x->step, index));
    if (!w->loop[i].exact)
        return stepped(p, first, exists, body,
                       sq_code_add_scaled(p, own, x->step * stride(w, i), name_of(w, w->loop[i].many)));
    first->next = along ? sq_code_guarded(p, exists, body) : body;
    return first;
}

/* Returns a loop over this many threads of a block. */
static sq_code *block_of(const walk *w, int nthreads, sq_code *body)
{
    sq_code_pool *p = w->pool;
    sq_code *x = sq_code_loop(p, SQ_TILE_THREAD, sq_code_number(p, 0), sq_code_number(p, nthreads), 1);
    x->runs = SQ_CODE_BLOCK_THREADS;
    x->body = body;
    return x;
}

/* Returns the kernel of the loops that are shared, around the statements that a thread runs by itself. */
static sq_code *kernel_of(const walk *w, sq_code *body, const sq_code_expr *blocks)
{
    for (int i = w->n - 1; i >= 0; i--)
        body = iterations_of(w, i, body);
    sq_code *tiles = sq_code_loop(w->pool, "@tile", sq_code_number(w->pool, 0), blocks, 1);
    tiles->runs = SQ_CODE_BLOCKS;
    tiles->body = body;
    return block_of(w, threads(w), tiles);
}

/* ---- launches ---- */

/* Returns what runs `body` with the variable of a loop at its first iteration, then at its last. */
static sq_code *at_ends(const walk *w, const sq_code *x, sq_code *body)
{
    sq_code_pool *p = w->pool;
    const sq_code_expr *own = name_of(w, x->name), *left = sq_code_plus(p, sq_code_sub(p, x->hi, own), -1);
    return stepped(p, sq_code_let(p, x->name, x->lo), sq_code_compare(p, SQ_CODE_LT, own, x->hi), body,
                   sq_code_add(p, own, sq_code_max(p, left, sq_code_number(p, 1))));
}

/* Appends the number of iterations of each loop; if bounds depend on an outer loop, the larger one
 * of its first and last iteration. */
static void append_counts(walk *w, sq_code_list *to)
{
    sq_code_pool *p = w->pool;
    for (int i = 0; i < w->n; i++) {
        const dealt *x = &w->loop[i];
        const sq_code_expr *tiles =
            sq_grid_tiles_between(p, x->loop->lo, x->loop->hi, x->loop->step * stride(w, i));
        sq_code *many = sq_code_let(p, x->many, x->exact ? tiles : sq_code_number(p, 1));
        sq_code_append(to, many);
        sq_grid_name_outer(&w->host, x->many);
        if (x->exact)
            continue;
        many->kind = SQ_CODE_VARIABLE;
        sq_code *counts = sq_code_assign(p, x->many, sq_code_max(p, name_of(w, x->many), tiles));
        for (int o = i - 1; o >= 0; o--)
            counts = at_ends(w, w->loop[o].loop, counts);
        sq_code_append(to, counts);
    }
}

/* Returns the kernel of the loops that the grid shares, from this one on, and what counts its blocks. The bound of
 * registers is half of the threads that a multiprocessor can have with 64 registers each: by default ptxas uses 32 and
 * spills a few. */
static sq_code *shared(walk *w, sq_code *x)
{
    enum { HALF = 1024 };
    sq_code_pool *p = w->pool;
    const int before = w->host.nnames, nthreads = threads(w);
    const sq_code_expr *blocks = sq_code_number(p, 1), *most = blocks;
    sq_code_list all = {0};
    sq_code *body = take_all(w, x);
    append_counts(w, &all);
    for (int i = 0; i < w->n; i++) {
        blocks = sq_code_mul(p, blocks, name_of(w, w->loop[i].many));
        most = sq_code_mul(p, most, hull(w, w->loop[i].loop->member, stride(w, i)));
    }
    sq_code *kernel = kernel_of(w, body, blocks);
    sq_code_launch *l = sq_grid_launch(&w->host, p->arena, blocks);
    l->most = most;
    l->together = nthreads < SQ_WARP || nthreads > HALF ? 0 : HALF / nthreads;
    kernel->launch = l;
    w->host.nnames = before;
    sq_code_append(&all, kernel);
    return sq_code_guarded(p, NULL, all.first);
}

/* Returns the names of the statements of a list: "S0, S1". */
static const char *add_stmts(const sq_code *x, sq_code_keys *seen, const char *all)
{
    for (; x; x = x->next) {
        if (x->stmt && !sq_code_keys_has(seen, x->stmt)) {
            sq_code_keys_add(seen, x->stmt);
            all = sq_arena_printf(seen->arena, "%s%s%s", all, *all ? ", " : "", x->stmt->name);
        }
        all = add_stmts(x->other, seen, add_stmts(x->body, seen, all));
    }
    return all;
}

/* Returns a kernel of one thread. */
static sq_code *kernel_alone(const walk *w, sq_code *body)
{
    sq_code *kernel = block_of(w, 1, body);
    kernel->launch = sq_grid_launch(&w->host, w->pool->arena, sq_code_number(w->pool, 1));
    return kernel;
}

/* Does so for some statements of the group. */
static sq_code *alone(const walk *w, sq_code *body)
{
    walk own = *w;
    sq_code_keys seen = {.arena = w->pool->arena};
    own.host.stmts = add_stmts(body, &seen, "");
    return kernel_alone(&own, body);
}

static sq_code *of_list(walk *w, sq_code *x);

/* Returns a statement that contains a shared loop. Its names are variables of the host. */
static sq_code *sharing(walk *w, sq_code *x)
{
    const int before = w->host.nnames;
    if (x->runs == SQ_CODE_GRID)
        return shared(w, x);
    if (x->kind == SQ_CODE_LOOP)
        sq_grid_name_outer(&w->host, x->name);
    x->body = of_list(w, x->body);
    w->host.nnames = before;
    x->other = of_list(w, x->other);
    w->host.nnames = before;
    return x;
}

/* Takes the statements from x on that no grid shares; returns what follows them. */
static sq_code *take_alone(sq_code *x)
{
    while (x->next && !shares(x->next))
        x = x->next;
    sq_code *after = x->next;
    x->next = NULL;
    return after;
}

/* Returns code of the host for a list. */
static sq_code *of_list(walk *w, sq_code *x)
{
    sq_code_list all = {0};
    while (x) {
        bool is_let = x->kind == SQ_CODE_LET, is_shared = !is_let && shares(x);
        sq_code *next = is_let || is_shared ? x->next : take_alone(x);
        if (is_let)
            sq_grid_name_outer(&w->host, x->name);
        if (is_let || is_shared)
            x->next = NULL;
        sq_code_append(&all, is_let ? x : is_shared ? sharing(w, x) : alone(w, x));
        x = next;
    }
    return all.first;
}

sq_code *sq_lower_grid_tree(const sq_kernel *k, const sq_group *g, const char *stmts, sq_code_pool *code, sq_code *x)
{
    walk w = {.kernel = k, .g = g, .pool = code, .host.stmts = stmts};
    bool one = g->kind == SQ_GROUP_WRITTEN;
    sq_code *head = sq_code_comment(code, one ? "Loops in the order they were written, by one thread."
                                              : "Loops found by auto: those not shared by the grid run here.");
    if (x)
        head->next = one ? kernel_alone(&w, x) : of_list(&w, x);
    return head;
}
