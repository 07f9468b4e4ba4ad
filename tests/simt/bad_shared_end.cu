// One past the end of a shared array: not the next array, but nothing.
#include "common.h"

__global__ void over(float *out)
{
    __shared__ float a[4][33], b[4][33];
    a[3][threadIdx.x] = 1;
    b[3][threadIdx.x] = 2;
    __syncthreads();
    for (int i = threadIdx.x; i <= 33; i += 33)
        out[i] = a[3][i] + b[3][threadIdx.x];
}

int main()
{
    over<<<1, 33>>>(on_device<float>(64));
    return 0;
}
//! bad_shared_end.cu:11: out of bounds: read of 4 bytes at offset 528 of shared a, 4 bytes beyond its end of 528 bytes, by thread (0,0,0) of block (0,0,0)
