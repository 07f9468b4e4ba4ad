/* Device probe: finds a CUDA device that runs code built from a target's text, and its properties.
 * Nothing is linked for that: nvcc builds a small program, and a child runs it. */
#ifndef SQ_TUNER_DEVICE_DEVICE_PROBE_H
#define SQ_TUNER_DEVICE_DEVICE_PROBE_H
#include "ir/machine/device.h"
#include "support/arena.h"

typedef enum sq_probe_state {
    SQ_PROBE_FOUND,
    SQ_PROBE_NO_COMPILER, /* no nvcc, or it builds nothing */
    SQ_PROBE_NO_DRIVER,   /* none, or one that is too old for the toolkit */
    SQ_PROBE_NO_DEVICE,
    SQ_PROBE_TOO_OLD, /* of an architecture that does not run this one's code */
    SQ_PROBE_UNUSABLE /* any other error, or no output in time */
} sq_probe_state;

/* The first of the visible devices. */
typedef struct sq_probe {
    sq_probe_state state;
    char message[400]; /* why there is none to use, a sentence; "" where one was found */
    sq_device device;  /* what it says of itself, under its own name; what no driver tells is as
                          known devices of the architecture have it. arch: that was asked for */
    int devices;       /* how many are visible */
    int major, minor;  /* its own architecture: 9, 0 */
    int driver;        /* 13000: what CUDA it is for */
    int64_t memory;    /* bytes */
    int memory_khz, bus_bits;
} sq_probe;

/* Looks for a device that runs code for `arch` ("sm_80"), with nvcc as sq_nvcc_words finds it;
 * building and running take up to `seconds` each (0: a minute). Names are of the arena. 0 when it
 * was found; -1 with state and message. Prints nothing. */
int sq_device_probe(const char *cc, const char *arch, double seconds, sq_arena *arena,
                    sq_probe *to);
#endif
