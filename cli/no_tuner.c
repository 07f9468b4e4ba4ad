/* What a build without the tuner (-DSQUALL_TUNER=OFF) has in place of the files that measure: each
 * says that it is not there. Whole commands are left out of the table (main.c). */
#include "cli/doctor.h"
#include "cli/report.h"
#include "cli/show.h"
#include "tuner/device/device_file.h"

static int refuse(sq_diags *d, const char *what)
{
    sq_error(d, SQ_FAULT_USAGE, SQ_NOWHERE, "this squall was built without the tuner: %s", what);
    sq_help(d, SQ_NOWHERE, "build it with -DSQUALL_TUNER=ON");
    return -1;
}

int sq_show_best(sq_task *task, sq_text *to, json_t *json)
{
    (void)to, (void)json;
    return refuse(task->d, "there is no store of trials");
}

int sq_show_host(sq_task *task, sq_text *to, json_t *json)
{
    (void)to, (void)json;
    return refuse(task->d, "this machine cannot be measured; --machine=CLASS prints a class");
}

void sq_doctor_tools(sq_doctor *x)
{
    sq_doctor_row(x, "tuner", SQ_NEEDED_BY_NONE, SQ_HEALTH_ABSENT,
                  "built without it (-DSQUALL_TUNER=OFF): tune, race, bench, check, db, learn and lsp are left out");
}

const sq_device *sq_device_read(const char *path, sq_arena *arena, sq_diags *d)
{
    (void)path, (void)arena;
    refuse(d, "descriptions of devices cannot be read; devices that it knows have names");
    return NULL;
}

/* Not asked for: see cli/json.h. */
json_t *sq_device_json(const sq_device *d)
{
    (void)d;
    return NULL;
}

/* Nor are these; sq_json_refuse has said why. */
int sq_report_check(const sq_settings *o, sq_diags *d)
{
    (void)o, (void)d;
    return 0;
}

int sq_report_explain(sq_task *task, json_t *kernels)
{
    (void)kernels;
    return refuse(task->d, "there are no reports");
}

int sq_report_best(sq_task *task, const char *topic, json_t *json)
{
    (void)topic, (void)json;
    return refuse(task->d, "there are no reports");
}

int sq_report_show(sq_task *task, const char *topic, json_t *json)
{
    (void)topic, (void)json;
    return refuse(task->d, "there are no reports");
}
