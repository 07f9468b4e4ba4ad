/* Group: see group.h. */
#include "codegen/lower/group.h"
#include "codegen/ast_loops.h"
#include "codegen/lower/scan.h"
#include "codegen/lower/tree.h"

sq_lowered sq_lower_group(const sq_kernel *k, const sq_group *g, const sq_target *t, bool threads,
                          sq_code_pool *code, sq_code **to, sq_diags *d)
{
    if (g->kind == SQ_GROUP_TILED)
        return SQ_LOWER_NOT_AS_CODE;
    bool done = g->kind == SQ_GROUP_WRITTEN ? sq_scan_written(k, g, code, to)
                                            : sq_lower_tree(k, g, t, threads, code, to, d) == 0;
    if (!done && g->kind == SQ_GROUP_WRITTEN)
        sq_ast_loops_refused(g->stmt[0], d);
    return done ? SQ_LOWER_DONE : SQ_LOWER_FAILED;
}

sq_lowered sq_lower_schedule(const sq_schedule *s, const sq_target *t, bool threads,
                             sq_code_pool *code, sq_code **to, sq_diags *d)
{
    sq_code_list all = {0};
    for (int g = 0; g < s->ngroups; g++)
        if (s->group[g]->kind == SQ_GROUP_TILED)
            return SQ_LOWER_NOT_AS_CODE;
    for (int g = 0; g < s->ngroups; g++) {
        sq_code *block = sq_code_new(code, SQ_CODE_BLOCK);
        sq_lowered done = sq_lower_group(s->kernel, s->group[g], t, threads, code, &block->body, d);
        if (done != SQ_LOWER_DONE)
            return done;
        sq_code_append(&all, block);
    }
    *to = all.first;
    return SQ_LOWER_DONE;
}
