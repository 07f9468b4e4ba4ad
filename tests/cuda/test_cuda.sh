#!/bin/sh
# CUDA: what is emitted is compiled by nvcc for two architectures without a warning and without a
# spill, and links into a C program that finds no device here and says so. Where nvcc is missing that
# part is left out, said aloud; the rest needs no tool.
. "$SQUALL_SOURCE/tests/cuda/lib.sh"
cp "$SQUALL_SOURCE"/samples/*.sq .

# The device part stands alone, and neither part mentions the other's headers.
"$SQUALL" compile softmax.sq --target=cuda,arch=sm_90 -o softmax.cu --header=softmax.h
sed -n '/^#ifndef SQUALL_DEVICE_ONLY/,$!p' softmax.cu >device.txt
grep -q cudaLaunch device.txt && complain "the device part launches"
grep -q 'int softmax(int M, int N, const float \*X, float \*Y, void \*workspace, void \*stream);' softmax.h ||
    complain "no launcher in the header"
for f in softmax_workspace softmax_kernels softmax_kernel softmax_grid softmax_block softmax_shared_bytes; do
    grep -q "$f(" softmax.h || complain "no $f in the header"
done

# Every sample has a text that uses the grid.
for f in *.sq; do
    "$SQUALL" compile "$f" --target=cuda,arch=sm_80 -o "${f%.sq}.cu" || complain "$f does not compile"
    grep -q 'by one thread' "${f%.sq}.cu" && complain "$f runs on one thread"
    grep -q 'blockIdx' "${f%.sq}.cu" || complain "$f uses one block"
done

# Refusals say what would do.
refused() {
    want=$1
    shift
    "$SQUALL" compile "$@" -o x.cu >out 2>&1 && complain "accepted: $*"
    grep -q -- "$want" out || { cat out; complain "expected '$want': $*"; }
}
refused "2048 threads; sm_80 has 1024 at most" gemm.sq --target=cuda,arch=sm_80 \
    -e 'tile(i:64, j:32) order(i0, j0, i, j) micro(| k) block(i0, j0) thread(i, j)'
refused "thread refused: S0: the sums of a thread take 64 registers; sm_80 has 64 for each of 1024" gemm.sq \
    --target=cuda -e 'tile(i:256, j:256) order(i0, j0, i, j) micro(i:8, j:8 | k) block(i0, j0) thread(i, j)'
refused "split refused: S0: the sums of a thread take 256 registers; sm_90 has 255 at most" gemm.sq \
    --target=cuda,arch=sm_90 -e 'micro(i:16, j:4 | k) split(k:4) block(i) thread(j:32)'
refused "error: share refused: S0: 262144 bytes that threads of a block share; sm_80 has 166912 at most" gemm.sq --target=cuda \
    -e 'tile(i:128, j:128, k:256) order(i0, j0, i, j, k0) micro(i:8, j:8 | k) hold(k0) block(i0, j0) thread(i, j) share(A, B at k0)'
refused "-e:1:1: error: parallel refused: S0: parallel(loop) is for processors" gemm.sq --target=cuda -e 'parallel(i)'
refused "share(array at loop)" gemm.sq --fix=K=64 --target=cuda -e 'pack(A at i)'
# Points of a subscript with a division are taken one by one; a thread that had two vectors of them
# apart would take its neighbour's.
printf '#include "squall.h"\nkernel thirds(int M, f32 A[M][M], const f32 B[2 * M])\n{\n    idx i, j;\n    A[i][j] = B[i %% 3];\n}\n' >thirds.sq
refused "threads share the vector dimension of what is computed point by point" thirds.sq --target=cuda \
    -e 'tile(j:64) micro(i:2, j:8) thread(j)'
printf '#include "squall.h"\nkernel odd(int N, f32 B[N], const f32 D[2 * N])\n{\n    idx a;\n    B[a] = pad(D[2 * a - 1], 0);\n}\n' >odd.sq
refused "threads share the vector dimension of what is computed point by point" odd.sq --target=cuda \
    -e 'tile(a:128) micro(a:8) order(a0, a) block(a0) thread(a)'
refused "a processor has no blocks" gemm.sq --target=avx2 -e 'block(i)'
# Parts of sums, of whole warps, in registers, and in an order of their own.
rows_of() {
    echo "tile(i:4) order(i0, i, k) hold(k) block(i0) thread(i, k:$1)"
}
sed 's/M, int N, int K/M, int K/; s/C\[M\]\[N\]/C[M]/; s/B\[K\]\[N\]/B[K]/; s/\[k\]\[j\]/[k]/; s/\[i\]\[j\]/[i]/g; s/gemm/gemv/; s/i, j, k/i, k/' gemm.sq >gemv.sq
refused "threads would add to the same elements at once; hold(k)" gemv.sq --target=cuda -e 'thread(k:32)'
refused "48 threads share the reduction's loop 'k'; 32, 64" gemv.sq --target=cuda -e 'hold(k) thread(k:48)'
refused "then a warp has each sum, thread(k:32)" gemv.sq --target=cuda -e "$(rows_of 64)"
# Whole warps lie along a tile of the sums, each with parts of them.
cat >columns.sq <<'EOF'
#include "squall.h"
kernel columns(int M, int N, const f64 X[M][N], f64 y[N])
{
    idx i, j;
    y[j] = sum(X[i][j], i) + 1;
}
EOF
beside() { echo "tile(j:$1) order(j0, j, i) hold(i) block(j0) thread(j$2, i:$3)"; }
refused "or whole warps lie along a tile of 'j'" columns.sq --target=cuda -e "$(beside 64 :32 8)"
refused "or whole warps lie along a tile of 'j'" columns.sq --target=cuda -e "$(beside 16 '' 8)"
refused "each has one sum, and no more points of 'j'" columns.sq --target=cuda \
    -e 'tile(j:64) order(j0, j, i) micro(j:2) hold(i) block(j0) thread(j, i:8)'
"$SQUALL" show schedule columns.sq --target=cuda | grep -q 'thread(j, i:16)' || complain "sums side by side have a thread each"
for calls in "$(beside 32 '' 8)" "$(beside 64 '' 3)"; do
    "$SQUALL" check columns.sq --target=cuda -e "$calls" >log 2>&1 || complain "columns: $calls"
done
refused "so they cannot copy B together" gemv.sq --fix=K=64 --target=cuda -e 'hold(k) block(i) thread(k:32) share(B at k)'
sed 's/^kernel/#pragma squall fp strict\nkernel/' gemv.sq >strict.sq
refused "fp strict keeps the order of a reduction, so no threads share 'k0'" strict.sq --target=cuda \
    -e 'tile(k:8) order(i, k0) hold(k0) thread(k0:32)'
"$SQUALL" compile gemv.sq --target=cuda -o gemv.cu -e "$(rows_of 32)" || complain "gemv does not compile"
cat >dot.sq <<'EOF'
#include "squall.h"
kernel dot(int N, const f64 X[N], const f64 Y[N], const int32_t Z[N], f64 s[1], int32_t t[1], f64 m[1])
{
    idx i;
    s[0] = sum(X[i] * Y[i], i);
    t[0] = sum(Z[i], i) + 3;
    m[0] = rmax(X[i], i);
}
EOF
"$SQUALL" compile dot.sq --target=cuda -o dot.cu || complain "dot does not compile"
[ "$(grep -c '__launch_bounds__(1024)' dot.cu)" = 6 ] || complain "a scalar's sum has not blocks for its parts and one for the whole"
for k in softmax layernorm attention; do
    grep -q '__shfl_xor_sync' $k.cu || complain "the rows of $k are not summed together"
    [ "$(grep -c '^__global__\|^extern "C" __global__' $k.cu)" = 1 ] || complain "$k is not one kernel"
done
# Several accumulators of one thread, too.
"$SQUALL" compile gemv.sq --target=cuda -o ways.cu \
    -e 'tile(k:64) order(i, k0) micro(| k) unroll(k:4) split(k:4) hold(k0) block(i) thread(k0:64)' || complain "ways"
# A missing exchange, and parts that nobody waits for, are found.
sed '/other = __shfl_xor_sync/s/, [0-9]*);/, 0);/' gemv.cu >faulty_part.cu
sed '0,/__syncthreads/{/__syncthreads/d}' dot.cu >faulty_wait.cu
cmp -s dot.cu faulty_wait.cu && complain "no barrier to leave out"

# Blocks in groups of rows, also behind a loop over products; one tile counted twice is found.
cat >groups.sq <<'EOF'
#include "squall.h"
kernel groups(int L, int M, int N, int K, const f32 A[L][M][K], const f32 B[L][K][N], f32 C[L][M][N])
{
    idx l, i, j, k;
    C[l][i][j] = sum(A[l][i][k] * B[l][k][j], k);
}
EOF
groups='tile(i:4, j:8) order(l, i0, j0, i, j) micro(| k) block(l, i0, j0, group:3) thread(i, j)'
"$SQUALL" compile groups.sq --target=cuda -o groups.cu -e "$groups" || complain "groups does not compile"
sed 's/_min(3, /_min(4, /' groups.cu >faulty_group.cu
cmp -s groups.cu faulty_group.cu && complain "no group to break"
refused "a group has rows and columns of tiles, so blocks share two loops: block(i0, j0, group:8)" gemm.sq \
    --target=cuda -e 'block(i, group:8)'
refused "a group has 2 to 65536 rows of tiles" gemm.sq --target=cuda -e 'block(i, j, group:1)'
refused "group:8 comes last" gemm.sq --target=cuda -e 'block(i, group:8, j)'
refused "the tiles of 'j' in groups of 2, so one more loop of blocks" gemm.sq --target=cuda \
    -e 'order(j, i) block(i, j, group:2) order(i, j)'

# Sums in parts, each a block's: several kinds, and a product of few rows. A part one value longer
# than the others start is found.
cat >parts.sq <<'EOF'
#include "squall.h"
kernel parts(int N, const f32 X[N], const f16 Y[N], const int8_t Z[N], f32 s[1], f32 m[1], int32_t t[1])
{
    idx i;
    s[0] = 2 * sum(X[i] * Y[i], i) + 1;
    m[0] = rmax(X[i], i);
    t[0] = sum(Z[i], i);
}
EOF
three() {
    for s in S0 S1 S2; do
        echo "parts($s, i:$1)"
    done
    for s in S0 S1 S2; do
        echo "${s}_parts: micro() hold(i) block(i_part) thread(i:$2) $s: micro() hold(i_part) thread(i_part:64)"
    done
}
"$SQUALL" compile parts.sq --target=cuda -o parts.cu -e "$(three 32 32)" || complain "parts does not compile"
grep -q 'N >= 32 \* i_part + 32 ? 32' parts.cu || complain "no parts of 32"
sed 's/N >= 32 \* i_part + 32 ? 32/N >= 32 * i_part + 33 ? 33/' parts.cu >faulty_parts.cu
cmp -s parts.cu faulty_parts.cu && complain "no part to break"
few='parts(S0, k:6) S0_parts: tile(i:16, j:16, k:4) order(k_part, i0, j0, i, j, k0) micro(i:2, j:2 | k) hold(k0)
    block(k_part, i0, j0) thread(i, j) share(A, B at k0, pad:4) S0: tile(j:32) order(i, j0, j) micro(| k_part) block(i, j0) thread(j)'
sed 's/gemm/split/' gemm.sq >split.sq
"$SQUALL" compile split.sq --target=cuda -o split.cu -e "$few" || complain "split does not compile"
sed 's/gemm/late/' gemm.sq >late.sq
"$SQUALL" compile late.sq --target=cuda -o late.cu -e "$(echo "$few" | sed 's/pad:4/stages:2/')" || complain "late does not compile"
# Results of fewer columns than the array has: nobody wrote the rest of the parts, and nobody copies it.
cat >inner.sq <<'EOF'
#include "squall.h"
kernel inner(int M, int N, int K, const f32 B[K][N], f32 A[M][N])
{
    idx i, j, k;
    range(j, 0, N - 2);
    A[i][j] = sum(B[k][j], k);
}
EOF
"$SQUALL" compile inner.sq --target=cuda -o inner.cu -e 'parts(S0, k:4) S0: tile(j:8) tile(k_part:2) micro(j:2 | k_part)
    order(i, j0, j, k_part0) hold(k_part0) block(i, j0) thread(j) share(A_parts at k_part0)' || complain "inner does not compile"

# Copies on their way: three stages, and waits that are too short or not there are found.
staged='tile(i:32, j:32, k:8) order(i0, j0, i, j, k0) micro(i:2, j:4 | k) hold(k0) block(i0, j0) thread(i, j) share(A, B at k0, pad:4, stages:3)'
sed 's/gemm/staged/' gemm.sq >staged.sq
"$SQUALL" compile staged.sq --target=cuda,arch=sm_80 -o staged.cu -e "$staged" || complain "staged does not compile"
grep -q '__pipeline_wait_prior(1);' staged.cu || complain "a wait for more than is needed"
sed 's/__pipeline_wait_prior(1)/__pipeline_wait_prior(2)/' staged.cu >short.cu
sed '/__pipeline_wait_prior/{n;d}' staged.cu >unmet.cu
cmp -s staged.cu unmet.cu && complain "no barrier to leave out"
sed 's/staged/twice/' staged.sq >twice.sq
"$SQUALL" compile twice.sq --fix=K=8 --target=cuda,arch=sm_80 -o twice.cu -e "$staged" || complain "twice does not compile"
refused "has elements of 1 bytes; copies with stages are of 4 or 8" gemm_s8.sq --target=cuda -e "$(echo "$staged" | sed 's/A, B/A/')"
refused "copies at 'k0' go together, so B has as many stages as A" gemm.sq --target=cuda \
    -e "$(echo "$staged" | sed 's/A, B/A/') share(B at k0)"
refused "for coming iterations of 'j', which threads share" gemm.sq --fix=K=8 --target=cuda \
    -e 'tile(i:32, j:32) order(i0, j0, i, j) micro(i:2, j:4 | k) block(i0, j0) thread(i, j) share(A at j, stages:2)'
refused "stages:2, 1 to 8 copies" gemm.sq --target=cuda -e "$(echo "$staged" | sed 's/stages:3/stages:9/')"

refused "this target has auto(…, grid:128)" jacobi_2d.sq --target=cuda -e 'auto(keep:1, parallel)'
refused "a processor has no grid" jacobi_2d.sq --target=avx2 -e 'auto(grid:64)'
refused "one of the two" jacobi_2d.sq --target=cuda -e 'auto(grid:64, parallel)'
refused "1 to 1024 threads" jacobi_2d.sq --target=cuda -e 'auto(grid:0)'
refused "did you mean 'sm_90'" gemm.sq --target=cuda,arch=sm_91

# Sums in registers, copies inside of threads' loops, every third element, words of C++.
cat >pad.sq <<'EOF'
#include "squall.h"
kernel pad(int M, int N, f32 A[4][N], const f32 B[M])
{
    idx i, j, q;
    range(q, 0, M);
    A[i][j] = sum(pad(B[q - 1], 1), q);
}
EOF
refused "without reads beyond an array's edge that no copy serves" pad.sq --target=cuda \
    -e 'tile(q:4) order(i, j, q0, q) hold(q0)'
cat >words.sq <<'EOF'
#include "squall.h"
kernel words(int N, f32 new, const f32 class[N], f32 this[N][3])
{
    idx and, or;
    this[and][or] = new * class[and];
}
EOF
refused "the copy of class belongs outside of 'and', which the threads of a block share" words.sq --target=cuda \
    -e 'tile(and:8) order(or, and0, and) block(or, and0) thread(and) share(class at and)'
"$SQUALL" compile words.sq --target=cuda -o words.cu \
    -e 'tile(and:128) micro(and:4) vectorize(and:4) order(or, and0, and) block(or, and0) thread(and)' ||
    complain "words does not compile"
cat >held.sq <<'EOF'
#include "squall.h"
kernel held(int M, int N, inout int32_t A[N][M][M], const f32 B[M][M][N])
{
    idx q, j, k, r;
    range(q, 1, N - 2);
    range(r, 1, M - 1);
    A[q][j][k] = rmin((int32_t)(80.0f * B[j][j][q]), r);
}
EOF
"$SQUALL" compile held.sq --target=cuda -o held.cu -e 'tile(q:4, j:16, k:32, r:4) micro(j:4, k:2 | r)
    order(q0, j0, k0, k, q, j, r0) hold(r0) thread(q) share(B at r0)' || complain "held does not compile"

# Sums in registers that go on from what earlier tiles left in the output: also of threads beyond the
# edge, which copy with the others. A copy inside of those loops is not there after them.
cat >again.sq <<'EOF'
#include "squall.h"
kernel again(int M, int N, int K, f32 C[M][N], const f32 A[M][K][8], const f32 B[K][8][N])
{
    idx i, j, k, l;
    C[i][j] = fabs(rmax(A[i][k][l] * B[k][l][j], k, l));
}
EOF
sed 's/again/lanes/' again.sq >lanes.sq
tiles='tile(i:8, j:32, l:4) order(i0, j0, k, i, j, l0) micro(i:2, j:4 | l) hold(l0) block(i0, j0) thread(i, j)'
"$SQUALL" compile again.sq --target=cuda,arch=sm_80 -o again.cu -e "$tiles share(A, B at l0)" || complain "again does not compile"
"$SQUALL" compile lanes.sq --target=cuda,arch=sm_80 -o lanes.cu -e "$tiles vectorize(j:4)" || complain "lanes does not compile"
cat >beside.sq <<'EOF'
#include "squall.h"
kernel beside(int M, int N, int K, inout f32 A[M][N], const f32 B[M][K], const f32 C[M][N + 1])
{
    idx i, j, k;
    A[i][j] += sum(B[i][k], k) - C[i][j + 1];
}
EOF
tiles='tile(i:8, j:8, k:16) order(i0, j0, i, j, k0) micro(i:2, j:2 | k) hold(k0) block(i0, j0) thread(i, j)'
refused "C is read outside of the sum, too, when 'k0' and the copies in it are over" beside.sq --target=cuda \
    -e "$tiles share(B, C at k0)"
"$SQUALL" compile beside.sq --target=cuda,arch=sm_80 -o beside.cu -e "$tiles share(B at k0) share(C at j0)" ||
    complain "beside does not compile"
# Fewer elements than threads: they read where their points would be.
cat >few.sq <<'EOF'
#include "squall.h"
kernel few(int M, f64 A[4], const f64 B[4], f32 E[5][M], const f32 C[5][M], const f32 F[M][M])
{
    idx i, j, k;
    A[i] = B[i] * B[i];
    E[i][j] = sum(C[i][k] * F[k][j], k);
}
EOF
"$SQUALL" compile few.sq --target=cuda,arch=sm_80 -o few.cu -e 'S0: tile(i:32) micro(i:4) vectorize(i:2) order(i0, i)
    block(i0) thread(i:8) share(B at i0) S1: tile(i:32, j:16, k:16) micro(i:8, j:4 | k) order(i0, j0, i, j, k0)
    hold(k0) block(i0, j0) thread(i, j) share(F, C at k0)' || complain "few does not compile"
# A loop around copies is in the kernel, whoever shares it or not.
"$SQUALL" compile few.sq --target=cuda,arch=sm_80 -o one.cu -e 'S1: tile(i:2, k:16) micro(| k) order(j, i0, k0, i)
    thread(i) share(C at k0)' || complain "one does not compile"
sed 's/int N/int new/; s/\[N/[new/g' beside.sq >size.sq
refused "size.sq:2:22: error: 'new' is a word of C++, which this target's text is; call the size something" size.sq --target=cuda
"$SQUALL" compile size.sq --fix=new=8 --target=cuda -o size.cu || complain "a fixed size is no name"

# One statement of shared loops has threads and the other has none: one of the threads runs that, and
# the others wait for it.
cat >rows.sq <<'EOF'
#include "squall.h"
kernel rows(int B, int N, const f32 A[B][N], f32 C[B], f32 D[B][N])
{
    idx b, i;
    C[b] = sum(A[b][i], i);
    D[b][i] = C[b] * A[b][i];
}
EOF
"$SQUALL" compile rows.sq --target=cuda,arch=sm_80 -o rows.cu \
    -e 'S0: block(b) S1: block(b) thread(i:64) fuse(S0, S1 at b)' || complain "rows does not compile"
sed 's/C\[B\]/C[B][N]/; s/C\[b\]/C[b][i]/; s/sum(A\[b\]\[i\], i)/A[b][i] * 2/' rows.sq | sed s/rows/each/ >each.sq
# Each thread has iterations of its own, not all as many: nobody waits inside of them.
"$SQUALL" compile each.sq --target=cuda,arch=sm_80 -o each.cu \
    -e 'S0: block(b) thread(i:64) S1: block(b) thread(i:64) fuse(S0, S1 at i)' || complain "each does not compile"
refused "S1 shares copies (share) between 32 threads, but another statement of the same loops has 64" \
    each.sq --target=cuda,arch=sm_80 \
    -e 'S0: block(b) thread(i:64) S1: tile(i:32) order(b, i0, i) block(b) thread(i) share(A at i0) fuse(S0, S1 at b)'
refused "blocks share 'b', and 'i' inside of it in S0 alone" each.sq --target=cuda \
    -e 'S0: block(b, i) S1: block(b, i) fuse(S0, S1 at b)'
refused "blocks take the tiles of 'b' in groups of 2 in S1 alone" each.sq --target=cuda \
    -e 'S0: block(b, i) S1: block(b, i, group:2) fuse(S0, S1 at i)'

# Steps on the host: as many launches as a stencil has sweeps and a factorisation has columns, and the
# figures of a launch are the most of them.
for k in lu seidel-2d fdtd-2d gramschmidt; do
    cp "$SQUALL_SOURCE/samples/polybench/$k.sq" .
    "$SQUALL" compile $k.sq --target=cuda,arch=sm_80 -o $k.cu || complain "$k does not compile"
    grep -q 'by one thread' $k.cu && complain "$k runs on one thread"
done
cat >part.sq <<'EOF'
#include "squall.h"
kernel part(int N, f64 A[N][N], f64 w[N])
{
    for (int t = 0; t < N; t++) {
        for (int i = 0; i < N - t; i++) {
            f64 x;
            x = A[t][i] * 2;
            for (int j = i; j < N; j += 3)
                A[i][j] += x + j;
            w[i] = x;
        }
    }
}
EOF
"$SQUALL" compile part.sq --target=cuda,arch=sm_80 -o part.cu -e 'auto(keep:1, fuse:min, grid:32)' ||
    complain "part does not compile"

# K_grid is of one launch, whatever loop stands around it on the host: 139 x 2 blocks below.
grep -q 'jacobi_2d_blocks(jacobi_2d_max(N - 2, 0) \* jacobi_2d_max((N + 125) / 128, 0))' jacobi_2d.cu ||
    complain "K_grid of a stencil"

# Executed on the processor at odd sizes, every access looked at.
if [ -d "${SQUALL_SIMT:-$SQUALL_BUILD/simt}" ] && command -v g++ >/dev/null; then
    for run in 'gemm M=37 N=131 K=21' 'softmax M=13 N=19' 'layernorm M=13 N=19' 'elementwise M=13 N=19' 'trmm M=13 N=19' 'rows B=5 N=131' \
        'each B=5 N=131' 'jacobi_2d T=3 N=141' 'cholesky N=37' 'lu N=23' 'seidel-2d T=3 N=17' \
        'fdtd-2d T=3 M=7 N=133' 'gramschmidt M=9 N=7' 'part N=21' 'words N=131' 'parts N=1' 'parts N=33' 'parts N=2177' 'split M=13 N=33 K=31' 'split M=1 N=3 K=2' 'split M=17 N=2 K=129' 'inner M=5 N=21 K=13' \
        'late M=7 N=33 K=127' 'groups L=2 M=13 N=33 K=3' 'groups L=3 M=31 N=7 K=1' 'groups L=1 M=65 N=129 K=2' 'held M=17 N=17' 'gemv M=7 K=301' 'ways M=3 K=301' \
        'dot N=2050' 'dot N=5' 'staged M=37 N=131 K=21' 'staged M=5 N=3 K=3' 'twice M=37 N=131' 'again M=21 N=37 K=3' 'lanes M=21 N=37 K=3' 'beside M=21 N=13 K=37' 'few M=1' 'few M=19' 'one M=19' 'conv2d N=1 C=5 F=7 H=9 W=11'; do
        set -- $run
        k=$1
        shift
        "$SQUALL" check --target=cuda,arch=sm_80 $k.cu -DSQUALL_SELFTEST $(printf -- '-DSQUALL_SIZE_%s ' "$@") \
            >log 2>&1 || { complain "$run computes wrongly or races"; }
        grep -q ': 0 wrong' log || complain "$run was not compared"
        [ $k != softmax ] || grep -q 'kernel0: .*grid 13 x 1 x 1' log || complain "a row is not a block"
        [ $k != cholesky ] || cp log cholesky.log
        [ $k != jacobi_2d ] || grep -q 'kernel0: .*grid 278 x 1 x 1' log || complain "not the blocks of K_grid"
    done
    "$SQUALL" check --target=cuda,arch=sm_80 faulty_part.cu -DSQUALL_SELFTEST -DSQUALL_SIZE_M=7 -DSQUALL_SIZE_K=301 \
        >log 2>&1 && complain "an exchange with oneself was not found"
    "$SQUALL" check --target=cuda,arch=sm_80 faulty_wait.cu -DSQUALL_SELFTEST -DSQUALL_SIZE_N=2050 >log 2>&1 &&
        complain "parts read too soon were not found"
    grep -q 'race' log || complain "parts read too soon are no race"
    "$SQUALL" check --target=cuda,arch=sm_80 faulty_group.cu -DSQUALL_SELFTEST -DSQUALL_SIZE_L=2 -DSQUALL_SIZE_M=13 \
        -DSQUALL_SIZE_N=33 -DSQUALL_SIZE_K=3 >log 2>&1 && complain "a group counted wrongly was not found"
    for n in 33 2177; do
        "$SQUALL" check --target=cuda,arch=sm_80 faulty_parts.cu -DSQUALL_SELFTEST -DSQUALL_SIZE_N=$n >log 2>&1 &&
            complain "a part too long was not found at $n"
    done
    for k in short unmet; do
        "$SQUALL" check --target=cuda,arch=sm_80 $k.cu -DSQUALL_SELFTEST -DSQUALL_SIZE_M=37 -DSQUALL_SIZE_N=131 \
            -DSQUALL_SIZE_K=41 >$k.log 2>&1 && complain "$k.cu: nothing was found"
    done
    grep -q 'too early' short.log || complain "a wait too short was not found"
    grep -Eq 'race|too early' unmet.log || complain "stages without a barrier were not found"
    # Two runs of 37 columns: a root each, and below all but the last a column.
    grep -q 'kernel0: 74 launches, grid 1 x 1 x 1, block 1 x' cholesky.log &&
        grep -q 'kernel1: 72 launches, .*block 128' cholesky.log &&
        grep -q 'kernel2: 2 launches, grid 35 x 1 x 1' cholesky.log || complain "not a launch for each column"
else
    echo "skipped: running the texts (no g++, or the headers are not built)"
fi

[ -n "$nvcc" ] || {
    echo "skipped: compiling the texts (no nvcc)"
    exit $bad
}
for k in elementwise gemm conv softmax trmm jacobi_2d cholesky; do
    for arch in sm_80 sm_90; do # test_archs.sh has the others
        "$nvcc" -arch=$arch -cubin -o $k.cubin $k.cu -Xptxas -v,-warn-spills,-Werror \
            -Werror all-warnings >log 2>&1 || { complain "$k.cu, $arch"; }
        grep -q 'spill' log && ! grep -q ' 0 bytes spill stores, 0 bytes spill loads' log &&
            complain "$k.cu spills on $arch"
    done
done
# A pure C program. Without a device every call says so: 35 or 100.
"$SQUALL" compile gemm.sq --fix=N=64 --target=cuda,arch=sm_80 -o fixed.cu --header=fixed.h -e 'tile(i:128, j:64, k:16)
    order(i0, j0, i, j, k0) micro(i:8, j:8 | k) vectorize(j:4) hold(k0) block(i0, j0) thread(i, j) share(A, B at k0, pad:4)'
cat >main.c <<'EOF'
#include "fixed.h"
#include <stdio.h>
int main(void)
{
    if (gemm_grid(0, 200, 5) != 2 || gemm_block(0, 200, 5) < 32 || gemm_kernels() < 1)
        return 1;
    printf("%d %d\n", gemm(-1, 5, 1, 1, NULL, NULL, NULL, NULL), gemm(200, 5, 1, 1, NULL, NULL, NULL, NULL));
    return 0;
}
EOF
if "$nvcc" -arch=sm_80 -c fixed.cu -o fixed.o -Xcompiler -fno-threadsafe-statics,-fno-exceptions >log 2>&1 &&
    "$CC" -std=c11 -Wall -Wextra -Werror main.c fixed.o -L"$cuda/lib64" -lcudart_static -lpthread -ldl -lrt -lm -o main >>log 2>&1; then
    ./main >out || complain "the figures of a launch"
    grep -q '^1 ' out || complain "sizes that are not accepted: $(cat out)"
    grep -Eq ' (35|100|0|700)$' out || complain "without a device: $(cat out)"
else
    cat log
    complain "does not link into a C program"
fi
exit $bad
