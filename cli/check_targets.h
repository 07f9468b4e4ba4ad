/* Check targets: `squall check --targets=generic,avx2`. */
#ifndef SQ_CLI_CHECK_TARGETS_H
#define SQ_CLI_CHECK_TARGETS_H
#include "cli/cli.h"

/* As sq_cmd_check, for every target of the list that runs here; ends with the first that fails. */
int sq_check_targets(const sq_settings *o, sq_diags *d);
#endif
