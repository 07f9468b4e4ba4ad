#!/bin/sh
# Elements two to four apart are stored lane by lane from vectors, and what lies between is not touched; elements that
# the loop reads as well are stored one by one.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
cat >old.c <<'C'
#include <stdint.h>
void even(int n, float *restrict a, const float *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i += 2)
        a[i] = b[i] * b[i] + 1;
#pragma endscop
}
void alpha(int n, uint8_t *restrict u, const uint8_t *restrict v)
{
#pragma scop
    for (int i = 0; i < n; i++)
        u[4 * i + 3] = v[i];
#pragma endscop
}
void gap(int n, double *restrict a, const double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[3 * i] = 2 * b[3 * i];
        a[3 * i + 2] = b[3 * i + 1] - b[3 * i + 2];
    }
#pragma endscop
}
void own(int n, float *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[2 * i] = a[2 * i] + a[2 * i + 1];
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdint.h>
#include <stdio.h>
void even(int, float *, const float *), alpha(int, uint8_t *, const uint8_t *), gap(int, double *, const double *);
void own(int, float *);
static float a[600], b[600];
static double x[600], y[600];
static uint8_t u[600], v[600];
int main(void)
{
    for (int n = 0; n < 140; n += n < 40 ? 1 : 11) {
        for (int i = 0; i < 600; i++) {
            a[i] = (float)(i % 31), b[i] = (float)(i % 17), x[i] = i % 29, y[i] = i % 23;
            u[i] = (uint8_t)(i * 7), v[i] = (uint8_t)(i * 5);
        }
        even(n, a, b), own(n, a + 150), alpha(n, u, v), gap(n, x, y);
        for (int i = 0; i < 600; i++)
            printf("%d %g %g %d\n", n, (double)a[i], x[i], u[i]);
    }
    return 0;
}
C
as_before_on generic avx2 avx512
scatters() { sed -n "/squall_${1}_1_nest(/,/^}/p; /squall_${1}_1_points/,/^}/p" avx2.c | grep -q "_scatter("; }
for name in even alpha gap; do
    scatters $name || fail "$name: no lanes"
done
! scatters own || fail "own: lanes are stored among what is read"
