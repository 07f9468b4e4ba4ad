#!/bin/sh
# Matrix instructions of a warpgroup (wgmma, sm_90a): sums of products in every layout, executed on the processor at odd
# sizes and compared with the plain loops; what the copies' order has wrong on purpose is found; what does not fit is
# refused by name; and the instructions are in what nvcc makes of the text.
. "$SQUALL_SOURCE/tests/cuda/lib.sh"
target=--target=cuda,arch=sm_90a
# script ROWS COLUMNS STEPS INSTRUCTION'S-COLUMNS SHARE ORDER
script() {
    echo "tile(i:$1, j:$2, k:$3) order(i0, j0, ${6:-i, j}, k0) micro(i:16, j:$4 | k) tensorize(i:64, j:$4, k:16)
        hold(k0) block(i0, j0) thread(i, j) share(A, B at k0${5:-, stages:3})"
}
for layout in nn nt tn tt; do
    product $layout f16 f32 $layout >$layout.sq
done
product wide bf16 f32 tn bf16 >wide.sq

refused "sm_90 has no instructions of 64 rows; --target=cuda,arch=sm_90a has" nn.sq --target=cuda,arch=sm_90 -e "$(script 64 64 64 64)"
refused "share(A at k0, stages:3)" nn.sq $target -e "$(script 64 64 64 64 ', pad:8, stages:3')"
refused "share(A at k0, stages:3)" nn.sq $target -e "$(script 64 64 64 64 ', stages:1')"
refused "copies of rows of 64 adjacent elements or a multiple, 8 rows or a multiple" nn.sq $target -e "$(script 64 64 32 64)"
refused "four adjacent warps run an instruction of 64 rows" nn.sq $target -e "$(script 32 64 64 64)"
refused "four adjacent warps run an instruction of 64 rows" nn.sq $target -e "$(script 64 128 64 64)"
refused "have 16 steps and a multiple of 8 columns, at most 256" nn.sq $target -e "$(script 64 64 64 64 | sed 's/k:16/k:8/')"
refused "each of the four warps of an instruction has 16 of its rows" nn.sq $target \
    -e "$(script 128 64 64 64 | sed 's/micro(i:16/micro(i:32/')"
refused "several warpgroups lie along 'j', in which the array's elements are adjacent" nn.sq $target \
    -e "$(script 64 128 64 32 ', stages:2' 'j, i')"
refused "the sums of a thread take 64 registers; sm_90a has 80 for each of 768" nn.sq $target -e "$(script 384 128 64 128)"
product bytes int8_t int32_t nt >bytes.sq
refused "instructions of 64 rows multiply f16 or bf16 and add up in f32, not int8_t in int32_t" bytes.sq $target -e "$(script 64 64 64 64)"
cat >rows.sq <<'TEXT'
#include "squall.h"
kernel rows(int Y, int X, int F, int K, const f16 A[Y][X][K], const f16 B[F][K], f32 C[Y][X][F])
{
    idx y, x, f, k;
    C[y][x][f] = sum((f32)A[y][x][k] * (f32)B[f][k], k);
}
TEXT
# lines TILE: rows of the instruction along lines of pixels, as many warps as there are.
lines() {
    echo "tile($1, f:64, k:64) order(y0, x0, f0, y, x, f, k0) micro(x:16, f:64 | k) tensorize(x:64, f:64, k:16) hold(k0)
        block(y0, x0, f0) thread(y, x, f) share(A, B at k0, stages:2)"
}
refused "times those of dimensions around it that threads share" rows.sq $target -e "$(lines 'y:2, x:16')"
refused "times those of dimensions around it that threads share" rows.sq $target -e "$(lines 'y:3, x:32')"
cat >toeplitz.sq <<'TEXT'
#include "squall.h"
kernel toeplitz(int X, int F, int K, const f16 A[X + K], const f16 B[F][K], f32 C[X][F])
{
    idx x, f, k;
    C[x][f] = sum((f32)A[x + k] * (f32)B[f][k], k);
}
TEXT
refused "instructions of a warpgroup read copies of rows of 64 adjacent elements" toeplitz.sq $target -e "tile(x:64, f:64, k:64)
    order(x0, f0, x, f, k0) micro(x:16, f:64 | k) tensorize(x:64, f:64, k:16) hold(k0) block(x0, f0) thread(x, f)
    share(A, B at k0, stages:2)"
# Convolutions: edges, strides, images of a batch as lines.
filter() {
    cat <<TEXT
#include "squall.h"
kernel $1(int N, int H, int W, int C, int F, const f16 I[N][$2 * H + 2][$2 * W + 2][C], const f16 K[3][3][C][F], f16 O[N][H][W][F])
{
    idx n, y, x, f, c, r, s;
    O[n][y][x][f] = sum($3, r, s, c);
}
TEXT
}
filter same 1 'pad(I[n][y + r - 1][x + s - 1][c], 0) * K[r][s][c][f]' >same.sq
filter strided 2 'I[n][2 * y + r][2 * x + s][c] * K[r][s][c][f]' >strided.sq

# Kernels of one file, of which one has other copies: their memory is declared once and begins where all may.
cat >two.sq <<'TEXT'
#include "squall.h"
kernel two(int M, int N, int K, const f16 A[M][K], const f16 B[K][N], const f32 X[M][K], const f32 Y[K][N], f32 C[M][N],
           f32 D[M][N])
{
    idx i, j, k;
    D[i][j] = sum(X[i][k] * Y[k][j], k);
    C[i][j] = sum((f32)A[i][k] * (f32)B[k][j], k);
}
TEXT
"$SQUALL" compile two.sq $target -o two.cu >log 2>&1 || complain "two is refused"
[ "$(grep -c '__align__(1024) unsigned char block_memory' two.cu)" = 2 ] || complain "two: memory that begins elsewhere"

if [ -n "$nvcc" ]; then
    "$nvcc" -arch=sm_90a -cubin -o two.cubin two.cu >log 2>&1 || complain "nvcc does not take two"
    ! grep -i warning log || complain "nvcc warns of two"
    nvdisasm=$(command -v nvdisasm || ls "$cuda/bin/nvdisasm" 2>/dev/null || true)
    "$SQUALL" compile nt.sq $target -o nt.cu -e "$(script 128 128 64 128)" >log 2>&1 || complain "nt is refused"
    "$nvcc" -arch=sm_90a -cubin -o nt.cubin nt.cu >log 2>&1 || complain "nvcc does not take nt"
    ! grep -iE 'warning|spill|serializ' log || complain "nvcc warns"
    if [ -n "$nvdisasm" ]; then
        [ "$("$nvdisasm" -c nt.cubin | grep -c 'HGMMA.64x128x16.F32')" -ge 4 ] || complain "fewer than 4 HGMMA"
    else
        echo "skipped: the machine's instructions (no nvdisasm)"
    fi
else
    echo "skipped: nvcc's view of the text (there is none)"
fi

if ! { [ -d "${SQUALL_SIMT:-$SQUALL_BUILD/simt}" ] && command -v g++ >/dev/null; }; then
    echo "skipped: running the texts (no g++, or the headers are not built)"
    exit $bad
fi
# checked NAME SCRIPT [options]: right at these sizes, and nothing found.
checked() {
    name=$1 calls=$2
    shift 2
    "$SQUALL" check $name.sq --progress=never $target -e "$calls" "$@" >log 2>&1 ||
        { tail -5 log; complain "$name computes wrongly: $calls"; return; }
    grep -q '; 0 findings' log || { complain "$name has findings: $calls"; }
}
odd='--at=M=1,N=1,K=1 --at=M=7,N=13,K=31 --at=M=67,N=129,K=65 --at=M=64,N=64,K=192 --at=M=130,N=72,K=200'
for layout in nn nt tn tt; do
    checked $layout "$(script 64 64 64 64)" $odd
    # Two blocks of 64 steps; several warpgroups along the columns, then along both.
    checked $layout "$(script 64 128 128 64 ', stages:2' 'j, i')" $odd
    checked $layout "$(script 128 128 64 64 ', stages:2' 'j, i')" --at=M=129,N=136,K=72
done
checked wide "$(script 128 192 64 192 ', stages:4')" --at=M=130,N=200,K=72 --at=M=128,N=192,K=64
checked nt "$(script 64 24 64 24)" --at=M=64,N=48,K=64 --at=M=5,N=23,K=9
checked nt "$(script 64 16 64 8 ', stages:2' 'j, i')" --at=M=65,N=17,K=64
# One iteration has no copies to come.
checked nn "$(script 64 64 64 64)" --fix=K=48 --at=M=65,N=66
# Rows of the instruction along the columns of the result.
checked nn 'tile(i:64, j:64, k:64) order(i0, j0, i, j, k0) micro(i:64, j:16 | k) tensorize(j:64, i:64, k:16)
    hold(k0) block(i0, j0) thread(i, j) share(A, B at k0, stages:2)' --at=M=65,N=129,K=70
# A batch, several reductions, part of an operand, old values, and another statement on the sums.
batch >batch.sq
checked batch 'fuse(S0, S1) tile(i:64, j:64, k:64) order(b, i0, j0, i, j, r, k0) micro(i:16, j:64 | k)
    tensorize(i:64, j:64, k:16) hold(r) block(b, i0, j0) thread(i, j) share(X, W at k0, stages:2)' \
    --at=B=2,M=65,N=66,K=70 --at=B=3,M=5,N=7,K=3 --at=B=1,M=64,N=64,K=66

for tile in 'y:2, x:64' 'y:4, x:16' 'y:2, x:32' 'y:3, x:64'; do
    checked rows "$(lines "$tile")" --at=Y=5,X=67,F=70,K=71 --at=Y=1,X=1,F=1,K=1
done
pixels='micro() tile(y:8, x:16, f:64, c:64) order(n, y0, x0, f0, y, x, f, s, r, c0) micro(x:16, f:64 | c)
    tensorize(x:64, f:64, c:16) hold(s) block(n, y0, x0, f0) thread(y, x, f) share(I, K at c0, stages:3)'
images='micro() tile(n:4, x:16, f:64, c:64) order(n0, y, x0, f0, n, x, f, s, r, c0) micro(x:16, f:64 | c)
    tensorize(x:64, f:64, c:16) hold(s) block(n0, y, x0, f0) thread(n, x, f) share(I, K at c0, stages:4)'
for kernel in same strided; do
    checked $kernel "$pixels" --at=N=1,H=9,W=17,C=72,F=65 --at=N=2,H=1,W=1,C=3,F=5
    checked $kernel "$images" --at=N=5,H=2,W=15,C=66,F=64
done
documented=$(sed -n '/^    micro() tile(y:8, x:16, f:128/,/stages:4)$/p' "$SQUALL_SOURCE/docs/CUDA.md")
[ "$documented" ] || complain "docs/CUDA.md has no schedule of a convolution"
checked same "$documented" --at=N=1,H=9,W=17,C=72,F=130
"$SQUALL" show schedule same.sq $target --at=N=32,H=14,W=14,C=256,F=256 >log || complain "no schedule for same"
grep -q 'tile(y:8, x:16, f:128.*tensorize(x:64, f:128' log || complain "a convolution is not a warpgroup's untuned"

# Faults: units not permuted in their rows; the wrong half of the rows; blocks of columns too close to each other; a
# barrier left out; copies to the stage that is computed.
"$SQUALL" compile nn.sq $target -e "$(script 64 128 64 128 ', stages:2')" -o good.cu || complain "good is refused"
fault() {
    sed "$2" good.cu >bad.cu
    cmp -s good.cu bad.cu && complain "$1: nothing to spoil"
    ! "$SQUALL" check bad.cu $target -DSQUALL_SELFTEST -DSQUALL_SIZE_M=65 -DSQUALL_SIZE_N=136 -DSQUALL_SIZE_K=136 \
        >log 2>&1 || complain "$1 is not found"
}
fault "a copy in order" 's/return e ^ (e >> 3 & 56);/return e;/'
fault "rows of another warpgroup" 's/a_first = A_shared;/a_first = A_shared + 512;/'
fault "blocks of columns" 's/, b_first + 64 \* step, 4096)/, b_first + 64 * step, 2048)/'
fault "steps" 's/b_first + 64 \* step/b_first + 32 * step/'
fault "the stage" 's/const int filled = (stage + 1) % 2/const int filled = stage/'
fault "no barrier" '/__pipeline_wait_prior/{n;s/__syncthreads();//;}'
exit $bad
