/* Verified: see verified.h. */
#include "codegen/passes/verified.h"
#include "codegen/base.h"
#include "codegen/code/parts.h"
#include "codegen/code/verify.h"
#include "support/diag.h"

#ifdef NDEBUG
static const bool always = false;
#else
static const bool always = true;
#endif

static void verify(const sq_pass_context *c, const char *after, const sq_code *x,
                   const sq_code_outer *outer)
{
    const char *wrong = sq_code_verify(x, outer, c->pool->arena);
    if (wrong)
        sq_bug("code", "%s, after %s: %s", c->kernel->name, after, wrong);
}

/* The parameters are around a part's body. */
static void verify_part(const sq_pass_context *c, const char *after, const sq_code_part *part)
{
    const char **name = SQ_NEW_ARRAY(c->pool->arena, const char *, part->nparams + 1);
    for (int i = 0; i < part->nparams; i++)
        name[i] = part->param[i].name;
    verify(c, after, part->body,
           &(sq_code_outer){.n = part->nparams,
                            .name = name,
                            .nbuffers = part->npointers,
                            .buffer = part->pointer});
}

/* Sizes, strides and arrays are around a group's code. */
static void verify_group(const sq_pass_context *c, const char *after, const sq_code *x)
{
    const sq_kernel *k = c->kernel;
    sq_arena *arena = c->pool->arena;
    int most = k->nsizes;
    for (int a = 0; a < k->narrays; a++)
        most += k->array[a]->ndim;
    const char **name = SQ_NEW_ARRAY(arena, const char *, most + 1),
               **array = SQ_NEW_ARRAY(arena, const char *, k->narrays + 1);
    sq_code_outer outer = {.name = name, .array = array, .narrays = k->narrays};
    for (int i = 0; i < k->nsizes; i++)
        name[outer.n++] = k->size[i]->name;
    for (int a = 0; a < k->narrays; a++) {
        array[a] = k->array[a]->name;
        for (int d = 0; d < k->array[a]->ndim; d++)
            name[outer.n++] = sq_stride_name(k->array[a], d, arena);
    }
    verify(c, after, x, &outer);
}

void sq_passes_verify(const sq_pass_context *c, const char *after, const sq_code *x)
{
    if (!always && !c->pool->is_verified)
        return;
    const sq_code_parts parts = sq_code_parts_of(x, c->pool->arena);
    for (int i = 0; i < parts.n; i++)
        verify_part(c, after, parts.part[i]);
    if (!c->is_fragment)
        verify_group(c, after, x);
}
