/* CUDA moves: how far the results of a recurrence move when its inputs change in their last digits, in the self-test
 * program. Steps that amplify differences amplify rounding as well, and no bound follows from the number of operations
 * (runtime/perturb.h does the same for code of the processor). */
#ifndef SQ_CODEGEN_CUDA_MOVES_H
#define SQ_CODEGEN_CUDA_MOVES_H
#include "codegen/grid/cuda.h"

/* What the program does where it has no memory, under a condition. */
#define SQ_CUDA_NO_MEMORY "        return fprintf(stderr, \"the host's memory is too small\\n\"), 2;\n"

/* True if the kernel may be such a recurrence: it has C loops, and rounds. */
bool sq_cuda_moves(const sq_kernel *k);
/* Appends the functions that the others' text calls. */
void sq_cuda_moves_helpers(sq_text *to);
/* Appends copies of the inputs, in front of the call of the naive nest. */
void sq_cuda_moves_keep(const sq_kernel *k, sq_text *to);
/* Appends, behind it, calls of the naive nest with changed inputs: then @spread_Y[x] is what element x of an output Y
 * may be off by beside its bound; infinite if it consists of rounding. `call`: "name(N, @near_Y)". */
void sq_cuda_moves_measure(const sq_kernel *k, const char *naive, const char *call, sq_text *to);
/* Returns the condition that element @x of an output is wrong, after appending how many are off: where many consist of
 * rounding, few do without having moved. both: the text that declares @got and @wanted. */
const char *sq_cuda_moves_compare(const sq_array *a, const char *both, sq_arena *arena, sq_text *to);
void sq_cuda_moves_free(const sq_kernel *k, sq_text *to);
/* The value of element @x as double, in the host's array "was", "near", "host" or "back". */
const char *sq_cuda_value(sq_arena *arena, const char *naive, const sq_array *a, const char *where);
#endif
