/* Constants: which sizes of a stored trial were constants when it was made. They are part of what its kernel computes,
 * and of the kernel's hash. */
#ifndef SQ_CLI_CONSTANTS_H
#define SQ_CLI_CONSTANTS_H
#include "cli/task.h"

/* The constants, "M=512,N=512", with which the kernel of that name in the task's description has that hash. sizes: all
 * sizes of the trial, "M=512,N=512,K=64". Tried are all of them as constants before few. NULL: it is another kernel. */
const char *sq_constants_of(sq_task *task, const char *kernel, const char *sizes, const char *hash);
#endif
