// What the programs of this folder share: device memory, values, comparison.
#ifndef SQUALL_TESTS_SIMT_COMMON_H
#define SQUALL_TESTS_SIMT_COMMON_H
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

inline void must(cudaError_t e, int line)
{
    if (e == cudaSuccess)
        return;
    printf("line %d: %s\n", line, cudaGetErrorString(e));
    exit(1);
}
#define MUST(call) must(call, __LINE__)

// Small whole numbers: sums of their products are exact in f32.
inline std::vector<float> values(size_t n, int step)
{
    std::vector<float> v(n);
    for (size_t i = 0; i < n; i++)
        v[i] = (float)((int)(i * step % 13) - 6);
    return v;
}

template <class T> T *to_device(const std::vector<T> &v)
{
    T *p;
    MUST(cudaMalloc(&p, v.size() * sizeof(T)));
    MUST(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}

template <class T> T *on_device(size_t n)
{
    T *p;
    MUST(cudaMalloc(&p, n * sizeof(T)));
    return p;
}

template <class T> std::vector<T> from_device(const T *p, size_t n)
{
    std::vector<T> v(n);
    MUST(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
}

// Ends the program: 0 and "equal" when both are.
template <class T> int compare(const std::vector<T> &got, const std::vector<T> &wanted)
{
    for (size_t i = 0; i < wanted.size(); i++)
        if (got[i] != wanted[i]) {
            printf("element %zu is %g instead of %g\n", i, (double)got[i], (double)wanted[i]);
            return 1;
        }
    puts("equal");
    return 0;
}
#endif
