/* Topics of `squall show`. To add one: a function here, a row in the table of cli/show.c. */
#ifndef SQ_CLI_SHOW_H
#define SQ_CLI_SHOW_H
#include "cli/json.h"
#include "cli/task.h"

/* What stands behind the topic on the command line. */
typedef enum sq_topic_takes {
    SQ_TOPIC_NOTHING,
    SQ_TOPIC_DESCRIPTION, /* task is open, not yet parsed; else only target and machine */
    SQ_TOPIC_COMMAND      /* the name of a command, or nothing */
} sq_topic_takes;

typedef struct sq_topic {
    const char *name;
    const char *doc;
    sq_topic_takes takes;
    /* Fills `json` (an object) when it is not NULL, else `to`. -1 after adding errors. */
    int (*show)(sq_task *task, sq_text *to, json_t *json);
    /* Writes the page of --html, of what show() filled; NULL: there is none. */
    int (*report)(sq_task *task, const char *topic, json_t *json);
} sq_topic;
extern const sq_topic sq_topics[]; /* show.c; ended by a NULL name */
/* "K.sq", "[COMMAND]" or "" */
const char *sq_topic_args(const sq_topic *t);

/* manual.c: a page of the manual, of squall or of one command, as text for man(1) */
int sq_show_manual(sq_task *task, sq_text *to, json_t *json);
/* completions.c: for the shell that --shell names */
int sq_show_completions(sq_task *task, sq_text *to, json_t *json);
void sq_complete_zsh(sq_text *to);
void sq_complete_fish(sq_text *to);
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
