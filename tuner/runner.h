/* Runner: builds and measures candidates in limited child processes; a crash, a loop or a wrong
 * result is a status, never an end of the tool. */
#ifndef SQ_TUNER_RUNNER_H
#define SQ_TUNER_RUNNER_H
#include "ir/kernel.h"

typedef enum sq_status {
    SQ_OK, SQ_INFEASIBLE, SQ_BUILD_FAILED, SQ_CRASHED, SQ_TIMEOUT, SQ_WRONG, SQ_LOST,
    SQ_NSTATUSES
} sq_status;
const char *sq_status_name(sq_status s); /* "ok", "infeasible", "build_failed", … */

enum { SQ_MAX_TIMES = 64 };

/* What came of one candidate. Times are seconds of one call. */
typedef struct sq_sample {
    sq_status status;
    int n;                          /* repeats measured */
    double times[SQ_MAX_TIMES];     /* challenger's */
    int nbase;
    double base[SQ_MAX_TIMES];      /* incumbent's, interleaved with them; nbase 0 without one */
    double build_seconds, run_seconds;
    double error;                   /* largest |got - expected| over the bound; > 1 is wrong */
    char message[400];              /* compiler's first error, signal, first wrong element */
} sq_sample;
#endif
