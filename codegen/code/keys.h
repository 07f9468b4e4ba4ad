/* Keys: a set of pointers or of names. Pointers are compared by address, names by their letters. */
#ifndef SQ_CODE_KEYS_H
#define SQ_CODE_KEYS_H
#include "support/arena.h"
#include <stdbool.h>

/* Zeroed but for the arena it is empty; the arena owns the table, not what is in it. */
typedef struct sq_code_keys {
    sq_arena *arena;
    bool of_names; /* strings; else anything by its address */
    const void **at;
    size_t room, n;
} sq_code_keys;

void sq_code_keys_add(sq_code_keys *s, const void *key);
/* Nothing where the key is not there. */
void sq_code_keys_remove(sq_code_keys *s, const void *key);
bool sq_code_keys_has(const sq_code_keys *s, const void *key);
#endif
