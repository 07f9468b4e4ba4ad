/* Script: the text form of a sequence of transforms, read into calls. */
#ifndef SQ_TRANSFORMS_SCRIPT_H
#define SQ_TRANSFORMS_SCRIPT_H
#include "transforms/transform.h"

/* One call and the group it is for. */
typedef struct sq_step {
    char group[64]; /* a statement of the group; "" for the first group */
    sq_loc group_loc;
    sq_call call;
    struct sq_step *next;
} sq_step;

/* Reads a script. Steps are allocated in arena; *steps is NULL for an empty script. Returns -1
 * after adding an error (SQ_FAULT_INPUT). `file` must outlive d. */
int sq_script_parse(const char *script, const char *file, sq_arena *arena, sq_step **steps,
                    sq_diags *d);
#endif
