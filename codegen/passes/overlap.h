/* Overlap: which buffers may share elements. */
#ifndef SQ_PASSES_OVERLAP_H
#define SQ_PASSES_OVERLAP_H
#include "codegen/passes/passes.h"

/* True if the arrays of two buffers may overlap. */
bool sq_pass_may_overlap(const sq_pass_context *c, const sq_code_buffer *a, const sq_code_buffer *b);
/* Returns the array of the kernel that a buffer in memory is; NULL: none. */
const sq_array *sq_pass_array(const sq_pass_context *c, const sq_code_buffer *b);
#endif
