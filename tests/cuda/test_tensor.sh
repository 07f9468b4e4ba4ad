#!/bin/sh
# Matrix instructions: sums of products of every type and layout, executed on the processor at odd sizes
# and compared with the plain loops; fragments are loaded without bank conflicts; what is wrong in the
# text on purpose is found.
. "$SQUALL_SOURCE/tests/cuda/lib.sh"

# script STEPS SHARE: warps of 32 x 16 in blocks of 32 x 32.
script() {
    echo "tile(i:32, j:32, k:$((2 * $1))) order(i0, j0, i, j, k0) micro(i:32, j:16 | k) tensorize(i:16, j:8, k:$1)
        hold(k0) block(i0, j0) thread(i, j) $2"
}

cp "$SQUALL_SOURCE"/samples/hgemm.sq "$SQUALL_SOURCE"/samples/gemm.sq "$SQUALL_SOURCE"/samples/gemm_s8.sq .
for k in hgemm gemm_s8; do
    "$SQUALL" show schedule $k.sq --target=cuda,arch=sm_80 | grep -q tensorize || complain "$k untuned has no matrix instructions"
done
"$SQUALL" show schedule gemm.sq --target=cuda,arch=sm_80 | grep -q tensorize && complain "f32 is rounded unasked"
{ echo '#pragma squall fp fast'; sed 's/gemm/fast/' gemm.sq; } >fast.sq
"$SQUALL" show schedule fast.sq --target=cuda,arch=sm_80 | grep -q tensorize && complain "f32 is rounded by the untuned schedule"

refused "only .#pragma squall fp fast. allows that" gemm.sq --target=cuda -e "$(script 8 'share(A, B at k0)')"
refused "a processor has no matrix instructions" hgemm.sq --target=avx2 -e "$(script 16 'share(A, B at k0)')"
refused "tensorize refused: matrix instructions have their operands from shared memory: share(B at k0)" hgemm.sq --target=cuda -e "$(script 16 'share(A at k0)')"
refused "2048 threads; sm_80 has 1024 at most" hgemm.sq --target=cuda -e "$(script 16 'share(A, B at k0)' | sed 's/tile(i:32, j:32/tile(i:256, j:128/')"
# Said at the call that it is about, not at the first one.
refused "tensorize refused: the instruction for f16 has another shape: tensorize(i:16, j:8, k:16)" hgemm.sq \
    --target=cuda -e "$(script 8 'share(A, B at k0)')"
refused "vectorize refused: the instruction says which elements lie side by side" hgemm.sq --target=cuda \
    -e "$(script 16 'share(A, B at k0) vectorize(j:8)')"
refused "share refused: the copy of A is made inside the threads' loops" hgemm.sq --target=cuda \
    -e "$(script 16 'share(A, B at k0)' | sed 's/hold(k0)//')"
# Two dimensions in one subscript: what lies behind the end of one is no zero.
cat >window.sq <<'END'
#include "squall.h"
kernel window(int F, int N, int R, const f16 W[F][R], const f16 X[N + R], f32 Y[F][N])
{
    idx f, n, r;
    Y[f][n] = sum((f32)W[f][r] * (f32)X[n + r], r);
}
END
taps='tile(f:32, n:32, r:32) order(f0, n0, f, n, r0) micro(f:32, n:16 | r) tensorize(f:16, n:8, r:16) hold(r0) block(f0, n0) thread(f, n) share(W, X at r0)'
refused "the copy of 'X' has no zeros beyond the end of 'r', which stands in a subscript together with 'n'" window.sq \
    --target=cuda -e "$taps"
"$SQUALL" compile window.sq --fix=R=64 --target=cuda -e "$taps" -o x.cu >log 2>&1 || { complain "whole steps need no zeros"; }

if ! { [ -d "${SQUALL_SIMT:-$SQUALL_BUILD/simt}" ] && command -v g++ >/dev/null; }; then
    echo "skipped: running the texts (no g++, or the headers are not built)"
    exit $bad
fi

# checked NAME SCRIPT [options]: right at odd sizes, nothing found, no lane of a fragment waits for another.
checked() {
    name=$1 calls=$2
    shift 2
    "$SQUALL" check $name.sq --progress=never --target=cuda,arch=sm_80 -e "$calls" "$@" >log 2>&1 ||
        { complain "$name computes wrongly"; return; }
    grep -q '; 0 findings' log || { complain "$name has findings"; }
    grep -q 'fragment loaded' log || grep -q 'shared read' log || complain "$name: no fragment"
    ! grep -E 'fragment loaded|shared read' log | grep -v 'conflicts 0$' || complain "$name: fragments are in each other's way"
}
odd='--at=M=1,N=1,K=1 --at=M=2,N=3,K=7 --at=M=13,N=31,K=33 --at=M=33,N=2,K=127 --at=M=67,N=129,K=31 --at=M=64,N=32,K=64'
for run in 'f16 nn 16 8 8' 'f16 tt 16 8 8' 'bf16 tn 16 8 8' 'int8_t nn 32 16 16' 'uint8_t nt 32 16 16' 'f32 nn 8 4 8' 'f32 tt 8 8 4'; do
    set -- $run
    sum=f32
    case $1 in *int*) sum=int32_t ;; esac
    product p_$1_$2 $1 $sum $2 >p_$1_$2.sq
    checked p_$1_$2 "$(script $3 "share(A at k0, pad:$4) share(B at k0, pad:$5)")" $odd
done
# Copies on their way, also of elements that stand nowhere aligned; bytes that are turned.
checked p_f16_nn "$(script 16 'share(A, B at k0, pad:8, stages:3)')" $odd
checked p_int8_t_nn "$(script 32 'share(A, B at k0, pad:16, stages:2)')" --at=M=13,N=31,K=67 --at=M=64,N=32,K=128
# Rows of the instruction along the columns of the result, an odd number of instructions.
checked p_f16_nn 'tile(i:24, j:32, k:16) order(i0, j0, i, j, k0) micro(i:24, j:16 | k) tensorize(j:16, i:8, k:16)
    hold(k0) block(i0, j0) thread(i, j) share(A, B at k0, pad:8)' $odd

# Less of everything than one instruction takes.
sed 's/hgemm/small/' hgemm.sq >small.sq
checked small "$(script 16 'share(A, B at k0, pad:8)')" --fix=M=5,N=3,K=2
# A batch, several reductions, part of an operand, old values, and another statement on the sums.
batch >batch.sq
checked batch 'fuse(S0, S1) tile(i:32, j:32, k:32) order(b, i0, j0, i, j, r, k0) micro(i:16, j:16 | k)
    tensorize(i:16, j:8, k:16) hold(r) block(b, i0, j0) thread(i, j) share(X, W at k0, pad:8, stages:2)' \
    --at=B=2,M=33,N=31,K=35 --at=B=3,M=5,N=7,K=3 --at=B=1,M=32,N=32,K=34
"$SQUALL" check hgemm.sq --progress=never --target=cuda,arch=sm_90 --at=M=129,N=127,K=33 --at=M=3,N=5,K=0 --at=M=128,N=128,K=64 >log 2>&1 ||
    { complain "hgemm untuned computes wrongly"; }

# Sums that end elsewhere for each product of a batch, and operands that are read beyond their ends: many tiles of steps,
# so that all stages are used.
cat >ends.sq <<'END'
#include "squall.h"
kernel ragged(int B, int M, int N, int K, const f16 A[B][M][K], const f16 W[K][N], f32 C[B][M][N])
{
    idx b, i, j, k;
    range(k, 0, min2(K, 30 * b + 3));
    C[b][i][j] = sum((f32)A[b][i][k] * (f32)W[k][j], k);
}
kernel padded(int M, int N, int K, const f16 A[M][K], const f16 B[K][N], f32 C[M + 9][N + 8])
{
    idx i, j, k;
    C[i][j] = sum((f32)pad(A[i][k], 0) * (f32)pad(B[k][j], 0), k);
}
kernel padded_f32(int M, int N, int K, const f32 A[M][K], const f32 B[K][N], f32 C[M + 9][N + 8])
{
    idx i, j, k;
    C[i][j] = sum(pad(A[i][k], 0) * pad(B[k][j], 0), k);
}
kernel written(int B, int M, int N, const f32 X[B][M][B], f32 Y[B][M][N])
{
    idx b, i, j, k;
    f32 T[B][B][N];
    range(k, 0, b + 1);
    T[b][k][j] = (f32)(b + k + j);
    Y[b][i][j] = sum(X[b][i][k] * T[b][k][j], k);
}
END
for arch in sm_80 sm_90a; do
    for run in "ragged --at=B=5,M=70,N=137,K=72" "padded --at=M=70,N=140,K=300" "padded_f32 --at=M=70,N=140,K=300" \
        "written --at=B=7,M=40,N=70"; do
        "$SQUALL" check ends.sq --kernel=${run%% *} ${run#* } --progress=never --target=cuda,arch=$arch >log 2>&1 &&
            grep -q '; 0 findings' log || { tail -5 log; complain "$run on $arch computes wrongly"; }
    done
done

# What is assumed of sizes takes no tiles away.
sed 's/^{/{ assume(K % 8 == 0); assume(N % 16 == 0 \&\& M >= 3);/; s/hgemm/assumed/' hgemm.sq >assumed.sq
"$SQUALL" show schedule assumed.sq --target=cuda,arch=sm_80 | grep -q tensorize || complain "assumed sizes: no matrix instructions"
"$SQUALL" check assumed.sq --progress=never --target=cuda,arch=sm_80 --at=M=35,N=48,K=72 --at=M=130,N=144,K=8 >log 2>&1 &&
    grep -q '; 0 findings' log || { tail -5 log; complain "assumed sizes: wrong"; }

# Copies run on from one tap of a filter to the next, also where each has a single iteration.
cat >taps.sq <<'END'
#include "squall.h"
kernel taps(int N, int C, int H, int W, int F, const f16 X[N][H][W][C], const f16 G[F][3][2][C], f16 Y[N][H][W][F])
{
    idx n, y, x, f, r, s, c;
    Y[n][y][x][f] = (f16)sum((f32)pad(X[n][y + r - 1][x + s][c], 0) * (f32)G[f][r][s][c], r, s, c);
}
END
tapped='micro() tile(y:2, x:16, f:16, c:16) order(n, y0, x0, f0, y, x, f, s, r, c0) micro(x:16, f:16 | c)
    tensorize(x:16, f:8, c:16) hold(s) block(n, y0, x0, f0) thread(y, x, f) share(X, G at c0, pad:8, stages:3)'
checked taps "$tapped" --at=N=1,C=33,H=5,W=17,F=18 --at=N=2,C=16,H=3,W=4,F=7 --at=N=1,C=1,H=1,W=1,F=1 --at=N=1,C=100,H=4,W=33,F=3
checked taps "$tapped" --fix=C=16 --at=N=1,H=5,W=17,F=18
"$SQUALL" compile taps.sq --target=cuda,arch=sm_80 -e "$tapped" -o good.cu
grep -q 'int64_t s_next = ' good.cu || complain "taps: copies end with each tap"
sed 's/c0_next = c0_next + 16;/c0_next = c0_next + 32;/' good.cu >bad.cu
"$SQUALL" check bad.cu --target=cuda,arch=sm_80 -DSQUALL_SELFTEST -DSQUALL_SIZE_N=1 -DSQUALL_SIZE_C=50 -DSQUALL_SIZE_H=3 \
    -DSQUALL_SIZE_W=17 -DSQUALL_SIZE_F=5 >log 2>&1 && complain "copies of other channels were not found"

# Two neighbours of a fragment are read and stored at once where that is aligned, which odd rows are not.
cat >pairs.sq <<'END'
#include "squall.h"
kernel pairs(int M, int N, int K, const f16 A[M][K], const f16 B[K][N], const bf16 R[M][N], f16 C[M][N])
{
    idx i, j, k;
    C[i][j] = (f16)(sum((f32)A[i][k] * (f32)B[k][j], k) + (f32)R[i][j]);
}
END
checked pairs "$(script 16 'share(A, B at k0, pad:8)')" $odd
checked pairs "$(script 16 'share(A, B at k0, pad:8)')" --at=M=64,N=32,K=64
! grep -E 'global (read|write), 2 bytes' log || complain "pairs: elements one by one"
[ "$(grep -cE 'global (read|write), 4 bytes' log)" = 2 ] || complain "pairs: no two elements at once"
checked pairs 'tile(i:24, j:32, k:16) order(i0, j0, i, j, k0) micro(i:24, j:16 | k) tensorize(j:16, i:8, k:16)
    hold(k0) block(i0, j0) thread(i, j) share(A, B at k0, pad:8)' $odd

# Faults: rows of a fragment exchanged, the wrong half of a pair, a barrier left out, too short a wait,
# a warp's columns taken for its neighbour's.
"$SQUALL" compile p_f16_nn.sq --target=cuda,arch=sm_80 -e "$(script 16 'share(A, B at k0, pad:8, stages:2)')" -o good.cu
fault() {
    sed "$2" good.cu >bad.cu
    cmp -s good.cu bad.cu && complain "$1: nothing to spoil"
    "$SQUALL" check bad.cu --target=cuda,arch=sm_80 -DSQUALL_SELFTEST -DSQUALL_SIZE_M=37 -DSQUALL_SIZE_N=40 \
        -DSQUALL_SIZE_K=72 >log 2>&1 && complain "$1 was not found"
    :
}
fault "rows exchanged" 's/\(a_lane = .*\)(lane % 16) - /\1(lane % 16 ^ 1) - /'
fault "the wrong half" 's/b0 + 2);/b0);/'
fault "sums exchanged" 's/(c0_0.v\[0\], c0_0.v\[1\], /(c0_0.v[1], c0_0.v[0], /'
fault "a barrier left out" '0,/for (int64_t k0/!{0,/__syncthreads();/{/__syncthreads();/d}}'
fault "no wait" '/__pipeline_wait_prior(0)/d'
fault "no zeros behind the end" 's/(left >= 8 ? 0 : (left > 0 ? 16 - 2 \* left : 16))/0/g'
exit $bad
