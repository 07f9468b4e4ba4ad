/* Prints the properties of the first device, one per line; or "error NUMBER TEXT". */
#include <cuda_runtime.h>
#include <stdio.h>

static int fail(cudaError_t e)
{
    printf("error %d %s\n", (int)e, cudaGetErrorString(e));
    return 0;
}

int main()
{
    static const struct {
        const char *name;
        cudaDeviceAttr attribute;
    } figures[] = {{"major", cudaDevAttrComputeCapabilityMajor},
                   {"minor", cudaDevAttrComputeCapabilityMinor},
                   {"multiprocessors", cudaDevAttrMultiProcessorCount},
                   {"clock_khz", cudaDevAttrClockRate},
                   {"memory_khz", cudaDevAttrMemoryClockRate},
                   {"bus_bits", cudaDevAttrGlobalMemoryBusWidth},
                   {"l2_bytes", cudaDevAttrL2CacheSize},
                   {"shared_bytes", cudaDevAttrMaxSharedMemoryPerMultiprocessor},
                   {"block_shared_bytes", cudaDevAttrMaxSharedMemoryPerBlockOptin},
                   {"registers", cudaDevAttrMaxRegistersPerMultiprocessor},
                   {"threads", cudaDevAttrMaxThreadsPerMultiProcessor},
                   {"blocks", cudaDevAttrMaxBlocksPerMultiprocessor}};
    static cudaDeviceProp properties;
    int n = 0, driver = 0;
    size_t left = 0, total = 0;
    cudaError_t e = cudaGetDeviceCount(&n);
    if (e == cudaSuccess)
        e = cudaGetDeviceProperties(&properties, 0);
    if (e == cudaSuccess)
        e = cudaDriverGetVersion(&driver);
    if (e == cudaSuccess)
        e = cudaMemGetInfo(&left, &total); /* the first call that needs the device */
    if (e != cudaSuccess)
        return fail(e);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        int value = 0; /* properties that newer drivers no longer report */
        if (cudaDeviceGetAttribute(&value, figures[i].attribute, 0) == cudaSuccess)
            printf("%s %d\n", figures[i].name, value);
    }
    printf("devices %d\ndriver %d\nmemory_bytes %zu\nname %s\n", n, driver, total, properties.name);
    return 0;
}
