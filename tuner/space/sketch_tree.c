/* Sketch, trees: the choices of groups that auto() schedules: as written or how fused, whether the
 * loop around all of them is kept, tiles, threads. Their costs are no model of the machine; they
 * only order the choices by experience: measurements select. In one of the orders statements also have register tiles
 * in the loops that they have by themselves, each a part of the sketch like a group. */
#include "transforms/auto.h"
#include "transforms/transform.h"
#include "tuner/model/draft_tree.h"
#include "tuner/space/sketch_inside.h"
#include <math.h>

static const char *const orders[] = {"", "fuse:smart", "fuse:max", "fuse:min"};

static void open_tree(sq_sketch *s, int group, const int64_t *sizes)
{
    static const long order[] = {0, 1, 2, 3}, keep[] = {0, 1};
    static const long tile[] = {0, 4, 8, 16, 32, 64}, along[] = {32, 64, 128, 256, 512, 1024, 2048};
    const sq_group *g = s->naive->group[group];
    sq_sketch_tree *t = &s->tree[s->ntrees++];
    const char *prefix =
        s->naive->ngroups > 1 ? sq_arena_printf(s->arena, "%s.", g->stmt[0]->name) : "";
    *t = (sq_sketch_tree){.group = g};
    t->large = sq_draft_large(s->naive->kernel, g, s->machine, sizes);
    t->streams = sq_draft_streams(s->naive->kernel, g, s->threads);
    t->order = sq_sketch_coordinate(s, prefix, "order", order, 4, !t->streams, true);
    bool can = sq_auto_keepable(s->naive->kernel, g) > 0;
    t->keep = sq_sketch_coordinate(s, prefix, "keep", keep, can ? 2 : 0, 0, true);
    t->tile = sq_sketch_coordinate(s, prefix, "tile", tile, 6,
                                   t->large ? s->machine->cost->tree_rows : 0, false);
    t->along =
        sq_sketch_coordinate(s, prefix, "along", along, 7, s->machine->cost->tree_along, false);
    t->parallel =
        sq_sketch_coordinate(s, prefix, "parallel", keep, s->threads > 1 ? 2 : 0, 1, true);
    if (t->parallel >= 0)
        s->space.coord[t->parallel].mark = SQ_COORD_THREADS;
}

/* ---- register tiles of statements ---- */

enum { WRITTEN, SMART, MIN = 3 }; /* of orders[] */
/* Of the time of loops: what is left of it with a tile, before one is chosen. */
static const double left_by_tile = 0.2;

/* An order in which statements have loops by themselves, and which of them. */
typedef struct own_loops {
    int n;
    sq_draft_nest nest[SQ_MOST_NESTS];
    double all, rest; /* seconds as the loops are, and of those that get no tile */
} own_loops;

static void put_order(const sq_sketch *s, const sq_sketch_tree *t, int order, bool keep, sq_text *to)
{
    if (s->naive->ngroups > 1)
        sq_text_printf(to, "%s: ", t->group->stmt[0]->name);
    sq_text_printf(to, "auto(%s%s", orders[order], keep ? ", keep:1" : "");
}

/* Returns the schedule in which the group has an order; NULL if that is refused. */
static const sq_schedule *in_order(const sq_sketch *s, const sq_sketch_tree *t, int order, bool keep, const char *more)
{
    sq_text text = {0};
    sq_schedule *trial = sq_schedule_copy(s->naive, s->arena);
    if (order) {
        put_order(s, t, order, keep, &text);
        sq_text_printf(&text, "%s)", more);
    }
    return sq_script_try(trial, sq_text_take(&text, s->arena), s->arena) ? trial : NULL;
}

static own_loops find_own(const sq_draft_context *c, const sq_sketch *s, const sq_sketch_tree *t, int group, int order)
{
    own_loops x = {0};
    const sq_schedule *trial = in_order(s, t, order, true, "");
    if (trial)
        x.n = sq_draft_nests_find(c, trial, group, x.nest, &x.all);
    x.rest = x.all;
    for (int i = 0; i < x.n; i++)
        x.rest -= x.nest[i].loops;
    return x;
}

static double expected(const own_loops *x)
{
    return x->n ? x->rest + left_by_tile * (x->all - x->rest) : INFINITY;
}

/* Lets searches start from the order in which statements have tiles: each step from another one to it costs more. */
static void start_there(sq_sketch *s, const sq_sketch_tree *t)
{
    int *start = s->space.start;
    if (t->order >= 0)
        start[t->order] = t->nest_order;
    if (t->keep >= 0)
        start[t->keep] = t->nest_keep;
    if (t->tile >= 0)
        start[t->tile] = 0;
    if (t->parallel >= 0)
        start[t->parallel] = 0;
}

/* Returns the seconds of auto()'s first order, or, where there is none, `otherwise`. */
static double first_order(const sq_draft_context *c, const sq_sketch *s, const sq_sketch_tree *t, int group,
                          double otherwise)
{
    const sq_machine_cost *cost = s->machine->cost;
    const char *tiles =
        t->large ? sq_arena_printf(s->arena, ", tile:%d, tile:%d", cost->tree_rows, cost->tree_along) : "";
    const sq_schedule *trial = in_order(s, t, SMART, false, tiles);
    double seconds = trial ? sq_draft_order_loops(c, trial, group) : INFINITY;
    return isfinite(seconds) ? seconds : otherwise;
}

/* Opens the tiles in the order in which they are expected to leave least. */
static void open_nests(sq_sketch *s, int tree, int group, const int64_t *sizes)
{
    sq_sketch_tree *t = &s->tree[tree];
    const sq_draft_context c = {s->machine, s->target, s->threads, sizes, s->arena};
    own_loops written = find_own(&c, s, t, group, WRITTEN), apart = {0};
    if (t->keep >= 0)
        apart = find_own(&c, s, t, group, MIN);
    bool is_apart = expected(&apart) < expected(&written);
    const own_loops *x = is_apart ? &apart : &written;
    t->nest_order = is_apart ? MIN : WRITTEN;
    t->nest_keep = is_apart;
    t->rest = x->all;
    bool any = false;
    for (int i = 0; i < x->n; i++)
        if (sq_sketch_add_nest(s, tree, &x->nest[i], sizes)) {
            any = true;
            t->rest -= x->nest[i].loops;
        }
    if (!any)
        return;
    t->fused = first_order(&c, s, t, group, x->all);
    start_there(s, t);
}

void sq_sketch_add_trees(sq_sketch *s, const int64_t *sizes)
{
    s->tree = SQ_NEW_ARRAY(s->arena, sq_sketch_tree, s->naive->ngroups + 1);
    for (int g = 0; g < s->naive->ngroups; g++) {
        const sq_group *group = s->naive->group[g];
        if (!sq_draft_by_loops(s->naive->kernel, group, s->threads))
            continue;
        open_tree(s, g, sizes);
        if (sq_draft_has_product(group))
            open_nests(s, s->ntrees - 1, g, sizes);
    }
}

static long value(const sq_sketch *s, int coordinate, const int *point)
{
    return coordinate < 0 ? 0 : s->space.coord[coordinate].value[point[coordinate]];
}

bool sq_sketch_tree_has_nests(const sq_sketch *s, int tree, const int *point)
{
    const sq_sketch_tree *t = &s->tree[tree];
    bool same = value(s, t->order, point) == t->nest_order && value(s, t->parallel, point) == 0;
    return t->fused > 0 && same &&
           (t->nest_order == WRITTEN ||
            (value(s, t->keep, point) == t->nest_keep && value(s, t->tile, point) == 0));
}

/* ---- scripts and costs ---- */

void sq_sketch_tree_scripts(const sq_sketch *s, const int *point, sq_text *to)
{
    for (int i = 0; i < s->ntrees; i++) {
        const sq_sketch_tree *t = &s->tree[i];
        long order = value(s, t->order, point), tile = value(s, t->tile, point);
        if (order == 0)
            continue;
        put_order(s, t, (int)order, value(s, t->keep, point), to);
        if (tile)
            sq_text_printf(to, ", tile:%ld, tile:%ld", tile, value(s, t->along, point));
        sq_text_puts(to, value(s, t->parallel, point) ? ", parallel) " : ") ");
    }
}

/* Returns the number of factors of two between two sizes. */
static double doublings(long a, long b)
{
    return fabs(log2((double)a / (double)b));
}

/* Returns the factor of an order to the first one of auto(). */
static double factor(const sq_sketch *s, const sq_sketch_tree *t, long order, bool keep, long tile, long along)
{
    const sq_machine_cost *cost = s->machine->cost;
    double written = t->streams ? 1 / (cost->tree_as_written * s->threads) : cost->tree_as_written,
           x = order == 0 ? written : 1 + cost->tree_order * (double)(order - 1);
    x *= keep && order ? cost->tree_kept : 1;
    if (tile)
        x *= 1 + cost->tree_rows_off * doublings(tile, cost->tree_rows) +
             cost->tree_along_off * doublings(along, cost->tree_along);
    if (order && t->large && !tile)
        x *= cost->tree_untiled;
    else if (order && !t->large && tile)
        x *= cost->tree_overtiled;
    return x;
}

double sq_sketch_tree_cost(const sq_sketch *s, const int *point)
{
    double sum = 0;
    for (int i = 0; i < s->ntrees; i++) {
        const sq_sketch_tree *t = &s->tree[i];
        long order = value(s, t->order, point);
        const sq_machine_cost *c = s->machine->cost;
        double first = factor(s, t, SMART, false, t->large ? c->tree_rows : 0, c->tree_along);
        double unit = t->fused > 0 ? t->fused / first : 1e-3;
        double x = factor(s, t, order, value(s, t->keep, point), value(s, t->tile, point), value(s, t->along, point));
        if (sq_sketch_tree_has_nests(s, i, point))
            sum += t->rest;
        else
            sum += unit * (value(s, t->parallel, point) && order ? x / s->threads : x);
    }
    return sum;
}
