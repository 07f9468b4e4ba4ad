/* CUDA instruction: the text of the rows of codegen/code/instruction.h, each a call of a function: CUDA's
 * own, or one that the file defines (cuda_mma.h, cuda_wgmma.h). */
#ifndef SQ_CODEGEN_ISA_CUDA_INSTRUCTION_H
#define SQ_CODEGEN_ISA_CUDA_INSTRUCTION_H
#include "codegen/code/instruction.h"

/* Returns the function's name, and records those that the file defines; "" for WORDs of several elements,
 * which are operators. */
const char *sq_cuda_function(const sq_code_instruction *x, const sq_uses *uses, sq_arena *arena);
#endif
