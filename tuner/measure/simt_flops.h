/* Flops of CUDA text on the CPU: counted in the assembly that the C++ compiler generates. */
#ifndef SQ_TUNER_MEASURE_SIMT_FLOPS_H
#define SQ_TUNER_MEASURE_SIMT_FLOPS_H
#include "support/text.h"

/* Instruments assembly: adds the sums, differences, products and quotients of floating-point values
 * of each block to simt_flops_of_text (runtime/simt). Registers and flags are preserved. */
void sq_simt_count_flops(const char *assembly, sq_text *to);
#endif
