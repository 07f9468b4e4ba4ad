/* Peak: one loop per instruction set, the same text each time. Twelve independent sums, because two
 * multiply-adds a cycle with a latency of four or five need at least ten; the factors are such that
 * values neither vanish nor grow. */
#include "bench/peak.h"
#include "ir/machine/machine.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 20000, SUMS = 12 };

static volatile float factor = 0.5f, addend = 0.5f, sink;

#define TWELVE(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define BEGIN(i) vec s##i = add * (float)(i);
#define STEP(i) s##i = s##i * mul + add;
#define END(i) all += s##i;

/* `target` makes the function use the instruction set whatever flags the file is compiled with. */
#define LOOP(name, bytes, target)                                                                  \
    target static void name(void)                                                                  \
    {                                                                                              \
        typedef float vec __attribute__((vector_size(bytes)));                                     \
        vec mul = (vec){0} + factor, add = (vec){0} + addend, all = {0};                           \
        TWELVE(BEGIN)                                                                              \
        for (int n = 0; n < STEPS; n++) {                                                          \
            TWELVE(STEP)                                                                           \
        }                                                                                          \
        TWELVE(END)                                                                                \
        sink = all[0];                                                                             \
    }

#if defined(__x86_64__)
LOOP(avx512, 64, __attribute__((target("avx512f,avx512vl,avx512dq,fma"))))
LOOP(avx2, 32, __attribute__((target("avx2,fma"))))
#endif
LOOP(generic, 16, )

typedef struct row {
    const char *isa;
    void (*loop)(void);
    int lanes;
} row;

static const row rows[] = {
#if defined(__x86_64__)
    {"avx512", avx512, 16},
    {"avx2", avx2, 8},
#endif
    {"generic", generic, 4},
    {0},
};

static const row *host(void)
{
    const row *r = rows;
    while (r->isa && strcmp(r->isa, sq_machine_host_isa()) != 0)
        r++;
    if (r->isa)
        return r;
    fprintf(stderr, "bench/peak.c has no loop for class '%s'\n", sq_machine_host_isa());
    exit(70);
}

void bench_peak_call(void *state)
{
    (void)state;
    host()->loop();
}

double bench_peak_flops(void)
{
    return 2.0 * STEPS * SUMS * host()->lanes;
}
