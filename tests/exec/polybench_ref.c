/* The thirty in plain C. Where a computation has several textbook forms, this is another one than
 * the sample's: factorisations look to the right, the triangular solve goes by columns, Toeplitz
 * systems are solved by elimination, recursive filters are written as recurrences on subscripts. */
#include "tests/exec/polybench_ref.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *zeros(int64_t rows, int64_t columns, size_t bytes)
{
    void *p = calloc((size_t)(rows * columns) + 1, bytes);
    if (!p)
        abort();
    return p;
}

/* C += scale A B */
static void multiply(int m, int n, int k, f64 scale, const f64 A[m][k], const f64 B[k][n],
                     f64 C[m][n])
{
    for (int i = 0; i < m; i++)
        for (int p = 0; p < k; p++)
            for (int j = 0; j < n; j++)
                C[i][j] += scale * A[i][p] * B[p][j];
}

/* y += scale A x; with A transposed, y += scale A' x. */
static void apply(int m, int n, f64 scale, const f64 A[m][n], const f64 *x, f64 *y, int transposed)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            y[transposed ? j : i] += scale * A[i][j] * x[transposed ? i : j];
}

static void scale_all(int64_t n, f64 by, f64 *A)
{
    for (int64_t i = 0; i < n; i++)
        A[i] *= by;
}

void ref_two_mm(int m, int n, int k, int l, f64 alpha, f64 beta, const f64 A[m][k],
                const f64 B[k][n], const f64 C[n][l], f64 D[m][l])
{
    f64(*T)[n] = zeros(m, n, sizeof(f64));
    multiply(m, n, k, alpha, A, B, T);
    scale_all((int64_t)m * l, beta, &D[0][0]);
    multiply(m, l, n, 1, (const f64(*)[n])T, C, D);
    free(T);
}

void ref_three_mm(int m, int n, int k, int l, int p, const f64 A[m][k], const f64 B[k][n],
                  const f64 C[n][p], const f64 D[p][l], f64 G[m][l])
{
    f64(*E)[n] = zeros(m, n, sizeof(f64));
    f64(*F)[l] = zeros(n, l, sizeof(f64));
    multiply(m, n, k, 1, A, B, E);
    multiply(n, l, p, 1, C, D, F);
    memset(G, 0, sizeof(f64) * (size_t)m * (size_t)l);
    multiply(m, l, n, 1, (const f64(*)[n])E, (const f64(*)[l])F, G);
    free(E);
    free(F);
}

/* Solves -h x[j-1] + (1 + 2h) x[j] - h x[j+1] = d[j] for 0 < j < n-1, x = 1 at both ends. */
static void tridiagonal(int n, f64 h, f64 *d, f64 *x)
{
    f64 *diagonal = zeros(n, 1, sizeof(f64));
    d[1] += h;
    d[n - 2] += h;
    for (int j = 1; j < n - 1; j++) {
        f64 factor = j > 1 ? h / diagonal[j - 1] : 0;
        diagonal[j] = 1 + 2 * h - factor * h;
        d[j] += factor * d[j - 1];
    }
    for (int j = n - 2; j > 0; j--)
        x[j] = (d[j] + (j < n - 2 ? h * x[j + 1] : 0)) / diagonal[j];
    x[0] = x[n - 1] = 1;
    free(diagonal);
}

/* One half step for the lines of `from` that run down its columns (or its rows): implicit along
 * the line with r, explicit across it with s. Line i of the result goes to `to`. */
static void half_step(int n, f64 r, f64 s, f64 from[n][n], f64 to[n][n], int columns)
{
    f64 *d = zeros(n, 1, sizeof(f64)), *x = zeros(n, 1, sizeof(f64));
    for (int i = 1; i < n - 1; i++) {
        for (int j = 1; j < n - 1; j++) {
            f64 before = columns ? from[j][i - 1] : from[i - 1][j];
            f64 here = columns ? from[j][i] : from[i][j];
            f64 after = columns ? from[j][i + 1] : from[i + 1][j];
            d[j] = here + s / 2 * (before - 2 * here + after);
        }
        tridiagonal(n, r / 2, d, x);
        for (int j = 0; j < n; j++)
            *(columns ? &to[j][i] : &to[i][j]) = x[j];
    }
    free(d);
    free(x);
}

void ref_adi(int steps, int n, f64 U[n][n])
{
    f64(*V)[n] = zeros(n, n, sizeof(f64));
    for (int t = 0; t < steps && n > 2; t++) {
        f64 r = 2.0 * n * n / steps, s = 1.0 * n * n / steps;
        half_step(n, r, s, U, V, 1);
        half_step(n, s, r, V, U, 0);
    }
    free(V);
}

void ref_atax(int m, int n, const f64 A[m][n], const f64 x[n], f64 y[n])
{
    f64 *t = zeros(m, 1, sizeof(f64));
    apply(m, n, 1, A, x, t, 0);
    memset(y, 0, sizeof(f64) * (size_t)n);
    apply(m, n, 1, A, t, y, 1);
    free(t);
}

void ref_bicg(int m, int n, const f64 A[m][n], const f64 p[n], const f64 r[m], f64 q[m], f64 s[n])
{
    memset(q, 0, sizeof(f64) * (size_t)m);
    memset(s, 0, sizeof(f64) * (size_t)n);
    apply(m, n, 1, A, p, q, 0);
    apply(m, n, 1, A, r, s, 1);
}

void ref_cholesky(int n, f64 A[n][n])
{
    for (int k = 0; k < n; k++) {
        A[k][k] = sqrt(A[k][k]);
        for (int i = k + 1; i < n; i++)
            A[i][k] /= A[k][k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j <= i; j++)
                A[i][j] -= A[i][k] * A[j][k];
    }
}

static f64 mean_of(int n, int m, const f64 X[n][m], int column)
{
    f64 s = 0;
    for (int k = 0; k < n; k++)
        s += X[k][column];
    return s / n;
}

static f64 product_of(int n, int m, const f64 X[n][m], int i, int j)
{
    f64 s = 0, a = mean_of(n, m, X, i), b = mean_of(n, m, X, j);
    for (int k = 0; k < n; k++)
        s += (X[k][i] - a) * (X[k][j] - b);
    return s;
}

static f64 deviation_of(int n, int m, const f64 X[n][m], int column)
{
    f64 d = sqrt(product_of(n, m, X, column, column) / n);
    return d > 0.1 ? d : 1;
}

void ref_correlation(int n, int m, const f64 X[n][m], f64 C[m][m])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            C[i][j] = i == j ? 1
                             : product_of(n, m, X, i, j) / n /
                                   (deviation_of(n, m, X, i) * deviation_of(n, m, X, j));
}

void ref_covariance(int n, int m, const f64 X[n][m], f64 C[m][m])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            C[i][j] = product_of(n, m, X, i, j) / (n - 1);
}

/* y = the filter up a line plus the filter down it. */
static void smooth(int n, f64 alpha, const f64 *x, f64 *y)
{
    f64 e = exp(-alpha), k = (1 - e) * (1 - e) / (1 + 2 * alpha * e - exp(-2 * alpha));
    f64 *up = zeros(n, 1, sizeof(f64)), *down = zeros(n, 1, sizeof(f64));
    for (int i = 0; i < n; i++)
        up[i] = k * (x[i] + (i > 0 ? e * (alpha - 1) * x[i - 1] : 0)) +
                (i > 0 ? 2 * e * up[i - 1] : 0) - (i > 1 ? e * e * up[i - 2] : 0);
    for (int i = n - 1; i >= 0; i--)
        down[i] = k * ((i + 1 < n ? e * (alpha + 1) * x[i + 1] : 0) -
                       (i + 2 < n ? e * e * x[i + 2] : 0)) +
                  (i + 1 < n ? 2 * e * down[i + 1] : 0) - (i + 2 < n ? e * e * down[i + 2] : 0);
    for (int i = 0; i < n; i++)
        y[i] = up[i] + down[i];
    free(up);
    free(down);
}

void ref_deriche(int w, int h, f32 alpha, const f32 X[w][h], f32 Y[w][h])
{
    f64(*T)[h] = zeros(w, h, sizeof(f64));
    f64 *x = zeros(w + h, 1, sizeof(f64)), *y = zeros(w + h, 1, sizeof(f64));
    for (int i = 0; i < w; i++) {
        for (int j = 0; j < h; j++)
            x[j] = X[i][j];
        smooth(h, alpha, x, T[i]);
    }
    for (int j = 0; j < h; j++) {
        for (int i = 0; i < w; i++)
            x[i] = T[i][j];
        smooth(w, alpha, x, y);
        for (int i = 0; i < w; i++)
            Y[i][j] = (f32)y[i];
    }
    free(T);
    free(x);
    free(y);
}

void ref_doitgen(int r, int q, int p, f64 A[r][q][p], const f64 C[p][p])
{
    f64 *row = zeros(p, 1, sizeof(f64));
    for (int i = 0; i < r; i++)
        for (int j = 0; j < q; j++) {
            memset(row, 0, sizeof(f64) * (size_t)p);
            apply(p, p, 1, C, A[i][j], row, 1);
            memcpy(A[i][j], row, sizeof(f64) * (size_t)p);
        }
    free(row);
}

/* By elimination: T[i][j] = 1 on the diagonal, r[|i-j|-1] beside it. */
void ref_durbin(int n, const f64 r[n], f64 y[n])
{
    f64(*T)[n] = zeros(n, n, sizeof(f64));
    for (int i = 0; i < n; i++) {
        y[i] = -r[i];
        for (int j = 0; j < n; j++)
            T[i][j] = i == j ? 1 : r[abs(i - j) - 1];
    }
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            f64 f = T[i][k] / T[k][k];
            for (int j = k; j < n; j++)
                T[i][j] -= f * T[k][j];
            y[i] -= f * y[k];
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            y[i] -= T[i][j] * y[j];
        y[i] /= T[i][i];
    }
    free(T);
}

void ref_fdtd_2d(int steps, int m, int n, const f64 F[steps], f64 Ex[m][n], f64 Ey[m][n],
                 f64 Hz[m][n])
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                Ey[i][j] = i == 0 ? F[t] : Ey[i][j] - 0.5 * (Hz[i][j] - Hz[i - 1][j]);
                if (j > 0)
                    Ex[i][j] -= 0.5 * (Hz[i][j] - Hz[i][j - 1]);
            }
        for (int i = 0; i + 1 < m; i++)
            for (int j = 0; j + 1 < n; j++)
                Hz[i][j] -= 0.7 * (Ex[i][j + 1] - Ex[i][j] + Ey[i + 1][j] - Ey[i][j]);
    }
}

void ref_floyd_warshall(int n, int32_t D[n][n])
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (D[i][k] + D[k][j] < D[i][j])
                    D[i][j] = D[i][k] + D[k][j];
}

void ref_gemm(int m, int n, int k, f64 alpha, f64 beta, const f64 A[m][k], const f64 B[k][n],
              f64 C[m][n])
{
    scale_all((int64_t)m * n, beta, &C[0][0]);
    multiply(m, n, k, alpha, A, B, C);
}

void ref_gemver(int n, f64 alpha, f64 beta, f64 A[n][n], const f64 u[n], const f64 v[n],
                const f64 p[n], const f64 q[n], const f64 y[n], const f64 z[n], f64 x[n], f64 w[n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = A[i][j] + u[i] * v[j] + p[i] * q[j];
    memcpy(x, z, sizeof(f64) * (size_t)n);
    apply(n, n, beta, (const f64(*)[n])A, y, x, 1);
    memset(w, 0, sizeof(f64) * (size_t)n);
    apply(n, n, alpha, (const f64(*)[n])A, x, w, 0);
}

void ref_gesummv(int n, f64 alpha, f64 beta, const f64 A[n][n], const f64 B[n][n], const f64 x[n],
                 f64 y[n])
{
    memset(y, 0, sizeof(f64) * (size_t)n);
    apply(n, n, alpha, A, x, y, 0);
    apply(n, n, beta, B, x, y, 0);
}

void ref_gramschmidt(int m, int n, f64 A[m][n], f64 R[n][n], f64 Q[m][n])
{
    for (int k = 0; k < n; k++) {
        f64 square = 0;
        for (int i = 0; i < m; i++)
            square += A[i][k] * A[i][k];
        R[k][k] = sqrt(square);
        for (int i = 0; i < m; i++)
            Q[i][k] = A[i][k] / R[k][k];
        for (int j = k + 1; j < n; j++) {
            f64 part = 0;
            for (int i = 0; i < m; i++)
                part += Q[i][k] * A[i][j];
            for (int i = 0; i < m; i++)
                A[i][j] -= part * Q[i][k];
            R[k][j] = part;
        }
    }
}
