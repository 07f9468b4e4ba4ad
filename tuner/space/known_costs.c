/* Known costs; see known_costs.h. An open-addressed table of 128-bit hashes: two keys that meet there would cost one
 * estimate, at odds of 1e-30. It doubles at three quarters and starts again at its limit, which searches of tens of
 * thousands of points reach. */
#include "tuner/space/known_costs.h"
#include "support/hash.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { FIRST = 256, MOST = 1 << 15 };

typedef struct entry {
    uint64_t hash[2]; /* both 0: empty */
    double cost;
} entry;

struct sq_known_costs {
    sq_arena *arena;
    size_t n, room;
    entry *at;
};

static void allocate(sq_known_costs *k, size_t room)
{
    k->n = 0;
    k->room = room;
    k->at = SQ_NEW_ARRAY(k->arena, entry, room);
}

sq_known_costs *sq_known_costs_new(sq_arena *arena)
{
    sq_known_costs *k = SQ_NEW(arena, sq_known_costs);
    k->arena = arena;
    allocate(k, FIRST);
    return k;
}

void sq_known_costs_clear(sq_known_costs *k)
{
    k->n = 0;
    memset(k->at, 0, k->room * sizeof *k->at);
}

static bool is_empty(const entry *e)
{
    return e->hash[0] == 0 && e->hash[1] == 0;
}

static entry *slot(const sq_known_costs *k, const uint64_t hash[2])
{
    size_t i = (size_t)hash[0] & (k->room - 1);
    while (!is_empty(&k->at[i]) && memcmp(k->at[i].hash, hash, sizeof k->at[i].hash) != 0)
        i = (i + 1) & (k->room - 1);
    return &k->at[i];
}

static void make_room(sq_known_costs *k)
{
    if (4 * k->n < 3 * k->room)
        return;
    if (k->room == MOST) {
        sq_known_costs_clear(k);
        return;
    }
    sq_known_costs old = *k;
    allocate(k, 2 * old.room);
    for (size_t i = 0; i < old.room; i++)
        if (!is_empty(&old.at[i]))
            *slot(k, old.at[i].hash) = old.at[i];
    k->n = old.n;
}

double *sq_known_cost(sq_known_costs *k, const int *key, int n)
{
    uint64_t hash[2];
    make_room(k);
    sq_hash128(key, (size_t)n * sizeof *key, hash);
    hash[0] += hash[0] == 0 && hash[1] == 0;
    entry *e = slot(k, hash);
    if (is_empty(e)) {
        *e = (entry){{hash[0], hash[1]}, NAN};
        k->n++;
    }
    return &e->cost;
}
