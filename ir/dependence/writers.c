/* Writers: see writers.h. Statements of one set have the same times but for one constant, their place in the body
 * that contains them all, and write the same element in each iteration. Let x be one of them, c the next one, and y
 * any touch of the array after x: where y is after c too, in the order of the text, x is before c and c before y. */
#include "ir/dependence/writers.h"
#include <string.h>

/* The constants of a statement's time: [c0, i, c1, j, c2]; 0 for its loops, and for a statement without any. */
typedef struct place {
    int64_t *at;
} place;

typedef struct member {
    int set;            /* -1: of none */
    int before, behind; /* touches of the set whose places are next to it; -1: none */
} member;

struct sq_writers {
    const sq_touch *t;
    int n;
    place *place;
    int *level; /* per set: the constant in which its members differ; -1 while there is one */
    int *size;
    int nsets;
    member *of; /* per touch */
};

static bool is_writer(const sq_touch *t)
{
    return t->write && t->stmt->written_loops && !t->stmt->updates;
}

static place place_of(const sq_kernel *k, const sq_touch *t)
{
    place p = {SQ_NEW_ARRAY(k->arena, int64_t, k->textual_dims + 1)};
    for (int d = 0; d < k->textual_dims && t->stmt->written_loops; d += 2) {
        isl_val *v = isl_map_plain_get_val_if_fixed(t->stmt->textual, isl_dim_out, (unsigned)d);
        p.at[d] = isl_val_is_int(v) == isl_bool_true ? isl_val_get_num_si(v) : 0;
        isl_val_free(v);
    }
    return p;
}

/* Returns the only constant in which two times differ; -1: there is none, or several. */
static int only_difference(const sq_kernel *k, const place *a, const place *b)
{
    int at = -1;
    for (int d = 0; d < k->textual_dims; d += 2)
        if (a->at[d] != b->at[d]) {
            if (at >= 0)
                return -1;
            at = d;
        }
    return at;
}

static bool are_equal(isl_map *a /* __isl_take */, isl_map *b /* __isl_take */)
{
    bool same = isl_map_plain_is_equal(a, b) == isl_bool_true;
    isl_map_free(a);
    isl_map_free(b);
    return same;
}

static isl_map *unnamed(isl_map *m /* __isl_keep */)
{
    return isl_map_reset_tuple_id(isl_map_copy(m), isl_dim_in);
}

/* Returns the time of a statement without its constant at a level. */
static isl_map *time_without(const sq_touch *t, int level)
{
    return isl_map_project_out(unnamed(t->stmt->textual), isl_dim_out, (unsigned)level, 1);
}

/* True if both write the same elements in the same loops, one behind the other. */
static bool are_alike(const sq_touch *a, const sq_touch *b, int level)
{
    return a->stmt->ndim == b->stmt->ndim && are_equal(unnamed(a->rel), unnamed(b->rel)) &&
           are_equal(time_without(a, level), time_without(b, level));
}

/* Returns the first touch of a set. */
static int first_of(const sq_writers *w, int set)
{
    int i = 0;
    while (w->of[i].set != set)
        i++;
    return i;
}

static void put_into_set(const sq_kernel *k, sq_writers *w, int i)
{
    for (int s = 0; s < w->nsets; s++) {
        int first = first_of(w, s);
        if (w->t[first].array != w->t[i].array)
            continue;
        int level = only_difference(k, &w->place[first], &w->place[i]);
        if (level < 0 || (w->level[s] >= 0 && w->level[s] != level) || !are_alike(&w->t[first], &w->t[i], level))
            continue;
        w->level[s] = level;
        w->size[s]++;
        w->of[i].set = s;
        return;
    }
    w->of[i].set = w->nsets;
    w->level[w->nsets] = -1;
    w->size[w->nsets++] = 1;
}

static int64_t place_in_set(const sq_writers *w, int i, int set)
{
    return w->place[i].at[w->level[set]];
}

static void find_neighbours(sq_writers *w, int i)
{
    member *m = &w->of[i];
    for (int j = 0; j < w->n; j++) {
        if (j == i || w->of[j].set != m->set)
            continue;
        int64_t own = place_in_set(w, i, m->set), p = place_in_set(w, j, m->set);
        if (p < own && (m->before < 0 || p > place_in_set(w, m->before, m->set)))
            m->before = j;
        if (p > own && (m->behind < 0 || p < place_in_set(w, m->behind, m->set)))
            m->behind = j;
    }
}

const sq_writers *sq_writers_find(const sq_kernel *k, const sq_touch *t, int n)
{
    sq_writers *w = SQ_NEW(k->arena, sq_writers);
    *w = (sq_writers){.t = t,
                      .n = n,
                      .place = SQ_NEW_ARRAY(k->arena, place, n + 1),
                      .level = SQ_NEW_ARRAY(k->arena, int, n + 1),
                      .size = SQ_NEW_ARRAY(k->arena, int, n + 1),
                      .of = SQ_NEW_ARRAY(k->arena, member, n + 1)};
    for (int i = 0; i < n; i++)
        w->of[i] = (member){-1, -1, -1};
    for (int i = 0; i < n && k->nstmts > SQ_FEW_WRITERS; i++) {
        w->place[i] = place_of(k, &t[i]);
        if (is_writer(&t[i]))
            put_into_set(k, w, i);
    }
    for (int i = 0; i < n; i++)
        if (w->of[i].set >= 0 && w->size[w->of[i].set] > SQ_FEW_WRITERS)
            find_neighbours(w, i);
    return w;
}

/* True if a touch is in the body that contains all members of the set. */
static bool is_inside(const sq_writers *w, int i, int set)
{
    const place *first = &w->place[first_of(w, set)];
    for (int d = 0; d < w->level[set]; d += 2)
        if (w->place[i].at[d] != first->at[d])
            return false;
    return true;
}

/* True if statements have this order in the text, or the opposite one. */
static bool is_between(const sq_writers *w, int a, int b, int c)
{
    int first = w->t[a].stmt->position, second = w->t[b].stmt->position, third = w->t[c].stmt->position;
    return first < second ? second < third : second > third;
}

/* True if what separates member x from touch y follows from its neighbour, the next one towards y: that is between
 * them, or y has another iteration of the loops around all. */
static bool follows(const sq_writers *w, int x, int y, int next)
{
    int set = w->of[x].set;
    if (next < 0)
        return false;
    if (!w->t[y].stmt->written_loops) /* no loops are around it: it runs as a whole */
        return is_between(w, x, next, y);
    if (!is_inside(w, y, set))
        return true;
    int64_t own = place_in_set(w, x, set), other = place_in_set(w, y, set), between = place_in_set(w, next, set);
    bool is_towards = (between > own) == (other > own);
    return other != own && (!is_towards || (between > own ? between < other : between > other));
}

bool sq_writers_imply(const sq_writers *w, int a, int b)
{
    return follows(w, a, b, w->of[a].behind) || follows(w, b, a, w->of[b].before);
}
