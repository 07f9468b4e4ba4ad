#!/bin/sh
# Loops of which one iteration stores an element that all read: shortest paths, elimination. They are vectors before and
# behind that iteration, wherever it lies, and where there is none such. With two such elements they stay as written.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
cat >old.c <<'C'
#include <stdint.h>
void paths(int n, uint32_t p[n][n])
{
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                p[i][j] = p[i][j] < p[i][k] + p[k][j] ? p[i][j] : p[i][k] + p[k][j];
#pragma endscop
}
void eliminate(int n, uint64_t a[n][n])
{
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++)
            for (int j = 0; j < n; j++)
                a[i][j] -= a[i][k] * a[k][j];
#pragma endscop
}
/* m + 2 may lie in front of the loop, in it, and behind it. */
void less(int n, int m, float *restrict a, const float *restrict b)
{
#pragma scop
    for (int i = 3; i < n; i++)
        a[i - 1] = b[i] - a[m + 1] * 0.5f;
#pragma endscop
}
void bounded(int n, int m, int32_t *restrict a, const int32_t *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] > a[m])
            a[i] = b[i] + a[m];
#pragma endscop
}
void added(int n, int m, float *restrict a, float *restrict s)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = a[i] * 0.5f + a[m];
        s[i] = a[i] - a[m];
    }
#pragma endscop
}
void both(int n, int m, float *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[m] * 0.5f - a[m + 5];
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdint.h>
#include <stdio.h>
void paths(int n, uint32_t p[n][n]), eliminate(int n, double a[n][n]), less(int, int, float *, const float *);
void bounded(int, int, int32_t *, const int32_t *), added(int, int, float *, float *), both(int, int, float *);
enum { MOST = 40 };
static uint32_t p[MOST * MOST];
static uint64_t d[MOST * MOST];
static float a[200], b[200];
static int32_t h[200], k[200];
static void fill(void)
{
    for (int i = 0; i < MOST * MOST; i++)
        p[i] = (uint32_t)i * 7919 % 101 << (i % 26), d[i] = (uint64_t)(i % 37);
    for (int i = 0; i < 200; i++)
        a[i] = (float)(i % 9 - 4), b[i] = (float)(3 * i + 1), h[i] = i * 37 % 91, k[i] = 5 * i % 77;
}
static void put(const char *of, int n, int m)
{
    double all = 0;
    for (int i = 0; i < MOST * MOST; i++)
        all = (all + p[i]) * 0.5 + (double)d[i];
    for (int i = 0; i < 200; i++)
        all = all * 0.999 + a[i] * (i % 13) + b[i] * (i % 7) + h[i] * (i % 11);
    printf("%s %d %d: %.17g\n", of, n, m, all);
    fill();
}
int main(void)
{
    static const int sizes[] = {0, 1, 2, 3, 7, 8, 9, 13, 16, 17, 31, 33, 40};
    fill();
    for (int i = 0; i < 13; i++) {
        int n = sizes[i];
        paths(n, (void *)p), put("paths", n, 0);
        eliminate(n, (void *)d), put("eliminate", n, 0);
        for (int m = 0; m < 50; m++) {
            less(4 * n, m, a, b), put("less", n, m);
            bounded(3 * n, m, h, k), put("bounded", n, m);
            added(4 * n, m, a, b), put("added", n, m);
            both(4 * n, m, a), put("both", n, m);
        }
    }
    return 0;
}
C
as_before_on generic avx2 avx512
for name in paths eliminate less bounded added; do
    grep -q "squall_${name}_1_[fui0-9]*x[0-9]*_store" avx2.c || fail "$name: no vectors"
done
! grep -q "squall_both_1_[fui0-9]*x[0-9]*_store" avx2.c || fail "both: vectors"
