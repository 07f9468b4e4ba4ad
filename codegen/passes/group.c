/* Group: see group.h. */
#include "codegen/passes/group.h"
#include "codegen/nest/base.h"
#include "codegen/code/used.h"
#include "support/terminal.h"

int sq_group_code(const sq_schedule *s, int group, const sq_group_options *o,
                         sq_code_pool *pool, sq_code **to, sq_diags *d)
{
    double start = o->times ? sq_terminal_seconds() : 0;
    int rc = sq_lower_group(s, group, &o->nest, pool, to, d);
    if (o->times)
        o->times[0].seconds += sq_terminal_seconds() - start;
    const sq_pass_context c = {.kernel = s->kernel, .target = o->nest.target, .pool = pool};
    if (rc == 0)
        *to = sq_passes_run(&c, *to, o->npasses, o->times);
    return rc;
}

/* Prepends the run-time strides that the code mentions. */
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

int sq_schedule_code(const sq_schedule *s, const sq_group_options *o, sq_code_pool *pool,
                            sq_code **to, sq_diags *d)
{
    sq_code_list all = {0};
    for (int g = 0; g < s->ngroups; g += sq_fusion_length(s, g)) {
        sq_code *block = sq_code_new(pool, SQ_CODE_BLOCK);
        if (sq_group_code(s, g, o, pool, &block->body, d) != 0)
            return -1;
        sq_code_append(&all, block);
    }
    *to = with_strides(s->kernel, pool, all.first);
    return 0;
}

void sq_schedule_step(const sq_schedule *s, const sq_group_options *o, const sq_pass *pass, int row,
                      sq_code_pool *pool, sq_code *code)
{
    const sq_pass_context c = {.kernel = s->kernel, .target = o->nest.target, .pool = pool};
    for (; code; code = code->next)
        if (code->kind == SQ_CODE_BLOCK)
            code->body = sq_pass_step(&c, pass, row, code->body);
}
