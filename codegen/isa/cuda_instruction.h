/* CUDA instruction: the text of the rows of codegen/code/instruction.h, each a call of a function: CUDA's
 * own, or one that the file defines (cuda_copy.h, cuda_mma.h, cuda_wgmma.h). */
#ifndef SQ_CODEGEN_ISA_CUDA_INSTRUCTION_H
#define SQ_CODEGEN_ISA_CUDA_INSTRUCTION_H
#include "codegen/code/instruction.h"

/* Headers that some rows need, which are recorded as helpers. */
#define SQ_CUDA_MATRICES "mma.h"
#define SQ_CUDA_PIPELINES "cuda_pipeline.h"
/* Returns the function's name, and records those that the file defines; "" for WORDs of several elements,
 * which are operators. */
const char *sq_cuda_function(const sq_code_instruction *x, const sq_uses *uses, sq_arena *arena);
#endif
