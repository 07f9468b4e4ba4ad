// Each thread waits for its own copies, and reads another one's without a barrier.
#include "common.h"
#include <cuda_pipeline.h>

__global__ void copy(const float *in, float *out)
{
    __shared__ float s[64];
    __pipeline_memcpy_async(&s[threadIdx.x], in + threadIdx.x, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = s[threadIdx.x ^ 1];
}

int main()
{
    copy<<<1, 64>>>(to_device(values(64, 3)), on_device<float>(64));
    return 0;
}
//! bad_wait_alone.cu:11: race: read of shared s[0] by thread (1,0,0) of block (0,0,0)
//! bad_wait_alone.cu:8: note: asynchronous copy by thread (0,0,0) of block (0,0,0): no __syncwarp and no barrier lies between
