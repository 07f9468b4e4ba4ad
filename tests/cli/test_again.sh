#!/bin/sh
# An element that an iteration stores and stores again is a register in between, so that the loop has vectors. Not where
# what lies between may be the element.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
cat >old.c <<'C'
#include <math.h>
void drift(int n, float (*restrict p)[3], const float (*restrict v)[3], float dt, float floor)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        p[i][0] += v[i][0] * dt;
        p[i][1] += v[i][1] * dt;
        p[i][2] += v[i][2] * dt;
        if (p[i][1] < floor)
            p[i][1] = floor;
    }
#pragma endscop
}
/* The second store has a condition on something else, the third none. */
void three(int n, double *restrict y, const double *restrict x)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = x[i] * 0.5;
        if (x[i] > 0.25)
            y[i] = y[i] + x[i];
        y[i] = y[i] * y[i];
    }
#pragma endscop
}
/* Bytes wrap in between. */
void bytes(int n, unsigned char *restrict y, const unsigned char *restrict x)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = (unsigned char)(x[i] * 3);
        y[i] = (unsigned char)(y[i] >> 1);
    }
#pragma endscop
}
/* y[n - 1 - i] may be y[i]. */
void meets(int n, float *restrict y, float *restrict z, const float *restrict x)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = x[i] + 1;
        z[i] = y[n - 1 - i];
        y[i] = y[i] * 2;
    }
#pragma endscop
}
void crosses(int n, float *restrict y, const float *restrict x)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = x[i] + 1;
        y[n - 1 - i] = x[i];
        y[i] = y[i] * 2;
    }
#pragma endscop
}
/* A magnitude that does not pass through a register of integers. */
float follow(int n, const float *restrict x, float *restrict y, float up, float down)
{
    float e = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        float v = fabsf(x[i]);
        if (v > e)
            e = up * (e - v) + v;
        else
            e = down * (e - v) + v;
        y[i] = e;
    }
#pragma endscop
    return e;
}
C
cat >main.c <<'C'
#include <stdio.h>
void drift(int n, float (*p)[3], const float (*v)[3], float dt, float floor), three(int n, double *y, const double *x);
void bytes(int n, unsigned char *y, const unsigned char *x), meets(int n, float *y, float *z, const float *x);
void crosses(int n, float *y, const float *x);
float follow(int n, const float *x, float *y, float up, float down);
static float a[300], b[300], c[300];
static double x[100], y[100];
static unsigned char u[100], v[100];
int main(void)
{
    for (int n = 0; n < 100; n += n < 40 ? 1 : 13) {
        double all = 0;
        for (int i = 0; i < 300; i++)
            a[i] = (float)(i % 17) - 8, b[i] = (float)(i % 13) - 6, c[i] = 0;
        for (int i = 0; i < 100; i++)
            x[i] = i % 7 / 8.0 - 0.25, y[i] = 9, u[i] = (unsigned char)(i * 37), v[i] = 0;
        drift(n, (void *)a, (void *)b, 0.25f, -1), three(n, y, x), bytes(n, v, u);
        meets(n, a + 200, c, b), crosses(n, c + 100, b);
        all += follow(n, b, c + 200, 0.25f, 0.5f);
        for (int i = 0; i < 300; i++)
            all = all * 0.99 + a[i] * (i % 5 + 1) + c[i] * (i % 3 + 1) + y[i % 100] + v[i % 100];
        printf("%d: %.9g\n", n, all);
    }
    return 0;
}
C
as_before_on generic avx2
nest() { sed -n "/_$1_1_nest(/,/^}/p" avx2.c >nest.c; }
for name in drift three; do
    nest $name
    grep -q "_store(" nest.c || fail "$name: no vectors"
done
nest drift
[ "$(grep -c "_store(" nest.c)" = 3 ] || fail "drift: more than a row of three vectors"
for name in meets crosses; do
    nest $name
    ! grep -q "again" nest.c || fail "$name: an element that others may be is kept in a register"
done
grep -q "f32x1_fabs(.*__builtin_fabsf(a)" avx2.c || fail "follow: a magnitude by integers"
exit 0
