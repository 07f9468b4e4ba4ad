/* CUDA mma: matrix instructions of a warp, a named function each, whose body is PTX, or the one
 * that stands for it where the text runs on a processor (SQUALL_SIMT). */
#ifndef SQ_CODEGEN_ISA_CUDA_MMA_H
#define SQ_CODEGEN_ISA_CUDA_MMA_H
#include "ir/kernel/kernel.h"
#include "support/text.h"

/* "sq_mma_m16n8k16_f32_f16", for elements and sums that ir/dependence/tensor.h has a shape for. */
const char *sq_mma_name(sq_type operand, sq_type sum, sq_arena *arena);
/* Definitions of what the device's text mentions. */
void sq_cuda_mma(const char *device, sq_text *to);
#endif
