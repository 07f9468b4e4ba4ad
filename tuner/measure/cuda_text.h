/* CUDA text as C++: rewrites what a C++ compiler cannot parse, keeping the lines. */
#ifndef SQ_TUNER_MEASURE_CUDA_TEXT_H
#define SQ_TUNER_MEASURE_CUDA_TEXT_H
#include "support/diag.h"
#include "support/text.h"

/* Rewrites `text` of file `name` so that runtime/simt/include and a C++ compiler take it:
 *     kernel<<<grid, block>>>(x)     a call with the same arguments
 *     __shared__ float s[4];         a variable between guards, which registers itself
 *     extern __shared__ float s[];   a reference to the dynamic shared memory
 *     __launch_bounds__(n)           checked at every launch
 *
 * Lines stay where they are. -1 after adding an error with its place. */
int sq_cuda_rewrite(const char *name, const char *text, size_t n, sq_text *to, sq_diags *d);
#endif
