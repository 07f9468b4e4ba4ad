// A part of a shared array is read that nobody has written; so is memory fresh from cudaMalloc.
#include "common.h"

__global__ void read(const float *in, float *out)
{
    __shared__ float s[64];
    if (threadIdx.x < 60)
        s[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
    out[threadIdx.x] += in[threadIdx.x];
}

int main()
{
    float *in = on_device<float>(64);
    read<<<1, 64>>>(in, on_device<float>(64));
    return 0;
}
//! bad_unwritten.cu:10: unwritten: read of shared s[60] by thread (60,0,0) of block (0,0,0): no thread of the block has written it
//! bad_unwritten.cu:11: unwritten: read of device memory 1 (256 bytes) + 0 bytes by thread (0,0,0) of block (0,0,0): nothing has written it
