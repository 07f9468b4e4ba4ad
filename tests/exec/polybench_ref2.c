/* The thirty in plain C, second half: stencils, factorisations, triangular kernels. */
#include "tests/exec/polybench_ref.h"
#include <stdlib.h>
#include <string.h>

/* A step of the heat equation from one cube to another; 1/8 along each axis. */
static void heat_step(int n, f64 from[n][n][n], f64 to[n][n][n])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                f64 around = from[i - 1][j][k] + from[i + 1][j][k] + from[i][j - 1][k] +
                             from[i][j + 1][k] + from[i][j][k - 1] + from[i][j][k + 1];
                to[i][j][k] = 0.25 * from[i][j][k] + 0.125 * around;
            }
}

void ref_heat_3d(int steps, int n, f64 A[n][n][n], f64 B[n][n][n])
{
    for (int t = 0; t < steps; t++) {
        heat_step(n, A, B);
        heat_step(n, B, A);
    }
}

void ref_jacobi_1d(int steps, int n, f64 A[n], f64 B[n])
{
    for (int t = 0; t < 2 * steps; t++) {
        const f64 *from = t % 2 ? B : A;
        f64 *to = t % 2 ? A : B;
        for (int i = 1; i < n - 1; i++)
            to[i] = (from[i - 1] + from[i] + from[i + 1]) / 3;
    }
}

static void jacobi_step(int n, f64 from[n][n], f64 to[n][n])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            to[i][j] =
                (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1] + from[i][j]) /
                5;
}

void ref_jacobi_2d(int steps, int n, f64 A[n][n], f64 B[n][n])
{
    for (int t = 0; t < steps; t++) {
        jacobi_step(n, A, B);
        jacobi_step(n, B, A);
    }
}

/* A = L U in place, right-looking. */
static void factor(int n, f64 A[n][n])
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            A[i][k] /= A[k][k];
            for (int j = k + 1; j < n; j++)
                A[i][j] -= A[i][k] * A[k][j];
        }
}

void ref_lu(int n, f64 A[n][n])
{
    factor(n, A);
}

void ref_ludcmp(int n, f64 A[n][n], const f64 b[n], f64 x[n])
{
    factor(n, A);
    memcpy(x, b, sizeof(f64) * (size_t)n);
    for (int j = 0; j < n; j++)
        for (int i = j + 1; i < n; i++)
            x[i] -= A[i][j] * x[j];
    for (int j = n - 1; j >= 0; j--) {
        x[j] /= A[j][j];
        for (int i = 0; i < j; i++)
            x[i] -= A[i][j] * x[j];
    }
}

void ref_mvt(int n, const f64 A[n][n], const f64 u[n], const f64 v[n], f64 x[n], f64 y[n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            x[i] += A[i][j] * u[j];
            y[j] += A[i][j] * v[i];
        }
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* By the length of the stretch. */
void ref_nussinov(int n, const int32_t letter[n], int32_t S[n][n])
{
    for (int length = 2; length <= n; length++)
        for (int i = 0; i + length <= n; i++) {
            int j = i + length - 1;
            int32_t best = larger(S[i][j], larger(S[i][j - 1], S[i + 1][j]));
            int pair = length > 2 && letter[i] + letter[j] == 3;
            best = larger(best, S[i + 1][j - 1] + pair);
            for (int k = i + 1; k < j; k++)
                best = larger(best, S[i][k] + S[k + 1][j]);
            S[i][j] = best;
        }
}

void ref_seidel_2d(int steps, int n, f64 A[n][n])
{
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                f64 s = 0;
                for (int d = 0; d < 9; d++)
                    s += A[i + d / 3 - 1][j + d % 3 - 1];
                A[i][j] = s / 9;
            }
}

void ref_symm(int m, int n, f64 alpha, f64 beta, const f64 A[m][m], const f64 B[m][n], f64 C[m][n])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            f64 s = 0;
            for (int k = 0; k < m; k++)
                s += (k <= i ? A[i][k] : A[k][i]) * B[k][j];
            C[i][j] = beta * C[i][j] + alpha * s;
        }
}

void ref_syr2k(int n, int k, f64 alpha, f64 beta, const f64 A[n][k], const f64 B[n][k], f64 C[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            f64 ab = 0, ba = 0;
            for (int p = 0; p < k; p++) {
                ab += A[i][p] * B[j][p];
                ba += B[i][p] * A[j][p];
            }
            C[i][j] = beta * C[i][j] + alpha * (ab + ba);
        }
}

void ref_syrk(int n, int k, f64 alpha, f64 beta, const f64 A[n][k], f64 C[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            f64 s = 0;
            for (int p = 0; p < k; p++)
                s += A[i][p] * A[j][p];
            C[i][j] = beta * C[i][j] + alpha * s;
        }
}

void ref_trisolv(int n, const f64 L[n][n], const f64 b[n], f64 x[n])
{
    memcpy(x, b, sizeof(f64) * (size_t)n);
    for (int j = 0; j < n; j++) {
        x[j] /= L[j][j];
        for (int i = j + 1; i < n; i++)
            x[i] -= L[i][j] * x[j];
    }
}

void ref_trmm(int m, int n, f64 alpha, const f64 A[m][m], f64 B[m][n])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            f64 s = B[i][j];
            for (int k = i + 1; k < m; k++)
                s += A[k][i] * B[k][j];
            B[i][j] = alpha * s;
        }
}
