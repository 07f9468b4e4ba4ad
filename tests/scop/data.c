/* Data: statistics, filters, paths and dynamic programmes. Counters are declared outside, choices
 * stand in macros, scalars carry values from one turn to the next. */
#include "table.h"
#define N 34
#define M 27
#define BETTER(a, b) ((a) >= (b) ? (a) : (b))
#define PAIR(a, b) ((a) + (b) == 3 ? 1 : 0)

static number data[N][M], corr[M][M], mean[M], deviation[M];
static number picture[N][M], out[N][M], left[N][M], right[N][M];
static int path[N][N], table[N][N];
typedef signed char letter;
static letter seq[N];

static void correlation(int m, int n, number count WITH(MATRIX(data, N, M, n, m),
                                                        MATRIX(corr, M, M, m, m),
                                                        VECTOR(mean, M, m),
                                                        VECTOR(deviation, M, m)))
{
    int i, j, k;
    number eps = VALUE(0.1);
#pragma scop
    for (j = 0; j < m; j++) {
        mean[j] = VALUE(0.0);
        for (i = 0; i < n; i++)
            mean[j] += data[i][j];
        mean[j] /= count;
    }
    for (j = 0; j < m; j++) {
        deviation[j] = VALUE(0.0);
        for (i = 0; i < n; i++)
            deviation[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
        deviation[j] /= count;
        deviation[j] = ROOT(deviation[j]);
        deviation[j] = deviation[j] <= eps ? VALUE(1.0) : deviation[j];
    }
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++) {
            data[i][j] -= mean[j];
            data[i][j] /= ROOT(count) * deviation[j];
        }
    for (i = 0; i < m - 1; i++) {
        corr[i][i] = VALUE(1.0);
        for (j = i + 1; j < m; j++) {
            corr[i][j] = VALUE(0.0);
            for (k = 0; k < n; k++)
                corr[i][j] += data[k][i] * data[k][j];
            corr[j][i] = corr[i][j];
        }
    }
    corr[m - 1][m - 1] = VALUE(1.0);
#pragma endscop
}

static void covariance(int m, int n, number count WITH(MATRIX(data, N, M, n, m),
                                                       MATRIX(corr, M, M, m, m),
                                                       VECTOR(mean, M, m)))
{
    int i, j, k;
#pragma scop
    for (j = 0; j < m; j++) {
        mean[j] = VALUE(0.0);
        for (i = 0; i < n; i++)
            mean[j] += data[i][j];
        mean[j] /= count;
    }
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            data[i][j] -= mean[j];
    for (i = 0; i < m; i++)
        for (j = i; j < m; j++) {
            corr[i][j] = VALUE(0.0);
            for (k = 0; k < n; k++)
                corr[i][j] += data[k][i] * data[k][j];
            corr[i][j] /= count - VALUE(1.0);
            corr[j][i] = corr[i][j];
        }
#pragma endscop
}

static void recursive_filter(int w, int h, number alpha WITH(MATRIX(picture, N, M, w, h),
                                                             MATRIX(out, N, M, w, h),
                                                             MATRIX(left, N, M, w, h),
                                                             MATRIX(right, N, M, w, h)))
{
    number x1, x2, y1, y2, k, a1, a2, a3, a4, b1, b2;
    int i, j;
#pragma scop
    k = (VALUE(1.0) - EXPONENTIAL(-alpha)) * (VALUE(1.0) - EXPONENTIAL(-alpha)) /
        (VALUE(1.0) + VALUE(2.0) * alpha * EXPONENTIAL(-alpha) - EXPONENTIAL(-VALUE(2.0) * alpha));
    a1 = k;
    a2 = k * EXPONENTIAL(-alpha) * (alpha - VALUE(1.0));
    a3 = k * EXPONENTIAL(-alpha) * (alpha + VALUE(1.0));
    a4 = -k * EXPONENTIAL(VALUE(-2.0) * alpha);
    b1 = VALUE(2.0) * EXPONENTIAL(-alpha) / 2;
    b2 = -EXPONENTIAL(VALUE(-2.0) * alpha) / 2;
    for (i = 0; i < w; i++) {
        y1 = y2 = x1 = VALUE(0.0);
        for (j = 0; j < h; j++) {
            left[i][j] = a1 * picture[i][j] + a2 * x1 + b1 * y1 + b2 * y2;
            x1 = picture[i][j];
            y2 = y1;
            y1 = left[i][j];
        }
    }
    for (i = 0; i < w; i++) {
        y1 = y2 = x1 = x2 = VALUE(0.0);
        for (j = h - 1; j >= 0; j--) {
            right[i][j] = a3 * x1 + a4 * x2 + b1 * y1 + b2 * y2;
            x2 = x1;
            x1 = picture[i][j];
            y2 = y1;
            y1 = right[i][j];
        }
    }
    for (i = 0; i < w; i++)
        for (j = 0; j < h; j++)
            out[i][j] = left[i][j] + right[i][j];
#pragma endscop
}

#if SHAPE == FILE_SCOPE
static void shortest(int n)
#elif SHAPE == VARIABLE
static void shortest(int n, int path[n][n])
#else
static void shortest(int n, int path[N][N])
#endif
{
    int i, j, k;
#pragma scop
    for (k = 0; k < n; k++) {
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++)
                path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j]
                                                                  : path[i][k] + path[k][j];
    }
#pragma endscop
}

#if SHAPE == FILE_SCOPE
static void fold(int n)
#elif SHAPE == VARIABLE
static void fold(int n, letter seq[n], int table[n][n])
#else
static void fold(int n, letter seq[N], int table[N][N])
#endif
{
    int i, j, k;
#pragma scop
    for (i = n - 1; i >= 0; i--) {
        for (j = i + 1; j < n; j++) {
            if (j - 1 >= 0)
                table[i][j] = BETTER(table[i][j], table[i][j - 1]);
            if (i + 1 < n)
                table[i][j] = BETTER(table[i][j], table[i + 1][j]);
            if (j - 1 >= 0 && i + 1 < n) {
                if (i < j - 1)
                    table[i][j] =
                        BETTER(table[i][j], table[i + 1][j - 1] + PAIR(seq[i], seq[j]));
                else
                    table[i][j] = BETTER(table[i][j], table[i + 1][j - 1]);
            }
            for (k = i + 1; k < j; k++) {
                table[i][j] = BETTER(table[i][j], table[i][k] + table[k + 1][j]);
            }
        }
    }
#pragma endscop
}

static void fill_integers(int n)
{
    for (int i = 0; i < n; i++)
        seq[i] = (letter)((i * 5 + 1) % 4);
    for (int i = 0; i < N * N; i++) {
        table[i / N][i % N] = 0;
        path[i / N][i % N] = (i * 7 + i / 5) % 23 + 1;
    }
}

static void show_integers(const char *name, const int *a)
{
    printf("%s", name);
    for (int i = 0; i < N * N; i++)
        printf(" %d", a[i]);
    printf("\n");
}

int main(void)
{
    static const sizes all[] = {{N, M, 0}, {17, 16, 0}, {3, 5, 0}, {2, 1, 0}};
    for (int s = 0; s < 4; s++) {
        int n = all[s].n, m = all[s].m;
        FILL(data, n, m, M, 1), FILL(picture, n, m, M, 1);
        fill_integers(n);
        correlation(m, n, (number)n PASS(AS(data), AS(corr), mean, deviation));
        SHOW(corr), SHOW(deviation);
        FILL(data, n, m, M, 1);
        covariance(m, n, (number)n PASS(AS(data), AS(corr), mean));
        SHOW(corr), SHOW(mean), SHOW(data);
        recursive_filter(n, m, VALUE(0.25) PASS(AS(picture), AS(out), AS(left), AS(right)));
        SHOW(out), SHOW(left), SHOW(right);
        shortest(n PASS(AS(path)));
        fold(n PASS(seq, AS(table)));
        show_integers("path", path[0]), show_integers("table", table[0]);
    }
    return 0;
}
