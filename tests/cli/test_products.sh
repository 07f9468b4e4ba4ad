#!/bin/sh
# Products of small integers: of pairs in words of 32 bits, of factors that are elements or differences of bytes, in
# register tiles and in loops beside others; of halves of 64 bits. And what is clamped between constants by two choices
# is a maximum of a minimum, so that a sum it is made of is read once. A comparison of bytes that chooses between bytes
# has as many lanes as they.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >old.c <<'C'
#include <stdint.h>
#define CLAMP(x, lo, hi) ((x) < (lo) ? (lo) : ((x) > (hi) ? (hi) : (x)))
int64_t energy(int n, const int *a, const int *b)
{
    int64_t sum = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        sum += (int64_t)a[i] * b[i];
#pragma endscop
    return sum;
}
int64_t scaled(int n, const int *a, int64_t *out)
{
    int64_t sum = 5;
#pragma scop
    for (int i = 0; i < n; i++) {
        sum += (int64_t)a[i] * (a[i] >> 8);
        out[i] = out[i] + (int64_t)a[i] * 3;
    }
#pragma endscop
    return sum;
}
int squares(int n, const uint8_t *a, const uint8_t *b)
{
    int sum = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        int d = a[i] - b[i];
        sum += d * d;
    }
#pragma endscop
    return sum;
}
void filter(int n, int taps, const int16_t *restrict x, const int16_t *restrict h, int16_t *restrict y)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int32_t acc = 1 << 14;
        for (int k = 0; k < taps; k++)
            acc += (int32_t)h[k] * x[i + k];
        acc >>= 15;
        y[i] = (int16_t)CLAMP(acc, -32768, 32767);
    }
#pragma endscop
}
void windows(int n, int taps, const int16_t *restrict x, const int16_t *restrict h, int *restrict y, int *restrict z)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int acc = 7, odd = 0;
        for (int k = 0; k < taps; k++)
            acc += h[k] * x[i + k];
        odd = acc & 1;
        y[i] = acc + odd;
        z[i] = odd ? acc : -acc;
    }
#pragma endscop
}
void fixed(int n, const int *restrict a, const int *restrict b, int *restrict y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = (int)(((int64_t)a[i] * b[i]) >> 15);
#pragma endscop
}
void hex(int n, const uint8_t *restrict s, uint8_t *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int hi = s[i] >> 4, lo = s[i] & 15;
        d[2 * i] = (uint8_t)(hi < 10 ? hi + '0' : hi + 'a' - 10);
        d[2 * i + 1] = (uint8_t)(lo < 10 || hi > 14 ? lo + '0' : lo + 'a' - 10);
    }
#pragma endscop
}
void limit(int n, const float *restrict x, float *restrict y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = CLAMP(x[i], -1.0f, 1.0f) + (x[i] > 2.0f ? 2.0f : x[i] < -3.0f ? -3.0f : x[i]);
#pragma endscop
}
C
cat >main.c <<'C'
#include "show.h"
#include <math.h>
#include <stdint.h>
int64_t energy(int n, const int *a, const int *b);
int64_t scaled(int n, const int *a, int64_t *out);
int squares(int n, const uint8_t *a, const uint8_t *b);
void filter(int n, int taps, const int16_t *restrict x, const int16_t *restrict h, int16_t *restrict y);
void windows(int n, int taps, const int16_t *restrict x, const int16_t *restrict h, int *restrict y, int *restrict z);
void fixed(int n, const int *restrict a, const int *restrict b, int *restrict y);
void hex(int n, const uint8_t *restrict s, uint8_t *restrict d);
void limit(int n, const float *restrict x, float *restrict y);
int main(void)
{
    static const int odd[] = {0, 1, 2, 3, 7, 8, 9, 13, 31, 33, 127, 129};
    static const float edge[] = {NAN, INFINITY, -INFINITY, 1, -1, 2, -3, 0, -0.0f};
    static int a[140], b[140], y[140], z[140];
    static int64_t out[140], sum[2];
    static uint8_t u[140], v[140], digits[280];
    static int16_t x[300], h[140], s[140];
    static float f[140], g[140];
    for (unsigned k = 0; k < sizeof odd / sizeof *odd; k++) {
        int n = odd[k], square[1];
        for (int i = 0; i < 140; i++) {
            a[i] = i % 5 == 0 ? INT32_MIN : i % 7 == 0 ? INT32_MAX : i * 7654321, b[i] = i % 2 ? -i : i;
            u[i] = i % 4 ? 0 : 255, v[i] = (uint8_t)(i * 91), h[i] = (int16_t)(i % 6 ? -4096 : i * 9);
            f[i] = i % 2 ? edge[i % 9] : (float)i / 9 - 5, out[i] = i;
        }
        for (int i = 0; i < 300; i++)
            x[i] = (int16_t)(i % 3 ? -4096 : i * 13);
        sum[0] = energy(n, a, b), sum[1] = scaled(n, a, out), square[0] = squares(n, u, v);
        SHOW(sum), SHOW(out), SHOW(square);
        for (int taps = 0; taps < 70; taps += 23) {
            filter(n, taps, x, h, s), windows(n, taps, x, h, y, z);
            SHOW(s), SHOW(y), SHOW(z);
        }
        fixed(n, a, b, y), hex(n, v, digits), limit(n, f, g);
        SHOW(y), SHOW(digits);
        for (int i = 0; i < 140; i++)
            if (g[i] != g[i])
                g[i] = 99; /* whatever NaN it is */
        SHOW(g);
    }
    return 0;
}
C
show_h
as_before_everywhere 166

expect 0 compile old.c --target=avx2 -o new.c
for of in energy_1 scaled_1 fixed_1; do
    grep -q "squall_${of}_i64x4_fma_low(" new.c || fail "$of multiplies 64 bits"
done
for of in squares_1 windows_1; do
    grep -q "squall_${of}_i32x8_dot2(" new.c || fail "$of multiplies 32 bits"
done
grep -q 'hex_1_u8x32_select(' new.c || fail "hex chooses between ints"
grep -q 'filter: .*micro(i' new.c || fail "filter has no tile"
grep -q 'limit_1_f32x8_max' new.c || fail "limit chooses"
expect 0 compile old.c --target=c -o new.c
! grep -q 'fma_low\|dot2' new.c || fail "portable code has halves and pairs"
expect 0 check --passes old.c --target=avx2 --kernel=windows
expect 0 check old.c --target=avx2 --kernel=squares --quick
