/* Check passes: `squall check --passes`: the code after every pass, without a compiler. */
#ifndef SQ_CLI_CHECK_PASSES_H
#define SQ_CLI_CHECK_PASSES_H
#include "cli/cli.h"

/* Prints a line for each kernel. -1 after adding errors: a pass changes a result, or the code takes
 * too many statements. */
int sq_check_passes(const sq_settings *o, sq_diags *d);
#endif
