#!/bin/sh
# Sizes at the ends of their types: nothing that the emitted text computes with them overflows, which
# -fsanitize=undefined would say, and where the arrays cannot exist nothing is touched.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"

cat >far.sq <<'K'
#include "squall.h"
#define EDGE(name, size)                                             \
    kernel name(size N, size M, size S, inout f32 A[N][2 * M + 1])   \
    {                                                                \
        assume(M + N >= S);                                          \
        for (size i = 0; i < N; i++)                                 \
            for (size j = 0; j < 2 * M; j++)                         \
                if (i + S == N && 3 * j < M + S)                     \
                    A[i][j + 1] += 1;                                \
    }
EDGE(wide, int64_t)
EDGE(narrow, int)
kernel steep(int64_t N, inout f32 A[N])
{
    for (int64_t i = 0; 5000000 * i < N; i++)
        A[i] += 5000000 * i + 1 == N ? 2 : 1;
}
K
cat >region.c <<'C'
#include <stddef.h>
void f(size_t n, long m, long k, double *a)
{
#pragma scop
    for (size_t i = 0; i < n; i++)
        for (long j = 0; j < m; j++)
            a[i * (m + 3) + j + 1] += j + k == m;
#pragma endscop
}
C
cat >main.c <<'C'
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "far.h"
void f(size_t n, long m, long k, double *a);
static const int64_t far[] = {0,         1,         -1,        3,           INT_MAX,     INT_MIN,
                              INT64_MAX, INT64_MIN, INT64_MAX - 1, INT64_MAX / 2, INT64_MAX / 3,
                              (int64_t)1 << 56, ((int64_t)1 << 56) + 1, -((int64_t)1 << 56)};
enum { COUNT = sizeof far / sizeof *far };
static float A[4096];

int main(void)
{
    int accepted = 0;
    double d[64] = {0};
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++)
            for (int k = 0; k < COUNT; k++) {
                int64_t n = far[i], m = far[j], s = far[k];
                int fits = wide_accepts(n, m, s);
                accepted += fits;
                if (!fits || n <= 0 || (n <= 3 && m <= 3))
                    wide(n, m, s, A);
                if (n == (int)n && m == (int)m && s == (int)s &&
                    (!narrow_accepts((int)n, (int)m, (int)s) || n <= 0 || (n <= 3 && m <= 3)))
                    narrow((int)n, (int)m, (int)s, A);
                if (n <= 0 || (n <= 3 && m <= 3))
                    f(n <= 0 ? 0 : (size_t)n, m, s, d);
            }
    for (int i = 0; i < COUNT; i++)
        if (!steep_accepts(far[i]) || far[i] <= 4096)
            steep(far[i], A);
    printf("%d accepted of %d, %g\n", accepted, COUNT * COUNT * COUNT, A[1]);
    return wide_accepts(3, 1, 1) && !wide_accepts(INT64_MAX, 1, 1) && !wide_accepts(1, 1, INT64_MIN) &&
                   wide_accepts(0, (int64_t)1 << 55, 0)
               ? 0
               : 1;
}
C
for target in c avx2; do
    expect 0 compile far.sq -o far.c --header=far.h --target=$target
    expect 0 compile region.c -o region_new.c --target=$target
    [ $target = c ] || targets runs | grep -qx "${target%%,*}" || continue
    "$CC" -std=gnu11 -O1 -Wall -Wextra -Werror -fsanitize=undefined -fno-sanitize-recover=undefined \
        far.c region_new.c main.c -o far -lm || fail "far.c does not compile for $target"
    timeout 60 ./far >out 2>err || fail "sizes at the end of their types, for $target"
done
