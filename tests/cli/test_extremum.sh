#!/bin/sh
# fmax, fmin and abs of regions, to the bit, with NaN, infinities and zeros of both signs in all places.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
here=" $(targets 'runs' | tr '\n' ' ')"
cat >old.c <<'C'
#include <math.h>
#include <stdlib.h>
void floats(int n, const float *a, const float *b, float *c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        c[i] = fmaxf(a[i], b[i]);
    for (int i = 0; i < n; i++)
        c[n + i] = fminf(a[i], b[i]);
    for (int i = 0; i < n; i++)
        c[2*n + i] = fmaxf(0.25f, fminf(a[i], 1)) + fmaxf(b[i], i);
#pragma endscop
}
void doubles(int n, const float *a, const double *b, double *c, int *d)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        c[i] = fmin(a[i], b[i]) - fmax(a[i] * 0.5, 1.5);
        d[i] = abs(i - 5) + (int)labs(3 - d[i]);
    }
#pragma endscop
}
/* What the sum is up to here; the first is NaN. */
void most(int n, const float *a, float *m)
{
    float at = a[0];
#pragma scop
    for (int i = 1; i < n; i++)
        at = fmaxf(at, a[i]);
#pragma endscop
    *m = at;
}
C
cat >main.c <<'C'
#include <math.h>
#include <stdio.h>
#include <string.h>
void floats(int, const float *, const float *, float *), most(int, const float *, float *);
void doubles(int, const float *, const double *, double *, int *);
/* NaN is NaN, and zeros may have either sign. */
static double bits(double v) { return v != v ? 12345 : v + 0.0; }
int main(void)
{
    static const float odd[] = {1, -2, NAN, INFINITY, 0, -INFINITY, 0.5f, -0.25f, 7};
    for (int n = 1; n < 90; n = 2 * n + 1) {
        static float a[100], b[100], c[300], m;
        static double e[100], f[100];
        static int d[100];
        for (int i = 0; i < n; i++)
            a[i] = odd[i % 9], b[i] = odd[i / 9 % 9], e[i] = b[i], d[i] = i % 7;
        floats(n, a, b, c), doubles(n, a, e, f, d), most(n, a, &m);
        for (int i = 0; i < 3 * n; i++)
            printf("%a ", bits(c[i]));
        for (int i = 0; i < n; i++)
            printf("%a %d ", bits(f[i]), d[i]);
        printf("%a\n", bits(m));
        most(n, b, &m);
        printf("%a\n", bits(m));
        most(n - (n > 2 ? 2 : 0), a + (n > 2 ? 2 : 0), &m);
        printf("%a\n", bits(m));
    }
    return 0;
}
C
for target in generic avx2 avx512; do
    expect 0 compile old.c -o new.c --target=$target
    $CC -O1 -ffp-contract=off old.c main.c -o old -lm && $CC -O2 -ffp-contract=off new.c main.c -o new -lm || fail "$target"
    case $here in *" $target "*) ;; *) echo "skipped: running $target" && continue ;; esac
    ./old >old.out && ./new >new.out || fail "$target: new dies"
    same old.out new.out
done
