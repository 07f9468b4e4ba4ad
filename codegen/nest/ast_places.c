/* AST places: see ast_places.h. */
#include "codegen/nest/ast_places.h"
#include "support/memory.h"
#include <isl/id.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_set.h>
#include <isl/val.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* With fewer places isl's own order costs little. */
enum { MANY_PLACES = 16 };

/* A map of a schedule, and its value of a dimension. */
typedef struct placed {
    long place;
    isl_map *map;
} placed;

/* The maps of a schedule by the value of a dimension that is a constant in each of them. */
typedef struct places {
    int dim;
    bool constant; /* in all maps so far */
    int n, room;
    placed *of;
} places;

static isl_stat add_map(isl_map *m /* __isl_take */, void *user)
{
    places *p = user;
    isl_val *v = p->constant ? isl_map_plain_get_val_if_fixed(m, isl_dim_out, (unsigned)p->dim) : NULL;
    p->constant &= isl_val_is_int(v) == isl_bool_true;
    if (p->constant)
        p->of[p->n++] = (placed){isl_val_get_num_si(v), m};
    else
        isl_map_free(m);
    isl_val_free(v);
    return isl_stat_ok;
}

static int by_place(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

static int count_values(const places *p)
{
    int values = 0;
    for (int i = 0; i < p->n; i++)
        values += i == 0 || p->of[i].place != p->of[i - 1].place;
    return values;
}

static void drop_places(places *p)
{
    for (int i = 0; i < p->n; i++)
        isl_map_free(p->of[i].map);
    free(p->of);
}

/* Returns the maps of the schedule sorted by a dimension; p->constant is false if it is not a constant in each. The
 * caller drops the places. */
static places sort_maps(isl_union_map *schedule /* __isl_keep */, int dim)
{
    places p = {.dim = dim, .constant = true, .room = (int)isl_union_map_n_map(schedule)};
    p.of = sq_allocated(calloc((size_t)p.room + 1, sizeof *p.of));
    p.constant = isl_union_map_foreach_map(schedule, add_map, &p) == isl_stat_ok && p.constant;
    qsort(p.of, (size_t)p.n, sizeof *p.of, by_place);
    return p;
}

static isl_stat add_dims(isl_map *m /* __isl_take */, void *user)
{
    *(int *)user = (int)isl_map_dim(m, isl_dim_out);
    isl_map_free(m);
    return isl_stat_ok;
}

/* Returns the number of dimensions of the schedule's values, which all its maps have. */
static int count_dims(isl_union_map *schedule /* __isl_keep */)
{
    int n = 0;
    isl_union_map_foreach_map(schedule, add_dims, &n);
    return n;
}

/* True if a dimension is a constant in all maps and has many values: the first such. The caller drops the places. */
static bool find_places(isl_union_map *schedule /* __isl_keep */, places *p)
{
    int ndims = isl_union_map_n_map(schedule) < MANY_PLACES ? 0 : count_dims(schedule);
    for (int dim = 0; dim < ndims; dim++) {
        *p = sort_maps(schedule, dim);
        if (p->constant && count_values(p) >= MANY_PLACES)
            return true;
        drop_places(p);
    }
    return false;
}

/* ---- parts of a schedule's values ---- */

typedef struct range {
    int from, n; /* dimensions to project out; n < 0: all from there */
    isl_union_map *to;
} range;

static isl_stat add_without(isl_map *m /* __isl_take */, void *user)
{
    range *r = user;
    int n = r->n < 0 ? (int)isl_map_dim(m, isl_dim_out) - r->from : r->n;
    m = isl_map_reset_tuple_id(m, isl_dim_out);
    r->to = isl_union_map_add_map(r->to, isl_map_project_out(m, isl_dim_out, (unsigned)r->from, (unsigned)n));
    return r->to ? isl_stat_ok : isl_stat_error;
}

/* Returns the schedule without n dimensions from `from` on. */
static isl_union_map *without(isl_union_map *schedule /* __isl_keep */, int from, int n)
{
    range r = {from, n, isl_union_map_empty(isl_union_map_get_space(schedule))};
    if (isl_union_map_foreach_map(schedule, add_without, &r) < 0)
        r.to = isl_union_map_free(r.to);
    return r.to;
}

/* Returns the schedule without dimensions that are one constant in all of it: each would cost as much as a loop. */
static isl_union_map *without_constants(isl_union_map *schedule /* __isl_take */)
{
    for (int dim = count_dims(schedule) - 1; dim >= 0; dim--) {
        places p = sort_maps(schedule, dim);
        if (p.constant && count_values(&p) == 1) {
            isl_union_map *rest = without(schedule, dim, 1);
            isl_union_map_free(schedule);
            schedule = rest;
        }
        drop_places(&p);
    }
    return schedule;
}

/* ---- loops ---- */

/* A schedule of what a build has no loops for yet. */
typedef struct inner {
    isl_ast_build *build;
    isl_union_map *outer; /* the build's own schedule; NULL: there is none */
    isl_union_map *map;
} inner;

static isl_ast_node *generate(const inner *all /* __isl_keep */);

/* Returns isl's loops: inside of others a schedule's values are pairs of theirs and its own. */
static isl_ast_node *generate_map(const inner *x, isl_union_map *map /* __isl_take */)
{
    if (x->outer)
        map = isl_union_map_range_product(isl_union_map_copy(x->outer), map);
    return isl_ast_build_node_from_schedule_map(x->build, map);
}

/* ---- sequences ---- */

static const char sequence_name[] = "sequence";

static void free_list(void *list)
{
    isl_ast_node_list_free(list);
}

/* Returns a node that stands for all: isl offers no way to make a block, so the first carries the list. */
static isl_ast_node *make_sequence(isl_ast_node_list *all /* __isl_take */)
{
    isl_ast_node *node = isl_ast_node_list_get_ast_node(all, 0);
    isl_id *id = isl_id_alloc(isl_ast_node_list_get_ctx(all), sequence_name, all);
    return isl_ast_node_set_annotation(node, isl_id_set_free_user(id, free_list));
}

isl_ast_node_list *sq_ast_sequence(isl_ast_node *node)
{
    isl_id *id = isl_ast_node_get_annotation(node);
    const char *name = id ? isl_id_get_name(id) : NULL;
    bool is_one = name && strcmp(name, sequence_name) == 0;
    isl_ast_node_list *list = is_one ? isl_ast_node_list_copy(isl_id_get_user(id)) : NULL;
    isl_id_free(id);
    return list;
}

/* Returns the loops of each place, one after the other. */
static isl_ast_node *in_sequence(const inner *x, const places *p)
{
    isl_ast_node_list *all = isl_ast_node_list_alloc(isl_ast_build_get_ctx(x->build), MANY_PLACES);
    for (int i = 0; i < p->n && all;) {
        isl_union_map *part = isl_union_map_from_map(isl_map_copy(p->of[i].map));
        int first = i++;
        for (; i < p->n && p->of[i].place == p->of[first].place; i++)
            part = isl_union_map_add_map(part, isl_map_copy(p->of[i].map));
        part = without_constants(part);
        all = isl_ast_node_list_add(all, generate(&(inner){x->build, x->outer, part}));
        isl_union_map_free(part);
    }
    return all ? make_sequence(all) : NULL;
}

/* ---- loops around the places ---- */

/* What the loops outside of the places are, and what is inside: of the same statements. */
typedef struct levels {
    isl_union_map *around, *inside;
} levels;

/* Generates what is inside of the outer loops, at the instances that they run. */
static isl_ast_node *leaf(isl_ast_build *build /* __isl_take */, void *user)
{
    const levels *l = user;
    isl_union_map *outer = isl_union_map_apply_range(isl_union_map_copy(l->around), isl_ast_build_get_schedule(build));
    inner x = {build, outer, isl_union_map_copy(l->inside)};
    isl_ast_node *node = generate(&x);
    isl_union_map_free(x.outer);
    isl_union_map_free(x.map);
    isl_ast_build_free(build);
    return node;
}

/* Generates the loops outside of the places, and the places inside of them. The loops are those of one statement that
 * runs whenever one of all does: isl would compare them here, too. */
static isl_ast_node *inside_loops(const inner *x, int dim)
{
    levels l = {without(x->map, dim, -1), without(x->map, 0, dim)};
    if (x->outer)
        l.around = isl_union_map_range_product(isl_union_map_copy(x->outer), l.around);
    isl_set *times = isl_set_coalesce(isl_set_from_union_set(isl_union_map_range(isl_union_map_copy(l.around))));
    isl_ast_build *build = isl_ast_build_set_create_leaf(isl_ast_build_copy(x->build), leaf, &l);
    isl_ast_node *node = isl_ast_build_node_from_schedule_map(build, isl_union_map_from_map(isl_set_identity(times)));
    isl_ast_build_free(build);
    isl_union_map_free(l.around);
    isl_union_map_free(l.inside);
    return node;
}

static isl_ast_node *generate(const inner *x)
{
    places p;
    if (!find_places(x->map, &p))
        return generate_map(x, isl_union_map_copy(x->map));
    isl_ast_node *node = p.dim == 0 ? in_sequence(x, &p) : inside_loops(x, p.dim);
    drop_places(&p);
    return node;
}

isl_ast_node *sq_ast_places(isl_ast_build *build, isl_union_map *schedule)
{
    isl_ast_node *node = generate(&(inner){build, NULL, schedule});
    isl_ast_build_free(build);
    isl_union_map_free(schedule);
    return node;
}
