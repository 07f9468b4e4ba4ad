/* The processor cores of this machine a run may have: one kept for timing, the rest for builds; and
 * what the threads of a measured kernel are told about them. */
#ifndef SQ_TUNER_MEASURE_CORES_H
#define SQ_TUNER_MEASURE_CORES_H
#include <sched.h>
#include <stdbool.h>

typedef struct sq_cores {
    cpu_set_t ours;  /* those we had; restored by sq_cores_give_back */
    cpu_set_t rest;  /* those that children have while one is timed on */
    int timing;      /* the one to time on; -1: unknown */
    int builds;      /* how many may build at once */
    bool has_guests; /* true if a build may run on the timing core while nothing is timed */
} sq_cores;

/* jobs: the user's number of builds at once, 0: as many as there are cores but one. threads: of the
 * kernel to be measured; with more than one, children have all cores and are told how to wait.
 * Changes the affinity of the process, and its environment (never what is set in it already). */
void sq_cores_take(sq_cores *c, int jobs, int threads);
void sq_cores_give_back(const sq_cores *c);
/* Takes them again. */
void sq_cores_keep(const sq_cores *c);
#endif
