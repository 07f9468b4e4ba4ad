#!/bin/sh
# Loops inside of others, whose ends are no multiples of a vector: what is left over is the last vector, which computes
# some iterations again, where the loop has a vector's iterations and reads nothing that it writes.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
cat >old.c <<'C'
#include <stdint.h>
void triangle(int m, float A[restrict m][m], float B[restrict m][m], const float *restrict b)
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++)
            A[i][j] = B[i][j] * b[j];
#pragma endscop
}
void upper(int m, int A[restrict m][m], int16_t B[restrict m][m])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = i; j < m; j++)
            A[i][j] = B[i][j] + 3;
#pragma endscop
}
/* Twice would not be once. */
void again(int m, float A[restrict m][m], float B[restrict m][m])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++)
            A[i][j] = 0.5f * A[i][j] + B[i][j];
#pragma endscop
}
void shifted(int m, float A[restrict m][m + 1], float B[restrict m][m])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++)
            A[i][j] = A[i][j + 1] + B[i][j];
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdint.h>
#include <stdio.h>
void triangle(int m, float A[m][m], float B[m][m], const float *), again(int m, float A[m][m], float B[m][m]);
void upper(int m, int A[m][m], int16_t B[m][m]), shifted(int m, float A[m][m + 1], float B[m][m]);
static float a[20000], b[20000], c[200];
static int p[20000];
static int16_t h[20000];
static void put(const char *of, int m)
{
    double all = 0;
    for (int i = 0; i < 20000; i++) {
        all = all * 0.9999 + a[i] * (i % 13) + p[i] * (i % 11);
        a[i] = (float)(i % 61), b[i] = (float)(i % 53) - 20, p[i] = i % 7, h[i] = (int16_t)(i % 97), c[i % 200] = (float)i;
    }
    printf("%s %d: %.17g\n", of, m, all);
}
int main(void)
{
    put("start", 0);
    for (int m = 0; m < 130; m += m < 36 ? 1 : 13) {
        triangle(m, (void *)a, (void *)b, c), put("triangle", m);
        upper(m, (void *)p, (void *)h), put("upper", m);
        again(m, (void *)a, (void *)b), put("again", m);
        shifted(m, (void *)a, (void *)b), put("shifted", m);
    }
    return 0;
}
C
as_before_on generic avx2 avx512
repeats() { sed -n "/_${1}_1_nest(/,/^}/p" avx2.c | grep -q 'int64_t last = end'; }
for name in triangle upper; do
    repeats $name || fail "$name: no last vector"
done
for name in again shifted; do
    ! repeats $name || fail "$name: iterations run twice"
done
