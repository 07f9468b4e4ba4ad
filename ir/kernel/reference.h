/* Reference: what a kernel computes, evaluated directly: its statements in textual order, its
 * instances in written order, its sums as written, every operation in its own type and rounded by
 * itself. Shares nothing with schedules, lowering and emitted text. */
#ifndef SQ_IR_KERNEL_REFERENCE_H
#define SQ_IR_KERNEL_REFERENCE_H
#include "ir/kernel/image.h"

typedef struct sq_reference sq_reference;

/* Prepares a kernel, in the arena. NULL where its sets have no form that can be evaluated. */
sq_reference *sq_reference_new(const sq_kernel *k, sq_arena *arena);
/* What is said of more instances than may run. */
extern const char sq_reference_more[];
/* Runs it on memory of this kernel, at most this number of instances and updates. NULL, or a
 * sentence in the arena that says what is undefined about the run: an element outside of its array,
 * a read of what was never written, an operation without a value; or sq_reference_more. */
const char *sq_reference_run(const sq_reference *r, sq_image *m, int64_t most, sq_arena *arena);
#endif
