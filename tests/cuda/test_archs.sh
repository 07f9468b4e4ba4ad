#!/bin/sh
# Every architecture that a target has: its text runs in the library with the limits of its devices, nvcc
# takes it, and another one is refused with the list.
. "$SQUALL_SOURCE/tests/cuda/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
cp "$SQUALL_SOURCE"/samples/gemm.sq .
for arch in sm_80 sm_86 sm_89 sm_90 sm_90a sm_100 sm_120; do
    architectures | grep -qx $arch || complain "no row for $arch"
done
for arch in $(architectures); do
    "$SQUALL" compile gemm.sq --target=cuda,arch=$arch -o $arch.cu >log 2>&1 || complain "$arch is refused"
    "$SQUALL" check gemm.sq --target=cuda,arch=$arch --at=M=5,N=7,K=3 >log 2>&1 || complain "$arch does not run"
    "$SQUALL" show schedule gemm.sq --target=cuda,arch=$arch --machine=$arch >log 2>&1 || complain "no device of $arch"
    grep -q "cuda,arch=$arch" $arch.cu || complain "$arch.cu does not say its architecture"
    [ -z "$nvcc" ] || "$nvcc" -arch=$arch -cubin -o $arch.cubin $arch.cu -Xptxas -warn-spills,-Werror \
        -Werror all-warnings >log 2>&1 || complain "nvcc does not take $arch.cu"
done
if "$SQUALL" compile gemm.sq --target=cuda,arch=sm_75 -o - >log 2>&1; then complain "sm_75 is taken"; fi
grep -q "no architecture 'sm_75'; there are: $(architectures | tr '\n' ' ' | sed 's/ $//')" log || complain "no list"

# 100 KiB of the block's memory: more than the small multiprocessors have.
large='tile(i:128, j:128, k:32) order(i0, j0, i, j, k0) micro(i:8, j:8 | k) hold(k0) block(i0, j0) thread(i, j)
    share(A, B at k0, stages:4)'
for arch in sm_80 sm_90 sm_100; do
    "$SQUALL" compile gemm.sq --target=cuda,arch=$arch -e "$large" -o - >log 2>&1 || complain "too much for $arch"
done
for arch in sm_86 sm_89 sm_120; do
    if "$SQUALL" compile gemm.sq --target=cuda,arch=$arch -e "$large" -o - >log 2>&1; then complain "$arch takes it"; fi
    grep -q "$arch has 101376 at most" log || complain "no limit of $arch"
done
cat >ask.cu <<'END'
#include <cuda_runtime.h>
#include <stdio.h>
int main(void)
{
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    printf("%d%d: %d threads, %d of %d bytes\n", p.major, p.minor, p.maxThreadsPerMultiProcessor,
           (int)p.sharedMemPerBlockOptin, (int)p.sharedMemPerMultiprocessor);
}
END
# (The program launches nothing, which check says.)
"$SQUALL" check --target=cuda,arch=sm_120 ask.cu >log 2>&1 || true
grep -qx '120: 1536 threads, 101376 of 102400 bytes' log || complain "not what sm_120 has"
exit $bad
