/* Solvers: factorisations and triangular systems, whose loops begin and end at others. */
#include "table.h"
#define N 35
#define M 39

static number A[N][N], L[N][N], Q[M][N], R[N][N], V[M][N], b[N], r[N], x[N], y[N];

static void cholesky(int n WITH(MATRIX(A, N, N, n, n)))
{
    int i, j, k;
#pragma scop
    for (i = 0; i < n; i++) {
        for (j = 0; j < i; j++) {
            for (k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[j][k];
            A[i][j] /= A[j][j];
        }
        for (k = 0; k < i; k++)
            A[i][i] -= A[i][k] * A[i][k];
        A[i][i] = ROOT(A[i][i]);
    }
#pragma endscop
}

static void durbin(int n WITH(VECTOR(r, N, n), VECTOR(y, N, n)))
{
    number z[N];
    number alpha, beta, sum;
    int i, k;
#pragma scop
    y[0] = -r[0];
    beta = VALUE(1.0);
    alpha = -r[0];
    for (k = 1; k < n; k++) {
        beta = (1 - alpha * alpha) * beta;
        sum = VALUE(0.0);
        for (i = 0; i < k; i++)
            sum += r[k - i - 1] * y[i];
        alpha = -(r[k] + sum) / beta;
        for (i = 0; i < k; i++)
            z[i] = y[i] + alpha * y[k - i - 1];
        for (i = 0; i < k; i++)
            y[i] = z[i];
        y[k] = alpha;
    }
#pragma endscop
}

static void gramschmidt(int m, int n WITH(MATRIX(V, M, N, m, n), MATRIX(R, N, N, n, n),
                                          MATRIX(Q, M, N, m, n)))
{
    int i, j, k;
    number norm;
#pragma scop
    for (k = 0; k < n; k++) {
        norm = VALUE(0.0);
        for (i = 0; i < m; i++)
            norm += V[i][k] * V[i][k];
        R[k][k] = ROOT(norm);
        for (i = 0; i < m; i++)
            Q[i][k] = V[i][k] / R[k][k];
        for (j = k + 1; j < n; j++) {
            R[k][j] = VALUE(0.0);
            for (i = 0; i < m; i++)
                R[k][j] += Q[i][k] * V[i][j];
            for (i = 0; i < m; i++)
                V[i][j] = V[i][j] - Q[i][k] * R[k][j];
        }
    }
#pragma endscop
}

static void lu(int n WITH(MATRIX(A, N, N, n, n)))
{
    int i, j, k;
#pragma scop
    for (i = 0; i < n; i++) {
        for (j = 0; j < i; j++) {
            for (k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[k][j];
            A[i][j] /= A[j][j];
        }
        for (j = i; j < n; j++)
            for (k = 0; k < i; k++)
                A[i][j] -= A[i][k] * A[k][j];
    }
#pragma endscop
}

static void ludcmp(int n WITH(MATRIX(A, N, N, n, n), VECTOR(b, N, n), VECTOR(x, N, n),
                              VECTOR(y, N, n)))
{
    int i, j, k;
    number w;
#pragma scop
    for (i = 0; i < n; i++) {
        for (j = 0; j < i; j++) {
            w = A[i][j];
            for (k = 0; k < j; k++)
                w -= A[i][k] * A[k][j];
            A[i][j] = w / A[j][j];
        }
        for (j = i; j < n; j++) {
            w = A[i][j];
            for (k = 0; k < i; k++)
                w -= A[i][k] * A[k][j];
            A[i][j] = w;
        }
    }
    UP(i, 0, n)
    {
        w = b[i];
        for (j = 0; j < i; j++)
            w -= A[i][j] * y[j];
        y[i] = w;
    }
    DOWN(i, n - 1, 0)
    {
        w = y[i];
        for (j = i + 1; j < n; j++)
            w -= A[i][j] * x[j];
        x[i] = w / A[i][i];
    }
#pragma endscop
}

static void trisolv(int n WITH(MATRIX(L, N, N, n, n), VECTOR(x, N, n), VECTOR(b, N, n)))
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++) {
        x[i] = b[i];
        for (j = 0; j < i; j++)
            x[i] -= L[i][j] * x[j];
        x[i] = x[i] / L[i][i];
    }
#pragma endscop
}

int main(void)
{
    static const sizes all[] = {{N, M, 0}, {17, 32, 0}, {2, 3, 0}, {1, 1, 0}};
    for (int s = 0; s < 4; s++) {
        int n = all[s].n, m = all[s].m;
        FILL(A, n, n, N, 20), FILL(L, n, n, N, 5), FILL(V, m, n, N, 9);
        fill(b, n, 1, 1, 0);
        for (int i = 0; i < n; i++)
            r[i] = VALUE(0.5) / (number)(i + 2);
        cholesky(n PASS(AS(A)));
        SHOW(A);
        FILL(A, n, n, N, 20);
        lu(n PASS(AS(A)));
        SHOW(A);
        FILL(A, n, n, N, 30);
        durbin(n PASS(r, y));
        SHOW(y);
        ludcmp(n PASS(AS(A), b, x, y));
        SHOW(x), SHOW(y);
        gramschmidt(m, n PASS(AS(V), AS(R), AS(Q)));
        trisolv(n PASS(AS(L), x, b));
        SHOW(A), SHOW(V), SHOW(R), SHOW(Q), SHOW(x);
    }
    return 0;
}
