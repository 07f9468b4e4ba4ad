/* Scalar: C text of expressions for single values. The naive nest prints whole statements with it;
 * a vector printer uses it for values that do not depend on the vector dimension. A callback prints
 * the leaves, which differ between them: reads, affine index values and the result of the
 * reduction. */
#ifndef SQ_CODEGEN_PRINT_SCALAR_H
#define SQ_CODEGEN_PRINT_SCALAR_H
#include "codegen/isa/target.h"

typedef struct sq_scalar_style {
    const char *prefix; /* prefix of helpers: "gemm_" */
    bool wide;          /* floating-point arithmetic is in double, whatever the expression's type */
    bool is_library;    /* functions are those of the C library, as in double */
    /* Prints an SQ_OP_READ, SQ_OP_INDEX or SQ_OP_REDUCED node, parenthesised if necessary; for f16
     * and bf16 the value, not the bits. */
    void (*leaf)(const sq_expr *e, sq_text *to, void *user);
    void *user;
    const sq_rounded *rounded; /* see strict.h */
} sq_scalar_style;

/* Appends the expression as C, fully parenthesised; the value has the expression's type (double for
 * floating types when wide; float for f16 and bf16). Needs sq_scalar_helpers(prefix) before it in
 * the text. */
void sq_scalar_expr(const sq_expr *e, const sq_scalar_style *style, sq_text *to);
/* Appends it as it is stored in an array: the bits of f16 and bf16. */
void sq_scalar_stored(const sq_expr *e, const sq_scalar_style *style, sq_text *to);
/* Appends a number of the given type as a C literal that reads back to the same bits. */
void sq_scalar_number(double value, sq_type type, sq_text *to);
void sq_scalar_value(sq_number value, sq_type type, sq_text *to);
/* Returns the initial value of a reduction as C text: 0, 1, or the minimum or maximum of the
 * type. */
const char *sq_scalar_identity(sq_type type, sq_op reduce);
/* Appends an affine expression over the dimensions named dim[] and the sizes, as int64_t C text:
 * "2*y + r - 1". The space's sizes are printed with a cast, so that int cannot overflow. */
void sq_scalar_aff(isl_aff *a /* __isl_keep */, const char *const *dim, const char *prefix,
                   sq_text *to);
/* Appends definitions of the helper functions: floord, clamp, min and max of each type. */
void sq_scalar_helpers(const char *prefix, sq_text *to);
#endif
