/* Counted: what the innermost loops of a schedule do in a step, read off the code that is emitted for
 * it. */
#ifndef SQ_CODEGEN_COUNTED_H
#define SQ_CODEGEN_COUNTED_H
#include "codegen/code/count.h"
#include "codegen/isa/target.h"

typedef struct sq_counted_loop {
    const char *stmts; /* "S0, S1" */
    const char *part;  /* the function that has the loop, "sq_" for the prefix of the kernel's
                          functions; NULL: the kernel's own */
    const char *along; /* the loop's variable or dimension; NULL: no loop, the count is of a tile */
    int lanes;         /* points of a step along it that vectors hold; 1: one at a time */
    sq_code_count count;
} sq_counted_loop;

/* Innermost loops in the order of the code, in the arena: of register tiles those of the whole tile,
 * without the loops over single points beside them; else the first of each statement; 64 at most.
 * Returns how many; 0 where a grid shares the loops, which are no code. -1 with an error added. */
int sq_counted(const sq_schedule *s, const sq_target *t, bool threads, sq_arena *arena,
               sq_counted_loop **list, sq_diags *d);
#endif
