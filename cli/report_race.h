/* Reports, race: searches compared. */
#ifndef SQ_CLI_REPORT_RACE_H
#define SQ_CLI_REPORT_RACE_H
#include "cli/report_parts.h"

/* A section of what race prints with --json of one kernel: curves with intervals over the seeds, gains, tables. */
void sq_report_race(sq_html *h, const json_t *race);
#endif
