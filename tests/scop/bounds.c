/* Bounds: arrays of constant size and loops that go as far as a parameter, a variable of the
 * function or a macro says: global, static, parameters, local ones. */
#include "table.h"
#define N 40
#define M 50
#ifndef ROWS
#define ROWS 40
#endif
#define LEAST(a, b) ((a) < (b) ? (a) : (b))

number A[N][M];
static number B[N][M], C[M][N], line[M];
int all_rows = ROWS, steps = 2;

static void add(int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            A[i][j] += 1;
#pragma endscop
}

static void part(int first, int n, int m, int k)
{
#pragma scop
    for (int i = first; i < n; i++)
        for (int j = 10; j < m && j < k; j++)
            B[i][j] = A[i][j] * 2 + C[j][i];
#pragma endscop
}

static void fixed(void)
{
    int n = 40, m = 50;
    number local[N][M];
    static number kept[N];
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            local[i][j] = A[i][j] + B[i][j];
    for (i = 0; i < n; i++) {
        kept[i] = 0;
        for (j = 0; j < m; j++)
            kept[i] += local[i][j];
    }
#pragma endscop
    show("kept", kept, sizeof kept);
}

static void whole(number a[N][M], const number *restrict from)
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < all_rows; i++)
            for (int j = 0; j < LEAST(M, 48); j++)
                a[i][j] = a[i][j] / 2 + from[j + 1];
#pragma endscop
}

static void two_arrays(int n, int m, int k)
{
#pragma scop
    for (int i = 0; i < n; i++)
        line[i] = 0;
    if (k > 5)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++)
                C[i][j] += k > 7 ? B[j][i] : A[j][i];
#pragma endscop
}

static void squares(int n, number (*a)[n], number b[][n])
{
    number c[n][n];
    int i, j, k;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            c[i][j] = 0;
            for (k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            a[i][j] = c[j][i];
#pragma endscop
}

/* How long an array is, in bounds and in values. */
static void averages(void)
{
    static number mean[sizeof line / sizeof line[0]];
#pragma scop
    for (size_t j = 0; j < sizeof line / sizeof line[0]; j++)
        mean[j] = 0;
    for (size_t i = 0; i < sizeof A / sizeof A[0]; i++)
        for (size_t j = 0; j < sizeof A[0] / sizeof A[0][0]; j++)
            mean[j] += A[i][j] / (sizeof A / sizeof A[0]);
    for (size_t j = 0; j < sizeof line / sizeof *line; j++)
        line[j] += mean[j] * sizeof(number) + sizeof mean;
#pragma endscop
}

/* Rows of a length that is divided, which no loop says is not negative: with n = -1 a row has m + 1
 * elements, and the text as written runs. */
static void halves(int n, int m, number a[(n + 3) / 2 + m], number b[][n / 2 + m + 1])
{
#pragma scop
    for (int i = 2; i < m; i++)
        a[i] = a[i - 2] + 1;
    for (int i = 0; i < m; i++)
        b[i][i] += a[i];
#pragma endscop
}

int main(void)
{
    static const sizes all[] = {{N, M, 60}, {23, 37, 45}, {11, 11, 6}, {1, 1, 8}, {0, 9, 2}};
    fill(A, N, M, M, 1), fill(B, N, M, M, 2), fill(C, M, N, N, 3), fill(line, M, 1, 1, 4);
    for (int s = 0; s < 5; s++) {
        int n = all[s].n, m = all[s].m, k = all[s].k;
        add(n, m);
        part(n / 3, n, m, k);
        fixed();
        averages();
        whole(B, line);
        two_arrays(n, m, k);
        squares(n > 0 ? n : 1, AS(A), AS(C));
        halves(s == 2 ? -1 : k / 8, n, line, AS(B));
        SHOW(A), SHOW(B), SHOW(C), SHOW(line);
    }
    return 0;
}
