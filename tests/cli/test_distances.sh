#!/bin/sh
# Sums of the distances of bytes, as motion search has them: psadbw takes four a lane where the processor has it, and what
# only looks so is computed as it stands.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
ends_h
cat >own.h <<'C'
#include <stdint.h>
int sad(const uint8_t *a, const uint8_t *b, int n);
int chosen(const uint8_t *a, const uint8_t *b, int n);
int turned(const uint8_t *a, const uint8_t *b, int n);
int signs(const int8_t *a, const int8_t *b, int n);
int other(const uint8_t *a, const uint8_t *b, int n);
int bound(const uint8_t *a, const uint8_t *b, int n);
void rows(const uint8_t *a, const uint8_t *b, int *s, int m, int n);
int block(const uint8_t *restrict a, const uint8_t *restrict b, int stride);
C
cat >old.c <<'C'
#include "own.h"
#include <stdlib.h>
int sad(const uint8_t *a, const uint8_t *b, int n)
{
    int s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += abs(a[i] - b[i]);
#pragma endscop
    return s;
}
int chosen(const uint8_t *a, const uint8_t *b, int n)
{
    int s = 7;
#pragma scop
    for (int i = 0; i < n; i++)
        s += a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
#pragma endscop
    return s;
}
int turned(const uint8_t *a, const uint8_t *b, int n)
{
    int s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += a[i] > b[i] ? b[i] - a[i] : a[i] - b[i];
#pragma endscop
    return s;
}
int signs(const int8_t *a, const int8_t *b, int n)
{
    int s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += abs(a[i] - b[i]);
#pragma endscop
    return s;
}
int other(const uint8_t *a, const uint8_t *b, int n)
{
    int s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += a[i] > b[i] ? a[i] - b[i] : b[i] - b[0];
#pragma endscop
    return s;
}
int bound(const uint8_t *a, const uint8_t *b, int n)
{
    int s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += a[i] - b[i] < 1 ? -(a[i] - b[i]) : a[i] - b[i];
#pragma endscop
    return s;
}
void rows(const uint8_t *a, const uint8_t *b, int *s, int m, int n)
{
#pragma scop
    for (int y = 0; y < m; y++) {
        s[y] = 0;
        for (int x = 0; x < n; x++)
            s[y] += abs(a[y * n + x] - b[x]);
    }
#pragma endscop
}
int block(const uint8_t *restrict a, const uint8_t *restrict b, int stride)
{
    int s = 0;
#pragma scop
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 16; x++)
            s += abs(a[y * stride + x] - b[y * stride + x]);
#pragma endscop
    return s;
}
C
cat >main.c <<'C'
#include "ends.h"
#include "own.h"
static void *at(int r, int bytes)
{
    for (int i = 0; i < ROOM; i++)
        end[r][-1 - i] = (unsigned char)(i * (89 + 34 * r) + i / 7 * 31);
    return end[r] - bytes;
}
int main(void)
{
    make_ends(2);
    static int s[16];
    for (unsigned k = 0; k < sizeof odd / sizeof *odd; k++) {
        int n = odd[k];
        printf("%d: %d %d %d %d %d %d", n, sad(at(0, n), at(1, n), n), chosen(at(0, n), at(1, n), n),
               turned(at(0, n), at(1, n), n), signs(at(0, n), at(1, n), n), n ? other(at(0, n), at(1, n), n) : 0,
               bound(at(0, n), at(1, n), n));
        rows(at(0, 16 * n), at(1, n), s, 16, n);
        for (int y = 0; y < 16; y++)
            printf(" %d", s[y]);
        printf(" %d", n < 16 ? 0 : block(at(0, 16 * n), at(1, 16 * n), n));
        printf("\n");
        show_end(0, "a", n);
    }
    return 0;
}
C
as_before_everywhere 88 # without elements `other` is not called, and `block` not below 16

expect 0 compile old.c --target=avx2 -o new.c
for name in sad chosen; do
    grep -q "squall_${name}_1_i32x8_sad4(" new.c || fail "$name: no distances of bytes"
done
for name in turned signs other bound; do
    ! grep -q "squall_${name}_1_i32x8_sad4(" new.c || fail "$name: is no distance of bytes"
done
# A block of 16 x 16 takes them of 16 bytes at a time; windows that lie side by side are sums of 16 bits.
grep -q "squall_block_1_i32x4_sad4(" new.c || fail "block: no distances of bytes"
cat >search.sq <<'Q'
#include "squall.h"
kernel search(int N, const uint8_t A[N + 7], const uint8_t B[8], uint16_t S[N])
{
    idx x, i;
    S[x] = (uint16_t)sum((int32_t)A[x + i] > (int32_t)B[i] ? (int32_t)A[x + i] - (int32_t)B[i]
                                                           : (int32_t)B[i] - (int32_t)A[x + i], i);
}
Q
expect 0 compile search.sq --target=avx2 -o search.c
grep -q "narrow(.*vectorize(x:16)" search.c || fail "search: lanes along windows"
expect 0 compile old.c --target=avx512 -o new.c
grep -q "psadbw512" new.c || fail "avx512: no distances of bytes"
"${CC:-cc}" -O2 -Wall -Wextra -Werror -c new.c -o new.o || fail "avx512 does not compile"
expect 0 check old.c --target=avx512 --passes
exit 0
