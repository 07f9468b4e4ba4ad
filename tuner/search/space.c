/* Space: small questions about spaces and points. */
#include "tuner/search/search.h"
#include <math.h>
#include <string.h>

bool sq_search_legal(const sq_search_options *o, const int *point)
{
    return !o->draft || isfinite(o->draft(o->draft_user, point));
}

long sq_space_value(const sq_space *s, const int *point, int coord)
{
    return s->coord[coord].value[point[coord]];
}

double sq_space_size(const sq_space *s)
{
    double n = 1;
    for (int c = 0; c < s->n; c++)
        n *= s->coord[c].nvalues;
    return n;
}

static bool matters(const sq_space *s, const int *point, int coord)
{
    const sq_coord *c = &s->coord[coord];
    return !c->under || point[c->under - 1] == c->under_value;
}

void sq_space_settle(const sq_space *s, int *point)
{
    for (int c = 0; c < s->n; c++)
        if (!matters(s, point, c))
            point[c] = s->start[c];
}

bool sq_space_varies(const sq_space *s, const int *point, int coord)
{
    return s->coord[coord].nvalues > 1 && matters(s, point, coord);
}

bool sq_space_has_matrix(const sq_space *s)
{
    for (int c = 0; c < s->n; c++)
        if (s->coord[c].mark == SQ_COORD_MATRIX)
            return true;
    return false;
}

bool sq_space_other_kind(const sq_space *s, const int *a, const int *b)
{
    for (int c = 0; c < s->n; c++)
        if (s->coord[c].structural && a[c] != b[c])
            return true;
    return false;
}

sq_coord_kind sq_coord_kind_of(const sq_coord *c)
{
    return c->mark == SQ_COORD_UNROLLS    ? SQ_COORD_OF_UNROLLING
           : c->mark == SQ_COORD_THREADS ? SQ_COORD_OF_THREADS
           : c->structural              ? SQ_COORD_OF_STRUCTURE
                                        : SQ_COORD_OF_SIZE;
}

int sq_coord_nearest(const sq_coord *c, long v)
{
    int best = 0;
    double least = INFINITY;
    for (int i = 0; i < c->nvalues; i++) {
        bool sizes = c->value[i] > 0 && v > 0;
        double far = sizes ? fabs(log((double)c->value[i] / (double)v)) : fabs((double)(c->value[i] - v));
        if (far < least) {
            best = i;
            least = far;
        }
    }
    return best;
}
