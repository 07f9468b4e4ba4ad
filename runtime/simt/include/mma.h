/* Replaces CUDA's header of this name: fragments, that is, matrices distributed over a warp. As in
 * CUDA, which lane holds which element is unspecified. Also the shapes of mma.sync, a function
 * each, for text whose other body is PTX. */
#ifndef SQUALL_MMA_H
#define SQUALL_MMA_H
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

namespace nvcuda
{
namespace wmma
{
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
namespace precision
{
struct tf32;
}
enum layout_t { mem_row_major, mem_col_major };

template <class T, int TAG> struct kind_is {
    typedef T type;
    static constexpr int tag = TAG;
};
template <class T> struct kind;
template <> struct kind<__half> : kind_is<__half, SIMT_F16> {
};
template <> struct kind<__nv_bfloat16> : kind_is<__nv_bfloat16, SIMT_BF16> {
};
template <> struct kind<precision::tf32> : kind_is<float, SIMT_TF32> {
};
template <> struct kind<float> : kind_is<float, SIMT_F32> {
};
template <> struct kind<double> : kind_is<double, SIMT_F64> {
};
template <> struct kind<signed char> : kind_is<signed char, SIMT_S8> {
};
template <> struct kind<unsigned char> : kind_is<unsigned char, SIMT_U8> {
};
template <> struct kind<int> : kind_is<int, SIMT_S32> {
};

template <class Use, int M, int N, int K> struct shape;
template <int M, int N, int K> struct shape<matrix_a, M, N, K> {
    static constexpr int rows = M, cols = K;
};
template <int M, int N, int K> struct shape<matrix_b, M, N, K> {
    static constexpr int rows = K, cols = N;
};
template <int M, int N, int K> struct shape<accumulator, M, N, K> {
    static constexpr int rows = M, cols = N;
};

template <class Use, int M, int N, int K, class T, class Layout = void> class fragment
{
  public:
    typedef typename kind<T>::type element_type;
    static constexpr int rows = shape<Use, M, N, K>::rows, cols = shape<Use, M, N, K>::cols;
    static_assert((K == 16 && M * N == 256 && M >= 8 && N >= 8) || (M == 16 && N == 16 && K == 8) ||
                      (M == 8 && N == 8 && K == 4),
                  "no fragment has this shape");
    static constexpr int num_elements = rows * cols / 32;
    element_type x[num_elements];
    simt_matrix matrix() const
    {
        return simt_matrix{(void *)x, kind<T>::tag, rows, cols};
    }
};

template <class F, class V> static inline void fill_fragment(F &f, V v)
{
    for (int i = 0; i < F::num_elements; i++)
        f.x[i] = v;
}
template <class Use, int M, int N, int K, class T, class E>
static SQUALL_SIMT_INLINE void load_matrix_sync(fragment<Use, M, N, K, T, row_major> &to,
                                                const E *from, unsigned pitch, SQUALL_SIMT_AT)
{
    simt_fragment_load(to.matrix(), from, pitch, 1, SQUALL_SIMT_HERE);
}
template <class Use, int M, int N, int K, class T, class E>
static SQUALL_SIMT_INLINE void load_matrix_sync(fragment<Use, M, N, K, T, col_major> &to,
                                                const E *from, unsigned pitch, SQUALL_SIMT_AT)
{
    simt_fragment_load(to.matrix(), from, pitch, 0, SQUALL_SIMT_HERE);
}
template <int M, int N, int K, class T>
static SQUALL_SIMT_INLINE void load_matrix_sync(fragment<accumulator, M, N, K, T> &to,
                                                const T *from, unsigned pitch, layout_t layout,
                                                SQUALL_SIMT_AT)
{
    simt_fragment_load(to.matrix(), from, pitch, layout == mem_row_major, SQUALL_SIMT_HERE);
}
template <int M, int N, int K, class T>
static SQUALL_SIMT_INLINE void store_matrix_sync(T *to, const fragment<accumulator, M, N, K, T> &f,
                                                 unsigned pitch, layout_t layout, SQUALL_SIMT_AT)
{
    simt_fragment_store(f.matrix(), to, pitch, layout == mem_row_major, SQUALL_SIMT_HERE);
}
template <int M, int N, int K, class D, class C, class A, class B, class LA, class LB>
static SQUALL_SIMT_INLINE void mma_sync(fragment<accumulator, M, N, K, D> &d,
                                        const fragment<matrix_a, M, N, K, A, LA> &a,
                                        const fragment<matrix_b, M, N, K, B, LB> &b,
                                        const fragment<accumulator, M, N, K, C> &c, SQUALL_SIMT_AT)
{
    simt_fragment_mma(d.matrix(), a.matrix(), b.matrix(), c.matrix(), SQUALL_SIMT_HERE);
}
/* Rounds to nearest, ties away from zero, as the instruction does. */
static SQUALL_SIMT_INLINE float __float_to_tf32(float x)
{
    return __uint_as_float((__float_as_uint(x) + 0x1000u) & 0xffffe000u);
}
} // namespace wmma
} // namespace nvcuda

namespace squall_simt
{
/* d = a b + c, 16 x 8 x K; registers as in mma.sync. */
#define SQUALL_SIMT_MMA(name, input, K, sum, type, na, nb, nc)                                     \
    static SQUALL_SIMT_INLINE void name(type(&d)[nc], const unsigned(&a)[na],                      \
                                        const unsigned(&b)[nb], const type(&c)[nc],                \
                                        SQUALL_SIMT_AT)                                            \
    {                                                                                              \
        simt_mma(input, sum, K, d, a, b, c, SQUALL_SIMT_HERE);                                     \
    }
SQUALL_SIMT_MMA(mma_m16n8k8_f32_f16, SIMT_F16, 8, SIMT_F32, float, 2, 1, 4)
SQUALL_SIMT_MMA(mma_m16n8k16_f32_f16, SIMT_F16, 16, SIMT_F32, float, 4, 2, 4)
SQUALL_SIMT_MMA(mma_m16n8k8_f16_f16, SIMT_F16, 8, SIMT_F16, unsigned, 2, 1, 2)
SQUALL_SIMT_MMA(mma_m16n8k16_f16_f16, SIMT_F16, 16, SIMT_F16, unsigned, 4, 2, 2)
SQUALL_SIMT_MMA(mma_m16n8k8_f32_bf16, SIMT_BF16, 8, SIMT_F32, float, 2, 1, 4)
SQUALL_SIMT_MMA(mma_m16n8k16_f32_bf16, SIMT_BF16, 16, SIMT_F32, float, 4, 2, 4)
SQUALL_SIMT_MMA(mma_m16n8k4_f32_tf32, SIMT_TF32, 4, SIMT_F32, float, 2, 1, 4)
SQUALL_SIMT_MMA(mma_m16n8k8_f32_tf32, SIMT_TF32, 8, SIMT_F32, float, 4, 2, 4)
SQUALL_SIMT_MMA(mma_m16n8k16_s32_s8, SIMT_S8, 16, SIMT_S32, int, 2, 1, 4)
SQUALL_SIMT_MMA(mma_m16n8k32_s32_s8, SIMT_S8, 32, SIMT_S32, int, 4, 2, 4)
SQUALL_SIMT_MMA(mma_m16n8k16_s32_u8, SIMT_U8, 16, SIMT_S32, int, 2, 1, 4)
SQUALL_SIMT_MMA(mma_m16n8k32_s32_u8, SIMT_U8, 32, SIMT_S32, int, 4, 2, 4)
static SQUALL_SIMT_INLINE void mma_m8n8k4_f64_f64(double (&d)[2], double a, double b,
                                                  const double (&c)[2], SQUALL_SIMT_AT)
{
    simt_mma(SIMT_F64, SIMT_F64, 4, d, &a, &b, c, SQUALL_SIMT_HERE);
}
/* ldmatrix.m8n8.xN.b16: each lane provides the address of a row of 16 bytes in shared memory. */
template <int N>
static SQUALL_SIMT_INLINE void ldmatrix(unsigned (&to)[N], const void *row, SQUALL_SIMT_AT)
{
    simt_ldmatrix(N, 0, to, row, SQUALL_SIMT_HERE);
}
template <int N>
static SQUALL_SIMT_INLINE void ldmatrix_trans(unsigned (&to)[N], const void *row, SQUALL_SIMT_AT)
{
    simt_ldmatrix(N, 1, to, row, SQUALL_SIMT_HERE);
}
/* Shape 64 x n x 16: the thread's sums, operands in shared memory. */
#define SQUALL_SIMT_WGMMA(name, input)                                                             \
    static SQUALL_SIMT_INLINE void name(float *const *d, int n, const void *a, int a_lead,         \
                                        int a_along, const void *b, int b_lead, int b_along,       \
                                        SQUALL_SIMT_AT)                                            \
    {                                                                                              \
        simt_wgmma(input, n, d, {a, a_lead, a_along}, {b, b_lead, b_along}, SQUALL_SIMT_HERE);     \
    }
SQUALL_SIMT_WGMMA(wgmma_f32_f16, SIMT_F16)
SQUALL_SIMT_WGMMA(wgmma_f32_bf16, SIMT_BF16)
} // namespace squall_simt
#endif
