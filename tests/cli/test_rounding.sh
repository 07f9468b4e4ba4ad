#!/bin/sh
# Regions that round as <math.h> does: to the bit what the C library computes, halves, zeros of either sign, numbers
# beside halves, infinities and NaN among them, in the default floating-point contract, too.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cat >old.c <<'C'
#include <math.h>
#include <stdint.h>
#define EACH(f, type, to) \
    void all_##f(const type *x, to *y, int n); \
    void all_##f(const type *x, to *y, int n)
EACH(roundf, float, float)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = roundf(x[i]);
#pragma endscop
}
EACH(truncf, float, float)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = truncf(x[i]);
#pragma endscop
}
EACH(rintf, float, float)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = rintf(x[i]);
#pragma endscop
}
EACH(nearbyint, double, double)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = nearbyint(x[i]);
#pragma endscop
}
EACH(round, double, double)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = round(x[i]);
#pragma endscop
}
EACH(trunc, double, double)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = trunc(x[i]);
#pragma endscop
}
EACH(lround, float, int64_t)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = fabsf(x[i]) < 1e18f ? lround(x[i]) + lrintf(x[i]) : 0;
#pragma endscop
}
/* Weights in blocks of bytes, each with a scale. */
void quantise(const float *x, int8_t *q, float *s, int n, int block)
{
#pragma scop
    for (int g = 0; g < n; g++) {
        float most = 0;
        for (int i = 0; i < block; i++) {
            float v = fabsf(x[g * block + i]);
            if (v > most)
                most = v;
        }
        s[g] = most / 127;
        for (int i = 0; i < block; i++)
            q[g * block + i] = (int8_t)round(x[g * block + i] / s[g]);
    }
#pragma endscop
}
C
show_h
cat >main.c <<'C'
#include "show.h"
#include <math.h>
#include <stdint.h>
#include <string.h>
#define EACH(f, type, to) void all_##f(const type *, to *, int)
EACH(roundf, float, float); EACH(truncf, float, float); EACH(rintf, float, float); EACH(nearbyint, double, double);
EACH(round, double, double); EACH(trunc, double, double); EACH(lround, float, int64_t);
void quantise(const float *, int8_t *, float *, int, int);
enum { N = 20000 };
static float x[N], y[N];
static double u[N], v[N];
static int64_t w[N];
int main(void)
{
    static const float at[] = {0, 0.5f, 1.5f, 2.5f, 1e5f, 8388607.5f, 8388608, 16777215, 3e9f, 1e18f, 1e-40f, INFINITY, NAN};
    uint32_t random = 7;
    int n = 0;
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        float f[] = {at[i], nextafterf(at[i], -INFINITY), nextafterf(at[i], INFINITY)};
        for (int k = 0; k < 6; k++)
            x[n++] = k % 2 ? -f[k / 2] : f[k / 2];
    }
    for (; n < N; n++) {
        random = random * 1664525u + 1013904223u;
        if (n % 4 == 0)
            memcpy(&x[n], &random, 4), x[n] = isnan(x[n]) ? NAN : x[n]; /* signaling ones may stay that */
        else
            x[n] = (float)(int32_t)random / (n % 4 == 1 ? 1 << 28 : n % 4 == 2 ? 1 << 20 : 1 << 30);
    }
    for (int i = 0; i < N; i++) { /* beside halves of either size */
        u[i] = i % 3 ? x[i] : nextafter(x[i], i % 2 ? 1e300 : -1e300);
        if (i % 5 == 0)
            u[i] = (i - N / 2) * 0.5;
        if (i % 35 == 0)
            u[i] = 4503599627370496.0 + i / 2.0 - N / 4;
    }
    all_roundf(x, y, N), SHOW(y);
    all_truncf(x, y, N), SHOW(y);
    all_rintf(x, y, N), SHOW(y);
    all_nearbyint(u, v, N), SHOW(v);
    all_round(u, v, N), SHOW(v);
    all_trunc(u, v, N), SHOW(v);
    all_lround(x, w, N), SHOW(w);
    static int8_t q[N];
    static float s[N];
    for (int i = 0; i < N; i++)
        x[i] = (float)(i * 37 % 1001 - 500) / 7;
    quantise(x, q, s, 100, 32), SHOW(q), SHOW(s);
    quantise(x, q, s, 31, 33), SHOW(q), SHOW(s);
    return 0;
}
C
as_before_everywhere 9
for target in $(region_targets); do # sums may be reassociated, and products fused, but for none of these
    expect 0 compile old.c --target="$target" -o new.c
    built -fopenmp new.c main.c -o new
    ./new >new.txt
    same old.txt new.txt
done

# An instruction each where there is one.
expect 0 compile old.c --target=avx2 -o new.c
grep -q '__builtin_ia32_roundps256(a, 9)' new.c && grep -q '__builtin_ia32_roundpd256(a, 10)' new.c || fail "avx2: floor, ceil"
expect 0 compile old.c --target=avx512 -o new.c
grep -q '__builtin_ia32_rndscaleps_mask(a, 9' new.c && grep -q '__builtin_ia32_rndscalepd_mask(a, 10' new.c ||
    fail "avx512: floor, ceil"
"$CC" -O1 -Wall -Werror -Wno-unknown-pragmas -c new.c -o new.o || fail "avx512 does not compile"
