/* Reports: what --html=FILE writes, a page a command. The page itself is cli/html/html.h's, parts that several have
 * are cli/report_parts.h's. Without the tuner there are none, and sq_json_refuse (cli/json.h) has said so before. */
#ifndef SQ_CLI_REPORT_H
#define SQ_CLI_REPORT_H
#include "cli/json.h"
#include "cli/task.h"

/* Checks, before the work is done, that o->html can be written, or that none is asked for. -1 after adding an error. */
int sq_report_check(const sq_settings *o, sq_diags *d);
/* explain: `kernels` as its JSON has them. All of these write the file that task->o->html names; -1 after adding an
 * error. */
int sq_report_explain(sq_task *task, json_t *kernels);
/* show schedule, show space: `json` as --json prints it. */
int sq_report_show(sq_task *task, const char *topic, json_t *json);
/* show best: the same, with the trials of each in the store. */
int sq_report_best(sq_task *task, const char *topic, json_t *json);
#endif
