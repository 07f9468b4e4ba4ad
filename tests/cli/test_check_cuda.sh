#!/bin/sh
# squall check of CUDA text: what it says when it cannot, and its JSON. The checks themselves are in
# tests/simt.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
[ "$SQUALL_SANITIZED" = 0 ] || exit 77
command -v g++ >/dev/null || command -v clang++ >/dev/null || exit 77

cat >one.cu <<'K'
__global__ void one(float *out)
{
    out[threadIdx.x] = fmaf(2, 3, 1);
}
int main()
{
    float *out;
    if (cudaMalloc(&out, 4 * TIMES))
        return 2;
    one<<<1, TIMES>>>(out);
    return cudaGetLastError();
}
K
expect 0 check one.cu -DTIMES=32
prints "0 findings"
prints "one.cu:3     global write, 4 bytes                    1  sectors 4 of at least 4"
expect 0 check one.cu -DTIMES=32 --json
prints '"kernel": "one"'
prints '"flops": 64'
prints '"findings": []'
expect 0 check one.cu --target=cuda,arch=sm_80 --cc=g++ -- -DTIMES=1

# Plain arithmetic counts where a kernel does it, not where the host does.
cat >dot.cu <<'K'
__global__ void dot(const float *a, float *c, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * a[i];
    *c = s / 3 - 1;
}
int main()
{
    float *a, h[10] = {1, 2, 3};
    double sum = 0;
    for (int i = 0; i < 10; i++)
        sum += h[i] * 3.5;
    cudaMalloc(&a, 44);
    cudaMemcpy(a, h, 40, cudaMemcpyHostToDevice);
    dot<<<1, 1>>>(a, a + 10, 10);
    return cudaDeviceSynchronize() + (sum < 0);
}
K
for cxx in g++ clang++-19; do
    command -v $cxx >/dev/null || continue
    expect 0 check dot.cu --json --cc=$cxx
    prints '"flops": 22'
done

expect 64 check one.cu --target=cuda,arch=sm_60
says "target 'cuda' has no architecture 'sm_60'"
expect 64 check one.cu --target=avx2
says "CUDA text is not checked for the target 'avx2'"
expect 64 check one.cu --target=kuda
says "did you mean 'cuda'"
expect 3 check one.cu --cc=no-such-compiler
says "there is no C++ compiler 'no-such-compiler'"
expect 3 check none.cu
says "none.cu"
expect 1 check one.cu # TIMES is not known
says "one.cu:8"
says "one.cu is not accepted by"
expect 1 check one.cu -DTIMES=1025
says "the program exited with 9"

echo 'int main() { return 0; }' >empty.cu
expect 1 check empty.cu
says "launches no kernel"
printf '__global__ void f();\nint main() { f<<<1; }\n' >open.cu
expect 1 check open.cu
says "open.cu:2:15: error: this launch is not read"
printf '__global__ void f()\n{\n    extern __shared__ float a[4];\n}\n' >sized.cu
expect 1 check sized.cu
says "sized.cu:3:12: error: dynamic shared memory is declared alone and without a size"
mkdir -p lib/deep
echo '#include "kernel.cuh"' >lib/deep/all.cuh
cat >lib/deep/kernel.cuh <<'K'
#pragma once
__global__ void late(float *out)
{
    __shared__ float s[64];
    s[threadIdx.x] = 1;
    out[threadIdx.x] = s[63 - threadIdx.x];
}
template <class T> void start(T *out) { late<<<1, 64>>>(out); }
K
cat >parts.cu <<'K'
#include "deep/all.cuh"
#include "deep/kernel.cuh"
int main()
{
    float *out;
    cudaMalloc(&out, 256);
    start(out);
}
K
expect 1 check parts.cu -Ilib
prints "lib/deep/kernel.cuh:5: race: write of shared s[32]"
prints "lib/deep/kernel.cuh:6: note: read by thread (31,0,0)"
printf '__global__ void f()\n{\n    __shared__ ;\n}\n' >nothing.cu
expect 1 check nothing.cu
says "nothing.cu:3:5: error: this declaration is not read"
cat >spin.cu <<'K'
__global__ void f(volatile int *p)
{
    while (*p == 0)
        ;
}
int main()
{
    int *p, zero = 0;
    cudaMalloc(&p, 4);
    cudaMemcpy(p, &zero, 4, cudaMemcpyHostToDevice);
    f<<<1, 1>>>(p);
}
K
expect 1 check spin.cu --budget=1s
says "spin.cu did not end in time"

# No program: why there is none.
echo '__global__ void lone(float *out) { *out = 1; }' >lone.cu
expect 1 check lone.cu
says "the file is a program: it needs a main that allocates, launches and compares"
"$SQUALL" compile "$SQUALL_SOURCE/samples/gemm.sq" --target=cuda -o gemm.cu
expect 1 check gemm.cu
says "what Squall wrote is a program, with a main, under -DSQUALL_SELFTEST"
echo 'int main() { return nothing; }' >wrong.cu
expect 1 check wrong.cu
if grep -q 'help:' err; then fail "speaks of main where there is one"; fi

# A recurrent network of 24 steps amplifies the rounding of its first ones: that is no fault. Half of a product is one, a
# step that is left out, and a constant that is 1 % off.
cat >rnn.sq <<'K'
#include "squall.h"
kernel rnn(int T, int H, const f32 W[H][H], const f32 X[T][H], f32 Y[T + 1][H])
{
    idx k;
    for (int t = 0; t < T; t++)
        for (int i = 0; i < H; i++)
            Y[t + 1][i] = tanh(X[t][i] + sum(W[i][k] * Y[t][k], k));
}
K
expect 0 compile rnn.sq -q --target=cuda,arch=sm_80 --fix=T=24,H=64 -o rnn.cu
expect 0 check rnn.cu --target=cuda,arch=sm_80 -DSQUALL_SELFTEST
for edit in 's/X0 + c0_0/X0 + c0_0 * 0.5f/' 's/t < 24; t++/t < 23; t++/' 's/X0 + c0_0/X0 + c0_0 * 1.01f/'; do
    sed "/extern \"C\" int/q;$edit" rnn.cu >wrong.cu
    sed '1,/extern "C" int/d' rnn.cu >>wrong.cu
    ! cmp -s rnn.cu wrong.cu || fail "nothing to edit: $edit"
    expect 1 check wrong.cu --target=cuda,arch=sm_80 -DSQUALL_SELFTEST
done
