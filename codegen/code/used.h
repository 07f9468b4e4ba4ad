/* Used: the buffers and names that statements use, found in one walk for any number of questions. */
#ifndef SQ_CODE_USED_H
#define SQ_CODE_USED_H
#include "codegen/code/code.h"
#include "codegen/code/keys.h"

typedef struct sq_code_used {
    sq_code_keys buffers, names;
} sq_code_used;

/* Of a list; what is found stays the list's, the tables are the arena's. */
sq_code_used sq_code_used_by(const sq_code *x, sq_arena *arena);
/* Adds those of a statement itself: not of its body, nor of what follows it. */
void sq_code_used_add(sq_code_used *u, const sq_code *x);
/* True where sq_code_uses is true of the list. */
bool sq_code_used_buffer(const sq_code_used *u, const sq_code_buffer *b);
/* True where sq_code_names is. */
bool sq_code_used_name(const sq_code_used *u, const char *name);
#endif
