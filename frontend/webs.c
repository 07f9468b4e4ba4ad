/* Webs: a variable that is set anew where it is used again, `sum` of one nest and of the next, is a temporary for each
 * use. What it holds does not flow from one to the other, but its memory would keep them in the order written. */
#include "frontend/build.h"
#include "ir/kernel/shared_loops.h"
#include <isl/aff.h>

/* The statements that touch a scalar, in the order written; web[i] is the one that begins the web of stmt[i]. */
typedef struct webs {
    const sq_array *array;
    int n, count;
    sq_stmt **stmt, **web;
} webs;

static bool begins(const webs *w, const sq_stmt *s)
{
    return s->write->array == w->array && !s->updates && !s->nindex && !s->is_maybe &&
           !sq_expr_reads(s->value, w->array);
}

/* True if the statement finds what `first` wrote in the same iteration of the loops around that. Outside of loops that
 * is any later one: statements there run completely at their place. */
static bool follows(const sq_kernel *k, const sq_stmt *first, const sq_stmt *s)
{
    int n = first->nfree;
    if (!first->written_loops || !s->written_loops)
        return n == 0 && sq_stmt_always_has(k, s, first, 0);
    return s->nfree - s->nindex >= n && sq_stmt_place_inside(first, n) >= 0 &&
           sq_stmt_place_inside(s, n) > sq_stmt_place_inside(first, n) && sq_stmts_share_loops(first, s, n) &&
           sq_stmt_always_has(k, s, first, n);
}

/* False if an iteration of the n outer loops may run them in turns, as it does in a loop around both. */
static bool are_separate(const sq_stmt *a, const sq_stmt *b, int n)
{
    bool separate = !a->written_loops || !b->written_loops, known = true;
    for (int d = 0; d <= n && !separate && known; d++) {
        int x = sq_stmt_place_inside(a, d), y = sq_stmt_place_inside(b, d);
        known = x >= 0 && y >= 0;
        separate = known && x != y;
    }
    return separate;
}

/* False if some statement may find what another web wrote. */
static bool find(const sq_kernel *k, webs *w)
{
    sq_stmt *first = NULL;
    for (int i = 0; i < k->nstmts; i++) {
        sq_stmt *s = k->stmt[i];
        if (!sq_stmt_touches(s, w->array))
            continue;
        if (!begins(w, s) && (!first || !follows(k, first, s)))
            return false;
        if (begins(w, s)) {
            if (first && !are_separate(w->stmt[w->n - 1], s, first->nfree))
                return false;
            first = s;
            w->count++;
        }
        w->stmt[w->n] = s;
        w->web[w->n++] = first;
    }
    return true;
}

static void rename_access(sq_access *a, const sq_array *from, sq_array *to)
{
    if (a->array != from)
        return;
    a->array = to;
    a->map = isl_multi_aff_set_tuple_name(a->map, isl_dim_out, to->name);
}

static void rename_scalar(sq_stmt *s, const sq_array *from, sq_array *to)
{
    sq_access *read[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(s, read, NULL);
    for (int i = 0; i < n; i++)
        rename_access(read[i], from, to);
    rename_access(s->write, from, to);
}

/* What is set and not used before it is set again, or never used. */
static void drop(sq_kernel *k, sq_stmt *s)
{
    int kept = 0;
    for (int i = 0; i < k->nstmts; i++)
        if (k->stmt[i] != s)
            k->stmt[kept++] = k->stmt[i];
    k->nstmts = kept;
    sq_stmt_free(s);
}

/* The first web that is used keeps the variable. */
static void split(sq_builder *b, webs *w)
{
    const sq_stmt *keeper = NULL;
    sq_array *to = NULL;
    for (int i = 0; i < w->n; i++) {
        bool is_first = w->web[i] == w->stmt[i];
        if (is_first && (i + 1 == w->n || w->web[i + 1] != w->web[i])) {
            drop(b->k, w->stmt[i]);
            continue;
        }
        if (is_first && keeper)
            to = sq_symbol_temporary(b, w->array->name, w->array->type, NULL, w->stmt[i]->loc)->array;
        keeper = keeper ? keeper : w->web[i];
        if (to)
            rename_scalar(w->stmt[i], w->array, to);
    }
}

void sq_webs_settle(sq_builder *b)
{
    sq_kernel *k = b->k;
    int narrays = k->narrays;
    for (int i = 0; i < narrays; i++) {
        webs w = {.array = k->array[i]};
        if (w.array->ndim || w.array->role != SQ_LOCAL || w.array->is_named)
            continue;
        w.stmt = SQ_NEW_ARRAY(k->arena, sq_stmt *, k->nstmts + 1);
        w.web = SQ_NEW_ARRAY(k->arena, sq_stmt *, k->nstmts + 1);
        if (find(k, &w) && w.count > 1)
            split(b, &w);
    }
}
