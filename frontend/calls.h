/* Calls: functions of the same file that a region calls, in the place of their calls. */
#ifndef SQ_FRONTEND_CALLS_H
#define SQ_FRONTEND_CALLS_H
#include "frontend/clang.h"

/* A function of the file whose calls stay calls. */
typedef struct sq_call_refused {
    const char *name, *types; /* of its parameters, a ; around each */
    const char *why;          /* "it changes a struct of its own" */
    sq_loc at;
} sq_call_refused;

/* A function that stands as text in a region. */
typedef struct sq_call_inlined {
    const char *name;
    size_t region; /* where that begins */
} sq_call_inlined;

typedef struct sq_calls {
    const char *
        view; /* the file with names in the place of calls; all places in it are those of the file */
    const char *text; /* what the names stand for, as macros: a file of its own, SQ_CALLS_PATH */
    int nrefused;
    sq_call_refused *refused;
    int ninlined;
    sq_call_inlined *inlined;
} sq_calls;

#define SQ_CALLS_PATH SQ_PRELUDE_DIR "/calls.h"
/* The function that an assert of a region, or of what it calls, becomes. */
#define SQ_CALLS_ASSERT "__squall_assert"

/* Reads the unit, which has regions, once more with what the calls in them compute; leaves it as it is where there is
 * no such call, or where that has errors. */
void sq_calls_read(sq_reader *r, CXIndex index, const char **args, int nargs, const char *text,
                   size_t n);
/* Adds to an error why calls of a function of the file stay calls. */
struct sq_builder;
void sq_call_why(const struct sq_builder *b, const char *name);
/* The same of all functions that take a struct of that type, or a pointer to one. */
void sq_call_why_of(const struct sq_builder *b, CXType type);
#endif
