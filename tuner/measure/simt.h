/* Simt: builds CUDA text as a program for the CPU that checks each access, with a C++ compiler and
 * the headers and library of runtime/simt. */
#ifndef SQ_TUNER_MEASURE_SIMT_H
#define SQ_TUNER_MEASURE_SIMT_H
#include "codegen/isa/target.h"
#include "support/list.h"
#include "tuner/measure/child.h"
#include "tuner/measure/toolchain.h"
#include "tuner/measure/workdir.h"
#include <jansson.h>

typedef struct sq_simt_options {
    const char *cc;                    /* the C++ compiler; NULL: $CXX, else one that is found */
    sq_list include, define, undefine; /* -I, -D, -U */
    sq_list rest;                      /* further arguments for it */
    bool is_quiet;                     /* the compiler's messages are left in `end` */
    double seconds;                    /* time limit of a program; 0: ten minutes */
} sq_simt_options;

typedef struct sq_simt {
    sq_simt_options o;
    sq_diags *d;
    const char *arch; /* simulated architecture: "sm_80" */
    char runtime[1024];
    sq_workdir dir;
    sq_argv compiler;
    const char *dry;  /* SQUALL_SIMT_DRY: the run records its launches without executing them; NULL */
    sq_child_end end; /* end of the last process */
} sq_simt;

/* Searches the tools and makes a folder, s->dir. -1 after adding an error; must be closed in any
 * case. */
int sq_simt_open(sq_simt *s, const sq_simt_options *o, const sq_target *t, sq_diags *d);
void sq_simt_close(sq_simt *s);
/* Builds a program of the file, named `name` in messages, with the arguments in s->o. -1 after
 * adding an error, with the compiler's messages printed. */
int sq_simt_build(sq_simt *s, const char *file, const char *name);
/* Runs it with these arguments, terminated by NULL. -1 after adding an error if it does not end. */
int sq_simt_run(sq_simt *s, const char *name, const char *const *args);
/* Return the findings and counts as an object (freed by the caller) and as text (malloced). NULL
 * after adding an error. */
json_t *sq_simt_report(sq_simt *s, const char *name);
char *sq_simt_report_text(sq_simt *s);
#endif
