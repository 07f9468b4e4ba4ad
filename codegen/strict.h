/* Strict: what emitted text tells compilers under `fp strict`, so that they neither contract nor
 * reorder floating-point operations. For text between the two calls, whatever the flags. */
#ifndef SQ_CODEGEN_STRICT_H
#define SQ_CODEGEN_STRICT_H
#include "ir/kernel.h"
#include "support/text.h"

/* Both print nothing for other contracts. */
void sq_strict_begin(const sq_kernel *k, sq_text *to);
void sq_strict_end(const sq_kernel *k, sq_text *to);
#endif
