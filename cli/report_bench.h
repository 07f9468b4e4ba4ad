/* Reports, bench: schedules of one kernel side by side. */
#ifndef SQ_CLI_REPORT_BENCH_H
#define SQ_CLI_REPORT_BENCH_H
#include "cli/report_parts.h"

typedef struct sq_report_subject {
    const char *name;
    double seconds, low, high;           /* of one call; the interval of the median */
    double ratio, ratio_low, ratio_high; /* its time over the first's */
    bool is_compared;                    /* it was timed beside the first */
    const double *times;
    int ntimes;
} sq_report_subject;

/* A section of kernel m->label: the roofline with all of them on it, their times, a table. */
void sq_report_bench(sq_html *h, const sq_measure *m, const sq_roof *roof,
                     const sq_report_subject *x, int n);
#endif
