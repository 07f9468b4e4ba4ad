/* Checks of CUDA text, run on the processor by runtime/simt. */
#ifndef SQ_CLI_CHECK_CUDA_H
#define SQ_CLI_CHECK_CUDA_H
#include "cli/cli.h"

bool sq_is_cuda_text(const char *path); /* K.cu */
int sq_check_cuda(const sq_settings *o, sq_diags *d);

/* True if --target names a target whose kernels run as a grid. Errors are left to whoever opens it.
 */
bool sq_is_for_grid(const sq_settings *o);
/* check_grid.c: a description, for such a target. */
int sq_check_grid(const sq_settings *o, sq_diags *d);
#endif
