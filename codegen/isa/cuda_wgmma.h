/* CUDA wgmma: the matrix instructions of a warpgroup, of sm_90a alone, as functions of the emitted
 * file. They read both operands from shared memory, in rows of 128 bytes whose 16-byte units are
 * permuted (the 128-byte swizzle of the PTX manual, section "Asynchronous warpgroup level matrix
 * shared memory layout"), while the threads go on. */
#ifndef SQ_CODEGEN_ISA_CUDA_WGMMA_H
#define SQ_CODEGEN_ISA_CUDA_WGMMA_H
#include "ir/kernel/kernel.h"
#include "support/arena.h"
#include "support/text.h"
#include <stdbool.h>

/* "sq_wgmma_m64n128k16_f32_f16_row_row": products of f16 or bf16, n columns. a_steps, b_steps: the
 * elements of a row in shared memory are steps of the sum ("row" of rows, "col" of columns). Of its
 * arguments the n / 2 sums of the thread come first; row lane / 4 of the warp's 16, columns
 * lane % 4 * 2 and the next of 8; the same of 8 rows below; then the next 8 columns. Then pointers to
 * the operands' first elements, each with the elements between two of its blocks of 64. */
const char *sq_wgmma_name(sq_type operand, int n, bool a_steps, bool b_steps, sq_arena *arena);
/* "sq_wgmma_wait_n128": waits for all of them; the sums are changed until then. */
const char *sq_wgmma_wait_name(int n, sq_arena *arena);

/* Those functions that the text uses. */
void sq_cuda_wgmma(const char *device, sq_text *to);
#endif
