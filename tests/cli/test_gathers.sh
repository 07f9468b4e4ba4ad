#!/bin/sh
# Regions whose subscripts are values with names, int x0 = p[x]; in[x0]: the file that is written computes what the file
# that was read does; what may be out of bounds, or changes between, is refused.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cat >old.c <<'C'
#include <stddef.h>
#include <stdint.h>
typedef struct { int w, h; uint8_t *data; } image;
void curve(const uint8_t *p, const float *in, float *out, int n)
{
#pragma scop
    for (int x = 0; x < n; x++) {
        int x0 = p[x];
        out[x] = in[x0];
    }
#pragma endscop
}
/* The nearest pixel: rows and columns by tables, ends in either way. */
void nearest(uint8_t (*src)[64], uint8_t *dst, const int *xs, const int *ys, int w, int h, int n, int m)
{
#pragma scop
    for (int y = 0; y < m; y++) {
        const int sy = ys[y] < 0 ? 0 : ys[y] > h - 1 ? h - 1 : ys[y];
        for (int x = 0; x < n; x++) {
            int sx = xs[x];
            if (sx < 0) sx = 0;
            if (sx >= 64) sx = 63;
            dst[y * n + x] = src[sy][sx] + w;
        }
    }
#pragma endscop
}
/* Names of names, of narrow types that wrap, of any sign. */
void nibbles(const uint8_t *p, const int *q, const uint8_t *t, uint8_t *out, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            unsigned char v = p[y * w + x];
            int hi = v >> 4, lo = v & 15;
            signed char s = (signed char)(v + q[x]);
            uint16_t far = (uint16_t)(q[x] * 7);
            int near = far >> 8;
            out[y * w + x] = (uint8_t)(t[hi] + 2 * t[lo] + 3 * t[s + 128] + 5 * t[near] + v);
        }
#pragma endscop
}
void fixed(const uint8_t *token, const float (*table)[24], float *out, int n)
{
#pragma scop
    for (int t = 0; t < n; t++) {
        int row = token[t];
        if (row > 9)
            for (int i = 0; i < 24; i++) {
                int row = 23 - i;
                out[t * 24 + i] += table[token[t]][row];
            }
        else
            out[t * 24] = table[row][row & 15];
    }
#pragma endscop
}
#define AT(im, x, y) ((im)->data[(y) * (im)->w + (x)])
#define CLAMP(v, lo, hi) ((v) < (lo) ? (lo) : (v) > (hi) ? (hi) : (v))
static inline int level(const int *v, int i) { int c = v[i]; return CLAMP(c, 0, 255); }
void levels(const image *im, const int *v, int n, const uint8_t *map, int *out)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int l = level(v, i);
        int m = map[l], r = CLAMP(v[i], 0, im->w - 1);
        out[i] = map[m] + AT(im, r, 0) + l;
    }
#pragma endscop
}
/* Rows of a flat table that values say, of tables of tables, and one that is given the places that are not values. */
void embedded(const uint8_t *token, const int *at, const float *table, float *out, int n, int dim, int v)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int row = at[i];
        if (row < 0) row = 0;
        if (row > v - 1) row = v - 1;
        for (int j = 0; j < dim; j++) {
            out[i * dim + j] = table[token[i] * dim + j] - table[row * dim + j];
            out[i * dim + j] += table[(token[i] & 7) * dim + dim - 1 - j] * table[i * dim];
        }
    }
#pragma endscop
}
void of_two(const uint8_t *p, const uint8_t *q, const float *table, float *out, int n, int dim, int m)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < dim; j++)
            out[i * dim + j] = table[((p[i] & 3) * m + (size_t)(q[i] >> 6)) * dim + j];
#pragma endscop
}
/* Rows as long as a number says: of pixels, shifted, from the end, beside a row that is no value. */
void of_number(const uint8_t *p, const uint8_t *q, const float *table, float *out, int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int c = 0; c < 3; c++)
                out[(i * m + j) * 3 + c] = table[((p[i] & 15) * 16 + j) * 3 + c] - table[((q[i] >> 4) << 4) * 3 + 2] +
                                           table[q[i] % 9 * 48 + 47 - c] * table[5 * 48 + 3 * j];
#pragma endscop
}
/* The same with the region's own pointers; of structs, too. */
struct vec { float x, y, z; };
void by_rows(const uint8_t *token, const int *at, const float *table, const struct vec *vecs, float *out, int n, int dim,
             int v)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int k = at[i];
        if (k < 0) k = 0;
        if (k > v - 1) k = v - 1;
        const float *row = table + token[i] * dim, *other = &table[k * dim];
        const struct vec *p = &vecs[token[i]];
        float *to = out + i * dim;
        for (int j = 0; j < dim; j++)
            to[j] = row[j] - 2 * other[j];
        to[0] += p->y;
    }
#pragma endscop
}
/* Positions behind a row of headers, and a page further on; the places are of blocks. */
void pages(const uint8_t *block, const int *list, const float *in, float *out, int n, int page)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 16; j++) {
            int k = list[i] & 31;
            out[i * 16 + j] = in[(block[i] + 3) * 16 + j] - in[block[i] * 16 + page * 16 + j] + in[(k + 1) * 16 + j];
        }
#pragma endscop
}
/* In place: each element once, and by its name. */
void in_place(uint8_t *p, const uint8_t *t, int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            p[i * m + j] = t[p[i * m + j]];
#pragma endscop
}
void looked_up(int *p, const int *t, const int *few, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int k = p[i];
        if (k < 0) k = 0;
        if (k > 31) k = 31;
        if (few[i] > 100)
            p[i] = t[k] + t[p[i] & 15] - p[i];
    }
#pragma endscop
}
C
show_h
cat >main.c <<'C'
#include "show.h"
#include <stdint.h>
typedef struct { int w, h; uint8_t *data; } image;
struct vec { float x, y, z; };
void curve(const uint8_t *, const float *, float *, int);
void nearest(uint8_t (*)[64], uint8_t *, const int *, const int *, int, int, int, int);
void nibbles(const uint8_t *, const int *, const uint8_t *, uint8_t *, int, int);
void fixed(const uint8_t *, const float (*)[24], float *, int);
void levels(const image *, const int *, int, const uint8_t *, int *);
void in_place(uint8_t *, const uint8_t *, int, int);
void looked_up(int *, const int *, const int *, int);
void embedded(const uint8_t *, const int *, const float *, float *, int, int, int);
void pages(const uint8_t *, const int *, const float *, float *, int, int);
void of_two(const uint8_t *, const uint8_t *, const float *, float *, int, int, int);
void of_number(const uint8_t *, const uint8_t *, const float *, float *, int, int);
void by_rows(const uint8_t *, const int *, const float *, const struct vec *, float *, int, int, int);
int main(void)
{
    static uint8_t p[129 * 33], t[256], dst[129 * 33];
    static float in[256 * 33], out[129 * 33], table[256][24];
    static int q[129];
    for (int i = 0; i < 129 * 33; i++)
        p[i] = (uint8_t)(i * 41 + i / 7);
    for (int i = 0; i < 256 * 33; i++)
        in[i] = i % 301, table[i % 256][i % 24] = i % 17;
    for (int i = 0; i < 256; i++)
        t[i] = (uint8_t)(255 - i * 3);
    for (int i = 0; i < 129; i++)
        q[i] = i * 37 % 400 - 60;
    static const int sizes[] = {1, 2, 3, 7, 13, 31, 33, 127, 129};
    for (int k = 0; k < 9; k++) {
        int n = sizes[k];
        curve(p, in, out, n), SHOW(out);
        nearest((uint8_t (*)[64])p, dst, q, q + 3, 31, 29, n, n < 33 ? n : 33), SHOW(dst);
        nibbles(p, q, t, dst, n, 9), SHOW(dst);
        fixed(p, (const float (*)[24])table, out, n), SHOW(out);
        static int sums[129];
        levels(&(image){31, 7, p}, q, n, t, sums), SHOW(sums);
        in_place(dst, t, n, 31), SHOW(dst);
        looked_up(sums, q, q + 2, n < 127 ? n : 127), SHOW(sums);
        embedded(p, q, in, out, n, 33, 31), SHOW(out);
        by_rows(p, q, in, (struct vec *)in + 9, out, n, 31, 31), SHOW(out);
        of_two(p, p + 7, in, out, n, 31, 4), SHOW(out);
        pages(p, q, in, out, n, k * 29), SHOW(out);
        of_number(p, p + 7, in, out, n < 31 ? n : 31, 16), SHOW(out);
        of_number(p, p + 7, in, out, 3, n < 31 ? n : 31), SHOW(out); /* beyond 16 it leaves its rows */
    }
    in_place(t + 3, t, 1, 250), SHOW(t); /* they overlap */
    nearest((uint8_t (*)[64])p, dst, q, q, 0, 0, 0, 0);
    curve((uint8_t *)out, out, out, 100), SHOW(out); /* they overlap */
    return 0;
}
C
as_before_everywhere 113

refused() { # TEXT BODY
    cat >bad.c <<C
void f(int *p, const int *q, const float *g, const unsigned char *b, float *in, float *out, int n, int m)
{
#pragma scop
    for (int x = 0; x < n; x++) {
        $2
    }
#pragma endscop
}
C
    expect 1 compile bad.c -o bad_new.c
    says "$1"
    absent bad_new.c
}
refused "may be out of bounds" 'int x0 = q[x]; out[x] = in[x0];'
for sum in 'in[b[x] + k]' 'in[b[x] * 64 + k] + in[b[x] * 32 + k]' 'in[b[x] * 64 + b[x + 1] * 8 + k]'; do
    refused "subscript 1 of 'in' adds an index to a value; accepted are values alone, and a value that the length of" \
        "for (int k = 0; k < 64; k++) out[x * 64 + k] = $sum;"
    says "before the region const float (*rows)[32] = (const float (*)[32])in, and rows[x][j] for in[x*32 + j]"
done
refused "may be out of bounds" 'int x0 = q[x]; if (x0 < 0) x0 = 0; out[x] = in[x0];'
refused "takes part in a subscript that is a value, and is written" 'int x0 = p[x] & 15; p[x] = 3; out[x] = in[x0];'
refused "takes part in a subscript that is a value, and is written" 'int x0 = p[x] & 15; p[x] = 3; p[x] = x0 + q[x0];'
refused "takes part in a subscript that is a value, and is written" 'int x0 = p[x] & 15; for (int k = 0; k < m; k++) p[x] = q[x0];'
refused "takes part in a subscript that is a value, and is written" 'p[x + 1] = q[p[x] & 15];'
refused "takes part in a subscript that is a value, and is written" 'p[x] += p[p[x] & 15];'
refused "takes part in a subscript that is a value, and is written" 'int x0 = p[0] & 15; p[x] = q[x0];'
refused "takes part in a subscript that is a value, and is written" 'int c = 0; for (int k = 0; k < m; k++) c = b[k]; out[x] = in[c & 15 & b[x]];'
refused "a value from -1 to 254, and may be out of bounds" \
    'for (int k = 0; k < 64; k++) out[x * 64 + k] = in[(b[x] - 1) * 64 + k];'
refused "subscript 1 of 'in' adds an index to a value" 'out[x] = in[b[x] * m + x * m];'
refused "what the length of a row multiplies here is a sum with a value" 'out[x] = in[(b[x] + b[x + 1]) * m];'
refused "by its subscripts in this region 'in' has 2 dimensions" \
    'for (int k = 0; k < 64; k++) out[x * 64 + k] = in[b[x] * 64 + k + 1];'
refused "a value from -2147483648 to 2147483647, and may be out of bounds" 'out[x] = in[q[x] * m + 1];'
refused "it reads an array, so what it is depends on values" 'out[b[x] * m + 1] = in[x];'
refused "it reads an array, so what it is depends on values" 'float *to = out + b[x] * m; to[1] = in[x];'
refused "takes part in a subscript that is a value, and is written" \
    'const float *row = in + (p[x] & 7) * m; p[x] = 0; for (int j = 0; j < m; j++) out[x * m + j] = row[j];'
refused "takes part in a subscript that is a value, and is written" \
    'const int *row = p + (p[x] & 7); out[x] = row[0]; p[x + 1] = 3;'
refused "takes part in a subscript that is a value, and is written" 'in[x * m] = in[b[x] * m];'
refused "subscripts are made of integers alone" 'int x0 = (int)g[x] & 15; out[x] = in[x0];'
refused "it reads an array, so what it is depends on values" 'int x0 = b[x]; out[x0] = in[x];'
