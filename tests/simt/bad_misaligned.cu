// A vector of four floats at an address that is no multiple of 16.
#include "common.h"

__global__ void vector(const float *in, float *out)
{
    float4 v = *(const float4 *)(in + 4 * threadIdx.x + 2);
    out[threadIdx.x] = v.x + v.w;
}

int main()
{
    float *in = to_device(values(64, 3));
    vector<<<1, 8>>>(in, on_device<float>(8));
    return cudaDeviceSynchronize() != cudaErrorMisalignedAddress;
}
//! bad_misaligned.cu:6: misaligned: read of 16 bytes at device memory 1 (256 bytes) + 8 bytes, which is 8 bytes past a multiple of 16, by thread (0,0,0) of block (0,0,0)
