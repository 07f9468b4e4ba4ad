/* Reference: evaluates a kernel directly: its statements in textual order, its instances in the
 * order written, its sums as written, each operation in its own type and rounded separately. It
 * shares no code with schedules, lowering and emitted text. */
#ifndef SQ_IR_KERNEL_REFERENCE_H
#define SQ_IR_KERNEL_REFERENCE_H
#include "ir/kernel/image.h"

typedef struct sq_reference sq_reference;

/* Prepares a kernel, in the arena. NULL if its sets have no form that can be evaluated. */
sq_reference *sq_reference_new(const sq_kernel *k, sq_arena *arena);
/* The message for a run that exceeds the limit on instances. */
extern const char sq_reference_more[];
/* Runs it on an image of this kernel, with a limit on instances and updates. Returns NULL, or a
 * sentence in the arena about the first undefined operation: an element outside of its array, a
 * read of an element that was never written, an operation without a value; or sq_reference_more. */
const char *sq_reference_run(const sq_reference *r, sq_image *m, int64_t most, sq_arena *arena);
#endif
