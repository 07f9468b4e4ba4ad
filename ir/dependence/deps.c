/* Dependences: all pairs of instances that access the same element, one of them writing, the
 * source textually first; see deps.h for updates of one reduction among each other. Memory-based
 * and exact: an isl map per pair of statements and array, but for those that follow from others
 * (writers.h). Arrays that are never written cost nothing. */
#include "ir/dependence/deps.h"
#include "ir/kernel/quota.h"
#include "ir/dependence/rewrite.h"
#include "ir/kernel/touch.h"
#include "ir/schedule/tree.h"
#include "ir/dependence/witness.h"
#include "ir/dependence/writers.h"
#include "support/text.h"
#include <isl/printer.h>
#include <isl/space.h>
#include <isl/union_set.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPERATIONS = 4000000 }; /* limit on isl's operations, for all dependences of a kernel */

/* All touches of written arrays, with those of one statement, kind and array joined. */
typedef struct touches {
    const sq_kernel *k;
    int n, cap;
    sq_touch *t;
} touches;

/* True if any statement writes it, or an array that may overlap it. */
static bool written(const sq_kernel *k, const sq_array *a)
{
    for (int i = 0; i < k->nstmts; i++)
        if (sq_arrays_overlap(k->stmt[i]->write->array, a))
            return true;
    return false;
}

static void add_touch(touches *all, const sq_stmt *s, const sq_access *a, bool update, bool write)
{
    if (!written(all->k, a->array))
        return;
    isl_map *rel = sq_touch_rel(all->k, s, a, update);
    for (int i = 0; i < all->n; i++) {
        sq_touch *t = &all->t[i];
        if (t->stmt == s && t->array == a->array && t->update == update && t->write == write) {
            t->rel = isl_map_coalesce(isl_map_union(t->rel, rel));
            return;
        }
    }
    all->t[all->n++] = (sq_touch){
        .stmt = s, .update = update, .write = write, .array = a->array, .access = a, .rel = rel};
}

static void add_stmt(touches *all, const sq_stmt *s)
{
    int n = sq_stmt_reads(s, NULL, NULL, 0);
    sq_access **read = SQ_NEW_ARRAY(all->k->arena, sq_access *, n + 1);
    bool *in_body = SQ_NEW_ARRAY(all->k->arena, bool, n + 1);
    sq_stmt_reads(s, read, in_body, n);
    for (int i = 0; i < n; i++)
        add_touch(all, s, read[i], in_body[i], false);
    add_touch(all, s, s->write, false, true);
}

static touches collect(const sq_kernel *k)
{
    touches all = {.k = k};
    for (int i = 0; i < k->nstmts; i++)
        all.cap += sq_stmt_reads(k->stmt[i], NULL, NULL, 0) + 1;
    all.t = SQ_NEW_ARRAY(k->arena, sq_touch, all.cap);
    for (int i = 0; i < k->nstmts; i++)
        add_stmt(&all, k->stmt[i]);
    return all;
}

/* Returns the updates of one element in the order of the reduction's dimensions. */
static isl_map *in_order(const sq_kernel *k, const sq_stmt *s)
{
    isl_map *m = isl_map_lex_lt(isl_set_get_space(s->updates));
    for (int d = 0; d < s->nfree; d++)
        m = isl_map_equate(m, isl_dim_in, d, isl_dim_out, d);
    m = isl_map_intersect_domain(m, sq_stmt_instances(k, s, true));
    return isl_map_intersect_range(m, sq_stmt_instances(k, s, true));
}

static isl_union_map *reductions(const sq_kernel *k, isl_union_map *deps)
{
    for (int i = 0; i < k->nstmts; i++)
        if (k->stmt[i]->updates) {
            deps = isl_union_map_union(deps, isl_union_map_from_map(sq_stmt_finish(k, k->stmt[i])));
            if (k->stmt[i]->ordered)
                deps = isl_union_map_union(deps, isl_union_map_from_map(in_order(k, k->stmt[i])));
        }
    return deps;
}

static isl_union_map *conflicts(const touches *all, isl_union_map *deps)
{
    const sq_writers *writers = sq_writers_find(all->k, all->t, all->n);
    for (int a = 0; a < all->n; a++)
        for (int b = 0; b < all->n; b++) {
            if (!sq_arrays_overlap(all->t[a].array, all->t[b].array) ||
                !(all->t[a].write || all->t[b].write) || sq_writers_imply(writers, a, b))
                continue;
            isl_map *pairs = sq_touch_pairs(all->k, &all->t[a], &all->t[b]);
            if (isl_map_plain_is_empty(pairs) == isl_bool_true)
                isl_map_free(pairs);
            else
                deps = isl_union_map_union(deps, isl_union_map_from_map(pairs));
        }
    return deps;
}

static isl_stat keep_filled(isl_map *m, void *user)
{
    isl_union_map **to = user;
    if (isl_map_is_empty(m) == isl_bool_true)
        isl_map_free(m);
    else
        *to = isl_union_map_add_map(*to, m);
    return isl_stat_ok;
}

/* Drops maps that are empty. */
static isl_union_map *tidy(isl_union_map *deps)
{
    deps = isl_union_map_coalesce(deps);
    isl_union_map *kept = isl_union_map_empty(isl_union_map_get_space(deps));
    isl_union_map_foreach_map(deps, keep_filled, &kept);
    isl_union_map_free(deps);
    return kept;
}

int sq_deps_compute(sq_kernel *k, sq_diags *d)
{
    const char *text = NULL;
    sq_quota q = sq_quota_begin(k->ctx, sq_quota_share(k, MOST_OPERATIONS));
    touches all = collect(k);
    isl_union_map *deps = isl_union_map_empty(isl_set_get_space(k->context));
    deps = tidy(conflicts(&all, reductions(k, deps)));
    for (int i = 0; i < all.n; i++)
        isl_map_free(all.t[i].rel);
    if (sq_quota_end(q, &text) || !deps) {
        isl_union_map_free(deps);
        return sq_quota_refuse(k, "dependences", text, d);
    }
    isl_union_map_free(k->deps);
    k->deps = deps;
    sq_tree_deps_drop(k);
    sq_rewritten_free(k);
    return 0;
}

const sq_stmt *sq_deps_stmt(const sq_kernel *k, const char *tuple, bool *update)
{
    size_t n = tuple ? strlen(tuple) : 0;
    for (int i = 0; i < k->nstmts; i++) {
        const char *name = k->stmt[i]->name;
        size_t len = strlen(name);
        if (n < len || strncmp(tuple, name, len) != 0)
            continue;
        *update = strcmp(tuple + len, "_u") == 0 && k->stmt[i]->updates;
        if (*update || n == len)
            return k->stmt[i];
    }
    return NULL;
}

/* Returns "with N=2: S0[i=1] needs S0[i=0]" for one pair of a nonempty relation. */
const char *sq_deps_example(const sq_kernel *k, isl_map *pairs)
{
    bool from_update = false, to_update = false;
    sq_witness w;
    const sq_stmt *from = sq_deps_stmt(k, isl_map_get_tuple_name(pairs, isl_dim_in), &from_update);
    const sq_stmt *to = sq_deps_stmt(k, isl_map_get_tuple_name(pairs, isl_dim_out), &to_update);
    int n = (int)isl_map_dim(pairs, isl_dim_in);
    if (!from || !to || !sq_witness_find(k, isl_map_wrap(isl_map_copy(pairs)), &w))
        return "one instance needs another";
    return sq_arena_printf(k->arena, "%s%s needs %s", w.sizes,
                           sq_witness_instance(k, to, to_update, &w, n),
                           sq_witness_instance(k, from, from_update, &w, 0));
}

static isl_map *name_side(isl_map *m, enum isl_dim_type side, const sq_kernel *k, const char *prime)
{
    bool update = false;
    const sq_stmt *s = sq_deps_stmt(k, isl_map_get_tuple_name(m, side), &update);
    for (int d = 0; s && d < (int)isl_map_dim(m, side); d++)
        m = isl_map_set_dim_name(m, side, (unsigned)d,
                                 sq_arena_printf(k->arena, "%s%s", s->dim[d], prime));
    return m;
}

typedef struct lines {
    const sq_kernel *k;
    int n;
    char **line;
} lines;

static isl_stat print_map(isl_map *m, void *user)
{
    lines *l = user;
    m = isl_map_gist_params(m, isl_set_copy(l->k->context));
    m = name_side(name_side(m, isl_dim_in, l->k, ""), isl_dim_out, l->k, "'");
    char *s = isl_map_to_str(m);
    if (s)
        l->line[l->n++] = sq_arena_strdup(l->k->arena, s);
    free(s);
    isl_map_free(m);
    return isl_stat_ok;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void sq_deps_print(const sq_kernel *k, sq_text *to)
{
    lines l = {.k = k};
    if (!k->deps)
        return;
    l.line = SQ_NEW_ARRAY(k->arena, char *, isl_union_map_n_map(k->deps) + 1);
    isl_union_map_foreach_map(k->deps, print_map, &l);
    qsort(l.line, (size_t)l.n, sizeof *l.line, by_text); /* isl's order is that of a hash table */
    for (int i = 0; i < l.n; i++)
        sq_text_line(to, "%s", l.line[i]);
}
