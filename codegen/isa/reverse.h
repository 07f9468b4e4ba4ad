/* Reverse: loads and stores whose lanes lie one before the other in memory, as in X[N - 1 - i]: a whole
 * vector and one shuffle. */
#ifndef SQ_CODEGEN_ISA_REVERSE_H
#define SQ_CODEGEN_ISA_REVERSE_H
#include "codegen/isa/vector.h"

/* Definitions of those that are used; p is where the first lane lies:
 *     load_back(p)       store_back(p, v)
 *     load_back_n(p, n)  store_back_n(p, v, n)   the first n lanes */
void sq_reverse_define(const sq_vector *v, const char *n, sq_text *to);
/* The operations that these are made of: bit per sq_vop. */
unsigned sq_reverse_needs(const sq_vector *v);
#endif
