/* Windows: arrays of constant size beside pointers with strides of their own, loops that come from
 * the other end, windows of two dimensions, and loops that start at a remainder; as programs have
 * them that were not written for a benchmark. */
#include "table.h"
#include <stddef.h>
#define N 40
#define M 50
#define TAPS 7

static number A[N][M], B[N][M], U[N][M], P[N * M], Q[M * N], x[M], y[M];
static const number taps[TAPS] = {1, -2, 3, -4, 3, -2, 1};
typedef struct {
    int rows, columns;
} window;

static void gather(int n, int m, int ld, const number *p, int ldq, number *q)
{
    number local[N][M];
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            local[i][j] = 2 * p[i * ld + j] + A[i][j];
    for (int i = n - 1; i >= 0; i--)
        for (int j = m - 1; j >= 0; j--)
            q[j * ldq + i] -= local[i][j];
#pragma endscop
}

static void sums(int n, int m, int ld, number *p, const number a[N][M])
{
    int i, j;
#pragma scop
    for (i = n; i-- > 0;)
        for (j = m - 1; j > 0; --j)
            p[i * ld + j] += a[i][j] + p[i * ld + j - 1];
#pragma endscop
}

static void both_ends(int n, const number *from, number *to)
{
#pragma scop
    for (int i = 0; i < n; i++)
        to[n - 1 - i] = from[i] + from[n - 1 - i];
    for (int i = 0; i < n / 2; i++) {
        number t = to[i];
        to[i] = to[n - 1 - i];
        to[n - 1 - i] = t;
    }
#pragma endscop
}

static void substitute(int n, number u[N][M], number *b)
{
    int i, j;
#pragma scop
    for (i = n - 1; i >= 0; i--) {
        for (j = i + 1; j < n; j++)
            b[i] -= u[i][j] * b[j];
        b[i] /= u[i][i];
    }
#pragma endscop
}

static void mean(window w, number (*restrict to)[M])
{
    int rows = w.rows, columns = w.columns;
#pragma scop
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < columns - 1; j++) {
            number s = 0;
            for (int di = -1; di <= 1; di++)
                for (int dj = -1; dj <= 1; dj++)
                    s += A[i + di][j + dj];
            to[i][j] = s / 9;
        }
#pragma endscop
}

static void filter(const number *restrict from, number *restrict to, int n)
{
#pragma scop
    for (int i = 0; i < n - TAPS + 1; i++) {
        number s = 0;
        for (int k = 0; k < TAPS; k++)
            s += taps[k] * from[i + TAPS - 1 - k];
        to[i] = s;
    }
#pragma endscop
}

static void red_black(int n, int m, number f)
{
    int i, j;
#pragma scop
    for (i = 1; i < n - 1; i++)
        for (j = 1 + i % 2; j < m - 1; j += 2)
            U[i][j] = f * (U[i - 1][j] + U[i + 1][j] + U[i][j - 1] + U[i][j + 1]);
#pragma endscop
}

static void corner(int n, int m, int top, int left, number *p, int ld)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            p[(i + top) * ld + j + left] = B[i][j];
            B[i][j] = A[i + top][j + left];
        }
#pragma endscop
}

static void whole(const number *p, int ld)
{
    size_t i, j;
#pragma scop
    for (i = 0; i < sizeof A / sizeof A[0]; i++)
        for (j = 0; j < sizeof A[0] / sizeof A[0][0]; j++)
            A[i][j] = A[i][j] / 2 + p[i * ld + j];
#pragma endscop
}

static void blocks(int nb, number *p)
{
    number t[4][4];
#pragma scop
    for (int b = 0; b < nb; b++) {
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                t[i][j] = p[b * 16 + i * 4 + j];
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                p[b * 16 + i * 4 + j] = t[j][i];
    }
#pragma endscop
}

static void steps(int n, int t_end, number u[2][M])
{
#pragma scop
    for (int t = 0; t < t_end; t++)
        for (int i = 1; i < n - 1; i++)
            u[(t + 1) % 2][i] = (u[t % 2][i - 1] + u[t % 2][i + 1]) / 2;
#pragma endscop
}

static void greatest(int n, const number *restrict a, int *where)
{
    number most = a[0];
    int at = 0;
#pragma scop
    for (int i = 1; i < n; i++) {
        at = a[i] > most ? i : at;
        most = a[i] > most ? a[i] : most;
    }
#pragma endscop
    *where = at;
}

int main(void)
{
    static const sizes all[] = {{N, M, M}, {23, 37, 40}, {11, 11, 12}, {2, 3, 8}, {1, 1, 5}};
    fill(A, N, M, M, 2), fill(B, N, M, M, 1), fill(P, N, M, M, 3), fill(Q, M, N, N, 4);
    for (int s = 0; s < 5; s++) {
        int n = all[s].n, m = all[s].m, ld = all[s].k, at = 0;
        fill(U, N, M, M, 8), fill(x, M, 1, 1, 1), fill(y, M, 1, 1, 2);
        gather(n, m, ld, P, n + (s > 0), Q);
        sums(n, m, ld, P, AS(A));
        both_ends(m, x, y);
        substitute(n, U, y);
        mean((window){n, m}, B);
        filter(P, Q, n * m / 2);
        red_black(n, m, VALUE(0.25));
        corner(n / 2, m / 2, n / 4, 3, P, ld + 3);
        whole(P, s ? 37 : M);
        blocks(n, Q);
        steps(m, n / 4 + 1, AS(U));
        greatest(m, y, &at);
        number found = (number)at;
        SHOW(A), SHOW(B), SHOW(P), SHOW(Q), SHOW(U), SHOW(y);
        show("found", &found, sizeof found);
    }
    return 0;
}
