/* Depfile: what was read, as a rule that GNU make and ninja read alike. */
#ifndef SQ_CLI_DEPFILE_H
#define SQ_CLI_DEPFILE_H
#include "support/diag.h"
#include "support/text.h"
#include <stdbool.h>

/* "target: input ..."; with phony, a rule without anything for every input but the first. -1 after
 * adding an error where a name cannot be written so that both read it. */
int sq_depfile_print(const char *target, const char *const *input, int n, bool phony, sq_text *to,
                     sq_diags *d);
#endif
