// A shuffle with a full mask that only some lanes come to.
#include "common.h"

__global__ void some(float *out)
{
    float v = (float)threadIdx.x;
    if (threadIdx.x < 20)
        v += __shfl_xor_sync(0xffffffffu, v, 1);
    __syncthreads();
    out[threadIdx.x] = v;
}

int main()
{
    some<<<1, 32>>>(on_device<float>(32));
    return cudaDeviceSynchronize() != cudaErrorLaunchFailure;
}
//! bad_lane.cu:8: missing lanes: thread (0,0,0) of block (0,0,0) waits at this shuffle for the lanes 0xffffffff, which never all come
//! bad_lane.cu:9: note: thread (20,0,0) of block (0,0,0) waits at this barrier
