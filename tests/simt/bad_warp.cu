// Lanes exchange values through shared memory and forget __syncwarp.
#include "common.h"

__global__ void exchange(float *out)
{
    __shared__ float s[32];
    s[threadIdx.x] = (float)threadIdx.x;
    out[threadIdx.x] = s[threadIdx.x ^ 1];
    __syncwarp();
    out[threadIdx.x] += s[threadIdx.x ^ 2];
}

int main()
{
    exchange<<<1, 32>>>(on_device<float>(32));
    return 0;
}
//! bad_warp.cu:8: race: read of shared s[0] by thread (1,0,0) of block (0,0,0)
//! bad_warp.cu:7: note: write by thread (0,0,0) of block (0,0,0): no __syncwarp and no barrier lies between
