/* Scalar: C text of expressions, one value at a time. The naive nest prints whole statements with
 * it; a vector printer uses it where a value does not depend on the vector dimension. What a read
 * looks like differs between them, so a callback prints the leaves that belong to the caller:
 * reads, affine index values and the result of the reduction. */
#ifndef SQ_CODEGEN_PRINT_SCALAR_H
#define SQ_CODEGEN_PRINT_SCALAR_H
#include "codegen/isa/target.h"

typedef struct sq_scalar_style {
    const char *prefix; /* of the helper functions' names: "gemm_" */
    bool wide;          /* floating-point arithmetic in double, whatever the expression's type */
    bool is_library;    /* functions are the C library's, as they are in double */
    /* Prints an SQ_OP_READ, SQ_OP_INDEX or SQ_OP_REDUCED node, parenthesised if it needs to be; of
     * f16 and bf16 the value, not the bits. */
    void (*leaf)(const sq_expr *e, sq_text *to, void *user);
    void *user;
    const sq_rounded *rounded; /* see strict.h */
} sq_scalar_style;

/* The expression as C, fully parenthesised; the value has the expression's type (double for a
 * floating one when wide); of f16 and bf16 it is a float. Needs sq_scalar_helpers(prefix) before it
 * in the text. */
void sq_scalar_expr(const sq_expr *e, const sq_scalar_style *style, sq_text *to);
/* The same as an array's element holds it: of f16 and bf16 the bits. */
void sq_scalar_stored(const sq_expr *e, const sq_scalar_style *style, sq_text *to);
/* A number of the given type as a C literal that reads back to the same bits. */
void sq_scalar_number(double value, sq_type type, sq_text *to);
void sq_scalar_value(sq_number value, sq_type type, sq_text *to);
/* The same for an integer. */
void sq_scalar_integer(int64_t value, sq_type type, sq_text *to);
/* What a reduction starts from, as C text: 0, 1, or the least or greatest value of the type. */
const char *sq_scalar_identity(sq_type type, sq_op reduce);
/* An affine expression over the dimensions named dim[] and the sizes, as int64_t C text:
 * "2*y + r - 1". The space's sizes are printed with a cast, so that nothing overflows in int. */
void sq_scalar_aff(isl_aff *a /* __isl_keep */, const char *const *dim, const char *prefix,
                   sq_text *to);
/* Definitions of the helper functions: floord, clamp, min and max of each type. */
void sq_scalar_helpers(const char *prefix, sq_text *to);
#endif
