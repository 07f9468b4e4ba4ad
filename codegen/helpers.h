/* Helpers: small functions of an emitted file that work on single values: min and max of each type,
 * and what C cannot say portably about f16 and bf16, whose elements are bits. A helper is printed
 * when the rest of the file mentions it. */
#ifndef SQ_CODEGEN_HELPERS_H
#define SQ_CODEGEN_HELPERS_H
#include "support/text.h"

/* Prints the helpers that one of `n` texts mentions by its name, `prefix` before it, and what they
 * need themselves. linkage: "static inline". */
void sq_helpers_print(const char *prefix, const char *linkage, const char *const *text, int n,
                      sq_text *to);
/* The same for all of them. */
void sq_helpers_print_all(const char *prefix, const char *linkage, sq_text *to);
#endif
