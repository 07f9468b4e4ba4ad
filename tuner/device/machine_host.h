/* Host machine: what this machine is (hwloc) and what it can do (measured in a second or so, once;
 * then read from $XDG_CACHE_HOME/squall/machine-<fingerprint>). */
#ifndef SQ_TUNER_DEVICE_MACHINE_HOST_H
#define SQ_TUNER_DEVICE_MACHINE_HOST_H
#include "ir/machine/machine.h"
#include "support/diag.h"

typedef struct sq_host {
    sq_machine machine;   /* name "host"; its cost is that below, as long as *h stays in place */
    sq_machine_cost cost; /* that of the class, with the line of this machine's caches */
    int l3_groups;        /* cores that share an L3 are a group */
    double peak_f64;      /* GFLOP/s of one core */
    double ghz;           /* while it was measured */
    char cpu[128];        /* "AMD EPYC 9B14", or "unknown" */
    char fingerprint[33]; /* of what it is: equal on equal machines */
    bool cached;          /* read, not measured now */
} sq_host;

/* "…/squall/machine-<fingerprint>", where figures are kept; of class `isa`, if that is not NULL, with
 * "-<isa>". `to` has SQ_HOST_PATH bytes. */
enum { SQ_HOST_PATH = 4096 };
void sq_host_cache_path(const sq_host *h, const char *isa, char *to);
/* Fills *h; with fresh, measures again. A cache that cannot be written is a warning. */
void sq_host_get(sq_host *h, bool fresh, sq_diags *d);
#endif
