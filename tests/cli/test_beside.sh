#!/bin/sh
# Heads of loops that count more than their own variable, as BLAS-like code has them, for (i = 0, ix = 0; i < n; i++, ix +=
# incx): the file that is written computes what the file that was read does, in its optimized code where the numbers are
# positive.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >old.c <<'C'
void axpy(int n, float alpha, const float *x, int incx, float *y, int incy)
{
    int i, ix, iy;
#pragma scop
    for (i = 0, ix = 0, iy = 0; i < n; i++, ix += incx, iy += incy)
        y[iy] += alpha * x[ix];
#pragma endscop
}
/* The loop's own variable is not the first one; what is counted was set before. */
float dot(int n, const float *x, int incx, const float *y, int incy)
{
    int i, ix = 0, iy;
    float s = 0;
#pragma scop
    iy = 0;
    for (i = 0; i < n; ix += incx, i++, iy += incy) {
        if (i % 5 == 3)
            continue;
        s += x[ix] * y[iy];
    }
#pragma endscop
    return s;
}
/* Declared in the head of one loop, and counted by that of another; counted in a body, too. */
void planes(int n, int m, const float *x, float *out)
{
#pragma scop
    for (int i = 0, k = 0, back = 9; i < n; i++, back--)
        for (int j = 0; j < m; j++, k++)
            out[k] = 2 * x[k] + back;
#pragma endscop
}
void pairs(int n, const float *x, float *out)
{
#pragma scop
    for (int i = 0, k = 1; i < n; i += 2, k += 3) {
        out[k] -= x[i];
        k++;
        out[k] += x[i];
    }
#pragma endscop
}
/* Begun anew in each turn, and gone on with behind a loop. */
void gemv(int m, int n, int lda, const float *a, const float *x, int incx, float *y)
{
    int i, j, at, ix;
#pragma scop
    for (i = 0; i < m; i++) {
        float s = 0;
        for (j = 0, at = 0; j < n; j++, at += incx)
            s += a[i * lda + j] * x[at];
        y[i] = s;
    }
    for (j = 0, ix = 2; j < n; j++, ix += 2)
        y[ix] += 1;
    for (j = 0; j < 3; j++)
        y[ix++] -= 1;
#pragma endscop
}
C
cat >main.c <<'C'
#include "show.h"
void axpy(int, float, const float *, int, float *, int), planes(int, int, const float *, float *), pairs(int, const float *, float *);
float dot(int, const float *, int, const float *, int);
void gemv(int, int, int, const float *, const float *, int, float *);
enum { MOST = 20000, MIDDLE = MOST / 2 };
static float x[MOST], y[MOST], a[MOST];
int main(int argc, char **argv)
{
    static const int odd[] = {0, 1, 2, 3, 7, 13, 31, 33, 127};
    static const int by[] = {1, 2, 3, 0, -1, -2};
    (void)argv;
    for (int i = 0; i < MOST; i++)
        x[i] = (i * 37 % 101 - 50) / 64.f, y[i] = (i * 29 % 31 - 15) / 8.f, a[i] = i % 13 - 6;
    for (int k = 0; k < 9; k++)
        for (int s = argc > 1 ? 3 : 0; s < (argc > 1 ? 6 : 3); s++) { /* numbers that are not positive */
            int n = odd[k];
            axpy(n, 0.5f, x + MIDDLE, by[s], y + MIDDLE, by[5 - s]), SHOW(y);
            axpy(n, 0.25f, x + MIDDLE, by[s], y + MIDDLE, by[s]), SHOW(y);
            printf("%a\n", dot(n, x + MIDDLE, by[s], a + MIDDLE, by[s]));
            planes(n, 33, x, y), planes(31, n, x, y), pairs(n, x, y), SHOW(y);
            gemv(33, n, 130, a, x + MIDDLE, by[s], y), SHOW(y);
        }
    return 0;
}
C
show_h
built old.c main.c -o old
for target in $(region_targets); do
    rebuilt "$target"
    as_before "$target" 159 # of 162: rows of 0 elements are left to the original text
    as_before "$target" 78 below # planes and pairs alone
done
expect 0 check old.c --target=c --quick

no() { # TEXT MESSAGE: refused, at the operand
    printf 'void f(int n, int m, const float *x, float *y)\n{\n    int i, k;\n#pragma scop\n%s\n#pragma endscop\n}\n' "$1" >no.c
    expect 1 compile no.c -o no2.c
    says "$2"
}
no 'for (int j = 0; j < m; j++) for (i = 0, k = j; i < n; i++, k += m) y[k] = x[i];' "no.c:5:41: error: 'k' is counted here and does not begin with a constant"
says 'beside its own variable a loop from 0 counts others, for (i = 0, k = 0; i < n; i++, k += m)'
no 'for (i = 0, k = 0; i < n; i++, k += i) y[k] = x[i];' "no.c:5:13: error: 'k' is counted here"
no 'for (i = 1, k = 0; i < n; i++, k++) y[k] = x[i];' "no.c:5:13: error: 'k' is counted here but not in every turn of loops that count up from 0"
no 'for (i = 0, k = 0; i < n; i++, k++, k++) y[k] = x[i];' "'k' is counted here"
no 'for (i = 0, k = 0; i < n && k < m; i++, k++) y[k] = x[i];' "'k' is counted here"
no 'for (i = 0, k = 0; i < n; i++, k *= 2) y[k] = x[i];' "'k' is counted here"
no 'for (i = 0, k = 0; i < n; i++, k++) { if (x[i] > 0) k++; y[k] = x[i]; }' "'k' is counted here"
no 'for (i = 0, y[0] = 1; i < n; i++) y[i] = x[i];' 'no.c:5:13: error: this start of a loop is not accepted'
no 'for (int j = 0; j < m; j++) { for (i = 0, k = 0; i < n; i++, k++) y[k] = x[i]; y[k] = j; k++; } y[k] = 1;' "'k' is counted here"
exit 0
