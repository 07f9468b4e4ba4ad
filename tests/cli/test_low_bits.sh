#!/bin/sh
# Bytes that are made of wider integers by shifts: as many low bits as the byte shows are computed, in bytes or in 16 bits.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
cat >old.c <<'C'
#include <stdint.h>
void parity(int n, uint8_t *restrict d, const uint8_t *restrict s)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        uint8_t x = s[i];
        x ^= x >> 4;
        x ^= x >> 2;
        x ^= x >> 1;
        d[i] = x & 1;
    }
#pragma endscop
}
/* The product has 17 bits. */
void mix(int n, uint8_t *restrict d, const uint8_t *restrict s, const uint8_t *restrict t)
{
#pragma scop
    for (int i = 0; i < n; i++)
        d[i] = (uint8_t)(d[i] + (((s[i] - d[i]) * t[i]) >> 8));
#pragma endscop
}
/* One bit more than 16 hold. */
void mix9(int n, uint8_t *restrict d, const uint8_t *restrict s, const uint8_t *restrict t)
{
#pragma scop
    for (int i = 0; i < n; i++)
        d[i] = (uint8_t)(((s[i] - d[i]) * t[i]) >> 9);
#pragma endscop
}
void nibbles(int n, int8_t *restrict d, const int8_t *restrict s)
{
#pragma scop
    for (int i = 0; i < n; i++)
        d[i] = (int8_t)((s[i] >> 4) - ((s[i] << 2) >> 3));
#pragma endscop
}
void choice(int n, uint8_t *restrict d, const uint8_t *restrict s)
{
#pragma scop
    for (int i = 0; i < n; i++)
        d[i] = (uint8_t)((s[i] * (s[i] > d[i] ? s[i] : 300 - d[i])) >> 6);
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdint.h>
#include <stdio.h>
enum { N = 65536 };
void parity(int, uint8_t *, const uint8_t *), choice(int, uint8_t *, const uint8_t *);
void nibbles(int, int8_t *, const int8_t *);
void mix(int, uint8_t *, const uint8_t *, const uint8_t *), mix9(int, uint8_t *, const uint8_t *, const uint8_t *);
static uint8_t d[N], s[N], t[N];
static void put(const char *of, int n, int k)
{
    uint64_t all = 0;
    for (int i = 0; i < N; i++) {
        all = (all ^ d[i]) * 1099511628211u;
        d[i] = (uint8_t)(i >> 8), s[i] = (uint8_t)i, t[i] = (uint8_t)(i * 37 + k * 11);
    }
    printf("%s %d: %llx\n", of, n, (unsigned long long)all);
}
int main(void)
{
    for (int k = 0; k < 12; k++) {
        int n = k < 6 ? N : 1 + 23 * (k - 6);
        put("start", n, k);
        parity(n, d, s), put("parity", n, k);
        mix(n, d, s, t), put("mix", n, k);
        mix9(n, d, s, t), put("mix9", n, k);
        nibbles(n, (int8_t *)d, (const int8_t *)s), put("nibbles", n, k);
        choice(n, d, s), put("choice", n, k);
    }
    return 0;
}
C
as_before_on generic avx2 avx512
has() { grep -q "squall_${1}_1_$2 t[0-9]* = .*>>" avx2.c || fail "$1: no shift of $2"; }
has parity u8x32
has mix u16x16
has mix9 i32x8
has nibbles i16x16
