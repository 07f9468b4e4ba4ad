/* CUDA: prints what only a grid has: instructions, thread indices, shared memory. */
#ifndef SQ_PRINT_CUDA_H
#define SQ_PRINT_CUDA_H
#include "codegen/code/instruction.h"
#include "codegen/print/c.h"

#define SQ_CUDA_SHARED "__shared__ "

/* Appends an INSTRUCTION. */
void sq_cuda_instruction(const sq_c_printer *p, const sq_code_instruction *x, sq_text *to);
#endif
