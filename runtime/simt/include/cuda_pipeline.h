/* Replaces CUDA's header of this name: asynchronous copies to shared memory. */
#ifndef SQUALL_CUDA_PIPELINE_H
#define SQUALL_CUDA_PIPELINE_H
#include "cuda_runtime.h"

static SQUALL_SIMT_INLINE void __pipeline_memcpy_async(void *to, const void *from, size_t n,
                                                       size_t zeros = 0, SQUALL_SIMT_AT)
{
    simt_copy_async(to, from, n, zeros, SQUALL_SIMT_HERE);
}
static SQUALL_SIMT_INLINE void __pipeline_commit()
{
    simt_copy_commit();
}
static SQUALL_SIMT_INLINE void __pipeline_wait_prior(size_t n)
{
    simt_copy_wait((unsigned)n);
}
#endif
