/* Functions that a program calls on the host, as far as launchers need them. Error codes and limits
 * are those of the simulated device (SQUALL_SIMT_ARCH, 80 or 90). */
#ifndef SQUALL_SIMT_HOST_H
#define SQUALL_SIMT_HOST_H
#include "squall_simt/abi.h"
#include "squall_simt/types.h"

typedef enum cudaError {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInitializationError = 3,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidSymbol = 13,
    cudaErrorInvalidDevicePointer = 17,
    cudaErrorInvalidMemcpyDirection = 21,
    cudaErrorInsufficientDriver = 35,
    cudaErrorDevicesUnavailable = 46,
    cudaErrorInvalidDeviceFunction = 98,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorNoKernelImageForDevice = 209,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchOutOfResources = 701,
    cudaErrorLaunchTimeout = 702,
    cudaErrorAssert = 710,
    cudaErrorMisalignedAddress = 716,
    cudaErrorLaunchFailure = 719,
    cudaErrorNotSupported = 801,
    cudaErrorUnknown = 999
} cudaError_t;

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
#define cudaStreamDefault 0x00
#define cudaStreamNonBlocking 0x01
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#define cudaEventDefault 0x00
#define cudaEventBlockingSync 0x01
#define cudaEventDisableTiming 0x02
#define cudaMemAttachGlobal 0x01
#define cudaHostAllocDefault 0x00

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxL1 = 0,
    cudaSharedmemCarveoutMaxShared = 100
};
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxBlockDimX = 2,
    cudaDevAttrMaxBlockDimY = 3,
    cudaDevAttrMaxBlockDimZ = 4,
    cudaDevAttrMaxGridDimX = 5,
    cudaDevAttrMaxGridDimY = 6,
    cudaDevAttrMaxGridDimZ = 7,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrTotalConstantMemory = 9,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMaxRegistersPerBlock = 12,
    cudaDevAttrClockRate = 13,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrMemoryClockRate = 36,
    cudaDevAttrGlobalMemoryBusWidth = 37,
    cudaDevAttrL2CacheSize = 38,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrMaxRegistersPerMultiprocessor = 82,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrMaxBlocksPerMultiprocessor = 106,
    cudaDevAttrReservedSharedMemoryPerBlock = 111
};
struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], major, minor,
        multiProcessorCount, l2CacheSize, maxThreadsPerMultiProcessor, memoryBusWidth;
    size_t totalConstMem, sharedMemPerMultiprocessor, sharedMemPerBlockOptin;
    int regsPerMultiprocessor, maxBlocksPerMultiProcessor;
    size_t reservedSharedMemPerBlock;
};
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA,
        maxDynamicSharedSizeBytes, preferredShmemCarveout;
};
enum cudaLaunchAttributeID { cudaLaunchAttributeIgnore = 0 };
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    char value[64];
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes = 0;
    cudaStream_t stream = nullptr;
    cudaLaunchAttribute *attrs = nullptr;
    unsigned numAttrs = 0;
};

extern "C" {
cudaError_t cudaFree(void *p);
cudaError_t cudaMemcpy(void *to, const void *from, size_t n, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemset(void *p, int value, size_t n);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorString(cudaError_t e);
const char *cudaGetErrorName(cudaError_t e);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceCount(int *n);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device);
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaStreamCreate(cudaStream_t *s);
cudaError_t cudaStreamDestroy(cudaStream_t s);
cudaError_t cudaStreamSynchronize(cudaStream_t s);
cudaError_t cudaStreamQuery(cudaStream_t s);
cudaError_t cudaEventCreate(cudaEvent_t *e);
cudaError_t cudaEventDestroy(cudaEvent_t e);
cudaError_t cudaEventSynchronize(cudaEvent_t e);
cudaError_t cudaEventQuery(cudaEvent_t e);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to);
/* Called by the templates below. */
int simt_malloc(void **p, size_t n, int is_managed);
int simt_event_record(cudaEvent_t e);
int simt_set_attribute(const void *kernel, int attribute, int value);
int simt_get_attributes(cudaFuncAttributes *to, const void *kernel);
int simt_start(const simt_config *c, const void *kernel, void (*thread)(void *), void *arg);
int simt_occupancy(int *blocks, const void *kernel, int threads, size_t shared);
int simt_last_error(int error);
}

template <class T> static inline cudaError_t cudaMalloc(T **p, size_t n)
{
    return (cudaError_t)simt_malloc((void **)p, n, 0);
}
template <class T>
static inline cudaError_t cudaMallocManaged(T **p, size_t n, unsigned = cudaMemAttachGlobal)
{
    return (cudaError_t)simt_malloc((void **)p, n, 1);
}
template <class T> static inline cudaError_t cudaMallocAsync(T **p, size_t n, cudaStream_t)
{
    return cudaMalloc(p, n);
}
static inline cudaError_t cudaFreeAsync(void *p, cudaStream_t)
{
    return cudaFree(p);
}
template <class T> static inline cudaError_t cudaMallocHost(T **p, size_t n, unsigned = 0)
{
    *p = (T *)malloc(n);
    return *p || !n ? cudaSuccess : cudaErrorMemoryAllocation;
}
template <class T> static inline cudaError_t cudaHostAlloc(T **p, size_t n, unsigned)
{
    return cudaMallocHost(p, n);
}
static inline cudaError_t cudaFreeHost(void *p)
{
    free(p);
    return cudaSuccess;
}
static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, cudaMemcpyKind kind,
                                          cudaStream_t = nullptr)
{
    return cudaMemcpy(to, from, n, kind);
}
static inline cudaError_t cudaMemsetAsync(void *p, int value, size_t n, cudaStream_t = nullptr)
{
    return cudaMemset(p, value, n);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbol(T &symbol, const void *from, size_t n,
                                             size_t offset = 0,
                                             cudaMemcpyKind = cudaMemcpyHostToDevice)
{
    if (offset > sizeof symbol || n > sizeof symbol - offset)
        return (cudaError_t)simt_last_error(cudaErrorInvalidValue);
    memcpy((char *)&symbol + offset, from, n);
    return cudaSuccess;
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t n,
                                               size_t offset = 0,
                                               cudaMemcpyKind = cudaMemcpyDeviceToHost)
{
    if (offset > sizeof symbol || n > sizeof symbol - offset)
        return (cudaError_t)simt_last_error(cudaErrorInvalidValue);
    memcpy(to, (const char *)&symbol + offset, n);
    return cudaSuccess;
}
template <class T> static inline cudaError_t cudaGetSymbolAddress(void **p, const T &symbol)
{
    *p = (void *)&symbol;
    return cudaSuccess;
}
static inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned)
{
    return cudaStreamCreate(s);
}
static inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned)
{
    return cudaEventCreate(e);
}
static inline cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t = nullptr)
{
    return (cudaError_t)simt_event_record(e);
}
static inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0)
{
    return cudaSuccess;
}
template <class T>
static inline cudaError_t cudaFuncSetAttribute(T *kernel, cudaFuncAttribute a, int value)
{
    return (cudaError_t)simt_set_attribute((const void *)kernel, a, value);
}
template <class T>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *to, T *kernel)
{
    return (cudaError_t)simt_get_attributes(to, (const void *)kernel);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *kernel,
                                                                        int threads, size_t shared)
{
    return (cudaError_t)simt_occupancy(blocks, (const void *)kernel, threads, shared);
}

namespace squall_simt
{
/* Each thread gets copies of the parameters, as on the device. */
template <class... P> SQUALL_SIMT_PLAIN int run(const simt_config &c, void (*kernel)(P...), P... p)
{
    void (*volatile call)(P...) = kernel;
    auto body = [&]() SQUALL_SIMT_PLAIN { call(p...); };
    typedef decltype(body) body_type;
    auto thread = [](void *arg) SQUALL_SIMT_PLAIN { (*(body_type *)arg)(); };
    return simt_start(&c, (const void *)kernel, thread, &body);
}
template <class T> struct same {
    typedef T type;
};
/* kernel<<<grid, block, shared, stream>>>(arguments), as rewritten by `squall check`. */
template <class... P> struct launching {
    simt_config config;
    void (*kernel)(P...);
    void operator()(typename same<P>::type... p) const
    {
        simt_last_error(run(config, kernel, static_cast<P>(p)...));
    }
};
template <class... P>
static inline launching<P...> launch(void (*k)(P...), dim3 g, dim3 b, size_t shared = 0,
                                     cudaStream_t = nullptr)
{
    return launching<P...>{{{g.x, g.y, g.z}, {b.x, b.y, b.z}, shared}, k};
}
template <size_t... I> struct indices {
};
template <size_t N, size_t... I> struct count : count<N - 1, N - 1, I...> {
};
template <size_t... I> struct count<0, I...> {
    typedef indices<I...> type;
};
template <class... P, size_t... I>
int run_array(const simt_config &c, void (*kernel)(P...), void **args, indices<I...>)
{
    return run(c, kernel, *(typename same<P>::type *)args[I]...);
}
} // namespace squall_simt

template <class... P, class... A>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *c, void (*kernel)(P...),
                                             A &&...a)
{
    const dim3 &g = c->gridDim, &b = c->blockDim;
    simt_config config = {{g.x, g.y, g.z}, {b.x, b.y, b.z}, c->dynamicSmemBytes};
    return (cudaError_t)squall_simt::run(config, kernel, static_cast<P>(a)...);
}
template <class... P>
static inline cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 g, dim3 b, void **args,
                                           size_t shared = 0, cudaStream_t = nullptr)
{
    simt_config c = {{g.x, g.y, g.z}, {b.x, b.y, b.z}, shared};
    return (cudaError_t)squall_simt::run_array(c, kernel, args,
                                               typename squall_simt::count<sizeof...(P)>::type());
}
#endif
