/* Group: see group.h. */
#include "codegen/lower/group.h"
#include "codegen/ast_loops.h"
#include "codegen/base.h"
#include "codegen/code/used.h"
#include "codegen/lower/scan.h"
#include "codegen/lower/tree.h"

/* Of a processor; none of its loops is text. */
static sq_lowered lower_tiled(const sq_schedule *s, int group, const sq_nest_options *o,
                              sq_code_pool *code, sq_code **to, sq_diags *d)
{
    if (o->target->grid)
        return SQ_LOWER_NOT_AS_CODE;
    const sq_fusion *r = sq_lower_fusion(s, group, o->target, code, d);
    *to = r ? sq_lower_nests(r, o) : NULL;
    return r ? SQ_LOWER_DONE : SQ_LOWER_FAILED;
}

sq_lowered sq_lower_group(const sq_schedule *s, int group, const sq_nest_options *o,
                          sq_code_pool *code, sq_code **to, sq_diags *d)
{
    const sq_group *g = s->group[group];
    if (g->kind == SQ_GROUP_TILED)
        return lower_tiled(s, group, o, code, to, d);
    bool done = g->kind == SQ_GROUP_WRITTEN
                    ? sq_scan_written(s->kernel, g, code, to)
                    : sq_lower_tree(s->kernel, g, o->target, o->threads, code, to, d) == 0;
    if (!done && g->kind == SQ_GROUP_WRITTEN)
        sq_ast_loops_refused(g->stmt[0], d);
    return done ? SQ_LOWER_DONE : SQ_LOWER_FAILED;
}

/* The strides that are known only at run time, as far as the code mentions them. */
static sq_code *with_strides(const sq_kernel *k, sq_code_pool *code, sq_code *body)
{
    sq_code_list all = {0};
    const sq_code_used used = sq_code_used_by(body, code->arena);
    for (int i = 0; i < k->narrays; i++)
        for (int x = 0; x < k->array[i]->ndim; x++) {
            const char *name = sq_stride_name(k->array[i], x, code->arena);
            if (!sq_array_stride(k->array[i], x) && sq_code_used_name(&used, name))
                sq_code_append(
                    &all, sq_code_let(code, name, sq_array_stride_code(k, k->array[i], x, code)));
        }
    sq_code_append(&all, body);
    return all.first;
}

sq_lowered sq_lower_schedule(const sq_schedule *s, const sq_target *t, bool threads,
                             sq_code_pool *code, sq_code **to, sq_diags *d)
{
    const sq_nest_options o = {.target = t, .threads = threads};
    sq_code_list all = {0};
    for (int g = 0; g < s->ngroups; g += sq_fusion_length(s, g)) {
        sq_code *block = sq_code_new(code, SQ_CODE_BLOCK);
        sq_lowered done = sq_lower_group(s, g, &o, code, &block->body, d);
        if (done != SQ_LOWER_DONE)
            return done;
        sq_code_append(&all, block);
    }
    *to = with_strides(s->kernel, code, all.first);
    return SQ_LOWER_DONE;
}
