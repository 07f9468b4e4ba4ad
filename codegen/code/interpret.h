/* Interpret: runs code on memory, with the semantics of the C that it is printed as: floating types in
 * their own precision, integers that wrap around, f16 and bf16 rounded where they are cast, operands
 * of && || ?: evaluated only where they are needed. Nothing is contracted: the emitted text may
 * contract a multiplication and an addition where the contract of the kernel allows it, so results
 * are compared with a bound, or on numbers for which both are exact. */
#ifndef SQ_CODE_INTERPRET_H
#define SQ_CODE_INTERPRET_H
#include "codegen/code/code.h"
#include "ir/kernel/image.h"

/* The order of the iterations of loops that may run in any order: loops shared by threads, loops of
 * a grid, lanes, sums. Code whose result depends on it has a race. */
typedef enum sq_interpret_order {
    SQ_INTERPRET_WRITTEN,
    SQ_INTERPRET_REVERSED,
    SQ_INTERPRET_SHUFFLED /* drawn from the seed */
} sq_interpret_order;

typedef struct sq_interpret_options {
    sq_interpret_order order;
    uint64_t seed;
    int64_t most;  /* limit on statements and iterations; 0: ten million */
    bool *is_over; /* set to true where the limit is exceeded; or NULL */
} sq_interpret_options;

/* Runs a list of statements on the memory image of a kernel; the code's MEMORY buffers name the
 * arrays of the image. Returns NULL, or a sentence in the arena about the first undefined
 * operation: an element outside of its buffer, a read of an element that was never written, a store
 * to a read-only buffer, an operation without a value, an undefined name or buffer, a limit that is
 * exceeded. The sentence states the values of the loop variables. */
const char *sq_code_interpret(const sq_code *x, sq_image *m, const sq_interpret_options *o,
                              sq_arena *arena);
#endif
