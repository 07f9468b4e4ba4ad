/* Interpret: runs code on memory, with the semantics of the C that it is printed as: floating types in
 * their own precision, integers that wrap around, f16 and bf16 rounded where they are cast, operands
 * of && || ?: evaluated only where they are needed. Nothing is contracted: the emitted text may
 * contract a multiplication and an addition where the contract of the kernel allows it, so results
 * are compared with a bound, or on numbers for which both are exact. */
#ifndef SQ_CODE_INTERPRET_H
#define SQ_CODE_INTERPRET_H
#include "codegen/code/code.h"
#include "ir/kernel/image.h"

/* The order of the iterations of loops that may run in any: by threads, on a grid, in lanes, as sums.
 * Code whose result depends on it has a race. */
typedef enum sq_interpret_order {
    SQ_INTERPRET_WRITTEN,
    SQ_INTERPRET_REVERSED,
    SQ_INTERPRET_SHUFFLED /* by the seed */
} sq_interpret_order;

typedef struct sq_interpret_options {
    sq_interpret_order order;
    uint64_t seed;
    int64_t most;  /* statements and iterations that may run; 0: ten million */
    bool *is_over; /* becomes true where they were more; or NULL */
} sq_interpret_options;

/* Runs a list of statements on the memory of a kernel, whose arrays are what the code's MEMORY
 * buffers name. NULL, or a sentence in the arena about the first thing that is undefined: an element
 * outside of its buffer, a read of what was never written, a store to what is read only, an
 * operation without a value, a name or a buffer that is not there, no end. It says at which values
 * of the loop variables. */
const char *sq_code_interpret(const sq_code *x, sq_image *m, const sq_interpret_options *o,
                              sq_arena *arena);
#endif
