/* Tune targets: `tune --targets=generic,avx2`: one target after the other, in one budget, each with a .sched file
 * of its class, as `compile --targets` reads them. */
#ifndef SQ_CLI_TUNE_TARGETS_H
#define SQ_CLI_TUNE_TARGETS_H
#include "cli/cli.h"

/* What several searches share. */
typedef struct sq_tune_share {
    double began;  /* sq_terminal_seconds */
    double budget; /* of all of them; 0: none */
    int after;     /* runs of this one that follow */
} sq_tune_share;

/* True if --targets counts: it does not where the command line has --target and the environment these. */
bool sq_tune_targets_asked(const sq_settings *o);
/* Calls `tune` for each target, with what is left of `budget` (0: none) shared out evenly. -1 after adding an error:
 * before the first call, if this processor does not run one of them. */
int sq_tune_targets(const sq_settings *o, double budget,
                    int (*tune)(const sq_settings *o, const sq_tune_share *share, sq_diags *d), sq_diags *d);
#endif
