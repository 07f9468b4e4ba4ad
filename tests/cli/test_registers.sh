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
stays() { # NAME LOOPS: NAME.c has at least so many loops of multiply-adds, and no sum on the stack
    "$CC" -O2 -S "$1.c" -o "$1.s"
    awk -v least="$2" '/^\.L[0-9]+:/ { sums = stack = 0; label = $1 }
         /vfmadd/ { sums++ }
         /mm.*\(%r[sb]p|\(%r[sb]p.*mm/ { stack++ }
         /^\tj/ { if (sums >= 6 && $2 ":" == label) { loops++; bad += stack > 0 } sums = stack = 0 }
         END { printf "%d loops of multiply-adds, %d with sums on the stack\n", loops, bad; exit !(loops >= least && bad == 0) }' \
        "$1.s" || fail "$1: gcc keeps sums on the stack"
}
stays dense 3

# So do those of the tiles that the model chooses, whatever the product is put together with.
for name in gemm gemm_bias_relu gemm_residual; do
    expect 0 compile "$SQUALL_SOURCE/samples/$name.sq" --target=avx2 -o $name.c
    stays $name 1
done

# Taps of a convolution that together read more than there are registers are loops, which share no loads; within one,
# the rows of the image are visited one after the other: three factors stay in registers for four vectors of elements,
# and not four for three.
expect 0 compile "$SQUALL_SOURCE/samples/conv2d.sq" --target=avx2 --fix=N=1,C=64,H=56,W=56,F=64 -o conv2d.c \
    -e 'pack(I at top) pack(G at top) micro(f:3, y:4, r:3, s:3, x:8 | c)'
stays conv2d 1
sed -n '/^SQ_[A-Z]* .*_tile_/,/^}/p' conv2d.c >tile
for loop in 'for (int64_t r = 0; r < 3; r++)' 'for (int64_t s = 0; s < 3; s++) {' 'for (int y = 0; y < 4; y++) {' \
    'for (int f = 0; f < 3; f++) {'; do
    grep -nF "$loop" tile | head -1 | cut -d: -f1 >>places || fail "the tile has no '$loop'"
done
sort -c -n places || fail "loops of the tile are in another order"
grep -q 'if (y == 0) ' tile || fail "factors are not those of the first row"

# A tile has as many rows as the loops that statements share leave it, without a rest in each of their iterations.
expect 0 show schedule "$SQUALL_SOURCE/samples/polybench/doitgen.sq" --fix=R=24,Q=24,P=48 --target=avx2
grep -qE '^S0: tile\(r_q:(4|8|16)\).* micro\(r_q:4,' out || fail "the tile does not fit the shared rows"
