/* Seen: a set of points, kept by 128 bits of a hash of their names: two names that meet there would
 * cost a search one point, at odds of 1e-30. Open addressing; grows at three quarters. */
#include "support/hash.h"
#include "support/memory.h"
#include "tuner/search/search.h"
#include <stdlib.h>
#include <string.h>

typedef struct key {
    uint64_t half[2]; /* both 0: empty */
} key;

struct sq_seen {
    const sq_space *space;
    size_t n, cap;
    key *at;
    sq_text name;
};

static void allocate(sq_seen *s, size_t cap)
{
    s->cap = cap;
    s->n = 0;
    s->at = sq_allocated(calloc(cap, sizeof *s->at));
}

sq_seen *sq_seen_new(const sq_space *space)
{
    sq_seen *s = sq_allocated(calloc(1, sizeof *s));
    s->space = space;
    allocate(s, 256);
    return s;
}

static key hash(const void *p, size_t n)
{
    key k;
    sq_hash128(p, n, k.half);
    k.half[0] += k.half[0] == 0 && k.half[1] == 0;
    return k;
}

static key key_of(const sq_seen *seen, const int *point)
{
    sq_seen *s = (sq_seen *)seen; /* only the buffer changes */
    if (!s->space->name)
        return hash(point, (size_t)s->space->n * sizeof *point);
    sq_text_clear(&s->name);
    s->space->name(s->space->user, point, &s->name);
    return hash(sq_text_str(&s->name), s->name.n);
}

static bool is_empty(const key *k)
{
    return k->half[0] == 0 && k->half[1] == 0;
}

/* Where the key is, or would be. */
static key *slot(const sq_seen *s, const key *k)
{
    size_t i = (size_t)k->half[0] & (s->cap - 1);
    while (!is_empty(&s->at[i]) && memcmp(&s->at[i], k, sizeof *k) != 0)
        i = (i + 1) & (s->cap - 1);
    return &s->at[i];
}

static bool add(sq_seen *s, const key *k)
{
    key *at = slot(s, k);
    if (!is_empty(at))
        return false;
    *at = *k;
    s->n++;
    return true;
}

static void grow(sq_seen *s)
{
    sq_seen old = *s;
    allocate(s, old.cap * 2);
    for (size_t i = 0; i < old.cap; i++)
        if (!is_empty(&old.at[i]))
            add(s, &old.at[i]);
    free(old.at);
}

bool sq_seen_has(const sq_seen *s, const int *point)
{
    key k = key_of(s, point);
    return !is_empty(slot(s, &k));
}

bool sq_seen_add(sq_seen *s, const int *point)
{
    key k = key_of(s, point);
    if (4 * s->n >= 3 * s->cap)
        grow(s);
    return add(s, &k);
}

sq_seen *sq_seen_free(sq_seen *s)
{
    if (s) {
        sq_text_free(&s->name);
        free(s->at);
        free(s);
    }
    return NULL;
}
