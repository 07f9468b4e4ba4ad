/* The kernels of kernels.sq as plain loops: what they compute, and what a compiler makes of it alone.
 * `restrict` tells it what Squall assumes, too: that no two arrays overlap. */
#include "plain.h"
#include <stdlib.h>

static int inside(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

static uint8_t byte(int v)
{
    return v < 0 ? 0 : v > 255 ? 255 : (uint8_t)v;
}

void plain_demosaic(int H, int W, const uint8_t *restrict S, uint8_t *restrict R,
                    uint8_t *restrict G, uint8_t *restrict B)
{
    for (int y = 0; y < H; y++) {
        const uint8_t *up = S + inside(y - 1, H) * W, *s = S + y * W,
                      *down = S + inside(y + 1, H) * W;
        for (int x = 0; x < W; x++) {
            int l = inside(x - 1, W), r = inside(x + 1, W), i = y * W + x;
            uint8_t cross = (uint8_t)((up[x] + down[x] + s[l] + s[r] + 2) >> 2);
            uint8_t corners = (uint8_t)((up[l] + up[r] + down[l] + down[r] + 2) >> 2);
            uint8_t beside = (uint8_t)((s[l] + s[r] + 1) >> 1),
                    above = (uint8_t)((up[x] + down[x] + 1) >> 1);
            int odd_row = y % 2, odd_column = x % 2;
            R[i] = !odd_row ? (!odd_column ? s[x] : beside) : (!odd_column ? above : corners);
            G[i] = odd_row == odd_column ? cross : s[x];
            B[i] = !odd_row ? (!odd_column ? corners : above) : (!odd_column ? beside : s[x]);
        }
    }
}

void plain_to_yuv(int N, const uint8_t *restrict R, const uint8_t *restrict G,
                  const uint8_t *restrict B, uint8_t *restrict Y, uint8_t *restrict U,
                  uint8_t *restrict V)
{
    for (int i = 0; i < N; i++) {
        Y[i] = (uint8_t)((38 * R[i] + 75 * G[i] + 15 * B[i] + 64) >> 7);
        U[i] = (uint8_t)(((-21 * R[i] - 42 * G[i] + 63 * B[i] + 64) >> 7) + 128);
        V[i] = (uint8_t)(((63 * R[i] - 53 * G[i] - 10 * B[i] + 64) >> 7) + 128);
    }
}

void plain_to_rgb(int N, const uint8_t *restrict Y, const uint8_t *restrict U,
                  const uint8_t *restrict V, uint8_t *restrict R, uint8_t *restrict G,
                  uint8_t *restrict B)
{
    for (int i = 0; i < N; i++) {
        R[i] = byte((64 * Y[i] + 90 * (V[i] - 128) + 32) >> 6);
        G[i] = byte((64 * Y[i] - 22 * (U[i] - 128) - 46 * (V[i] - 128) + 32) >> 6);
        B[i] = byte((64 * Y[i] + 113 * (U[i] - 128) + 32) >> 6);
    }
}

void plain_sharpen(int H, int W, const uint8_t *restrict X, uint8_t *restrict Y)
{
    uint8_t *rows = malloc((size_t)H * W);
    if (!rows)
        abort();
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            const uint8_t *row = X + y * W;
            rows[y * W + x] =
                (uint8_t)((row[inside(x - 2, W)] + 4 * row[inside(x - 1, W)] + 6 * row[x] +
                           4 * row[inside(x + 1, W)] + row[inside(x + 2, W)] + 8) >>
                          4);
        }
    for (int y = 0; y < H; y++) {
        const uint8_t *a = rows + inside(y - 2, H) * W, *b = rows + inside(y - 1, H) * W;
        const uint8_t *c = rows + y * W, *d = rows + inside(y + 1, H) * W,
                      *e = rows + inside(y + 2, H) * W;
        for (int x = 0; x < W; x++) {
            int blurred = (a[x] + 4 * b[x] + 6 * c[x] + 4 * d[x] + e[x] + 8) >> 4;
            Y[y * W + x] = byte(2 * X[y * W + x] - blurred);
        }
    }
    free(rows);
}

void plain_shrink_columns(int N, const uint8_t *restrict X, uint8_t *restrict Y)
{
    for (int i = 0; i < N; i++) {
        Y[2 * i] = (uint8_t)((3 * X[3 * i] + X[3 * i + 1] + 2) >> 2);
        Y[2 * i + 1] = (uint8_t)((X[3 * i + 1] + 3 * X[3 * i + 2] + 2) >> 2);
    }
}

void plain_shrink_rows(int H, int W, const uint8_t *restrict X, uint8_t *restrict Y)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            const uint8_t *a = X + 3 * y * W, *b = a + W, *c = b + W;
            Y[2 * y * W + x] = (uint8_t)((3 * a[x] + b[x] + 2) >> 2);
            Y[(2 * y + 1) * W + x] = (uint8_t)((b[x] + 3 * c[x] + 2) >> 2);
        }
}
