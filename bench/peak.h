/* Peak: multiply-adds between registers, nothing else; what "per cent of peak" is counted from. */
#ifndef SQ_BENCH_PEAK_H
#define SQ_BENCH_PEAK_H

/* Runs the loop of the best instruction set this processor has; state is not used. */
void bench_peak_call(void *state);
/* Flops of one call. */
double bench_peak_flops(void);
#endif
