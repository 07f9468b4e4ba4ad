/* Sketch, trees: the choices of groups that auto() schedules: as written or how fused, whether the
 * loop around all of them is kept, tiles, threads. Their costs are no model of the machine; they
 * only order the choices by experience: measurements select. */
#include "transforms/auto.h"
#include "tuner/model/draft.h"
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

void sq_sketch_add_trees(sq_sketch *s, const int64_t *sizes)
{
    s->tree = SQ_NEW_ARRAY(s->arena, sq_sketch_tree, s->naive->ngroups + 1);
    for (int g = 0; g < s->naive->ngroups; g++)
        if (sq_draft_by_loops(s->naive->kernel, s->naive->group[g], s->threads))
            open_tree(s, g, sizes);
}

static long value(const sq_sketch *s, int coordinate, const int *point)
{
    return coordinate < 0 ? 0 : s->space.coord[coordinate].value[point[coordinate]];
}

void sq_sketch_tree_scripts(const sq_sketch *s, const int *point, sq_text *to)
{
    for (int i = 0; i < s->ntrees; i++) {
        const sq_sketch_tree *t = &s->tree[i];
        long order = value(s, t->order, point), tile = value(s, t->tile, point);
        if (order == 0)
            continue;
        if (s->naive->ngroups > 1)
            sq_text_printf(to, "%s: ", t->group->stmt[0]->name);
        sq_text_printf(to, "auto(%s", orders[order]);
        if (value(s, t->keep, point))
            sq_text_puts(to, ", keep:1");
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

double sq_sketch_tree_cost(const sq_sketch *s, const int *point)
{
    const sq_machine_cost *cost = s->machine->cost;
    double sum = 0;
    for (int i = 0; i < s->ntrees; i++) {
        const sq_sketch_tree *t = &s->tree[i];
        long order = value(s, t->order, point), tile = value(s, t->tile, point);
        double written =
                   t->streams ? 1 / (cost->tree_as_written * s->threads) : cost->tree_as_written,
               x = order == 0 ? written : 1 + cost->tree_order * (double)(order - 1);
        x *= value(s, t->keep, point) && order ? cost->tree_kept : 1;
        if (tile)
            x *= 1 + cost->tree_rows_off * doublings(tile, cost->tree_rows) +
                 cost->tree_along_off * doublings(value(s, t->along, point), cost->tree_along);
        if (order && t->large && !tile)
            x *= cost->tree_untiled;
        else if (order && !t->large && tile)
            x *= cost->tree_overtiled;
        sum += value(s, t->parallel, point) && order ? x / s->threads : x;
    }
    return sum * 1e-3;
}
