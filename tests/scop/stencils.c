/* Stencils: sweeps in time over one, two and three dimensions, in place and from array to array. */
#include "table.h"
#define N 21
#define M 30
#define T 9

static number u[M][M], v[M][M], p[M][M], q[M][M], ex[N][M], ey[N][M], hz[N][M], pulse[T];
static number A[M][M], B[M][M], X[N][N][N], Y[N][N][N], a[M], b[M];

static void adi(int steps, int n WITH(MATRIX(u, M, M, n, n), MATRIX(v, M, M, n, n),
                                      MATRIX(p, M, M, n, n), MATRIX(q, M, M, n, n)))
{
    int t, i, j;
    number dx, dt, a1, b1, c1;
#pragma scop
    dx = VALUE(1.0) / (number)n;
    dt = VALUE(1.0) / (number)steps;
    a1 = -VALUE(2.0) * dt / (dx * dx) / VALUE(2.0);
    b1 = VALUE(1.0) + VALUE(2.0) * dt / (dx * dx);
    c1 = a1;
    for (t = 1; t <= steps; t++) {
        for (i = 1; i < n - 1; i++) {
            v[0][i] = VALUE(1.0);
            p[i][0] = VALUE(0.0);
            q[i][0] = v[0][i];
            for (j = 1; j < n - 1; j++) {
                p[i][j] = -c1 / (a1 * p[i][j - 1] + b1);
                q[i][j] = (u[j][i] + VALUE(0.25) * (u[j][i - 1] - u[j][i + 1]) -
                           a1 * q[i][j - 1]) /
                          (a1 * p[i][j - 1] + b1);
            }
            v[n - 1][i] = VALUE(1.0);
            for (j = n - 2; j >= 1; j--)
                v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
        }
        for (i = 1; i < n - 1; i++) {
            u[i][0] = VALUE(1.0);
            p[i][0] = VALUE(0.0);
            q[i][0] = u[i][0];
            for (j = 1; j < n - 1; j++) {
                p[i][j] = -c1 / (a1 * p[i][j - 1] + b1);
                q[i][j] = (v[i][j] + VALUE(0.25) * (v[i - 1][j] - v[i + 1][j]) -
                           a1 * q[i][j - 1]) /
                          (a1 * p[i][j - 1] + b1);
            }
            u[i][n - 1] = VALUE(1.0);
            for (j = n - 2; j >= 1; j--)
                u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
        }
    }
#pragma endscop
}

static void fdtd(int steps, int n, int m WITH(MATRIX(ex, N, M, n, m), MATRIX(ey, N, M, n, m),
                                              MATRIX(hz, N, M, n, m), VECTOR(pulse, T, steps)))
{
    int t, i, j;
#pragma scop
    for (t = 0; t < steps; t++) {
        for (j = 0; j < m; j++)
            ey[0][j] = pulse[t];
        for (i = 1; i < n; i++)
            for (j = 0; j < m; j++)
                ey[i][j] = ey[i][j] - VALUE(0.5) * (hz[i][j] - hz[i - 1][j]);
        for (i = 0; i < n; i++)
            for (j = 1; j < m; j++)
                ex[i][j] = ex[i][j] - VALUE(0.5) * (hz[i][j] - hz[i][j - 1]);
        for (i = 0; i < n - 1; i++)
            for (j = 0; j < m - 1; j++)
                hz[i][j] = hz[i][j] -
                           VALUE(0.7) * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
#pragma endscop
}

#define HEAT(to, from)                                                                             \
    to[i][j][k] = VALUE(0.125) * (from[i + 1][j][k] - VALUE(2.0) * from[i][j][k] +                 \
                                  from[i - 1][j][k]) +                                             \
                  VALUE(0.125) * (from[i][j + 1][k] - VALUE(2.0) * from[i][j][k] +                 \
                                  from[i][j - 1][k]) +                                             \
                  VALUE(0.125) * (from[i][j][k + 1] - VALUE(2.0) * from[i][j][k] +                 \
                                  from[i][j][k - 1]) +                                             \
                  from[i][j][k]

static void heat(int steps, int n WITH(CUBE(X, N, N, N, n, n, n), CUBE(Y, N, N, N, n, n, n)))
{
    int t, i, j, k;
#pragma scop
    for (t = 1; t <= steps; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < n - 1; j++)
                for (k = 1; k < n - 1; k++)
                    HEAT(Y, X);
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < n - 1; j++)
                for (k = 1; k < n - 1; k++)
                    HEAT(X, Y);
    }
#pragma endscop
}

static void jacobi_line(int steps, int n WITH(VECTOR(a, M, n), VECTOR(b, M, n)))
{
    int t, i;
#pragma scop
    for (t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i++)
            b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1]);
        for (i = 1; i < n - 1; i++)
            a[i] = 0.33333 * (b[i - 1] + b[i] + b[i + 1]);
    }
#pragma endscop
}

static void jacobi(int steps, int n WITH(MATRIX(A, M, M, n, n), MATRIX(B, M, M, n, n)))
{
    int t, i, j;
#pragma scop
    for (t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < n - 1; j++)
                B[i][j] = VALUE(0.2) *
                          (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < n - 1; j++)
                A[i][j] = VALUE(0.2) *
                          (B[i][j] + B[i][j - 1] + B[i][1 + j] + B[1 + i][j] + B[i - 1][j]);
    }
#pragma endscop
}

static void seidel(int steps, int n WITH(MATRIX(A, M, M, n, n)))
{
    int t, i, j;
#pragma scop
    for (t = 0; t <= steps - 1; t++)
        for (i = 1; i <= n - 2; i++)
            for (j = 1; j <= n - 2; j++)
                A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] +
                           A[i][j] + A[i][j + 1] + A[i + 1][j - 1] + A[i + 1][j] +
                           A[i + 1][j + 1]) /
                          VALUE(9.0);
#pragma endscop
}

int main(void)
{
    static const sizes all[] = {{N, M, T}, {18, 19, 3}, {4, 3, 2}, {2, 2, 1}, {3, 3, 0}};
    for (int s = 0; s < 5; s++) {
        int n = all[s].n, m = all[s].m, steps = all[s].k;
        FILL(u, m, m, M, 1), FILL(A, m, m, M, 1), FILL(B, m, m, M, 0);
        FILL(ex, n, m, M, 1), FILL(ey, n, m, M, 2), FILL(hz, n, m, M, 3);
        fill(pulse, steps, 1, 1, 1), fill(a, m, 1, 1, 1), fill(b, m, 1, 1, 0);
        fill(X, 1, sizeof X / sizeof(number), 0, 1), fill(Y, 1, sizeof Y / sizeof(number), 0, 1);
        if (steps > 0)
            adi(steps, m PASS(AS(u), AS(v), AS(p), AS(q)));
        fdtd(steps, n, m PASS(AS(ex), AS(ey), AS(hz), pulse));
        heat(steps, n PASS(AS(X), AS(Y)));
        jacobi_line(steps, m PASS(a, b));
        jacobi(steps, m PASS(AS(A), AS(B)));
        SHOW(A), SHOW(B);
        seidel(steps, m PASS(AS(A)));
        SHOW(u), SHOW(v), SHOW(ex), SHOW(ey), SHOW(hz), SHOW(X), SHOW(a), SHOW(A);
    }
    return 0;
}
