/* Helpers: small functions of an emitted file for single values: min and max of each type, and
 * conversions of f16 and bf16, whose elements are stored as bits and which C lacks. A helper is
 * printed if the rest of the file calls it. */
#ifndef SQ_CODEGEN_PRINT_HELPERS_H
#define SQ_CODEGEN_PRINT_HELPERS_H
#include "codegen/code/keys.h"
#include "support/text.h"
#include <stdbool.h>

typedef struct sq_helpers {
    const char *prefix, *linkage; /* "gemm_", "static inline" */
    bool f16c;                    /* functions can use x86's conversions of f16: sq_isa.f16 */
    bool cuda;                    /* and a device's */
} sq_helpers;

/* Prints the helpers that are called, each recorded as "sq_" and its name whatever the prefix, and those that they
 * call; all of them if `called` is NULL. */
void sq_helpers_print(const sq_helpers *h, const sq_code_keys *called, sq_text *to);
#endif
