/* Doctor: the checks of `squall doctor` as rows, which are printed or become JSON. */
#ifndef SQ_CLI_DOCTOR_H
#define SQ_CLI_DOCTOR_H
#include "cli/json.h"
#include "support/text.h"
#include <stdbool.h>

typedef enum sq_health {
    SQ_HEALTH_OK,
    SQ_HEALTH_ABSENT, /* not there, and nothing that was asked for needs it */
    SQ_HEALTH_BROKEN  /* missing, too old, or does not work */
} sq_health;

/* What does not work without it, and with it the exit code. */
typedef enum sq_needed_by {
    SQ_NEEDED_BY_COMPILE, /* by all commands */
    SQ_NEEDED_TO_MEASURE, /* by check, bench and tune */
    SQ_NEEDED_BY_NONE     /* by an option of them */
} sq_needed_by;

/* The report under way. */
typedef struct sq_doctor {
    const sq_settings *o;
    sq_text *to;  /* the lines */
    json_t *list; /* the rows; NULL without the tuner */
    bool broken[SQ_NEEDED_BY_NONE + 1];
} sq_doctor;

/* Adds a row: what it is, how it is, a sentence. */
void sq_doctor_row(sq_doctor *x, const char *name, sq_needed_by needed, sq_health health,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The first message of that kind in d; NULL: none. */
const char *sq_doctor_message(const sq_diags *d, sq_severity severity);
/* The same with the first error and its help that were added to d, BROKEN. */
void sq_doctor_error(sq_doctor *x, const char *name, sq_needed_by needed, const sq_diags *d);

/* doctor_tools.c: the timer, the compilers, the harness, the store, devices, this machine. Without the tuner
 * (no_tuner.c) one row that says so. */
void sq_doctor_tools(sq_doctor *x);
#endif
