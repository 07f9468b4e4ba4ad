/* The kernels of kernels.sq as plain loops, under the same names: what they compute, and what a compiler
 * makes of it alone. `restrict` tells it what Squall assumes, too: that no two arrays overlap. */
#include "kernels.h"
#include "model.h"
#include <float.h>
#include <math.h>

void rmsnorm(int T, float eps, const float *restrict X, const float *restrict gain,
             float *restrict Y)
{
    for (int t = 0; t < T; t++) {
        float sum = 0;
        for (int i = 0; i < DIM; i++)
            sum += X[t * DIM + i] * X[t * DIM + i];
        float scale = 1 / sqrtf(sum / DIM + eps);
        for (int i = 0; i < DIM; i++)
            Y[t * DIM + i] = X[t * DIM + i] * scale * gain[i];
    }
}

void matmul(int T, int N, int K, const float *restrict X, const float *restrict W,
            float *restrict Y)
{
    for (int t = 0; t < T; t++)
        for (int n = 0; n < N; n++) {
            float sum = 0;
            for (int k = 0; k < K; k++)
                sum += X[t * K + k] * W[n * K + k];
            Y[t * N + n] = sum;
        }
}

void matvec(int N, int K, const float *restrict X, const float *restrict W, float *restrict Y)
{
    matmul(1, N, K, X, W, Y);
}

void matmul_q8(int T, int N, int B, const float *restrict X, const int8_t *restrict W,
               const float *restrict scale, float *restrict Y)
{
    for (int t = 0; t < T; t++)
        for (int n = 0; n < N; n++) {
            float sum = 0;
            for (int b = 0; b < B; b++) {
                float part = 0;
                for (int k = 0; k < BLOCK; k++)
                    part += X[(t * B + b) * BLOCK + k] * W[(n * B + b) * BLOCK + k];
                sum += part * scale[n * B + b];
            }
            Y[t * N + n] = sum;
        }
}

void matvec_q8(int N, int B, const float *restrict X, const int8_t *restrict W,
               const float *restrict scale, float *restrict Y)
{
    matmul_q8(1, N, B, X, W, scale, Y);
}

void rope(int T, const float *restrict X, const float *restrict cosine, const float *restrict sine,
          float *restrict Y)
{
    enum { HALF = HEAD / 2 };
    for (int t = 0; t < T; t++)
        for (int h = 0; h < HEADS; h++) {
            const float *x = X + (t * HEADS + h) * HEAD, *c = cosine + t * HALF,
                        *s = sine + t * HALF;
            float *y = Y + (t * HEADS + h) * HEAD;
            for (int i = 0; i < HALF; i++) {
                y[i] = x[i] * c[i] - x[HALF + i] * s[i];
                y[HALF + i] = x[HALF + i] * c[i] + x[i] * s[i];
            }
        }
}

void attention(int T, int P, float scale, const float *restrict Q, const float *restrict K,
               const float *restrict V, float *restrict O)
{
    for (int t = 0; t < T; t++)
        for (int h = 0; h < HEADS; h++) {
            const float *q = Q + (t * HEADS + h) * HEAD;
            float *o = O + (t * HEADS + h) * HEAD;
            float S[CONTEXT], most = -FLT_MAX, total = 0;
            int n = P + t + 1;
            for (int j = 0; j < n; j++) {
                float sum = 0;
                for (int d = 0; d < HEAD; d++)
                    sum += q[d] * K[(j * HEADS + h) * HEAD + d];
                S[j] = scale * sum;
            }
            for (int j = 0; j < n; j++)
                most = S[j] > most ? S[j] : most;
            for (int j = 0; j < n; j++) {
                S[j] = expf(S[j] - most);
                total += S[j];
            }
            for (int d = 0; d < HEAD; d++)
                o[d] = 0;
            for (int j = 0; j < n; j++)
                for (int d = 0; d < HEAD; d++)
                    o[d] += S[j] * V[(j * HEADS + h) * HEAD + d];
            for (int d = 0; d < HEAD; d++)
                o[d] /= total;
        }
}

void swiglu(int T, float *restrict G, const float *restrict U)
{
    for (int i = 0; i < T * HIDDEN; i++)
        G[i] = G[i] / (1 + expf(-G[i])) * U[i];
}

void add(int T, const float *restrict Y, float *restrict X)
{
    for (int i = 0; i < T * DIM; i++)
        X[i] += Y[i];
}

void softmax(int T, const float *restrict X, float *restrict Y)
{
    for (int t = 0; t < T; t++) {
        const float *x = X + t * VOCABULARY;
        float *y = Y + t * VOCABULARY, most = x[0], total = 0;
        for (int i = 1; i < VOCABULARY; i++)
            most = x[i] > most ? x[i] : most;
        for (int i = 0; i < VOCABULARY; i++) {
            y[i] = expf(x[i] - most);
            total += y[i];
        }
        for (int i = 0; i < VOCABULARY; i++)
            y[i] /= total;
    }
}

void greedy(const float *restrict X, int32_t *restrict best)
{
    *best = 0;
    for (int i = 1; i < VOCABULARY; i++)
        if (X[i] > X[*best])
            *best = i;
}
