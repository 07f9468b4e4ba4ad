/* Keys: a set of pointers or of names. Pointers are compared by address, names as strings. */
#ifndef SQ_CODE_KEYS_H
#define SQ_CODE_KEYS_H
#include "support/arena.h"
#include <stdbool.h>

/* A set that is zeroed except for the arena is empty. The arena owns the table, not the keys. */
typedef struct sq_code_keys {
    sq_arena *arena;
    bool of_names; /* keys are strings; otherwise pointers */
    const void **at;
    size_t room, n;
} sq_code_keys;

void sq_code_keys_add(sq_code_keys *s, const void *key);
/* Does nothing if the key is not in the set. */
void sq_code_keys_remove(sq_code_keys *s, const void *key);
bool sq_code_keys_has(const sq_code_keys *s, const void *key);
#endif
