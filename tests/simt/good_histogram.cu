// A histogram: atomics on shared memory, then on the device's.
#include "common.h"

enum { BINS = 64 };

__global__ void histogram(int n, const unsigned char *in, int *out)
{
    extern __shared__ int bins[];
    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        bins[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[in[i] % BINS], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        atomicAdd(&out[i], bins[i]);
}

int main()
{
    const int n = 5000;
    std::vector<unsigned char> in(n);
    std::vector<int> wanted(BINS);
    for (int i = 0; i < n; i++) {
        in[i] = (unsigned char)(i * i % 251);
        wanted[in[i] % BINS]++;
    }
    int *out = to_device(std::vector<int>(BINS));
    histogram<<<3, 96, BINS * sizeof(int)>>>(n, to_device(in), out);
    MUST(cudaGetLastError());
    return compare(from_device(out, BINS), wanted);
}
//! block 96 x 1 x 1, shared 0 + 256 bytes
