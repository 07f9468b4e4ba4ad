/* Written tree: C loops as the tree that they were written as. Each loop is a band, and where several loops
 * or statements follow each other stands a sequence; indices of a statement, which have no order, are a band
 * around it. */
#include "ir/kernel/piece.h"
#include "transforms/tree_mark.h"
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

typedef struct writer {
    const sq_kernel *k;
    const sq_group *g;
    sq_arena *arena;
    bool failed; /* a loop or a place that rows cannot express */
} writer;

/* Returns the place of a statement, or of its loop, inside of `depth` loops. */
static int place_of(writer *w, int stmt, int depth)
{
    isl_val *v = isl_map_plain_get_val_if_fixed(w->g->stmt[stmt]->textual, isl_dim_out, 2 * (unsigned)depth);
    bool known = isl_val_is_int(v) == isl_bool_true;
    int at = known ? (int)isl_val_get_num_si(v) : 0;
    isl_val_free(v);
    w->failed |= !known;
    return at;
}

static int loops_of(const sq_stmt *s)
{
    return s->nfree - s->nindex;
}

/* Reads the row of a statement's loop at that depth: the component of its textual time. */
static void read_row(writer *w, int stmt, int depth, sq_row *row)
{
    const sq_stmt *s = w->g->stmt[stmt];
    unsigned at = 2 * (unsigned)depth + 1, all = (unsigned)isl_map_dim(s->textual, isl_dim_out);
    isl_map *m = isl_map_project_out(isl_map_copy(s->textual), isl_dim_out, at + 1, all - at - 1);
    m = isl_map_project_out(m, isl_dim_out, 0, at);
    isl_pw_multi_aff *value = isl_pw_multi_aff_from_map(m);
    isl_aff *aff = sq_only_piece(isl_pw_multi_aff_get_pw_aff(value, 0));
    isl_pw_multi_aff_free(value);
    w->failed |= !aff || !sq_row_read(w->k, s, aff, row);
    isl_aff_free(aff);
}

static sq_tree *band(writer *w, int nmembers, const int *stmt, int n)
{
    sq_tree *t = sq_tree_new(w->arena, SQ_TREE_BAND, 1, stmt, n);
    t->nmembers = nmembers;
    t->member = SQ_NEW_ARRAY(w->arena, sq_member, nmembers);
    for (int m = 0; m < nmembers; m++)
        t->member[m].row = SQ_NEW_ARRAY(w->arena, sq_row, w->g->nstmts);
    return t;
}

/* Returns a statement inside of all its loops. */
static sq_tree *leaf(writer *w, int stmt)
{
    const sq_stmt *s = w->g->stmt[stmt];
    sq_tree *x = sq_tree_new(w->arena, SQ_TREE_LEAF, 0, &stmt, 1);
    if (!s->nindex)
        return x;
    sq_tree *t = band(w, s->nindex, &stmt, 1);
    for (int m = 0; m < s->nindex; m++)
        t->member[m].row[stmt].dim[loops_of(s) + m] = 1;
    t->child[0] = x;
    return t;
}

/* True if all of them are in one loop at that depth. */
static bool in_one_loop(writer *w, const int *stmt, int n, int depth)
{
    bool same = true;
    for (int i = 0; i < n; i++)
        same &= loops_of(w->g->stmt[stmt[i]]) > depth && place_of(w, stmt[i], depth) == place_of(w, stmt[0], depth);
    return same;
}

static sq_tree *inside(writer *w, const int *stmt, int n, int depth);

/* Returns what follows each other inside of `depth` loops; statements come in the order of the text. */
static sq_tree *sequence(writer *w, const int *stmt, int n, int depth)
{
    sq_tree *t = sq_tree_new(w->arena, SQ_TREE_SEQUENCE, n, stmt, n);
    t->nchildren = 0;
    for (int from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && place_of(w, stmt[to], depth) == place_of(w, stmt[from], depth);)
            to++;
        t->child[t->nchildren++] = inside(w, stmt + from, to - from, depth);
    }
    return t;
}

static sq_tree *inside(writer *w, const int *stmt, int n, int depth)
{
    if (n == 1 && loops_of(w->g->stmt[stmt[0]]) == depth)
        return leaf(w, stmt[0]);
    if (!in_one_loop(w, stmt, n, depth)) {
        bool parts = place_of(w, stmt[0], depth) != place_of(w, stmt[n - 1], depth);
        w->failed |= !parts;
        return parts ? sequence(w, stmt, n, depth) : leaf(w, stmt[0]);
    }
    sq_tree *t = band(w, 1, stmt, n);
    for (int i = 0; i < n; i++)
        read_row(w, stmt[i], depth, &t->member[0].row[stmt[i]]);
    t->child[0] = inside(w, stmt, n, depth + 1);
    return t;
}

sq_tree *sq_tree_written(const sq_kernel *k, const sq_group *g, sq_arena *arena)
{
    writer w = {.k = k, .g = g, .arena = arena};
    int *stmt = SQ_NEW_ARRAY(arena, int, g->nstmts);
    for (int i = 0; i < g->nstmts; i++) {
        stmt[i] = i;
        if (!g->stmt[i]->textual)
            return NULL;
    }
    sq_tree *t = inside(&w, stmt, g->nstmts, 0);
    return w.failed ? NULL : t;
}
