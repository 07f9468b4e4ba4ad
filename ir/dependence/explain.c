/* Explain: see explain.h. A loop's verdict follows from the dependences between the statements
 * inside of it whose instances agree in all outer loops: if none connects two of its iterations, it
 * can run in threads and vectors; if all go forward in a sequence of loops, those can be tiled
 * together. */
#include "ir/dependence/explain.h"
#include "ir/dependence/deps.h"
#include "ir/dependence/deps_list.h"
#include "ir/schedule/tree.h"
#include "support/text.h"
#include <isl/set.h>
#include <isl/val.h>
#include <string.h>

enum { MOST_LOOPS = 256 };

typedef struct explaining {
    const sq_kernel *k;
    sq_arena *arena;
    sq_dep_list deps;
    int n;
    sq_loop_facts *loop;
} explaining;

/* ---- the loops ---- */

/* Returns component c of the textual time if it is a constant, else -1. */
static long position(const sq_stmt *s, int c)
{
    if (!s->textual || c >= (int)isl_map_dim(s->textual, isl_dim_out))
        return -1;
    isl_val *v = isl_map_plain_get_val_if_fixed(s->textual, isl_dim_out, (unsigned)c);
    long at = isl_val_is_int(v) == isl_bool_true ? isl_val_get_num_si(v) : -1;
    isl_val_free(v);
    return at;
}

/* True if both are inside of the same loop of that depth. */
static bool share_loop(const sq_stmt *a, const sq_stmt *b, int depth)
{
    if (a == b)
        return true;
    if (!a->written_loops || !b->written_loops || depth >= a->nfree || depth >= b->nfree)
        return false;
    for (int d = 0; d <= depth; d++)
        if (position(a, 2 * d) < 0 || position(a, 2 * d) != position(b, 2 * d))
            return false;
    return true;
}

static int find_loop(const explaining *e, const sq_stmt *s, int depth)
{
    for (int i = 0; i < e->n; i++)
        if (e->loop[i].depth == depth && share_loop(e->loop[i].stmt[0], s, depth))
            return i;
    return -1;
}

/* Returns the reduction as it is written. */
static const char *reduction(const sq_stmt *s)
{
    return s->reduce == SQ_OP_ADD   ? "sum"
           : s->reduce == SQ_OP_MUL ? "prod"
           : s->reduce == SQ_OP_MAX ? "rmax"
                                    : "rmin";
}

static void find_loops(explaining *e)
{
    for (int i = 0; i < e->k->nstmts; i++) {
        const sq_stmt *s = e->k->stmt[i];
        int parent = -1;
        for (int d = 0; d < s->ndim && e->n < MOST_LOOPS; d++) {
            int at = find_loop(e, s, d);
            if (at < 0) {
                at = e->n++;
                e->loop[at] =
                    (sq_loop_facts){.name = s->dim[d],
                                    .depth = d,
                                    .parent = parent,
                                    .sum = d >= s->nfree,
                                    .over = d >= s->nfree ? reduction(s) : NULL,
                                    .stmt = SQ_NEW_ARRAY(e->arena, const sq_stmt *, e->k->nstmts)};
            }
            e->loop[at].stmt[e->loop[at].nstmts++] = s;
            parent = at;
        }
    }
}

static bool inside(const sq_loop_facts *l, const sq_stmt *s)
{
    for (int i = 0; i < l->nstmts; i++)
        if (l->stmt[i] == s)
            return true;
    return false;
}

/* ---- dependences that a loop carries ---- */

/* True if both instances of the dependence have coordinates of the loops up to depth. */
static bool reaches(const sq_dep *d, int depth)
{
    return depth < (int)isl_map_dim(d->map, isl_dim_in) &&
           depth < (int)isl_map_dim(d->map, isl_dim_out);
}

static bool passes(const sq_dep *d, sq_dep_kind kind, const sq_stmt *from, const sq_array *array)
{
    return d->kind == kind && d->from == from && d->array == array;
}

/* Returns the pairs of a dependence; for a temporary those that pass a value, which is not
 * overwritten in between. Every instance writes one element, so two steps through a third instance
 * prove that it wrote the same one. */
static isl_map *true_pairs(const explaining *e, const sq_dep *d)
{
    isl_map *m = isl_map_copy(d->map);
    if (d->kind != SQ_DEP_FLOW || d->array->role != SQ_LOCAL)
        return m;
    for (int i = 0; i < e->deps.n; i++) {
        const sq_dep *again = &e->deps.dep[i];
        for (int j = 0; j < e->deps.n && passes(again, SQ_DEP_OUTPUT, d->from, d->array); j++) {
            const sq_dep *last = &e->deps.dep[j];
            if (passes(last, SQ_DEP_FLOW, again->to, d->array) && last->to == d->to &&
                last->to_update == d->to_update)
                m = isl_map_subtract(
                    m, isl_map_apply_range(isl_map_copy(again->map), isl_map_copy(last->map)));
        }
    }
    return m;
}

/* Returns the pairs that agree in the first `depth` loops. */
static isl_map *below(const explaining *e, const sq_dep *d, int depth)
{
    isl_map *m = true_pairs(e, d);
    for (int i = 0; i < depth; i++)
        m = isl_map_equate(m, isl_dim_in, i, isl_dim_out, i);
    return m;
}

/* Returns the pairs whose target has the smaller, or greater, value of loop `depth`. */
static isl_map *ordered(isl_map *m /* __isl_take */, int depth, bool smaller)
{
    unsigned n = (unsigned)depth;
    return smaller ? isl_map_order_gt(m, isl_dim_in, depth, isl_dim_out, (int)n)
                   : isl_map_order_lt(m, isl_dim_in, depth, isl_dim_out, (int)n);
}

static isl_map *parted(const explaining *e, const sq_dep *d, int depth)
{
    isl_map *both = below(e, d, depth);
    isl_map *later = ordered(isl_map_copy(both), depth, false);
    return isl_map_union(later, ordered(both, depth, true));
}

static const char *act(const explaining *e, const sq_stmt *s, const sq_access *a, bool write)
{
    return sq_arena_printf(e->arena, "line %d %s '%s'", s->loc.line, write ? "writes" : "reads",
                           a->array->name);
}

/* Returns "line 9 writes 'A', which line 8 reads" and an example. */
static const char *reason(const explaining *e, const sq_dep *d, isl_map *pairs)
{
    bool first = d->kind == SQ_DEP_FLOW || d->kind == SQ_DEP_OUTPUT, then = d->kind != SQ_DEP_FLOW;
    const char *same =
        d->other ? sq_arena_printf(e->arena, ", which may overlap '%s'", d->other->name) : "";
    return sq_arena_printf(e->arena, "%s%s, which line %d %s in another iteration: for example %s",
                           act(e, d->from, d->first, first), same, d->to->loc.line,
                           then ? "writes" : "reads", sq_deps_example(e->k, pairs));
}

/* Returns why iterations of the loop are not independent; NULL if they are. *reuse: a temporary
 * whose memory they reuse, which private copies would resolve; or NULL. */
static const char *carries(const explaining *e, const sq_loop_facts *l, const char **reuse)
{
    const char *why = NULL;
    *reuse = NULL;
    for (int i = 0; i < e->deps.n && !why; i++) {
        const sq_dep *d = &e->deps.dep[i];
        if (d->kind == SQ_DEP_SUM || !inside(l, d->from) || !inside(l, d->to) ||
            !reaches(d, l->depth))
            continue;
        isl_map *pairs = parted(e, d, l->depth);
        if (isl_map_is_empty(pairs) != isl_bool_true) {
            if (d->kind != SQ_DEP_FLOW && d->array->role == SQ_LOCAL)
                *reuse = d->array->name;
            else
                why = reason(e, d, pairs);
        }
        isl_map_free(pairs);
    }
    return why;
}

/* ---- verdicts ---- */

static const char *sum_text(const explaining *e, const sq_loop_facts *l)
{
    return l->stmt[0]->ordered
               ? sq_arena_printf(e->arena,
                                 "the reduction of line %d is done in the order written "
                                 "(fp strict)",
                                 l->stmt[0]->loc.line)
               : NULL;
}

/* Returns what a reduction does to its element. */
static const char *reduces(const sq_stmt *s)
{
    return s->reduce == SQ_OP_ADD   ? "adds up"
           : s->reduce == SQ_OP_MUL ? "multiplies up"
           : s->reduce == SQ_OP_MAX ? "keeps the greatest value in"
                                    : "keeps the least value in";
}

static sq_permission parallel(const explaining *e, const sq_loop_facts *l, const char *why,
                              const char *reuse)
{
    if (l->sum)
        return (sq_permission){false,
                               sq_arena_printf(e->arena,
                                               "it %s one element of '%s' (line %d): "
                                               "threads would change it at once",
                                               reduces(l->stmt[0]), l->stmt[0]->write->array->name,
                                               l->stmt[0]->loc.line)};
    if (why)
        return (sq_permission){false, why};
    if (reuse)
        return (sq_permission){false,
                               sq_arena_printf(e->arena,
                                               "only the memory of the temporary '%s' is used "
                                               "again; auto(parallel) gives threads their own",
                                               reuse)};
    return (sq_permission){true, "its iterations do not need each other"};
}

/* Returns the stride of an access along dimension d of its instance, in elements of the last
 * subscript: 0, 1, or -1 for anything else. */
static int step_of(const sq_access *a, int d)
{
    double by[SQ_MAX_DIMS] = {0}, step;
    by[d] = 1;
    bool known = sq_access_step(a, by, d + 1, &step);
    return known && (step == 0 || step == 1) ? (int)step : -1;
}

/* Adds a name to a list unless it is there. */
static void name_once(const char **names, int *n, const char *name)
{
    for (int i = 0; i < *n; i++)
        if (strcmp(names[i], name) == 0)
            return;
    names[(*n)++] = name;
}

enum { MOST_NAMED = 16, STEPS = 3, FOUND = STEPS, KINDS_OF_STEP };

/* Returns the kind of a read along dimension d: FOUND for indirect subscripts, else its stride,
 * from -1 on. */
static int kind_of(const sq_stmt *s, const sq_access *a, int d)
{
    const sq_expr *read = a->indirect ? sq_stmt_read_of(s, a) : NULL;
    for (int i = 0; read && i < read->nargs; i++)
        if (sq_expr_moves(read->arg[i], d))
            return FOUND;
    return step_of(a, d) + 1;
}

/* Returns "contiguous: A, C; the same for all lanes: B". */
static const char *movement(const explaining *e, const sq_loop_facts *l)
{
    static const char *const verbs[] = {
        "jumps: ", "the same for all lanes: ", "contiguous: ", "at places that values say: "};
    const char *name[KINDS_OF_STEP][MOST_NAMED];
    int n[KINDS_OF_STEP] = {0};
    sq_text all = {0};
    for (int i = 0; i < l->nstmts; i++) {
        sq_access *access[SQ_MAX_STMT_READS + 1];
        int m = sq_stmt_all_reads(l->stmt[i], access, NULL);
        if (!l->sum)
            access[m++] = l->stmt[i]->write;
        for (int r = 0; r < m; r++) {
            int kind = kind_of(l->stmt[i], access[r], l->depth);
            if (n[kind] < MOST_NAMED)
                name_once(name[kind], &n[kind], access[r]->array->name);
        }
    }
    for (int v = KINDS_OF_STEP - 1; v >= 0; v--)
        for (int i = 0; i < n[v]; i++)
            sq_text_printf(&all, "%s%s%s",
                           i       ? ", "
                           : all.n ? "; "
                                   : "",
                           i ? "" : verbs[v], name[v][i]);
    return sq_text_take(&all, e->arena);
}

/* True if both sides of all pairs write the same element. */
static bool of_one_element(const sq_stmt *s, isl_map *pairs)
{
    isl_map *w = isl_map_from_multi_aff(isl_multi_aff_copy(s->write->map));
    isl_map *back = isl_map_reverse(isl_map_copy(w)), *same = isl_map_apply_range(w, back);
    bool all = isl_map_is_subset(pairs, same) == isl_bool_true;
    isl_map_free(same);
    return all;
}

/* Returns the statement whose sum, written as a loop, is the only dependence that the loop carries;
 * NULL. */
static const sq_stmt *carried_sum(const explaining *e, const sq_loop_facts *l)
{
    const sq_stmt *found = NULL;
    for (int i = 0; i < e->deps.n; i++) {
        const sq_dep *d = &e->deps.dep[i];
        if (!inside(l, d->from) || !inside(l, d->to) || !reaches(d, l->depth))
            continue;
        isl_map *pairs = parted(e, d, l->depth);
        bool carried = isl_map_is_empty(pairs) != isl_bool_true;
        bool fits = carried && d->from == d->to && sq_stmt_sum(d->from) &&
                    (!found || found == d->from) && of_one_element(d->from, pairs);
        isl_map_free(pairs);
        if (!carried)
            continue;
        if (!fits)
            return NULL;
        found = d->from;
    }
    return found;
}

static sq_permission vector(const explaining *e, const sq_loop_facts *l, const char *why)
{
    const char *strict = l->sum ? sum_text(e, l) : NULL;
    const sq_stmt *sum = why && e->k->fp != SQ_FP_STRICT ? carried_sum(e, l) : NULL;
    if (sum)
        return (sq_permission){true,
                               sq_arena_printf(e->arena, "lanes hold partial sums of line %d; %s",
                                               sum->loc.line, movement(e, l))};
    if (why || strict)
        return (sq_permission){false, why ? why : strict};
    return (sq_permission){true, sq_arena_printf(e->arena, "%s%s",
                                                 l->sum ? "lanes hold partial results; " : "",
                                                 movement(e, l))};
}

/* Describes a dependence inside loop l that goes back in loop m, l itself or one around it,
 * although the loops outside `outer` do not satisfy it; NULL if there is none. */
static const char *goes_back(const explaining *e, const sq_loop_facts *l, const sq_loop_facts *m,
                             int outer)
{
    const char *why = NULL;
    for (int i = 0; i < e->deps.n && !why; i++) {
        const sq_dep *d = &e->deps.dep[i];
        if (d->kind == SQ_DEP_SUM || !inside(l, d->from) || !inside(l, d->to) ||
            !reaches(d, m->depth))
            continue;
        isl_map *pairs = ordered(below(e, d, outer), m->depth, true);
        if (isl_map_is_empty(pairs) != isl_bool_true)
            why = reason(e, d, pairs);
        isl_map_free(pairs);
    }
    return why;
}

/* Does the same for all loops from l out to `outer`, exclusive: a dependence goes forward if the
 * loops outside agree. */
static const char *row_goes_back(const explaining *e, const sq_loop_facts *l, int outer)
{
    const char *why = NULL;
    for (const sq_loop_facts *m = l; m->depth > outer && !why; m = &e->loop[m->parent])
        why = goes_back(e, l, m, outer);
    return why;
}

/* Returns the verdict on tiling with the loops directly around it, as long as they contain the same
 * statements and dependences go forward in all of them. */
static sq_permission tile(const explaining *e, const sq_loop_facts *l)
{
    const char *names = NULL, *why = NULL;
    int with = l->parent;
    while (with >= 0 && e->loop[with].nstmts == l->nstmts &&
           !(why = row_goes_back(e, l, e->loop[with].depth))) {
        names = names ? sq_arena_printf(e->arena, "%s, %s", e->loop[with].name, names)
                      : e->loop[with].name;
        with = e->loop[with].parent;
    }
    if (names)
        return (sq_permission){true, sq_arena_printf(e->arena, "together with %s", names)};
    if (!why && l->parent < 0)
        return (sq_permission){true, "by itself, it is the outermost"};
    if (!why)
        return (sq_permission){true,
                               sq_arena_printf(e->arena,
                                               "by itself; '%s' around it holds other statements, "
                                               "which auto(tile:…) may put together with it",
                                               e->loop[l->parent].name)};
    return (sq_permission){false,
                           sq_arena_printf(e->arena,
                                           "not together with %s (auto(tile:…) may skew them): "
                                           "%s",
                                           e->loop[l->parent].name, why)};
}

int sq_explain_loops(const sq_kernel *k, sq_arena *arena, sq_loop_facts **loops)
{
    explaining e = {.k = k, .arena = arena, .loop = SQ_NEW_ARRAY(arena, sq_loop_facts, MOST_LOOPS)};
    if (!sq_deps_list(k, arena, &e.deps))
        return -1;
    find_loops(&e);
    for (int i = 0; i < e.n; i++) {
        sq_loop_facts *l = &e.loop[i];
        const char *reuse, *why = carries(&e, l, &reuse);
        l->parallel = parallel(&e, l, why, reuse);
        l->vector = vector(&e, l, why);
        l->tile = tile(&e, l);
    }
    sq_deps_list_free(&e.deps);
    *loops = e.loop;
    return e.n;
}
