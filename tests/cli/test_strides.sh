#!/bin/sh
# Subscripts with several strides, y*stride + x*step, where no stride is the length of rows of another one: the file that
# is written computes what the file that was read does, in its optimized code where the longer ones are multiples.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >old.c <<'C'
#include <stddef.h>
#include <stdint.h>
void three(const float *src, float *dst, int n, int h, int w, int plane, int stride, int step)
{
#pragma scop
    for (int c = 0; c < n; c++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                dst[(c * h + y) * w + x] = src[c * plane + y * stride + step * x];
#pragma endscop
}
/* Of several types. */
void wide(const float *src, float *dst, int n, int h, int w, int plane, int stride, int step)
{
    size_t of = plane;
    long along = stride;
#pragma scop
    for (int c = 0; c < n; c++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                dst[(c * h + y) * w + x] -= src[c * of + along * y + x * step];
#pragma endscop
}
/* Written, and next to each other. */
void planar(const float *src, float *dst, int n, int h, int w, int plane, int stride, int step)
{
    (void)step;
#pragma scop
    for (int c = 0; c < n; c++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                dst[c * plane + y * stride + x] += src[c * plane + stride * y + x] * 2;
#pragma endscop
}
/* Rows and columns exchanged. */
void turned(const float *src, float *dst, int n, int h, int w, int plane, int stride, int step)
{
    (void)n, (void)plane, (void)h;
#pragma scop
    for (int x = 0; x < w; x++)
        for (int y = 0; y < w; y++)
            dst[x * stride + y * step] = src[y * stride + x * step] - src[x * stride + step * y];
#pragma endscop
}
/* By pointers to rows, with what stands beside the strides. */
void rows(const float *src, float *dst, int n, int h, int w, int plane, int stride, int step)
{
    (void)n, (void)plane;
#pragma scop
    for (int y = 0; y < h; y++) {
        const float *row = src + (y + 1) * stride;
        float *out = dst + y * w;
        for (int x = 0; x < w; x++)
            out[x] = row[x * step] * 3 - row[(x + 1) * step - 1] + *(src + y * stride + x * step);
    }
#pragma endscop
}
/* The strides of images, of which one may lie in what is written. */
typedef struct image { int w, stride, step, h, *data; } image;
void images(const image *from, image *to)
{
#pragma scop
    for (int y = 0; y < to->h; y++)
        for (int x = 0; x < to->w; x++)
            to->data[y * to->stride + x * to->step] += from->data[y * from->stride + x * from->step] * 2;
#pragma endscop
}
/* Behind an offset that no row has room for. */
void offset(const float *src, float *dst, int n, int h, int w, int plane, int stride, int step)
{
    int at = step;
    (void)stride;
#pragma scop
    for (int c = 0; c < n; c++)
        for (int y = 0; y < h; y++) {
            const float *row = src + plane + y * (w * n) + c * w;
            for (int x = 0; x < w; x++)
                dst[at++] += row[x];
        }
#pragma endscop
}
/* As libraries with strides for both dimensions have it. */
void product(const float *a, float *c, int n, int m, int k, int rsa, int csa, int rsc)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int l = 0; l < k; l++)
                c[i * rsc + j * csa] += a[i * rsa + l * csa] * a[l * rsa + j * csa];
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdbool.h>
#include <stdlib.h>
#include "show.h"
typedef void run(const float *, float *, int, int, int, int, int, int);
run three, wide, planar, rows, turned, offset, product;
typedef struct image { int w, stride, step, h, *data; } image;
void images(const image *from, image *to);
enum { MOST = 400000, MIDDLE = MOST / 2 };
static float in[MOST], out[MOST];
/* what: 1: the step of the first image is the last pixel but one of the second */
static void run_images(int w, int h, int stride, int step, int what)
{
    static int pixels[2][20000];
    static const image none;
    bool within = what == 1 && w > 1 && step > 0;
    step = within ? 4 : step, h = within ? 1 : h;
    image from = {w, stride, step, h, pixels[0] + 9000}, to = {w, stride + step, step, h, pixels[1] + 9000};
    for (int i = 0; i < 20000; i++)
        pixels[0][i] = i % 7, pixels[1][i] = i % 5;
    image *inside = (image *)(pixels[1] + 9000 + (w - 2) * 4 - 2);
    if (within)
        *inside = from;
    images(within ? inside : &from, &to);
    printf("%d ", within ? inside->step : 0);
    if (within)
        *inside = none;
    SHOW(pixels);
}
int main(int argc, char **argv)
{
    static run *const f[] = {three, planar, rows, turned};
    static const int sizes[] = {1, 2, 3, 7, 13, 31, 33};
    int off = atoi(argv[1]); /* what strides are off by */
    srand((unsigned)argc + 3);
    for (int i = 0; i < MOST; i++)
        in[i] = (rand() >> 7) % 100 - 50;
    for (int k = 0; k < 80; k++) {
        int n = 1 + rand() % 3, h = sizes[rand() % 7], w = sizes[rand() % 7], step = off > 9 ? -1 : 2 + rand() % 3;
        int times = k % 4 == 1 ? 1 : step; /* planar has none */
        int stride = times * (w + 2 + rand() % 5) + off % 10, plane = stride * (h + rand() % 3);
        f[k % 4](in + MIDDLE, out + MIDDLE, n, h, w, plane, stride, step);
        printf("%d %d %d %d %d %d: ", k, n, h, w, stride, step), SHOW(out);
        product(in + MIDDLE, out + MIDDLE, h, w, 5 + k, (100 + k) * step + off % 10, step, (w + k) * step);
        SHOW(out);
        wide(in + MIDDLE, out + MIDDLE, n, h, w, plane, stride, step);
        offset(in + MIDDLE, out + MIDDLE, n, h, w, plane, stride, step);
        SHOW(out);
        run_images(w, h, stride, step, k % 3);
    }
    return 0;
}
C
show_h
built old.c main.c -o old
for target in $(region_targets); do
    rebuilt "$target"
    as_before "$target" 346 0
    as_before "$target" 108 1 # planar, and 4 images: other rows are no multiples of steps
    as_before "$target" 100 10 # steps are negative
done
expect 0 explain old.c --kernel=three --target=avx2
prints 'writes'
expect 0 check old.c --target=c --quick
expect 0 compile old.c --target=avx2 --fix=step=3 -o fixed.c
"${CC:-cc}" -O1 -w -ffp-contract=off fixed.c main.c -o fixed && ./fixed 0 >fixed.txt && ./old 0 >old.txt && same old.txt fixed.txt

# What the region changes is no stride.
no() { # BODY MESSAGE
    printf 'void f(int n, int m, float *a, float *o)\n{\n#pragma scop\n%s\n#pragma endscop\n}\n' "$1" >no.c
    expect 1 compile no.c -o no2.c
    says "$2"
}
both='for (int i = 0; i < 9; i++) for (int j = 0; j < 9; j++)'
no "$both { int k = i; a[i * n + j * k] = 1; }" 'it multiplies two things that both vary'
exit 0
