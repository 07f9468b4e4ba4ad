/* CUDA text as a program that runs on the processor, every access looked at: built by a C++
 * compiler with the headers and the library of runtime/simt. */
#ifndef SQ_TUNER_MEASURE_SIMT_H
#define SQ_TUNER_MEASURE_SIMT_H
#include "codegen/isa/target.h"
#include "support/list.h"
#include "tuner/measure/child.h"
#include "tuner/measure/toolchain.h"
#include "tuner/measure/workdir.h"
#include <jansson.h>

typedef struct sq_simt_options {
    const char *cc;                    /* the C++ compiler; NULL: $CXX, else one that is there */
    sq_list include, define, undefine; /* -I, -D, -U */
    sq_list rest;                      /* further words for it */
    bool is_quiet;                     /* the compiler's messages are left in `end` */
    double seconds;                    /* that a program may take; 0: ten minutes */
} sq_simt_options;

typedef struct sq_simt {
    sq_simt_options o;
    sq_diags *d;
    const char *arch; /* that is simulated: "sm_80" */
    char runtime[1024];
    sq_workdir dir;
    sq_argv compiler;
    const char *dry;  /* SQUALL_SIMT_DRY of a run that notes its launches and does nothing; NULL */
    sq_child_end end; /* of what ran last */
} sq_simt;

/* Looks for what is needed and makes a folder, s->dir. -1 after adding an error; to be closed in
 * any case. */
int sq_simt_open(sq_simt *s, const sq_simt_options *o, const sq_target *t, sq_diags *d);
void sq_simt_close(sq_simt *s);
/* Makes a program of the file, called `name` in messages, with the words of
 * s->o. -1 after adding an error, the compiler's messages printed. */
int sq_simt_build(sq_simt *s, const char *file, const char *name);
/* Runs it with these arguments, ended by NULL. -1 after adding an error when it does not end. */
int sq_simt_run(sq_simt *s, const char *name, const char *const *args);
/* What was found and counted, as an object (caller's to free) and as text (malloced). NULL after
 * adding an error. */
json_t *sq_simt_report(sq_simt *s, const char *name);
char *sq_simt_report_text(sq_simt *s);
#endif
