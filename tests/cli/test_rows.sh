#!/bin/sh
# Regions that declare pointers to rows, and call functions with pointers to elements, as image and signal code does: the
# file that is written computes what the file that was read does, and its optimized code runs.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cat >old.c <<'C'
#include <stddef.h>
#include <stdint.h>
typedef struct { int w, h, stride; float *data; } image;
typedef struct { uint8_t r, g, b; } rgb;
void laplace(const float *in, float *out, int w, int h)
{
#pragma scop
    for (int y = 1; y < h - 1; y++) {
        const float *up = in + (y - 1) * w, *row = &in[y * w], *down = row + w;
        float *dst = out + y * w;
        for (int x = 1; x < w - 1; x++)
            dst[x] = up[x] + down[x] + row[x - 1] + *(row + x + 1) - 4 * row[x];
    }
#pragma endscop
}
/* Members, another variable declared beside a row, rows of rows. */
void blend(const image *a, image b, float t)
{
#pragma scop
    for (int y = 0; y < a->h; y++) {
        const float *from = a->data + y * a->stride;
        float *to = b.data + y * b.stride, *odd = to + 1, u = 1 - t;
        for (int x = 0; x < a->w; x++)
            to[x] = u * to[x] + t * from[x];
        for (int x = 0; x < a->w / 2; x++)
            odd[2 * x] += 1;
    }
#pragma endscop
}
void planes(const rgb *in, uint8_t *out, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        const rgb *row = in + y * w;
        uint8_t *r = out + (size_t)y * w, *g = &out[h * w + y * w];
        for (int x = 0; x < w; x++) {
            const rgb *p = &row[x];
            r[x] = p->r;
            g[x] = (p->g + (*p).b) / 2;
        }
    }
#pragma endscop
}
/* Rows of arrays of arrays, of constant and of variable length. */
void matrix(int n, int m, float A[n][m], double B[8][40], float *sums)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float *row = A[i], sum = 0;
        for (int j = 0; j < m; j++)
            sum += row[j];
        sums[i] = sum;
    }
    for (int i = 0; i < 8; i++) {
        double *row = B[i], *next = &B[i][1];
        for (int j = 0; j < 39; j++)
            row[j] += 2 * next[j];
    }
#pragma endscop
}
/* A bank of filters: pointers to elements as arguments. */
static float dot(const float *x, const float *y, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * y[i];
    return s;
}
static void axpy(float *y, const float *x, float a, int n)
{
    const float *from = x;
    for (int i = 0; i < n; i++)
        y[i] += a * from[i];
}
void gram(const float *x, float *g, int m, int n)
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            g[i * m + j] = dot(&x[i * n], x + j * n, n) + dot(x, &x[n], n);
#pragma endscop
}
void update(const float *x, float *g, int m, int n)
{
#pragma scop
    for (int i = 0; i < m; i++)
        axpy(&g[i * n], x + i * n, 0.5f, n);
#pragma endscop
}
/* Rows that begin before what they read, and counted down. */
void taps(const float *x, float *y, int n, int k)
{
#pragma scop
    for (int i = k; i < n; i++) {
        const float *last = x + i - k;
        float s = 0;
        for (int j = 0; j <= k; j++)
            s += last[k - j] * (j + 1);
        y[i] = s;
    }
#pragma endscop
}
C
show_h
cat >main.c <<'C'
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef struct { int w, h, stride; float *data; } image;
typedef struct { uint8_t r, g, b; } rgb;
void laplace(const float *, float *, int, int), blend(const image *, image, float), planes(const rgb *, uint8_t *, int, int);
void matrix(int, int, float (*)[*], double (*)[40], float *), gram(const float *, float *, int, int);
void update(const float *, float *, int, int), taps(const float *, float *, int, int);
#include "show.h"
int main(void)
{
    static float in[60 * 37], out[50 * 37], sums[40]; /* more than gram may take for granted */
    static double B[8][40];
    static rgb pix[30 * 20];
    static uint8_t bytes[2 * 30 * 20];
    for (int i = 0; i < 50 * 37; i++)
        in[i] = i % 23 - 5, out[i] = i % 7;
    for (int i = 0; i < 320; i++)
        B[i / 40][i % 40] = i % 9;
    for (int i = 0; i < 600; i++)
        pix[i] = (rgb){i, i * 3, i * 7};
    laplace(in, out, 50, 37), SHOW(out);
    laplace(in, in, 50, 30), SHOW(in);
    image a = {44, 37, 50, in}, b = {44, 37, 48, out};
    blend(&a, b, 0.25f), SHOW(out);
    planes(pix, bytes, 30, 20), SHOW(bytes);
    matrix(37, 50, (float (*)[50])in, B, sums), SHOW(B), SHOW(sums);
    gram(in, out, 37, 50), SHOW(out);
    update(in, out, 30, 50), SHOW(out);
    taps(in, out, 1850, 12), SHOW(out);
    taps(in, out, 3, 12), SHOW(out);
    return 0;
}
C
as_before_everywhere 8
