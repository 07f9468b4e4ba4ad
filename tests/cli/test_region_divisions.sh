#!/bin/sh
# `int c = … / 2;`, % and >> of a region stand for their values in conditions and subscripts, also where C rounds what
# is negative toward zero: the same bytes as the loops, by optimized code;
# what a subscript cannot be is told at the division.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cat >old.c <<'C'
void row(int n, int w, int y, const float *in, const float *k, float *out)
{
#pragma scop
    for (int x = 0; x < w; x++) {
        float s = 0;
        for (int c = 0; c < n; c++) {
            int xx = x + c - n / 2;
            if (xx >= 0 && xx < w)
                s += in[y * w + xx] * k[c];
        }
        out[x] = s;
    }
#pragma endscop
}
void halves(int n, const float *x, float *y)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int c = i / 2;
        const int d = i % 4;
        if (c < n)
            y[i] = x[c] + x[i >> 1] + c;
        if (d != 3)
            y[i] += x[i - d];
    }
#pragma endscop
}
void shifted(int n, int m, const float *x, float *y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int row = i >> 1, column = j % 3;
            if (column < m)
                y[i*m + j] = x[row*m + column] + x[(i >> 1)*m + (j >> 2)] + row;
        }
#pragma endscop
}
/* What is divided may be negative: the value rounds toward zero, and down where it is shifted. */
void both(int n, int o, const float *x, int *y, float *z)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int c = (i - o) / 3, d = (i - o) % 3, e = (i - o) >> 1;
        y[3 * i] = c;
        y[3 * i + 1] = d;
        y[3 * i + 2] = e;
        z[i] = 0;
        if (c == 0)
            z[i] += 1;
        if (d < 0)
            z[i] += 2;
        if (e == -1)
            z[i] += 4;
        if (e >= 0)
            z[i] += x[e];
        if (i > o)
            z[i] += x[c] + x[(i + 1 - o) >> 1];
    }
#pragma endscop
}
/* Sides of a value's condition, too. */
void sides(int n, int o, const float *x, float *z)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int c = (i - o) / 2;
        z[i] = c >= 1 ? x[c - 1] : -1;
    }
#pragma endscop
}
/* A value that conditions alone read, and one that is no form at all. */
void values(int n, int q, const float *x, float *y)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int a = (i - 2) / 2, c = i / q;
        if (c < 2)
            y[i] = x[i];
        else
            y[i] = a;
    }
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdio.h>
void row(int, int, int, const float *, const float *, float *), halves(int, const float *, float *);
void shifted(int, int, const float *, float *), both(int, int, const float *, int *, float *);
void sides(int, int, const float *, float *), values(int, int, const float *, float *);
static float x[4000], z[4000];
static int y[400];
static void show(int n)
{
    for (int i = 0; i < n; i++)
        printf("%a ", z[i]);
    printf("\n");
}
int main(void)
{
    static const int sizes[] = {0, 1, 2, 3, 5, 8, 17, 40};
    for (int i = 0; i < 4000; i++)
        x[i] = (float)(i * 7 % 31) / 4;
    for (int s = 0; s < 8; s++)
        for (int t = 0; t < 8; t++) {
            int n = sizes[s], m = sizes[t];
            row(m, n, 2, x, x + 100, z), show(n);
            halves(n, x, z), show(n);
            shifted(n, m, x, z), show(n * m);
            both(n, m, x, y, z), show(n);
            for (int i = 0; i < 3 * n; i++)
                printf("%d ", y[i]);
            sides(n, m, x, z), show(n);
            values(n, m + 1, x, z), show(n);
        }
    return 0;
}
C
as_before_everywhere 318

# refuse VALUE TEXT [COLUMN]: that value, as a subscript, is refused there, and the message says the text.
refuse() {
    cat >bad.c <<C
void f(int n, int q, const float *x, float *y)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int c = $1;
        y[i] = x[c];
    }
#pragma endscop
}
C
    expect 1 compile bad.c -o bad.new.c
    says "bad.c:5:${3:-17}: error: $2"
}
refuse '(i - 3) / 2' 'C rounds this division toward zero'
refuse 'i / q' 'subscript is not affine: it divides by something else than a positive constant'
refuse '(i / q) % q' 'subscript is not affine: it divides by something else than a positive constant' 18
says '--fix=q='
