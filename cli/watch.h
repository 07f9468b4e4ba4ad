/* Watch: limits on reading a description that nothing inside can keep. libclang cannot be stopped:
 * macros may double without end, an include may name a device. Between begin and end the process
 * has SQ_MOST_READ_SECONDS of processor time and SQ_MOST_READ_MEMORY of memory; what needs more
 * ends it with the message and exit code of wrong input. Nothing has been written by then. */
#ifndef SQ_CLI_WATCH_H
#define SQ_CLI_WATCH_H
#include "cli/task.h"

void sq_watch_begin(const sq_task *task);
void sq_watch_end(void);
#endif
