/* Thin: see thin.h. */
#include "tuner/thin.h"
#include <limits.h>
#include <string.h>

typedef struct thin {
    sq_tune_problem problem;
    const sq_tune_problem *whole;
    sq_space space;
    int *index[SQ_MAX_COORDS];   /* of each coordinate's values, in the whole space */
    long *value[SQ_MAX_COORDS];
} thin;

static const int *whole_point(const thin *t, const int *point, int to[SQ_MAX_COORDS])
{
    memset(to, 0, SQ_MAX_COORDS * sizeof *to);
    for (int c = 0; c < t->space.n; c++)
        to[c] = t->index[c][point[c]];
    return to;
}

static void name(void *user, const int *point, sq_text *to)
{
    const thin *t = user;
    int whole[SQ_MAX_COORDS];
    t->whole->space->name(t->whole->space->user, whole_point(t, point, whole), to);
}

static int script(void *user, const int *point, sq_text *to)
{
    const thin *t = user;
    int whole[SQ_MAX_COORDS];
    return t->whole->script(t->whole->user, whole_point(t, point, whole), to);
}

static double draft(void *user, const int *point)
{
    const thin *t = user;
    int whole[SQ_MAX_COORDS];
    return t->whole->draft(t->whole->user, whole_point(t, point, whole));
}

static int features(void *user, const int *point, float (*row)[SQ_STATEMENT])
{
    const thin *t = user;
    int whole[SQ_MAX_COORDS];
    return t->whole->features(t->whole->user, whole_point(t, point, whole), row);
}

static int source(void *user, const char *text, sq_text *to, char *why, size_t n)
{
    const thin *t = user;
    return t->whole->source(t->whole->user, text, to, why, n);
}

/* How much is missed without value k of a coordinate: the ends are missed most. */
static int missed(const thin *t, int c, int k)
{
    int last = t->space.coord[c].nvalues - 1;
    return k == 0 || k == last ? INT_MAX : t->index[c][k + 1] - t->index[c][k - 1];
}

static void lose(thin *t, int c)
{
    sq_coord *x = &t->space.coord[c];
    int *start = &t->space.start[c], lost = *start == 0 ? x->nvalues - 1 : 0;
    for (int k = 0; k < x->nvalues; k++)
        if (k != *start && missed(t, c, k) < missed(t, c, lost))
            lost = k;
    size_t after = (size_t)(x->nvalues - 1 - lost);
    memmove(&t->index[c][lost], &t->index[c][lost + 1], after * sizeof *t->index[c]);
    memmove(&t->value[c][lost], &t->value[c][lost + 1], after * sizeof *t->value[c]);
    *start -= lost < *start;
    x->nvalues--;
}

static int longest(const sq_space *s)
{
    int found = 0;
    for (int c = 1; c < s->n; c++)
        if (s->coord[c].nvalues >= s->coord[found].nvalues)
            found = c;
    return found;
}

static void keep_start(thin *t, int c)
{
    while (t->space.coord[c].nvalues > 1)
        lose(t, c);
    t->space.coord[c].under = t->space.coord[c].under_value = 0;
}

/* Indices of values that others are under, in what is left of them. */
static void move_conditions(thin *t)
{
    for (int c = 0; c < t->space.n; c++) {
        sq_coord *x = &t->space.coord[c];
        int above = x->under - 1, value = 0;
        if (above < 0)
            continue;
        while (value < t->space.coord[above].nvalues && t->index[above][value] != x->under_value)
            value++;
        x->under_value = value;
        if (value == t->space.coord[above].nvalues)
            keep_start(t, c);
    }
}

static void copy_values(thin *t, int c, sq_arena *arena)
{
    sq_coord *x = &t->space.coord[c];
    t->index[c] = SQ_NEW_ARRAY(arena, int, x->nvalues);
    t->value[c] = SQ_NEW_ARRAY(arena, long, x->nvalues);
    memcpy(t->value[c], x->value, (size_t)x->nvalues * sizeof *x->value);
    for (int i = 0; i < x->nvalues; i++)
        t->index[c][i] = i;
    x->value = t->value[c];
}

sq_tune_problem *sq_thin_new(const sq_tune_problem *whole, int most, sq_arena *arena)
{
    thin *t = SQ_NEW(arena, thin);
    t->whole = whole;
    t->space = *whole->space;
    for (int c = 0; c < t->space.n; c++)
        copy_values(t, c, arena);
    while (sq_space_size(&t->space) > most)
        lose(t, longest(&t->space));
    move_conditions(t);
    t->space.name = whole->space->name ? name : NULL;
    t->space.user = t;
    t->problem = (sq_tune_problem){.space = &t->space,
                                   .user = t,
                                   .script = script,
                                   .draft = whole->draft ? draft : NULL,
                                   .features = whole->features ? features : NULL,
                                   .source = source};
    return &t->problem;
}
