/* Harness options: arguments of the harness besides its files (documented in harness.c). */
#ifndef SQ_RUNTIME_HARNESS_OPTIONS_H
#define SQ_RUNTIME_HARNESS_OPTIONS_H
#include "runtime/case.h"

typedef struct sq_harness_options {
    int cpu;
    double seconds;
    int pairs;
    sq_place place;
    double cpulimit;
    double memory;
    int full;    /* time all pairs, even if the candidate is hopeless */
    int device;  /* a driver runs in this process, with files and memory of its own */
    double best; /* seconds per call of the incumbent, 0 if unknown */
    int rows;    /* number of cases */
    int ends;    /* memory that calls keep is freed when the library is unloaded */
    const char *entry;
    const char *ran; /* NULL; or only record which blocks run, without comparing */
    int wall;    /* times are wall-clock time, not this thread's processor time */
} sq_harness_options;

/* Parses argv[5] and on: "name=value", where unknown names are ignored, and the path of a library,
 * which is stored in *old. The strings are argv's. */
sq_harness_options sq_harness_options_read(int argc, char **argv, const char **old);
#endif
