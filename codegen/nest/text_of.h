/* Text of: helpers that convert isl's affine expressions and sets to C text. Parameters keep their
 * names. All results are in the arena. */
#ifndef SQ_CODEGEN_NEST_TEXT_OF_H
#define SQ_CODEGEN_NEST_TEXT_OF_H
#include "codegen/code/uses.h"
#include "ir/kernel/kernel.h"
#include <isl/ast_build.h>

/* How text calls helpers, and where it records its names. */
typedef struct sq_text_calls {
    const char *prefix;  /* NULL: "sq_" */
    const sq_uses *uses; /* helpers are recorded as "sq_min", whatever the prefix; NULL: nothing is */
} sq_text_calls;

/* Converts a piecewise affine expression over parameters, simplified under the parameter set
 * `context`, to C on 64-bit integers. The helpers sq_min, sq_max, sq_floord get the prefix of the
 * emitted function. uses: as in sq_text_calls. NULL on failure. */
const char *sq_pw_aff_text(__isl_take isl_pw_aff *pa, isl_set *context, const sq_uses *uses, sq_arena *arena);
/* Returns the condition that the parameters lie in `set`, simplified under `context`; "1" if it
 * always holds. */
const char *sq_set_text(__isl_take isl_set *set, isl_set *context, sq_arena *arena);
/* The same two with calls as given. Of a set NULL says that the condition always holds; isl's failure ends the
 * process. */
const char *sq_pw_aff_text_with(__isl_take isl_pw_aff *pa, isl_set *context, const sq_text_calls *calls,
                                sq_arena *arena);
const char *sq_set_text_with(__isl_take isl_set *set, isl_set *context, const sq_text_calls *calls, sq_arena *arena);
#endif
