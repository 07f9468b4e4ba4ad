/* From isl: converts isl's expressions and sets to expressions of code. Parameters keep their
 * names. The functions return NULL where isl has failed. */
#ifndef SQ_CODE_FROM_ISL_H
#define SQ_CODE_FROM_ISL_H
#include "codegen/code/expr.h"
#include <isl/ast.h>
#include <isl/ast_build.h>

const sq_code_expr *sq_code_from_ast(sq_code_pool *p, isl_ast_expr *e /* __isl_keep */);
/* Converts an affine expression whose dimensions are dim[]; divisions round down. */
const sq_code_expr *sq_code_from_aff(sq_code_pool *p, isl_aff *aff /* __isl_keep */,
                                     const sq_code_expr *const *dim);
/* The same, and frees it. */
const sq_code_expr *sq_code_take_ast(sq_code_pool *p, isl_ast_expr *e /* __isl_take */);
/* Returns isl's expression of a piecewise affine one over parameters, simplified under the parameter set `context`.
 * __isl_give */
isl_ast_expr *sq_ast_from_pw_aff(isl_pw_aff *pa /* __isl_take */, isl_set *context /* __isl_keep */);
/* Returns that of the condition that the parameters lie in `set`. __isl_give */
isl_ast_expr *sq_ast_from_set(isl_set *set /* __isl_take */, isl_set *context /* __isl_keep */);
/* Converts a piecewise affine expression over parameters, simplified under the parameter set
 * `context`. */
const sq_code_expr *sq_code_from_pw_aff(sq_code_pool *p, isl_pw_aff *pa /* __isl_take */,
                                        isl_set *context /* __isl_keep */);
/* Returns the condition that the parameters lie in `set`, simplified under `context`; 1 if it
 * always holds. */
const sq_code_expr *sq_code_from_set(sq_code_pool *p, isl_set *set /* __isl_take */,
                                     isl_set *context /* __isl_keep */);
/* True if e is a sum of sizes, also divided by numbers, that is never negative, given `known`
 * (__isl_keep; or NULL), a set of the sizes. False for other expressions. */
bool sq_code_is_never_negative(const sq_code_expr *e, isl_set *known);
/* Returns the part of `known` in which it is not negative; all of it for other expressions. __isl_give */
isl_set *sq_code_not_negative(const sq_code_expr *e, isl_set *known /* __isl_keep */);
#endif
