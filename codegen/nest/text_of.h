/* Text of: helpers that convert isl's affine expressions and sets to C text. Parameters keep their
 * names. All results are in the arena. */
#ifndef SQ_CODEGEN_NEST_TEXT_OF_H
#define SQ_CODEGEN_NEST_TEXT_OF_H
#include "ir/kernel/kernel.h"
#include <isl/ast_build.h>

/* The functions that such text calls. */
typedef enum sq_text_helper { SQ_TEXT_MIN = 1, SQ_TEXT_MAX = 2, SQ_TEXT_FLOORD = 4 } sq_text_helper;
/* How text calls them, and which. */
typedef struct sq_text_calls {
    const char *prefix; /* NULL: "sq_" */
    unsigned called;    /* of sq_text_helper: those called are added */
} sq_text_calls;

/* Converts a piecewise affine expression over parameters, simplified under the parameter set
 * `context`, to C on 64-bit integers. The helpers sq_min, sq_max, sq_floord get the prefix of the
 * emitted function. NULL on failure. */
const char *sq_pw_aff_text(__isl_take isl_pw_aff *pa, isl_set *context, sq_arena *arena);
/* Returns the condition that the parameters lie in `set`, simplified under `context`; "1" if it
 * always holds. */
const char *sq_set_text(__isl_take isl_set *set, isl_set *context, sq_arena *arena);
/* The same two with calls as given. Of a set NULL says that the condition always holds; isl's failure ends the
 * process. */
const char *sq_pw_aff_text_with(__isl_take isl_pw_aff *pa, isl_set *context, sq_text_calls *calls, sq_arena *arena);
const char *sq_set_text_with(__isl_take isl_set *set, isl_set *context, sq_text_calls *calls, sq_arena *arena);
#endif
