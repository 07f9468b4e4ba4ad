#!/bin/sh
# Filters written out, tap by tap: one statement that reads hundreds of elements is compiled in a
# moment to a text of sane length, and computes what the naive nest does; beyond the limit it is
# refused.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
SQUALL_HARNESS="$SQUALL_BUILD/squall-harness"
export SQUALL_HARNESS

# taps N PATTERN: the sum of N x N terms; %r and %s are the tap, %y and %x its place
taps() {
    awk -v n="$1" -v pattern="$2" 'BEGIN {
        for (r = 0; r < n; r++)
            for (s = 0; s < n; s++) {
                text = pattern
                gsub("%r", r, text)
                gsub("%s", s, text)
                gsub("%n", r * n + s, text)
                printf "%s%s", r + s ? "\n + " : "", text
            }
    }'
}

filter() {
    cat <<K
#include "squall.h"
kernel filter(int H, int W, const f32 X[H + $1 - 1][W + $1 - 1], const f32 w[$1][$1], f32 Y[H][W])
{
    idx y, x;
    Y[y][x] = $(taps "$1" 'w[%r][%s] * X[y + %r][x + %s]');
}
K
}

# The same in C as it is written: flat arrays, loops.
region() {
    cat <<K
void filter(int H, int W, int S, const float *restrict X, const float *restrict w, float *restrict Y)
{
#pragma scop
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            Y[y * W + x] = $(taps "$1" 'w[%n] * X[(y + %r) * S + x + %s]');
#pragma endscop
}
K
}

filter 9 >f9.sq
filter 11 >f11.sq
region 9 >r9.c
region 11 >r11.c
for file in f9.sq f11.sq r9.c r11.c; do
    expect 0 compile "$file" -o out.c --time
    ms=$(sed -n 's/^total *\([0-9]*\).*/\1/p' err)
    [ "$SQUALL_SANITIZED" = 1 ] || [ "$ms" -lt 2000 ] || fail "$file: compiled in $ms ms"
    bytes=$(wc -c <out.c)
    [ "$bytes" -lt 400000 ] || fail "$file: $bytes bytes of text"
done
expect 0 check f9.sq --at=H=13,W=27
expect 0 check r11.c --at=H=6,W=19,S=29

filter 17 >f17.sq
expect 1 compile f17.sq -o big.c
says 'this statement reads 578 array elements; accepted are up to 512'
absent big.c
