/* Names: the last pass over emitted text. All names that this room makes up are written `sq_name`
 * (helpers, shared by all kernels while text is made) or `@name` (inside functions). Here helpers
 * get the kernel's own prefix, so that several kernels can be in one file, and an `@name` is
 * changed if the user's arrays, sizes or loops have it. */
#ifndef SQ_CODEGEN_PRINT_NAMES_H
#define SQ_CODEGEN_PRINT_NAMES_H
#include "ir/schedule/schedule.h"
#include "support/text.h"

/* True if an array, a size or a scalar of the kernel has the name. */
bool sq_names_taken(const sq_kernel *k, const char *name);
/* Returns a copy of the schedule whose loops are named unlike the kernel's arrays, sizes and
 * scalars. */
sq_schedule *sq_names_of_loops(const sq_schedule *s, sq_arena *arena);
/* Appends `text` with all names replaced. called: a function that the text calls, whose name no local has; NULL: none.
 * prefix: that of helpers, "gemm_". is_embedded: those of C's library, too, by what compilers have built in. */
void sq_names_settle(const sq_schedule *s, const char *called, const char *prefix, bool is_embedded, const char *text,
                     sq_text *to);
#endif
