/* Group: see group.h. */
#include "codegen/lower/group.h"
#include "codegen/nest/ast_loops.h"
#include "codegen/lower/region.h"
#include "codegen/lower/scan.h"
#include "codegen/lower/tree.h"
#include "codegen/nest/stored.h"

/* Lowers a group for a CPU, none of whose loops is text. */
static sq_lowered lower_tiled(const sq_schedule *s, int group, const sq_nest_options *o,
                              sq_code_pool *code, sq_code **to, sq_diags *d)
{
    if (o->target->grid)
        return SQ_LOWER_NOT_AS_CODE;
    const sq_fusion *r = sq_lower_fusion(s, group, o->target, code, d);
    bool done = r && sq_stored_check(r, d) == 0;
    *to = done ? sq_lower_nests(r, o) : NULL;
    return done ? SQ_LOWER_DONE : SQ_LOWER_FAILED;
}

sq_lowered sq_lower_group(const sq_schedule *s, int group, const sq_nest_options *o,
                          sq_code_pool *code, sq_code **to, sq_diags *d)
{
    const sq_group *g = s->group[group];
    if (g->kind == SQ_GROUP_TILED)
        return lower_tiled(s, group, o, code, to, d);
    bool done = g->kind == SQ_GROUP_WRITTEN
                    ? sq_scan_written(s->kernel, g, code, to)
                    : sq_lower_tree(s->kernel, g, o, code, to, d) == 0;
    if (done && o->threads && !o->eager && !o->target->grid)
        sq_region_of_code(code, *to, o->target);
    if (done)
        sq_lanes_allow(*to);
    if (!done && g->kind == SQ_GROUP_WRITTEN)
        sq_ast_loops_refused(g->stmt[0], d);
    return done ? SQ_LOWER_DONE : SQ_LOWER_FAILED;
}
