/* Text of: converts isl's expressions and sets to C text. */
#include "codegen/nest/text_of.h"
#include "codegen/code/from_isl.h"
#include "codegen/nest/ref.h"
#include <isl/aff.h>

static const char *text(const sq_code_expr *e, sq_arena *arena)
{
    return e ? sq_code_text(e, arena) : NULL;
}

const char *sq_pw_aff_text(__isl_take isl_pw_aff *pa, isl_set *context, sq_arena *arena)
{
    return text(sq_code_from_pw_aff(sq_code_pool_new(arena), pa, context), arena);
}

const char *sq_set_text(__isl_take isl_set *set, isl_set *context, sq_arena *arena)
{
    return text(sq_code_from_set(sq_code_pool_new(arena), set, context), arena);
}

const sq_code_expr *sq_aff_code(const sq_kernel *k, isl_aff *aff, sq_code_pool *code)
{
    return sq_code_from_pw_aff(code, isl_pw_aff_from_aff(isl_aff_copy(aff)), k->context);
}

const char *sq_aff_text(const sq_kernel *k, isl_aff *aff, sq_arena *arena)
{
    return sq_pw_aff_text(isl_pw_aff_from_aff(isl_aff_copy(aff)), k->context, arena);
}
