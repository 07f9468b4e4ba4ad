/* Tune place: the .sched file that keeps what tune finds. */
#ifndef SQ_CLI_TUNE_PLACE_H
#define SQ_CLI_TUNE_PLACE_H
#include "cli/measure.h"

/* Its path: beside the source, or in --out-dir. In the task's arena. */
const char *sq_tune_place(const sq_measure *m);
/* Checks that it can be read and written, or that none is there yet; one that cannot be added to is set aside. Asked
 * before the search, whose time would otherwise be spent for nothing. -1 after adding an error. */
int sq_tune_place_check(sq_measure *m);
/* sq_problem_options, with the file, and with the store that --store and --resume say. */
sq_tune_options sq_tune_place_options(const sq_measure *m);
#endif
