// Sums of rows by shuffles, then of all blocks: the last one to finish adds what the others left.
#include "common.h"

__device__ unsigned finished;

__device__ float warp_sum(float v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    return v;
}

__device__ float block_sum(float v)
{
    __shared__ float of_warp[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    v = warp_sum(v);
    if (lane == 0)
        of_warp[warp] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / 32 ? of_warp[lane] : 0;
    if (warp == 0)
        v = warp_sum(v);
    return v;
}

__global__ void sum(int n, const float *in, float *partial, float *out, int *odd)
{
    __shared__ bool is_last;
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        v += in[i];
    unsigned negative = __ballot_sync(0xffffffffu, v < 0);
    if (threadIdx.x % 32 == 0)
        atomicAdd(odd, __popc(negative));
    v = block_sum(v);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = v;
        __threadfence();
        is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last) {
        v = threadIdx.x < gridDim.x ? partial[threadIdx.x] : 0;
        v = block_sum(v);
        if (threadIdx.x == 0)
            *out = v;
    }
}

int main()
{
    const int n = 10007, blocks = 5;
    std::vector<float> in = values(n, 11), wanted(1);
    for (float v : in)
        wanted[0] += v;
    float *out = on_device<float>(1), *partial = on_device<float>(blocks);
    int *odd = to_device(std::vector<int>(1));
    sum<<<blocks, 256>>>(n, to_device(in), partial, out, odd);
    MUST(cudaGetLastError());
    return compare(from_device(out, 1), wanted);
}
//! equal
