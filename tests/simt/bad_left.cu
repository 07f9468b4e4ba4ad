// Threads beyond the end leave the kernel before a barrier of the others.
#include "common.h"

__global__ void early(int n, float *out)
{
    if (threadIdx.x >= n)
        return;
    __syncthreads();
    out[threadIdx.x] = 1;
}

int main()
{
    early<<<1, 64>>>(50, on_device<float>(64));
    return 0;
}
//! bad_left.cu:8: divergent barrier: thread (0,0,0) of block (0,0,0) waits here, while 14 of 64 threads of the block have left the kernel (thread (50,0,0) of block (0,0,0) is the first)
