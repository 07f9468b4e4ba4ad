/* Topics of `squall show`. To add one: a function here, a row in the table of cli/show.c. */
#ifndef SQ_CLI_SHOW_H
#define SQ_CLI_SHOW_H
#include "cli/json.h"
#include "cli/task.h"

typedef struct sq_topic {
    const char *name;
    const char *doc;
    bool
        reads; /* takes a description: task is open, not yet parsed; else only target and machine */
    /* Fills `json` (an object) when it is not NULL, else `to`. -1 after adding errors. */
    int (*show)(sq_task *task, sq_text *to, json_t *json);
} sq_topic;

/* show_deps.c */
int sq_show_deps(sq_task *task, sq_text *to, json_t *json);
/* show.c: a class, or a machine that was measured. */
void sq_machine_put(const sq_machine *m, sq_text *to);
json_t *sq_machine_json(const sq_machine *m);
/* show_host.c */
int sq_show_host(sq_task *task, sq_text *to, json_t *json);
/* show_tuner.c */
int sq_show_searches(sq_task *task, sq_text *to, json_t *json);
int sq_show_space(sq_task *task, sq_text *to, json_t *json);
/* show_best.c */
int sq_show_best(sq_task *task, sq_text *to, json_t *json);
#endif
