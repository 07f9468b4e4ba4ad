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
#ifndef SQUALL_NETS_H_net_dense
#define SQUALL_NETS_H_net_dense
#define SQUALL_NETS_ABI_MAJOR 1
#define SQUALL_NETS_ABI_MINOR 0
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* net_dense
 *     Y[n][o] = B[o] + sum(X[n][i] * W[i][o], i);
 *   reads   X[N][I_], W[I_][O], B[O]
 *   writes  Y[N][O]
 * Arrays are row-major without gaps. What it writes must not overlap another array.
 * Threads may call it at the same time, each with arrays of its own to write to. */
void net_dense(int N, int I_, int O, const float *X, const float *W, const float *B, float *Y);
/* A call of net_dense takes no memory. net_dense_in is the same function for programs that give all kernels
 * a workspace, and NULL is one; it returns 1 where sizes are not accepted, else 0. */
size_t net_dense_workspace(int N, int I_, int O);
int net_dense_in(int N, int I_, int O, const float *X, const float *W, const float *B, float *Y, void *workspace);
/* The target that net_dense uses, the best that this processor has of: avx2 generic.
 * The first call of any of these functions settles it, from any thread, also before main; SQUALL_ISA=generic in
 * the environment lowers it. net_dense_workspace is for that target alone. */
const char *net_dense_isa(void);
#ifdef __cplusplus
}
#endif
#endif
#ifndef SQUALL_NETS_H_net_weights_back
#define SQUALL_NETS_H_net_weights_back
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* net_weights_back
 *     G[i][o] += sum(X[n][i] * D[n][o], n);
 *   reads   X[N][I_], D[N][O]
 *   updates G[I_][O]
 * Arrays are row-major without gaps. What it writes must not overlap another array.
 * Threads may call it at the same time, each with arrays of its own to write to. */
void net_weights_back(int N, int I_, int O, const float *X, const float *D, float *G);
/* A call of net_weights_back takes no memory. net_weights_back_in is the same function for programs that give all kernels
 * a workspace, and NULL is one; it returns 1 where sizes are not accepted, else 0. */
size_t net_weights_back_workspace(int N, int I_, int O);
int net_weights_back_in(int N, int I_, int O, const float *X, const float *D, float *G, void *workspace);
/* The target that net_weights_back uses, the best that this processor has of: avx2 generic.
 * The first call of any of these functions settles it, from any thread, also before main; SQUALL_ISA=generic in
 * the environment lowers it. net_weights_back_workspace is for that target alone. */
const char *net_weights_back_isa(void);
#ifdef __cplusplus
}
#endif
#endif
#ifndef SQUALL_NETS_H_net_inputs_back
#define SQUALL_NETS_H_net_inputs_back
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* net_inputs_back
 *     G[n][i] += sum(D[n][o] * W[i][o], o);
 *   reads   D[N][O], W[I_][O]
 *   updates G[N][I_]
 * Arrays are row-major without gaps. What it writes must not overlap another array.
 * Threads may call it at the same time, each with arrays of its own to write to. */
void net_inputs_back(int N, int I_, int O, const float *D, const float *W, float *G);
/* A call works in net_inputs_back_workspace bytes of memory. net_inputs_back takes it from malloc and keeps it
 * for later calls: a block for each of up to 16 calls at once, none above 16 MiB; larger ones it frees.
 * Where there is none it ends the program with a message.
 * net_inputs_back_in works in the caller's: net_inputs_back_workspace bytes, aligned or not, of any contents.
 * It takes none, so signal handlers may call it, and returns 0;
 * or 1, and changes nothing, where sizes are not accepted or workspace is NULL. */
size_t net_inputs_back_workspace(int N, int I_, int O);
int net_inputs_back_in(int N, int I_, int O, const float *D, const float *W, float *G, void *workspace);
/* The target that net_inputs_back uses, the best that this processor has of: avx2 generic.
 * The first call of any of these functions settles it, from any thread, also before main; SQUALL_ISA=generic in
 * the environment lowers it. net_inputs_back_workspace is for that target alone. */
const char *net_inputs_back_isa(void);
#ifdef __cplusplus
}
#endif
#endif
#ifndef SQUALL_NETS_H_net_adam
#define SQUALL_NETS_H_net_adam
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* net_adam
 *     f32 g[N];
 *     g[n] = scale * G[n] + fades * V[n];
 *     M[n] = 0.9f * M[n] + 0.1f * g[n];
 *     S[n] = 0.999f * S[n] + 0.001f * g[n] * g[n];
 *     V[n] = V[n] - step * M[n] / (sqrtf(S[n] * whole) + 1e-8f);
 *   reads   G[N]
 *   updates M[N], S[N], V[N]
 * Arrays are row-major without gaps. What it writes must not overlap another array.
 * Threads may call it at the same time, each with arrays of its own to write to. */
void net_adam(int N, float scale, float fades, float step, float whole, const float *G, float *M, float *S, float *V);
/* A call of net_adam takes no memory. net_adam_in is the same function for programs that give all kernels
 * a workspace, and NULL is one; it returns 1 where sizes are not accepted, else 0. */
size_t net_adam_workspace(int N);
int net_adam_in(int N, float scale, float fades, float step, float whole, const float *G, float *M, float *S, float *V, void *workspace);
/* The target that net_adam uses, the best that this processor has of: avx2 generic.
 * The first call of any of these functions settles it, from any thread, also before main; SQUALL_ISA=generic in
 * the environment lowers it. net_adam_workspace is for that target alone. */
const char *net_adam_isa(void);
#ifdef __cplusplus
}
#endif
#endif
