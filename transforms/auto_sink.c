/* Auto, sink: which loop of a band runs innermost. A step of a loop moves the instance along the
 * direction in which all other loops around it are constant; the resulting stride of each address
 * determines whether vectors can be loaded there. */
#include "transforms/auto.h"
#include <isl/aff.h>
#include <isl/val.h>
#include <math.h>
#include <string.h>

enum { MOST_ROWS = 2 * SQ_MAX_DIMS };

/* The loops on the path down. */
typedef struct path {
    int n;
    const sq_member *member[MOST_ROWS];
} path;

/* Computes the direction in which loop `one` advances by 1 and the others stay, for a statement;
 * false if there is none. */
static bool direction(const path *p, int one, int stmt, int ndim, double *v)
{
    double a[MOST_ROWS][SQ_MAX_DIMS + 1] = {{0}};
    int lead[SQ_MAX_DIMS], used = 0;
    for (int i = 0; i < p->n; i++) {
        for (int d = 0; d < ndim; d++)
            a[i][d] = (double)p->member[i]->row[stmt].dim[d];
        a[i][ndim] = i == one;
    }
    for (int d = 0; d < ndim; d++) {
        int at = used;
        while (at < p->n && fabs(a[at][d]) < 1e-9)
            at++;
        if (at == p->n)
            return false;
        for (int x = 0; x <= ndim; x++) {
            double swap = a[at][x];
            a[at][x] = a[used][x];
            a[used][x] = swap;
        }
        for (int x = ndim; x >= d; x--)
            a[used][x] /= a[used][d];
        for (int i = 0; i < p->n; i++)
            for (int x = ndim; x >= d && i != used; x--)
                a[i][x] -= a[i][d] * a[used][x];
        lead[used++] = d;
    }
    for (int i = used; i < p->n; i++)
        if (fabs(a[i][ndim]) > 1e-9)
            return false;
    for (int i = 0; i < used; i++)
        v[lead[i]] = a[i][ndim];
    return true;
}

/* Rates an access for vectorization: contiguous, invariant, or strided. */
static double taste(const sq_access *a, const double *v, int ndim, bool write)
{
    double step;
    if (!sq_access_step(a, v, ndim, &step) || (fabs(step) > 1e-9 && fabs(step - 1) > 1e-9))
        return write ? -8 : -4;
    if (fabs(step) < 1e-9)
        return write ? -1 : 1;
    return write ? 4 : 2;
}

static double score_of(const sq_stmt *s, int stmt, const path *p, int one)
{
    double v[SQ_MAX_DIMS] = {0};
    sq_access *read[SQ_MAX_STMT_READS];
    if (!direction(p, one, stmt, s->nfree, v))
        return 0;
    double sum = taste(s->write, v, s->nfree, true);
    int n = sq_stmt_all_reads(s, read, NULL);
    for (int i = 0; i < n; i++)
        sum += taste(read[i], v, s->nfree, false);
    return sum;
}

/* True if the band is the innermost one around the statement. */
static bool ends_at(const sq_tree *t, int stmt)
{
    const sq_tree *below = t->child[0];
    while (below->kind == SQ_TREE_SEQUENCE) {
        int next = 0;
        for (int i = 0; i < below->nchildren; i++)
            for (int j = 0; j < below->child[i]->nstmts; j++)
                if (below->child[i]->stmt[j] == stmt)
                    next = i;
        below = below->child[next];
    }
    return below->kind == SQ_TREE_LEAF;
}

static double score(const sq_group *g, const sq_tree *t, const path *p, int one)
{
    double sum = 0;
    for (int i = 0; i < t->nstmts; i++)
        if (ends_at(t, t->stmt[i]))
            sum += score_of(g->stmt[t->stmt[i]], t->stmt[i], p, one);
    return sum;
}

static void move_last(sq_tree *t, int m)
{
    sq_member chosen = t->member[m];
    memmove(&t->member[m], &t->member[m + 1], (size_t)(t->nmembers - m - 1) * sizeof *t->member);
    t->member[t->nmembers - 1] = chosen;
}

static void choose_last(const sq_group *g, sq_tree *t, const path *p)
{
    int best = t->nmembers - 1, first = p->n - t->nmembers;
    double most = score(g, t, p, first + best);
    for (int m = t->nmembers - 2; m >= 0; m--) {
        double x = score(g, t, p, first + m);
        if (x > most) {
            most = x;
            best = m;
        }
    }
    move_last(t, best);
}

static void sink(const sq_group *g, sq_tree *t, const path *outer)
{
    path p = *outer;
    if (p.n + t->nmembers > MOST_ROWS)
        return;
    for (int m = 0; m < t->nmembers; m++)
        p.member[p.n++] = &t->member[m];
    if (t->kind == SQ_TREE_BAND && t->permutable && t->nmembers > 1)
        choose_last(g, t, &p);
    for (int i = 0; i < t->nchildren; i++)
        sink(g, t->child[i], &p);
}

void sq_auto_sink(const sq_group *g, sq_tree *t)
{
    path p = {0};
    sink(g, t, &p);
}
