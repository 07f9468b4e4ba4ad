/* Played: what a kernel's launches would take on a device, from what was counted when its text ran
 * on the processor (simt.h) at small sizes, the launches that the sizes in question need, and the
 * compiler's report. Nothing of it is measured. */
#ifndef SQ_TUNER_PLAYED_H
#define SQ_TUNER_PLAYED_H
#include "ir/device.h"
#include "ir/kernel.h"
#include "tuner/ptxas.h"
#include <jansson.h>

typedef struct sq_played {
    const sq_kernel *kernel;
    const int64_t *small, *sizes; /* at which it ran; in question */
    const json_t *ran;            /* the report of that run */
    const json_t *shorter;        /* of one with shorter sums, all else alike; NULL: no size is a
                                     sum's alone */
    const json_t *launches;       /* of a dry run at the sizes in question */
    const sq_ptxas *compiled;     /* NULL: nothing is known of registers */
} sq_played;

/* Seconds of one call; INFINITY where a kernel does not fit the device, with a sentence in why. */
double sq_played_seconds(const sq_played *p, const sq_device *d, char *why, size_t n);
#endif
