/* C, CUDA: prints what only a grid has: instructions, indices of threads and blocks, shared memory. */
#ifndef SQ_PRINT_C_CUDA_H
#define SQ_PRINT_C_CUDA_H
#include "codegen/code/instruction.h"
#include "codegen/print/c.h"

#define SQ_CUDA_SHARED "__shared__ "

/* Appends a loop over the threads of a block, which is no loop of the text, or over blocks. */
void sq_cuda_loop(const sq_c_printer *p, const sq_code *x, sq_text *to);
/* Appends the declaration of a shared copy, for sq_c_printer: behind those before it in the block's memory. */
void sq_cuda_panel(const sq_code *declare, void *printer, sq_text *to);
/* Appends an INSTRUCTION. */
void sq_cuda_instruction(const sq_c_printer *p, const sq_code_instruction *x, sq_text *to);
#endif
