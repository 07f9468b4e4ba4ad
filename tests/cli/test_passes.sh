#!/bin/sh
# Passes: compile prints the code after each, and what each took. check --passes: what a schedule is lowered to is interpreted and compared with the description; no
# compiler is needed. Threads of a grid take turns.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
polybench=$SQUALL_SOURCE/samples/polybench
CC=/nonexistent/cc
export CC

# agrees KERNEL: the code as lowered and after every pass does what the description says.
agrees() {
    grep -q "^$1: lower, sweep.*: as described at 12 rows of sizes, with parallel loops in three orders$" out ||
        fail "no line of $1"
}

expect 0 check --passes "$polybench/trmm.sq" -e ''
agrees trmm
expect 0 check --passes "$polybench/gemm.sq" -e 'auto(S0, tile:3, parallel)' --target=avx512,openmp
agrees gemm
expect 0 check --passes "$polybench/gemm.sq" -e 'auto(S0, grid:32)' --target=cuda --fix=N=5
agrees gemm
# inline makes another kernel: the result is that of the one described
cat >two.sq <<'END'
#include "squall.h"
kernel two(int N, const f32 X[N], f32 Y[N])
{
    idx i, k;
    f32 T[N];
    T[i] = 2.f * X[i];
    Y[i] = T[i] + sum(X[k] * T[k], k) + 1.f;
}
END
expect 0 check --passes two.sq -e 'inline(S0) auto(S1, parallel)'
agrees two

# Register tiles, packs and remainders: sizes are a point more or less than tiles have.
expect 0 check --passes "$polybench/gemm.sq" --target=avx512,openmp \
    -e 'tile(j:16, k:4) pack(B at k0 as j16) micro(i:3, j:16 | k) parallel(j0)'
agrees gemm
# Sums that stay in registers across a loop.
expect 0 check --passes "$polybench/gemm.sq" --target=avx2 \
    -e 'tile(k:4) micro(i:2, j:8 | k) order(i, j, k0) hold(k0)'
agrees gemm
# Kernels of a grid: copies in shared memory, and matrix instructions.
expect 0 check --passes "$polybench/gemm.sq" --target=cuda
agrees gemm
expect 0 check --passes "$SQUALL_SOURCE/samples/hgemm.sq" --target=cuda,arch=sm_80
agrees hgemm
# Kernels of trees: triangles whose iterations the host counts, launches in a loop of the host, a root of one thread.
expect 0 check --passes "$SQUALL_SOURCE/samples/cholesky.sq" --target=cuda
agrees cholesky
expect 0 check --passes "$SQUALL_SOURCE/samples/jacobi_2d.sq" --target=cuda -e 'auto(tile:2, tile:3, grid:4)'
agrees jacobi_2d
expect 64 check --passes "$polybench/gemm.sq" --json
says "--passes runs the code for one target, without --json"

# Tiles of 256 points for each of 40,000 products of one point take too long: that is no fault of squall's.
expect 2 check --passes "$SQUALL_SOURCE/samples/bmm.sq" --target=c --fix=B=40000 -e 'micro(i:16, j:16 | k) vectorize(i:4)'
says "'bmm' cannot be interpreted: at B = 40000, M = 1, N = 1, K = 1, parallel loops as written: more than 10000000 statements"
says "help: smaller sizes with --fix=..., or check without --passes"

# Code as lowered and after each pass: a variable that nothing uses is there before sweep and not after it.
fused='S0: tile(i:4) micro(i:4 | j) S1: tile(i:4) micro(j:16) S2: tile(i:4) micro(i:4 | j)
    S3: tile(i:4) micro(i:4, j:16) fuse(S0, S1, S2, S3 at i0)'
expect 0 compile "$SQUALL_SOURCE/samples/softmax.sq" --target=avx2 -e "$fused" --stop-after=code \
    --dump=code:after=lower,code:after=sweep
prints "# code: "
awk '/^## after|^# code/ { n++ } { print >"code" n }' out
grep -q '^## after lower' code2 || fail "the code as lowered comes first"
grep -q '^## after sweep' code3 || fail "then that after sweep"
[ "$(wc -l <code2)" -gt "$(wc -l <code3)" ] || fail "sweep removes nothing"
expect 0 compile "$SQUALL_SOURCE/samples/softmax.sq" --target=avx2 -e "$fused" --stop-after=code:after=sweep --dump=code
grep -v '^#' out >stopped
grep -v '^#' code3 | cmp -s stopped - || fail "--stop-after=code:after=sweep: another code than after sweep"
expect 0 compile "$SQUALL_SOURCE/samples/softmax.sq" --target=avx2 -e "$fused" --stop-after=code --dump=code
grep -v '^#' out >all
[ -s all ] || fail "no code"
expect 64 compile "$polybench/gemm.sq" --dump=code:after=swep
says "there is no pass 'swep'"
says "help: did you mean 'sweep'?"
says "help: code comes after: lower sweep"
expect 64 compile "$polybench/gemm.sq" --stop-after=code:after=none
says "there is no pass 'none'"
expect 64 compile "$polybench/gemm.sq" --dump=emit:after=sweep
says "there is no stage 'emit:after=sweep'"
expect 64 compile "$polybench/gemm.sq" --dump=code:after=sweep --stop-after=code:after=lower
says "'code:after=sweep' comes after 'code:after=lower', where --stop-after ends"

# The time of each pass, and the statements that it left.
expect 0 compile "$SQUALL_SOURCE/samples/softmax.sq" --target=avx2 -e "$fused" --time -o softmax.c
grep -Eq '^  lower +[0-9.]+ ms, [1-9][0-9]* statements$' err || fail "no line of lowering"
grep -Eq '^  sweep +[0-9.]+ ms, [1-9][0-9]* statements$' err || fail "no line of sweep"
[ "$(awk '$1 == "lower" { print $4 }' err)" -gt "$(awk '$1 == "sweep" { print $4 }' err)" ] ||
    fail "sweep leaves as many statements as there were"
expect 0 compile "$polybench/gemm.sq" --time --stop-after=apply
! grep -q sweep err || fail "times of passes that did not run"

# Casts that saturate are computed in all lanes: none is of a number that the type does not hold.
cat >whole.sq <<'K'
#include "squall.h"
/* Readings as whole numbers, those that are too large as the largest. */
kernel whole(int N, const f64 X[N], const f32 Y[N], int64_t A[N], int32_t B[N], uint64_t C[N])
{
    idx i;
    A[i] = sat_int64(1e20 * X[i]);
    B[i] = sat_int32(1e12f * Y[i]);
    C[i] = sat_uint64(1e24 * X[i]);
}
K
for target in generic avx2 avx512; do
    expect 0 check --passes whole.sq --target=$target
    prints "as described at"
done

# The dump of a grid has the vectors that are emitted, which are no wider than 16 bytes; indices of 32 bits need no casts.
tiles='tile(i:16, j:64, k:8) order(i0, j0, i, j, k0) micro(i:2, j:8 | k) vectorize(j:8) hold(k0) block(i0, j0) thread(i, j) share(A, B at k0)'
expect 0 compile "$SQUALL_SOURCE/samples/gemm.sq" --target=cuda -e "$tiles" --dump=code --stop-after=code
prints "sq_f32x4_fma("
! grep -q f32x8 out || fail "vectors are wider than those of the target"
expect 0 compile "$SQUALL_SOURCE/samples/gemm.sq" --target=cuda -e "$tiles" -o narrow.cu
grep -qE 'const int x0 = e /' narrow.cu || fail "a position is converted to the type that it has"
