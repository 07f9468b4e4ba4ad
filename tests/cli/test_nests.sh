#!/bin/sh
# Regions whose nests of loops move pointers: the file that is written computes what the file that was read does, and its
# optimized code runs. What only some turns move, or reads of pointers between the loops, are refused.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cat >old.c <<'C'
#include <stddef.h>
#include <stdint.h>
typedef struct { float re, im; } cpx;
void gray(const uint8_t *src, uint8_t *dst, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            *dst++ = (src[0] * 77 + src[1] * 150 + src[2] * 29) >> 8;
            src += 3;
        }
#pragma endscop
}
/* Rows that are longer than what is read of them. */
void blit(const uint8_t *src, uint8_t *dst, int w, int h, int sp, int dp)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++)
            *dst++ = 255 - *src++;
        src += sp - w;
        dst += dp - w;
    }
#pragma endscop
}
void rows(const float *x, float *out, int n, int m)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++) {
        float s = 0;
        for (j = 0; j < m; ++j)
            s += *x++;
        *out++ = s;
    }
#pragma endscop
}
void matvec(const float *w, const float *x, float *out, int n, int d)
{
#pragma scop
    for (int i = 0; i < d; i++) {
        const float *xp = x;
        float s = 0;
        for (int j = 0; j < n; j++)
            s += *w++ * *xp++;
        out[i] = s;
    }
#pragma endscop
}
/* The outer loop moves them, by what the caller says. */
void strided(const float *src, float *dst, int w, int h, int ss, int ds)
{
#pragma scop
    for (int y = 0; y < h; y++, src += ss, dst += ds)
        for (int x = 0; x < w; x++)
            dst[x] = 2 * src[x];
#pragma endscop
}
void below(const float *src, float *dst, size_t w, size_t h, size_t stride)
{
#pragma scop
    for (size_t y = 0; y < h; y++) {
        for (size_t x = 0; x < w; x++)
            dst[x] = src[x] + src[x + 1];
        dst += w;
        src += stride;
    }
#pragma endscop
}
/* Three loops, a constant behind each row and each plane, structs. */
void planes(const cpx *p, float *o, int w, int h, int c)
{
#pragma scop
    for (int k = 0; k < c; k++) {
        for (int y = 0; y < h; y++) {
            for (int x = 0; x < w; x++, p++)
                *o++ = p->re * p->re + p->im * p->im;
            p += 3, p -= 1;
        }
    }
#pragma endscop
}
void own(float *a, const float *b, int n, int m)
{
#pragma scop
    for (int t = 0; t < 2; t++) {
        float *to = a + 1;
        const float *from = b;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < m; j++) {
                float v = *from++;
                if (v > 0) v = 1 + t;
                to[0] += v, to++;
            }
            to++;
        }
    }
#pragma endscop
}
#define PUT(p, v) (*(p)++ = (v))
void macros(const float *s, float *o, int n, int m)
{
#pragma scop
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) {
            PUT(o, s[0] + i);
            PUT(o, s[0] - j);
            ++s;
        }
#pragma endscop
}
C
show_h
cat >main.c <<'C'
#include "show.h"
#include <stdint.h>
typedef struct { float re, im; } cpx;
void gray(const uint8_t *, uint8_t *, int, int), blit(const uint8_t *, uint8_t *, int, int, int, int);
void rows(const float *, float *, int, int), matvec(const float *, const float *, float *, int, int);
void strided(const float *, float *, int, int, int, int), below(const float *, float *, size_t, size_t, size_t);
void planes(const cpx *, float *, int, int, int), own(float *, const float *, int, int);
void macros(const float *, float *, int, int);
int main(void)
{
    enum { N = 140 * 40 };
    static uint8_t b[3 * N], c[N];
    static float x[N], y[2 * N + 40];
    static cpx p[2 * N];
    for (int i = 0; i < 3 * N; i++)
        b[i] = (uint8_t)(i * 7 + i / 11);
    for (int i = 0; i < N; i++)
        x[i] = i % 23 - 9, p[i] = (cpx){i % 7, i % 5};
    static const int sizes[] = {1, 2, 3, 7, 13, 31, 33, 127, 129};
    for (int k = 0; k < 9; k++) {
        int w = sizes[k], h = sizes[(k + 4) % 9] % 34;
        gray(b, c, w, h), SHOW(c);
        blit(b, c, w, h, w + 5, w + 2), SHOW(c);
        rows(x, y, h, w), SHOW(y);
        matvec(x, y, y + N, w, h), SHOW(y);
        strided(x, y, w, h, w + 3, w + 1), SHOW(y);
        below(x, y, w, h, w + 4), SHOW(y);
        planes(p, y, w, h, 2), SHOW(y);
        own(y, x, h, w), SHOW(y);
        macros(x, y, h, w), SHOW(y);
    }
    blit(b, c, 9, 4, 9, 9), SHOW(c);
    blit(b + 90, c, 9, 4, -9, 9), SHOW(c); /* backwards */
    blit(c, c + 3, 20, 4, 20, 20), SHOW(c); /* they overlap */
    gray(b, c, -3, 5), gray(b, c, 5, -3), rows(x, y, 3, -2), SHOW(y), gray(0, 0, 0, 0);
    return 0;
}
C
as_before_everywhere 83

refused() { # BODY [BEHIND]
    printf 'void f(int n, int m, const float *a, float *o, float *keep)\n{\n#pragma scop\n%s\n#pragma endscop\n%s\n}\n' \
        "$1" "${2-}" >bad.c
    expect 1 compile bad.c -o bad_new.c
    says "the region moves the pointer 'o' in a way that no subscript says"
    absent bad_new.c
}
in='for (int j = 0; j < m; j++)'
refused "for (int i = 0; i < n; i++) $in *o++ = a[i];" 'keep[0] = *o;'
refused "for (int i = 0; i < n; i++) { $in *o++ = a[i]; *o = 1; }"
refused "for (int i = 0; i < n; i++) { *o = 1; $in *o++ = a[i]; }"
refused "for (int i = 0; i < n; i++) { $in *o++ = a[i]; $in *o++ = 2; }"
refused "for (int i = 0; i < n; i++) { $in *o++ = a[i]; if (i > 3) o++; }"
refused "for (int i = 0; i < n; i++) { $in *o++ = a[i]; if (i > 3) continue; o++; }"
refused "for (int i = 0; i < n; i++) { if (i > 3) continue; $in *o++ = a[i]; }"
refused "for (int i = 0; i < n; i++) $in { if (j > 3) continue; *o++ = a[i]; }"
refused "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) *o++ = a[i];"
refused "for (int i = 0; i < n; i++) for (int j = 1; j < m; j++) *o++ = a[i];"
refused "for (int i = 0; i < n; i++) for (int j = 0; j <= m; j++) *o++ = a[i];"
refused "for (int i = 0; i < n; i++) for (int j = m; j > 0; j--) *o++ = a[i];"
refused "for (int i = 1; i < n; i++) $in *o++ = a[i];"
refused "for (int i = 0; i < n; i++) { for (int i = 0; i < m; i++) *o++ = a[i]; }"
refused "for (int i = 0; i < n; i++) { $in *o++ = a[i]; o += i; }"
refused "for (int i = 0; i < n; i++) { $in *o++ = a[i]; o += (int)a[0]; }"
refused "for (int i = 0; i < n; i++) { o += m; o[i] = 1; }"
refused "for (int i = 0; i < n; i++) { $in *o++ = a[i]; } $in *o++ = 1;"
