/* Simulated: predicts the time of a kernel's launches on a device from the counts of its run on the
 * CPU (simt.h) at small sizes, the launches at the sizes in question, and the compiler's report.
 * Nothing is measured. */
#ifndef SQ_TUNER_MEASURE_SIMULATED_H
#define SQ_TUNER_MEASURE_SIMULATED_H
#include "ir/machine/device.h"
#include "ir/kernel/kernel.h"
#include "tuner/measure/ptxas.h"
#include <jansson.h>

/* A run, and its sizes. */
typedef struct sq_simulated_run {
    const json_t *report;
    const int64_t *sizes; /* in the order of the kernel's size[] */
} sq_simulated_run;

typedef struct sq_simulated {
    const sq_kernel *kernel;
    sq_simulated_run ran; /* the run that is counted */
    /* a run whose blocks have less work, with as many blocks; report NULL: no sizes give one */
    sq_simulated_run less;
    sq_simulated_run launches; /* a dry run at the sizes in question */
    const sq_ptxas *compiled;  /* NULL: register counts are not known */
} sq_simulated;

/* True if the launches of two runs have the same names, grids and numbers of calls. */
bool sq_simulated_alike(const json_t *a, const json_t *b);
/* Returns the flops that the runs executed relative to those of the description, which is above 1
 * if tiles are not full; the larger one of both. 1 if it has none. */
double sq_simulated_padding(const sq_simulated *p);
/* Returns the seconds of one call; INFINITY if a kernel does not fit the device, or none of its
 * blocks ran, with a sentence in why. */
double sq_simulated_seconds(const sq_simulated *p, const sq_device *d, char *why, size_t n);
#endif
