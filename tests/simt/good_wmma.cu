// A product by fragments, from shared memory: f16 with sums in f32, bf16, tf32 and int8.
#include "common.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

// One warp, one tile; `In` as it is stored, `Kind` as the fragment calls it.
template <class In, class Kind, class Sum, int M, int N, int K>
__global__ void product(int steps, const In *A, const In *B, Sum *C)
{
    __shared__ __align__(128) In a[M * K], b[K * N];
    wmma::fragment<wmma::matrix_a, M, N, K, Kind, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, Kind, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, M, N, K, Sum> sum;
    wmma::fill_fragment(sum, Sum(0));
    for (int s = 0; s < steps; s++) {
        for (int i = threadIdx.x; i < M * K; i += 32)
            a[i] = A[i / K * (steps * K) + s * K + i % K];
        for (int i = threadIdx.x; i < N * K; i += 32)
            b[i] = B[i / K * (steps * K) + s * K + i % K];
        __syncwarp();
        wmma::load_matrix_sync(fa, a, K);
        wmma::load_matrix_sync(fb, b, K);
        __syncwarp();
        wmma::mma_sync(sum, fa, fb, sum);
    }
    wmma::store_matrix_sync(C, sum, N, wmma::mem_row_major);
}

template <class In, class Kind, class Sum, int M, int N, int K> int attempt()
{
    const int steps = 3;
    std::vector<In> A(M * K * steps), B(N * K * steps);
    for (size_t i = 0; i < A.size(); i++)
        A[i] = In((float)((int)(i * 7 % 13) - 6));
    for (size_t i = 0; i < B.size(); i++)
        B[i] = In((float)((int)(i * 5 % 11) - 5));
    std::vector<Sum> wanted(M * N);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < K * steps; k++)
                wanted[i * N + j] +=
                    (Sum)((float)A[i * K * steps + k] * (float)B[j * K * steps + k]);
    Sum *C = on_device<Sum>(M * N);
    product<In, Kind, Sum, M, N, K><<<1, 32>>>(steps, to_device(A), to_device(B), C);
    MUST(cudaGetLastError());
    return compare(from_device(C, M * N), wanted);
}

int main()
{
    return attempt<half, half, float, 16, 16, 16>() || attempt<half, half, float, 32, 8, 16>() ||
           attempt<__nv_bfloat16, __nv_bfloat16, float, 8, 32, 16>() ||
           attempt<float, wmma::precision::tf32, float, 16, 16, 8>() ||
           attempt<signed char, signed char, int, 16, 16, 16>();
}
//! good_wmma.cu:24    shared fragment loaded, 16 bytes        18  conflicts 54 (2-way)
//! good_wmma.cu:29    global fragment stored, 16 bytes
