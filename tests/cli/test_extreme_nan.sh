#!/bin/sh
# Extremes in C loops and NaN: `if (a[i] > s) s = a[i]` keeps s for a NaN in a[i], and a NaN in s, in any order of the
# terms. The other way round, `s > a[i] ? s : a[i]`, NaN decides by its place: so it does where there is one term.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
here=" $(targets 'runs' | tr '\n' ' ')"
cat >old.c <<'C'
float peak(int n, const float *a, float s)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] > s)
            s = a[i];
#pragma endscop
    return s;
}
double lowest(int n, const double *x, double s)
{
#pragma scop
    for (int i = 0; i < n; i++)
        s = s > x[i] ? x[i] : s;
#pragma endscop
    return s;
}
float other(int n, const float *a, float s)
{
#pragma scop
    for (int i = 0; i < n; i++)
        s = s < a[i] ? s : a[i];
#pragma endscop
    return s;
}
void envelope(int n, float *restrict s, const float *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] > s[i])
            s[i] = a[i];
#pragma endscop
}
void rows(int n, int m, float s[restrict n], float a[restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        s[i] = -1e30f;
        for (int j = 0; j < m; j++)
            if (s[i] < a[i][j])
                s[i] = a[i][j];
    }
#pragma endscop
}
void columns(int n, int m, float s[restrict m], float a[restrict n][m])
{
#pragma scop
    for (int j = 0; j < m; j++)
        s[j] = a[0][j];
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            if (a[i][j] > s[j])
                s[j] = a[i][j];
#pragma endscop
}
/* Two at once, in a loop of several statements. */
void range(int n, const float *restrict a, float *restrict most, float *restrict least)
{
    float hi = a[0], lo = a[0];
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] > hi)
            hi = a[i];
        if (a[i] < lo)
            lo = a[i];
    }
#pragma endscop
    *most = hi, *least = lo;
}
C
cat >main.c <<'C'
#include <math.h>
#include <stdio.h>
enum { MOST = 300 };
float peak(int, const float *, float), other(int, const float *, float);
double lowest(int, const double *, double);
void envelope(int, float *, const float *), range(int, const float *, float *, float *);
void rows(int n, int m, float s[n], float a[n][m]), columns(int n, int m, float s[m], float a[n][m]);
static float a[MOST], s[MOST];
static double x[MOST];
static void fill(int at)
{
    for (int i = 0; i < MOST; i++) {
        a[i] = (float)(i * 37 % 101) - 40;
        s[i] = (float)(i * 29 % 67) - 30;
        if ((i + at) % 9 == 0 || i == at)
            a[i] = NAN;
        x[i] = a[i];
        if ((i + at) % 5 == 3)
            s[i] = NAN;
    }
}
static void put(const char *of, int n, const float *v)
{
    for (int i = 0; i < n; i++)
        printf("%s %d: %g\n", of, i, (double)v[i]);
}
int main(void)
{
    static const int sizes[] = {1, 2, 3, 7, 13, 31, 33, 127, 129};
    for (int k = 0; k < 9; k++)
        for (int at = 0; at < 10; at++) {
            int n = sizes[k];
            float two[2];
            fill(at);
            printf("n %d, at %d: %g %g %g %g\n", n, at, (double)peak(n, a, -1e30f), (double)peak(n, a, NAN),
                   lowest(n, x, 1e30), lowest(n, x, (double)NAN));
            printf("one term: %g %g\n", (double)other(1, a + at, 3), (double)other(1, a + at, NAN));
            range(n, a, two, two + 1);
            put("range", 2, two);
            envelope(n, s, a);
            put("envelope", n, s);
            if (n > 33)
                continue;
            rows(5, n, s, (void *)a);
            put("rows", 5, s);
            columns(7, n, s, (void *)a);
            put("columns", n, s);
        }
    return 0;
}
C
$CC -O1 old.c main.c -o old -lm && ./old >old.out || fail "old"
for target in generic avx2 avx512; do
    expect 0 compile old.c -o new.c --target=$target
    silent # columns have a schedule of their own
    $CC -O2 new.c main.c -o new -lm || fail "$target"
    case $here in *" $target "*) ;; *) echo "skipped: running $target" && continue ;; esac
    ./new >new.out || fail "$target: new dies"
    same old.out new.out
done

# check has NaN among the inputs of such extremes.
cat >peak.sq <<'K'
#include "squall.h"
kernel peak(int n, const f32 a[n], f32 s[1])
{
    for (int i = 0; i < n; i++)
        s[0] = a[i] > s[0] ? a[i] : s[0];
}
K
expect 0 compile peak.sq -o new.c --target=generic
expect 0 check peak.sq --target=generic --text=new.c --quick
sed 's/= \(peak_f32x4_max\)(\(peak_f32x4_load(.*)\), \(c[_0-9]*\));/= \1(\3, \2);/' new.c >wrong.c
grep -q '_max(c, peak_f32x4_load(' wrong.c || fail "the accumulator is not second"
expect 1 check peak.sq --target=generic --text=wrong.c --quick
says 'wrong: '
