#!/bin/sh
# Iterations of recurrences wait for each other: four rows run side by side, where rows do not depend on each other or
# each is a step behind the one before. Rows of which one needs all of the one before, or that share
# a scalar, run one after the other.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
cat >old.c <<'C'
/* Where rows end differs, and so does where they begin once they are skewed. */
void relax(int t, int n, double a[n][n])
{
#pragma scop
    for (int s = 0; s < t; s++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = (a[i - 1][j - 1] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j - 1]) * 0.25;
#pragma endscop
}
void solve(int n, double p[n][n], double q[n][n], const double u[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        p[i][0] = 0.5;
        q[i][0] = 1;
        for (int j = 1; j < n; j++) {
            p[i][j] = 1 / (3 - p[i][j - 1]);
            q[i][j] = (u[j][i] - q[i][j - 1]) / (3 - p[i][j - 1]);
        }
        q[i][n - 1] = q[i][n - 1] + p[i][0];
    }
#pragma endscop
}
void triangle(int n, double a[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 1; j < i; j++)
            a[i][j] = a[i][j] / (1 + a[i][j - 1] * a[i][j - 1]);
#pragma endscop
}
/* The first of a row is made of the last of the one before. */
void chained(int n, double a[n][n])
{
#pragma scop
    for (int i = 1; i < n; i++) {
        a[i][0] = a[i - 1][n - 1] * 0.5;
        for (int j = 1; j < n; j++)
            a[i][j] = a[i][j] * 0.5 + a[i][j - 1] * a[i][j - 1] * 0.125;
    }
#pragma endscop
}
/* All rows have one scalar. */
void carried(int n, double a[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double t = a[i][0];
        for (int j = 1; j < n; j++) {
            t = a[i][j] + t * t * 0.25;
            a[i][j] = t;
        }
    }
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdio.h>
enum { MOST = 70 };
void relax(int t, int n, double a[n][n]), solve(int n, double p[n][n], double q[n][n], const double u[n][n]);
void triangle(int n, double a[n][n]), chained(int n, double a[n][n]), carried(int n, double a[n][n]);
static double a[MOST * MOST], b[MOST * MOST], c[MOST * MOST];
static void fill(void)
{
    for (int i = 0; i < MOST * MOST; i++)
        a[i] = 1.0 / (i % 37 + 1), b[i] = 1.0 / (i % 31 + 1), c[i] = 1.0 / (i % 29 + 2);
}
static void put(const char *of, int n)
{
    double all = 0;
    for (int i = 0; i < MOST * MOST; i++)
        all = all * 0.999 + a[i] * (i % 7 + 1) + b[i] * (i % 11 + 1);
    printf("%s %d: %.9g\n", of, n, all);
    fill();
}
int main(void)
{
    static const int sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 17, 18, 19, 20, 31, 33, 35, 64, 70};
    fill();
    for (int i = 0; i < 20; i++) {
        int n = sizes[i];
        for (int t = 0; t < 20; t += t < 4 ? 1 : 7)
            relax(t, n, (void *)a), put("relax", n);
        solve(n, (void *)a, (void *)b, (void *)c), put("solve", n);
        triangle(n, (void *)a), put("triangle", n);
        chained(n, (void *)a), put("chained", n);
        carried(n, (void *)a), put("carried", n);
    }
    return 0;
}
C
as_before_on generic avx2
# rows NAME: how many loops of the kernel's nest go in steps of four rows
rows() {
    sed -n "/void squall_$1_1_nest(/,/^}/p" avx2.c | grep -c '[a-z] + 3 < rows; [a-z_]* += 4' || :
}
for name in relax solve triangle; do
    [ "$(rows $name)" -ge 1 ] || fail "$name: no rows side by side"
done
for name in chained carried; do
    [ "$(rows $name)" = 0 ] || fail "$name: rows side by side"
done
