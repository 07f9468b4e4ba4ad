/* Used: the buffers and names that statements use, found in one walk for any number of queries. */
#ifndef SQ_CODE_USED_H
#define SQ_CODE_USED_H
#include "codegen/code/code.h"
#include "codegen/code/keys.h"

typedef struct sq_code_used {
    sq_code_keys buffers, names;
} sq_code_used;

/* Returns what a list uses. The list owns the keys, the arena the tables. */
sq_code_used sq_code_used_by(const sq_code *x, sq_arena *arena);
/* Adds what a statement uses by itself, without its body and the statements after it. */
void sq_code_used_add(sq_code_used *u, const sq_code *x);
/* True if the list uses the buffer, as sq_code_uses tells. */
bool sq_code_used_buffer(const sq_code_used *u, const sq_code_buffer *b);
/* True if the list mentions the name, as sq_code_names tells. */
bool sq_code_used_name(const sq_code_used *u, const char *name);
#endif
