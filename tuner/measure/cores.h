/* Cores: the processor cores of this machine that a run uses: one is kept for timing, the rest for
 * builds. Also sets how the threads of a measured kernel wait. */
#ifndef SQ_TUNER_MEASURE_CORES_H
#define SQ_TUNER_MEASURE_CORES_H
#include <sched.h>
#include <stdbool.h>

typedef struct sq_cores {
    cpu_set_t ours;  /* the original set; restored by sq_cores_give_back */
    cpu_set_t rest;  /* those that children use while another core is used for timing */
    int timing;      /* the core for timing; -1: unknown */
    int builds;      /* number of concurrent builds */
    bool has_guests; /* true if a build may run on the timing core while nothing is timed */
} sq_cores;

/* jobs: the user's number of concurrent builds, 0: the number of cores minus one. threads: of
 * the kernel to be measured; with more than one, children have all cores and are told how to
 * wait. Changes the affinity of the process, and its environment (but no variable that is set
 * already). */
void sq_cores_take(sq_cores *c, int jobs, int threads);
void sq_cores_give_back(const sq_cores *c);
/* Sets the affinity again. */
void sq_cores_keep(const sq_cores *c);
#endif
