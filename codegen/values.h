/* Values: which expressions of a tile have a name already. A value is known by the text that
 * computes it; scopes open and close with the blocks of the emitted function. A dry run counts uses
 * beforehand, so that a value dies with its last use, and when more are alive than registers are
 * left, the oldest is forgotten and loaded anew if it is needed again: a load is cheaper than the
 * store and load of a spill. */
#ifndef SQ_CODEGEN_VALUES_H
#define SQ_CODEGEN_VALUES_H
#include "support/arena.h"
#include <stdbool.h>

typedef struct sq_values sq_values;

/* budget: registers left for values. */
sq_values *sq_values_new(sq_arena *arena, int budget);
void sq_values_free(sq_values *v);
void sq_values_enter(sq_values *v);
void sq_values_leave(sq_values *v);
/* The name of the value with this text: stem and a number. *fresh: it has to be defined here. */
const char *sq_values_use(sq_values *v, const char *stem, const char *text, bool counting,
                          bool *fresh);
/* Ends the dry run of the innermost scope. */
void sq_values_counted(sq_values *v);
/* Values of the innermost scope are to be computed anew where they are needed again. */
void sq_values_forget_inner(sq_values *v);
/* How many values had to be forgotten so far. */
int sq_values_forgotten(const sq_values *v);
/* From here on the value with this text is `name` (what was just stored there); pinned: it is in
 * no memory, so that nothing may forget it. */
void sq_values_set(sq_values *v, const char *text, const char *name, bool pinned);
/* Memory may have changed: every value that is not pinned has to be defined anew. */
void sq_values_forget(sq_values *v);
#endif
