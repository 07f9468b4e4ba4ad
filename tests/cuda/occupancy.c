/* Blocks of a multiprocessor, by ir/machine/device.h and by CUDA's own header, for random kernels on each
 * device of tuner/device/devices.json, as test_occupancy.sh writes them. Without a device: the header takes
 * its figures from a record. */
#include "ir/machine/device.h"
#include <cuda_occupancy.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned next(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static int theirs(const sq_device *d, int threads, int registers, int shared)
{
    cudaOccDeviceProp p = {.computeMajor = atoi(d->arch + 3) / 10,
                           .computeMinor = atoi(d->arch + 3) % 10,
                           .maxThreadsPerBlock = 1024,
                           .maxThreadsPerMultiprocessor = d->threads,
                           .regsPerBlock = d->registers,
                           .regsPerMultiprocessor = d->registers,
                           .warpSize = 32,
                           .sharedMemPerBlock = 49152,
                           .sharedMemPerMultiprocessor = (size_t)d->shared,
                           .numSms = d->multiprocessors,
                           .sharedMemPerBlockOptin = (size_t)d->shared_block,
                           .reservedSharedMemPerBlock = 1024};
    cudaOccFuncAttributes f = {.maxThreadsPerBlock = 1024,
                               .numRegs = registers,
                               .sharedSizeBytes = 0,
                               .partitionedGCConfig = PARTITIONED_GC_OFF,
                               .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
                               .maxDynamicSharedSizeBytes = (size_t)d->shared_block};
    cudaOccDeviceState state = {.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED};
    cudaOccResult r;
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&r, &p, &f, &state, threads, (size_t)shared) !=
        CUDA_OCC_SUCCESS)
        return 0;
    return r.activeBlocksPerMultiprocessor;
}

int main(void)
{
    static const sq_device device[] = {
#include "devices.inc"
    };
    enum { DEVICES = sizeof device / sizeof device[0] };
    unsigned state = 20260;
    int wrong = 0;
    for (int i = 0; i < 2000 * DEVICES && wrong < 5; i++) {
        const sq_device *d = &device[i % DEVICES];
        int threads = 1 + (int)(next(&state) % 1100), registers = 1 + (int)(next(&state) % 255);
        int shared = i % 3 ? (int)(next(&state) % (unsigned)d->shared_block) : 0;
        int ours = sq_device_occupancy(d, threads, registers, shared, NULL);
        int want = theirs(d, threads, registers, shared);
        if (ours != want) {
            printf("%s: %d threads, %d registers, %d bytes: %d blocks, not %d\n", d->arch, threads,
                   registers, shared, ours, want);
            wrong++;
        }
    }
    return wrong > 0;
}
