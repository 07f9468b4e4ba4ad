/* Fault: what is broken on purpose, to see that it is found. The product is never touched: a
 * dependence is taken from the kernel, operands and guards are changed in what is emitted. */
#ifndef SQ_TESTS_FUZZ_FAULT_H
#define SQ_TESTS_FUZZ_FAULT_H
#include "ir/kernel.h"
#include "support/stats.h"
#include "support/text.h"

typedef enum fault_kind { FAULT_NOTHING, FAULT_DEPENDENCE, FAULT_GUARD, FAULT_OPERAND } fault_kind;

/* By name: "dependence", "guard", "operand"; -1 for another. */
int fault_find(const char *name);
/* Forgets all dependences of one statement on another (or itself). */
void fault_dependence(sq_kernel *k, sq_rng *r);
/* Makes one `<` in a loop or condition of emitted text `<=`. */
void fault_guard(char **text, sq_rng *r);
/* Swaps the operands of one subtraction or division of the kernel; NULL when it has none. Swapping
 * again mends it. */
sq_expr *fault_operand(const sq_kernel *k, sq_rng *r);
void fault_swap(sq_expr *e);
#endif
