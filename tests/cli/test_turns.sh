#!/bin/sh
# Regions with loops that no for counts, while (n--), while (i < n) { …; i++; }, do { … } while (--n), or memset and
# memcpy; and with counters whose first value the caller's numbers say, as BLAS has them for steps below 0: the file that
# is written computes what the file that was read does.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >old.c <<'C'
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#define OFFSET(n, inc) ((inc) > 0 ? 0 : ((n)-1) * (-(inc)))
void after(const float *x, float *y, int n, int m)
{
    (void)m;
#pragma scop
    while (n--)
        *y++ += *x++ * 2;
#pragma endscop
}
void above(const float *x, float *y, int n, int m)
{
    long left = (long)n * m;
#pragma scop
    while (left-- > 0)
        *y++ += *x++;
#pragma endscop
}
void before(const float *x, float *y, int n, int m)
{
    n += 1, m += 2;
#pragma scop
    while (--n > 0) { /* one fewer */
        int k = m;
        while (--k >= 0)
            *y += x[1];
    }
#pragma endscop
}
void behind(const float *x, float *y, int n, int m)
{
    (void)m;
#pragma scop
    while (n > 0) {
        *y += x[0] - x[2];
        x++, y++;
        n -= 1;
    }
#pragma endscop
}
void upwards(const float *x, float *y, int n, int m)
{
    int i = 0;
    (void)m;
#pragma scop
    while (i < n) {
        y[i] = x[i] * 3 - y[i];
        i++;
    }
#pragma endscop
}
void headless(const float *x, float *y, int n, int m)
{
    size_t rows = (size_t)n;
#pragma scop
    for (; rows > 0; rows--) {
        for (int j = 0; j < m; j++)
            y[j] -= x[j];
        x += m, y += m;
    }
#pragma endscop
}
/* As video codecs walk over blocks. */
void blocks(const float *x, float *y, int n, int m)
{
    ptrdiff_t stride = m;
    if (n < 1)
        return;
#pragma scop
    do {
        for (int j = 0; j < m; j++)
            y[j] = (x[j] + y[j]) / 2;
        x += stride;
        y += stride;
    } while (--n);
#pragma endscop
}
void once_more(const float *x, float *y, int n, int m)
{
    unsigned turns = (unsigned)n;
    (void)m;
#pragma scop
    do
        *y++ += *x++;
    while (turns--);
#pragma endscop
}
void steps(const float *x, float *y, int n, int m)
{
    int incx = m % 5 - 2, incy = m % 3 - 1;
    int i, ix = OFFSET(n, incx), iy = OFFSET(n, incy);
#pragma scop
    for (i = 0; i < n; i++) {
        y[iy] += 3 * x[ix];
        ix += incx;
        iy += incy;
    }
#pragma endscop
}
float product(const float *x, const float *y, int n, int incx, int incy)
{
    int ix = 0, iy = 0;
    float sum = 0;
    if (incx < 0)
        ix = (1 - n) * incx;
    if (incy < 0)
        iy = (1 - n) * incy;
#pragma scop
    for (int i = 0; i < n; ++i) {
        sum += x[ix] * y[iy];
        ix += incx;
        iy += incy;
    }
#pragma endscop
    return sum;
}
/* Rows that the library clears and copies, by bytes. */
void cleared(const float *x, float *y, int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float *row = y + i * m;
        memset(row, 0, m * sizeof(float));
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < m; j++)
                row[j] += x[k * m + j];
    }
#pragma endscop
}
void copied(const float *x, float *y, int n, int m)
{
    float eight[8];
#pragma scop
    memset(eight, 0, sizeof eight);
    for (int i = 0; i < n; i++) {
        memcpy(&y[i * m], x + m, sizeof *y * (size_t)m);
        memcpy(eight, x + i, sizeof eight);
        for (int j = 0; j < 8; j++)
            y[n * m + j] += eight[j];
    }
#pragma endscop
}
void from(const float *x, float *y, int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] -= x[m];
        m++;
    }
#pragma endscop
}
C
cat >main.c <<'C'
#include <string.h>
#include "show.h"
typedef void run(const float *, float *, int, int);
run after, above, before, behind, upwards, headless, blocks, once_more, steps, from, cleared, copied;
float product(const float *, const float *, int, int, int);
enum { MOST = 3000 };
static float in[MOST], out[MOST];
int main(void)
{
    static run *const f[] = {after, above, before, behind, upwards, headless, blocks, once_more, steps, from, cleared, copied};
    static const int sizes[] = {0, 1, 2, 3, 7, 16, 31, 33};
    for (int i = 0; i < MOST; i++)
        in[i] = (float)(i * 7 % 31 - 15);
    for (int k = 0; k < 12; k++)
        for (int i = 0; i < 64; i++) {
            f[k](in, out, sizes[i / 8], sizes[i % 8]);
            printf("%d %d %d: ", k, sizes[i / 8], sizes[i % 8]), SHOW(out);
            printf("%g\n", (double)product(in, in + 9, sizes[i / 8], i % 8 - 3, i % 5 - 2));
        }
    return 0;
}
C
show_h
as_before_everywhere 797 # of 1536: steps below 1, and loops that do not turn, are left to the original text

# What turns in another way, or leaves a number that is read behind.
no() { # TEXT MESSAGE: a region of x[0 … n - 1]
    printf 'int f(int n, float *x)\n{\n#pragma scop\n    %s\n#pragma endscop\n    return n;\n}\n' "$1" >no.c
    expect 1 compile no.c -o no2.c
    says "$2"
}
no 'while (n--) *x++ = 0;' 'a while loop is no statement of a region'
no 'while (*x) *x++ = 0;' 'a while loop is no statement of a region'
no 'do { *x++ = 0; } while (--n);' 'a do loop is no statement of a region'
sed -i 's/    return n;/    return 0;/' no.c
expect 0 compile no.c -o no2.c
sed 's/int f(int n, /int n;\n&/; s/int f(int n, /int f(/' no.c >global.c
expect 1 compile global.c -o no2.c
says 'a do loop is no statement of a region'
