/* From isl: its expressions and sets as expressions of code, with the names of parameters as they
 * are. NULL where isl has failed. */
#ifndef SQ_CODE_FROM_ISL_H
#define SQ_CODE_FROM_ISL_H
#include "codegen/code/expr.h"
#include <isl/ast.h>
#include <isl/ast_build.h>

const sq_code_expr *sq_code_from_ast(sq_code_pool *p, isl_ast_expr *e /* __isl_keep */);
/* An affine expression whose dimensions are dim[]; rounded down where it divides. */
const sq_code_expr *sq_code_from_aff(sq_code_pool *p, isl_aff *aff /* __isl_keep */,
                                     const sq_code_expr *const *dim);
/* A piecewise affine expression over parameters, simplified under `context` (a parameter set). */
const sq_code_expr *sq_code_from_pw_aff(sq_code_pool *p, isl_pw_aff *pa /* __isl_take */,
                                        isl_set *context /* __isl_keep */);
/* The condition that parameters lie in `set`, simplified under `context`; 1 if always. */
const sq_code_expr *sq_code_from_set(sq_code_pool *p, isl_set *set /* __isl_take */,
                                     isl_set *context /* __isl_keep */);
/* True if a sum of sizes, which known (__isl_keep; or NULL) says something of, is never below 0. False of
 * other expressions. */
bool sq_code_is_never_negative(const sq_code_expr *e, isl_set *known);
#endif
