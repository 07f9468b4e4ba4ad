/* Script: parses the text of a sequence of transforms into calls. */
#ifndef SQ_TRANSFORMS_SCRIPT_H
#define SQ_TRANSFORMS_SCRIPT_H
#include "transforms/transform.h"

/* A call and its group. */
typedef struct sq_step {
    const char *group; /* a statement of the group; "" for the first group */
    sq_loc group_loc;
    sq_call call;
    const char *text; /* the call as written: "tile(i:48, j:256)" */
    struct sq_step *next;
} sq_step;

/* A property of the target that stands behind a colon in the place of a number. */
typedef struct sq_script_unit {
    const char *name, *doc;
} sq_script_unit;

extern const sq_script_unit sq_script_units[]; /* ends without a name */

/* Parses a script. Steps are allocated in arena; *steps is NULL for an empty script. Returns -1
 * after adding an error (SQ_FAULT_INPUT). `file` must outlive d. */
int sq_script_parse(const char *script, const char *file, const sq_machine *machine, sq_arena *arena,
                    sq_step **steps, sq_diags *d);
/* Applies one call without checking legality; -1 with its refusal added. */
int sq_step_apply(sq_schedule *s, const sq_step *step, sq_diags *d);
/* Adds "tile refused: why", at the call or, if at >= 0, at one of its arguments. Returns -1. */
int sq_call_refuse(const sq_call *call, int at, const char *why, sq_diags *d);
/* Refuses the call that causes the objection to the result of the steps on `before`; see
 * sq_script_blame. */
int sq_steps_blame(const sq_schedule *before, const sq_step *steps, sq_objection *objection,
                   void *user, sq_arena *arena, sq_diags *d);
#endif
