/* Tree pairs: see tree_pairs.h. */
#include "ir/dependence/tree_pairs.h"
#include <isl/map.h>
#include <string.h>

struct sq_tree_memo {
    const sq_kernel *k;
    const sq_group *g;
    sq_arena *arena;
    int n; /* dependences */
    sq_tree_pairs **all;
};

/* Takes the map. NULL if isl failed. */
static sq_tree_pairs *new_pairs(const sq_tree_memo *m, isl_map *map)
{
    isl_bool none = map ? isl_map_is_empty(map) : isl_bool_error;
    if (none == isl_bool_error) {
        isl_map_free(map);
        return NULL;
    }
    sq_tree_pairs *p = SQ_NEW(m->arena, sq_tree_pairs);
    p->map = map;
    p->none = none == isl_bool_true;
    return p;
}

sq_tree_memo *sq_tree_memo_new(const sq_kernel *k, const sq_group *g, const sq_tree_deps *deps)
{
    sq_arena *arena = sq_arena_new();
    sq_tree_memo *m = SQ_NEW(arena, sq_tree_memo);
    *m = (sq_tree_memo){.k = k, .g = g, .arena = arena, .all = SQ_NEW_ARRAY(arena, sq_tree_pairs *, deps->n + 1)};
    for (; m->n < deps->n; m->n++)
        if (!(m->all[m->n] = new_pairs(m, isl_map_copy(deps->dep[m->n].map)))) {
            sq_tree_memo_free(m);
            return NULL;
        }
    return m;
}

static void free_maps(sq_tree_pairs *p)
{
    for (; p; p = p->next) {
        isl_map_free(p->map);
        free_maps(p->inside);
    }
}

void sq_tree_memo_free(sq_tree_memo *m)
{
    if (!m)
        return;
    for (int i = 0; i < m->n; i++)
        free_maps(m->all[i]);
    sq_arena_free(m->arena);
}

sq_tree_pairs *sq_tree_pairs_all(const sq_tree_memo *m, int dep)
{
    return m->all[dep];
}

/* Returns { p -> q : the row of p is above, is, or is below that of q } */
static isl_map *relation(const sq_tree_memo *m, const sq_tree_dep *d, const sq_row *a, const sq_row *b,
                         sq_tree_side side)
{
    isl_map *from = isl_map_from_aff(sq_row_aff(m->k, m->g->stmt[d->from], a));
    isl_map *to = isl_map_from_aff(sq_row_aff(m->k, m->g->stmt[d->to], b));
    switch (side) {
    case SQ_TREE_BACK:
        return isl_map_lex_gt_map(from, to);
    case SQ_TREE_AHEAD:
        return isl_map_lex_lt_map(from, to);
    default:
        return isl_map_apply_range(from, isl_map_reverse(to));
    }
}

sq_tree_pairs *sq_tree_pairs_part(sq_tree_memo *m, sq_tree_pairs *of, const sq_tree_dep *dep, const sq_member *x,
                                  sq_tree_side side)
{
    const sq_row *from = &x->row[dep->from], *to = &x->row[dep->to];
    for (sq_tree_pairs *p = of->inside; p; p = p->next)
        if (p->side == side && memcmp(&p->from, from, sizeof *from) == 0 && memcmp(&p->to, to, sizeof *to) == 0)
            return p;
    sq_tree_pairs *p =
        new_pairs(m, of->none ? isl_map_copy(of->map)
                              : isl_map_intersect(isl_map_copy(of->map), relation(m, dep, from, to, side)));
    if (!p)
        return NULL;
    p->from = *from;
    p->to = *to;
    p->side = side;
    p->next = of->inside;
    of->inside = p;
    return p;
}
