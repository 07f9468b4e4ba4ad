/* Parts: the parts that statements call. */
#ifndef SQ_CODE_PARTS_H
#define SQ_CODE_PARTS_H
#include "codegen/code/code.h"

typedef struct sq_code_parts {
    int n;
    sq_code_part **part;
} sq_code_parts;

/* Returns each part once, before the parts that call it. */
sq_code_parts sq_code_parts_of(const sq_code *x, sq_arena *arena);
#endif
