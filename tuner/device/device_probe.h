/* Device probe: finds a CUDA device that runs a target's code, and its properties. Nothing is
 * linked for this: nvcc builds a small program, and a child runs it. */
#ifndef SQ_TUNER_DEVICE_DEVICE_PROBE_H
#define SQ_TUNER_DEVICE_DEVICE_PROBE_H
#include "ir/machine/device.h"
#include "support/arena.h"

typedef enum sq_probe_state {
    SQ_PROBE_FOUND,
    SQ_PROBE_NO_COMPILER, /* no nvcc, or one that fails */
    SQ_PROBE_NO_DRIVER,   /* none, or too old for the toolkit */
    SQ_PROBE_NO_DEVICE,
    SQ_PROBE_TOO_OLD, /* its architecture does not run the target's code */
    SQ_PROBE_UNUSABLE /* any other error, or no output in time */
} sq_probe_state;

/* The first visible device. */
typedef struct sq_probe {
    sq_probe_state state;
    char message[400]; /* why none can be used, a sentence; "" if one was found */
    /* its properties as reported, under its own name; those that drivers do not report are from
     * known devices of the architecture. arch: as requested */
    sq_device device;
    int devices;      /* number of visible devices */
    int major, minor; /* its own architecture: 9, 0 */
    int driver;       /* 13000: CUDA version of the driver */
    int64_t memory;   /* bytes */
    int memory_khz, bus_bits;
} sq_probe;

/* Finds a device that runs code for `arch` ("sm_80"), with nvcc as found by sq_nvcc_words; building
 * and running take up to `seconds` each (0: a minute). Names are in the arena. 0 if one was found;
 * -1 with state and message. Prints nothing. */
int sq_device_probe(const char *cc, const char *arch, double seconds, sq_arena *arena,
                    sq_probe *to);
#endif
