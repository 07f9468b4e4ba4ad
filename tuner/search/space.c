/* Space: small questions about spaces and points. */
#include "tuner/search/search.h"
#include <math.h>

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

void sq_space_settle(const sq_space *s, int *point)
{
    for (int c = 0; c < s->n; c++)
        if (s->coord[c].under && point[s->coord[c].under - 1] != s->coord[c].under_value)
            point[c] = s->start[c];
}

bool sq_space_other_kind(const sq_space *s, const int *a, const int *b)
{
    for (int c = 0; c < s->n; c++)
        if (s->coord[c].structural && a[c] != b[c])
            return true;
    return false;
}
