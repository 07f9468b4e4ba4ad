// One buffer: the barrier after its use is missing, so that it is overwritten while others read it.
#include "common.h"

__global__ void steps(int n, const float *in, float *out)
{
    __shared__ float s[64];
    float sum = 0;
    for (int i = 0; i < n; i++) {
        s[threadIdx.x] = in[i * 64 + threadIdx.x];
        __syncthreads();
        sum += s[63 - threadIdx.x];
    }
    out[threadIdx.x] = sum;
}

int main()
{
    steps<<<1, 64>>>(3, to_device(values(192, 5)), on_device<float>(64));
    return 0;
}
//! bad_barrier_second.cu:9: race: write of shared s[32] by thread (32,0,0) of block (0,0,0)
//! bad_barrier_second.cu:11: note: read by thread (31,0,0) of block (0,0,0): no barrier lies between
