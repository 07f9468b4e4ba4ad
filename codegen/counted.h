/* Counted: the operations of a step of each innermost loop of a schedule, counted in the code that is emitted. */
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
    int times; /* how often it runs in a step of its tile: it may be a loop over taps */
    sq_code_count count;
} sq_counted_loop;

/* Lists the innermost loops in the order of the code, at most 64, in the arena. For a register tile these are the loops
 * of the full tile, not those over single points; otherwise the first loop of each statement. Returns their number, 0
 * if a grid shares the loops, which then are not code; -1 after adding an error. */
int sq_counted(const sq_schedule *s, const sq_target *t, bool threads, sq_arena *arena,
               sq_counted_loop **list, sq_diags *d);
#endif
