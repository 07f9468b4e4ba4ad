// Votes, matches, reductions, shuffles of all widths and types, barriers that count: each against a loop.
#include "common.h"
#include <cuda_fp16.h>

enum { FULL = 0xffffffffu };

__global__ void votes(int *wrong)
{
    const int t = threadIdx.x, lane = t % 32;
    int n = 0;
    unsigned thirds = 0, alike = 0;
    for (int l = 0; l < 32; l++) {
        thirds |= (unsigned)(l % 3 == 0) << l;
        alike |= (unsigned)(l % 5 == lane % 5) << l;
    }
    n += __ballot_sync(FULL, lane % 3 == 0) != thirds;
    n += !__any_sync(FULL, lane == 31) || __any_sync(FULL, lane == 32);
    n += !__all_sync(FULL, lane < 32) || __all_sync(FULL, lane < 31);
    n += __match_any_sync(FULL, lane % 5) != alike;
    int all = 7;
    n += __match_all_sync(FULL, 3.5f, &all) != FULL || !all;
    n += __match_all_sync(FULL, lane, &all) != 0 || all;
    n += __reduce_add_sync(FULL, lane) != 496;
    n += __reduce_min_sync(FULL, lane - 40) != -40 || __reduce_max_sync(FULL, (unsigned)lane) != 31;
    n += __reduce_or_sync(FULL, 1u << lane) != FULL || __reduce_xor_sync(FULL, 3u) != 0;
    if (lane % 2) {
        // Lanes of one branch are those that are active in it.
        n += __activemask() != 0xaaaaaaaau;
        n += __ballot_sync(0xaaaaaaaau, 1) != 0xaaaaaaaau;
    }
    __syncwarp();
    n += __syncthreads_count(t % 4 == 0) != blockDim.x / 4;
    n += !__syncthreads_and(t >= 0) || __syncthreads_and(t > 0);
    n += !__syncthreads_or(t == 5) || __syncthreads_or(t < 0);
    if (n)
        atomicAdd(wrong, n);
}

template <class T> __global__ void shuffles(int *wrong)
{
    const int lane = threadIdx.x;
    int n = 0;
    for (int width = 1; width <= 32; width *= 2) {
        const int base = lane / width * width, inside = lane % width;
        for (int d = 0; d < width; d++) {
            T v = T(lane);
            n += (int)(float)__shfl_sync(FULL, v, d, width) != base + d;
            n += (int)(float)__shfl_up_sync(FULL, v, d, width) != (inside >= d ? lane - d : lane);
            n += (int)(float)__shfl_down_sync(FULL, v, d, width) !=
                 (inside + d < width ? lane + d : lane);
            n += (int)(float)__shfl_xor_sync(FULL, v, d, width) != (lane ^ d);
        }
    }
    if (n)
        atomicAdd(wrong, n);
}

__global__ void atomics(int *wrong, int *i, unsigned *u, unsigned long long *l, float *f, double *d)
{
    const int t = threadIdx.x;
    atomicMin(&i[0], t - 7);
    atomicMax(&i[1], t);
    atomicSub(&i[2], 2);
    atomicAnd(&u[0], ~(1u << t % 32));
    atomicOr(&u[1], 1u << t % 32);
    atomicXor(&u[2], 1u << t % 32);
    atomicInc(&u[3], 9);
    atomicDec(&u[4], 9);
    atomicAdd(&l[0], 1ull << 33);
    atomicMax(&l[1], (unsigned long long)t << 40);
    atomicAdd(f, 0.5f);
    atomicAdd(d, 0.25);
    for (int old = *(volatile int *)&i[3], seen; (seen = atomicCAS(&i[3], old, old + t)) != old; old = seen)
        ;
    if (atomicExch(&i[4], 1) == 0)
        atomicAdd(wrong, 1); // one thread is the first
}

__constant__ float weights[4];
__device__ int table[64];

__global__ void symbols(int *wrong)
{
    if (weights[threadIdx.x % 4] != threadIdx.x % 4 + 1 || table[threadIdx.x] != (int)threadIdx.x)
        atomicAdd(wrong, 1);
    table[threadIdx.x] += 100;
}

int main()
{
    int *wrong = to_device(std::vector<int>(1));
    votes<<<2, 96>>>(wrong);
    shuffles<int><<<1, 32>>>(wrong);
    shuffles<unsigned long long><<<1, 32>>>(wrong);
    shuffles<float><<<1, 32>>>(wrong);
    shuffles<double><<<1, 32>>>(wrong);
    shuffles<half><<<1, 32>>>(wrong);
    MUST(cudaGetLastError());
    if (from_device(wrong, 1)[0] != 0)
        return compare(from_device(wrong, 1), std::vector<int>(1));

    int *i = to_device(std::vector<int>{5, 5, 200, 0, 0});
    unsigned *u = to_device(std::vector<unsigned>{~0u, 0, 0, 0, 0});
    unsigned long long *l = to_device(std::vector<unsigned long long>(2));
    float *f = to_device(std::vector<float>(1));
    double *d = to_device(std::vector<double>(1));
    atomics<<<1, 64>>>(wrong, i, u, l, f, d);
    MUST(cudaGetLastError());
    std::vector<int> got = from_device(i, 4), wanted = {-7, 63, 72, 2016};
    for (unsigned v : from_device(u, 5))
        got.push_back((int)v);
    for (unsigned v : {0u, ~0u, 0u, 4u, 6u})
        wanted.push_back((int)v);
    for (unsigned long long v : from_device(l, 2))
        got.push_back((int)(v >> 33));
    wanted.insert(wanted.end(), {64, 63 * 128});
    got.push_back((int)from_device(f, 1)[0]);
    got.push_back((int)from_device(d, 1)[0]);
    wanted.insert(wanted.end(), {32, 16});

    const float four[] = {1, 2, 3, 4};
    int numbers[64];
    for (int k = 0; k < 64; k++)
        numbers[k] = k;
    MUST(cudaMemcpyToSymbol(weights, four, sizeof four));
    MUST(cudaMemcpyToSymbol(table, numbers, sizeof numbers));
    symbols<<<1, 64>>>(wrong);
    MUST(cudaMemcpyFromSymbol(numbers, table, sizeof numbers));
    got.push_back(numbers[63]);
    got.push_back(from_device(wrong, 1)[0]);
    wanted.insert(wanted.end(), {163, 1});

    cudaStream_t stream;
    cudaEvent_t from, to;
    float ms = -1;
    MUST(cudaStreamCreate(&stream));
    MUST(cudaEventCreate(&from));
    MUST(cudaEventCreate(&to));
    MUST(cudaEventRecord(from, stream));
    MUST(cudaMemsetAsync(wrong, 0, sizeof(int), stream));
    votes<<<1, 32, 0, stream>>>(wrong);
    MUST(cudaEventRecord(to, stream));
    MUST(cudaEventSynchronize(to));
    MUST(cudaEventElapsedTime(&ms, from, to));
    got.push_back(ms >= 0);
    got.push_back(from_device(wrong, 1)[0]);
    wanted.insert(wanted.end(), {1, 0});
    int blocks = 0;
    MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, votes, 96, 0));
    got.push_back(blocks > 0);
    wanted.push_back(1);
    MUST(cudaFree(i));
    got.push_back((int)cudaFree((char *)u + 4));
    wanted.push_back((int)cudaErrorInvalidValue);
    MUST(cudaEventDestroy(from));
    MUST(cudaEventDestroy(to));
    MUST(cudaStreamDestroy(stream));
    return compare(got, wanted);
}
//! votes: 1 launch, grid 2 x 1 x 1, block 96 x 1 x 1
//! equal
