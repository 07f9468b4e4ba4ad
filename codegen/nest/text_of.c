/* Text of: converts isl's expressions and sets to C text. */
#include "codegen/nest/text_of.h"
#include "codegen/code/from_isl.h"
#include "codegen/nest/ref.h"
#include "support/diag.h"
#include <isl/aff.h>

static const char *text_with(const sq_code_expr *e, const sq_text_calls *calls, sq_arena *arena)
{
    sq_text t = {0};
    sq_code_put_with(e, SQ_LEVEL_ANY, &(sq_code_values){.helpers = calls->prefix, .uses = calls->uses}, &t);
    return sq_text_take(&t, arena);
}

const char *sq_pw_aff_text_with(__isl_take isl_pw_aff *pa, isl_set *context, const sq_text_calls *calls,
                                sq_arena *arena)
{
    const sq_code_expr *e = sq_code_from_pw_aff(sq_code_pool_new(arena), pa, context);
    return e ? text_with(e, calls, arena) : NULL;
}

const char *sq_set_text_with(__isl_take isl_set *set, isl_set *context, const sq_text_calls *calls, sq_arena *arena)
{
    const sq_code_expr *e = sq_code_from_set(sq_code_pool_new(arena), set, context);
    if (!e)
        sq_bug("codegen", "isl has no condition for a set of sizes");
    return sq_code_is(e, 1) ? NULL : text_with(e, calls, arena);
}

const char *sq_pw_aff_text(__isl_take isl_pw_aff *pa, isl_set *context, const sq_uses *uses, sq_arena *arena)
{
    return sq_pw_aff_text_with(pa, context, &(sq_text_calls){.uses = uses}, arena);
}

const char *sq_set_text(__isl_take isl_set *set, isl_set *context, sq_arena *arena)
{
    const sq_code_expr *e = sq_code_from_set(sq_code_pool_new(arena), set, context);
    return e ? sq_code_text(e, NULL, arena) : NULL;
}

const sq_code_expr *sq_aff_code(const sq_kernel *k, isl_aff *aff, sq_code_pool *code)
{
    return sq_code_from_pw_aff(code, isl_pw_aff_from_aff(isl_aff_copy(aff)), k->context);
}

const char *sq_aff_text(const sq_kernel *k, isl_aff *aff, const sq_uses *uses, sq_arena *arena)
{
    return sq_pw_aff_text(isl_pw_aff_from_aff(isl_aff_copy(aff)), k->context, uses, arena);
}
