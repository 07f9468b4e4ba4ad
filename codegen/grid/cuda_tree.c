/* CUDA tree: prints loops that auto() found as launches. Loops around shared ones run on the host,
 * one step after the other: kernels of a stream do not overlap, so that each step sees all that the
 * previous one wrote. Statements outside of all shared loops are kernels of one thread, with as
 * many statements as possible.
 *
 * Iterations of a kernel's loops are distributed thus: threads of a block have adjacent iterations
 * of the innermost one, blocks the rest. The host counts the iterations of each loop, with the
 * bounds of inner loops at the first and last iteration of the outer ones; as each loop is strided,
 * any count is correct. */
#include "codegen/grid/cuda.h"
#include "codegen/lower/tree.h"
#include "codegen/print/statements.h"
#include "codegen/nest/text_of.h"
#include "ir/schedule/tree.h"
#include <isl/set.h>
#include <isl/val.h>
#include <string.h>

enum { MOST_DEALT = 8 };

/* Loops that the grid shares, outermost first; the last one is distributed over the threads of a
 * block. */
typedef struct dealt {
    const sq_code *loop;
    const char *many; /* variable: its iterations, in blocks of threads if these share it */
    bool exact;       /* the count holds for all outer iterations: one stride suffices */
} dealt;

typedef struct walk {
    sq_cuda *c;
    const sq_group *g;
    sq_code_pool *pool;
    sq_c_printer print;
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

static const char *text(walk *d, const sq_code_expr *e)
{
    return sq_print_code(d->c->p, e);
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

static isl_map *value_of(walk *d, const sq_tree *t, int member, int stmt)
{
    const sq_stmt *s = d->g->stmt[stmt];
    return isl_map_from_pw_aff(sq_tree_value(d->c->p->kernel, t, member, s, stmt));
}

/* Returns { [values of the loops around a member's, if requested] -> [its value] } of one
 * statement. */
static isl_map *values_inside(walk *d, const sq_tree *node, int at, int stmt, bool inside)
{
    isl_set *domain = isl_set_intersect_params(isl_set_copy(d->g->stmt[stmt]->domain),
                                               isl_set_copy(d->c->p->kernel->context));
    isl_map *value = isl_map_intersect_domain(value_of(d, node, at, stmt), domain);
    isl_map *around = isl_map_from_domain(isl_map_domain(isl_map_copy(value)));
    for (const sq_tree *t = inside ? d->g->plan->tree : NULL; t;) {
        for (int i = 0; i < (t == node ? at : t->nmembers); i++)
            around = isl_map_flat_range_product(around, value_of(d, t, i, stmt));
        const sq_tree *next = NULL;
        for (int i = 0; t != node && i < t->nchildren && !next; i++)
            next = is_below(t->child[i], node) ? t->child[i] : NULL;
        t = next;
    }
    return isl_map_apply_domain(value, around);
}

/* Returns the largest number of values of a member's loop: inside of one iteration of the loops
 * around it, or from its minimum to its maximum overall. */
static isl_pw_aff *most_values(walk *d, const sq_tree *t, int at, bool inside)
{
    isl_map *all = NULL;
    for (int i = 0; i < t->nstmts; i++) {
        isl_map *values = values_inside(d, t, at, t->stmt[i], inside);
        all = all ? isl_map_union(all, values) : values;
    }
    isl_map *pairs = isl_map_range_product(isl_map_copy(all), all);
    isl_set *distance = isl_map_deltas(isl_set_unwrap(isl_map_range(pairs)));
    return isl_pw_aff_add_constant_val(isl_set_dim_max(distance, 0),
                                       isl_val_one(d->c->p->kernel->ctx));
}

/* Returns the number of tiles of this size of a member's loop, as the maximum over iterations of
 * the loops around it: these run on the host, with a launch per step. If that has many cases, as
 * for skewed tiles, an upper bound. */
static const char *hull(walk *d, const sq_member *m, int64_t step)
{
    enum { MOST_CASES = 3 };
    sq_arena *a = d->c->p->arena;
    const sq_uses grid = {&d->c->of_grid, &d->c->p->helpers};
    int at = 0;
    const sq_tree *t = node_of(d->g->plan->tree, m, &at);
    isl_pw_aff *n = most_values(d, t, at, true);
    if (isl_pw_aff_n_piece(n) > MOST_CASES) {
        isl_pw_aff_free(n);
        n = most_values(d, t, at, false);
    }
    return sq_arena_printf(a, "sq_tiles(0, %s, %lld)",
                           sq_pw_aff_text(n, d->c->p->kernel->context, &grid, a), (long long)step);
}

/* ---- the kernel's loops ---- */

/* Adds a loop to the list; false if the grid does not share it. */
static bool take(walk *d, const sq_code *loop)
{
    if (d->n == MOST_DEALT || loop->runs != SQ_CODE_GRID)
        return false;
    dealt *x = &d->loop[d->n];
    *x = (dealt){loop, sq_arena_printf(d->c->p->arena, "@many%d", d->n), true};
    for (int i = 0; i < d->n; i++)
        if (sq_code_mentions(loop->lo, d->loop[i].loop->name) ||
            sq_code_mentions(loop->hi, d->loop[i].loop->name))
            x->exact = false;
    d->n++;
    return true;
}

/* Adds all shared loops from one on that are nested in each other; returns the rest, which a thread
 * runs by itself. */
static sq_code *take_all(walk *d, sq_code *x)
{
    d->n = 0;
    while (x && !(d->n && x->next) && take(d, x)) {
        const sq_member *m = x->member;
        x = x->body;
        if (m->nprivate)
            break;
    }
    return x;
}

static int threads(const walk *d)
{
    return d->g->plan->how.grid;
}

/* Returns the number of iterations of a loop that a block takes. */
static int64_t stride(const walk *d, int i)
{
    return i == d->n - 1 ? threads(d) : 1;
}

static const char *many(walk *d, int i)
{
    const sq_code *x = d->loop[i].loop;
    return sq_arena_printf(d->c->p->arena, "sq_tiles(%s, %s, %lld)", text(d, x->lo), text(d, x->hi),
                           (long long)(x->step * stride(d, i)));
}

/* Sets the variable of a loop to its first iteration, then to its last. */
static void open_ends(walk *d, const sq_code *x, sq_text *to)
{
    const char *end = text(d, x->hi),
               *left =
                   text(d, sq_code_plus(d->pool,
                                        sq_code_sub(d->pool, x->hi, sq_code_name(d->pool, x->name)),
                                        -1));
    sq_text_open(to, "for (int64_t %s = %s; %s < %s; %s += %s(%s, 1)) {", x->name,
                 text(d, x->lo), x->name, end, x->name, sq_uses_helper(&d->c->p->uses, "sq_max"), left);
}

/* Counts iterations of the loops, on the host: if bounds depend on an outer loop, the larger count
 * of its first and last iteration. */
static void put_counts(walk *d, sq_text *to)
{
    for (int i = 0; i < d->n; i++) {
        const dealt *x = &d->loop[i];
        if (x->exact) {
            sq_text_line(to, "const int64_t %s = %s;", x->many, many(d, i));
            continue;
        }
        sq_text_line(to, "int64_t %s = 1;", x->many);
        for (int o = 0; o < i; o++)
            open_ends(d, d->loop[o].loop, to);
        sq_text_line(to, "%s = %s(%s, %s);", x->many, sq_uses_helper(&d->c->p->uses, "sq_max"), x->many, many(d, i));
        for (int o = 0; o < i; o++)
            sq_text_close(to, "}");
    }
}

/* Returns the index of the block's share of a loop: "@tile / (@many1 * @many2) % @many0". */
static const sq_code_expr *share_of(walk *d, int i)
{
    sq_code_pool *p = d->pool;
    const sq_code_expr *index = sq_code_name(p, "@tile"), *by = sq_code_number(p, 1);
    for (int o = i + 1; o < d->n; o++)
        by = sq_code_mul(p, by, sq_code_name(p, d->loop[o].many));
    index = sq_code_divide(p, SQ_CODE_DIV, index, by);
    return i ? sq_code_divide(p, SQ_CODE_REM, index, sq_code_name(p, d->loop[i].many)) : index;
}

/* Returns the statements of this thread's iterations of a loop: of one, or with a stride. */
static sq_code *iterations_of(walk *d, int i, sq_code *body)
{
    sq_code_pool *p = d->pool;
    const sq_code *x = d->loop[i].loop;
    bool along = i == d->n - 1;
    const sq_code_expr *index = share_of(d, i), *own = sq_code_name(p, x->name),
                       *exists = sq_code_compare(p, SQ_CODE_LT, own, x->hi), *next;
    sq_code_list all = {0}, inside = {0};
    if (along)
        index = sq_code_add(p, sq_code_scale(p, threads(d), index), sq_code_name(p, SQ_TILE_THREAD));
    sq_code *first = sq_code_let(p, x->name, sq_code_add_scaled(p, x->lo, x->step, index));
    sq_code_append(&all, first);
    if (d->loop[i].exact) {
        sq_code_append(&all, along ? sq_code_guarded(p, exists, body) : body);
        return all.first;
    }
    sq_code *loop = sq_code_new(p, SQ_CODE_LOOP);
    next = sq_code_add_scaled(p, own, x->step * stride(d, i), sq_code_name(p, d->loop[i].many));
    sq_code_append(&inside, body);
    sq_code_append(&inside, sq_code_assign(p, x->name, next));
    first->kind = SQ_CODE_VARIABLE;
    loop->cond = exists;
    loop->body = inside.first;
    sq_code_append(&all, loop);
    return sq_code_guarded(p, NULL, all.first);
}

/* Returns the kernel of the loops that are shared, around the statements that a thread runs by itself. */
static sq_code *kernel_of(walk *d, sq_code *body)
{
    sq_code_pool *p = d->pool;
    const sq_code_expr *all = sq_code_number(p, 1), *none = sq_code_number(p, 0);
    for (int i = 0; i < d->n; i++)
        all = sq_code_mul(p, all, sq_code_name(p, d->loop[i].many));
    for (int i = d->n - 1; i >= 0; i--)
        body = iterations_of(d, i, body);
    sq_code *tiles = sq_code_loop(p, "@tile", none, all, 1),
            *block = sq_code_loop(p, SQ_TILE_THREAD, none, sq_code_number(p, threads(d)), 1);
    tiles->runs = SQ_CODE_BLOCKS;
    tiles->body = body;
    block->runs = SQ_CODE_BLOCK_THREADS;
    block->body = tiles;
    return block;
}

static const char *blocks(walk *d, bool largest)
{
    const char *all = "";
    for (int i = 0; i < d->n; i++) {
        sq_uses_name(&d->c->p->uses, d->loop[i].many);
        all = sq_arena_printf(d->c->p->arena, "%s%s%s", all, *all ? " * " : "",
                              largest ? hull(d, d->loop[i].loop->member, stride(d, i))
                                      : d->loop[i].many);
    }
    return all;
}

/* ---- host and device ---- */

/* Begins a kernel: what follows in the printer's body belongs to it. */
static void begin(walk *d)
{
    sq_cuda_kernel_begin(d->c);
    d->print.uses = d->c->p->uses;
}

/* Returns to the host: what follows belongs to the launches. */
static void leave(walk *d)
{
    d->c->p->uses.names = &d->c->host;
    d->print.uses = d->c->p->uses;
}

/* The bound is half of the threads that a multiprocessor can have with 64 registers each: by
 * default ptxas uses 32 and spills a few. */
static int finish(walk *d, const char *launched, const char *largest, int nthreads)
{
    enum { HALF = 1024, WARP = 32 };
    int together = nthreads < WARP || nthreads > HALF ? 0 : HALF / nthreads;
    return sq_cuda_kernel_end(d->c, launched, largest, nthreads, together);
}

/* Prints a kernel of the loops that the grid shares, from this one on. */
static int put_shared(walk *d, sq_code *x)
{
    sq_cuda *c = d->c;
    int vars = c->nvars;
    sq_code *body = kernel_of(d, take_all(d, x));
    for (int i = 0; i < d->n; i++)
        c->var[c->nvars++] = d->loop[i].many;
    c->p->around = c->var;
    c->p->naround = c->nvars;
    sq_print_verified(c->p, "the loops of a grid", body);
    begin(d);
    sq_c_code(&d->print, body, &c->p->body);
    leave(d);
    sq_text_open(&c->launch, "{");
    put_counts(d, &c->launch);
    int rc = finish(d, blocks(d, false), blocks(d, true), threads(d));
    c->nvars = vars;
    sq_text_close(&c->launch, "}");
    return rc;
}

/* The contents of a kernel of one thread: the names of its statements, and whether it has loops. */
typedef struct own {
    sq_cuda *c;
    sq_code_keys seen; /* the statements */
    const char *stmts;
    bool loops;
} own;

static void take_own(const sq_code *x, own *o)
{
    o->loops |= x->kind == SQ_CODE_LOOP || (x->stmt && x->stmt->updates);
    if (x->stmt && !sq_code_keys_has(&o->seen, x->stmt)) {
        sq_code_keys_add(&o->seen, x->stmt);
        o->stmts = sq_arena_printf(o->c->p->arena, "%s%s%s", o->stmts, *o->stmts ? ", " : "",
                                   x->stmt->name);
    }
    for (const sq_code *y = x->body; y; y = y->next)
        take_own(y, o);
    for (const sq_code *y = x->other; y; y = y->next)
        take_own(y, o);
}

/* Prints a kernel of one thread: the longest list of statements without a shared loop. *after: the
 * next one. */
static int put_alone(walk *d, sq_code *x, sq_code **after)
{
    own o = {.c = d->c, .seen = {.arena = d->c->p->arena}, .stmts = ""};
    const char *all = d->c->stmts;
    begin(d);
    for (*after = x; *after && !shares(*after); *after = (*after)->next) {
        sq_code one = **after;
        one.next = NULL;
        sq_c_code(&d->print, &one, &d->c->p->body);
        take_own(&one, &o);
    }
    leave(d);
    d->c->stmts = o.stmts;
    d->c->points = !o.loops;
    int rc = finish(d, "1", "1", 1);
    d->c->stmts = all;
    d->c->points = false;
    return rc;
}

static int put_host(walk *d, sq_code *x);

/* Prints the scope of a host statement around others: the names are variables of the host. */
static int put_host_scope(walk *d, sq_code *x)
{
    sq_cuda *c = d->c;
    int vars = c->nvars;
    if (x->kind == SQ_CODE_LOOP) {
        sq_c_loop(&d->print, x, &c->launch);
        c->var[c->nvars++] = x->name;
    } else {
        sq_text_open(&c->launch, "{");
    }
    int rc = put_host(d, x->body);
    c->nvars = vars;
    sq_text_close(&c->launch, "}");
    return rc;
}

static int put_host_if(walk *d, sq_code *x)
{
    sq_text *to = &d->c->launch;
    sq_text_open(to, "if (%s) {", text(d, x->cond));
    int rc = put_host(d, x->body);
    if (rc == 0 && x->other) {
        sq_text_close(to, "} else {");
        to->indent++;
        rc = put_host(d, x->other);
    }
    sq_text_close(to, "}");
    return rc;
}

/* Prints a statement that contains a shared loop. */
static int put_sharing(walk *d, sq_code *x)
{
    if (x->runs == SQ_CODE_GRID)
        return put_shared(d, x);
    return x->kind == SQ_CODE_IF ? put_host_if(d, x) : put_host_scope(d, x);
}

static int put_host(walk *d, sq_code *x)
{
    int rc = 0;
    while (x && rc == 0) {
        if (x->kind == SQ_CODE_LET) {
            sq_text_line(&d->c->launch, "const int64_t %s = %s;", x->name, text(d, x->value));
            d->c->var[d->c->nvars++] = x->name;
            x = x->next;
        } else if (shares(x)) {
            rc = put_sharing(d, x);
            x = x->next;
        } else {
            rc = put_alone(d, x, &x);
        }
    }
    return rc;
}

int sq_cuda_tree(sq_cuda *c, const sq_group *g)
{
    walk *d = SQ_NEW(c->p->arena, walk);
    sq_code *x = NULL;
    *d = (walk){.c = c, .g = g, .pool = c->p->code, .print = sq_print_c(c->p)};
    const sq_nest_options o = {.target = c->p->options->target};
    if (sq_lower_tree(c->p->kernel, g, &o, c->p->code, &x, c->diags))
        return -1;
    c->counted = false;
    sq_text_line(&c->launch, "/* Loops found by auto: those not shared by the grid run here. */");
    return put_host(d, sq_print_passed(c->p, x));
}
