/* Random scripts whose groups share loops: fuse(S0, S1, … at i0). */
#include "exec.h"
#include <string.h>

static bool free_in(const sq_group *g, const char *name)
{
    int d = sq_group_dim(g, name);
    return g->kind == SQ_GROUP_TILED && d >= 0 && d < g->nfree;
}

/* Free dimensions that groups [first, first + n) have in common. */
static int common(const sq_schedule *s, int first, int n, const char **name)
{
    int found = 0;
    const sq_group *g = s->group[first];
    for (int d = 0; d < g->nfree; d++) {
        bool all = true;
        for (int i = 0; i < n; i++)
            all = all && free_in(s->group[first + i], g->dim[d]);
        if (all)
            name[found++] = g->dim[d];
    }
    return found;
}

static bool among(const char *const *name, int n, const char *x)
{
    for (int i = 0; i < n; i++)
        if (strcmp(name[i], x) == 0)
            return true;
    return false;
}

/* The shared loops first, the group's others inside, and now and then a tile of those. */
static void put_member(const sq_group *g, const char *const *name, int n, int rows, sq_rng *r,
                       sq_text *to)
{
    sq_text_printf(to, "%s: ", g->stmt[0]->name);
    if (rows > 1)
        sq_text_printf(to, "tile(%s:%d) ", name[n - 1], rows);
    sq_text_puts(to, "order(");
    for (int i = 0; i < n; i++)
        sq_text_printf(to, "%s%s%s", i ? ", " : "", name[i], i == n - 1 && rows > 1 ? "0" : "");
    for (int l = 0; l < g->nloops; l++)
        if (!among(name, rows > 1 ? n - 1 : n, g->loop[l].name))
            sq_text_printf(to, ", %s", g->loop[l].name);
    sq_text_puts(to, ") ");
    const char *last = g->nfree ? g->dim[g->nfree - 1] : NULL;
    if (last && sq_rng_below(r, 2) && (rows > 1 || !among(name, n, last)))
        sq_text_printf(to, "micro(%s:%d) ", last, 2 + (int)sq_rng_below(r, 7));
}

bool random_run(const sq_schedule *s, sq_rng *r, sq_text *to)
{
    static const int sizes[] = {1, 1, 2, 3, 5, 8};
    const char *name[SQ_MAX_DIMS];
    if (s->ngroups < 2)
        return false;
    int first = (int)sq_rng_below(r, (size_t)s->ngroups - 1), length = 2;
    while (first + length < s->ngroups && sq_rng_below(r, 4))
        length++;
    int n = common(s, first, length, name), rows = sizes[sq_rng_below(r, 6)];
    if (n == 0)
        return false;
    n = 1 + (int)sq_rng_below(r, (size_t)n);
    for (int i = 0; i < length; i++)
        put_member(s->group[first + i], name, n, rows, r, to);
    sq_text_puts(to, "fuse(");
    for (int i = 0; i < length; i++)
        sq_text_printf(to, "%s%s", i ? ", " : "", s->group[first + i]->stmt[0]->name);
    sq_text_printf(to, " at %s%s) ", name[n - 1], rows > 1 ? "0" : "");
    return true;
}
