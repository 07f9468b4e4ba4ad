/* Wrapper: lets a harness, whose arrays are in host memory, call a launcher that takes device
 * memory. It is appended to a candidate's text; functions that depend on the kernel are declared
 * first.
 *
 *     squall_entry(arg)    one call with copies: all arrays are copied to the device and back, so that elements
 *                          that were not written are unchanged
 *     squall_open(arg)     keeps the arrays on the device and calls once; nonzero: see the error
 *     squall_time(calls)   seconds per call of this number of calls, by the device's clock; negative: error
 *     squall_error()       the first error, as the harness's reply: "lost no CUDA device:
 *                          …", "crashed …", "wrong 0 …"; NULL: nothing
 *
 * Around each array and the workspace is a guard zone with a pattern that no kernel computes, as
 * around the host's arrays; it is checked after the call. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sq_wrapper_array {
    const char *name;
    void *host; /* NULL: device memory only */
    size_t bytes;
    char *whole, *at; /* its device memory, and the start of the array in it */
};
struct sq_wrapper {
    sq_wrapper_array array[SQ_WRAPPER_ARRAYS];
};

/* Fills in all but the device's part of SQ_WRAPPER_ARRAYS arrays; the last one is the workspace. */
static void sq_wrapper_describe(void *const *arg, sq_wrapper_array *to);
/* Calls the launcher and returns its result. */
static int sq_wrapper_launch(void *const *arg, const sq_wrapper_array *array);

enum {
    SQ_WRAPPER_ZONE = 4096, /* bytes on either side; arrays begin at multiples of 256 */
    SQ_WRAPPER_WIDEST = 16  /* bytes of the widest access, which determine the alignment */
};

static char sq_wrapper_said[400];
static unsigned char sq_wrapper_zone[SQ_WRAPPER_ZONE + SQ_WRAPPER_WIDEST];
static sq_wrapper sq_wrapper_kept;
static void *const *sq_wrapper_kept_arg;
static cudaEvent_t sq_wrapper_event[2];

/* ---- errors ---- */

/* True if the machine is at fault, not the candidate. */
static bool sq_wrapper_is_lost(cudaError_t e)
{
    return e == cudaErrorMemoryAllocation || e == cudaErrorInitializationError ||
           e == cudaErrorInsufficientDriver || e == cudaErrorDevicesUnavailable ||
           e == cudaErrorNoDevice || e == cudaErrorNoKernelImageForDevice;
}

static void sq_wrapper_say(const char *kind, const char *what, const char *more)
{
    if (!sq_wrapper_said[0])
        snprintf(sq_wrapper_said, sizeof sq_wrapper_said, "%s %s%s", kind, what, more);
}

static bool sq_wrapper_fails(cudaError_t e, const char *what)
{
    if (e == cudaSuccess)
        return false;
    sq_wrapper_say(sq_wrapper_is_lost(e) ? "lost" : "crashed", what, cudaGetErrorString(e));
    return true;
}

static bool sq_wrapper_has_device(void)
{
    int n = 0;
    cudaError_t e = cudaGetDeviceCount(&n);
    if (e != cudaSuccess || n == 0)
        sq_wrapper_say("lost", "no CUDA device: ",
                    e != cudaSuccess ? cudaGetErrorString(e) : "none is visible");
    return e == cudaSuccess && n > 0;
}

/* ---- memory ---- */

/* Returns an extent, at least 0. */
static size_t sq_wrapper_extent(int64_t n)
{
    return n > 0 ? (size_t)n : 0;
}

/* NaNs in all floating-point types, as around the host's arrays in runtime/case.c. */
static void sq_wrapper_fill_zone(void)
{
    for (size_t i = 0; i < sizeof sq_wrapper_zone; i++)
        sq_wrapper_zone[i] = i % 2 ? 0x7f : 0xfd;
}

/* Returns the offset of the array from an aligned address, including the zone before it. */
static size_t sq_wrapper_before(const sq_wrapper_array *a)
{
    return (size_t)(a->at - a->whole);
}

static size_t sq_wrapper_after(const sq_wrapper_array *a)
{
    return SQ_WRAPPER_ZONE + SQ_WRAPPER_WIDEST - (sq_wrapper_before(a) - SQ_WRAPPER_ZONE);
}

static bool sq_wrapper_put(sq_wrapper_array *a, size_t shift)
{
    const size_t all = a->bytes + 2 * SQ_WRAPPER_ZONE + SQ_WRAPPER_WIDEST;
    if (sq_wrapper_fails(cudaMalloc(&a->whole, all), "device memory: "))
        return false;
    a->at = a->whole + SQ_WRAPPER_ZONE + shift;
    cudaError_t e = cudaMemcpy(a->whole, sq_wrapper_zone, sq_wrapper_before(a), cudaMemcpyHostToDevice);
    if (e == cudaSuccess)
        e = cudaMemcpy(a->at + a->bytes, sq_wrapper_zone, sq_wrapper_after(a), cudaMemcpyHostToDevice);
    if (e == cudaSuccess && a->bytes)
        e = a->host ? cudaMemcpy(a->at, a->host, a->bytes, cudaMemcpyHostToDevice)
                    : cudaMemset(a->at, 0xff, a->bytes);
    return !sq_wrapper_fails(e, "copying to the device: ");
}

/* like_host: with the misalignment of the host's arrays relative to the widest access. */
static bool sq_wrapper_begin(sq_wrapper *d, void *const *arg, bool like_host)
{
    sq_wrapper_fill_zone();
    sq_wrapper_describe(arg, d->array);
    for (int i = 0; i < SQ_WRAPPER_ARRAYS; i++) {
        sq_wrapper_array *a = &d->array[i];
        if (!sq_wrapper_put(a, like_host ? (uintptr_t)a->host % SQ_WRAPPER_WIDEST : 0))
            return false;
    }
    return true;
}

static void sq_wrapper_end(sq_wrapper *d)
{
    for (int i = 0; i < SQ_WRAPPER_ARRAYS; i++)
        cudaFree(d->array[i].whole);
    *d = sq_wrapper();
}

/* ---- one call ---- */

static bool sq_wrapper_call(void *const *arg, const sq_wrapper *d)
{
    if (sq_wrapper_fails((cudaError_t)sq_wrapper_launch(arg, d->array), "the launch: "))
        return false;
    return !sq_wrapper_fails(cudaDeviceSynchronize(), "on the device: ");
}

/* True if the zone still has its pattern. */
static bool sq_wrapper_is_zone(const char *at, size_t bytes)
{
    static unsigned char now[sizeof sq_wrapper_zone];
    if (sq_wrapper_fails(cudaMemcpy(now, at, bytes, cudaMemcpyDeviceToHost), "copying back: "))
        return true;
    return memcmp(now, sq_wrapper_zone, bytes) == 0;
}

static void sq_wrapper_look_around(const sq_wrapper_array *a)
{
    char what[200];
    const bool before = sq_wrapper_is_zone(a->whole, sq_wrapper_before(a));
    if (before && sq_wrapper_is_zone(a->at + a->bytes, sq_wrapper_after(a)))
        return;
    snprintf(what, sizeof what, "0 writes %s of '%s' on the device",
             before ? "past the end" : "before the start", a->name);
    sq_wrapper_say("wrong", what, "");
}

static void sq_wrapper_there_and_back(void *const *arg)
{
    sq_wrapper d = {};
    if (sq_wrapper_begin(&d, arg, true) && sq_wrapper_call(arg, &d))
        for (int i = 0; i < SQ_WRAPPER_ARRAYS; i++) {
            const sq_wrapper_array *a = &d.array[i];
            sq_wrapper_look_around(a);
            if (a->host && a->bytes)
                sq_wrapper_fails(cudaMemcpy(a->host, a->at, a->bytes, cudaMemcpyDeviceToHost),
                              "copying back: ");
        }
    sq_wrapper_end(&d);
}

/* ---- functions that the harness calls ---- */

extern "C" const char *squall_error(void)
{
    return sq_wrapper_said[0] ? sq_wrapper_said : NULL;
}

/* The first call loads the code and is not timed. */
extern "C" int squall_open(void *const *arg)
{
    sq_wrapper_end(&sq_wrapper_kept);
    sq_wrapper_kept_arg = arg;
    return !sq_wrapper_has_device() || !sq_wrapper_begin(&sq_wrapper_kept, arg, false) ||
           sq_wrapper_fails(cudaEventCreate(&sq_wrapper_event[0]), "an event: ") ||
           sq_wrapper_fails(cudaEventCreate(&sq_wrapper_event[1]), "an event: ") ||
           !sq_wrapper_call(arg, &sq_wrapper_kept);
}

/* A kernel that launches nothing takes no time by that clock: returns a nanosecond, so that callers
 * that wait for a minimum time finish. */
extern "C" double squall_time(long calls)
{
    float ms = 0;
    if (sq_wrapper_fails(cudaEventRecord(sq_wrapper_event[0]), "an event: "))
        return -1;
    for (long i = 0; i < calls; i++)
        if (sq_wrapper_fails((cudaError_t)sq_wrapper_launch(sq_wrapper_kept_arg, sq_wrapper_kept.array),
                          "the launch: "))
            return -1;
    if (sq_wrapper_fails(cudaEventRecord(sq_wrapper_event[1]), "an event: ") ||
        sq_wrapper_fails(cudaEventSynchronize(sq_wrapper_event[1]), "on the device: ") ||
        sq_wrapper_fails(cudaEventElapsedTime(&ms, sq_wrapper_event[0], sq_wrapper_event[1]), "an event: "))
        return -1;
    const double one = 1e-3 * ms / (double)calls;
    return one > 1e-9 ? one : 1e-9;
}
