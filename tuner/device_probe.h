/* Device probe: is there a CUDA device that runs what a target's text is built to, and what is it.
 * Nothing is linked for that: nvcc builds a small program, and a child runs it. */
#ifndef SQ_TUNER_DEVICE_PROBE_H
#define SQ_TUNER_DEVICE_PROBE_H
#include <stddef.h>
#include <stdint.h>

typedef enum sq_device_state {
    SQ_DEVICE_FOUND,
    SQ_DEVICE_NO_COMPILER, /* no nvcc, or it builds nothing */
    SQ_DEVICE_NO_DRIVER,   /* none, or one that is too old for the toolkit */
    SQ_DEVICE_NONE,
    SQ_DEVICE_TOO_OLD, /* of an architecture that does not run this one's code */
    SQ_DEVICE_UNUSABLE /* any other error, or no answer in time */
} sq_device_state;

/* Figures are 0 where the driver does not tell. Those of memory and units are of one
 * multiprocessor, except l2_bytes and memory_bytes. */
typedef struct sq_device {
    sq_device_state state;
    char message[400]; /* why there is none to use, a sentence; "" of one that was found */
    char name[256];    /* "NVIDIA H100 80GB HBM3" */
    int64_t devices;   /* how many are visible; this is the first */
    int64_t major, minor;
    int64_t driver; /* 13000: what CUDA it is for */
    int64_t multiprocessors, clock_khz, memory_khz, bus_bits;
    int64_t l2_bytes, memory_bytes, shared_bytes, block_shared_bytes, registers, threads, blocks;
    double bandwidth; /* GB/s of its memory, by clock and width */
} sq_device;

/* Looks for a device that runs code for `arch` ("sm_80"; NULL: for any), with nvcc as
 * sq_nvcc_words finds it; building and running take up to `seconds` each (0: a minute). 0 when it
 * was found; -1 with state and message. Prints nothing. */
int sq_device_probe(const char *cc, const char *arch, double seconds, sq_device *to);
#endif
