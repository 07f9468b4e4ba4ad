// A guard that lets one thread too many through, and one element before the first.
#include "common.h"

__global__ void shift(int n, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        out[i] = in[i - 1];
}

int main()
{
    float *out = on_device<float>(100);
    shift<<<2, 64>>>(100, to_device(values(100, 3)), out);
    return 0;
}
//! bad_global_end.cu:8: out of bounds: read of 4 bytes at 4 bytes before the beginning of device memory 2 (400 bytes) by thread (0,0,0) of block (0,0,0)
//! bad_global_end.cu:8: out of bounds: write of 4 bytes at offset 400 of device memory 1 (400 bytes), 4 bytes beyond its end of 400 bytes, by thread (36,0,0) of block (1,0,0)
