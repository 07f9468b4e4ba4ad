/* Names: the last pass over emitted text. Everything this room invents is written `sq_name`
 * (helpers, shared by all kernels while text is made) or `@name` (inside functions). Here helpers
 * get the kernel's own prefix, so that texts of several kernels can stand in one file, and an
 * `@name` gives way where the user's arrays, sizes or loops have the same. */
#ifndef SQ_CODEGEN_PRINT_NAMES_H
#define SQ_CODEGEN_PRINT_NAMES_H
#include "ir/schedule/schedule.h"
#include "support/text.h"

/* True if it is the name of an array, a size or a scalar of the kernel. */
bool sq_names_taken(const sq_kernel *k, const char *name);
/* A copy of the schedule whose loops have no name of the kernel's arrays, sizes or scalars. */
sq_schedule *sq_names_of_loops(const sq_schedule *s, sq_arena *arena);
/* Appends `text` with all names settled. prefix: of helpers, "gemm_". */
void sq_names_settle(const sq_schedule *s, const char *prefix, const char *text, sq_text *to);
#endif
