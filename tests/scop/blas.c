/* Blas: products of matrices and vectors as benchmark code has them: whole, symmetric, triangular.
 */
#include "table.h"
#define N 37
#define M 41
#define K 29

static number A[N][N], B[N][M], C[N][M], D[M][N], E[N][K], S[N][N], T[N][N];
static number u1[N], v1[N], u2[N], v2[N], w[N], x[N], y[N], z[N];

static void gemm(int n, int m, int k, number alpha,
                 number beta WITH(MATRIX(C, N, M, n, m), MATRIX(E, N, K, n, k),
                                  MATRIX(B, N, M, k, m)))
{
    int i, j, l;
#pragma scop
    UP(i, 0, n)
    {
        UP(j, 0, m)
        C[i][j] *= beta;
        UP(l, 0, k)
        {
            UP(j, 0, m)
            C[i][j] += alpha * E[i][l] * B[l][j];
        }
    }
#pragma endscop
}

static void gemver(int n, number alpha,
                   number beta WITH(MATRIX(A, N, N, n, n), VECTOR(u1, N, n), VECTOR(v1, N, n),
                                    VECTOR(u2, N, n), VECTOR(v2, N, n), VECTOR(w, N, n),
                                    VECTOR(x, N, n), VECTOR(y, N, n), VECTOR(z, N, n)))
{
    int i, j;
#pragma scop
    UP(i, 0, n)
    UP(j, 0, n)
    A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
    UP(i, 0, n)
    UP(j, 0, n)
    x[i] = x[i] + beta * A[j][i] * y[j];
    UP(i, 0, n)
    x[i] = x[i] + z[i];
    UP(i, 0, n)
    UP(j, 0, n)
    w[i] = w[i] + alpha * A[i][j] * x[j];
#pragma endscop
}

static void gesummv(int n, number alpha,
                    number beta WITH(MATRIX(A, N, N, n, n), MATRIX(S, N, N, n, n),
                                     VECTOR(w, N, n), VECTOR(x, N, n), VECTOR(y, N, n)))
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++) {
        w[i] = VALUE(0.0);
        y[i] = VALUE(0.0);
        for (j = 0; j < n; j++) {
            w[i] = A[i][j] * x[j] + w[i];
            y[i] = S[i][j] * x[j] + y[i];
        }
        y[i] = alpha * w[i] + beta * y[i];
    }
#pragma endscop
}

static void symm(int n, int m, number alpha,
                 number beta WITH(MATRIX(C, N, M, n, m), MATRIX(S, N, N, n, n),
                                  MATRIX(B, N, M, n, m)))
{
    int i, j, k;
    number below;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++) {
            below = 0;
            for (k = 0; k < i; k++) {
                C[k][j] += alpha * B[i][j] * S[i][k];
                below += B[k][j] * S[i][k];
            }
            C[i][j] = beta * C[i][j] + alpha * B[i][j] * S[i][i] + alpha * below;
        }
#pragma endscop
}

static void syr2k(int n, int k, number alpha,
                  number beta WITH(MATRIX(S, N, N, n, n), MATRIX(E, N, K, n, k),
                                   MATRIX(D, M, N, n, k)))
{
    int i, j, l;
#pragma scop
    for (i = 0; i < n; i++) {
        for (j = 0; j <= i; j++)
            S[i][j] *= beta;
        for (l = 0; l < k; l++)
            for (j = 0; j <= i; j++) {
                S[i][j] += E[j][l] * alpha * D[i][l] + D[j][l] * alpha * E[i][l];
            }
    }
#pragma endscop
}

static void syrk(int n, int k, number alpha,
                 number beta WITH(MATRIX(S, N, N, n, n), MATRIX(E, N, K, n, k)))
{
    int i, j, l;
#pragma scop
    for (i = 0; i < n; i++) {
        for (j = 0; j <= i; j++)
            S[i][j] *= beta;
        for (l = 0; l < k; l++)
            for (j = 0; j <= i; j++)
                S[i][j] += alpha * E[i][l] * E[j][l];
    }
#pragma endscop
}

static void trmm(int n, int m, number alpha WITH(MATRIX(T, N, N, n, n), MATRIX(B, N, M, n, m)))
{
    int i, j, k;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++) {
            for (k = i + 1; k < n; k++)
                B[i][j] += T[k][i] * B[k][j];
            B[i][j] = alpha * B[i][j];
        }
#pragma endscop
}

static void fill_all(int n, int m, int k)
{
    FILL(A, n, n, N, 1), FILL(S, n, n, N, 2), FILL(T, n, n, N, 3);
    FILL(B, n, m, M, 0), FILL(C, n, m, M, 1), FILL(E, n, k, K, 1), FILL(D, n, k, N, 2);
    number *const vectors[] = {u1, v1, u2, v2, w, x, y, z};
    for (int v = 0; v < 8; v++)
        fill(vectors[v], n, 1, 1, (number)v);
}

int main(void)
{
    static const sizes all[] = {{N, M, K}, {17, 33, 16}, {16, 5, 3}, {1, 1, 1}, {0, 4, 2}};
    for (int s = 0; s < 5; s++) {
        int n = all[s].n, m = all[s].m, k = all[s].k;
        fill_all(n, m, k);
        gemm(n, m, k, VALUE(1.5), VALUE(1.25) PASS(AS(C), AS(E), AS(B)));
        gemver(n, VALUE(1.5), VALUE(1.25) PASS(AS(A), u1, v1, u2, v2, w, x, y, z));
        SHOW(w);
        gesummv(n, VALUE(1.5), VALUE(1.25) PASS(AS(A), AS(S), w, x, y));
        symm(n, m, VALUE(1.5), VALUE(1.25) PASS(AS(C), AS(S), AS(B)));
        syr2k(n, k, VALUE(0.5), VALUE(1.25) PASS(AS(S), AS(E), AS(D)));
        SHOW(S);
        syrk(n, k, VALUE(0.5), VALUE(1.25) PASS(AS(S), AS(E)));
        trmm(n, m, VALUE(0.5) PASS(AS(T), AS(B)));
        SHOW(A), SHOW(B), SHOW(C), SHOW(S), SHOW(x), SHOW(y), SHOW(w);
    }
    return 0;
}
