/* Harness options: what the harness is told beside the files it works on (harness.c says which there are). */
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
    int full;    /* time all pairs, also of a hopeless candidate */
    int device;  /* a driver is at work here, too, with files and memory of its own */
    double best; /* seconds of the incumbent's call, 0 if nothing is known */
    int rows;    /* how many cases there are */
    int ends;    /* what calls keep is freed when the library ends */
    const char *entry;
    const char *ran; /* NULL, or nothing is compared: it is run to see what of it runs */
    int wall;    /* times are of the wall clock, not of this thread's processor time */
} sq_harness_options;

/* Reads argv[5] and on: "name=value", of which unknown ones are ignored, and the path of a library, which becomes
 * *old. The strings are argv's. */
sq_harness_options sq_harness_options_read(int argc, char **argv, const char **old);
#endif
