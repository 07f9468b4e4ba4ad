/* Verified: see verified.h. */
#include "codegen/lower/verified.h"
#include "codegen/nest/base.h"
#include "codegen/code/verify.h"
#include "support/diag.h"

#ifdef NDEBUG
static const bool always = false;
#else
static const bool always = true;
#endif

sq_code_outer sq_lower_outer(const sq_kernel *k, const char **name, sq_arena *arena)
{
    const char **array = SQ_NEW_ARRAY(arena, const char *, k->narrays + 1),
               **scalar = SQ_NEW_ARRAY(arena, const char *, k->nparams + 1);
    sq_code_outer outer = {.name = name, .scalar = scalar, .array = array, .narrays = k->narrays};
    for (int i = 0; i < k->narrays; i++)
        array[i] = k->array[i]->name;
    for (int i = 0; i < k->nparams; i++)
        if (k->param[i].scalar)
            scalar[outer.nscalars++] = k->param[i].scalar->name;
    for (int i = 0; i < k->nsizes; i++)
        name[outer.n++] = k->size[i]->name;
    for (int i = 0; i < k->nproducts; i++)
        name[outer.n++] = k->product[i]->name;
    for (int i = 0; i < k->nouter; i++)
        name[outer.n++] = k->outer[i];
    return outer;
}

static void verify(const sq_kernel *k, const sq_group *g, sq_code_pool *p, const sq_code *x,
                   const sq_code_outer *outer)
{
    const char *wrong = sq_code_verify(x, outer, p->arena);
    if (wrong)
        sq_bug("code", "%s, statement %s: %s", k->name, g->stmt[0]->name, wrong);
}

sq_code *sq_lower_verified(const sq_kernel *k, const sq_group *g, sq_code_pool *p, sq_code *x)
{
    if (!always && !p->is_verified)
        return x;
    int most = k->nsizes + k->nproducts + k->nouter + g->nloops;
    const char **name = SQ_NEW_ARRAY(p->arena, const char *, most + 1);
    sq_code_outer outer = sq_lower_outer(k, name, p->arena);
    for (int i = 0; i < g->nloops; i++)
        name[outer.n++] = g->loop[i].name;
    verify(k, g, p, x, &outer);
    return x;
}
