/* Auto for a grid: threads share loops that carry nothing, so there should be many of them, and
 * loops that carry dependences run outside, where the host launches one step after the other.
 *
 * In a permutable band that loop is moved outermost which leaves most parallel loops inside; inside
 * of it, its statements are distributed into nests of their own, as far as they are no cycle. A
 * factorisation in place becomes the textbook algorithm: for each column, the column, then the
 * rest. */
#include "transforms/auto_inside.h"
#include <string.h>

/* ---- which loop is outermost ---- */

/* Returns the band with member `first` outermost, and inside it a nest for each component of its
 * statements. */
static sq_tree *turned(sq_auto_maker *m, sq_tree **place, int first)
{
    sq_tree *given = *place;
    sq_tree *b = SQ_NEW(m->arena, sq_tree);
    *b = *given;
    b->member = SQ_NEW_ARRAY(m->arena, sq_member, b->nmembers);
    b->member[0] = given->member[first];
    for (int i = 0, n = 1; i < b->nmembers; i++)
        if (i != first)
            b->member[n++] = given->member[i];
    *place = b;
    int *list = SQ_NEW_ARRAY(m->arena, int, b->nstmts);
    int *size = SQ_NEW_ARRAY(m->arena, int, b->nstmts);
    int count = b->nstmts > 1 && sq_auto_respects(m) ? sq_auto_components(m, b, 1, list, size) : 1;
    if (count == 1)
        return b;
    sq_tree *outer = sq_tree_new(m->arena, SQ_TREE_BAND, 1, b->stmt, b->nstmts);
    outer->member = b->member;
    outer->nmembers = 1;
    sq_tree *s = sq_tree_new(m->arena, SQ_TREE_SEQUENCE, count, b->stmt, b->nstmts);
    for (int i = 0; i < count; list += size[i++]) {
        s->child[i] = sq_auto_own_loops(m, b, 1, list, size[i]);
        sq_auto_sink(m->g, s->child[i]);
    }
    outer->child[0] = s;
    return outer;
}

/* Counts the consecutive parallel loops around the statements below, from the first parallel
 * one. */
static int free_loops(const sq_tree *t, bool inside)
{
    int sum = 0, here = 0;
    for (int i = 0; i < t->nmembers; i++) {
        if (inside && !t->member[i].free)
            return here * t->nstmts;
        here += t->member[i].free;
        inside |= t->member[i].free;
    }
    if (t->kind == SQ_TREE_SEQUENCE && inside)
        return 0;
    for (int i = 0; i < t->nchildren; i++)
        sum += free_loops(t->child[i], inside);
    return here * t->nstmts + sum;
}

static int score(sq_auto_maker *m, const sq_tree *t)
{
    const char *why = NULL;
    return sq_tree_probe(m->k, m->g, m->root, m->deps, m->memo, &why) ? -1 : free_loops(t, false);
}

void sq_auto_free_inner(sq_auto_maker *m, sq_tree **place)
{
    sq_tree *given = *place;
    for (int i = 0; i < given->nchildren; i++)
        sq_auto_free_inner(m, &given->child[i]);
    if (given->kind != SQ_TREE_BAND || !given->permutable || given->nmembers < 2 ||
        !sq_auto_only_leaves(given->child[0]))
        return;
    sq_tree *best = given;
    int most = score(m, given);
    for (int first = 0; first < given->nmembers; first++) {
        *place = given;
        *place = turned(m, place, first);
        int n = sq_auto_respects(m) ? score(m, *place) : -1;
        if (n > most) {
            most = n;
            best = *place;
        }
    }
    *place = best;
}

/* ---- loops that the grid shares ---- */

/* Marks the outermost loops that carry nothing, as many as are consecutive, on every path down;
 * `inside`: below such loops. Private temporaries belong to a thread, so no loop inside of theirs
 * is shared. */
static void deal(sq_auto_maker *m, sq_tree *t, bool inside)
{
    for (int i = 0; i < t->nmembers; i++) {
        bool fits = t->member[i].free && sq_auto_share(m, t, i);
        if ((inside && !fits) || (fits && t->member[i].nprivate))
            return;
        inside |= fits;
    }
    if (t->kind == SQ_TREE_SEQUENCE ? inside : !inside && sq_auto_wavefront(m, t))
        return;
    for (int i = 0; i < t->nchildren; i++)
        deal(m, t->child[i], inside);
}

void sq_auto_deal(sq_auto_maker *m)
{
    deal(m, m->root, false);
}
