/* Moved: see moved.h. */
#include "tuner/moved.h"
#include "tuner/point_text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Values that one coordinate may take: those on both sides of the one that was measured, and the largest. */
enum { SIDES = 2, MOST = SIDES + 1, SWEEPS = 2 };
/* Smaller values are numbers of rows and of vectors, which are not meant to cover a size. */
enum { LEAST_WHOLE = 16 };

/* True if blocks of that size may have been all of a dimension. */
static bool covers(const char *sizes, long value)
{
    for (const char *at = value < LEAST_WHOLE ? NULL : strchr(sizes, '='); at; at = strchr(at + 1, '='))
        if (strtol(at + 1, NULL, 10) == value)
            return true;
    return false;
}

/* The values of a coordinate on both sides of v, which it lacks. */
static int beside(const sq_coord *c, long v, int *to)
{
    int below = -1, above = -1, n = 0;
    for (int i = 0; i < c->nvalues; i++) {
        if (c->value[i] < v && (below < 0 || c->value[i] > c->value[below]))
            below = i;
        if (c->value[i] > v && (above < 0 || c->value[i] < c->value[above]))
            above = i;
    }
    if (below >= 0)
        to[n++] = below;
    if (above >= 0)
        to[n++] = above;
    return n;
}

static int largest(const sq_coord *c)
{
    int most = 0;
    for (int i = 1; i < c->nvalues; i++)
        most = c->value[i] > c->value[most] ? i : most;
    return most;
}

/* What the measured value of coordinate c may have become; none where it says what to take. */
static int choices_of(const char *text, const char *sizes, const sq_space *s, int c, int *to)
{
    const sq_coord *of = &s->coord[c];
    long value;
    if (sq_coord_kind_of(of) != SQ_COORD_OF_SIZE || !sq_point_read_value(text, of->name, &value))
        return 0;
    int n = of->value[sq_coord_nearest(of, value)] == value ? 0 : beside(of, value, to);
    if (covers(sizes, value))
        to[n++] = largest(of);
    return n;
}

/* Takes the cheaper value of coordinate c; true if it is another one. */
static bool improve(const sq_tune_problem *p, int c, const int *choice, int n, int *point, double *cost)
{
    bool changed = false;
    for (int i = 0; i < n; i++) {
        int other[SQ_MAX_COORDS];
        memcpy(other, point, sizeof other);
        other[c] = choice[i];
        sq_space_settle(p->space, other);
        double its = p->draft(p->user, other);
        if (!(its < *cost))
            continue;
        memcpy(point, other, sizeof other);
        *cost = its;
        changed = true;
    }
    return changed;
}

bool sq_point_moved(const char *text, const char *sizes, const sq_tune_problem *p, bool of_same_kernel, int *point)
{
    if (!sq_point_transfer(text, p->space, of_same_kernel, point))
        return false;
    double cost = p->draft ? p->draft(p->user, point) : 0;
    bool changed = p->draft != NULL;
    for (int sweep = 0; sweep < SWEEPS && changed; sweep++) {
        changed = false;
        for (int c = 0; c < p->space->n; c++) {
            int choice[MOST];
            changed |= improve(p, c, choice, choices_of(text, sizes, p->space, c, choice), point, &cost);
        }
    }
    return isfinite(cost);
}
