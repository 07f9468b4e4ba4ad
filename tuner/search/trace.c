/* Trace: see trace.h. */
#include "tuner/search/trace.h"
#include <string.h>

void sq_trace_record(const sq_space *s, const int *point, sq_trace *t)
{
    t->n = 0;
    for (int c = 0; c < s->n; c++)
        if (sq_space_varies(s, point, c))
            t->at[t->n++] = (sq_decision){c, point[c]};
}

int sq_trace_replay(const sq_space *s, const sq_trace *t, sq_rng *rng, int *point)
{
    int lacking = 0, next = 0;
    memcpy(point, s->start, sizeof s->start);
    for (int c = 0; c < s->n; c++) {
        while (next < t->n && t->at[next].coord < c)
            next++;
        if (!sq_space_varies(s, point, c))
            continue;
        bool is_decided = next < t->n && t->at[next].coord == c;
        point[c] = is_decided ? t->at[next].value : (int)sq_rng_below(rng, (size_t)s->coord[c].nvalues);
        lacking += !is_decided;
    }
    return lacking;
}
