#!/bin/sh
# squall check of a description for a grid: what would be emitted runs on the processor at odd sizes,
# compared and looked at. What is broken on the way to the C++ compiler has to be found.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
[ "$SQUALL_SANITIZED" = 0 ] || exit 77
command -v g++ >/dev/null || { echo "skipped: there is no g++"; exit 77; }
cp "$SQUALL_SOURCE/samples/gemm.sq" .

tiles='tile(i:16, j:32, k:8) order(i0, j0, i, j, k0) micro(i:2, j:4 | k) hold(k0) block(i0, j0) thread(i, j) share(A, B at k0)'
expect 0 check gemm.sq --target=cuda,arch=sm_90 -e "$tiles" --cc=g++
prints "gemm: accesses in bounds, schedule legal, "
prints "size vectors as the naive nest on sm_90"
prints "at gemm M=132,N=132,K=132:"
prints "gemm_kernel0: 1 launch, grid 45 x 1 x 1, block 64 x 1 x 1"
prints " conflicts, "
prints "; 0 findings"

# One launch of each row; the figures are the largest one's. A sum of products is one fma, not two.
cat >axpy.sq <<'K'
#include "squall.h"
kernel axpy(int N, f32 a, const f32 X[N], f32 Y[N])
{
    idx i;
    Y[i] = a * X[i] + Y[i];
}
kernel half(int M, const f64 X[M], f64 Y[M])
{
    idx i;
    Y[i] = X[i] * 0.5 - X[i] / 3;
}
K
expect 0 check axpy.sq --target=cuda,arch=sm_80 --at=N=1000,M=1000 --json --cc=g++
prints '"kernel": "axpy"'
prints '"at": "axpy N=1000"'
prints '"flops": 2000'
prints '"kernel": "half"'
prints '"at": "half M=1000"'
prints '"flops": 3000'
prints '"findings": []'

# A compiler that reads another text: without its barriers, with a bound one too large, with two sums
# mixed up.
broken() {
    cat >cxx <<K
#!/bin/sh
for word in "\$@"; do
    case \$word in */0.cpp) sed -i '$1' "\$word" ;; esac
done
exec g++ "\$@"
K
    chmod +x cxx
}
broken 's/__syncthreads();//'
expect 70 check gemm.sq --target=cuda -e "$tiles" --cc=./cxx
prints "race: "
prints "note: "
says "gemm: "
says "findings"
broken 's/b.v\[0\], c.v\[0\]/b.v[0], c.v[1]/'
expect 70 check gemm.sq --target=cuda -e "$tiles" --cc=./cxx
says ": wrong: C[0] is "
broken 's/axpy_min(N, i0/axpy_min(N + 1, i0/'
expect 70 check axpy.sq --target=cuda --kernel=axpy -e 'tile(i:64) block(i0) thread(i)' --cc=./cxx
prints "out of bounds: "
says "axpy: "

expect 64 check gemm.sq --target=cuda --at=M=5
says "sizes 'N', 'K' of kernel 'gemm' are not known"
expect 64 check gemm.sq --target=cuda,arch=sm_81
says "did you mean 'sm_80'"
expect 3 check gemm.sq --target=cuda --cc=no-such-compiler
says "there is no C++ compiler 'no-such-compiler'"

# Sums in registers across two loops, on a processor.
cat >mini.sq <<'K'
#include "squall.h"
kernel mini(int M, f64 C[M], const f64 D[M][M])
{
    idx i, j, k;
    C[i] = rmax(D[i][k] * D[j][j], j, k);
}
K
expect 0 check mini.sq --target=c --at=M=13 -e 'tile(j:8) micro(i:2 | j) order(i, k, j0) hold(j0)'

# A condition between loops that blocks share: every block has its part of both.
cat >between.sq <<'K'
#include "squall.h"
kernel between(int N, i64 A[N][N + 2])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if ((j + 1) % 3 == 0)
                A[j][i + 2] = 1;
}
K
sed -i 's/i64/int64_t/' between.sq
for script in 'tile(i:128) order(j) block(j, i0)' 'tile(i:4) order(j, i0, i) block(j, i0) thread(i)'; do
    expect 0 check between.sq --target=cuda -e "$script"
    prints "; 0 findings"
done

# The host asks once which of two sequences of kernels it launches: none of them is lost, whatever the sizes are.
cat >either.sq <<'K'
#include "squall.h"
kernel either(int T, int N, int M, f32 A[N], f32 B[N])
{
    assume(N >= 4);
    for (int t = 0; t < T; t++)
        if (N < M) {
            for (int i = 0; i < N; i++)
                A[i] = 0.5f * B[i] + A[i];
        } else {
            for (int i = 0; i < N; i++)
                B[i] = A[i] - 0.25f * B[i];
        }
}
K
expect 0 compile either.sq --target=cuda -o either.cu
sed -n '/cudaError_t either_launch(/,/^}/p' either.cu >launch
awk '/^    } else {/ { other = 1 } /either_kernel[0-9]*,/ { kernels[other + 0]++ }
     END { exit !(kernels[0] == 1 && kernels[1] == 1) }' launch || fail "the host does not choose between two kernels"
for sizes in T=3,N=33,M=5 T=3,N=33,M=40; do
    expect 0 check either.sq --target=cuda --at=$sizes --cc=g++
    grep -q "kernel[0-9]*: 3 launches" out || fail "no kernel is launched for $sizes"
done
