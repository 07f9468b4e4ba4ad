/* Conflict: outputs that would be written over an input or over each other, found before anything is
 * written. */
#ifndef SQ_CLI_CONFLICT_H
#define SQ_CLI_CONFLICT_H
#include "support/arena.h"
#include "support/diag.h"
#include <stdbool.h>

typedef struct sq_output_file {
    const char *path; /* "-" is standard output */
    const char *what; /* "the header" */
    sq_loc loc;       /* of the option that names it */
} sq_output_file;

/* -1 after a usage error if an output is the same file as an input or as another output. Inputs may
 * name "<stdin>". */
int sq_conflict_check(const sq_output_file *out, int nout, const char *const *input, int ninputs,
                      sq_arena *arena, sq_diags *d);
#endif
