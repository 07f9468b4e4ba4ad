/* Flops of CUDA text on the processor: counted in the assembly that the C++ compiler makes of it.
 */
#ifndef SQ_TUNER_MEASURE_SIMT_FLOPS_H
#define SQ_TUNER_MEASURE_SIMT_FLOPS_H
#include "support/text.h"

/* Assembly with every sum, difference, product and quotient of floating values added to
 * simt_flops_of_text (runtime/simt), block by block. Registers and flags stay as they are. */
void sq_simt_count_flops(const char *assembly, sq_text *to);
#endif
