#!/bin/sh
# What the user calls something CUDA has a name for, and grids larger than a device has: more tiles than
# blocks are taken in turn, which is tried with a device of few blocks.
. "$SQUALL_SOURCE/tests/cuda/lib.sh"
command -v g++ >/dev/null || { echo "skipped: there is no g++"; exit 77; }
[ "$SQUALL_SANITIZED" = 0 ] || exit 77
# Arrays, scalars and indices are renamed.
cat >own.sq <<'K'
#include "squall.h"
kernel own(int M, int N, f32 gridDim, f32 dim3, const f32 threadIdx[M][N], const f32 blockIdx[N], inout f32 cudaSuccess[M][N],
           f32 printf[M])
{
    idx blockDim, warpSize;
    f32 float4[M][N];
    float4[blockDim][warpSize] = threadIdx[blockDim][warpSize] * gridDim + dim3;
    cudaSuccess[blockDim][warpSize] =
        float4[blockDim][warpSize] + cudaSuccess[blockDim][warpSize] * blockIdx[warpSize];
    printf[blockDim] = sum(float4[blockDim][warpSize], warpSize);
}
K
"$SQUALL" check own.sq --target=cuda --at=M=9,N=21 --cc=g++ >log 2>&1 || { complain "names of CUDA"; }
grep -q '; 0 findings' log || complain "names of CUDA were not run"
"$SQUALL" compile own.sq --target=cuda -o own.cu --header=own.h
grep -Eq 'cudaError_t|cudaLaunchKernelEx' own.cu || complain "the text does not say what it should not collide with"
# Also where there is nothing to sum, which is a kernel of its own.
cat >none.sq <<'K'
#include "squall.h"
kernel none(int M, int N, const f64 A[M][N], f64 fits[M][3])
{
    idx floord, bool, k;
    fits[floord][bool] = sum(A[floord][k], k) / 2;
}
K
"$SQUALL" check none.sq --target=cuda --at=M=3,N=0 --cc=g++ >log 2>&1 || { complain "names where nothing is summed"; }
# The kernel and its sizes keep their names.
refused() {
    "$SQUALL" compile "$1" --target=cuda -o x.cu >log 2>&1 && complain "accepted: $1"
    grep -q "$2" log || { complain "expected: $2"; }
}
sed 's/kernel own/kernel warpSize/' own.sq >name.sq
refused name.sq "name.sq:2:8: error: 'warpSize' is a word of CUDA, .*; call the kernel something else"
sed 's/threadIdx/X/g; s/int N/int threadIdx/; s/\[N\]/[threadIdx]/g' own.sq >size.sq
refused size.sq "size.sq:2:.*'threadIdx' is a word of CUDA, .*; call the size something else"
"$SQUALL" compile size.sq --fix=threadIdx=5 --target=cuda -o x.cu || complain "a fixed size is no name"

# A grid has one dimension, so 65535 is no limit.
cat >rows.sq <<'K'
#include "squall.h"
kernel rows(int M, const f32 X[M], f32 Y[M])
{
    idx i;
    Y[i] = X[i] * 2;
}
K
"$SQUALL" check rows.sq --target=cuda -e 'block(i)' --at=M=70001 --cc=g++ >log 2>&1 || { complain "70001 blocks"; }
grep -q 'grid 70001 x 1 x 1' log || { complain "not 70001 blocks"; }

# Of 2^31 - 1 and more blocks it is: two here.
cat >cxx <<'K'
#!/bin/sh
for word in "$@"; do
    case $word in */0.cpp)
        grep -q 'tiles < 2147483647 ? tiles : 2147483647' "$word" || exit 1
        sed -i 's/tiles < 2147483647 ? tiles : 2147483647/tiles < 2 ? tiles : 2/' "$word" ;;
    esac
done
exec g++ "$@"
K
chmod +x cxx
few() {
    kernel=$1 at=$2
    shift 2
    "$SQUALL" check $kernel --target=cuda --at=$at --cc=./cxx "$@" >log 2>&1 || { complain "$kernel on two blocks"; }
    grep -q 'grid 2 x 1 x 1' log || { complain "$kernel has more blocks"; }
    grep -Eq 'grid ([3-9]|1[0-9])' log && complain "$kernel has more blocks"
    :
}
samples=$SQUALL_SOURCE/samples
few "$samples/gemm.sq" M=37,N=70,K=21 \
    -e 'tile(i:8, j:16, k:8) order(i0, j0, i, j, k0) micro(i:2, j:4 | k) hold(k0) block(i0, j0) thread(i, j) share(A, B at k0)'
few "$samples/softmax.sq" M=7,N=45
few "$samples/jacobi_2d.sq" T=2,N=41
exit $bad
