/* Searches: the table, the set of points seen, and small questions about spaces. */
#include "tuner/search/search.h"
#include "support/hash.h"
#include <stdlib.h>
#include <string.h>

const sq_search *const sq_searches[] = {&sq_search_default, &sq_search_storm, &sq_search_raindrop,
                                        &sq_search_random, NULL};

const sq_search *sq_search_get(const char *name)
{
    for (const sq_search *const *s = sq_searches; *s; s++)
        if (strcmp((*s)->name, name) == 0)
            return *s;
    return NULL;
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

/* Open addressing over whole points; grows at three quarters. */
struct sq_seen {
    int ncoords;
    size_t n, cap;
    int *points; /* cap rows of ncoords; first value -1: empty */
};

static int *row(const sq_seen *s, size_t i)
{
    return s->points + i * (size_t)s->ncoords;
}

static void allocate(sq_seen *s, size_t cap)
{
    s->cap = cap;
    s->n = 0;
    s->points = malloc(cap * (size_t)s->ncoords * sizeof *s->points);
    if (!s->points)
        abort();
    for (size_t i = 0; i < cap; i++)
        row(s, i)[0] = -1;
}

sq_seen *sq_seen_new(int ncoords)
{
    sq_seen *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    s->ncoords = ncoords > 0 ? ncoords : 1;
    allocate(s, 256);
    return s;
}

/* Where the point is, or would be. */
static size_t slot(const sq_seen *s, const int *point)
{
    size_t bytes = (size_t)s->ncoords * sizeof *point;
    size_t i = (size_t)sq_hash64(point, bytes) & (s->cap - 1);
    while (row(s, i)[0] >= 0 && memcmp(row(s, i), point, bytes) != 0)
        i = (i + 1) & (s->cap - 1);
    return i;
}

static void grow(sq_seen *s)
{
    sq_seen old = *s;
    allocate(s, old.cap * 2);
    for (size_t i = 0; i < old.cap; i++)
        if (row(&old, i)[0] >= 0)
            sq_seen_add(s, row(&old, i));
    free(old.points);
}

bool sq_seen_has(const sq_seen *s, const int *point)
{
    return row(s, slot(s, point))[0] >= 0;
}

bool sq_seen_add(sq_seen *s, const int *point)
{
    if (4 * s->n >= 3 * s->cap)
        grow(s);
    size_t i = slot(s, point);
    if (row(s, i)[0] >= 0)
        return false;
    memcpy(row(s, i), point, (size_t)s->ncoords * sizeof *point);
    s->n++;
    return true;
}

sq_seen *sq_seen_free(sq_seen *s)
{
    if (s) {
        free(s->points);
        free(s);
    }
    return NULL;
}
