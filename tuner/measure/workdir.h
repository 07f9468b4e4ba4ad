/* Work directory: a private folder for what a run builds, removed when the run ends; one that a
 * killed run left behind is removed by the next. */
#ifndef SQ_TUNER_MEASURE_WORKDIR_H
#define SQ_TUNER_MEASURE_WORKDIR_H
#include "support/diag.h"
#include <stddef.h>

typedef struct sq_workdir {
    char path[256]; /* "": none */
    int lock;       /* descriptor of its file "lock", locked as long as the run lasts */
} sq_workdir;

/* Makes $TMPDIR/squall-work-XXXXXX. From here on signals are only recorded (support/interrupt.h),
 * as the folder has to be removed. -1 after adding an error. */
int sq_workdir_open(sq_workdir *w, sq_diags *d);
/* Removes it with its contents; a zeroed one is allowed. */
void sq_workdir_close(sq_workdir *w);
/* Writes a text to a new file; -1 on failure. */
int sq_workdir_write(const char *path, const char *text);
#endif
