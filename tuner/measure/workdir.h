/* Work directory: a private folder for what one run builds, gone when the run ends; one that a
 * killed run left behind is removed by the next. */
#ifndef SQ_TUNER_MEASURE_WORKDIR_H
#define SQ_TUNER_MEASURE_WORKDIR_H
#include "support/diag.h"
#include <stddef.h>

typedef struct sq_workdir {
    char path[256]; /* "": none */
    int lock;       /* descriptor of its file "lock", locked as long as the run lasts */
} sq_workdir;

/* Makes $TMPDIR/squall-work-XXXXXX. Signals are only noted from now on (support/interrupt.h): the
 * folder is to be closed. -1 after adding an error. */
int sq_workdir_open(sq_workdir *w, sq_diags *d);
/* Removes it with everything in it; one that was not opened (zeros) is fine. */
void sq_workdir_close(sq_workdir *w);
/* Writes a text to a new file; -1 when that fails. */
int sq_workdir_write(const char *path, const char *text);
#endif
