// The wait lets one group too many be under way: what is read has not arrived.
#include "common.h"
#include <cuda_pipeline.h>

enum { STAGES = 3, CHUNK = 512 };

__global__ void scale(int chunks, const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ __align__(16) float buffer[STAGES][CHUNK];
    const int t = threadIdx.x;
    for (int s = 0; s < STAGES - 1; s++) {
        if (s < chunks)
            __pipeline_memcpy_async(&buffer[s][4 * t], in + s * CHUNK + 4 * t, 16);
        __pipeline_commit();
    }
    for (int c = 0; c < chunks; c++) {
        __pipeline_wait_prior(STAGES - 1);
        __syncthreads();
        int next = c + STAGES - 1;
        if (next < chunks)
            __pipeline_memcpy_async(&buffer[next % STAGES][4 * t], in + next * CHUNK + 4 * t, 16);
        __pipeline_commit();
        // Across: what other threads have copied.
        for (int i = t; i < CHUNK; i += blockDim.x)
            out[c * CHUNK + i] = 2 * buffer[c % STAGES][CHUNK - 1 - i];
    }
}

int main()
{
    const int chunks = 7;
    std::vector<float> in = values(chunks * CHUNK, 5), wanted(chunks * CHUNK);
    for (int c = 0; c < chunks; c++)
        for (int i = 0; i < CHUNK; i++)
            wanted[c * CHUNK + i] = 2 * in[c * CHUNK + CHUNK - 1 - i];
    float *out = on_device<float>(chunks * CHUNK);
    scale<<<1, CHUNK / 4>>>(chunks, to_device(in), out);
    MUST(cudaGetLastError());
    return compare(from_device(out, chunks * CHUNK), wanted);
}
//! bad_wait.cu:25: too early: read of shared buffer[0][511] by thread (0,0,0) of block (0,0,0), while an asynchronous copy to it is under way
//! bad_wait.cu:13: note: copy started by thread (127,0,0) of block (0,0,0), which has not waited for it
