#!/bin/sh
# Pixels, sound, complex numbers and conditions, as other people write them: every element between the ones that a lane
# reads, masks of every width. Arrays end where memory does, so that a load of what does not exist is seen.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >old.c <<'C'
#include <stdint.h>
void gray(const uint8_t *in, uint8_t *out, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = (uint8_t)((77 * in[3 * i] + 150 * in[3 * i + 1] + 29 * in[3 * i + 2]) >> 8);
#pragma endscop
}
void mono(const int16_t *stereo, int16_t *out, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = (int16_t)((stereo[2 * i] + stereo[2 * i + 1]) / 2);
#pragma endscop
}
void multiply(const float *a, const float *b, float *c, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        c[2 * i] = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
        c[2 * i + 1] = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
    }
#pragma endscop
}
void alpha(const float *rgba, float *luma, float *opaque, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        luma[i] = rgba[4 * i] + 2 * rgba[4 * i + 1] + rgba[4 * i + 2];
        opaque[i] = rgba[4 * i + 3] > 0.5f ? luma[i] : 0.0f;
    }
#pragma endscop
}
void outer_two(const double *xyz, double *x, double *z, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = xyz[3 * i];
        z[i] = xyz[3 * i + 2];
    }
#pragma endscop
}
void pool(const float *in, float *out, int h, int w)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            out[y * w + x] = (in[4 * y * w + 2 * x] + in[4 * y * w + 2 * x + 1]) +
                             (in[4 * y * w + 2 * w + 2 * x] + in[4 * y * w + 2 * w + 2 * x + 1]);
#pragma endscop
}
void norms(const float *p, float *out, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = 0; k < 3; k++)
            s += p[3 * i + k] * p[3 * i + k];
        out[i] = s;
    }
#pragma endscop
}
void keep(const uint8_t *mask, const float *in, float *out, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (mask[i] > 3 && in[i] < 2.0f)
            out[i] = in[i] * 0.5f;
#pragma endscop
}
void late(const int64_t *stamp, const float *in, float *out, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = stamp[i] >= 3 ? in[i] : stamp[i] == -1 ? -in[i] : 0.25f;
#pragma endscop
}
void clip(int16_t *x, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (x[i] < -5 || x[i] > 300)
            x[i] = (int16_t)(x[i] >> 2);
#pragma endscop
}
void signs(const double *in, int8_t *out, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = (int8_t)((in[i] > 0) - (in[i] < 0));
#pragma endscop
}
void lower(const float *a, const float *x, float *out, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            out[i * n + j] = a[i * n + j] * x[j];
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
void gray(const uint8_t *in, uint8_t *out, int n);
void mono(const int16_t *stereo, int16_t *out, int n);
void multiply(const float *a, const float *b, float *c, int n);
void alpha(const float *rgba, float *luma, float *opaque, int n);
void outer_two(const double *xyz, double *x, double *z, int n);
void pool(const float *in, float *out, int h, int w);
void norms(const float *p, float *out, int n);
void keep(const uint8_t *mask, const float *in, float *out, int n);
void late(const int64_t *stamp, const float *in, float *out, int n);
void clip(int16_t *x, int n);
void signs(const double *in, int8_t *out, int n);
void lower(const float *a, const float *x, float *out, int n);

enum { ROOM = 1 << 16, PAGE = 1 << 12, REGIONS = 4 };
static unsigned char *end[REGIONS];
static uint32_t state = 1;

static uint32_t draw(void)
{
    return state = state * 1664525u + 1013904223u, state >> 8;
}

/* `bytes` at the end of region r: small numbers of a type. */
static void *small(int r, size_t bytes, char type)
{
    unsigned char *p = end[r] - bytes;
    size_t each = type == 'f' ? 4 : type == 'd' || type == 'q' ? 8 : type == 's' ? 2 : 1;
    for (size_t i = 0; i < bytes / each; i++) {
        int v = (int)(draw() % 9) - 2;
        float f = (float)v / 2;
        double d = v;
        int16_t s = (int16_t)(v * 101);
        int64_t q = v;
        uint8_t b = (uint8_t)draw();
        const void *from = type == 'f'   ? (void *)&f
                           : type == 'd' ? (void *)&d
                           : type == 'q' ? (void *)&q
                           : type == 's' ? (void *)&s
                                         : (void *)&b;
        memcpy(p + i * each, from, each);
    }
    return p;
}

static void show(const char *name, int n)
{
    uint64_t sum = 1469598103934665603u;
    for (int r = 0; r < REGIONS; r++)
        for (int i = 0; i < ROOM; i++)
            sum = (sum ^ (end[r] - ROOM)[i]) * 1099511628211u;
    printf("%s %d: %016llx\n", name, n, (unsigned long long)sum);
}

static void run(int n)
{
    size_t m = (size_t)n;
    gray(small(0, 3 * m, 'b'), small(1, m, 'b'), n), show("gray", n);
    mono(small(0, 4 * m, 's'), small(1, 2 * m, 's'), n), show("mono", n);
    multiply(small(0, 8 * m, 'f'), small(1, 8 * m, 'f'), small(2, 8 * m, 'f'), n), show("multiply", n);
    alpha(small(0, 16 * m, 'f'), small(1, 4 * m, 'f'), small(2, 4 * m, 'f'), n), show("alpha", n);
    outer_two(small(0, 24 * m, 'd'), small(1, 8 * m, 'd'), small(2, 8 * m, 'd'), n), show("outer_two", n);
    pool(small(0, 4 * 3 * 4 * m, 'f'), small(1, 3 * 4 * m, 'f'), 3, n), show("pool", n);
    norms(small(0, 12 * m, 'f'), small(1, 4 * m, 'f'), n), show("norms", n);
    keep(small(0, m, 'b'), small(1, 4 * m, 'f'), small(2, 4 * m, 'f'), n), show("keep", n);
    late(small(0, 8 * m, 'q'), small(1, 4 * m, 'f'), small(2, 4 * m, 'f'), n), show("late", n);
    clip(small(0, 2 * m, 's'), n), show("clip", n);
    signs(small(0, 8 * m, 'd'), small(1, m, 'b'), n), show("signs", n);
    if (n < 80)
        lower(small(0, 4 * m * m, 'f'), small(1, 4 * m, 'f'), small(2, 4 * m * m, 'f'), n), show("lower", n);
}

int main(void)
{
    static const int odd[] = {0, 1, 2, 3, 5, 7, 8, 13, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65, 79, 127, 129, 257};
    for (int r = 0; r < REGIONS; r++) {
        unsigned char *p = mmap(NULL, ROOM + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED || mprotect(p + ROOM, PAGE, PROT_NONE) != 0)
            return 2;
        end[r] = p + ROOM;
    }
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        run(odd[i]);
    return 0;
}
C
as_before_everywhere 261
exit 0
