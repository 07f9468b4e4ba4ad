/* Keys: a hash table with open addressing; see keys.h. */
#include "codegen/code/keys.h"
#include "support/hash.h"
#include <string.h>

static bool is_same(const sq_code_keys *s, const void *a, const void *b)
{
    return a == b || (s->of_names && strcmp(a, b) == 0);
}

static size_t slot_of(const sq_code_keys *s, const void *key)
{
    uint64_t hash = s->of_names ? sq_hash64(key, strlen(key))
                                : ((uintptr_t)key >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    size_t i = hash & (s->room - 1);
    while (s->at[i] && !is_same(s, s->at[i], key))
        i = (i + 1) & (s->room - 1);
    return i;
}

static void grow(sq_code_keys *s)
{
    const void **old = s->at;
    size_t n = s->room;
    s->room = n ? 2 * n : 256;
    s->at = SQ_NEW_ARRAY(s->arena, const void *, s->room);
    for (size_t i = 0; i < n; i++)
        if (old[i])
            s->at[slot_of(s, old[i])] = old[i];
}

void sq_code_keys_add(sq_code_keys *s, const void *key)
{
    if (2 * (s->n + 1) > s->room)
        grow(s);
    size_t i = slot_of(s, key);
    s->n += !s->at[i];
    s->at[i] = key;
}

/* Entries behind the removed one in its run of slots are inserted again. */
void sq_code_keys_remove(sq_code_keys *s, const void *key)
{
    size_t i = s->room ? slot_of(s, key) : 0;
    if (!s->room || !s->at[i])
        return;
    s->at[i] = NULL;
    s->n--;
    for (i = (i + 1) & (s->room - 1); s->at[i]; i = (i + 1) & (s->room - 1)) {
        const void *moved = s->at[i];
        s->at[i] = NULL;
        s->at[slot_of(s, moved)] = moved;
    }
}

bool sq_code_keys_has(const sq_code_keys *s, const void *key)
{
    return s->room && s->at[slot_of(s, key)];
}
