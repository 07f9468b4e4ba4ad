/* CUDA text as a program that runs on the processor, every access looked at: built by a C++
 * compiler with the headers and the library of runtime/simt. */
#ifndef SQ_CLI_SIMT_H
#define SQ_CLI_SIMT_H
#include "cli/cli.h"
#include "codegen/target.h"
#include "tuner/child.h"
#include "tuner/toolchain.h"
#include <jansson.h>

typedef struct sq_simt {
    const sq_settings *o;
    sq_diags *d;
    const char *arch; /* that is played: "sm_80" */
    char runtime[1024], dir[256];
    sq_argv compiler;
    sq_child_end end; /* of what ran last */
} sq_simt;

/* Looks for what is needed and makes a folder, s->dir. -1 after adding an error; to be closed in
 * any case. */
int sq_simt_open(sq_simt *s, const sq_settings *o, const sq_target *t, sq_diags *d);
void sq_simt_close(sq_simt *s);
/* Makes a program of the file, called `name` in messages, with -I, -D, -U and what follows -- of
 * the settings. -1 after adding an error, the compiler's messages printed. */
int sq_simt_build(sq_simt *s, const char *file, const char *name);
/* Runs it with these arguments, ended by NULL. -1 after adding an error when it does not end. */
int sq_simt_run(sq_simt *s, const char *name, const char *const *args);
/* What was found and counted, as an object (caller's to free) and as text (malloced). NULL after
 * adding an error. */
json_t *sq_simt_report(sq_simt *s, const char *name);
char *sq_simt_report_text(sq_simt *s);
#endif
