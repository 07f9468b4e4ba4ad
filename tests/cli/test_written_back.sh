#!/bin/sh
# Stores that leave out what the body reads beside them: it is stored as it was, so that whole vectors are. Halves of one
# array, which do not meet in the whole loop, are groups of their own. Arrays end where memory does.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
ends_h
cat >old.c <<'C'
#include <stdint.h>
typedef struct { uint8_t r, g, b, a; } rgba;
typedef struct { float re, im; } complex_number;
void multiplied(rgba *p, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        unsigned t;
        t = p[i].r * p[i].a + 128; p[i].r = (uint8_t)((t + (t >> 8)) >> 8);
        t = p[i].g * p[i].a + 128; p[i].g = (uint8_t)((t + (t >> 8)) >> 8);
        t = p[i].b * p[i].a + 128; p[i].b = (uint8_t)((t + (t >> 8)) >> 8);
    }
#pragma endscop
}
void divided(float *p, float k, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        p[4 * i + 1] = p[4 * i + 1] * p[4 * i];
        p[4 * i + 3] = p[4 * i + 3] - p[4 * i];
        p[4 * i + 2] = p[4 * i + 2] * k;
    }
#pragma endscop
}
void halves(complex_number *x, const complex_number *w, int n)
{
#pragma scop
    for (int k = 0; k < n; k++) {
        complex_number a = x[k], b = x[k + n];
        complex_number t = {b.re * w[k].re - b.im * w[k].im, b.re * w[k].im + b.im * w[k].re};
        x[k].re = a.re + t.re;
        x[k].im = a.im + t.im;
        x[k + n].re = a.re - t.re;
        x[k + n].im = a.im - t.im;
    }
#pragma endscop
}
/* What is read is what other iterations have written, or write later; or nobody can say that it is there. */
void before(int *p, int n)
{
#pragma scop
    for (int i = 1; i < n; i++)
        p[2 * i] = p[2 * i - 1] + p[2 * i - 2];
#pragma endscop
}
void behind(int *p, int n)
{
#pragma scop
    for (int i = 1; i < n; i++) {
        p[2 * i - 2] = p[2 * i] + p[2 * i + 1];
        p[2 * i - 1] = p[2 * i + 1] - 5;
    }
#pragma endscop
}
void maybe(int *p, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        p[2 * i] = p[2 * i] > 20 ? p[2 * i + 1] : p[2 * i] + 3;
#pragma endscop
}
C
cat >main.c <<'C'
#include "ends.h"
#include <stdint.h>
void multiplied(void *, int), divided(void *, float, int), halves(void *, const void *, int);
void before(void *, int), behind(void *, int), maybe(void *, int);

/* `bytes` at the end of memory r: bytes, small numbers, small real ones. */
static void *at(int r, size_t bytes, int kind)
{
    for (int i = 0; i < ROOM / 4; i++) {
        int x = (i * 37 + r * 11) % 101 - 50;
        unsigned char *p = end[r] - 4 * (i + 1);
        if (kind == 0)
            for (int k = 0; k < 4; k++)
                p[k] = (unsigned char)(i * 89 + k * 71);
        else if (kind == 1)
            *(int *)(void *)p = x;
        else
            *(float *)(void *)p = (float)x / 4;
    }
    return end[r] - bytes;
}

int main(void)
{
    make_ends(2);
    for (unsigned k = 0; k < sizeof odd / sizeof *odd; k++) {
        int n = odd[k];
        size_t m = (size_t)n;
        multiplied(at(0, 4 * m, 0), n), show_end(0, "multiplied", n);
        divided(at(0, 16 * m, 2), 0.75f, n), show_end(0, "divided", n);
        halves(at(0, 16 * m, 2), at(1, 8 * m, 2), n), show_end(0, "halves", n);
        before(at(0, 8 * m, 1), n), show_end(0, "before", n);
        behind(at(0, 8 * m, 1), n), show_end(0, "behind", n);
        maybe(at(0, 8 * m, 1), n), show_end(0, "maybe", n);
    }
    return 0;
}
C
as_before_everywhere 71 # halves of nothing stay as written

expect 0 compile old.c --target=avx2 -o new.c
for name in multiplied divided; do
    sed -n "/squall_${name}_1_nest(int64_t/,/^}/p" new.c | grep -q "_zip_first(" || fail "$name: no whole vectors"
done
sed -n "/squall_halves_1_nest(int64_t/,/^}/p" new.c | grep -q "f32x8_store(" || fail "halves: no whole vectors"
for name in before maybe; do
    ! sed -n "/squall_${name}_1_nest(int64_t/,/^}/p" new.c | grep -q "_zip_first(" || fail "$name: stores what may not be there"
done
exit 0
