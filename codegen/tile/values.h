/* Values: which expressions of a tile have a register already. Scopes open and close with the blocks
 * of the emitted function. A dry run counts uses beforehand, so that a value dies with its last use,
 * and when more are alive than registers are left, the oldest is forgotten and loaded anew if it is
 * needed again: a load is cheaper than the store and load of a spill. */
#ifndef SQ_CODEGEN_TILE_VALUES_H
#define SQ_CODEGEN_TILE_VALUES_H
#include "codegen/code/code.h"

typedef struct sq_values sq_values;

/* budget: registers left for values. The pool owns all but what sq_values_free gives back. */
sq_values *sq_values_new(sq_code_pool *pool, int budget);
void sq_values_free(sq_values *v);
void sq_values_enter(sq_values *v);
void sq_values_leave(sq_values *v);
/* The register of an expression's value, read; its name is the stem and a number. *fresh: it has to be
 * declared here. */
const sq_code_expr *sq_values_use(sq_values *v, const char *stem, const sq_code_expr *e,
                                  bool counting, bool *fresh);
/* Values of the innermost scope are to be computed anew where they are needed again: its dry run is
 * over, or compilers shall not share them. */
void sq_values_forget_inner(sq_values *v);
/* How many values had to be forgotten so far. */
int sq_values_forgotten(const sq_values *v);
/* How many registers were given to values so far, again where one had been forgotten. */
int sq_values_made(const sq_values *v);
/* From here on the expression's value is `value` (what was just stored there); pinned: it is in
 * no memory, so that nothing may forget it. */
void sq_values_set(sq_values *v, const sq_code_expr *e, const sq_code_expr *value, bool pinned);
/* Memory may have changed: every value that is not pinned has to be defined anew. */
void sq_values_forget(sq_values *v);
#endif
