/* CUDA wgmma: the matrix instructions of a warpgroup, which only sm_90a has, as functions of the
 * emitted file. They read both operands from shared memory, in rows of 128 bytes whose 16-byte
 * units are permuted (the 128-byte swizzle of the PTX manual, section "Asynchronous warpgroup level
 * matrix shared memory layout"), asynchronously to the threads. */
#ifndef SQ_CODEGEN_ISA_CUDA_WGMMA_H
#define SQ_CODEGEN_ISA_CUDA_WGMMA_H
#include "codegen/code/keys.h"
#include "ir/kernel/kernel.h"
#include "support/arena.h"
#include "support/text.h"
#include <stdbool.h>

/* Returns "sq_wgmma_m64n128k16_f32_f16_row_row": products of f16 or bf16, n columns. a_steps,
 * b_steps: the elements of a row in shared memory are steps of the sum ("row" of rows, "col" of
 * columns). The function's first arguments are the n / 2 sums of the thread: row lane / 4 of the
 * warp's 16, columns lane % 4 * 2 and the next one, of 8; the same 8 rows below; then the next 8
 * columns. Pointers to the operands' first elements follow, each with the distance of two of its
 * blocks of 64 in elements. */
const char *sq_wgmma_name(sq_type operand, int n, bool a_steps, bool b_steps, sq_arena *arena);
/* Returns "sq_wgmma_wait_n128": waits for all of them; the sums are valid only afterwards. */
const char *sq_wgmma_wait_name(int n, sq_arena *arena);

/* Prints those of the functions that are among `helpers`. */
void sq_cuda_wgmma(const sq_code_keys *helpers, sq_text *to);
#endif
