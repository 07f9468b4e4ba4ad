#!/bin/sh
# One variable for all sums of a function, declared at its top as older C has it: each nest has a temporary of its own, and
# a factorisation in place updates its elements. What flows from one use to the next, or is read in between, stays.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >old.c <<'C'
#include <math.h>
void product(int n, int m, double a[n][m], double x[m], double y[n], double c[n][n])
{
    double sum;
#pragma scop
    for (int i = 0; i < n; i++) {
        sum = 0;
        for (int j = 0; j < m; j++)
            sum += a[i][j] * x[j];
        y[i] = sum;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            sum = 0;
            for (int k = 0; k < m; k++)
                sum += a[i][k] * a[j][k];
            c[i][j] = sum;
        }
#pragma endscop
}
/* By Crout and Doolittle, and both triangles solved. */
void solve(int n, double a[n][n], double b[n], double y[n], double x[n])
{
    double sum;
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            sum = a[i][j];
            for (int k = 0; k < j; k++)
                sum -= a[i][k] * a[k][j];
            a[i][j] = sum / a[j][j];
        }
        for (int j = i; j < n; j++) {
            sum = a[i][j];
            for (int k = 0; k < i; k++)
                sum -= a[i][k] * a[k][j];
            a[i][j] = sum;
        }
    }
    for (int i = 0; i < n; i++) {
        sum = b[i];
        for (int j = 0; j < i; j++)
            sum -= a[i][j] * y[j];
        y[i] = sum;
    }
    for (int i = n - 1; i >= 0; i--) {
        sum = y[i];
        for (int j = i + 1; j < n; j++)
            sum -= a[i][j] * x[j];
        x[i] = sum / a[i][i];
    }
#pragma endscop
}
/* Outside of all loops, each sum of its own. */
void apart(int n, int m, double x[n], double y[m], double out[3])
{
    double s;
#pragma scop
    s = 0;
    for (int i = 0; i < n; i++)
        s += x[i];
    out[0] = s;
    s = 0;
    for (int i = 0; i < m; i++)
        s += y[i] * y[i];
    out[1] = s;
    s = 1;
    for (int i = 0; i < n; i++)
        x[i] = x[i] + s;
    s = x[0];
    for (int i = 0; i < n; i++) {
        s = s * 0.5 + x[i];
        x[i] = s - 1;
    }
    out[2] = s;
#pragma endscop
}
/* Set anew at some sizes only. */
void by_size(int n, double x[n], double y[n], double out[3])
{
    double s;
#pragma scop
    s = 1;
    for (int i = 0; i < n; i++)
        s += x[i];
    out[0] = s;
    if (n > 5)
        s = 2;
    for (int i = 0; i < n; i++)
        s -= y[i];
    out[1] = s;
#pragma endscop
}
/* A first value that nothing reads, in a loop and in the one around it, and one that some turns read. */
void dead(int n, double a[n][n], double c[n][n], double x[n])
{
    double s, t;
#pragma scop
    for (int i = 0; i < n; i++) {
        s = 7;
        for (int j = 0; j < n; j++) {
            s = 5;
            s = a[i][j] * 2;
            c[i][j] = s + 1;
        }
        s = x[i];
        s = 3;
        for (int j = 0; j < n; j++)
            s += c[i][j];
        x[i] = s;
    }
    for (int i = 0; i < n; i++) {
        t = 9;
        if (i % 2 == 0)
            t = a[i][i];
        x[i] += t;
        t = 4;
    }
#pragma endscop
}
/* The second nest goes on with what the first one left. */
void flows(int n, double x[n], double y[n], double out[1])
{
    double sum;
#pragma scop
    sum = 1;
    for (int i = 0; i < n; i++)
        sum += x[i];
    for (int i = 0; i < n; i++)
        sum += 2 * y[i];
    out[0] = sum;
#pragma endscop
}
/* What the iteration before left. */
void lags(int n, double x[n], double y[n])
{
    double t;
#pragma scop
    t = 3;
    for (int i = 0; i < n; i++) {
        y[i] = x[i] + t;
        t = x[i];
        y[i] = y[i] * t;
    }
#pragma endscop
}
/* The same inside of a loop that sets it anew: a recursive filter, and a sum that starts again behind its use. */
void filter(int n, double a[n][n], double c[n][n])
{
    double was, sum;
#pragma scop
    for (int i = 0; i < n; i++) {
        was = 0;
        for (int j = 0; j < n; j++) {
            c[i][j] = a[i][j] + 0.5 * was;
            was = c[i][j];
        }
        sum = 1;
        for (int j = 0; j < n; j++) {
            a[i][j] = a[i][j] - sum;
            sum = 0;
            for (int k = 0; k < j; k++)
                sum += c[j][k] * 0.125;
        }
        sum = 0;
    }
#pragma endscop
}
/* Set anew in some iterations only. */
void sometimes(int n, double x[n], double y[n])
{
    double t;
#pragma scop
    t = 5;
    for (int i = 0; i < n; i++) {
        if (i % 3 == 0)
            t = x[i];
        y[i] = t + i;
    }
#pragma endscop
}
/* The element is read while the sum is on its way, or by the last statement. */
void watched(int n, double a[n][n], double c[n][n])
{
    double sum;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            sum = 0;
            for (int k = 0; k < i; k++) {
                sum += a[k][j] * 0.5;
                c[i][k] = a[i][j] + k;
            }
            a[i][j] = sum + 1;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            sum = 2;
            for (int k = 0; k < i; k++)
                sum += c[k][j] * 0.25;
            c[i][j] = c[i][j] - sum;
        }
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdio.h>
void product(int n, int m, double a[n][m], double x[m], double y[n], double c[n][n]);
void solve(int n, double a[n][n], double b[n], double y[n], double x[n]);
void flows(int n, double x[n], double y[n], double out[1]);
void apart(int n, int m, double x[n], double y[m], double out[3]);
void by_size(int n, double x[n], double y[n], double out[3]);
void dead(int n, double a[n][n], double c[n][n], double x[n]);
void lags(int n, double x[n], double y[n]);
void sometimes(int n, double x[n], double y[n]);
void filter(int n, double a[n][n], double c[n][n]);
void watched(int n, double a[n][n], double c[n][n]);
static double a[40 * 40], c[40 * 40], x[40], y[40], b[40];

static void fill(int n)
{
    for (int i = 0; i < 1600; i++)
        a[i] = (i * 37 % 101 - 50) / 64.0, c[i] = (i * 53 % 89 - 44) / 32.0;
    for (int i = 0; i < n; i++)
        a[i * n + i] = 40 + i, x[i] = (i * 29 % 31 - 15) / 8.0, y[i] = i - 7, b[i] = 11 - i;
}

static void show(const char *name, int n)
{
    double sum = 0;
    for (int i = 0; i < 1600; i++)
        sum = sum * 0.75 + a[i] - 2 * c[i];
    for (int i = 0; i < 40; i++)
        sum = sum * 0.75 + x[i] - 3 * y[i] + b[i];
    printf("%s %d %a\n", name, n, sum);
}

int main(void)
{
    static const int odd[] = {1, 2, 3, 7, 13, 31, 33};
    for (int k = 0; k < 7; k++) {
        int n = odd[k];
        fill(n), product(n, n, a, x, y, c), show("product", n);
        fill(n), solve(n, a, b, y, x), show("solve", n);
        fill(n), flows(n, x, y, b), show("flows", n);
        fill(n), lags(n, x, y), show("lags", n);
        fill(n), apart(n, 40 - n, x, y, b), show("apart", n);
        fill(n), apart(40 - n, n, x, y, b), show("apart", n);
        fill(n), by_size(n, x, y, b), show("by_size", n);
        fill(n), dead(n, (void *)a, (void *)c, x), show("dead", n);
        fill(n), sometimes(n, x, y), show("sometimes", n);
        fill(n), filter(n, (void *)a, (void *)c), show("filter", n);
        fill(n), watched(n, a, c), show("watched", n);
    }
    return 0;
}
C
sed -i 's/(n, \(n, \)\{0,1\}a, /(n, \1(void *)a, /; s/y, c), show/y, (void *)c), show/; s/a, c), show/a, (void *)c), show/' main.c
as_before_everywhere 77

expect 0 explain old.c --kernel=product --target=avx2
grep -q "writes 'sum_2'" out || fail "both nests of product share a temporary"
expect 0 compile old.c --target=avx2 -o new.c
sed -n '/^ \*   product: /,/^ \*   [a-z]*: /p' new.c | grep -q 'S4: .*micro(i' || fail "the second nest of product has no register tile"
expect 0 explain old.c --kernel=solve --target=avx2
! grep -q "line \(28\|30\|34\|36\), writes 'sum" out || fail "the factorisation keeps its sums in a scalar"
grep -q "line 30, writes 'a'; compiled for avx2: vectors of 4" out || fail "the factorisation has no lanes: $(grep 'line 3' out)"
expect 0 explain old.c --kernel=apart --target=avx2
[ "$(grep -o "^  S.*writes 's[^']*'" out | sed 's|.*writes|writes|' | sort | uniq -c | tr -s ' \n' ' ')" = " 2 writes 's' 2 writes 's_2' 1 writes 's_3' 2 writes 's_4' " ] ||
    fail "apart: $(grep writes out)"
for name in flows lags sometimes filter by_size; do
    expect 0 explain old.c --kernel=$name --target=avx2
    ! grep -q "'\(sum\|s\|t\|was\)_2'" out || fail "$name: what flows was taken apart"
done
expect 0 explain old.c --kernel=watched --target=avx2
grep -q "writes 'sum'" out || fail "an element that is read meanwhile holds the sum"
exit 0
