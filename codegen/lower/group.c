/* Group: see group.h. */
#include "codegen/lower/group.h"
#include "codegen/lower/grid.h"
#include "codegen/nest/ast_loops.h"
#include "codegen/lower/region.h"
#include "codegen/lower/scan.h"
#include "codegen/lower/tree.h"
#include "codegen/nest/stored.h"

/* Returns "S0, S1": the statements of a group and of those that share its loops. */
static const char *stmts_of(const sq_schedule *s, int group, sq_arena *arena)
{
    const char *all = "";
    for (int i = 0; i < sq_fusion_length(s, group); i++) {
        const sq_group *g = s->group[group + i];
        for (int x = 0; x < g->nstmts; x++)
            all = sq_arena_printf(arena, "%s%s%s", all, *all ? ", " : "", g->stmt[x]->name);
    }
    return all;
}

static int lower_tiled(const sq_schedule *s, int group, const sq_nest_options *o,
                       sq_code_pool *code, sq_code **to, sq_diags *d)
{
    const sq_fusion *r = sq_lower_fusion(s, group, o->target, code, d);
    if (!r || sq_stored_check(r, d) != 0)
        return -1;
    if (o->target->grid)
        return sq_lower_kernels(r, stmts_of(s, group, code->arena), o->target, to, d);
    *to = sq_lower_nests(r, o);
    return 0;
}

int sq_lower_group(const sq_schedule *s, int group, const sq_nest_options *o,
                          sq_code_pool *code, sq_code **to, sq_diags *d)
{
    const sq_group *g = s->group[group];
    if (g->kind == SQ_GROUP_TILED)
        return lower_tiled(s, group, o, code, to, d);
    bool done = g->kind == SQ_GROUP_WRITTEN
                    ? sq_scan_written(s->kernel, g, code, to)
                    : sq_lower_tree(s->kernel, g, o, code, to, d) == 0;
    if (!done && g->kind == SQ_GROUP_WRITTEN)
        sq_ast_loops_refused(g->stmt[0], d);
    if (!done)
        return -1;
    if (o->target->grid) {
        *to = sq_lower_grid_tree(s->kernel, g, stmts_of(s, group, code->arena), code, *to);
        return 0;
    }
    if (o->threads && !o->eager)
        sq_region_of_code(code, *to, o->target);
    sq_lanes_allow(*to);
    return 0;
}
