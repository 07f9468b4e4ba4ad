/* The plain loops a person would write first, compiled with -O3 -march=native -ffast-math: what one
 * has without squall and without a library. Sizes are macros, as squall's --fix makes them
 * constants; which function is wanted, too (bench/run defines them). */

#if defined(NAIVE_gemm)
void gemm(float alpha, float beta, const float *A, const float *B, float *C);
void gemm(float alpha, float beta, const float *restrict A, const float *restrict B,
          float *restrict C)
{
    for (long i = 0; i < M; i++)
        for (long j = 0; j < N; j++) {
            float sum = 0;
            for (long k = 0; k < K; k++)
                sum += A[i * K + k] * B[k * N + j];
            C[i * N + j] = beta * C[i * N + j] + alpha * sum;
        }
}
#endif

#if defined(NAIVE_gemm_nt) || defined(NAIVE_gemm_tn) || defined(NAIVE_gemm_tt)
#if defined(NAIVE_gemm_nt)
#define gemm_function gemm_nt
#define A_AT(i, k) A[(i)*K + (k)]
#define B_AT(k, j) B[(j)*K + (k)]
#elif defined(NAIVE_gemm_tn)
#define gemm_function gemm_tn
#define A_AT(i, k) A[(k)*M + (i)]
#define B_AT(k, j) B[(k)*N + (j)]
#else
#define gemm_function gemm_tt
#define A_AT(i, k) A[(k)*M + (i)]
#define B_AT(k, j) B[(j)*K + (k)]
#endif
void gemm_function(const float *A, const float *B, float *C);
void gemm_function(const float *restrict A, const float *restrict B, float *restrict C)
{
    for (long i = 0; i < M; i++)
        for (long j = 0; j < N; j++) {
            float sum = 0;
            for (long k = 0; k < K; k++)
                sum += A_AT(i, k) * B_AT(k, j);
            C[i * N + j] = sum;
        }
}
#endif

#if defined(NAIVE_conv2d)
#define OH ((H + 2 * PH - R) / SH + 1)
#define OW ((W + 2 * PW - S) / SW + 1)
void conv2d(const float *I, const float *G, float *O);
void conv2d(const float *restrict I, const float *restrict G, float *restrict O)
{
    for (long f = 0; f < F; f++)
        for (long y = 0; y < OH; y++)
            for (long x = 0; x < OW; x++) {
                float sum = 0;
                for (long c = 0; c < C; c++)
                    for (long r = 0; r < R; r++)
                        for (long s = 0; s < S; s++) {
                            long row = SH * y + r - PH, column = SW * x + s - PW;
                            if (row >= 0 && row < H && column >= 0 && column < W)
                                sum += I[(c * H + row) * W + column] *
                                       G[((f * C + c) * R + r) * S + s];
                        }
                O[(f * OH + y) * OW + x] = sum;
            }
}
#endif

#if defined(NAIVE_conv)
void conv(const float *I, const float *G, const float *bias, float *O);
void conv(const float *restrict I, const float *restrict G, const float *restrict bias,
          float *restrict O)
{
    for (long f = 0; f < F; f++)
        for (long y = 0; y < H; y++)
            for (long x = 0; x < W; x++) {
                float sum = bias[f];
                for (long c = 0; c < C; c++)
                    for (long r = 0; r < 3; r++)
                        for (long s = 0; s < 3; s++) {
                            long row = y + r - 1, column = x + s - 1;
                            if (row >= 0 && row < H && column >= 0 && column < W)
                                sum += I[(c * H + row) * W + column] *
                                       G[((f * C + c) * 3 + r) * 3 + s];
                        }
                O[(f * H + y) * W + x] = sum > 0 ? sum : 0;
            }
}
#endif

#if defined(NAIVE_dwconv)
#define OH ((H + 2 * P - R) / ST + 1)
#define OW ((W + 2 * P - R) / ST + 1)
void dwconv(const float *I, const float *G, float *O);
void dwconv(const float *restrict I, const float *restrict G, float *restrict O)
{
    for (long c = 0; c < C; c++)
        for (long y = 0; y < OH; y++)
            for (long x = 0; x < OW; x++) {
                float sum = 0;
                for (long r = 0; r < R; r++)
                    for (long s = 0; s < R; s++) {
                        long row = ST * y + r - P, column = ST * x + s - P;
                        if (row >= 0 && row < H && column >= 0 && column < W)
                            sum += I[(c * H + row) * W + column] * G[(c * R + r) * R + s];
                    }
                O[(c * OH + y) * OW + x] = sum;
            }
}
#endif
