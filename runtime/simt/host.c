/* Host: the functions of the host, and the simulated device: error codes and limits are those of a
 * common device of the architecture SQUALL_SIMT_ARCH; 90 if that is unknown. Everything is
 * synchronous: streams and events have nothing to wait for. */
#include "runtime/simt/simt.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_KERNELS = 256 };
enum { SUCCESS = 0, INVALID_VALUE = 1, INVALID_CONFIGURATION = 9, INVALID_DEVICE = 101 };
static const size_t default_shared = 48 * 1024;

static const struct device {
    const char *name;
    int arch, warps /* of a multiprocessor */, processors, l2, clock_khz, memory_khz, bus_bits;
    size_t shared, shared_optin;
} devices[] = {
    {"CPU in place of an sm_90 device", 90, 64, 132, 50 << 20, 1980000, 2619000, 5120, 228 * 1024,
     227 * 1024},
    {"CPU in place of an sm_80 device", 80, 64, 108, 40 << 20, 1410000, 1215000, 5120, 164 * 1024,
     163 * 1024},
    {"CPU in place of an sm_86 device", 86, 48, 84, 6 << 20, 1740000, 7251000, 384, 100 * 1024,
     99 * 1024},
    {"CPU in place of an sm_89 device", 89, 48, 142, 96 << 20, 2520000, 9001000, 384, 100 * 1024,
     99 * 1024},
    {"CPU in place of an sm_100 device", 100, 64, 148, 126 << 20, 1850000, 4000000, 8192, 228 * 1024,
     227 * 1024},
    {"CPU in place of an sm_120 device", 120, 48, 188, 128 << 20, 2600000, 14001000, 512, 100 * 1024,
     99 * 1024},
};

static const struct device *device(void)
{
    const char *arch = getenv("SQUALL_SIMT_ARCH");
    size_t i = arch ? sizeof devices / sizeof devices[0] : 1;
    while (--i > 0 && devices[i].arch != atoi(arch)) {
    }
    return &devices[i];
}

static int last_error;

int simt_last_error(int error);
int simt_last_error(int error)
{
    if (error)
        last_error = error;
    return error;
}

/* ---- kernels ---- */

static struct kernel {
    const void *at;
    int dynamic;
} kernels[MAX_KERNELS];
static int nkernels;

static struct kernel *kernel_of(const void *at)
{
    for (int i = 0; i < nkernels; i++)
        if (kernels[i].at == at)
            return &kernels[i];
    if (nkernels == MAX_KERNELS)
        return &kernels[MAX_KERNELS - 1];
    kernels[nkernels] = (struct kernel){at, (int)default_shared};
    return &kernels[nkernels++];
}

size_t simt_dynamic_limit(const void *kernel)
{
    return (size_t)kernel_of(kernel)->dynamic;
}

size_t simt_shared_limit(void)
{
    return simt_dynamic_limit(simt_now.function) > default_shared ? device()->shared_optin
                                                                : default_shared;
}

int simt_set_attribute(const void *kernel, int attribute, int value);
int simt_set_attribute(const void *kernel, int attribute, int value)
{
    if (attribute == 9) /* split of shared memory and L1 cache: a hint */
        return SUCCESS;
    if (attribute != 8 || value < 0 || (size_t)value > device()->shared_optin)
        return simt_last_error(INVALID_VALUE);
    kernel_of(kernel)->dynamic = value;
    return SUCCESS;
}

struct attributes { /* cudaFuncAttributes */
    size_t shared, constant, local;
    int threads, registers, ptx, binary, cache, dynamic, carveout;
};
int simt_get_attributes(struct attributes *to, const void *kernel);
int simt_get_attributes(struct attributes *to, const void *kernel)
{
    *to = (struct attributes){.threads = SIMT_MAX_THREADS,
                              .ptx = device()->arch,
                              .binary = device()->arch,
                              .dynamic = kernel_of(kernel)->dynamic,
                              .carveout = -1};
    return SUCCESS;
}

/* Registers are not known here: threads, blocks and shared memory determine the occupancy. */
int simt_occupancy(int *blocks, const void *kernel, int threads, size_t shared);
int simt_occupancy(int *blocks, const void *kernel, int threads, size_t shared)
{
    int warps = (threads + SIMT_LANES - 1) / SIMT_LANES;
    *blocks = 0;
    if (threads <= 0)
        return simt_last_error(INVALID_VALUE);
    if (threads > SIMT_MAX_THREADS || shared > simt_dynamic_limit(kernel))
        return SUCCESS;
    int by_threads = device()->warps / warps, by_shared = (int)(device()->shared / (shared + 1024));
    *blocks = by_threads < by_shared ? by_threads : by_shared;
    if (*blocks > 32)
        *blocks = 32;
    return SUCCESS;
}

static bool is_configuration(const simt_config *c)
{
    const unsigned *g = c->grid, *b = c->block;
    uint64_t threads = (uint64_t)b[0] * b[1] * b[2];
    return g[0] && g[1] && g[2] && threads && g[0] <= 0x7fffffff && g[1] <= 65535 &&
           g[2] <= 65535 && b[0] <= 1024 && b[1] <= 1024 && b[2] <= 64 &&
           threads <= SIMT_MAX_THREADS;
}

int simt_start(const simt_config *c, const void *kernel, void (*thread)(void *), void *arg);
int simt_start(const simt_config *c, const void *kernel, void (*thread)(void *), void *arg)
{
    if (!is_configuration(c))
        return simt_last_error(INVALID_CONFIGURATION);
    if (c->shared > simt_dynamic_limit(kernel))
        return simt_last_error(INVALID_VALUE);
    return simt_last_error(simt_launch(c, kernel, thread, arg));
}

/* ---- memory ---- */

int simt_malloc(void **p, size_t n, int is_managed);
int simt_malloc(void **p, size_t n, int is_managed)
{
    return simt_last_error(p ? simt_device_alloc(p, n, is_managed) : INVALID_VALUE);
}

int cudaFree(void *p);
int cudaFree(void *p)
{
    return simt_last_error(simt_device_free(p));
}

/* Checks that both sides are in the memory that the kind of copy names. Returns 0, or the error. */
static int check_copy(void *to, const void *from, size_t n, int kind)
{
    if (kind < 0 || kind > 4)
        return 21; /* cudaErrorInvalidMemcpyDirection */
    simt_region *r = simt_region_of(to), *s = simt_region_of(from);
    bool to_device = kind == 4 ? r && r->space == SIMT_SPACE_GLOBAL : kind == 1 || kind == 3;
    bool from_device = kind == 4 ? s && s->space == SIMT_SPACE_GLOBAL : kind == 2 || kind == 3;
    if (from_device && simt_host_reads(from, n))
        return INVALID_VALUE;
    if (to_device && simt_host_wrote(to, n))
        return INVALID_VALUE;
    return SUCCESS;
}

int cudaMemcpy(void *to, const void *from, size_t n, int kind);
int cudaMemcpy(void *to, const void *from, size_t n, int kind)
{
    int error = n ? check_copy(to, from, n, kind) : SUCCESS;
    if (error == SUCCESS && n)
        memmove(to, from, n);
    return simt_last_error(error);
}

int cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                 size_t height, int kind);
int cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                 size_t height, int kind)
{
    int error = width > to_pitch || width > from_pitch ? simt_last_error(INVALID_VALUE) : SUCCESS;
    for (size_t i = 0; i < height && error == SUCCESS; i++)
        error =
            cudaMemcpy((char *)to + i * to_pitch, (const char *)from + i * from_pitch, width, kind);
    return error;
}

int cudaMemset(void *p, int value, size_t n);
int cudaMemset(void *p, int value, size_t n)
{
    if (n && simt_host_wrote(p, n))
        return simt_last_error(INVALID_VALUE);
    if (n)
        memset(p, value, n);
    return SUCCESS;
}

int cudaMemGetInfo(size_t *left, size_t *total);
int cudaMemGetInfo(size_t *left, size_t *total)
{
    *left = *total = (size_t)64 << 30;
    return SUCCESS;
}

/* ---- errors ---- */

int cudaGetLastError(void), cudaPeekAtLastError(void);
int cudaGetLastError(void)
{
    int e = last_error;
    last_error = SUCCESS;
    return e;
}
int cudaPeekAtLastError(void)
{
    return last_error;
}

static const struct error {
    int number;
    const char *name, *text;
} errors[] = {
    {0, "cudaSuccess", "no error"},
    {1, "cudaErrorInvalidValue", "invalid argument"},
    {2, "cudaErrorMemoryAllocation", "out of memory"},
    {9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {35, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version"},
    {100, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {101, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {700, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {702, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {710, "cudaErrorAssert", "device-side assert triggered"},
    {716, "cudaErrorMisalignedAddress", "misaligned address"},
    {719, "cudaErrorLaunchFailure", "unspecified launch failure"},
};

static const struct error *error_of(int e)
{
    static const struct error unknown = {999, "unrecognized error code", "unrecognized error code"};
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].number == e)
            return &errors[i];
    return &unknown;
}

const char *cudaGetErrorString(int e), *cudaGetErrorName(int e);
const char *cudaGetErrorString(int e)
{
    return error_of(e)->text;
}
const char *cudaGetErrorName(int e)
{
    return error_of(e)->name;
}

/* ---- device ---- */

int cudaDeviceSynchronize(void), cudaDeviceReset(void), cudaGetDevice(int *d), cudaSetDevice(int d),
    cudaGetDeviceCount(int *n), cudaDriverGetVersion(int *v), cudaRuntimeGetVersion(int *v);
int cudaDeviceSynchronize(void)
{
    return simt_sticky();
}
int cudaDeviceReset(void)
{
    return SUCCESS;
}
int cudaGetDevice(int *d)
{
    *d = 0;
    return SUCCESS;
}
int cudaSetDevice(int d)
{
    return d == 0 ? SUCCESS : simt_last_error(INVALID_DEVICE);
}
int cudaGetDeviceCount(int *n)
{
    *n = 1;
    return SUCCESS;
}
int cudaDriverGetVersion(int *v)
{
    *v = 13000;
    return SUCCESS;
}
int cudaRuntimeGetVersion(int *v)
{
    return cudaDriverGetVersion(v);
}

int cudaDeviceGetAttribute(int *value, int attribute, int number);
int cudaDeviceGetAttribute(int *value, int attribute, int number)
{
    const struct device *d = device();
    const struct {
        int attribute, value;
    } row[] = {{1, SIMT_MAX_THREADS},
               {2, 1024},
               {3, 1024},
               {4, 64},
               {5, 0x7fffffff},
               {6, 65535},
               {7, 65535},
               {8, (int)default_shared},
               {9, 65536},
               {10, SIMT_LANES},
               {12, 65536},
               {13, d->clock_khz},
               {16, d->processors},
               {36, d->memory_khz},
               {37, d->bus_bits},
               {38, d->l2},
               {39, d->warps * SIMT_LANES},
               {75, d->arch / 10},
               {76, d->arch % 10},
               {81, (int)d->shared},
               {82, 65536},
               {97, (int)d->shared_optin},
               {106, 32},
               {111, 1024}};
    for (size_t i = 0; i < sizeof row / sizeof *row && number == 0; i++)
        if (row[i].attribute == attribute) {
            *value = row[i].value;
            return SUCCESS;
        }
    return simt_last_error(number ? INVALID_DEVICE : INVALID_VALUE);
}

struct properties { /* cudaDeviceProp, as in the header */
    char name[256];
    size_t memory, shared;
    int registers, warp, threads, block[3], grid[3], major, minor, processors, l2,
        processor_threads, bus;
    size_t constant, processor_shared, shared_optin;
    int processor_registers, processor_blocks;
    size_t reserved;
};
int cudaGetDeviceProperties(struct properties *p, int number);
int cudaGetDeviceProperties(struct properties *p, int number)
{
    const struct device *d = device();
    if (number != 0)
        return simt_last_error(INVALID_DEVICE);
    *p = (struct properties){.memory = (size_t)64 << 30,
                             .shared = default_shared,
                             .registers = 65536,
                             .warp = SIMT_LANES,
                             .threads = SIMT_MAX_THREADS,
                             .block = {1024, 1024, 64},
                             .grid = {0x7fffffff, 65535, 65535},
                             .major = d->arch / 10,
                             .minor = d->arch % 10,
                             .processors = d->processors,
                             .l2 = d->l2,
                             .processor_threads = d->warps * SIMT_LANES,
                             .bus = d->bus_bits,
                             .constant = 65536,
                             .processor_shared = d->shared,
                             .shared_optin = d->shared_optin,
                             .processor_registers = 65536,
                             .processor_blocks = 32,
                             .reserved = 1024};
    snprintf(p->name, sizeof p->name, "%s", d->name);
    return SUCCESS;
}

/* ---- streams, events ---- */

int cudaStreamCreate(void **s), cudaStreamDestroy(void *s), cudaStreamSynchronize(void *s),
    cudaStreamQuery(void *s);
int cudaStreamCreate(void **s)
{
    *s = malloc(1);
    return *s ? SUCCESS : 2;
}
int cudaStreamDestroy(void *s)
{
    free(s);
    return SUCCESS;
}
int cudaStreamSynchronize(void *s)
{
    (void)s;
    return simt_sticky();
}
int cudaStreamQuery(void *s)
{
    return cudaStreamSynchronize(s);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int cudaEventCreate(double **e), cudaEventDestroy(double *e), simt_event_record(double *e),
    cudaEventSynchronize(double *e), cudaEventQuery(double *e),
    cudaEventElapsedTime(float *ms, const double *from, const double *to);
int cudaEventCreate(double **e)
{
    *e = calloc(1, sizeof **e);
    return *e ? SUCCESS : 2;
}
int cudaEventDestroy(double *e)
{
    free(e);
    return SUCCESS;
}
int simt_event_record(double *e)
{
    *e = seconds();
    return SUCCESS;
}
int cudaEventSynchronize(double *e)
{
    (void)e;
    return simt_sticky();
}
int cudaEventQuery(double *e)
{
    return cudaEventSynchronize(e);
}
int cudaEventElapsedTime(float *ms, const double *from, const double *to)
{
    *ms = (float)(1e3 * (*to - *from));
    return SUCCESS;
}
