/* What index statements mean: every kernel of index.sq written out by hand as C loops, against
 * what squall makes of it, over small odd sizes. Linked by test_index.sh. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { CELLS = 4096 };
static double in[3][CELLS], out[2][CELLS];
static int failures;

static void fill(void)
{
    static unsigned long long state = 7;
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < CELLS; i++) {
            state = state * 6364136223846793005ull + 1442695040888963407ull;
            in[a][i] = 0.5 + (double)(state >> 40) / (1 << 24);
        }
    for (int r = 0; r < 2; r++)
        memcpy(out[r], in[2], sizeof out[r]);
}

static void compare(const char *name, int size)
{
    for (int i = 0; i < CELLS; i++) {
        double x = out[0][i], y = out[1][i];
        if (x == y || (isnan(x) && isnan(y)) || fabs(x - y) <= 1e-9 * (fabs(x) + 1))
            continue;
        printf("%s at size %d: element %d is %g, should be %g\n", name, size, i, y, x);
        failures++;
        return;
    }
}

void scaled(int, int, int, double, double, const double *, const double *, double *);
static void ref_scaled(int M, int N, int K, double alpha, double beta, const double *A,
                       const double *B, double *C)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            double s = 0;
            for (int k = 0; k < K; k++)
                s += A[i * K + k] * B[k * N + j];
            C[i * N + j] = beta * C[i * N + j] + alpha * s;
        }
}

static double at(const double *I, int H, int W, int y, int x, double outside)
{
    return y < 0 || y >= H || x < 0 || x >= W ? outside : I[y * W + x];
}

void strided(int, int, int, int, const double *, const double *, double *);
static void ref_strided(int C, int H, int W, int F, const double *I, const double *G, double *O)
{
    for (int f = 0; f < F; f++)
        for (int y = 0; 2 * y < H; y++)
            for (int x = 0; 2 * x < W; x++) {
                double s = 0;
                for (int n = 0; n < C * 9; n++)
                    s += at(I + n / 9 * H * W, H, W, 2 * y + n / 3 % 3 - 1, 2 * x + n % 3 - 1, 0) *
                         G[f * C * 9 + n];
                *O++ = s;
            }
}

void pooled(const double *, double *);
static void ref_pooled(const double *I, double *O)
{
    enum { H = 7, W = 9 };
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            double most = -INFINITY, least = INFINITY;
            for (int n = 0; n < 9; n++) {
                most = fmax(most, at(I, H, W, y + n / 3 - 1, x + n % 3 - 1, -INFINITY));
                least = fmin(least, at(I, H, W, y + n / 3 - 1, x + n % 3 - 1, INFINITY));
            }
            *O++ = most - least;
        }
}

void causal(int, int, const double *, const double *, double *);
static void ref_causal(int M, int N, const double *A, const double *X, double *Y)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k <= i; k++)
                Y[i * N + j] -= A[i * M + k] * X[k * N + j];
}

void moments(int, const double *, double *);
static void ref_moments(int N, const double *X, double *Y)
{
    for (int i = 0; i < 5; i++) {
        double s = 0, q = 0;
        for (int j = 0; j < N; j++) {
            s += X[i * N + j];
            q += X[i * N + j] * X[i * N + j];
        }
        Y[i] = q / N - s * s / (N * (double)N);
    }
}

void gated(int, int, const double *, const double *, double *);
static void ref_gated(int M, int N, const double *X, const double *b, double *Y)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            double x = X[i * N + j];
            Y[i * N + j] = fmax(x - b[j], 0) * sqrt(fabs(x)) + fmin(b[j], 1) * j - i;
        }
}

void whole(int, int, const double *, double *);
static void ref_whole(int M, int N, const double *X, double *Y)
{
    for (int i = 0; i < M * N; i++)
        Y[0] *= X[i];
}

static int nearest(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

void smoothed(int, int, const double *, double *);
static void ref_smoothed(int M, int N, const double *X, double *Y)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            Y[i * N + j] = X[nearest(i - 1, M) * N + nearest(j + 2, N)] +
                           X[nearest(2 * i, M) * N + nearest(j - 1, N)] - X[i * N + j];
}

void places(const double *, double *);
static void ref_places(const double *X, double *Y)
{
    for (int i = 0; i < 6; i++, X += 35, Y += 4) {
        int most = 0, least = 0, first = 0, small = -1;
        for (int n = 1; n < 35; n++)
            most = floor(3 * X[n]) > floor(3 * X[most]) ? n : most;
        for (int k = 1; k < 7; k++)
            least = floor(3 * X[14 + k]) < floor(3 * X[14 + least]) ? k : least;
        for (int j = 1; j < 5; j++)
            first = floor(3 * X[7 * j]) < floor(3 * X[7 * first]) ? j : first;
        double low = INFINITY;
        for (int n = 0; n < 8; n++) {
            double x = fmax(floor(3 * X[7 * (1 + n / 2) + 2 + n % 2]), 1);
            small = x < low ? n : small;
            low = fmin(x, low);
        }
        Y[0] = most;
        Y[1] = least - 2 * first;
        Y[2] = -1;
        Y[3] = small;
    }
}

void chosen(int, int, const double *, const double *, double *);
static void ref_chosen(int M, int N, const double *X, const double *b, double *Y)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            const double *x = X + i * N;
            double s = 0;
            for (int k = 0; k < N; k++)
                s += (k < j && x[k] > b[k]) || k == M ? x[k] : k > 0 ? x[k - 1] - b[j] : 0.5;
            double inner = j > 0 && j < N - 1 ? fmin(x[j - 1], x[j + 1]) : i % 3 ? -1 : 1;
            Y[i * N + j] = s + inner;
        }
}

void folded(int, const double *, double *);
static void ref_folded(int N, const double *X, double *Y)
{
    for (int i = 0; i < N; i++) {
        double s = 0;
        for (int k = 0; k < (N + 2) / 3; k++)
            s += X[k / 2] * ((k - i) / 2);
        Y[i] = X[i / 2] * (i % 2) + X[i / 4] + s;
    }
}

void stretched(int, const double *, double *);
static void ref_stretched(int N, const double *X, double *Y)
{
    for (int i = 0; i < 3 * N + 2; i++)
        Y[i] = X[i / 3] * (1 + i % 3);
}

void dealt(int, const double *, double *);
static void ref_dealt(int N, const double *X, double *Y)
{
    for (int i = 0; i < 4 * N + 3; i++)
        Y[i] = X[i % 4 * (N + 1) + i / 4];
}

void bits(int, const double *, double *);
static void ref_bits(int N, const double *X, double *Y)
{
    for (int i = 0; i < N; i++) {
        int a = (i * 37 ^ 21) & 255;
        Y[i] = X[i] + (a - 128) / 7 % 5 + (a >> 3 | 4) - ~(a << 2) + !(a % 3) + (a != i);
    }
}

void wide(int, const double *, double *);
static void ref_wide(int N, const double *X, double *Y)
{
    uint64_t past = 9223372036854775811u;
    for (int i = 0; i < N; i++, Y += 6) {
        uint64_t a = past + 977u * (unsigned)i;
        Y[0] = X[i] * 18446744073709551611.0 + 18446744073709551610.0f;
        Y[1] = (double)(a / 9223372036854775809u + a % 9223372036854775812u);
        Y[2] = a > 9223372036854776700u ? X[i] : (double)(UINT64_MAX / 3);
        Y[3] = (double)(UINT64_MAX - 5 - 9223372036854775808u);
        Y[4] = 1;
        Y[5] = i ? X[i] : (double)UINT64_MAX;
    }
}

void outside(const double *, double *);
static void ref_outside(const double *X, double *Y)
{
    for (int i = 0, N = 9; i < N; i++, Y += 8) {
        Y[0] = (i ? i - 1 : -1) + X[i];
        Y[1] = i < N - 1 ? i + 1 : 44;
        Y[2] = i ? i - 1 : 255;
        Y[3] = i < N - 2 ? (double)(i + 2 - 9007199254740992) : 1;
        Y[4] = i > 1 ? (i - 2) / 3 : (double)(UINT64_MAX / 3);
        Y[5] = i ? i - 1 : 0.1f;
        Y[6] = i ? i - 1 : 0x1.998p-4;
        Y[7] = i ? i - 1 : 0x1.9ap-4;
    }
}

void wrapped(int, const double *, double *);
static void ref_wrapped(int N, const double *X, double *Y)
{
    for (int i = 0; i < N; i++)
        Y[i] = i ? X[i] : 7;
}

#define CHECK(name, ...)                                                                           \
    do {                                                                                           \
        fill();                                                                                    \
        for (int r = 0; r < 2; r++) {                                                              \
            double *Y = out[r];                                                                    \
            (r ? name : ref_##name)(__VA_ARGS__);                                                  \
        }                                                                                          \
        compare(#name, n);                                                                         \
    } while (0)

int main(void)
{
    static const int sizes[] = {1, 2, 3, 7, 13};
    for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); s++) {
        int n = sizes[s], m = n + 2;
        CHECK(scaled, n, m, n + 1, 1.5, -0.5, in[0], in[1], Y);
        CHECK(strided, 3, n, m, 2, in[0], in[1], Y);
        CHECK(pooled, in[0], Y);
        CHECK(causal, n, m, in[0], in[1], Y);
        CHECK(moments, m, in[0], Y);
        CHECK(gated, n, m, in[0], in[1], Y);
        CHECK(whole, 2, n, in[0], Y);
        CHECK(smoothed, n, m, in[0], Y);
        CHECK(places, in[0], Y);
        CHECK(chosen, n, m, in[0], in[1], Y);
        CHECK(folded, n, in[0], Y);
        CHECK(stretched, n, in[0], Y);
        CHECK(dealt, n, in[0], Y);
        CHECK(bits, n, in[0], Y);
        CHECK(wide, n, in[0], Y);
        CHECK(outside, in[0], Y);
        CHECK(wrapped, n, in[0], Y);
    }
    int n = 0;
    CHECK(scaled, 3, 4, 0, 1.5, -0.5, in[0], in[1], Y);
    return failures != 0;
}
