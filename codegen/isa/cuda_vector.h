/* CUDA vector: structs of as many values as 16 bytes hold, with the operations of codegen/isa/vector.h, a row each.
 * Loads and stores test the address: all bytes are transferred at once if it is aligned, else one value after the
 * other. Functions are CUDA's own. */
#ifndef SQ_CODEGEN_ISA_CUDA_VECTOR_H
#define SQ_CODEGEN_ISA_CUDA_VECTOR_H
#include "codegen/isa/vector.h"

/* Print the type and the operations in use: of single values, without functions under fp strict; of several, which
 * need those. */
void sq_cuda_single_define(const sq_vector *v, sq_text *to);
void sq_cuda_vector_define(const sq_vector *v, sq_text *to);
#endif
