/* The thirty PolyBench kernels in plain C, written apart from samples/polybench/: what the samples
 * are compared with. Same parameters in the same order. Linked into the programs that batch.c
 * builds. */
#ifndef SQ_TESTS_EXEC_POLYBENCH_REF_H
#define SQ_TESTS_EXEC_POLYBENCH_REF_H
#include <stdint.h>

typedef double f64;
typedef float f32;

void ref_two_mm(int m, int n, int k, int l, f64 alpha, f64 beta, const f64 A[m][k],
                const f64 B[k][n], const f64 C[n][l], f64 D[m][l]);
void ref_three_mm(int m, int n, int k, int l, int p, const f64 A[m][k], const f64 B[k][n],
                  const f64 C[n][p], const f64 D[p][l], f64 G[m][l]);
void ref_adi(int steps, int n, f64 U[n][n]);
void ref_atax(int m, int n, const f64 A[m][n], const f64 x[n], f64 y[n]);
void ref_bicg(int m, int n, const f64 A[m][n], const f64 p[n], const f64 r[m], f64 q[m], f64 s[n]);
void ref_cholesky(int n, f64 A[n][n]);
void ref_correlation(int n, int m, const f64 X[n][m], f64 C[m][m]);
void ref_covariance(int n, int m, const f64 X[n][m], f64 C[m][m]);
void ref_deriche(int w, int h, f32 alpha, const f32 X[w][h], f32 Y[w][h]);
void ref_doitgen(int r, int q, int p, f64 A[r][q][p], const f64 C[p][p]);
void ref_durbin(int n, const f64 r[n], f64 y[n]);
void ref_fdtd_2d(int steps, int m, int n, const f64 F[steps], f64 Ex[m][n], f64 Ey[m][n],
                 f64 Hz[m][n]);
void ref_floyd_warshall(int n, int32_t D[n][n]);
void ref_gemm(int m, int n, int k, f64 alpha, f64 beta, const f64 A[m][k], const f64 B[k][n],
              f64 C[m][n]);
void ref_gemver(int n, f64 alpha, f64 beta, f64 A[n][n], const f64 u[n], const f64 v[n],
                const f64 p[n], const f64 q[n], const f64 y[n], const f64 z[n], f64 x[n], f64 w[n]);
void ref_gesummv(int n, f64 alpha, f64 beta, const f64 A[n][n], const f64 B[n][n], const f64 x[n],
                 f64 y[n]);
void ref_gramschmidt(int m, int n, f64 A[m][n], f64 R[n][n], f64 Q[m][n]);
void ref_heat_3d(int steps, int n, f64 A[n][n][n], f64 B[n][n][n]);
void ref_jacobi_1d(int steps, int n, f64 A[n], f64 B[n]);
void ref_jacobi_2d(int steps, int n, f64 A[n][n], f64 B[n][n]);
void ref_lu(int n, f64 A[n][n]);
void ref_ludcmp(int n, f64 A[n][n], const f64 b[n], f64 x[n]);
void ref_mvt(int n, const f64 A[n][n], const f64 u[n], const f64 v[n], f64 x[n], f64 y[n]);
void ref_nussinov(int n, const int32_t letter[n], int32_t S[n][n]);
void ref_seidel_2d(int steps, int n, f64 A[n][n]);
void ref_symm(int m, int n, f64 alpha, f64 beta, const f64 A[m][m], const f64 B[m][n], f64 C[m][n]);
void ref_syr2k(int n, int k, f64 alpha, f64 beta, const f64 A[n][k], const f64 B[n][k],
               f64 C[n][n]);
void ref_syrk(int n, int k, f64 alpha, f64 beta, const f64 A[n][k], f64 C[n][n]);
void ref_trisolv(int n, const f64 L[n][n], const f64 b[n], f64 x[n]);
void ref_trmm(int m, int n, f64 alpha, const f64 A[m][m], f64 B[m][n]);
#endif
