/* Strides: matrices behind pointers to their first elements, rows `ld` elements apart, and pointers
 * to rows; what older libraries pass. */
#include "table.h"
#define N 31
#define M 45

static number A[N * M], B[N * M], C[N * M], D[N][M], x[M], y[M];
#define AT(a, i, j, ld) (a)[(i) * (ld) + (j)]

static void gemm(int n, int m, int k, number alpha, const number *a, int lda, const number *b,
                 int ldb, number beta, number *c, int ldc)
{
    int i, j, l;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++) {
            c[i * ldc + j] *= beta;
            for (l = 0; l < k; l++)
                c[i * ldc + j] += alpha * a[i * lda + l] * b[l * ldb + j];
        }
#pragma endscop
}

static void gemv(int n, int m, const number *a, int lda, const number *x, number *y)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++) {
        number s = 0;
        const int row = i * lda;
        for (j = 0; j < m; j++)
            s += a[row + j] * x[j];
        *(y + i) = s;
    }
#pragma endscop
}

static void trsm(int n, int m, const number *l, int ldl, number *b, int ldb)
{
    int i, j, k;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++) {
            for (k = 0; k < i; k++)
                AT(b, i, j, ldb) -= AT(l, i, k, ldl) * AT(b, k, j, ldb);
            AT(b, i, j, ldb) /= AT(l, i, i, ldl);
        }
#pragma endscop
}

static void sweep(int steps, size_t n, size_t m, size_t ld, number *restrict a,
                  number *restrict b)
{
    int t;
    size_t i, j;
#pragma scop
    for (t = 0; t < steps; t++) {
        for (i = 1; i + 1 < n; i++)
            for (j = 1; j + 1 < m; j++)
                b[i * ld + j] = VALUE(0.25) * (a[(i - 1) * ld + j] + a[(i + 1) * ld + j] +
                                               a[i * ld + j - 1] + a[i * ld + j + 1]);
        for (i = 1; i + 1 < n; i++)
            for (j = 1; j + 1 < m; j++)
                a[i * ld + j] = b[i * ld + j];
    }
#pragma endscop
}

static void rows(int n, int m, number (*d)[M], const number *x)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            d[i][j] = d[i][j] / 2 + x[j];
#pragma endscop
}

int main(void)
{
    static const sizes all[] = {{N, N, 30}, {16, 24, 17}, {3, 5, 1}, {1, 1, 1}, {0, 3, 0}};
    for (int s = 0; s < 5; s++) {
        int n = all[s].n, m = all[s].m, k = all[s].k;
        fill(A, N, M, M, 8), fill(B, N, M, M, 1), fill(C, N, M, M, 2), fill(D, N, M, M, 3);
        fill(x, M, 1, 1, 1), fill(y, M, 1, 1, 1);
        gemm(n, m, k, VALUE(0.5), A, M, B, M - 1, VALUE(1.5), C, m);
        gemv(n, m, C, m, x, y);
        trsm(n, m, A, M, B, m + 3);
        SHOW(B);
        sweep(3, (size_t)n, (size_t)m, M, A, C);
        rows(n, m, D, x);
        SHOW(A), SHOW(C), SHOW(D), SHOW(y);
    }
    return 0;
}
