/* Window: see window.h. */
#include "ir/schedule/window.h"
#include <isl/aff.h>

static bool touches(const sq_group *g, const sq_array *a)
{
    for (int i = 0; i < g->nstmts; i++)
        if (sq_stmt_touches(g->stmt[i], a))
            return true;
    return false;
}

static bool is_packed(const sq_group *g, const sq_array *a)
{
    for (int i = 0; i < g->npacks; i++)
        if (g->pack[i].array == a)
            return true;
    return false;
}

/* Returns the head of the fusion that has all groups with the array, none of which copies it; -1. */
static int fusion_of(const sq_schedule *s, const sq_array *a)
{
    int head = -1;
    for (int g = 0; g < s->ngroups; g++) {
        if (!touches(s->group[g], a))
            continue;
        int of = sq_fusion_head(s, g);
        if (sq_fusion_length(s, of) == 1 || is_packed(s->group[g], a) || (head >= 0 && of != head))
            return -1;
        head = of;
    }
    return head;
}

static bool is_zero(isl_val *v /* __isl_take */)
{
    bool zero = isl_val_is_zero(v) == isl_bool_true;
    isl_val_free(v);
    return zero;
}

/* Returns the dimension of the statement that subscript d of the access is, and nothing else; -1. */
static int dimension(const sq_access *access, int d)
{
    isl_aff *f = isl_multi_aff_get_aff(access->map, d);
    int found = -1, n = (int)isl_aff_dim(f, isl_dim_in);
    bool alone = isl_aff_dim(f, isl_dim_div) == 0 && is_zero(isl_aff_get_constant_val(f)) &&
                 isl_aff_involves_dims(f, isl_dim_param, 0, (unsigned)isl_aff_dim(f, isl_dim_param)) == isl_bool_false;
    for (int x = 0; x < n && alone; x++) {
        isl_val *v = isl_aff_get_coefficient_val(f, isl_dim_in, x);
        bool zero = isl_val_is_zero(v) == isl_bool_true;
        alone = zero || (found < 0 && isl_val_is_one(v) == isl_bool_true);
        found = zero ? found : x;
        isl_val_free(v);
    }
    isl_aff_free(f);
    return alone ? found : -1;
}

/* Returns the innermost of the shared loops over the dimension; -1. */
static int loop_over(const sq_group *g, int shared, int dim)
{
    int l = shared - 1;
    while (l >= 0 && g->loop[l].dim != dim)
        l--;
    return dim < 0 ? -1 : l;
}

/* A subscript of an array, and the shared loop that it counts from. */
typedef struct counted {
    const sq_array *array;
    int subscript, shared;
    int loop; /* -1: none so far; -2: there is no single one */
} counted;

static void add_access(counted *c, const sq_group *g, const sq_access *access)
{
    if (access->array != c->array)
        return;
    bool plain = access->edge == SQ_EDGE_NONE; /* else what lies beyond the array has a value of its own */
    int l = plain ? loop_over(g, c->shared, dimension(access, c->subscript)) : -1;
    c->loop = l >= 0 && (c->loop == -1 || c->loop == l) ? l : -2;
}

static void add_statement(counted *c, const sq_group *g, const sq_stmt *st)
{
    sq_access *read[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(st, read, NULL);
    for (int r = 0; r < n; r++)
        add_access(c, g, read[r]);
    add_access(c, g, st->write);
}

/* Returns the shared loop that the subscript counts from in all accesses; -1. */
static int loop_of(const sq_schedule *s, int head, const sq_array *a, int subscript)
{
    counted c = {.array = a, .subscript = subscript, .shared = sq_fusion_shared(s, head), .loop = -1};
    for (int g = head; g < head + sq_fusion_length(s, head); g++)
        for (int i = 0; i < s->group[g]->nstmts; i++)
            add_statement(&c, s->group[g], s->group[g]->stmt[i]);
    return c.loop >= 0 ? c.loop : -1;
}

static bool is_serial(const sq_schedule *s, int head)
{
    for (int l = 0; l < sq_fusion_shared(s, head); l++)
        if (s->group[head]->loop[l].runs != SQ_LOOP_SERIAL)
            return false;
    return true;
}

/* True if each element belongs to one iteration of all shared loops from the outermost to those that the subscripts
 * count from: in another one its place may hold the next element. */
static bool keeps_values(const sq_group *g, const sq_window *w)
{
    int last = 0;
    for (int x = 0; x < w->ndims; x++)
        last = w->loop[x] > last ? w->loop[x] : last;
    for (int l = 0; l < last; l++) {
        bool found = false;
        for (int x = 0; x < w->ndims; x++)
            found |= g->loop[l].dim == g->loop[w->loop[x]].dim;
        if (!found)
            return false;
    }
    return true;
}

bool sq_window_of(const sq_schedule *s, const sq_array *a, sq_window *w)
{
    *w = (sq_window){.array = a, .rows = 1};
    int head = a->role == SQ_LOCAL && !a->words_of ? fusion_of(s, a) : -1;
    if (head < 0 || !is_serial(s, head))
        return false;
    while (w->ndims < a->ndim && w->rows == 1) {
        int l = loop_of(s, head, a, w->ndims);
        int64_t extent = sq_array_extent(a, w->ndims);
        if (l < 0 || (extent >= 0 && extent <= s->group[head]->loop[l].step))
            break;
        w->loop[w->ndims++] = l;
        w->rows = s->group[head]->loop[l].step;
    }
    while (w->ndims > 0 && !keeps_values(s->group[head], w)) {
        w->ndims--; /* those before it have one value each */
        w->rows = 1;
    }
    return w->ndims > 0;
}

const sq_window *sq_windows_of(const sq_schedule *s, int head, sq_arena *arena, int *n)
{
    const sq_kernel *k = s->kernel;
    sq_window *w = SQ_NEW_ARRAY(arena, sq_window, k->narrays + 1);
    *n = 0;
    for (int a = 0; a < k->narrays; a++)
        *n += sq_window_of(s, k->array[a], &w[*n]) && fusion_of(s, k->array[a]) == head;
    return w;
}

const sq_window *sq_window_find(const sq_window *w, int n, const sq_array *a)
{
    for (int i = 0; i < n; i++)
        if (w[i].array == a)
            return &w[i];
    return NULL;
}

const char *sq_window_from(const sq_window *w, const sq_group *g, int d)
{
    return w && d < w->ndims ? g->loop[w->loop[d]].name : NULL;
}
