/* CUDA copy: asynchronous copies to shared memory of which a part does not exist. CUDA's own
 * function (__pipeline_memcpy_async with zeros) branches to one instruction for each number of
 * zeros; but the instruction also takes that number from a register (PTX manual, cp.async). */
#ifndef SQ_CODEGEN_ISA_CUDA_COPY_H
#define SQ_CODEGEN_ISA_CUDA_COPY_H
#include "codegen/code/keys.h"
#include "support/text.h"

/* Returns "sq_copy_async_16", for 4, 8 or 16 bytes. The function's arguments are the destination,
 * the source, and the number of bytes at the end that are zeros instead. */
const char *sq_copy_async_name(int bytes, sq_arena *arena);
/* Prints those of the functions that are among `helpers`. */
void sq_cuda_copies(const sq_code_keys *helpers, sq_text *to);
#endif
