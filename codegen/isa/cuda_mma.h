/* CUDA mma: matrix instructions of a warp, each a named function whose body is PTX, or its
 * simulation where the text runs on a processor (SQUALL_SIMT). */
#ifndef SQ_CODEGEN_ISA_CUDA_MMA_H
#define SQ_CODEGEN_ISA_CUDA_MMA_H
#include "codegen/code/keys.h"
#include "ir/kernel/kernel.h"
#include "support/text.h"

/* Returns "sq_mma_m16n8k16_f32_f16", for types of elements and sums that have a shape in
 * ir/dependence/tensor.h. */
const char *sq_mma_name(sq_type operand, sq_type sum, sq_arena *arena);
/* Prints definitions of those of the functions that are among `helpers`. */
void sq_cuda_mma(const sq_code_keys *helpers, sq_text *to);
#endif
