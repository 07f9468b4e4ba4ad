#!/bin/sh
# Loops whose statements can have nests of their own, but not in the order written: a symmetric matrix of which one
# triangle is stored adds to rows above while it sums, a sweep reads what a later statement wrote in an earlier iteration.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >old.c <<'C'
/* c += alpha (L + L' without its diagonal) b; only the lower triangle of l is there. */
void symmetric(int m, int n, double alpha, double c[m][n], double l[m][m], double b[m][n])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double below = 0;
            for (int k = 0; k < i; k++) {
                c[k][j] += alpha * b[i][j] * l[i][k];
                below += b[k][j] * l[i][k];
            }
            c[i][j] = 0.5 * c[i][j] + alpha * b[i][j] * l[i][i] + alpha * below;
        }
#pragma endscop
}
/* The update needs what the last statement wrote for the row before: that one's nest comes first. */
void behind(int n, double a[n][n], double s[n], double w[n][n])
{
#pragma scop
    for (int i = 1; i < n; i++) {
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                a[i][j] += w[i - 1][k] * s[j];
        for (int k = 0; k < n; k++)
            w[i][k] = s[i] - k;
    }
#pragma endscop
}
/* Each needs the other: there is no order of nests. */
void both(int n, double a[n][n], double w[n][n])
{
#pragma scop
    for (int i = 1; i < n; i++) {
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                a[i][j] += w[i - 1][k] * 0.25;
        for (int k = 0; k < n; k++)
            w[i][k] = a[i][k] - k;
    }
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdio.h>
void symmetric(int m, int n, double alpha, double *c, double *l, double *b);
void behind(int n, double *a, double *s, double *w);
void both(int n, double *a, double *w);
static double a[1600], b[1600], c[1600];

static void fill(void)
{
    for (int i = 0; i < 1600; i++)
        a[i] = (i * 37 % 101 - 50) / 64.0, b[i] = (i * 53 % 89 - 44) / 64.0, c[i] = (i * 29 % 71 - 35) / 32.0;
}

static void show(const char *name, int n)
{
    double sum = 0;
    for (int i = 0; i < 1600; i++)
        sum = sum * 0.75 + a[i] - 2 * b[i] + 3 * c[i];
    printf("%s %d %a\n", name, n, sum);
}

int main(void)
{
    static const int odd[] = {1, 2, 3, 7, 13, 31, 33};
    for (int k = 0; k < 7; k++) {
        int n = odd[k];
        fill(), symmetric(n, odd[6 - k], 0.5, a, b, c), show("symmetric", n);
        fill(), behind(n, a, b, c), show("behind", n);
        fill(), both(n, a, c), show("both", n);
    }
    return 0;
}
C
as_before_everywhere 21

expect 0 compile old.c --target=avx2 -o new.c
for name in symmetric behind; do
    grep -q "^ \*   $name.*: distribute(S0)" new.c || fail "$name is not distributed"
done
expect 0 compile old.c --kernel=behind --target=generic -e 'distribute(S0)' -o new.c
expect 2 compile old.c --kernel=both --target=generic -e 'distribute(S0)' -o new.c
says "distribute refused: S0 would run whole before S1, but with"
# What is given is checked for the order that it has, with the inputs of check as well.
expect 0 check old.c --kernel=symmetric --quick --target=generic -e 'distribute(S0)'
expect 0 check old.c --kernel=behind --quick --target=generic -e 'distribute(S0)'
exit 0
