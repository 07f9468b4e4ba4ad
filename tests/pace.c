/* Pace: how many times slower this machine is than the one on which the limits of time in tests were
 * measured, in per cent, never below 100. Limits are promises about the tool, not about processors:
 * tests multiply them by this (tests/pace.sh). The work is like that of the tool: small blocks are
 * allocated, hashed, linked, sorted and freed. Processor time, the least of several rounds: other
 * programs on the machine count as little as may be. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 7, BLOCKS = 40000, SLOTS = 8192 };

/* Seconds of a round on the machine of the limits: an x86-64 server core of 2023 at 3.5 GHz. */
static const double reference = 0.0026;

typedef struct block {
    struct block *next;
    uint32_t key, value[3];
} block;

static uint32_t mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352d;
    x ^= x >> 15;
    x *= 0x846ca68b;
    return x ^ x >> 16;
}

static int by_key(const void *a, const void *b)
{
    const block *x = *(block *const *)a, *y = *(block *const *)b;
    return (x->key > y->key) - (x->key < y->key);
}

/* Seconds of processor time of one round; its result must be used, or the compiler removes it. */
static double spent(uint32_t seed, uint32_t *result)
{
    static block *slot[SLOTS], *sorted[BLOCKS];
    struct timespec from, to;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        block *b = malloc(sizeof *b);
        if (!b)
            exit(1);
        b->key = mix(seed + i);
        b->value[0] = i;
        b->next = slot[b->key % SLOTS];
        slot[b->key % SLOTS] = b;
        sorted[i] = b;
    }
    for (uint32_t i = 0; i < BLOCKS; i++)
        for (block *b = slot[mix(seed + i) % SLOTS]; b; b = b->next)
            if (b->key == mix(seed + i))
                *result += b->value[0];
    qsort(sorted, BLOCKS / 4, sizeof *sorted, by_key);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        *result ^= sorted[i]->key;
        free(sorted[i]);
    }
    for (int i = 0; i < SLOTS; i++)
        slot[i] = NULL;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

int main(int argc, char **argv)
{
    uint32_t result = 0;
    double least = 1e9;
    (void)argv;
    for (int i = 0; i < ROUNDS; i++) {
        double s = spent((uint32_t)i, &result);
        least = s < least ? s : least;
    }
    double percent = 100 * least / reference;
    if (argc > 1)
        fprintf(stderr, "%.2f ms, %u\n", 1e3 * least, result);
    printf("%d\n", percent < 100 ? 100 : percent > 500 ? 500 : (int)percent);
    return result == 1; /* never, as good as */
}
