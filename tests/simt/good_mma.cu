// The pair of bodies that text with mma.sync needs: PTX for the device, a named function here. One warp,
// 16 x 8, shared memory read by ldmatrix from rows exchanged by their number.
#include "common.h"
#include <cuda_fp16.h>
#ifdef SQUALL_SIMT
#include <mma.h>
#endif

__device__ __forceinline__ void mma_m16n8k16(float (&d)[4], const unsigned (&a)[4],
                                             const unsigned (&b)[2])
{
#ifdef SQUALL_SIMT
    squall_simt::mma_m16n8k16_f32_f16(d, a, b, d);
#else
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

__device__ __forceinline__ void load_4(unsigned (&to)[4], const void *row)
{
#ifdef SQUALL_SIMT
    squall_simt::ldmatrix(to, row);
#else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"((unsigned)__cvta_generic_to_shared(row)));
#endif
}

__device__ __forceinline__ void load_2_trans(unsigned (&to)[2], const void *row)
{
#ifdef SQUALL_SIMT
    squall_simt::ldmatrix_trans(to, row);
#else
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(to[0]), "=r"(to[1])
                 : "r"((unsigned)__cvta_generic_to_shared(row)));
#endif
}

// Halves of row r, piece p of 8: rows of four pieces, so that four rows differ in where a piece stands.
__device__ int at(int r, int p)
{
    return r * 32 + (p ^ (r >> 1 & 3)) * 8;
}

__global__ void product(const half *A, const half *B, float *C)
{
    __shared__ __align__(16) half a[16 * 32], b[32 * 8];
    const int t = threadIdx.x;
    for (int i = t; i < 16 * 32; i += 32)
        a[at(i / 32, i % 32 / 8) + i % 8] = A[i];
    for (int i = t; i < 32 * 8; i += 32)
        b[i] = B[i];
    __syncwarp();
    float d[4] = {0, 0, 0, 0};
    for (int k = 0; k < 2; k++) {
        unsigned fa[4], fb[2];
        load_4(fa, &a[at(t % 16, 2 * k + t / 16)]);
        load_2_trans(fb, &b[(16 * k + t % 16) * 8]);
        mma_m16n8k16(d, fa, fb);
    }
    const int row = t / 4, column = t % 4 * 2;
    *(float2 *)&C[row * 8 + column] = make_float2(d[0], d[1]);
    *(float2 *)&C[(row + 8) * 8 + column] = make_float2(d[2], d[3]);
}

int main()
{
    std::vector<float> x = values(16 * 32, 7), y = values(32 * 8, 5), wanted(16 * 8);
    std::vector<half> A(x.size()), B(y.size());
    for (size_t i = 0; i < x.size(); i++)
        A[i] = __float2half(x[i]);
    for (size_t i = 0; i < y.size(); i++)
        B[i] = __float2half(y[i]);
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 8; j++)
            for (int k = 0; k < 32; k++)
                wanted[i * 8 + j] += x[i * 32 + k] * y[k * 8 + j];
    float *C = on_device<float>(16 * 8);
    product<<<1, 32>>>(to_device(A), to_device(B), C);
    MUST(cudaGetLastError());
    return compare(from_device(C, 16 * 8), wanted);
}
//! good_mma.cu:25    shared fragment loaded, 16 bytes         2  conflicts 0
//! good_mma.cu:36    shared fragment loaded, 16 bytes         2  conflicts 0
