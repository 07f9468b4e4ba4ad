// Lanes write four words at a time where others read one, and one where others read four.
#include "common.h"

__global__ void widths(float *out)
{
    __shared__ float4 wide[32];
    float *s = (float *)wide;
    wide[threadIdx.x] = make_float4(1, 2, 3, 4);
    out[threadIdx.x] = s[(4 * threadIdx.x + 6) % 128];
    __syncthreads();
    s[4 * threadIdx.x + 3] = 5;
    float4 all = wide[threadIdx.x ^ 1];
    __syncthreads();
    out[threadIdx.x] += all.w + s[4 * (threadIdx.x ^ 2) + 3];
}

int main()
{
    widths<<<1, 32>>>(on_device<float>(32));
    return 0;
}
//! bad_widths.cu:9: race: read of shared wide[0] by thread (31,0,0) of block (0,0,0)
//! bad_widths.cu:8: note: write by thread (0,0,0) of block (0,0,0): no __syncwarp and no barrier lies between
//! bad_widths.cu:12: race: read of shared wide[0] by thread (1,0,0) of block (0,0,0)
//! bad_widths.cu:11: note: write by thread (0,0,0) of block (0,0,0): no __syncwarp and no barrier lies between
