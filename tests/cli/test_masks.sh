#!/bin/sh
# Subscripts and conditions with & 15 and the like, which is the rest of a division, also below 0: a region that has them
# computes what the file that was read does.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cat >old.c <<'C'
#include <stddef.h>
void ring(int n, float *y, const float *t, int at, float *kept)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] += t[i & 15] + t[(i - 3) & 7] * ((i & 1) == 0 ? 2 : 3);
    for (int i = 0; i < 16; i++)
        kept[(at + i) & 15] = y[i] + t[3 & i];
#pragma endscop
}
void phases(size_t n, float *y, const float *x)
{
#pragma scop
    for (size_t i = 0; i < n; i++)
        if ((i & 3) == 1)
            y[i] = 2 * x[i & 0];
        else
            y[i] = x[7 + (i & 0x1f)] + (5 & 7);
#pragma endscop
}
void rest(int n, float *y)
{
#pragma scop
    for (int i = 0; i < (n & 31); i++)
        y[i] += 1;
#pragma endscop
}
/* In an array of two dimensions by its subscripts. */
void rows(int n, int m, float *y, const float *x)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[i * m + j] += x[(i & 3) * m + j];
#pragma endscop
}
C
cat >main.c <<'C'
#include <stddef.h>
#include <stdio.h>
void ring(int, float *, const float *, int, float *), phases(size_t, float *, const float *), rest(int, float *);
void rows(int, int, float *, const float *);
int main(void)
{
    static float y[600], t[40], kept[16], x[200];
    for (int i = 0; i < 200; i++)
        x[i] = i % 17, t[i % 40] = i * i % 23;
    for (int n = 16; n < 200; n += 37)
        for (int at = -20; at < 20; at += 9)
            ring(n, y, t, at, kept);
    rows(20, 30, y, x);
    phases(200, y + 200, x);
    rest(100, y);
    for (int i = 0; i < 600; i++)
        printf("%a\n", y[i]);
    for (int i = 0; i < 16; i++)
        printf("%a\n", kept[i]);
    return 0;
}
C
as_before_everywhere 28
