#!/bin/sh
# Statements that update one element alike may be exchanged: then the loop over the elements is inside, and has vectors.
# Not a maximum and a minimum, not an element that the other one reads, not sums whose rounding that would change.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
cat >old.c <<'C'
#define MORE(a, b) ((a) > (b) ? (a) : (b))
#define LESS(a, b) ((a) < (b) ? (a) : (b))
/* The best way to pair what lies between i and j. */
void pairs(int n, int best[n][n], const signed char *restrict s)
{
#pragma scop
    for (int i = n - 2; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            best[i][j] = MORE(best[i][j], best[i][j - 1]);
            best[i][j] = MORE(best[i][j], best[i + 1][j - 1] + (s[i] == s[j] ? 2 : 0));
            for (int k = i + 1; k < j; k++)
                best[i][j] = MORE(best[i][j], best[i][k] + best[k + 1][j]);
        }
#pragma endscop
}
/* The same of numbers that round, which extremes do not. */
void chain(int n, double cost[n][n], const double *restrict d)
{
#pragma scop
    for (int i = n - 3; i >= 0; i--)
        for (int j = i + 2; j < n; j++) {
            cost[i][j] = LESS(cost[i][j], cost[i][j - 1] + d[j]);
            for (int k = i + 1; k < j; k++)
                cost[i][j] = LESS(cost[i][j], cost[i][k] + cost[k][j]);
        }
#pragma endscop
}
/* What is at most 40 may be raised later. */
void unlike(int n, int best[n][n], const signed char *restrict s)
{
#pragma scop
    for (int i = n - 2; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            best[i][j] = LESS(best[i][j], best[i][j - 1] + s[j]);
            for (int k = i + 1; k < j; k++)
                best[i][j] = MORE(best[i][j], best[i][k] - best[k + 1][j]);
        }
#pragma endscop
}
/* The second update reads what the first one leaves in the same element. */
void reads(int n, int best[n][n])
{
#pragma scop
    for (int i = n - 2; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            for (int k = i + 1; k < j; k++)
                best[i][j] = MORE(best[i][j], best[i][k] + best[k + 1][j]);
            best[i][j] = MORE(best[i][j], 3 - best[i][j]);
        }
#pragma endscop
}
void sums(int n, float s[n][n], const float *restrict d)
{
#pragma scop
    for (int i = n - 2; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            s[i][j] = s[i][j] + s[i][j - 1] * d[i];
            for (int k = i + 1; k < j; k++)
                s[i][j] = s[i][j] + s[i][k] * s[k + 1][j];
        }
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdio.h>
void pairs(int n, int best[n][n], const signed char *s), chain(int n, double cost[n][n], const double *d);
void unlike(int n, int best[n][n], const signed char *s), reads(int n, int best[n][n]);
void sums(int n, float s[n][n], const float *d);
static int a[3600], b[3600], c[3600];
static double x[3600], d[60];
static float f[3600], g[60];
static signed char s[60];
int main(void)
{
    for (int n = 1; n <= 60; n += n < 35 ? 1 : 5) {
        for (int i = 0; i < 3600; i++) {
            a[i] = 0, b[i] = i * 7 % 41 - 20, c[i] = i * 11 % 43 - 20, x[i] = i * 13 % 97 / 8.0;
            f[i] = (float)(i * 5 % 7) / 64;
        }
        for (int i = 0; i < 60; i++)
            s[i] = (signed char)(i * i % 5), d[i] = i % 3 / 4.0, g[i] = (float)(i % 4) / 8;
        pairs(n, (void *)a, s), chain(n, (void *)x, d), unlike(n, (void *)b, s), reads(n, (void *)c), sums(n, (void *)f, g);
        unsigned all = 0;
        double of = 0, rounded = 0;
        for (int i = 0; i < 3600; i++)
            all = all * 31 + (unsigned)a[i] + (unsigned)b[i] * 3 + (unsigned)c[i] * 5, of = of * 0.999 + x[i], rounded += f[i];
        printf("%d: %u %.12g %.4g\n", n, all, of, rounded);
    }
    return 0;
}
C
as_before_on generic avx2
# In the loop over what lies between, a vector is updated.
for name in pairs chain; do
    sed -n "/_${name}_1_nest(/,/^}/p" avx2.c >nest.c
    sed -n '/for (int64_t j = /,$p' nest.c | grep -q "_store(&" || fail "$name: no vectors"
    ! grep -q "for (int64_t k" nest.c || fail "$name: a column is read element by element"
done
exit 0
