/* Built: what a run compiles once, before its candidates: the naive nest, and the file that candidates are linked
 * with. */
#ifndef SQ_TUNER_MEASURE_BUILT_H
#define SQ_TUNER_MEASURE_BUILT_H
#include "tuner/measure/runner.h"
#include "tuner/measure/toolchain.h"

/* How a run builds; all of it outlives the call. */
typedef struct sq_build {
    const char *dir;         /* where temporary files go; removed when the run ends */
    const sq_argv *compiler; /* with flags */
    const char *cflags;      /* those of the target; may be NULL */
    double timeout;          /* seconds */
} sq_build;

/* Appends the compiler's command up to its libraries. */
void sq_build_command(const sq_build *b, const char *optimise, const char *source, const char *to, sq_argv *a);
/* Compiles the naive nest to `to`, for this machine and its threads if the compiler can. -1 after adding an error. */
int sq_build_naive(const sq_build *b, const sq_kernel *k, const char *source, const char *to, sq_diags *d);
/* Compiles a text of C to the object file `to`. -1 after adding an error. */
int sq_build_linked(const sq_build *b, const char *text, const char *source, const char *to, sq_diags *d);
#endif
