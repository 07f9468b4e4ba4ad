/* Work directory: a private folder for what one run builds, gone when the run ends; one that a
 * killed run left behind is removed by the next. */
#ifndef SQ_TUNER_WORKDIR_H
#define SQ_TUNER_WORKDIR_H
#include "support/diag.h"
#include <stddef.h>

/* Makes $TMPDIR/squall-<pid>-XXXXXX, written to `path`. -1 after adding an error. */
int sq_workdir_open(char *path, size_t n, sq_diags *d);
/* Removes it with everything in it. */
void sq_workdir_close(const char *path);
/* Writes a text to a new file; -1 when that fails. */
int sq_workdir_write(const char *path, const char *text);
#endif
