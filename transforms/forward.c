/* Forward: see forward.h. Statements are visited in textual order, each in the kernel that the
 * previous ones have left, so that a chain of temporaries disappears from its beginning. */
#include "transforms/forward.h"
#include "ir/kernel/quota.h"
#include "ir/dependence/rewrite.h"
#include "ir/kernel/touch.h"
#include "transforms/substitute.h"
#include "transforms/transform.h"
#include <string.h>

enum {
    MOST_OPERATIONS = 2000000, /* limit on isl's operations for one statement */
    MOST_AGAIN = 8,            /* operations of a value that may be recomputed */
    MOST_WRITERS = 8,          /* statements that write one array: the time grows with their cube */
    MOST_NODES = 256           /* operators and operands of a reader with all substituted values */
};

/* ---- the cost of a value ---- */

static void find_dear(sq_expr *e, void *user)
{
    bool math = sq_op_get(e->op)->function[0][0] && e->op != SQ_OP_ABS;
    if (math || e->op == SQ_OP_DIV || e->op == SQ_OP_MOD)
        *(const sq_expr **)user = e;
}

static void count_node(sq_expr *e, void *user)
{
    (void)e;
    ++*(int *)user;
}

static int nodes_of(const sq_expr *e)
{
    int n = 0;
    sq_expr_walk((sq_expr *)e, count_node, &n);
    return n;
}

/* True if no two instances of the reader get the value of the same instance. */
static bool is_injective(const sq_substitution *n, const sq_spot *at)
{
    isl_map *m = isl_map_from_multi_aff(isl_multi_aff_copy(at->from));
    m = isl_map_intersect_domain(m, sq_stmt_instances(n->k, at->reader, at->update));
    bool once = isl_map_is_injective(m) == isl_bool_true;
    isl_map_free(m);
    return once;
}

static bool same_place(const sq_spot *a, const sq_spot *b)
{
    return a->reader == b->reader && a->update == b->update &&
           isl_multi_aff_plain_is_equal(a->from, b->from) == isl_bool_true;
}

/* True if the value of each instance of the statement is computed at most once afterwards, as
 * before: common subexpressions of one value are computed once. */
static bool computed_once(const sq_substitution *n)
{
    for (int i = 1; i < n->nspots; i++)
        if (!same_place(&n->spot[0], &n->spot[i]))
            return false;
    return is_injective(n, &n->spot[0]);
}

static int spots_in(const sq_substitution *n, const sq_stmt *reader)
{
    int all = 0;
    for (int i = 0; i < n->nspots; i++)
        all += n->spot[i].reader == reader;
    return all;
}

/* True if the innermost loop reads the elements backwards. */
static bool goes_back(const sq_access *a)
{
    double by[SQ_MAX_DIMS] = {0}, step;
    int ndim = (int)isl_multi_aff_dim(a->map, isl_dim_in);
    if (ndim == 0 || ndim > SQ_MAX_DIMS)
        return false;
    by[ndim - 1] = 1;
    return sq_access_step(a, by, ndim, &step) && step < 0;
}

/* True if the reader would read anything backwards: its lanes would be gathered one by one, which
 * is slower than scalar code. */
static bool reads_back(const sq_substitution *n, const sq_spot *at)
{
    sq_access *read[SQ_MAX_STMT_READS];
    int reads = sq_stmt_all_reads(at->reader, read, NULL);
    bool back = false;
    for (int i = 0; i < reads && !back; i++)
        back = goes_back(read[i]);
    reads = sq_stmt_all_reads(n->of, read, NULL);
    for (int i = 0; i < reads && !back; i++) {
        sq_access there = *read[i];
        there.map = isl_multi_aff_pullback_multi_aff(isl_multi_aff_copy(read[i]->map),
                                                     isl_multi_aff_copy(at->from));
        back = goes_back(&there);
        isl_multi_aff_free(there.map);
    }
    return back;
}

/* Returns why substitution would cost time, or NULL. */
static const char *loses(const sq_substitution *n)
{
    const sq_expr *dear = NULL, *value = n->of->value;
    int size = nodes_of(value), flops = sq_expr_flops(value);
    for (int i = 0; i < n->nspots; i++) {
        const sq_stmt *c = n->spot[i].reader;
        int all = size * spots_in(n, c) + nodes_of(c->value) + nodes_of(c->body);
        if (all > MOST_NODES)
            return sq_arena_printf(n->k->arena,
                                   "%s would have %d operators and operands; it is kept above %d",
                                   c->name, all, MOST_NODES);
    }
    for (int i = 0; i < n->nspots; i++)
        if (reads_back(n, &n->spot[i]))
            return sq_arena_printf(n->k->arena,
                                   "%s would read backwards in vectors, which gains nothing",
                                   n->spot[i].reader->name);
    if (computed_once(n))
        return NULL;
    sq_expr_walk((sq_expr *)value, find_dear, &dear);
    if (dear)
        return sq_arena_printf(n->k->arena, "'%s' would be computed more than once",
                               sq_op_get(dear->op)->name);
    return flops <= MOST_AGAIN
               ? NULL
               : sq_arena_printf(n->k->arena, "its %d operations would be computed more than once",
                                 flops);
}

/* ---- the statements ---- */

/* True if a statement of C loops shared with other statements writes a temporary or a variable. */
static bool is_candidate(const sq_schedule *naive, const sq_stmt *s)
{
    const sq_array *a = s->write->array;
    if ((a->role != SQ_LOCAL && a->ndim > 0) || !s->written_loops || s->nfree == 0)
        return false;
    for (int g = 0; g < naive->ngroups; g++)
        for (int i = 0; i < naive->group[g]->nstmts; i++)
            if (naive->group[g]->stmt[i] == s)
                return naive->group[g]->kind == SQ_GROUP_WRITTEN;
    return false;
}

/* Returns "its value is computed where S1 and S2 read it" */
static const char *readers(const sq_substitution *n)
{
    const char *names = n->spot[0].reader->name;
    for (int i = 1; i < n->nspots; i++)
        if (n->spot[i].reader != n->spot[i - 1].reader)
            names = sq_arena_printf(n->k->arena, "%s, %s", names, n->spot[i].reader->name);
    return sq_arena_printf(n->k->arena, "computed where %s read%s it", names,
                           strchr(names, ',') ? "" : "s");
}

static int writers_of(const sq_kernel *k, const sq_array *a)
{
    int n = 0;
    for (int i = 0; i < k->nstmts; i++)
        n += k->stmt[i]->write->array == a;
    return n;
}

/* Returns k, one of the kernels made of root, without the statement; k itself if the statement is
 * kept. */
static const sq_kernel *forward(const sq_kernel *root, const sq_kernel *k, sq_forwarded *f)
{
    sq_substitution n = {0};
    const char *text = NULL;
    const sq_stmt *s = sq_kernel_stmt(k, f->stmt->name);
    sq_kernel *made = NULL;
    int writers = writers_of(k, s->write->array);
    if (writers > MOST_WRITERS) {
        f->why = sq_arena_printf(k->arena,
                                 "%d statements write '%s'; of at most %d it is asked which "
                                 "of them a read is of",
                                 writers, s->write->array->name, MOST_WRITERS);
        return k;
    }
    sq_quota q = sq_quota_begin(k->ctx, sq_quota_share(k, MOST_OPERATIONS));
    if (sq_substitution_find(&n, k, s) != 0)
        f->why = n.why;
    else if (!(f->why = loses(&n)))
        made = sq_substitution_make(&n, root);
    if (made)
        f->why = readers(&n);
    sq_substitution_free(&n);
    if (sq_quota_end(q, &text)) {
        f->why = sq_arena_printf(k->arena, "its dataflow cannot be computed: %s", text);
        made = NULL;
    }
    f->can = made != NULL;
    return made ? made : k;
}

static const char *add_name(const char *call, const sq_stmt *s, sq_arena *arena)
{
    return *call ? sq_arena_printf(arena, "%s, %s", call, s->name)
                 : sq_arena_printf(arena, "inline(%s", s->name);
}

/* Ends the kernel, for the call that makes it. */
static bool end(const sq_kernel *root, sq_kernel *made, const char *call)
{
    const char *why = NULL;
    if (sq_rewritten_find(root, call))
        return true;
    const sq_schedule *start = sq_schedule_new(made, made->arena);
    return sq_rewritten_end(root, made, start, call, &why) == 0;
}

int sq_forward_find(const sq_schedule *naive, sq_arena *arena, sq_forwarded **list,
                    const char **call)
{
    const sq_kernel *root = naive->kernel, *k = root;
    int n = 0, names = 0;
    *list = SQ_NEW_ARRAY(arena, sq_forwarded, root->nstmts + 1);
    *call = "";
    for (int i = 0; i < root->nstmts && root->rewritten && names < SQ_MAX_ARGS; i++) {
        sq_forwarded *f = &(*list)[n];
        *f = (sq_forwarded){.stmt = root->stmt[i]};
        if (!is_candidate(naive, f->stmt))
            continue;
        n++;
        k = forward(root, k, f);
        if (f->can) {
            *call = add_name(*call, f->stmt, root->arena);
            names++;
        }
    }
    if (!names)
        return n;
    *call = sq_arena_printf(root->arena, "%s)", *call);
    if (!end(root, (sq_kernel *)k, *call))
        *call = "";
    return n;
}
