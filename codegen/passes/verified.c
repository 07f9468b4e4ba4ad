/* Verified: see verified.h. */
#include "codegen/passes/verified.h"
#include "codegen/nest/base.h"
#include "codegen/code/parts.h"
#include "codegen/code/verify.h"
#include "codegen/lower/verified.h"
#include "support/diag.h"

#ifdef NDEBUG
static const bool always = false;
#else
static const bool always = true;
#endif

/* The scope of a part's body has its parameters. */
static const char *part_wrong(const sq_pass_context *c, const sq_code_part *part)
{
    const char **name = SQ_NEW_ARRAY(c->pool->arena, const char *, part->nparams + 1),
               **scalar = SQ_NEW_ARRAY(c->pool->arena, const char *, part->nparams + 1);
    sq_code_outer outer = {
        .name = name, .scalar = scalar, .nbuffers = part->npointers, .buffer = part->pointer};
    for (int i = 0; i < part->nparams; i++)
        if (part->param[i].kind == SQ_CODE_VALUE)
            scalar[outer.nscalars++] = part->param[i].name;
        else
            name[outer.n++] = part->param[i].name;
    return sq_code_verify(part->body, &outer, c->pool->arena);
}

/* The scope of a group's code has sizes, scalars, strides and arrays. */
static const char *group_wrong(const sq_pass_context *c, const sq_code *x)
{
    const sq_kernel *k = c->kernel;
    sq_arena *arena = c->pool->arena;
    int most = k->nsizes + k->nproducts;
    for (int a = 0; a < k->narrays; a++)
        most += k->array[a]->ndim;
    const char **name = SQ_NEW_ARRAY(arena, const char *, most + 1);
    sq_code_outer outer = sq_lower_outer(k, name, arena);
    for (int a = 0; a < k->narrays; a++)
        for (int d = 0; d < k->array[a]->ndim; d++)
            name[outer.n++] = sq_stride_name(k->array[a], d, arena);
    return sq_code_verify(x, &outer, arena);
}

const char *sq_passes_wrong(const sq_pass_context *c, const sq_code *x)
{
    const sq_code_parts parts = sq_code_parts_of(x, c->pool->arena);
    const char *wrong = NULL;
    for (int i = 0; i < parts.n && !wrong; i++)
        wrong = part_wrong(c, parts.part[i]);
    return wrong ? wrong : group_wrong(c, x);
}

void sq_passes_verify(const sq_pass_context *c, const char *after, const sq_code *x)
{
    const char *wrong = always || c->pool->is_verified ? sq_passes_wrong(c, x) : NULL;
    if (wrong)
        sq_bug("code", "%s, after %s: %s", c->kernel->name, after, wrong);
}
