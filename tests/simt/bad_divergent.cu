// Half of the threads wait at one barrier, the others at another one.
#include "common.h"

__global__ void halves(float *out)
{
    if (threadIdx.x < 32)
        __syncthreads();
    else
        __syncthreads();
    out[threadIdx.x] = 1;
}

int main()
{
    halves<<<1, 64>>>(on_device<float>(64));
    return 0;
}
//! bad_divergent.cu:7: divergent barrier: thread (0,0,0) of block (0,0,0) waits here
//! bad_divergent.cu:9: note: thread (32,0,0) of block (0,0,0) waits at this one
