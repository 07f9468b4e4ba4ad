/* Parts: those that statements call. */
#ifndef SQ_CODE_PARTS_H
#define SQ_CODE_PARTS_H
#include "codegen/code/code.h"

typedef struct sq_code_parts {
    int n;
    sq_code_part **part;
} sq_code_parts;

/* Each part once, and before those that call it. */
sq_code_parts sq_code_parts_of(const sq_code *x, sq_arena *arena);
#endif
