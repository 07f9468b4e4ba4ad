/* Helpers: small functions of an emitted file that work on single values: min and max of each type,
 * and what C cannot say portably about f16 and bf16, whose elements are bits. A helper is printed
 * when the rest of the file mentions it. */
#ifndef SQ_CODEGEN_PRINT_HELPERS_H
#define SQ_CODEGEN_PRINT_HELPERS_H
#include "support/text.h"
#include <stdbool.h>

typedef struct sq_helpers {
    const char *prefix, *linkage; /* "gemm_", "static inline" */
    bool f16c;                    /* functions have x86's conversions of f16: sq_isa.f16 */
    bool cuda;                    /* and those of a device */
} sq_helpers;

/* Prints the helpers that one of `n` texts mentions by its name, the prefix before it, and what
 * they need themselves; all of them where text is NULL. */
void sq_helpers_print(const sq_helpers *h, const char *const *text, int n, sq_text *to);
#endif
