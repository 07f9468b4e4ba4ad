#!/bin/sh
# Reductions by &, | and ^ begin with what leaves every value as it is; values named like the loops' own.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
cat >old.c <<'C'
#include <stdint.h>
int common(int n, const int *a)
{
    int s = -1;
#pragma scop
    for (int i = 0; i < n; i++)
        s &= a[i];
#pragma endscop
    return s;
}
unsigned any(int n, const unsigned *a)
{
    unsigned s = 64;
#pragma scop
    for (int i = 0; i < n; i++)
        s |= a[i];
#pragma endscop
    return s;
}
int same(int n, const int *a, const int *b)
{
    int ok = 1;
#pragma scop
    for (int i = 0; i < n; i++)
        ok &= a[i] == b[i];
#pragma endscop
    return ok;
}
void rows(int n, int m, uint64_t *restrict o, int64_t *restrict x, const uint64_t *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            o[i] &= a[i * m + j];
            x[i] ^= (int64_t)a[i * m + j];
        }
#pragma endscop
}
void columns(int n, int m, uint32_t *restrict o, const uint32_t *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            o[j] &= a[i * m + j];
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
int common(int n, const int *a), same(int n, const int *a, const int *b);
unsigned any(int n, const unsigned *a);
void rows(int n, int m, uint64_t *restrict o, int64_t *restrict x, const uint64_t *restrict a);
void columns(int n, int m, uint32_t *restrict o, const uint32_t *restrict a);
int main(void)
{
    static const int sizes[] = {0, 1, 2, 3, 7, 8, 13, 31, 33, 127, 129};
    static int a[129], b[129];
    static uint32_t u[129], w[129 * 13];
    static uint64_t l[129 * 13], o[129];
    static int64_t x[129];
    unsigned long long hash = 1;
    for (int bits = 0; bits < 3; bits++) /* all ones, few zeros, many */
        for (int s = 0; s < 11; s++) {
            int n = sizes[s];
            for (int i = 0; i < 129; i++) {
                a[i] = bits == 0 ? -1 : ~(i % 40 == 39 - bits ? 1 << bits * 9 : 0);
                b[i] = bits == 2 && i == 125 ? 0 : a[i];
                u[i] = ~(unsigned)a[i];
                o[i] = ~(uint64_t)bits, x[i] = i;
            }
            for (int i = 0; i < 129 * 13; i++)
                l[i] = bits ? ~(UINT64_C(1) << i % 63) : ~UINT64_C(0), w[i] = (uint32_t)l[i];
            hash = hash * 31 + (unsigned)common(n, a) + any(n, u) + (unsigned)same(n, a, b);
            rows(n, 13, o, x, l);
            for (int i = 0; i < 129; i++)
                hash = hash * 31 + o[i] + (uint64_t)x[i], u[i] = ~0u;
            columns(13, n, u, w);
            for (int i = 0; i < 129; i++)
                hash = hash * 31 + u[i];
        }
    printf("%llu\n", hash);
    return 0;
}
C
as_before_on generic avx2 avx512
for t in generic avx2; do
    expect 0 check old.c --target=$t
    expect 0 check old.c --target=$t --passes
done
expect 0 compile old.c --target=avx2,openmp -o threads.c
expect 0 check old.c --target=avx2,openmp --quick

cat >named.sq <<'C'
#include "squall.h"
kernel scaled(int N, int M, f32 v, const f32 X[N][M], f32 Y[N])
{
    idx i, j;
    Y[i] = rmax(X[i][j] * v, j);
}
kernel least(int N, int M, const f64 v[N][M], f64 Y[N])
{
    idx i, j;
    Y[i] = rmin(v[i][j], j);
}
C
expect 0 check named.sq --target=generic
