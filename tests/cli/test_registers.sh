#!/bin/sh
# Sums of a register tile stay in registers: no loop of multiply-adds that gcc makes of a tile with an epilogue, in loops
# over tiles, touches the stack. (gcc keeps constants of the epilogue in registers across all loops, if it may.)
. "$SQUALL_SOURCE/tests/cli/lib.sh"
"$CC" --version | grep -qiE 'gcc|free software' || { echo "the compiler is no gcc"; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo "this is no x86-64"; exit 77; }
cat >dense.sq <<'K'
#include "squall.h"
kernel dense(int C, int K, int P, const f32 X[C][P], const f32 G[K][C], const f32 bias[K], f32 Y[K][P])
{
    idx k, p, c;
    Y[k][p] = relu(sum(X[c][p] * G[k][c], c) + bias[k]);
}
K
expect 0 compile dense.sq --fix=C=192,K=64,P=625 --target=avx2 -o dense.c \
    -e 'tile(p:64) order(p0, p, k) micro(k:6, p:16 | c) vectorize(p:8)'
"$CC" -O2 -S dense.c -o dense.s
awk '/^\.L[0-9]+:/ { sums = stack = 0 }
     /vfmadd/ { sums++ }
     /%rsp|%rbp/ { stack++ }
     /^\tj/ { if (sums >= 6) { loops++; bad += stack > 0 } sums = stack = 0 }
     END { printf "%d loops of multiply-adds, %d with sums on the stack\n", loops, bad; exit !(loops >= 3 && bad == 0) }' \
    dense.s || fail "gcc keeps sums on the stack"
