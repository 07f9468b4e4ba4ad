/* Element-wise chains. A comment in front of each function says how bench-loops calls it; the names
 * are those of bench/loops/data.h. */
#include <math.h>
#include <stdint.h>

/* run: chain_add(N, a, b, c); */
void chain_add(int n, float *restrict a, const float *restrict b, const float *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = b[i] + c[i];
#pragma endscop
}

/* run: chain_axpy(N, 1e-4f, a, b); */
void chain_axpy(int n, float s, float *restrict a, const float *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] += s * b[i];
#pragma endscop
}

/* run: chain_five(N, a, b, c, d, e); */
void chain_five(int n, float *restrict a, const float *restrict b, const float *restrict c,
                const float *restrict d, const float *restrict e)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = (b[i] + c[i]) * (d[i] - e[i]) + 0.5f;
#pragma endscop
}

/* run: chain_root(N, a, b, c); */
void chain_root(int n, float *restrict a, const float *restrict b, const float *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = sqrtf(b[i] * b[i] + c[i] * c[i]);
#pragma endscop
}

/* run: chain_exp(N, a, b); */
void chain_exp(int n, float *restrict a, const float *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 1.0f / (1.0f + expf(-b[i]));
#pragma endscop
}

/* run: chain_horner(N, x, y); */
void chain_horner(int n, double *restrict x, const double *restrict y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = ((((0.1 * y[i] + 0.2) * y[i] + 0.3) * y[i] + 0.4) * y[i] + 0.5) * y[i] + 0.6;
#pragma endscop
}

/* run: chain_distance(N, a, b, c); */
void chain_distance(int n, float *restrict a, const float *restrict b, const float *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = fabsf(b[i] - c[i]);
#pragma endscop
}

/* run: chain_clamp(N, -0.5f, 0.5f, a, b); */
void chain_clamp(int n, float lo, float hi, float *restrict a, const float *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = b[i] < lo ? lo : b[i] > hi ? hi : b[i];
#pragma endscop
}

/* run: chain_integers(N, p, q, s); */
void chain_integers(int n, int *restrict p, const int *restrict q, const int *restrict s)
{
#pragma scop
    for (int i = 0; i < n; i++)
        p[i] = 3 * q[i] - s[i] + 7;
#pragma endscop
}

/* run: chain_bits(N, w, v); */
void chain_bits(int n, uint32_t *restrict w, const uint32_t *restrict v)
{
#pragma scop
    for (int i = 0; i < n; i++)
        w[i] = (v[i] << 7) ^ (v[i] >> 3) ^ (v[i] & 255u);
#pragma endscop
}

/* run: r[0] = chain_global(b[0]); */
enum { GLOBAL = 8000 };
float chain_to[GLOBAL], chain_from[GLOBAL];
float chain_global(float add)
{
#pragma scop
    for (int i = 0; i < GLOBAL; i++)
        chain_to[i] = chain_from[i] * 0.25f + add;
#pragma endscop
    return chain_to[GLOBAL - 1];
}
