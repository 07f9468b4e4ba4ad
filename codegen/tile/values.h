/* Values: which expressions of a tile have a register already. Scopes open and close with the
 * blocks of the emitted function. A dry run counts uses beforehand, so that the live range of a
 * value ends with its last use. When more values are live than registers are left, the oldest is
 * forgotten and loaded again if needed: a load is cheaper than the store and load of a spill. */
#ifndef SQ_CODEGEN_TILE_VALUES_H
#define SQ_CODEGEN_TILE_VALUES_H
#include "codegen/code/code.h"

typedef struct sq_values sq_values;

/* budget: registers left for values. The pool owns all but what sq_values_free releases. */
sq_values *sq_values_new(sq_code_pool *pool, int budget);
void sq_values_free(sq_values *v);
void sq_values_enter(sq_values *v);
void sq_values_leave(sq_values *v);
/* Returns the value's register; its name is the stem and a number. *fresh: it has to be declared
 * here. */
const sq_code_expr *sq_values_use(sq_values *v, const char *stem, const sq_code_expr *e,
                                  bool counting, bool *fresh);
/* Forgets the values of the innermost scope: its dry run is over, or compilers shall not share
 * them. */
void sq_values_forget_inner(sq_values *v);
/* Returns how many values had to be forgotten so far. */
int sq_values_forgotten(const sq_values *v);
/* Returns how many registers were assigned to values so far, counting forgotten ones again. */
int sq_values_made(const sq_values *v);
/* Sets the expression's value to `value` (which was just stored there); pinned: it is not in
 * memory, so that it cannot be forgotten. */
void sq_values_set(sq_values *v, const sq_code_expr *e, const sq_code_expr *value, bool pinned);
/* Memory may have changed: every value that is not pinned has to be defined again. */
void sq_values_forget(sq_values *v);
#endif
