// Launches that a device refuses, and the codes by which it says so.
#include "common.h"

__global__ void nothing()
{
}

__global__ void fill(int n, int from, float *out)
{
    extern __shared__ __align__(16) unsigned char raw[];
    float *own = (float *)raw + from;
    own[threadIdx.x] = (float)threadIdx.x;
    __syncthreads();
    if (blockIdx.x * blockDim.x + threadIdx.x < n)
        out[blockIdx.x * blockDim.x + threadIdx.x] = own[blockDim.x - 1 - threadIdx.x];
}

static cudaError_t attempt(dim3 grid, dim3 block, size_t shared)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared;
    cudaError_t e = cudaLaunchKernelEx(&config, nothing);
    cudaGetLastError();
    return e;
}

int main()
{
    std::vector<int> got, wanted;
#define EXPECT(call, error)                                                                        \
    got.push_back((int)(call));                                                                    \
    wanted.push_back((int)(error))
    EXPECT(attempt(1, 1024, 0), cudaSuccess);
    EXPECT(attempt(1, 1025, 0), cudaErrorInvalidConfiguration);
    EXPECT(attempt(1, dim3(1, 1, 65), 0), cudaErrorInvalidConfiguration);
    EXPECT(attempt(1, dim3(64, 32, 1), 0), cudaErrorInvalidConfiguration);
    EXPECT(attempt(0, 32, 0), cudaErrorInvalidConfiguration);
    EXPECT(attempt(dim3(1, 65536), 32, 0), cudaErrorInvalidConfiguration);
    EXPECT(attempt(1, 32, 48 * 1024), cudaSuccess);
    EXPECT(attempt(1, 32, 48 * 1024 + 1), cudaErrorInvalidValue);
    int most = 0;
    MUST(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    cudaFuncAttribute size = cudaFuncAttributeMaxDynamicSharedMemorySize;
    EXPECT(cudaFuncSetAttribute(nothing, size, most), cudaSuccess);
    EXPECT(attempt(1, 32, (size_t)most), cudaSuccess);
    EXPECT(cudaFuncSetAttribute(nothing, size, most + 1), cudaErrorInvalidValue);
    cudaGetLastError();

    const int n = 150;
    float *out = on_device<float>(n);
    std::vector<float> v;
    for (int from : {0, 64, 12000, 3}) { // launches have shared memory of different sizes
        fill<<<3, 64, (from + 64) * sizeof(float)>>>(n, from, out);
        EXPECT(cudaGetLastError(), cudaSuccess);
        v = from_device(out, n);
        for (int i = 0; i < n; i++) {
            EXPECT(v[i], 63 - i % 64);
        }
    }
    EXPECT(cudaMemcpy(v.data(), out, (n + 1) * sizeof(float), cudaMemcpyDeviceToHost),
           cudaErrorInvalidValue);
    return compare(got, wanted);
}
//! nothing: 1 launch, grid 1 x 1 x 1, block 32 x 1 x 1, shared 0 + 49152 bytes
