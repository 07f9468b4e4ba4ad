/* Idle: kernels of a device that have fewer threads than a warp. Nothing of that is silent. */
#ifndef SQ_CLI_IDLE_H
#define SQ_CLI_IDLE_H
#include "cli/task.h"
#include "codegen/emit.h"

/* Warns of such launches of kernel i's text: of those whose loops threads might share, with the
 * loop, and in other words of those that no other thread can help. A launch that has one point of
 * each statement is left alone. */
void sq_idle_warn(sq_task *task, int i, const sq_compiled *c);
/* The same of what a schedule for it would become; nothing where that is no text of the target. */
void sq_idle_warn_schedule(sq_task *task, int i, const sq_schedule *s);
#endif
