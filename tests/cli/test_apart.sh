#!/bin/sh
# Loops that write one array in several places which never meet: turned around in place, planes one behind the other.
# Where they meet in some iterations, the order stays that of the loop.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
cat >old.c <<'C'
#include <stdint.h>
void flip(int n, float *a)
{
#pragma scop
    for (int i = 0; i < n / 2; i++) {
        float t = a[i];
        a[i] = a[n - 1 - i];
        a[n - 1 - i] = t;
    }
#pragma endscop
}
void mirror(int w, int h, uint8_t img[h][w])
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w / 2; x++) {
            uint8_t t = img[y][x];
            img[y][x] = img[y][w - 1 - x];
            img[y][w - 1 - x] = t;
        }
#pragma endscop
}
void planar(int n, uint8_t *restrict d, const uint8_t *restrict s)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        d[i] = s[3 * i];
        d[n + i] = s[3 * i + 1];
        d[2 * n + i] = s[3 * i + 2];
    }
#pragma endscop
}
void halves(int n, int16_t *restrict d, const int16_t *restrict s)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        d[2 * n - 1 - i] = (int16_t)(s[i] + 1);
        d[i] = s[i];
    }
#pragma endscop
}
/* The middle is turned twice. */
void too_far(int n, float *a)
{
#pragma scop
    for (int i = 0; i < n / 2 + 2; i++) {
        float t = a[i];
        a[i] = a[n + 1 - i];
        a[n + 1 - i] = t + 1;
    }
#pragma endscop
}
/* The last of one plane is the first of the next. */
void lapping(int n, int m, float *restrict d, const float *restrict s)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        d[i] = s[i];
        d[m + i] = 2 * s[i];
    }
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
void flip(int n, float *a), mirror(int w, int h, uint8_t img[h][w]), planar(int n, uint8_t *, const uint8_t *);
void halves(int n, int16_t *, const int16_t *), too_far(int n, float *), lapping(int, int, float *, const float *);
static float a[400], s[400];
static uint8_t u[2000], v[2000];
static int16_t h[400], k[400];
static void fill(void)
{
    for (int i = 0; i < 2000; i++)
        u[i] = (uint8_t)(i * 7), v[i] = (uint8_t)(i * 13 + 1);
    for (int i = 0; i < 400; i++)
        a[i] = (float)i, s[i] = (float)(3 * i + 1), h[i] = (int16_t)i, k[i] = (int16_t)(5 * i);
}
static void put(const char *of, int n)
{
    double all = 0;
    for (int i = 0; i < 2000; i++)
        all = all * 0.999 + u[i] * (i % 17);
    for (int i = 0; i < 400; i++)
        all = all * 0.999 + a[i] * (i % 13) + h[i] * (i % 11);
    printf("%s %d: %.17g\n", of, n, all);
    fill();
}
int main(void)
{
    static const int sizes[] = {0, 1, 2, 3, 7, 13, 15, 16, 17, 31, 32, 33, 64, 65, 127, 129};
    fill();
    for (int i = 0; i < 16; i++) {
        int n = sizes[i];
        flip(n, a), put("flip", n);
        mirror(n, 5, (void *)u), put("mirror", n);
        planar(n, u, v), put("planar", n);
        halves(n, h, k), put("halves", n);
        too_far(n, a), put("too far", n);
        for (int m = 0; m < 40; m += m < 20 ? 1 : 7)
            lapping(n, m, a, s), put("lapping", n);
    }
    return 0;
}
C
as_before_on generic avx2 avx512
for name in flip mirror planar halves; do
    grep -q "squall_${name}_1_[fui0-9]*x[0-9]*_store" avx2.c || fail "$name: no vectors"
done
! grep -q "squall_too_far_1_[fui0-9]*x[0-9]*_store" avx2.c || fail "too_far: vectors"
