/* Uses: the record of what printed text names. Those who print a name add it here as they print it, and those who
 * decide later which declarations and helpers the text needs ask the record; nobody reads the text again. */
#ifndef SQ_CODE_USES_H
#define SQ_CODE_USES_H
#include "codegen/code/keys.h"

/* Where names are recorded; a member that is NULL records nothing. */
typedef struct sq_uses {
    sq_code_keys *names;   /* sizes, scalars, arrays, strides and other variables: of one function */
    sq_code_keys *helpers; /* functions and macros at the head of the file: "sq_min", "SQ_FRESH" */
} sq_uses;

/* Returns an empty set of names. */
sq_code_keys sq_uses_none(sq_arena *arena);
/* Add a name, which is copied. Both accept a NULL record. sq_uses_helper returns the name, for use where the call is
 * printed. */
void sq_uses_name(const sq_uses *u, const char *name);
const char *sq_uses_helper(const sq_uses *u, const char *name);
/* Adds all helpers of a part of the text that had a record of its own. */
void sq_uses_join(const sq_uses *u, const sq_code_keys *helpers);
#endif
