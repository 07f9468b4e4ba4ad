/* Views: --views, functions that take arrays with strides. */
#ifndef SQ_CLI_VIEWS_H
#define SQ_CLI_VIEWS_H
#include "cli/task.h"

/* 0 if --views is not given, or goes with the other options; -1 after adding an error. */
int sq_task_views_check(sq_task *task);
/* The number of a kernel that they are not for, after adding an error; -1: of none. */
int sq_task_views_refused(sq_task *task);
/* What the header of kernel i declares; NULL without the option. */
const sq_declared *sq_task_views_declared(sq_task *task, int i);
/* Appends the functions of all kernels to the source; nothing without the option. */
void sq_task_views_put(sq_task *task);
#endif
