/* Auto, jam: iterations of a loop that wait for each other leave a processor idle. Where those of the loop around may
 * alternate in it, several rows are computed side by side (codegen/passes/jam.c). */
#include "transforms/auto_inside.h"

/* True if each row may have scalars of its own for those that it has set before it reads them. */
static bool let_with_own(const sq_auto_maker *m, const sq_tree *t, sq_member *x)
{
    sq_auto_own(m, t, x);
    bool fine = x->nprivate > 0;
    for (int i = 0; i < x->nprivate; i++)
        fine &= x->private[i]->ndim == 0;
    return fine && sq_auto_respects(m);
}

/* Lets iterations of member i, whose loop is in the same band as the one inside of it or not, alternate if that is
 * legal. */
static void let(const sq_auto_maker *m, const sq_tree *t, int i, bool in_band)
{
    sq_member *x = &t->member[i];
    if (x->parallel || x->vector || (!x->free && !in_band))
        return;
    x->jam = x->free ? SQ_JAM_ALL : SQ_JAM_LOOP;
    if (sq_auto_respects(m) || (x->free && let_with_own(m, t, x)))
        return;
    x->jam = SQ_JAM_NONE;
    x->nprivate = 0;
}

static bool has_loops(const sq_tree *t)
{
    bool has = t->nmembers > 0 || t->nest;
    for (int i = 0; i < t->nchildren && !has; i++)
        has = has_loops(t->child[i]);
    return has;
}

void sq_auto_jam(const sq_auto_maker *m, sq_tree *t, sq_tree *around)
{
    sq_member *last = t->kind == SQ_TREE_BAND ? &t->member[t->nmembers - 1] : NULL;
    if (last && !has_loops(t->child[0]) && !last->vector && !last->free) {
        if (t->nmembers > 1)
            let(m, t, t->nmembers - 2, true);
        else if (around)
            let(m, around, around->nmembers - 1, false);
    }
    for (int i = 0; i < t->nchildren; i++)
        sq_auto_jam(m, t->child[i], last ? t : t->kind == SQ_TREE_SEQUENCE ? around : NULL);
}
