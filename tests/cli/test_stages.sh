#!/bin/sh
# Subscripts that several statements of a block choose, int xx = x + k; if (xx < 0) xx = 0; and the new file computes
# what the old one does: clamps, mirrors and rings of images, with and without declarations where they are.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
cat >old.c <<'C'
#include <stdint.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
void clamps(const uint8_t *s, uint8_t *d, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int sum = 0;
            for (int j = -1; j <= 1; j++) {
                int yy = y + j;
                if (yy < 0) yy = 0;
                if (yy >= h) { yy = h - 1; }
                const uint8_t *row = s + yy * w;
                for (int k = -1; k <= 1; k++) {
                    int xx = x + k;
                    if (xx < 0)
                        xx = 0;
                    else if (xx > w - 1)
                        xx = w - 1;
                    sum += row[xx] * (k + 2);
                }
            }
            d[y * w + x] = sum / 18;
        }
#pragma endscop
}
void mirrors(const uint8_t *s, uint8_t *d, int w, int h)
{
    int x, y, k, xx, at;
#pragma scop
    for (y = 0; y < h; y++)
        for (x = 0; x < w; x++) {
            int sum = 0;
            for (k = -2; k <= 2; k++) {
                xx = x + k;
                if (xx < 0) xx = -xx;
                if (xx >= w) xx = 2 * w - 2 - xx;
                at = y * w + xx;
                sum += s[at];
            }
            d[y * w + x] = sum / 5;
        }
#pragma endscop
}
void rings(const uint8_t *s, uint8_t *d, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int r = x + 1, l = x - 1, u, b, also = l;
            if (r >= w) r -= w;
            if (l < 0) l += w;
            u = y - 1;
            if (u == -1)
                u = h - 1;
            b = y;
            b++;
            b = MIN(b, h);
            if (b == h) b = 0;
            d[y * w + x] = (s[y * w + r] + s[y * w + l] + s[u * w + x] + s[b * w + l] + also) / 4;
        }
#pragma endscop
}
/* Values between are read; one is of another variable that changes, one of a name that something else has outside. */
void between(const uint8_t *s, uint8_t *d, int w, int h)
{
    int a = 5;
    (void)a;
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int a = x - 1, b = x + 1, c = a + 1;
            if (a < 0) a = b;
            if (a > w - 1) a = w - 1;
            d[y * w + x] = (s[y * w + a] + s[y * w + c] * 3 + a) / 5;
        }
#pragma endscop
}
/* Of bytes, and not of subscripts: stays what it is. */
void values(const uint8_t *s, uint8_t *d, int w, int h)
{
#pragma scop
    for (int i = 0; i < w * h; i++) {
        int v = s[i] * 3 - 200;
        if (v < 0) v = 0;
        if (v > 255) v = 255;
        d[i] = v;
    }
#pragma endscop
}
C
images_main 2 clamps rings between values mirrors
as_before_on generic avx2 avx512
# What is read in between has no name of its own, and a value before there is none.
cat >bad.c <<'C'
void f(int n, const float *a, float *b)
{
    int t;
#pragma scop
    for (int i = 0; i < n; i++) {
        t = i - 1;
        b[i] = a[i] * t;
        if (t < 0)
            t = 0;
        b[i] += a[t];
    }
#pragma endscop
}
C
expect 1 compile bad.c -o none.c
says "'t' is written in the region"
