/* Overlap: see overlap.h. */
#include "codegen/passes/overlap.h"
#include <string.h>

const sq_array *sq_pass_array(const sq_pass_context *c, const sq_code_buffer *b)
{
    for (int i = 0; i < c->kernel->narrays && b->storage == SQ_CODE_MEMORY; i++)
        if (strcmp(c->kernel->array[i]->name, b->name) == 0)
            return c->kernel->array[i];
    return NULL;
}

bool sq_pass_may_overlap(const sq_pass_context *c, const sq_code_buffer *a, const sq_code_buffer *b)
{
    const sq_array *x = sq_pass_array(c, a), *y = sq_pass_array(c, b);
    return x && y && sq_arrays_overlap(x, y);
}
