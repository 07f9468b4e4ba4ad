/* Attention and softmax by tiles against plain loops in double, with scores of which the
 * exponential alone would overflow, at sizes around the tile, and with rows that start with -inf.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void attention(int, int, int, float, const float *, const float *, const float *, float *);
void soft(int, int, const float *, float *);
void log_sum(int, int, const double *, double *, double *);

enum { H = 2, MOST = 70, D = 5 };
static float Q[H * MOST * D], K[H * MOST * D], V[H * MOST * D], O[H * MOST * D];
static float X[3 * MOST], Y[3 * MOST];
static double Z[3 * MOST], S[3], M[3];
static unsigned long long state = 1;
static int bad;

static float draw(float most)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return most * ((float)(state >> 40) / (1 << 23) - 1);
}

static void expect(const char *what, int n, int at, double got, double want, double bound)
{
    if (isnan(want) ? isnan(got) : fabs(got - want) <= bound * (1 + fabs(want)))
        return;
    if (bad++ < 10)
        printf("%s, size %d: element %d is %g, not %g\n", what, n, at, got, want);
}

static void check_attention(int L, float most)
{
    float scale = 0.5f;
    for (int i = 0; i < H * L * D; i++)
        Q[i] = draw(most), K[i] = draw(most), V[i] = draw(1), O[i] = NAN;
    attention(H, L, D, scale, Q, K, V, O);
    for (int r = 0; r < H * L; r++) {
        double p[MOST], top = -INFINITY, sum = 0, out[D] = {0}, size = 0;
        for (int j = 0; j <= r % L; j++) {
            p[j] = 0;
            for (int d = 0; d < D; d++)
                p[j] += (double)scale * Q[r * D + d] * K[(r / L * L + j) * D + d];
            top = fmax(top, p[j]);
            size = fmax(size, fabs(p[j]));
        }
        for (int j = 0; j <= r % L; j++) {
            sum += exp(p[j] - top);
            for (int d = 0; d < D; d++)
                out[d] += exp(p[j] - top) * V[(r / L * L + j) * D + d];
        }
        for (int d = 0; d < D; d++)
            expect("attention", L, r * D + d, O[r * D + d], out[d] / sum, 6e-7 * (8 + size));
    }
}

/* `masked` leading columns of every row are -inf. */
static void check_soft(int N, float most, int masked)
{
    for (int i = 0; i < 3 * N; i++) {
        Z[i] = X[i] = i % N < masked ? -INFINITY : draw(most);
        Y[i] = NAN;
    }
    soft(3, N, X, Y);
    log_sum(3, N, Z, S, M);
    for (int r = 0; r < 3; r++) {
        double top = -INFINITY, sum = 0;
        for (int j = 0; j < N; j++)
            top = fmax(top, X[r * N + j]);
        for (int j = 0; j < N; j++)
            sum += exp(X[r * N + j] - top);
        for (int j = 0; j < N; j++)
            expect("softmax", N, r * N + j, Y[r * N + j], exp(X[r * N + j] - top) / sum,
                   6e-7 * (8 + most));
        if (N > masked) { /* log(0) is what is left of nothing */
            expect("maximum", N, r, M[r], top, 0);
            expect("log_sum", N, r, S[r], top + log(sum), 1e-14);
        }
    }
}

int main(void)
{
    static const int sizes[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, 33, 64, 65, 70};
    for (int i = 0; i < 13; i++) {
        check_attention(sizes[i], 1);
        check_attention(sizes[i], 8); /* scores of about 80 either way */
        check_attention(sizes[i], 30);
        check_soft(sizes[i], 2, 0);
        check_soft(sizes[i], 80, 0);
        check_soft(sizes[i], 1000, 0);
        if (sizes[i] > 1)
            check_soft(sizes[i], 80, sizes[i] / 2);
        if (sizes[i] > 9)
            check_soft(sizes[i], 80, 9);
        check_soft(sizes[i], 80, sizes[i]);
    }
    return bad > 0;
}
