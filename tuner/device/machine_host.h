/* Host machine: identifies this machine (hwloc) and its performance (measured in about a second,
 * once; then read from $XDG_CACHE_HOME/squall/machine-<fingerprint>). */
#ifndef SQ_TUNER_DEVICE_MACHINE_HOST_H
#define SQ_TUNER_DEVICE_MACHINE_HOST_H
#include "ir/machine/machine.h"
#include "support/diag.h"

typedef struct sq_host {
    sq_machine machine;   /* named "host"; its cost points below, so that *h must not be moved */
    sq_machine_cost cost; /* the class's, with the cache line of this machine */
    int l3_groups;        /* number of groups of cores that share an L3 */
    double peak_f64;      /* GFLOP/s of one core */
    double ghz;           /* clock during the measurement */
    char cpu[128];        /* "AMD EPYC 9B14", or "unknown" */
    char fingerprint[33]; /* of the machine: equal on equal machines */
    bool cached;          /* read, not measured now */
} sq_host;

/* Returns "…/squall/machine-<fingerprint>", the file of the measurements; for class `isa`, if that
 * is not NULL, with "-<isa>". `to` has SQ_HOST_PATH bytes. */
enum { SQ_HOST_PATH = 4096 };
void sq_host_cache_path(const sq_host *h, const char *isa, char *to);
/* Fills *h; with fresh, measures again. A cache that cannot be written is a warning. */
void sq_host_get(sq_host *h, bool fresh, sq_diags *d);
#endif
