/* Race record: a landscape of a kernel, measured on this machine, in a file. */
#ifndef SQ_CLI_RACE_RECORD_H
#define SQ_CLI_RACE_RECORD_H
#include "cli/measure.h"

/* Measures what the settings' `record` says of the description's only kernel at its only row of sizes, in a space of
 * at most `points` points and `schedules` schedules, and writes the file, whole or not at all. -1 after adding an
 * error. */
int sq_race_record(sq_measure *m);
#endif
