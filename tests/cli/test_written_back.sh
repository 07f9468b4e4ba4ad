#!/bin/sh
# Stores that leave out what the body reads beside them: it is stored as it was, so that whole vectors are. Halves of one
# array, which do not meet in the whole loop, are groups of their own. Arrays end where memory does.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
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
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
void multiplied(void *, int), divided(void *, float, int), halves(void *, const void *, int);
void before(void *, int), behind(void *, int), maybe(void *, int);
enum { ROOM = 1 << 13, PAGE = 1 << 12 };
static unsigned char *end[2];

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

static void show(const char *name, int n)
{
    unsigned hash = 1;
    for (int i = 0; i < ROOM; i++)
        hash = hash * 31 + (end[0] - ROOM)[i];
    printf("%s %d %u\n", name, n, hash);
}

int main(void)
{
    static const int odd[] = {0, 1, 2, 3, 7, 8, 13, 31, 33, 64, 127, 129};
    for (int r = 0; r < 2; r++) {
        unsigned char *p = mmap(NULL, ROOM + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED || mprotect(p + ROOM, PAGE, PROT_NONE) != 0)
            return 2;
        end[r] = p + ROOM;
    }
    for (unsigned k = 0; k < sizeof odd / sizeof *odd; k++) {
        int n = odd[k];
        size_t m = (size_t)n;
        multiplied(at(0, 4 * m, 0), n), show("multiplied", n);
        divided(at(0, 16 * m, 2), 0.75f, n), show("divided", n);
        halves(at(0, 16 * m, 2), at(1, 8 * m, 2), n), show("halves", n);
        before(at(0, 8 * m, 1), n), show("before", n);
        behind(at(0, 8 * m, 1), n), show("behind", n);
        maybe(at(0, 8 * m, 1), n), show("maybe", n);
    }
    return 0;
}
C
as_before_everywhere 71 # halves of nothing stay as written

expect 0 compile old.c --target=avx2 -o new.c
for name in multiplied divided halves; do
    sed -n "/squall_${name}_1_nest(int64_t/,/^}/p" new.c | grep -q "_zip_first(" || fail "$name: no whole vectors"
done
for name in before maybe; do
    ! sed -n "/squall_${name}_1_nest(int64_t/,/^}/p" new.c | grep -q "_zip_first(" || fail "$name: stores what may not be there"
done
exit 0
