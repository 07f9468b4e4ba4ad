/* Products: chains of matrices and vectors, through arrays that the caller gives. */
#include "table.h"
#define N 33
#define M 26
#define K 19

static number A[N][K], B[K][M], C[M][N], D[N][N], E[N][M], F[K][N], G[N][N];
static number H[N][M][K], P[K][K], sum[K], x[N], y[N], s[M], p[M], q[N], t[N];

static void two(int n, int m, int k, number alpha,
                number beta WITH(MATRIX(E, N, M, n, m), MATRIX(A, N, K, n, k),
                                 MATRIX(B, K, M, k, m), MATRIX(C, M, N, m, n),
                                 MATRIX(D, N, N, n, n)))
{
    int i, j, l;
#pragma scop
    /* E := alpha*A*B, D := E*C + beta*D */
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++) {
            E[i][j] = VALUE(0.0);
            for (l = 0; l < k; ++l)
                E[i][j] += alpha * A[i][l] * B[l][j];
        }
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            D[i][j] *= beta;
            for (l = 0; l < m; ++l)
                D[i][j] += E[i][l] * C[l][j];
        }
#pragma endscop
}

static void three(int n, int m,
                  int k WITH(MATRIX(E, N, M, n, m), MATRIX(A, N, K, n, k), MATRIX(B, K, M, k, m),
                             MATRIX(F, K, N, k, n), MATRIX(C, M, N, m, n), MATRIX(G, N, N, n, n)))
{
    int i, j, l;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++) {
            E[i][j] = 0;
            for (l = 0; l < k; ++l)
                E[i][j] += A[i][l] * B[l][j];
        }
    for (i = 0; i < k; i++)
        for (j = 0; j < n; j++) {
            F[i][j] = 0;
            for (l = 0; l < m; ++l)
                F[i][j] += B[i][l] * C[l][j];
        }
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            G[i][j] = 0;
            for (l = 0; l < k; ++l)
                G[i][j] += A[i][l] * F[l][j];
        }
#pragma endscop
}

static void atax(int n, int m WITH(MATRIX(E, N, M, n, m), VECTOR(s, M, m), VECTOR(p, M, m),
                                   VECTOR(t, N, n)))
{
    int i, j;
#pragma scop
    for (i = 0; i < m; i++)
        p[i] = 0;
    for (i = 0; i < n; i++) {
        t[i] = VALUE(0.0);
        for (j = 0; j < m; j++)
            t[i] = t[i] + E[i][j] * s[j];
        for (j = 0; j < m; j++)
            p[j] = p[j] + E[i][j] * t[i];
    }
#pragma endscop
}

static void bicg(int n, int m WITH(MATRIX(E, N, M, n, m), VECTOR(s, M, m), VECTOR(q, N, n),
                                   VECTOR(p, M, m), VECTOR(x, N, n)))
{
    int i, j;
#pragma scop
    for (i = 0; i < m; i++)
        s[i] = 0;
    for (i = 0; i < n; i++) {
        q[i] = VALUE(0.0);
        for (j = 0; j < m; j++) {
            s[j] = s[j] + x[i] * E[i][j];
            q[i] = q[i] + E[i][j] * p[j];
        }
    }
#pragma endscop
}

static void doitgen(int n, int m, int k WITH(CUBE(H, N, M, K, n, m, k), MATRIX(P, K, K, k, k),
                                             VECTOR(sum, K, k)))
{
    int r, c, to, from;
#pragma scop
    for (r = 0; r < n; r++)
        for (c = 0; c < m; c++) {
            for (to = 0; to < k; to++) {
                sum[to] = VALUE(0.0);
                for (from = 0; from < k; from++)
                    sum[to] += H[r][c][from] * P[from][to];
            }
            for (to = 0; to < k; to++)
                H[r][c][to] = sum[to];
        }
#pragma endscop
}

static void mvt(int n WITH(VECTOR(x, N, n), VECTOR(y, N, n), VECTOR(q, N, n), VECTOR(t, N, n),
                           MATRIX(D, N, N, n, n)))
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            x[i] = x[i] + D[i][j] * q[j];
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            y[i] = y[i] + D[j][i] * t[j];
#pragma endscop
}

static void fill_all(int n, int m, int k)
{
    FILL(A, n, k, K, 1), FILL(B, k, m, M, 2), FILL(C, m, n, N, 0), FILL(D, n, n, N, 1);
    FILL(P, k, k, K, 1), FILL(H, n, m * k, M * K, 1);
    number *const vectors[] = {x, y, q, t, s, p};
    for (int v = 0; v < 6; v++)
        fill(vectors[v], v < 4 ? n : m, 1, 1, (number)v);
}

int main(void)
{
    static const sizes all[] = {{N, M, K}, {17, 16, 18}, {4, 9, 2}, {1, 1, 1}, {3, 0, 2}};
    for (int i = 0; i < 5; i++) {
        int n = all[i].n, m = all[i].m, k = all[i].k;
        fill_all(n, m, k);
        two(n, m, k, VALUE(1.5), VALUE(1.25) PASS(AS(E), AS(A), AS(B), AS(C), AS(D)));
        SHOW(D);
        three(n, m, k PASS(AS(E), AS(A), AS(B), AS(F), AS(C), AS(G)));
        atax(n, m PASS(AS(E), s, p, t));
        SHOW(p);
        bicg(n, m PASS(AS(E), s, q, p, x));
        doitgen(n, m, k PASS(AS(H), AS(P), sum));
        mvt(n PASS(x, y, q, t, AS(D)));
        SHOW(G), SHOW(H), SHOW(s), SHOW(q), SHOW(x), SHOW(y), SHOW(t);
    }
    return 0;
}
