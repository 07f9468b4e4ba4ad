/* Simulated: what a kernel's launches would take on a device, from what was counted when its text ran
 * on the processor (simt.h) at small sizes, the launches that the sizes in question need, and the
 * compiler's report. Nothing of it is measured. */
#ifndef SQ_TUNER_MEASURE_SIMULATED_H
#define SQ_TUNER_MEASURE_SIMULATED_H
#include "ir/machine/device.h"
#include "ir/kernel/kernel.h"
#include "tuner/measure/ptxas.h"
#include <jansson.h>

/* A run, and the sizes that it was at. */
typedef struct sq_simulated_run {
    const json_t *report;
    const int64_t *sizes; /* in the order of the kernel's size[] */
} sq_simulated_run;

typedef struct sq_simulated {
    const sq_kernel *kernel;
    sq_simulated_run ran;  /* the run that counts */
    sq_simulated_run less; /* one whose blocks had less to do, in as many blocks; report NULL: no
                                 size does that */
    sq_simulated_run launches; /* a dry run, at the sizes in question */
    const sq_ptxas *compiled;  /* NULL: nothing is known of registers */
} sq_simulated;

/* True if the launches of two runs have the same names, grids and numbers of calls. */
bool sq_simulated_alike(const json_t *a, const json_t *b);
/* How many times the flops of the description the runs had to do, because tiles were not whole; the
 * larger of both. 1 where it has none. */
double sq_simulated_padding(const sq_simulated *p);
/* Seconds of one call; INFINITY where a kernel does not fit the device, or none of its blocks ran,
 * with a sentence in why. */
double sq_simulated_seconds(const sq_simulated *p, const sq_device *d, char *why, size_t n);
#endif
