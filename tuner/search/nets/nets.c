/* Written by squall 0.1.0 from nets.sq: change that, not this. It belongs to its user.
 *   squall compile nets.sq -o nets.c --header=nets.h --targets=avx2,generic
 *   source 84df6b93b5a3f065e6fb6374de45566a, schedule 0741ed77cff0331ba73b8d723847fc4a
 * Schedule, tuned: net_dense for avx2 (nets.avx2.sched), net_dense for generic (nets.generic.sched), net_weights_back for avx2 (nets.avx2.sched), net_weights_back for generic (nets.generic.sched), net_inputs_back for avx2 (nets.avx2.sched), net_inputs_back for generic (nets.generic.sched), net_adam for avx2 (nets.avx2.sched), net_adam for generic (nets.generic.sched):
 *   net_dense for avx2: micro(n:6, o:16 | i) vectorize(o:8)
 *   net_weights_back for avx2: order(o, i) micro(i:6, o:16 | n) vectorize(o:8)
 *   net_inputs_back for avx2: tile(i:512, o:256, n:48) order(i0, o0, n0, i, n) pack(W at o0 as i16) micro(n:6, i:16 | o) vectorize(i:8)
 *   net_adam for avx2: fuse(S0, S1, S2, S3) micro(n:16) vectorize(n:8)
 *   net_dense for generic: micro(n:6, o:8 | i) vectorize(o:4)
 *   net_weights_back for generic: order(o, i) micro(i:6, o:8 | n) vectorize(o:4)
 *   net_inputs_back for generic: tile(i:128, o:256, n:48) order(i0, o0, n0, i, n) pack(W at o0 as i8) micro(n:6, i:8 | o) vectorize(i:4)
 *   net_adam for generic: fuse(S0, S1, S2, S3) micro(n:8) vectorize(n:4) */

/* ==== Target avx2: x86-64 with AVX2 and FMA, 256-bit vectors ==== */
#if defined(__x86_64__)
#include <stdint.h>
#include <string.h>
#include "nets.h"

#ifdef __cplusplus
#error "compile this file as C; C++ includes its header"
#endif

/* Functions work on this instruction set whatever flags the file is compiled with. */
#undef SQ_TARGET
#define SQ_TARGET __attribute__((target("avx2,fma,f16c")))
#undef SQ_INLINE
#define SQ_INLINE static inline __attribute__((always_inline, unused)) SQ_TARGET

/* No value of the code around stays in a vector register: gcc would keep sums in memory instead. */
#undef SQ_REGISTERS_16
#if defined(__clang__)
#define SQ_REGISTERS_16 (void)0
#else
#define SQ_REGISTERS_16 __asm__ volatile("" ::: "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15")
#endif
/* Unrolls the next loop, of n iterations, wholly. */
#define SQ_PRAGMA(x) _Pragma(#x)
#if defined(__clang__)
#define SQ_UNROLL(n) SQ_PRAGMA(clang loop unroll(full))
#else
#define SQ_UNROLL(n) SQ_PRAGMA(GCC unroll n)
#endif
SQ_INLINE int64_t net_dense_avx2_min(int64_t a, int64_t b) { return a < b ? a : b; }

typedef float net_dense_avx2_f32x8 __attribute__((vector_size(32)));
typedef float net_dense_avx2_f32x8_u __attribute__((vector_size(32), aligned(4), may_alias));
SQ_INLINE net_dense_avx2_f32x8 net_dense_avx2_f32x8_load(const float *p) { return *(const net_dense_avx2_f32x8_u *)p; }
SQ_INLINE void net_dense_avx2_f32x8_store(float *p, net_dense_avx2_f32x8 v) { *(net_dense_avx2_f32x8_u *)p = v; }
SQ_INLINE net_dense_avx2_f32x8 net_dense_avx2_f32x8_all(float x) { return (net_dense_avx2_f32x8){x, x, x, x, x, x, x, x}; }
#if defined(__clang__) && __clang_major__ >= 19
SQ_INLINE net_dense_avx2_f32x8 net_dense_avx2_f32x8_fma(net_dense_avx2_f32x8 a, net_dense_avx2_f32x8 b, net_dense_avx2_f32x8 c) { return __builtin_elementwise_fma(a, b, c); }
#else
SQ_INLINE net_dense_avx2_f32x8 net_dense_avx2_f32x8_fma(net_dense_avx2_f32x8 a, net_dense_avx2_f32x8 b, net_dense_avx2_f32x8 c) { return __builtin_ia32_vfmaddps256(a, b, c); }
#endif
SQ_INLINE net_dense_avx2_f32x8 net_dense_avx2_f32x8_load_n(const float *p, int64_t n)
{
    typedef int w __attribute__((vector_size(32)));
    int left = n < 0 ? 0 : n > 8 ? 8 : (int)n;
    w m = (w){left, left, left, left, left, left, left, left} > (w){0, 1, 2, 3, 4, 5, 6, 7};
    return (net_dense_avx2_f32x8)__builtin_ia32_maskloadps256((const net_dense_avx2_f32x8 *)(const void *)p, (w)m);
}
SQ_INLINE net_dense_avx2_f32x8 net_dense_avx2_f32x8_load_part(const float *p, int64_t n, int part) { return part ? net_dense_avx2_f32x8_load_n(p, n) : (net_dense_avx2_f32x8)*(const net_dense_avx2_f32x8_u *)p; }
SQ_INLINE void net_dense_avx2_f32x8_store_parts(float *p, net_dense_avx2_f32x8 v, int64_t n)
{
    const float *from = (const float *)&v;
    if (n >= 8) *(net_dense_avx2_f32x8_u *)p = v;
    if (n <= 0 || n >= 8) return;
    if (n & 4) memcpy(p, from, 16);
    if (n & 2) memcpy(p + (n & 4), from + (n & 4), 8);
    if (n & 1) memcpy(p + (n & 6), from + (n & 6), 4);
}

/* Register tile: up to 6 n x up to 16 o, one i after the other. */
SQ_INLINE void net_dense_avx2_tile_n6_o16(const float *restrict X, const float *restrict W, const float *restrict B, float *restrict Y, int64_t X_s0, int64_t W_s0, int64_t Y_s0, int64_t n_i, int64_t n_n, int64_t n_o, int part, int whole)
{
    SQ_REGISTERS_16;
    net_dense_avx2_f32x8 c[6][2] = {{{0}}};
    for (int64_t left = n_i; left > 0; left--) {
        net_dense_avx2_f32x8 W1[2];
        SQ_UNROLL(6)
        for (int n = 0; n < 6; n++) {
            const net_dense_avx2_f32x8 X0 = net_dense_avx2_f32x8_all(X[net_dense_avx2_min(n, n_n - 1) * X_s0]);
            SQ_UNROLL(2)
            for (int v = 0; v < 2; v++) {
                if (n == 0) W1[v] = net_dense_avx2_f32x8_load_part(W + 8 * v, n_o - 8 * v, part);
                c[n][v] = net_dense_avx2_f32x8_fma(X0, W1[v], c[n][v]);
            }
        }
        X += 1;
        W += W_s0;
    }
    if (whole) {
        net_dense_avx2_f32x8 B0[2];
        SQ_UNROLL(6)
        for (int n = 0; n < 6; n++)
            SQ_UNROLL(2)
            for (int v = 0; v < 2; v++) {
                if (n == 0) B0[v] = net_dense_avx2_f32x8_load(B + 8 * v);
                net_dense_avx2_f32x8_store(Y + n * Y_s0 + 8 * v, B0[v] + c[n][v]);
            }
    } else {
        float sums[96];
        SQ_UNROLL(6)
        for (int n = 0; n < 6; n++) {
            net_dense_avx2_f32x8_store(&sums[16 * n], c[n][0]);
            net_dense_avx2_f32x8_store(&sums[16 * n + 8], c[n][1]);
        }
        for (int64_t n = 0; n < n_n; n++)
            for (int64_t v = 0; v < (n_o + 7) / 8; v++)
                net_dense_avx2_f32x8_store_parts(Y + n * Y_s0 + 8 * v, net_dense_avx2_f32x8_load_n(B + 8 * v, n_o - 8 * v) + net_dense_avx2_f32x8_load(&sums[8 * v + 16 * n]), n_o - 8 * v);
    }
}

static SQ_TARGET void net_dense_avx2_nest(int64_t N, int64_t I, int64_t O, const float *restrict X, const float *restrict W, const float *restrict B, float *restrict Y)
{
    const int64_t X_s0 = I, W_s0 = O, Y_s0 = O;
    if (N >= 1 && O >= 1) {
        /* S0 */
        for (int64_t n = 0; n < N; n += 6) {
            const int64_t n_n = net_dense_avx2_min(6, N - n);
            int64_t o = 0;
            if (n_n == 6 && O >= 16) {
                for (; o < O; o += 16) {
                    const int64_t begin_o = net_dense_avx2_min(o, O - 16);
                    net_dense_avx2_tile_n6_o16(X + n * X_s0, W + begin_o, B + begin_o, Y + n * Y_s0 + begin_o, X_s0, W_s0, Y_s0, I, 6, 16, 0, 1);
                }
            } else if (O >= 16) {
                for (; o < O; o += 16) {
                    const int64_t begin_o = net_dense_avx2_min(o, O - 16);
                    net_dense_avx2_tile_n6_o16(X + n * X_s0, W + begin_o, B + begin_o, Y + n * Y_s0 + begin_o, X_s0, W_s0, Y_s0, I, n_n, 16, 0, 0);
                }
            } else {
                net_dense_avx2_tile_n6_o16(X + n * X_s0, W + o, B + o, Y + n * Y_s0 + o, X_s0, W_s0, Y_s0, I, n_n, O - o, 1, 0);
            }
        }
    }
}

/* Are the sizes what the nests were made for. */
static int net_dense_avx2_fits(int64_t N, int64_t I, int64_t O) { return N >= 0 && I >= 0 && O >= 0; }

static size_t net_dense_avx2_workspace(int N, int I, int O)
{
    (void)N, (void)I, (void)O;
    return 0;
}

static int net_dense_avx2_in(int N, int I, int O, const float *X, const float *W, const float *B, float *Y, void *workspace)
{
    (void)workspace;
    if (!net_dense_avx2_fits(N, I, O))
        return 1;
    net_dense_avx2_nest(N, I, O, X, W, B, Y);
    return 0;
}

static void net_dense_avx2(int N, int I, int O, const float *X, const float *W, const float *B, float *Y)
{
    if (!net_dense_avx2_fits(N, I, O))
        return;
    net_dense_avx2_nest(N, I, O, X, W, B, Y);
}
#include <stdint.h>
#include <string.h>
#include "nets.h"

#ifdef __cplusplus
#error "compile this file as C; C++ includes its header"
#endif

/* Functions work on this instruction set whatever flags the file is compiled with. */
#undef SQ_TARGET
#define SQ_TARGET __attribute__((target("avx2,fma,f16c")))
#undef SQ_INLINE
#define SQ_INLINE static inline __attribute__((always_inline, unused)) SQ_TARGET

/* No value of the code around stays in a vector register: gcc would keep sums in memory instead. */
#undef SQ_REGISTERS_16
#if defined(__clang__)
#define SQ_REGISTERS_16 (void)0
#else
#define SQ_REGISTERS_16 __asm__ volatile("" ::: "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15")
#endif
/* Unrolls the next loop, of n iterations, wholly. */
#define SQ_PRAGMA(x) _Pragma(#x)
#if defined(__clang__)
#define SQ_UNROLL(n) SQ_PRAGMA(clang loop unroll(full))
#else
#define SQ_UNROLL(n) SQ_PRAGMA(GCC unroll n)
#endif
SQ_INLINE int64_t net_weights_back_avx2_min(int64_t a, int64_t b) { return a < b ? a : b; }

typedef float net_weights_back_avx2_f32x8 __attribute__((vector_size(32)));
typedef float net_weights_back_avx2_f32x8_u __attribute__((vector_size(32), aligned(4), may_alias));
SQ_INLINE net_weights_back_avx2_f32x8 net_weights_back_avx2_f32x8_load(const float *p) { return *(const net_weights_back_avx2_f32x8_u *)p; }
SQ_INLINE void net_weights_back_avx2_f32x8_store(float *p, net_weights_back_avx2_f32x8 v) { *(net_weights_back_avx2_f32x8_u *)p = v; }
SQ_INLINE net_weights_back_avx2_f32x8 net_weights_back_avx2_f32x8_all(float x) { return (net_weights_back_avx2_f32x8){x, x, x, x, x, x, x, x}; }
#if defined(__clang__) && __clang_major__ >= 19
SQ_INLINE net_weights_back_avx2_f32x8 net_weights_back_avx2_f32x8_fma(net_weights_back_avx2_f32x8 a, net_weights_back_avx2_f32x8 b, net_weights_back_avx2_f32x8 c) { return __builtin_elementwise_fma(a, b, c); }
#else
SQ_INLINE net_weights_back_avx2_f32x8 net_weights_back_avx2_f32x8_fma(net_weights_back_avx2_f32x8 a, net_weights_back_avx2_f32x8 b, net_weights_back_avx2_f32x8 c) { return __builtin_ia32_vfmaddps256(a, b, c); }
#endif
SQ_INLINE net_weights_back_avx2_f32x8 net_weights_back_avx2_f32x8_load_n(const float *p, int64_t n)
{
    typedef int w __attribute__((vector_size(32)));
    int left = n < 0 ? 0 : n > 8 ? 8 : (int)n;
    w m = (w){left, left, left, left, left, left, left, left} > (w){0, 1, 2, 3, 4, 5, 6, 7};
    return (net_weights_back_avx2_f32x8)__builtin_ia32_maskloadps256((const net_weights_back_avx2_f32x8 *)(const void *)p, (w)m);
}
SQ_INLINE net_weights_back_avx2_f32x8 net_weights_back_avx2_f32x8_load_part(const float *p, int64_t n, int part) { return part ? net_weights_back_avx2_f32x8_load_n(p, n) : (net_weights_back_avx2_f32x8)*(const net_weights_back_avx2_f32x8_u *)p; }
SQ_INLINE void net_weights_back_avx2_f32x8_store_parts(float *p, net_weights_back_avx2_f32x8 v, int64_t n)
{
    const float *from = (const float *)&v;
    if (n >= 8) *(net_weights_back_avx2_f32x8_u *)p = v;
    if (n <= 0 || n >= 8) return;
    if (n & 4) memcpy(p, from, 16);
    if (n & 2) memcpy(p + (n & 4), from + (n & 4), 8);
    if (n & 1) memcpy(p + (n & 6), from + (n & 6), 4);
}

/* Register tile: up to 6 i x up to 16 o, one n after the other. */
SQ_INLINE void net_weights_back_avx2_tile_i6_o16(const float *restrict X, const float *restrict D, float *restrict G, int64_t X_s0, int64_t D_s0, int64_t G_s0, int64_t n_n, int64_t n_i, int64_t n_o, int part, int whole)
{
    SQ_REGISTERS_16;
    net_weights_back_avx2_f32x8 c[6][2] = {{{0}}};
    for (int64_t left = n_n; left > 0; left--) {
        net_weights_back_avx2_f32x8 D1[2];
        SQ_UNROLL(6)
        for (int i = 0; i < 6; i++) {
            const net_weights_back_avx2_f32x8 X0 = net_weights_back_avx2_f32x8_all(X[net_weights_back_avx2_min(i, n_i - 1)]);
            SQ_UNROLL(2)
            for (int v = 0; v < 2; v++) {
                if (i == 0) D1[v] = net_weights_back_avx2_f32x8_load_part(D + 8 * v, n_o - 8 * v, part);
                c[i][v] = net_weights_back_avx2_f32x8_fma(X0, D1[v], c[i][v]);
            }
        }
        X += X_s0;
        D += D_s0;
    }
    if (whole) {
        SQ_UNROLL(6)
        for (int i = 0; i < 6; i++)
            SQ_UNROLL(2)
            for (int v = 0; v < 2; v++)
                net_weights_back_avx2_f32x8_store(G + i * G_s0 + 8 * v, net_weights_back_avx2_f32x8_load(G + i * G_s0 + 8 * v) + c[i][v]);
    } else {
        float sums[96];
        SQ_UNROLL(6)
        for (int i = 0; i < 6; i++) {
            net_weights_back_avx2_f32x8_store(&sums[16 * i], c[i][0]);
            net_weights_back_avx2_f32x8_store(&sums[16 * i + 8], c[i][1]);
        }
        for (int64_t i = 0; i < n_i; i++)
            for (int64_t v = 0; v < (n_o + 7) / 8; v++)
                net_weights_back_avx2_f32x8_store_parts(G + i * G_s0 + 8 * v, net_weights_back_avx2_f32x8_load_n(G + i * G_s0 + 8 * v, n_o - 8 * v) + net_weights_back_avx2_f32x8_load(&sums[8 * v + 16 * i]), n_o - 8 * v);
    }
}

#if defined(__GNUC__) && __GNUC__ >= 8 && !defined(__clang__)
__attribute__((noipa)) /* gcc 12 would lose what it writes */
#endif
static SQ_TARGET void net_weights_back_avx2_nest(int64_t N, int64_t I, int64_t O, const float *restrict X, const float *restrict D, float *restrict G)
{
    const int64_t X_s0 = I, D_s0 = O, G_s0 = O;
    if (I >= 1 && O >= 1) {
        /* S0 */
        for (int64_t o = 0; o < O; o += 16)
            for (int64_t i = 0; i < I; i += 6) {
                const int64_t n_i = net_weights_back_avx2_min(6, I - i), n_o = net_weights_back_avx2_min(16, O - o);
                if (n_i == 6 && n_o == 16)
                    net_weights_back_avx2_tile_i6_o16(X + i, D + o, G + i * G_s0 + o, X_s0, D_s0, G_s0, N, 6, 16, 0, 1);
                else
                    net_weights_back_avx2_tile_i6_o16(X + i, D + o, G + i * G_s0 + o, X_s0, D_s0, G_s0, N, n_i, n_o, 1, 0);
            }
    }
}

/* Are the sizes what the nests were made for. */
static int net_weights_back_avx2_fits(int64_t N, int64_t I, int64_t O) { return N >= 0 && I >= 0 && O >= 0; }

static size_t net_weights_back_avx2_workspace(int N, int I, int O)
{
    (void)N, (void)I, (void)O;
    return 0;
}

static int net_weights_back_avx2_in(int N, int I, int O, const float *X, const float *D, float *G, void *workspace)
{
    (void)workspace;
    if (!net_weights_back_avx2_fits(N, I, O))
        return 1;
    net_weights_back_avx2_nest(N, I, O, X, D, G);
    return 0;
}

static void net_weights_back_avx2(int N, int I, int O, const float *X, const float *D, float *G)
{
    if (!net_weights_back_avx2_fits(N, I, O))
        return;
    net_weights_back_avx2_nest(N, I, O, X, D, G);
}
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "nets.h"

#ifdef __cplusplus
#error "compile this file as C; C++ includes its header"
#endif

/* Functions work on this instruction set whatever flags the file is compiled with. */
#undef SQ_TARGET
#define SQ_TARGET __attribute__((target("avx2,fma,f16c")))
#undef SQ_INLINE
#define SQ_INLINE static inline __attribute__((always_inline, unused)) SQ_TARGET

/* A function of its own for gcc: inlined, its sums would be in memory. */
#undef SQ_OUTLINE
#if defined(__clang__)
#define SQ_OUTLINE SQ_INLINE
#else
#define SQ_OUTLINE static __attribute__((noinline)) SQ_TARGET
#endif
/* Unrolls the next loop, of n iterations, wholly. */
#define SQ_PRAGMA(x) _Pragma(#x)
#if defined(__clang__)
#define SQ_UNROLL(n) SQ_PRAGMA(clang loop unroll(full))
#else
#define SQ_UNROLL(n) SQ_PRAGMA(GCC unroll n)
#endif
/* Lanes of a, and of b behind them, by number; e: an integer as wide as an element. */
#if defined(__clang__)
#define SQ_SHUFFLE(e, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SQ_SHUFFLE(e, a, b, ...) __builtin_shuffle(a, b, (e __attribute__((vector_size(sizeof(a))))){__VA_ARGS__})
#endif
SQ_INLINE int64_t net_inputs_back_avx2_min(int64_t a, int64_t b) { return a < b ? a : b; }
SQ_INLINE int64_t net_inputs_back_avx2_max(int64_t a, int64_t b) { return a > b ? a : b; }

typedef float net_inputs_back_avx2_f32x8 __attribute__((vector_size(32)));
typedef float net_inputs_back_avx2_f32x8_u __attribute__((vector_size(32), aligned(4), may_alias));
SQ_INLINE net_inputs_back_avx2_f32x8 net_inputs_back_avx2_f32x8_load(const float *p) { return *(const net_inputs_back_avx2_f32x8_u *)p; }
SQ_INLINE void net_inputs_back_avx2_f32x8_store(float *p, net_inputs_back_avx2_f32x8 v) { *(net_inputs_back_avx2_f32x8_u *)p = v; }
SQ_INLINE net_inputs_back_avx2_f32x8 net_inputs_back_avx2_f32x8_all(float x) { return (net_inputs_back_avx2_f32x8){x, x, x, x, x, x, x, x}; }
#if defined(__clang__) && __clang_major__ >= 19
SQ_INLINE net_inputs_back_avx2_f32x8 net_inputs_back_avx2_f32x8_fma(net_inputs_back_avx2_f32x8 a, net_inputs_back_avx2_f32x8 b, net_inputs_back_avx2_f32x8 c) { return __builtin_elementwise_fma(a, b, c); }
#else
SQ_INLINE net_inputs_back_avx2_f32x8 net_inputs_back_avx2_f32x8_fma(net_inputs_back_avx2_f32x8 a, net_inputs_back_avx2_f32x8 b, net_inputs_back_avx2_f32x8 c) { return __builtin_ia32_vfmaddps256(a, b, c); }
#endif
SQ_INLINE net_inputs_back_avx2_f32x8 net_inputs_back_avx2_f32x8_load_n(const float *p, int64_t n)
{
    typedef int w __attribute__((vector_size(32)));
    int left = n < 0 ? 0 : n > 8 ? 8 : (int)n;
    w m = (w){left, left, left, left, left, left, left, left} > (w){0, 1, 2, 3, 4, 5, 6, 7};
    return (net_inputs_back_avx2_f32x8)__builtin_ia32_maskloadps256((const net_inputs_back_avx2_f32x8 *)(const void *)p, (w)m);
}
SQ_INLINE void net_inputs_back_avx2_f32x8_store_parts(float *p, net_inputs_back_avx2_f32x8 v, int64_t n)
{
    const float *from = (const float *)&v;
    if (n >= 8) *(net_inputs_back_avx2_f32x8_u *)p = v;
    if (n <= 0 || n >= 8) return;
    if (n & 4) memcpy(p, from, 16);
    if (n & 2) memcpy(p + (n & 4), from + (n & 4), 8);
    if (n & 1) memcpy(p + (n & 6), from + (n & 6), 4);
}
SQ_INLINE net_inputs_back_avx2_f32x8 net_inputs_back_avx2_f32x8_halves_low(net_inputs_back_avx2_f32x8 a, net_inputs_back_avx2_f32x8 b)
{
    return SQ_SHUFFLE(int32_t, a, b, 0, 1, 2, 3, 8, 9, 10, 11);
}
SQ_INLINE net_inputs_back_avx2_f32x8 net_inputs_back_avx2_f32x8_halves_high(net_inputs_back_avx2_f32x8 a, net_inputs_back_avx2_f32x8 b)
{
    return SQ_SHUFFLE(int32_t, a, b, 4, 5, 6, 7, 12, 13, 14, 15);
}
SQ_INLINE net_inputs_back_avx2_f32x8 net_inputs_back_avx2_f32x8_zip16_first(net_inputs_back_avx2_f32x8 a, net_inputs_back_avx2_f32x8 b)
{
    return SQ_SHUFFLE(int32_t, a, b, 0, 8, 1, 9, 4, 12, 5, 13);
}
SQ_INLINE net_inputs_back_avx2_f32x8 net_inputs_back_avx2_f32x8_zip16_second(net_inputs_back_avx2_f32x8 a, net_inputs_back_avx2_f32x8 b)
{
    return SQ_SHUFFLE(int32_t, a, b, 2, 10, 3, 11, 6, 14, 7, 15);
}
SQ_INLINE void net_inputs_back_avx2_f32x8_transpose(net_inputs_back_avx2_f32x8 *x)
{
    net_inputs_back_avx2_f32x8 y[8];
    SQ_UNROLL(4)
    for (int i = 0; i < 4; i++) {
        y[2 * i] = net_inputs_back_avx2_f32x8_zip16_first(x[i / 2 * 2 + i], x[i / 2 * 2 + i + 2]);
        y[2 * i + 1] = net_inputs_back_avx2_f32x8_zip16_second(x[i / 2 * 2 + i], x[i / 2 * 2 + i + 2]);
    }
    SQ_UNROLL(4)
    for (int i = 0; i < 4; i++) {
        x[2 * i] = net_inputs_back_avx2_f32x8_zip16_first(y[i / 2 * 2 + i], y[i / 2 * 2 + i + 2]);
        x[2 * i + 1] = net_inputs_back_avx2_f32x8_zip16_second(y[i / 2 * 2 + i], y[i / 2 * 2 + i + 2]);
    }
    SQ_UNROLL(4)
    for (int i = 0; i < 4; i++) {
        y[i] = net_inputs_back_avx2_f32x8_halves_low(x[i], x[i + 4]);
        y[i + 4] = net_inputs_back_avx2_f32x8_halves_high(x[i], x[i + 4]);
    }
    SQ_UNROLL(8)
    for (int i = 0; i < 8; i++)
        x[i] = y[i];
}
/* Copies rows of n elements, with stride `between`, to columns with stride `step`. */
static SQ_TARGET __attribute__((noinline, unused)) void net_inputs_back_avx2_f32x8_turn(float *to, int64_t step, const float *from, int64_t between, int64_t rows, int64_t n)
{
    for (int64_t r = 0; r + 8 <= rows; r += 8) {
        for (int64_t i = 0; i + 8 <= n; i += 8) {
            net_inputs_back_avx2_f32x8 x[8];
            SQ_UNROLL(8)
            for (int l = 0; l < 8; l++)
                x[l] = *(const net_inputs_back_avx2_f32x8_u *)(from + (r + l) * between + i);
            net_inputs_back_avx2_f32x8_transpose(x);
            SQ_UNROLL(8)
            for (int l = 0; l < 8; l++)
                *(net_inputs_back_avx2_f32x8_u *)(to + (i + l) * step + r) = x[l];
        }
        for (int64_t i = n / 8 * 8; i < n; i++)
            for (int64_t x = r; x < r + 8; x++)
                to[i * step + x] = from[x * between + i];
    }
    for (int64_t r = rows / 8 * 8; r < rows; r++)
        for (int64_t i = 0; i < n; i++)
            to[i * step + r] = from[r * between + i];
}

/* Register tile: up to 6 n x up to 16 i, one o after the other. */
SQ_OUTLINE void net_inputs_back_avx2_tile_n6_i16(const float *restrict D, const float *restrict W_pack, float *restrict G, int64_t D_s0, int64_t G_s0, int64_t n_o, int64_t n_n, int64_t n_i, int whole, int first)
{
    net_inputs_back_avx2_f32x8 c[6][2] = {{{0}}};
    for (int64_t left = n_o; left > 0; left--) {
        net_inputs_back_avx2_f32x8 W1[2];
        SQ_UNROLL(6)
        for (int n = 0; n < 6; n++) {
            const net_inputs_back_avx2_f32x8 D0 = net_inputs_back_avx2_f32x8_all(D[net_inputs_back_avx2_min(n, n_n - 1) * D_s0]);
            SQ_UNROLL(2)
            for (int v = 0; v < 2; v++) {
                if (n == 0) W1[v] = net_inputs_back_avx2_f32x8_load(W_pack + 8 * v);
                c[n][v] = net_inputs_back_avx2_f32x8_fma(D0, W1[v], c[n][v]);
            }
        }
        D += 1;
        W_pack += 16;
    }
    if (whole) {
        if (first) {
            SQ_UNROLL(6)
            for (int n = 0; n < 6; n++)
                SQ_UNROLL(2)
                for (int v = 0; v < 2; v++)
                    net_inputs_back_avx2_f32x8_store(G + n * G_s0 + 8 * v, net_inputs_back_avx2_f32x8_load(G + n * G_s0 + 8 * v) + c[n][v]);
        } else {
            SQ_UNROLL(6)
            for (int n = 0; n < 6; n++)
                SQ_UNROLL(2)
                for (int v = 0; v < 2; v++)
                    net_inputs_back_avx2_f32x8_store(G + n * G_s0 + 8 * v, net_inputs_back_avx2_f32x8_load(G + n * G_s0 + 8 * v) + c[n][v]);
        }
    } else {
        float sums[96];
        SQ_UNROLL(6)
        for (int n = 0; n < 6; n++) {
            net_inputs_back_avx2_f32x8_store(&sums[16 * n], c[n][0]);
            net_inputs_back_avx2_f32x8_store(&sums[16 * n + 8], c[n][1]);
        }
        if (first) {
            for (int64_t n = 0; n < n_n; n++)
                for (int64_t v = 0; v < (n_i + 7) / 8; v++)
                    net_inputs_back_avx2_f32x8_store_parts(G + n * G_s0 + 8 * v, net_inputs_back_avx2_f32x8_load_n(G + n * G_s0 + 8 * v, n_i - 8 * v) + net_inputs_back_avx2_f32x8_load(&sums[8 * v + 16 * n]), n_i - 8 * v);
        } else {
            for (int64_t n = 0; n < n_n; n++)
                for (int64_t v = 0; v < (n_i + 7) / 8; v++)
                    net_inputs_back_avx2_f32x8_store_parts(G + n * G_s0 + 8 * v, net_inputs_back_avx2_f32x8_load_n(G + n * G_s0 + 8 * v, n_i - 8 * v) + net_inputs_back_avx2_f32x8_load(&sums[8 * v + 16 * n]), n_i - 8 * v);
        }
    }
}

/* The first place in a workspace where a line of the cache begins. */
static char *net_inputs_back_avx2_start(void *memory) { return (char *)memory + (-(uintptr_t)memory & 63); }

#if defined(__GNUC__) && __GNUC__ >= 8 && !defined(__clang__)
__attribute__((noipa)) /* gcc 12 would lose what it writes */
#endif
static SQ_TARGET void net_inputs_back_avx2_nest(int64_t N, int64_t I, int64_t O, const float *restrict D, const float *restrict W, float *restrict G, char *space)
{
    const int64_t D_s0 = O, W_s0 = O, G_s0 = I;
    float *W_pack = (float *)(void *)(space + 0);
    if (N >= 1 && I >= 1) {
        /* S0 */
        for (int64_t i0 = 0; i0 < I; i0 += 512)
            for (int64_t o0 = 0; o0 < net_inputs_back_avx2_max(O, 1); o0 += 256) {
                { /* Pack W in panels of 16. */
                    const int64_t len0 = net_inputs_back_avx2_min(I, i0 + 512) - i0, len1 = net_inputs_back_avx2_min(O, o0 + 256) - o0;
                    for (int64_t q0 = 0; q0 < (len0 + 15) / 16; q0++)
                        net_inputs_back_avx2_f32x8_turn(W_pack + 4096 * q0, 16, W + (i0 + 16 * q0) * W_s0 + o0, W_s0, net_inputs_back_avx2_min(16, len0 - 16 * q0), len1);
                }
                for (int64_t n0 = 0; n0 < N; n0 += 48)
                    for (int64_t i = i0; i < net_inputs_back_avx2_min(I, i0 + 512); i += 16)
                        for (int64_t n = n0; n < net_inputs_back_avx2_min(N, n0 + 48); n += 6) {
                            const int64_t n_n = net_inputs_back_avx2_min(6, net_inputs_back_avx2_min(N, n0 + 48) - n), n_i = net_inputs_back_avx2_min(16, net_inputs_back_avx2_min(I, i0 + 512) - i);
                            net_inputs_back_avx2_tile_n6_i16(D + n * D_s0 + o0, W_pack + 4096 * ((i - i0) / 16), G + n * G_s0 + i, D_s0, G_s0, net_inputs_back_avx2_min(O, o0 + 256) - o0, n_n, n_i, n_n == 6 && n_i == 16, o0 == 0);
                        }
            }
    }
}

/* Are the sizes what the nests were made for. */
static int net_inputs_back_avx2_fits(int64_t N, int64_t I, int64_t O) { return N >= 0 && I >= 0 && O >= 0; }

static size_t net_inputs_back_avx2_workspace(int N, int I, int O) { return net_inputs_back_avx2_fits(N, I, O) ? 524608 : 0; }

static int net_inputs_back_avx2_in(int N, int I, int O, const float *D, const float *W, float *G, void *workspace)
{
    if (!workspace || !net_inputs_back_avx2_fits(N, I, O))
        return 1;
    net_inputs_back_avx2_nest(N, I, O, D, W, G, net_inputs_back_avx2_start(workspace));
    return 0;
}

/* Blocks of memory that calls leave to those after them. Each belongs to one place here or to one call. */
static struct net_inputs_back_avx2_block { size_t bytes; char memory[]; } *net_inputs_back_avx2_kept[16];

/* A block of at least that many bytes. */
static struct net_inputs_back_avx2_block *net_inputs_back_avx2_take(size_t bytes)
{
    struct net_inputs_back_avx2_block *b = NULL;
    for (int i = 0; i < 16 && !b; i++)
        if (__atomic_load_n(&net_inputs_back_avx2_kept[i], __ATOMIC_RELAXED))
            b = __atomic_exchange_n(&net_inputs_back_avx2_kept[i], NULL, __ATOMIC_ACQUIRE);
    if (b && b->bytes >= bytes)
        return b;
    free(b);
    if (!(b = calloc(1, sizeof *b + bytes)))
        perror("net_inputs_back_avx2"), abort();
    b->bytes = bytes;
    return b;
}

static void net_inputs_back_avx2_give(struct net_inputs_back_avx2_block *b)
{
    for (int i = 0; i < 16 && b && b->bytes <= 16777216; i++) /* larger ones are not kept */
        b = __atomic_exchange_n(&net_inputs_back_avx2_kept[i], b, __ATOMIC_ACQ_REL);
    free(b);
}

/* When the program ends, or the library is unloaded. */
__attribute__((destructor)) static void net_inputs_back_avx2_drop(void)
{
    for (int i = 0; i < 16; i++)
        free(__atomic_exchange_n(&net_inputs_back_avx2_kept[i], NULL, __ATOMIC_ACQUIRE));
}

static void net_inputs_back_avx2(int N, int I, int O, const float *D, const float *W, float *G)
{
    if (!net_inputs_back_avx2_fits(N, I, O))
        return;
    struct net_inputs_back_avx2_block *const block = net_inputs_back_avx2_take(524608);
    net_inputs_back_avx2_nest(N, I, O, D, W, G, net_inputs_back_avx2_start(block->memory));
    net_inputs_back_avx2_give(block);
}
#include <stdint.h>
#include <string.h>
#include "nets.h"

#ifdef __cplusplus
#error "compile this file as C; C++ includes its header"
#endif

/* Functions work on this instruction set whatever flags the file is compiled with. */
#undef SQ_TARGET
#define SQ_TARGET __attribute__((target("avx2,fma,f16c")))
#undef SQ_INLINE
#define SQ_INLINE static inline __attribute__((always_inline, unused)) SQ_TARGET

/* Unrolls the next loop, of n iterations, wholly. */
#define SQ_PRAGMA(x) _Pragma(#x)
#if defined(__clang__)
#define SQ_UNROLL(n) SQ_PRAGMA(clang loop unroll(full))
#else
#define SQ_UNROLL(n) SQ_PRAGMA(GCC unroll n)
#endif
SQ_INLINE int64_t net_adam_avx2_min(int64_t a, int64_t b) { return a < b ? a : b; }

typedef float net_adam_avx2_f32x8 __attribute__((vector_size(32)));
typedef float net_adam_avx2_f32x8_u __attribute__((vector_size(32), aligned(4), may_alias));
SQ_INLINE net_adam_avx2_f32x8 net_adam_avx2_f32x8_load(const float *p) { return *(const net_adam_avx2_f32x8_u *)p; }
SQ_INLINE void net_adam_avx2_f32x8_store(float *p, net_adam_avx2_f32x8 v) { *(net_adam_avx2_f32x8_u *)p = v; }
SQ_INLINE net_adam_avx2_f32x8 net_adam_avx2_f32x8_all(float x) { return (net_adam_avx2_f32x8){x, x, x, x, x, x, x, x}; }
#if defined(__clang__) && __clang_major__ >= 19
SQ_INLINE net_adam_avx2_f32x8 net_adam_avx2_f32x8_fma(net_adam_avx2_f32x8 a, net_adam_avx2_f32x8 b, net_adam_avx2_f32x8 c) { return __builtin_elementwise_fma(a, b, c); }
#else
SQ_INLINE net_adam_avx2_f32x8 net_adam_avx2_f32x8_fma(net_adam_avx2_f32x8 a, net_adam_avx2_f32x8 b, net_adam_avx2_f32x8 c) { return __builtin_ia32_vfmaddps256(a, b, c); }
#endif
SQ_INLINE net_adam_avx2_f32x8 net_adam_avx2_f32x8_load_n(const float *p, int64_t n)
{
    typedef int w __attribute__((vector_size(32)));
    int left = n < 0 ? 0 : n > 8 ? 8 : (int)n;
    w m = (w){left, left, left, left, left, left, left, left} > (w){0, 1, 2, 3, 4, 5, 6, 7};
    return (net_adam_avx2_f32x8)__builtin_ia32_maskloadps256((const net_adam_avx2_f32x8 *)(const void *)p, (w)m);
}
SQ_INLINE net_adam_avx2_f32x8 net_adam_avx2_f32x8_load_part(const float *p, int64_t n, int part) { return part ? net_adam_avx2_f32x8_load_n(p, n) : (net_adam_avx2_f32x8)*(const net_adam_avx2_f32x8_u *)p; }
SQ_INLINE void net_adam_avx2_f32x8_store_parts(float *p, net_adam_avx2_f32x8 v, int64_t n)
{
    const float *from = (const float *)&v;
    if (n >= 8) *(net_adam_avx2_f32x8_u *)p = v;
    if (n <= 0 || n >= 8) return;
    if (n & 4) memcpy(p, from, 16);
    if (n & 2) memcpy(p + (n & 4), from + (n & 4), 8);
    if (n & 1) memcpy(p + (n & 6), from + (n & 6), 4);
}
SQ_INLINE net_adam_avx2_f32x8 net_adam_avx2_f32x8_sqrt(net_adam_avx2_f32x8 a)
{
    return __builtin_ia32_sqrtps256(a);
}

/* Register tile: 16 n. */
SQ_INLINE void net_adam_avx2_points_n16(const float *restrict G, float *restrict V, float *restrict M, float *restrict S, float scale, float fades, float step, float whole)
{
    const net_adam_avx2_f32x8 scale0 = net_adam_avx2_f32x8_all(scale), fades3 = net_adam_avx2_f32x8_all(fades), k7 = net_adam_avx2_f32x8_all(0.899999976f);
    const net_adam_avx2_f32x8 k10 = net_adam_avx2_f32x8_all(0.100000001f), k13 = net_adam_avx2_f32x8_all(0.999000013f), k16 = net_adam_avx2_f32x8_all(0.00100000005f);
    const net_adam_avx2_f32x8 step20 = net_adam_avx2_f32x8_all(step), whole22 = net_adam_avx2_f32x8_all(whole), k25 = net_adam_avx2_f32x8_all(9.99999994e-09f);
    SQ_UNROLL(2)
    for (int v = 0; v < 2; v++) {
        const net_adam_avx2_f32x8 t2 = scale0 * net_adam_avx2_f32x8_load(G + 8 * v), V4 = net_adam_avx2_f32x8_load(V + 8 * v), t5 = net_adam_avx2_f32x8_fma(fades3, V4, t2);
        const net_adam_avx2_f32x8 t11 = net_adam_avx2_f32x8_fma(k10, t5, k7 * net_adam_avx2_f32x8_load(M + 8 * v));
        net_adam_avx2_f32x8_store(M + 8 * v, t11);
        const net_adam_avx2_f32x8 t18 = net_adam_avx2_f32x8_fma(k16 * t5, t5, k13 * net_adam_avx2_f32x8_load(S + 8 * v));
        net_adam_avx2_f32x8_store(S + 8 * v, t18);
        const net_adam_avx2_f32x8 t21 = step20 * t11, t23 = t18 * whole22;
        net_adam_avx2_f32x8_store(V + 8 * v, V4 - (t21 / (net_adam_avx2_f32x8_sqrt(t23) + k25)));
    }
}

/* Register tile: 8 n. */
SQ_INLINE void net_adam_avx2_points_n8(const float *restrict G, float *restrict V, float *restrict M, float *restrict S, float scale, float fades, float step, float whole)
{
    const net_adam_avx2_f32x8 t2 = net_adam_avx2_f32x8_all(scale) * net_adam_avx2_f32x8_load(G), fades3 = net_adam_avx2_f32x8_all(fades), V4 = net_adam_avx2_f32x8_load(V);
    const net_adam_avx2_f32x8 t5 = net_adam_avx2_f32x8_fma(fades3, V4, t2), k7 = net_adam_avx2_f32x8_all(0.899999976f);
    const net_adam_avx2_f32x8 t11 = net_adam_avx2_f32x8_fma(net_adam_avx2_f32x8_all(0.100000001f), t5, k7 * net_adam_avx2_f32x8_load(M));
    net_adam_avx2_f32x8_store(M, t11);
    const net_adam_avx2_f32x8 k13 = net_adam_avx2_f32x8_all(0.999000013f), S14 = net_adam_avx2_f32x8_load(S);
    const net_adam_avx2_f32x8 t18 = net_adam_avx2_f32x8_fma(net_adam_avx2_f32x8_all(0.00100000005f) * t5, t5, k13 * S14);
    net_adam_avx2_f32x8_store(S, t18);
    const net_adam_avx2_f32x8 t21 = net_adam_avx2_f32x8_all(step) * t11, t24 = net_adam_avx2_f32x8_sqrt(t18 * net_adam_avx2_f32x8_all(whole));
    net_adam_avx2_f32x8_store(V, V4 - (t21 / (t24 + net_adam_avx2_f32x8_all(9.99999994e-09f))));
}

/* Register tile: up to 8 n. */
SQ_INLINE void net_adam_avx2_points_n8_part(const float *restrict G, float *restrict V, float *restrict M, float *restrict S, int64_t n_n, int part, float scale, float fades, float step, float whole)
{
    const net_adam_avx2_f32x8 t2 = net_adam_avx2_f32x8_all(scale) * net_adam_avx2_f32x8_load_part(G, n_n, part), fades3 = net_adam_avx2_f32x8_all(fades);
    const net_adam_avx2_f32x8 V4 = net_adam_avx2_f32x8_load_part(V, n_n, part), t5 = net_adam_avx2_f32x8_fma(fades3, V4, t2), k7 = net_adam_avx2_f32x8_all(0.899999976f);
    const net_adam_avx2_f32x8 t11 = net_adam_avx2_f32x8_fma(net_adam_avx2_f32x8_all(0.100000001f), t5, k7 * net_adam_avx2_f32x8_load_part(M, n_n, part));
    net_adam_avx2_f32x8_store_parts(M, t11, (part ? n_n : 8));
    const net_adam_avx2_f32x8 k13 = net_adam_avx2_f32x8_all(0.999000013f), S14 = net_adam_avx2_f32x8_load_part(S, n_n, part);
    const net_adam_avx2_f32x8 t18 = net_adam_avx2_f32x8_fma(net_adam_avx2_f32x8_all(0.00100000005f) * t5, t5, k13 * S14);
    net_adam_avx2_f32x8_store_parts(S, t18, (part ? n_n : 8));
    const net_adam_avx2_f32x8 t21 = net_adam_avx2_f32x8_all(step) * t11, t24 = net_adam_avx2_f32x8_sqrt(t18 * net_adam_avx2_f32x8_all(whole));
    net_adam_avx2_f32x8_store_parts(V, V4 - (t21 / (t24 + net_adam_avx2_f32x8_all(9.99999994e-09f))), (part ? n_n : 8));
}

#if defined(__GNUC__) && __GNUC__ >= 8 && !defined(__clang__)
__attribute__((noipa)) /* gcc 12 would lose what it writes */
#endif
static SQ_TARGET void net_adam_avx2_nest(int64_t N, float scale, float fades, float step, float whole, const float *restrict G, float *restrict M, float *restrict S, float *restrict V)
{
    if (N >= 1) {
        { /* S0 and what is fused with it */
            int64_t n = 0;
            for (; n + 15 < N; n += 16)
                net_adam_avx2_points_n16(G + n, V + n, M + n, S + n, scale, fades, step, whole);
            for (; n < N; n += 8) {
                const int64_t left_n = net_adam_avx2_min(8, N - n);
                if (left_n == 8)
                    net_adam_avx2_points_n8(G + n, V + n, M + n, S + n, scale, fades, step, whole);
                else
                    net_adam_avx2_points_n8_part(G + n, V + n, M + n, S + n, left_n, 1, scale, fades, step, whole);
            }
        }
    }
}

/* Are the sizes what the nests were made for. */
static int net_adam_avx2_fits(int64_t N) { return N >= 0; }

static size_t net_adam_avx2_workspace(int N)
{
    (void)N;
    return 0;
}

static int net_adam_avx2_in(int N, float scale, float fades, float step, float whole, const float *G, float *M, float *S, float *V, void *workspace)
{
    (void)workspace;
    if (!net_adam_avx2_fits(N))
        return 1;
    net_adam_avx2_nest(N, scale, fades, step, whole, G, M, S, V);
    return 0;
}

static void net_adam_avx2(int N, float scale, float fades, float step, float whole, const float *G, float *M, float *S, float *V)
{
    if (!net_adam_avx2_fits(N))
        return;
    net_adam_avx2_nest(N, scale, fades, step, whole, G, M, S, V);
}
#endif

/* ==== Target generic: portable C with the compilers' vector extension, 128-bit vectors ==== */
#include <stdint.h>
#include <string.h>
#include "nets.h"

#ifdef __cplusplus
#error "compile this file as C; C++ includes its header"
#endif

/* Functions work on this instruction set whatever flags the file is compiled with. */
#undef SQ_TARGET
#define SQ_TARGET
#undef SQ_INLINE
#define SQ_INLINE static inline __attribute__((always_inline, unused)) SQ_TARGET

/* No value of the code around stays in a vector register: gcc would keep sums in memory instead. */
#undef SQ_REGISTERS_16
#if defined(__clang__)
#define SQ_REGISTERS_16 (void)0
#elif defined(__x86_64__)
#define SQ_REGISTERS_16 __asm__ volatile("" ::: "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15")
#elif defined(__aarch64__)
#define SQ_REGISTERS_16 __asm__ volatile("" ::: "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31")
#else
#define SQ_REGISTERS_16 (void)0
#endif
/* Unrolls the next loop, of n iterations, wholly. */
#define SQ_PRAGMA(x) _Pragma(#x)
#if defined(__clang__)
#define SQ_UNROLL(n) SQ_PRAGMA(clang loop unroll(full))
#else
#define SQ_UNROLL(n) SQ_PRAGMA(GCC unroll n)
#endif
SQ_INLINE int64_t net_dense_generic_min(int64_t a, int64_t b) { return a < b ? a : b; }

typedef float net_dense_generic_f32x4 __attribute__((vector_size(16)));
typedef float net_dense_generic_f32x4_u __attribute__((vector_size(16), aligned(4), may_alias));
SQ_INLINE net_dense_generic_f32x4 net_dense_generic_f32x4_load(const float *p) { return *(const net_dense_generic_f32x4_u *)p; }
SQ_INLINE void net_dense_generic_f32x4_store(float *p, net_dense_generic_f32x4 v) { *(net_dense_generic_f32x4_u *)p = v; }
SQ_INLINE net_dense_generic_f32x4 net_dense_generic_f32x4_all(float x) { return (net_dense_generic_f32x4){x, x, x, x}; }
SQ_INLINE net_dense_generic_f32x4 net_dense_generic_f32x4_fma(net_dense_generic_f32x4 a, net_dense_generic_f32x4 b, net_dense_generic_f32x4 c) { return a * b + c; }
SQ_INLINE net_dense_generic_f32x4 net_dense_generic_f32x4_load_n(const float *p, int64_t n)
{
    net_dense_generic_f32x4 r = {0};
    float *to = (float *)&r;
    if (n >= 4) r = *(const net_dense_generic_f32x4_u *)p;
    if (n <= 0 || n >= 4) return r;
    if (n & 2) memcpy(to, p, 8);
    if (n & 1) memcpy(to + (n & 2), p + (n & 2), 4);
    return r;
}
SQ_INLINE void net_dense_generic_f32x4_store_n(float *p, net_dense_generic_f32x4 v, int64_t n)
{
    const float *from = (const float *)&v;
    if (n >= 4) *(net_dense_generic_f32x4_u *)p = v;
    if (n <= 0 || n >= 4) return;
    if (n & 2) memcpy(p, from, 8);
    if (n & 1) memcpy(p + (n & 2), from + (n & 2), 4);
}
SQ_INLINE net_dense_generic_f32x4 net_dense_generic_f32x4_load_part(const float *p, int64_t n, int part) { return part ? net_dense_generic_f32x4_load_n(p, n) : (net_dense_generic_f32x4)*(const net_dense_generic_f32x4_u *)p; }

/* Register tile: up to 6 n x up to 8 o, one i after the other. */
SQ_INLINE void net_dense_generic_tile_n6_o8(const float *restrict X, const float *restrict W, const float *restrict B, float *restrict Y, int64_t X_s0, int64_t W_s0, int64_t Y_s0, int64_t n_i, int64_t n_n, int64_t n_o, int part, int whole)
{
    SQ_REGISTERS_16;
    net_dense_generic_f32x4 c[6][2] = {{{0}}};
    for (int64_t left = n_i; left > 0; left--) {
        net_dense_generic_f32x4 W1[2];
        SQ_UNROLL(6)
        for (int n = 0; n < 6; n++) {
            const net_dense_generic_f32x4 X0 = net_dense_generic_f32x4_all(X[net_dense_generic_min(n, n_n - 1) * X_s0]);
            SQ_UNROLL(2)
            for (int v = 0; v < 2; v++) {
                if (n == 0) W1[v] = net_dense_generic_f32x4_load_part(W + 4 * v, n_o - 4 * v, part);
                c[n][v] = net_dense_generic_f32x4_fma(X0, W1[v], c[n][v]);
            }
        }
        X += 1;
        W += W_s0;
    }
    if (whole) {
        net_dense_generic_f32x4 B0[2];
        SQ_UNROLL(6)
        for (int n = 0; n < 6; n++)
            SQ_UNROLL(2)
            for (int v = 0; v < 2; v++) {
                if (n == 0) B0[v] = net_dense_generic_f32x4_load(B + 4 * v);
                net_dense_generic_f32x4_store(Y + n * Y_s0 + 4 * v, B0[v] + c[n][v]);
            }
    } else {
        float sums[48];
        SQ_UNROLL(6)
        for (int n = 0; n < 6; n++) {
            net_dense_generic_f32x4_store(&sums[8 * n], c[n][0]);
            net_dense_generic_f32x4_store(&sums[8 * n + 4], c[n][1]);
        }
        for (int64_t n = 0; n < n_n; n++)
            for (int64_t v = 0; v < (n_o + 3) / 4; v++)
                net_dense_generic_f32x4_store_n(Y + n * Y_s0 + 4 * v, net_dense_generic_f32x4_load_n(B + 4 * v, n_o - 4 * v) + net_dense_generic_f32x4_load(&sums[4 * v + 8 * n]), n_o - 4 * v);
    }
}

/* Register tile: up to 6 n x 4 o, one i after the other. */
SQ_INLINE void net_dense_generic_tile_n6_o4(const float *restrict X, const float *restrict W, const float *restrict B, float *restrict Y, int64_t X_s0, int64_t W_s0, int64_t Y_s0, int64_t n_i, int64_t n_n, int whole)
{
    SQ_REGISTERS_16;
    net_dense_generic_f32x4 c[6] = {{0}};
    for (int64_t left = n_i; left > 0; left--) {
        const net_dense_generic_f32x4 W1 = net_dense_generic_f32x4_load(W);
        SQ_UNROLL(6)
        for (int n = 0; n < 6; n++)
            c[n] = net_dense_generic_f32x4_fma(net_dense_generic_f32x4_all(X[net_dense_generic_min(n, n_n - 1) * X_s0]), W1, c[n]);
        X += 1;
        W += W_s0;
    }
    if (whole) {
        const net_dense_generic_f32x4 B0 = net_dense_generic_f32x4_load(B);
        SQ_UNROLL(6)
        for (int n = 0; n < 6; n++)
            net_dense_generic_f32x4_store(Y + n * Y_s0, B0 + c[n]);
    } else {
        float sums[24];
        SQ_UNROLL(6)
        for (int n = 0; n < 6; n++)
            net_dense_generic_f32x4_store(&sums[4 * n], c[n]);
        const net_dense_generic_f32x4 B0 = net_dense_generic_f32x4_load(B);
        for (int64_t n = 0; n < n_n; n++)
            net_dense_generic_f32x4_store(Y + n * Y_s0, B0 + net_dense_generic_f32x4_load(&sums[4 * n]));
    }
}

/* Register tile: up to 6 n x up to 4 o, one i after the other. */
SQ_INLINE void net_dense_generic_tile_n6_o4_part(const float *restrict X, const float *restrict W, const float *restrict B, float *restrict Y, int64_t X_s0, int64_t W_s0, int64_t Y_s0, int64_t n_i, int64_t n_n, int64_t n_o, int part, int whole)
{
    SQ_REGISTERS_16;
    net_dense_generic_f32x4 c[6] = {{0}};
    for (int64_t left = n_i; left > 0; left--) {
        const net_dense_generic_f32x4 W1 = net_dense_generic_f32x4_load_part(W, n_o, part);
        SQ_UNROLL(6)
        for (int n = 0; n < 6; n++)
            c[n] = net_dense_generic_f32x4_fma(net_dense_generic_f32x4_all(X[net_dense_generic_min(n, n_n - 1) * X_s0]), W1, c[n]);
        X += 1;
        W += W_s0;
    }
    if (whole) {
        const net_dense_generic_f32x4 B0 = net_dense_generic_f32x4_load(B);
        SQ_UNROLL(6)
        for (int n = 0; n < 6; n++)
            net_dense_generic_f32x4_store(Y + n * Y_s0, B0 + c[n]);
    } else {
        float sums[24];
        SQ_UNROLL(6)
        for (int n = 0; n < 6; n++)
            net_dense_generic_f32x4_store(&sums[4 * n], c[n]);
        const net_dense_generic_f32x4 B0 = net_dense_generic_f32x4_load_n(B, n_o);
        for (int64_t n = 0; n < n_n; n++)
            net_dense_generic_f32x4_store_n(Y + n * Y_s0, B0 + net_dense_generic_f32x4_load(&sums[4 * n]), n_o);
    }
}

static SQ_TARGET void net_dense_generic_nest(int64_t N, int64_t I, int64_t O, const float *restrict X, const float *restrict W, const float *restrict B, float *restrict Y)
{
    const int64_t X_s0 = I, W_s0 = O, Y_s0 = O;
    if (N >= 1 && O >= 1) {
        /* S0 */
        for (int64_t n = 0; n < N; n += 6) {
            const int64_t n_n = net_dense_generic_min(6, N - n);
            int64_t o = 0;
            if (n_n == 6 && O >= 8) {
                for (; o < O; o += 8) {
                    const int64_t begin_o = net_dense_generic_min(o, O - 8);
                    net_dense_generic_tile_n6_o8(X + n * X_s0, W + begin_o, B + begin_o, Y + n * Y_s0 + begin_o, X_s0, W_s0, Y_s0, I, 6, 8, 0, 1);
                }
            } else if (O >= 8) {
                for (; o < O; o += 8) {
                    const int64_t begin_o = net_dense_generic_min(o, O - 8);
                    net_dense_generic_tile_n6_o8(X + n * X_s0, W + begin_o, B + begin_o, Y + n * Y_s0 + begin_o, X_s0, W_s0, Y_s0, I, n_n, 8, 0, 0);
                }
            } else if (O >= 4) {
                for (; o < O; o += 4) {
                    const int64_t begin_o = net_dense_generic_min(o, O - 4);
                    net_dense_generic_tile_n6_o4(X + n * X_s0, W + begin_o, B + begin_o, Y + n * Y_s0 + begin_o, X_s0, W_s0, Y_s0, I, n_n, 0);
                }
            } else {
                net_dense_generic_tile_n6_o4_part(X + n * X_s0, W + o, B + o, Y + n * Y_s0 + o, X_s0, W_s0, Y_s0, I, n_n, O - o, 1, 0);
            }
        }
    }
}

/* Are the sizes what the nests were made for. */
static int net_dense_generic_fits(int64_t N, int64_t I, int64_t O) { return N >= 0 && I >= 0 && O >= 0; }

static size_t net_dense_generic_workspace(int N, int I, int O)
{
    (void)N, (void)I, (void)O;
    return 0;
}

static int net_dense_generic_in(int N, int I, int O, const float *X, const float *W, const float *B, float *Y, void *workspace)
{
    (void)workspace;
    if (!net_dense_generic_fits(N, I, O))
        return 1;
    net_dense_generic_nest(N, I, O, X, W, B, Y);
    return 0;
}

static void net_dense_generic(int N, int I, int O, const float *X, const float *W, const float *B, float *Y)
{
    if (!net_dense_generic_fits(N, I, O))
        return;
    net_dense_generic_nest(N, I, O, X, W, B, Y);
}
#include <stdint.h>
#include <string.h>
#include "nets.h"

#ifdef __cplusplus
#error "compile this file as C; C++ includes its header"
#endif

/* Functions work on this instruction set whatever flags the file is compiled with. */
#undef SQ_TARGET
#define SQ_TARGET
#undef SQ_INLINE
#define SQ_INLINE static inline __attribute__((always_inline, unused)) SQ_TARGET

/* No value of the code around stays in a vector register: gcc would keep sums in memory instead. */
#undef SQ_REGISTERS_16
#if defined(__clang__)
#define SQ_REGISTERS_16 (void)0
#elif defined(__x86_64__)
#define SQ_REGISTERS_16 __asm__ volatile("" ::: "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15")
#elif defined(__aarch64__)
#define SQ_REGISTERS_16 __asm__ volatile("" ::: "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31")
#else
#define SQ_REGISTERS_16 (void)0
#endif
/* Unrolls the next loop, of n iterations, wholly. */
#define SQ_PRAGMA(x) _Pragma(#x)
#if defined(__clang__)
#define SQ_UNROLL(n) SQ_PRAGMA(clang loop unroll(full))
#else
#define SQ_UNROLL(n) SQ_PRAGMA(GCC unroll n)
#endif
SQ_INLINE int64_t net_weights_back_generic_min(int64_t a, int64_t b) { return a < b ? a : b; }

typedef float net_weights_back_generic_f32x4 __attribute__((vector_size(16)));
typedef float net_weights_back_generic_f32x4_u __attribute__((vector_size(16), aligned(4), may_alias));
SQ_INLINE net_weights_back_generic_f32x4 net_weights_back_generic_f32x4_load(const float *p) { return *(const net_weights_back_generic_f32x4_u *)p; }
SQ_INLINE void net_weights_back_generic_f32x4_store(float *p, net_weights_back_generic_f32x4 v) { *(net_weights_back_generic_f32x4_u *)p = v; }
SQ_INLINE net_weights_back_generic_f32x4 net_weights_back_generic_f32x4_all(float x) { return (net_weights_back_generic_f32x4){x, x, x, x}; }
SQ_INLINE net_weights_back_generic_f32x4 net_weights_back_generic_f32x4_fma(net_weights_back_generic_f32x4 a, net_weights_back_generic_f32x4 b, net_weights_back_generic_f32x4 c) { return a * b + c; }
SQ_INLINE net_weights_back_generic_f32x4 net_weights_back_generic_f32x4_load_n(const float *p, int64_t n)
{
    net_weights_back_generic_f32x4 r = {0};
    float *to = (float *)&r;
    if (n >= 4) r = *(const net_weights_back_generic_f32x4_u *)p;
    if (n <= 0 || n >= 4) return r;
    if (n & 2) memcpy(to, p, 8);
    if (n & 1) memcpy(to + (n & 2), p + (n & 2), 4);
    return r;
}
SQ_INLINE void net_weights_back_generic_f32x4_store_n(float *p, net_weights_back_generic_f32x4 v, int64_t n)
{
    const float *from = (const float *)&v;
    if (n >= 4) *(net_weights_back_generic_f32x4_u *)p = v;
    if (n <= 0 || n >= 4) return;
    if (n & 2) memcpy(p, from, 8);
    if (n & 1) memcpy(p + (n & 2), from + (n & 2), 4);
}
SQ_INLINE net_weights_back_generic_f32x4 net_weights_back_generic_f32x4_load_part(const float *p, int64_t n, int part) { return part ? net_weights_back_generic_f32x4_load_n(p, n) : (net_weights_back_generic_f32x4)*(const net_weights_back_generic_f32x4_u *)p; }

/* Register tile: 6 i x 8 o, one n after the other. */
SQ_INLINE void net_weights_back_generic_tile_i6_o8(const float *restrict X, const float *restrict D, float *restrict G, int64_t X_s0, int64_t D_s0, int64_t G_s0, int64_t n_n)
{
    SQ_REGISTERS_16;
    net_weights_back_generic_f32x4 c[6][2] = {{{0}}};
    for (int64_t left = n_n; left > 0; left--) {
        net_weights_back_generic_f32x4 D1[2];
        SQ_UNROLL(6)
        for (int i = 0; i < 6; i++) {
            const net_weights_back_generic_f32x4 X0 = net_weights_back_generic_f32x4_all(X[i]);
            SQ_UNROLL(2)
            for (int v = 0; v < 2; v++) {
                if (i == 0) D1[v] = net_weights_back_generic_f32x4_load(D + 4 * v);
                c[i][v] = net_weights_back_generic_f32x4_fma(X0, D1[v], c[i][v]);
            }
        }
        X += X_s0;
        D += D_s0;
    }
    SQ_UNROLL(6)
    for (int i = 0; i < 6; i++)
        SQ_UNROLL(2)
        for (int v = 0; v < 2; v++)
            net_weights_back_generic_f32x4_store(G + 4 * v + i * G_s0, net_weights_back_generic_f32x4_load(G + 4 * v + i * G_s0) + c[i][v]);
}

/* Register tile: up to 6 i x 4 o, one n after the other. */
SQ_INLINE void net_weights_back_generic_tile_i6_o4(const float *restrict X, const float *restrict D, float *restrict G, int64_t X_s0, int64_t D_s0, int64_t G_s0, int64_t n_n, int64_t n_i, int whole)
{
    SQ_REGISTERS_16;
    net_weights_back_generic_f32x4 c[6] = {{0}};
    for (int64_t left = n_n; left > 0; left--) {
        const net_weights_back_generic_f32x4 D1 = net_weights_back_generic_f32x4_load(D);
        SQ_UNROLL(6)
        for (int i = 0; i < 6; i++)
            c[i] = net_weights_back_generic_f32x4_fma(net_weights_back_generic_f32x4_all(X[net_weights_back_generic_min(i, n_i - 1)]), D1, c[i]);
        X += X_s0;
        D += D_s0;
    }
    if (whole) {
        SQ_UNROLL(6)
        for (int i = 0; i < 6; i++)
            net_weights_back_generic_f32x4_store(G + i * G_s0, net_weights_back_generic_f32x4_load(G + i * G_s0) + c[i]);
    } else {
        float sums[24];
        SQ_UNROLL(6)
        for (int i = 0; i < 6; i++)
            net_weights_back_generic_f32x4_store(&sums[4 * i], c[i]);
        for (int64_t i = 0; i < n_i; i++)
            net_weights_back_generic_f32x4_store(G + i * G_s0, net_weights_back_generic_f32x4_load(G + i * G_s0) + net_weights_back_generic_f32x4_load(&sums[4 * i]));
    }
}

/* Register tile: up to 6 i x up to 4 o, one n after the other. */
SQ_INLINE void net_weights_back_generic_tile_i6_o4_part(const float *restrict X, const float *restrict D, float *restrict G, int64_t X_s0, int64_t D_s0, int64_t G_s0, int64_t n_n, int64_t n_i, int64_t n_o, int part, int whole)
{
    SQ_REGISTERS_16;
    net_weights_back_generic_f32x4 c[6] = {{0}};
    for (int64_t left = n_n; left > 0; left--) {
        const net_weights_back_generic_f32x4 D1 = net_weights_back_generic_f32x4_load_part(D, n_o, part);
        SQ_UNROLL(6)
        for (int i = 0; i < 6; i++)
            c[i] = net_weights_back_generic_f32x4_fma(net_weights_back_generic_f32x4_all(X[net_weights_back_generic_min(i, n_i - 1)]), D1, c[i]);
        X += X_s0;
        D += D_s0;
    }
    if (whole) {
        SQ_UNROLL(6)
        for (int i = 0; i < 6; i++)
            net_weights_back_generic_f32x4_store(G + i * G_s0, net_weights_back_generic_f32x4_load(G + i * G_s0) + c[i]);
    } else {
        float sums[24];
        SQ_UNROLL(6)
        for (int i = 0; i < 6; i++)
            net_weights_back_generic_f32x4_store(&sums[4 * i], c[i]);
        for (int64_t i = 0; i < n_i; i++)
            net_weights_back_generic_f32x4_store_n(G + i * G_s0, net_weights_back_generic_f32x4_load_n(G + i * G_s0, n_o) + net_weights_back_generic_f32x4_load(&sums[4 * i]), n_o);
    }
}

#if defined(__GNUC__) && __GNUC__ >= 8 && !defined(__clang__)
__attribute__((noipa)) /* gcc 12 would lose what it writes */
#endif
static SQ_TARGET void net_weights_back_generic_nest(int64_t N, int64_t I, int64_t O, const float *restrict X, const float *restrict D, float *restrict G)
{
    const int64_t X_s0 = I, D_s0 = O, G_s0 = O;
    if (I >= 1 && O >= 1) {
        /* S0 */
        for (int64_t o = 0; o < O; o += 8)
            for (int64_t i = 0; i < I; i += 6) {
                const int64_t n_i = net_weights_back_generic_min(6, I - i), n_o = net_weights_back_generic_min(8, O - o);
                if (n_i == 6 && n_o == 8) {
                    net_weights_back_generic_tile_i6_o8(X + i, D + o, G + i * G_s0 + o, X_s0, D_s0, G_s0, N);
                } else {
                    for (int64_t next_o = o; next_o < o + n_o; next_o += 4) {
                        const int64_t left_o = net_weights_back_generic_min(4, o + n_o - next_o);
                        if (left_o == 4)
                            net_weights_back_generic_tile_i6_o4(X + i, D + next_o, G + i * G_s0 + next_o, X_s0, D_s0, G_s0, N, n_i, 0);
                        else
                            net_weights_back_generic_tile_i6_o4_part(X + i, D + next_o, G + i * G_s0 + next_o, X_s0, D_s0, G_s0, N, n_i, left_o, 1, 0);
                    }
                }
            }
    }
}

/* Are the sizes what the nests were made for. */
static int net_weights_back_generic_fits(int64_t N, int64_t I, int64_t O) { return N >= 0 && I >= 0 && O >= 0; }

static size_t net_weights_back_generic_workspace(int N, int I, int O)
{
    (void)N, (void)I, (void)O;
    return 0;
}

static int net_weights_back_generic_in(int N, int I, int O, const float *X, const float *D, float *G, void *workspace)
{
    (void)workspace;
    if (!net_weights_back_generic_fits(N, I, O))
        return 1;
    net_weights_back_generic_nest(N, I, O, X, D, G);
    return 0;
}

static void net_weights_back_generic(int N, int I, int O, const float *X, const float *D, float *G)
{
    if (!net_weights_back_generic_fits(N, I, O))
        return;
    net_weights_back_generic_nest(N, I, O, X, D, G);
}
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "nets.h"

#ifdef __cplusplus
#error "compile this file as C; C++ includes its header"
#endif

/* Functions work on this instruction set whatever flags the file is compiled with. */
#undef SQ_TARGET
#define SQ_TARGET
#undef SQ_INLINE
#define SQ_INLINE static inline __attribute__((always_inline, unused)) SQ_TARGET

/* A function of its own for gcc: inlined, its sums would be in memory. */
#undef SQ_OUTLINE
#if defined(__clang__)
#define SQ_OUTLINE SQ_INLINE
#else
#define SQ_OUTLINE static __attribute__((noinline)) SQ_TARGET
#endif
/* Unrolls the next loop, of n iterations, wholly. */
#define SQ_PRAGMA(x) _Pragma(#x)
#if defined(__clang__)
#define SQ_UNROLL(n) SQ_PRAGMA(clang loop unroll(full))
#else
#define SQ_UNROLL(n) SQ_PRAGMA(GCC unroll n)
#endif
/* Lanes of a, and of b behind them, by number; e: an integer as wide as an element. */
#if defined(__clang__)
#define SQ_SHUFFLE(e, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SQ_SHUFFLE(e, a, b, ...) __builtin_shuffle(a, b, (e __attribute__((vector_size(sizeof(a))))){__VA_ARGS__})
#endif
SQ_INLINE int64_t net_inputs_back_generic_min(int64_t a, int64_t b) { return a < b ? a : b; }
SQ_INLINE int64_t net_inputs_back_generic_max(int64_t a, int64_t b) { return a > b ? a : b; }

typedef float net_inputs_back_generic_f32x4 __attribute__((vector_size(16)));
typedef float net_inputs_back_generic_f32x4_u __attribute__((vector_size(16), aligned(4), may_alias));
SQ_INLINE net_inputs_back_generic_f32x4 net_inputs_back_generic_f32x4_load(const float *p) { return *(const net_inputs_back_generic_f32x4_u *)p; }
SQ_INLINE void net_inputs_back_generic_f32x4_store(float *p, net_inputs_back_generic_f32x4 v) { *(net_inputs_back_generic_f32x4_u *)p = v; }
SQ_INLINE net_inputs_back_generic_f32x4 net_inputs_back_generic_f32x4_all(float x) { return (net_inputs_back_generic_f32x4){x, x, x, x}; }
SQ_INLINE net_inputs_back_generic_f32x4 net_inputs_back_generic_f32x4_fma(net_inputs_back_generic_f32x4 a, net_inputs_back_generic_f32x4 b, net_inputs_back_generic_f32x4 c) { return a * b + c; }
SQ_INLINE net_inputs_back_generic_f32x4 net_inputs_back_generic_f32x4_load_n(const float *p, int64_t n)
{
    net_inputs_back_generic_f32x4 r = {0};
    float *to = (float *)&r;
    if (n >= 4) r = *(const net_inputs_back_generic_f32x4_u *)p;
    if (n <= 0 || n >= 4) return r;
    if (n & 2) memcpy(to, p, 8);
    if (n & 1) memcpy(to + (n & 2), p + (n & 2), 4);
    return r;
}
SQ_INLINE void net_inputs_back_generic_f32x4_store_n(float *p, net_inputs_back_generic_f32x4 v, int64_t n)
{
    const float *from = (const float *)&v;
    if (n >= 4) *(net_inputs_back_generic_f32x4_u *)p = v;
    if (n <= 0 || n >= 4) return;
    if (n & 2) memcpy(p, from, 8);
    if (n & 1) memcpy(p + (n & 2), from + (n & 2), 4);
}
SQ_INLINE net_inputs_back_generic_f32x4 net_inputs_back_generic_f32x4_zip_first(net_inputs_back_generic_f32x4 a, net_inputs_back_generic_f32x4 b) { return SQ_SHUFFLE(int32_t, a, b, 0, 4, 1, 5); }
SQ_INLINE net_inputs_back_generic_f32x4 net_inputs_back_generic_f32x4_zip_second(net_inputs_back_generic_f32x4 a, net_inputs_back_generic_f32x4 b) { return SQ_SHUFFLE(int32_t, a, b, 2, 6, 3, 7); }
SQ_INLINE void net_inputs_back_generic_f32x4_transpose(net_inputs_back_generic_f32x4 *x)
{
    net_inputs_back_generic_f32x4 y[4];
    SQ_UNROLL(2)
    for (int i = 0; i < 2; i++) {
        y[2 * i] = net_inputs_back_generic_f32x4_zip_first(x[i], x[i + 2]);
        y[2 * i + 1] = net_inputs_back_generic_f32x4_zip_second(x[i], x[i + 2]);
    }
    SQ_UNROLL(2)
    for (int i = 0; i < 2; i++) {
        x[2 * i] = net_inputs_back_generic_f32x4_zip_first(y[i], y[i + 2]);
        x[2 * i + 1] = net_inputs_back_generic_f32x4_zip_second(y[i], y[i + 2]);
    }
}
/* Copies rows of n elements, with stride `between`, to columns with stride `step`. */
static SQ_TARGET __attribute__((noinline, unused)) void net_inputs_back_generic_f32x4_turn(float *to, int64_t step, const float *from, int64_t between, int64_t rows, int64_t n)
{
    for (int64_t r = 0; r + 4 <= rows; r += 4) {
        for (int64_t i = 0; i + 4 <= n; i += 4) {
            net_inputs_back_generic_f32x4 x[4];
            SQ_UNROLL(4)
            for (int l = 0; l < 4; l++)
                x[l] = *(const net_inputs_back_generic_f32x4_u *)(from + (r + l) * between + i);
            net_inputs_back_generic_f32x4_transpose(x);
            SQ_UNROLL(4)
            for (int l = 0; l < 4; l++)
                *(net_inputs_back_generic_f32x4_u *)(to + (i + l) * step + r) = x[l];
        }
        for (int64_t i = n / 4 * 4; i < n; i++)
            for (int64_t x = r; x < r + 4; x++)
                to[i * step + x] = from[x * between + i];
    }
    for (int64_t r = rows / 4 * 4; r < rows; r++)
        for (int64_t i = 0; i < n; i++)
            to[i * step + r] = from[r * between + i];
}

/* Register tile: up to 6 n x up to 8 i, one o after the other. */
SQ_OUTLINE void net_inputs_back_generic_tile_n6_i8(const float *restrict D, const float *restrict W_pack, float *restrict G, int64_t D_s0, int64_t G_s0, int64_t n_o, int64_t n_n, int64_t n_i, int whole, int first)
{
    net_inputs_back_generic_f32x4 c[6][2] = {{{0}}};
    for (int64_t left = n_o; left > 0; left--) {
        net_inputs_back_generic_f32x4 W1[2];
        SQ_UNROLL(6)
        for (int n = 0; n < 6; n++) {
            const net_inputs_back_generic_f32x4 D0 = net_inputs_back_generic_f32x4_all(D[net_inputs_back_generic_min(n, n_n - 1) * D_s0]);
            SQ_UNROLL(2)
            for (int v = 0; v < 2; v++) {
                if (n == 0) W1[v] = net_inputs_back_generic_f32x4_load(W_pack + 4 * v);
                c[n][v] = net_inputs_back_generic_f32x4_fma(D0, W1[v], c[n][v]);
            }
        }
        D += 1;
        W_pack += 8;
    }
    if (whole) {
        if (first) {
            SQ_UNROLL(6)
            for (int n = 0; n < 6; n++)
                SQ_UNROLL(2)
                for (int v = 0; v < 2; v++)
                    net_inputs_back_generic_f32x4_store(G + n * G_s0 + 4 * v, net_inputs_back_generic_f32x4_load(G + n * G_s0 + 4 * v) + c[n][v]);
        } else {
            SQ_UNROLL(6)
            for (int n = 0; n < 6; n++)
                SQ_UNROLL(2)
                for (int v = 0; v < 2; v++)
                    net_inputs_back_generic_f32x4_store(G + n * G_s0 + 4 * v, net_inputs_back_generic_f32x4_load(G + n * G_s0 + 4 * v) + c[n][v]);
        }
    } else {
        float sums[48];
        SQ_UNROLL(6)
        for (int n = 0; n < 6; n++) {
            net_inputs_back_generic_f32x4_store(&sums[8 * n], c[n][0]);
            net_inputs_back_generic_f32x4_store(&sums[8 * n + 4], c[n][1]);
        }
        if (first) {
            for (int64_t n = 0; n < n_n; n++)
                for (int64_t v = 0; v < (n_i + 3) / 4; v++)
                    net_inputs_back_generic_f32x4_store_n(G + n * G_s0 + 4 * v, net_inputs_back_generic_f32x4_load_n(G + n * G_s0 + 4 * v, n_i - 4 * v) + net_inputs_back_generic_f32x4_load(&sums[4 * v + 8 * n]), n_i - 4 * v);
        } else {
            for (int64_t n = 0; n < n_n; n++)
                for (int64_t v = 0; v < (n_i + 3) / 4; v++)
                    net_inputs_back_generic_f32x4_store_n(G + n * G_s0 + 4 * v, net_inputs_back_generic_f32x4_load_n(G + n * G_s0 + 4 * v, n_i - 4 * v) + net_inputs_back_generic_f32x4_load(&sums[4 * v + 8 * n]), n_i - 4 * v);
        }
    }
}

/* The first place in a workspace where a line of the cache begins. */
static char *net_inputs_back_generic_start(void *memory) { return (char *)memory + (-(uintptr_t)memory & 63); }

#if defined(__GNUC__) && __GNUC__ >= 8 && !defined(__clang__)
__attribute__((noipa)) /* gcc 12 would lose what it writes */
#endif
static SQ_TARGET void net_inputs_back_generic_nest(int64_t N, int64_t I, int64_t O, const float *restrict D, const float *restrict W, float *restrict G, char *space)
{
    const int64_t D_s0 = O, W_s0 = O, G_s0 = I;
    float *W_pack = (float *)(void *)(space + 0);
    if (N >= 1 && I >= 1) {
        /* S0 */
        for (int64_t i0 = 0; i0 < I; i0 += 128)
            for (int64_t o0 = 0; o0 < net_inputs_back_generic_max(O, 1); o0 += 256) {
                { /* Pack W in panels of 8. */
                    const int64_t len0 = net_inputs_back_generic_min(I, i0 + 128) - i0, len1 = net_inputs_back_generic_min(O, o0 + 256) - o0;
                    for (int64_t q0 = 0; q0 < (len0 + 7) / 8; q0++)
                        net_inputs_back_generic_f32x4_turn(W_pack + 2048 * q0, 8, W + (i0 + 8 * q0) * W_s0 + o0, W_s0, net_inputs_back_generic_min(8, len0 - 8 * q0), len1);
                }
                for (int64_t n0 = 0; n0 < N; n0 += 48)
                    for (int64_t i = i0; i < net_inputs_back_generic_min(I, i0 + 128); i += 8)
                        for (int64_t n = n0; n < net_inputs_back_generic_min(N, n0 + 48); n += 6) {
                            const int64_t n_n = net_inputs_back_generic_min(6, net_inputs_back_generic_min(N, n0 + 48) - n), n_i = net_inputs_back_generic_min(8, net_inputs_back_generic_min(I, i0 + 128) - i);
                            net_inputs_back_generic_tile_n6_i8(D + n * D_s0 + o0, W_pack + 2048 * ((i - i0) / 8), G + n * G_s0 + i, D_s0, G_s0, net_inputs_back_generic_min(O, o0 + 256) - o0, n_n, n_i, n_n == 6 && n_i == 8, o0 == 0);
                        }
            }
    }
}

/* Are the sizes what the nests were made for. */
static int net_inputs_back_generic_fits(int64_t N, int64_t I, int64_t O) { return N >= 0 && I >= 0 && O >= 0; }

static size_t net_inputs_back_generic_workspace(int N, int I, int O) { return net_inputs_back_generic_fits(N, I, O) ? 131392 : 0; }

static int net_inputs_back_generic_in(int N, int I, int O, const float *D, const float *W, float *G, void *workspace)
{
    if (!workspace || !net_inputs_back_generic_fits(N, I, O))
        return 1;
    net_inputs_back_generic_nest(N, I, O, D, W, G, net_inputs_back_generic_start(workspace));
    return 0;
}

/* Blocks of memory that calls leave to those after them. Each belongs to one place here or to one call. */
static struct net_inputs_back_generic_block { size_t bytes; char memory[]; } *net_inputs_back_generic_kept[16];

/* A block of at least that many bytes. */
static struct net_inputs_back_generic_block *net_inputs_back_generic_take(size_t bytes)
{
    struct net_inputs_back_generic_block *b = NULL;
    for (int i = 0; i < 16 && !b; i++)
        if (__atomic_load_n(&net_inputs_back_generic_kept[i], __ATOMIC_RELAXED))
            b = __atomic_exchange_n(&net_inputs_back_generic_kept[i], NULL, __ATOMIC_ACQUIRE);
    if (b && b->bytes >= bytes)
        return b;
    free(b);
    if (!(b = calloc(1, sizeof *b + bytes)))
        perror("net_inputs_back_generic"), abort();
    b->bytes = bytes;
    return b;
}

static void net_inputs_back_generic_give(struct net_inputs_back_generic_block *b)
{
    for (int i = 0; i < 16 && b && b->bytes <= 16777216; i++) /* larger ones are not kept */
        b = __atomic_exchange_n(&net_inputs_back_generic_kept[i], b, __ATOMIC_ACQ_REL);
    free(b);
}

/* When the program ends, or the library is unloaded. */
__attribute__((destructor)) static void net_inputs_back_generic_drop(void)
{
    for (int i = 0; i < 16; i++)
        free(__atomic_exchange_n(&net_inputs_back_generic_kept[i], NULL, __ATOMIC_ACQUIRE));
}

static void net_inputs_back_generic(int N, int I, int O, const float *D, const float *W, float *G)
{
    if (!net_inputs_back_generic_fits(N, I, O))
        return;
    struct net_inputs_back_generic_block *const block = net_inputs_back_generic_take(131392);
    net_inputs_back_generic_nest(N, I, O, D, W, G, net_inputs_back_generic_start(block->memory));
    net_inputs_back_generic_give(block);
}
#include <stdint.h>
#include <string.h>
#include "nets.h"

#ifdef __cplusplus
#error "compile this file as C; C++ includes its header"
#endif

/* Functions work on this instruction set whatever flags the file is compiled with. */
#undef SQ_TARGET
#define SQ_TARGET
#undef SQ_INLINE
#define SQ_INLINE static inline __attribute__((always_inline, unused)) SQ_TARGET

/* Unrolls the next loop, of n iterations, wholly. */
#define SQ_PRAGMA(x) _Pragma(#x)
#if defined(__clang__)
#define SQ_UNROLL(n) SQ_PRAGMA(clang loop unroll(full))
#else
#define SQ_UNROLL(n) SQ_PRAGMA(GCC unroll n)
#endif
SQ_INLINE int64_t net_adam_generic_min(int64_t a, int64_t b) { return a < b ? a : b; }

typedef float net_adam_generic_f32x4 __attribute__((vector_size(16)));
typedef float net_adam_generic_f32x4_u __attribute__((vector_size(16), aligned(4), may_alias));
SQ_INLINE net_adam_generic_f32x4 net_adam_generic_f32x4_load(const float *p) { return *(const net_adam_generic_f32x4_u *)p; }
SQ_INLINE void net_adam_generic_f32x4_store(float *p, net_adam_generic_f32x4 v) { *(net_adam_generic_f32x4_u *)p = v; }
SQ_INLINE net_adam_generic_f32x4 net_adam_generic_f32x4_all(float x) { return (net_adam_generic_f32x4){x, x, x, x}; }
SQ_INLINE net_adam_generic_f32x4 net_adam_generic_f32x4_fma(net_adam_generic_f32x4 a, net_adam_generic_f32x4 b, net_adam_generic_f32x4 c) { return a * b + c; }
SQ_INLINE net_adam_generic_f32x4 net_adam_generic_f32x4_load_n(const float *p, int64_t n)
{
    net_adam_generic_f32x4 r = {0};
    float *to = (float *)&r;
    if (n >= 4) r = *(const net_adam_generic_f32x4_u *)p;
    if (n <= 0 || n >= 4) return r;
    if (n & 2) memcpy(to, p, 8);
    if (n & 1) memcpy(to + (n & 2), p + (n & 2), 4);
    return r;
}
SQ_INLINE net_adam_generic_f32x4 net_adam_generic_f32x4_load_part(const float *p, int64_t n, int part) { return part ? net_adam_generic_f32x4_load_n(p, n) : (net_adam_generic_f32x4)*(const net_adam_generic_f32x4_u *)p; }
SQ_INLINE void net_adam_generic_f32x4_store_parts(float *p, net_adam_generic_f32x4 v, int64_t n)
{
    const float *from = (const float *)&v;
    if (n >= 4) *(net_adam_generic_f32x4_u *)p = v;
    if (n <= 0 || n >= 4) return;
    if (n & 2) memcpy(p, from, 8);
    if (n & 1) memcpy(p + (n & 2), from + (n & 2), 4);
}
SQ_INLINE net_adam_generic_f32x4 net_adam_generic_f32x4_sqrt(net_adam_generic_f32x4 a)
{
    for (int l = 0; l < 4; l++)
        a[l] = __builtin_sqrtf(a[l]);
    return a;
}

/* Register tile: 8 n. */
SQ_INLINE void net_adam_generic_points_n8(const float *restrict G, float *restrict V, float *restrict M, float *restrict S, float scale, float fades, float step, float whole)
{
    const net_adam_generic_f32x4 scale0 = net_adam_generic_f32x4_all(scale), fades3 = net_adam_generic_f32x4_all(fades), k7 = net_adam_generic_f32x4_all(0.899999976f);
    const net_adam_generic_f32x4 k10 = net_adam_generic_f32x4_all(0.100000001f), k13 = net_adam_generic_f32x4_all(0.999000013f), k16 = net_adam_generic_f32x4_all(0.00100000005f);
    const net_adam_generic_f32x4 step20 = net_adam_generic_f32x4_all(step), whole22 = net_adam_generic_f32x4_all(whole), k25 = net_adam_generic_f32x4_all(9.99999994e-09f);
    SQ_UNROLL(2)
    for (int v = 0; v < 2; v++) {
        const net_adam_generic_f32x4 t2 = scale0 * net_adam_generic_f32x4_load(G + 4 * v), V4 = net_adam_generic_f32x4_load(V + 4 * v), t5 = net_adam_generic_f32x4_fma(fades3, V4, t2);
        const net_adam_generic_f32x4 t11 = net_adam_generic_f32x4_fma(k10, t5, k7 * net_adam_generic_f32x4_load(M + 4 * v));
        net_adam_generic_f32x4_store(M + 4 * v, t11);
        const net_adam_generic_f32x4 t18 = net_adam_generic_f32x4_fma(k16 * t5, t5, k13 * net_adam_generic_f32x4_load(S + 4 * v));
        net_adam_generic_f32x4_store(S + 4 * v, t18);
        const net_adam_generic_f32x4 t21 = step20 * t11, t23 = t18 * whole22;
        net_adam_generic_f32x4_store(V + 4 * v, V4 - (t21 / (net_adam_generic_f32x4_sqrt(t23) + k25)));
    }
}

/* Register tile: 4 n. */
SQ_INLINE void net_adam_generic_points_n4(const float *restrict G, float *restrict V, float *restrict M, float *restrict S, float scale, float fades, float step, float whole)
{
    const net_adam_generic_f32x4 t2 = net_adam_generic_f32x4_all(scale) * net_adam_generic_f32x4_load(G), fades3 = net_adam_generic_f32x4_all(fades), V4 = net_adam_generic_f32x4_load(V);
    const net_adam_generic_f32x4 t5 = net_adam_generic_f32x4_fma(fades3, V4, t2), k7 = net_adam_generic_f32x4_all(0.899999976f);
    const net_adam_generic_f32x4 t11 = net_adam_generic_f32x4_fma(net_adam_generic_f32x4_all(0.100000001f), t5, k7 * net_adam_generic_f32x4_load(M));
    net_adam_generic_f32x4_store(M, t11);
    const net_adam_generic_f32x4 k13 = net_adam_generic_f32x4_all(0.999000013f), S14 = net_adam_generic_f32x4_load(S);
    const net_adam_generic_f32x4 t18 = net_adam_generic_f32x4_fma(net_adam_generic_f32x4_all(0.00100000005f) * t5, t5, k13 * S14);
    net_adam_generic_f32x4_store(S, t18);
    const net_adam_generic_f32x4 t21 = net_adam_generic_f32x4_all(step) * t11, t24 = net_adam_generic_f32x4_sqrt(t18 * net_adam_generic_f32x4_all(whole));
    net_adam_generic_f32x4_store(V, V4 - (t21 / (t24 + net_adam_generic_f32x4_all(9.99999994e-09f))));
}

/* Register tile: up to 4 n. */
SQ_INLINE void net_adam_generic_points_n4_part(const float *restrict G, float *restrict V, float *restrict M, float *restrict S, int64_t n_n, int part, float scale, float fades, float step, float whole)
{
    const net_adam_generic_f32x4 t2 = net_adam_generic_f32x4_all(scale) * net_adam_generic_f32x4_load_part(G, n_n, part), fades3 = net_adam_generic_f32x4_all(fades);
    const net_adam_generic_f32x4 V4 = net_adam_generic_f32x4_load_part(V, n_n, part), t5 = net_adam_generic_f32x4_fma(fades3, V4, t2), k7 = net_adam_generic_f32x4_all(0.899999976f);
    const net_adam_generic_f32x4 t11 = net_adam_generic_f32x4_fma(net_adam_generic_f32x4_all(0.100000001f), t5, k7 * net_adam_generic_f32x4_load_part(M, n_n, part));
    net_adam_generic_f32x4_store_parts(M, t11, (part ? n_n : 4));
    const net_adam_generic_f32x4 k13 = net_adam_generic_f32x4_all(0.999000013f), S14 = net_adam_generic_f32x4_load_part(S, n_n, part);
    const net_adam_generic_f32x4 t18 = net_adam_generic_f32x4_fma(net_adam_generic_f32x4_all(0.00100000005f) * t5, t5, k13 * S14);
    net_adam_generic_f32x4_store_parts(S, t18, (part ? n_n : 4));
    const net_adam_generic_f32x4 t21 = net_adam_generic_f32x4_all(step) * t11, t24 = net_adam_generic_f32x4_sqrt(t18 * net_adam_generic_f32x4_all(whole));
    net_adam_generic_f32x4_store_parts(V, V4 - (t21 / (t24 + net_adam_generic_f32x4_all(9.99999994e-09f))), (part ? n_n : 4));
}

#if defined(__GNUC__) && __GNUC__ >= 8 && !defined(__clang__)
__attribute__((noipa)) /* gcc 12 would lose what it writes */
#endif
static SQ_TARGET void net_adam_generic_nest(int64_t N, float scale, float fades, float step, float whole, const float *restrict G, float *restrict M, float *restrict S, float *restrict V)
{
    if (N >= 1) {
        { /* S0 and what is fused with it */
            int64_t n = 0;
            for (; n + 7 < N; n += 8)
                net_adam_generic_points_n8(G + n, V + n, M + n, S + n, scale, fades, step, whole);
            for (; n < N; n += 4) {
                const int64_t left_n = net_adam_generic_min(4, N - n);
                if (left_n == 4)
                    net_adam_generic_points_n4(G + n, V + n, M + n, S + n, scale, fades, step, whole);
                else
                    net_adam_generic_points_n4_part(G + n, V + n, M + n, S + n, left_n, 1, scale, fades, step, whole);
            }
        }
    }
}

/* Are the sizes what the nests were made for. */
static int net_adam_generic_fits(int64_t N) { return N >= 0; }

static size_t net_adam_generic_workspace(int N)
{
    (void)N;
    return 0;
}

static int net_adam_generic_in(int N, float scale, float fades, float step, float whole, const float *G, float *M, float *S, float *V, void *workspace)
{
    (void)workspace;
    if (!net_adam_generic_fits(N))
        return 1;
    net_adam_generic_nest(N, scale, fades, step, whole, G, M, S, V);
    return 0;
}

static void net_adam_generic(int N, float scale, float fades, float step, float whole, const float *G, float *M, float *S, float *V)
{
    if (!net_adam_generic_fits(N))
        return;
    net_adam_generic_nest(N, scale, fades, step, whole, G, M, S, V);
}

/* ==== Which target this processor has ==== */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if defined(__linux__)
#include <sys/auxv.h>
#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__)
#include <unistd.h>
#endif

#if defined(__x86_64__)
/* True if the processor has these features, given as bits of what cpuid returns, and the system save
 * those registers. Asked without the compiler's library, which not every program links. */
static int sq_net_dense_x86(unsigned leaf1, unsigned leaf7, unsigned saved)
{
    unsigned a, b, c, d, xcr0, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & leaf1) != leaf1)
        return 0;
    if (saved) {
        if (!(c & bit_OSXSAVE))
            return 0;
        __asm__ volatile("xgetbv" : "=a"(xcr0), "=d"(high) : "c"(0));
        if ((xcr0 & saved) != saved)
            return 0;
    }
    return !leaf7 || (__get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & leaf7) == leaf7);
}

static int sq_net_dense_has_avx2(void)
{
    return sq_net_dense_x86(bit_FMA | bit_F16C, bit_AVX2, 0x6);
}
#endif
static int sq_net_dense_has_generic(void)
{
    return 1;
}

/* Best first; the last one is for every processor. */
static const struct sq_net_dense_target {
    const char *name;
    int (*has)(void);
} sq_net_dense_targets[] = {
#if defined(__x86_64__)
    {"avx2", sq_net_dense_has_avx2},
#endif
    {"generic", sq_net_dense_has_generic},
};

/* Not in programs with more rights than their user has. */
static const char *sq_net_dense_wanted(void)
{
#if defined(__linux__)
    if (getauxval(AT_SECURE))
        return NULL;
#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__)
    if (issetugid())
        return NULL;
#endif
    const char *name = getenv("SQUALL_ISA");
    return name && *name ? name : NULL;
}

/* The best one that the processor has, not before the one that SQUALL_ISA names. */
static int sq_net_dense_choose(void)
{
    const int last = (int)(sizeof sq_net_dense_targets / sizeof *sq_net_dense_targets) - 1;
    const char *wanted = sq_net_dense_wanted();
    int from = 0, t;
    while (wanted && from < last && strcmp(sq_net_dense_targets[from].name, wanted) != 0)
        from++;
    if (wanted && strcmp(sq_net_dense_targets[from].name, wanted) != 0) {
        fprintf(stderr, "%s: SQUALL_ISA=%s is not used: it is none of", "net_dense", wanted);
        for (t = 0; t <= last; t++)
            fprintf(stderr, " %s", sq_net_dense_targets[t].name);
        fputc('\n', stderr);
        wanted = NULL;
        from = 0;
    }
    for (t = from; t < last && !sq_net_dense_targets[t].has();)
        t++;
    if (wanted && t != from)
        fprintf(stderr, "%s: this processor lacks %s of SQUALL_ISA: %s is used\n", "net_dense",
                wanted, sq_net_dense_targets[t].name);
    return t;
}

/* The number of the target in use, plus one; 0: no call has asked yet. The number is all that a
 * thread learns from it, and what it selects is constant: relaxed order is enough, and no call
 * waits for another. */
static int sq_net_dense_settled;

/* Concurrent calls get the same result, even if the environment changes meanwhile. */
static __attribute__((noinline, cold)) int sq_net_dense_settle(void)
{
    int mine = sq_net_dense_choose() + 1, first = 0;
    return __atomic_compare_exchange_n(&sq_net_dense_settled, &first, mine, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED) ? mine : first;
}

static int sq_net_dense_number(void)
{
    const int t = __atomic_load_n(&sq_net_dense_settled, __ATOMIC_RELAXED);
    return (t ? t : sq_net_dense_settle()) - 1;
}

/* net_dense for each target. */
static const struct sq_net_dense_row {
    void (*k)(int N, int I, int O, const float *X, const float *W, const float *B, float *Y);
    int (*k_in)(int N, int I, int O, const float *X, const float *W, const float *B, float *Y, void *workspace);
    size_t (*k_workspace)(int N, int I, int O);
} sq_net_dense_rows[] = {
#if defined(__x86_64__)
    {net_dense_avx2, net_dense_avx2_in, net_dense_avx2_workspace},
#endif
    {net_dense_generic, net_dense_generic_in, net_dense_generic_workspace},
};

void net_dense(int N, int I, int O, const float *X, const float *W, const float *B, float *Y)
{
    sq_net_dense_rows[sq_net_dense_number()].k(N, I, O, X, W, B, Y);
}

int net_dense_in(int N, int I, int O, const float *X, const float *W, const float *B, float *Y, void *workspace)
{
    return sq_net_dense_rows[sq_net_dense_number()].k_in(N, I, O, X, W, B, Y, workspace);
}

size_t net_dense_workspace(int N, int I, int O)
{
    return sq_net_dense_rows[sq_net_dense_number()].k_workspace(N, I, O);
}

const char *net_dense_isa(void)
{
    return sq_net_dense_targets[sq_net_dense_number()].name;
}

/* net_weights_back for each target. */
static const struct sq_net_weights_back_row {
    void (*k)(int N, int I, int O, const float *X, const float *D, float *G);
    int (*k_in)(int N, int I, int O, const float *X, const float *D, float *G, void *workspace);
    size_t (*k_workspace)(int N, int I, int O);
} sq_net_weights_back_rows[] = {
#if defined(__x86_64__)
    {net_weights_back_avx2, net_weights_back_avx2_in, net_weights_back_avx2_workspace},
#endif
    {net_weights_back_generic, net_weights_back_generic_in, net_weights_back_generic_workspace},
};

void net_weights_back(int N, int I, int O, const float *X, const float *D, float *G)
{
    sq_net_weights_back_rows[sq_net_dense_number()].k(N, I, O, X, D, G);
}

int net_weights_back_in(int N, int I, int O, const float *X, const float *D, float *G, void *workspace)
{
    return sq_net_weights_back_rows[sq_net_dense_number()].k_in(N, I, O, X, D, G, workspace);
}

size_t net_weights_back_workspace(int N, int I, int O)
{
    return sq_net_weights_back_rows[sq_net_dense_number()].k_workspace(N, I, O);
}

const char *net_weights_back_isa(void)
{
    return sq_net_dense_targets[sq_net_dense_number()].name;
}

/* net_inputs_back for each target. */
static const struct sq_net_inputs_back_row {
    void (*k)(int N, int I, int O, const float *D, const float *W, float *G);
    int (*k_in)(int N, int I, int O, const float *D, const float *W, float *G, void *workspace);
    size_t (*k_workspace)(int N, int I, int O);
} sq_net_inputs_back_rows[] = {
#if defined(__x86_64__)
    {net_inputs_back_avx2, net_inputs_back_avx2_in, net_inputs_back_avx2_workspace},
#endif
    {net_inputs_back_generic, net_inputs_back_generic_in, net_inputs_back_generic_workspace},
};

void net_inputs_back(int N, int I, int O, const float *D, const float *W, float *G)
{
    sq_net_inputs_back_rows[sq_net_dense_number()].k(N, I, O, D, W, G);
}

int net_inputs_back_in(int N, int I, int O, const float *D, const float *W, float *G, void *workspace)
{
    return sq_net_inputs_back_rows[sq_net_dense_number()].k_in(N, I, O, D, W, G, workspace);
}

size_t net_inputs_back_workspace(int N, int I, int O)
{
    return sq_net_inputs_back_rows[sq_net_dense_number()].k_workspace(N, I, O);
}

const char *net_inputs_back_isa(void)
{
    return sq_net_dense_targets[sq_net_dense_number()].name;
}

/* net_adam for each target. */
static const struct sq_net_adam_row {
    void (*k)(int N, float scale, float fades, float step, float whole, const float *G, float *M, float *S, float *V);
    int (*k_in)(int N, float scale, float fades, float step, float whole, const float *G, float *M, float *S, float *V, void *workspace);
    size_t (*k_workspace)(int N);
} sq_net_adam_rows[] = {
#if defined(__x86_64__)
    {net_adam_avx2, net_adam_avx2_in, net_adam_avx2_workspace},
#endif
    {net_adam_generic, net_adam_generic_in, net_adam_generic_workspace},
};

void net_adam(int N, float scale, float fades, float step, float whole, const float *G, float *M, float *S, float *V)
{
    sq_net_adam_rows[sq_net_dense_number()].k(N, scale, fades, step, whole, G, M, S, V);
}

int net_adam_in(int N, float scale, float fades, float step, float whole, const float *G, float *M, float *S, float *V, void *workspace)
{
    return sq_net_adam_rows[sq_net_dense_number()].k_in(N, scale, fades, step, whole, G, M, S, V, workspace);
}

size_t net_adam_workspace(int N)
{
    return sq_net_adam_rows[sq_net_dense_number()].k_workspace(N);
}

const char *net_adam_isa(void)
{
    return sq_net_dense_targets[sq_net_dense_number()].name;
}
