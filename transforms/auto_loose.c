/* Auto, loose: approximates dependent pairs by fewer constraints. isl's scheduler derives
 * constraints on an order's coefficients from every basic map of the pairs, and eliminates an
 * unknown for each constraint beyond those that determine the dimensions. Each elimination
 * multiplies the work, which its count of operations hardly shows. Typical loops leave three
 * unknowns at most; six, from remainders or skewed subscripts, take longer than all of these
 * together. */
#include "transforms/auto.h"
#include <isl/constraint.h>
#include <isl/map.h>

enum { MOST_UNKNOWNS = 3 };

/* ---- the constraints of a basic map ---- */

/* Sizes and dimensions in the order in which a condition lists them: those that conditions relate,
 * directly or not, form one part. isl handles parts separately. */
typedef struct parts {
    int n;
    int *of;         /* parent in the same part, the root is its own */
    int *conditions; /* number of conditions of the part, at the root; NULL: not counted yet */
} parts;

static int part_of(const parts *p, int i)
{
    while (p->of[i] != i)
        i = p->of[i];
    return i;
}

/* Unites the parts of what a condition mentions; returns one member, -1 if there is none. */
static int relate(const parts *p, isl_constraint *c /* __isl_keep */)
{
    static const enum isl_dim_type types[] = {isl_dim_param, isl_dim_in, isl_dim_out, isl_dim_div};
    int at = 0, first = -1;
    for (int t = 0; t < 4; t++)
        for (int i = 0; i < (int)isl_constraint_dim(c, types[t]); i++, at++) {
            if (isl_constraint_involves_dims(c, types[t], (unsigned)i, 1) != isl_bool_true)
                continue;
            if (first >= 0)
                p->of[part_of(p, at)] = part_of(p, first);
            first = first < 0 ? at : first;
        }
    return first;
}

static isl_stat see_condition(isl_constraint *c /* __isl_take */, void *user)
{
    const parts *p = user;
    int one = relate(p, c);
    if (one >= 0 && p->conditions)
        p->conditions[part_of(p, one)]++;
    isl_constraint_free(c);
    return isl_stat_ok;
}

static int most_unknowns(const parts *p)
{
    int most = 0;
    for (int i = 0; i < p->n; i++)
        p->conditions[part_of(p, i)]--;
    for (int i = 0; i < p->n; i++)
        most = p->conditions[i] > most ? p->conditions[i] : most;
    return most;
}

/* Returns the unknowns of the part with the most. The basic map has no redundant constraints. */
static int unknowns(sq_arena *arena, isl_basic_map *piece /* __isl_keep */)
{
    parts p = {.n = (int)isl_basic_map_dim(piece, isl_dim_all)};
    p.of = SQ_NEW_ARRAY(arena, int, p.n + 1);
    for (int i = 0; i < p.n; i++)
        p.of[i] = i;
    isl_basic_map_foreach_constraint(piece, see_condition, &p);
    p.conditions = SQ_NEW_ARRAY(arena, int, p.n + 1);
    isl_basic_map_foreach_constraint(piece, see_condition, &p);
    return most_unknowns(&p);
}

/* ---- fewer conditions ---- */

/* How much a condition relates the order of two points: not at all if it is about sizes, little if
 * it bounds a loop around one of them. */
typedef enum weight { SIZES, ONE_END, BOTH } weight;

static weight weight_of(isl_constraint *c /* __isl_keep */)
{
    unsigned nin = (unsigned)isl_constraint_dim(c, isl_dim_in);
    unsigned nout = (unsigned)isl_constraint_dim(c, isl_dim_out);
    bool in = isl_constraint_involves_dims(c, isl_dim_in, 0, nin) == isl_bool_true;
    bool out = isl_constraint_involves_dims(c, isl_dim_out, 0, nout) == isl_bool_true;
    return in && out ? BOTH : in || out ? ONE_END : SIZES;
}

typedef struct loosening {
    weight weight; /* kind of the conditions that are dropped */
    bool done;
    isl_basic_map *to;
} loosening;

static isl_stat keep_or_drop(isl_constraint *c /* __isl_take */, void *user)
{
    loosening *l = user;
    if (!l->done && isl_constraint_is_equality(c) == isl_bool_false && weight_of(c) == l->weight) {
        l->done = true;
        isl_constraint_free(c);
    } else {
        l->to = isl_basic_map_add_constraint(l->to, c);
    }
    return isl_stat_ok;
}

/* Drops one condition; false if there is none of this kind. */
static bool drop_one(isl_basic_map **piece, weight what)
{
    loosening l = {what, false, isl_basic_map_universe(isl_basic_map_get_space(*piece))};
    isl_basic_map_foreach_constraint(*piece, keep_or_drop, &l);
    isl_basic_map_free(*piece);
    *piece = l.to;
    return l.done;
}

/* Takes the basic map. */
static isl_basic_map *loosened(sq_arena *arena, isl_basic_map *piece)
{
    piece = isl_basic_map_remove_redundancies(isl_basic_map_remove_divs(piece));
    for (weight w = SIZES; w <= BOTH; w++)
        while (unknowns(arena, piece) > MOST_UNKNOWNS && drop_one(&piece, w))
            continue;
    return piece;
}

typedef struct sorted {
    sq_arena *arena;
    isl_map *all, *exact;
} sorted;

static isl_stat sort_piece(isl_basic_map *piece /* __isl_take */, void *user)
{
    sorted *s = user;
    piece = isl_basic_map_remove_redundancies(piece);
    if (unknowns(s->arena, piece) > MOST_UNKNOWNS)
        piece = loosened(s->arena, piece);
    else
        s->exact = isl_map_union(s->exact, isl_map_from_basic_map(isl_basic_map_copy(piece)));
    s->all = isl_map_union(s->all, isl_map_from_basic_map(piece));
    return isl_stat_ok;
}

isl_map *sq_auto_loose(sq_arena *arena, isl_map *pairs, isl_map **exact)
{
    sorted s = {arena, isl_map_empty(isl_map_get_space(pairs)),
                isl_map_empty(isl_map_get_space(pairs))};
    isl_map_foreach_basic_map(pairs, sort_piece, &s);
    isl_map_free(pairs);
    *exact = s.exact;
    return s.all;
}
