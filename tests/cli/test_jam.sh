#!/bin/sh
# Iterations of recurrences wait for each other: four rows run side by side, where rows do not depend on each other or
# each is a step behind the one before; scalars that a row sets first are its own. Where rows are columns of memory, they
# are the lanes of vectors. Rows of which one needs all of the one before, or a scalar of it, run one after the other.
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
/* Each row sets its scalar first. */
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
/* The first of a row is made of a scalar that the one before leaves, or its last one is what is left. */
void passed(int n, double a[n][n])
{
#pragma scop
    double t = 0.5;
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n; j++) {
            t = a[i][j] + t * t * 0.25;
            a[i][j] = t;
        }
#pragma endscop
}
void left(int n, double a[n][n])
{
#pragma scop
    double t = 0;
    for (int i = 0; i < n; i++) {
        t = a[i][0];
        for (int j = 1; j < n; j++) {
            t = a[i][j] + t * t * 0.25;
            a[i][j] = t;
        }
    }
    a[0][0] = t;
#pragma endscop
}
/* A filter along rows and along columns, forwards and back, with the same scalars. */
void filter(int n, const double x[n][n], double y[n][n], double z[n][n])
{
    double s, t;
#pragma scop
    for (int i = 0; i < n; i++) {
        s = 0;
        t = 0;
        for (int j = 0; j < n; j++) {
            y[i][j] = 0.5 * x[i][j] + 0.25 * s - 0.125 * t;
            t = s;
            s = y[i][j];
        }
    }
    for (int j = 0; j < n; j++) {
        s = 0;
        t = 0.5;
        for (int i = 0; i < n; i++) {
            z[i][j] = 0.5 * y[i][j] + 0.25 * s - 0.125 * t;
            t = s;
            s = z[i][j];
        }
        for (int i = n - 1; i >= 0; i--) {
            y[i][j] = z[i][j] * 0.75 + 0.25 * s;
            s = y[i][j];
        }
    }
#pragma endscop
}
/* Conditions in columns, and what all lanes have. */
void follow(int n, const double x[n][n], double y[n][n], const double up[n])
{
#pragma scop
    for (int j = 0; j < n; j++) {
        double env = 0.5;
        for (int i = 0; i < n; i++) {
            if (x[i][j] > env)
                env = env + 0.25 * (x[i][j] - env);
            else
                env = env * 0.875;
            y[i][j] = env * up[i];
        }
    }
#pragma endscop
}
/* The nearest of a few, for each. */
void nearest(int n, const float x[n], const float of[5], int at[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float best = 100;
        int k = -1;
        for (int j = 0; j < 5; j++) {
            float d = (x[i] - of[j]) * (x[i] - of[j]);
            if (d < best) {
                best = d;
                k = j;
            }
        }
        at[i] = k;
    }
#pragma endscop
}
/* Loops of different lengths: rows of some columns have more than others. */
void wedge(int n, const double x[n][n], double y[n][n])
{
#pragma scop
    for (int j = 0; j < n; j++) {
        double t = 0.5;
        for (int i = j; i < n; i++) {
            t = x[i][j] + t * 0.25;
            y[i][j] = t;
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
void passed(int n, double a[n][n]), left(int n, double a[n][n]);
void filter(int n, const double x[n][n], double y[n][n], double z[n][n]);
void follow(int n, const double x[n][n], double y[n][n], const double up[n]);
void nearest(int n, const float x[n], const float of[5], int at[n]), wedge(int n, const double x[n][n], double y[n][n]);
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
        passed(n, (void *)a), put("passed", n);
        left(n, (void *)a), put("left", n);
        filter(n, (void *)c, (void *)a, (void *)b), put("filter", n);
        follow(n, (void *)c, (void *)a, c), put("follow", n);
        wedge(n, (void *)c, (void *)a), put("wedge", n);
        float x[MOST];
        int at[MOST];
        for (int k = 0; k < n; k++)
            x[k] = k * 37 % 41;
        nearest(n, x, (const float[]){30, 7, 19, 7, 36}, at);
        for (int k = 0; k < n; k++)
            a[k] = at[k];
        put("nearest", n);
    }
    return 0;
}
C
as_before_on generic avx2
# rows NAME: how many loops of the kernel's nest go in steps of four rows
rows() {
    sed -n "/void squall_$1_1_nest(/,/^}/p" avx2.c | grep -c '[a-z] + 3 < rows; [a-z_]* += 4' || :
}
for name in relax solve triangle carried filter; do
    [ "$(rows $name)" -ge 1 ] || fail "$name: no rows side by side"
done
for name in chained passed left; do
    [ "$(rows $name)" = 0 ] || fail "$name: rows side by side"
done
# columns NAME: how many of its loops take two vectors of columns
columns() {
    sed -n "/void squall_$1_1_nest(/,/^}/p" avx2.c | grep -c 'j + 7 < end; j += 8' || :
}
for name in filter follow; do
    [ "$(columns $name)" = 1 ] || fail "$name: columns are no lanes"
done
sed -n '/void squall_relax_1_nest(/,/^}/p' avx2.c | grep -q 'before0_0) + before0_1' ||
    fail "relax: a row waits for the memory of the row before"
sed -n '/void squall_nearest_1_nest(/,/^}/p' avx2.c >nearest.txt
grep -q 'i + 15 < end; i += 16' nearest.txt || fail "nearest: its points are no lanes"
grep -q 'SQ_UNROLL(5)' nearest.txt || fail "nearest: a short loop is not written out"
! grep -q 'condition_own' nearest.txt || fail "nearest: a condition that two statements share is no mask"
