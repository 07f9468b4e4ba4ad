/* Induction variables, reversed loops, strides, interleaved data. */
#include <stdint.h>

/* run: ind_two(N / 2, a, b); */
void ind_two(int n, float *restrict a, const float *restrict b)
{
    int k = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = b[k] * 2.0f;
        k += 2;
    }
#pragma endscop
}

/* run: ind_store(N / 2, a, b, c); */
void ind_store(int n, float *restrict a, const float *restrict b, const float *restrict c)
{
    int k = -1;
#pragma scop
    for (int i = 0; i < n; i++) {
        k += 2;
        a[k] = b[i] + c[i];
    }
#pragma endscop
}

/* run: ind_value(N, 0.5f, a); */
void ind_value(int n, float s, float *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = (float)i * s;
#pragma endscop
}

/* run: ind_square(N, p, q); */
void ind_square(int n, int *restrict p, const int *restrict q)
{
#pragma scop
    for (int i = 0; i < n; i++)
        p[i] = i * i + q[i];
#pragma endscop
}

/* run: ind_triangle(N, p); */
void ind_triangle(int n, int *restrict p)
{
#pragma scop
    int t = 0;
    for (int i = 0; i < n; i++) {
        t += i;
        p[i] = t;
    }
#pragma endscop
}

/* run: rev_add(N, a, b, c); */
void rev_add(int n, float *restrict a, const float *restrict b, const float *restrict c)
{
#pragma scop
    for (int i = n - 1; i >= 0; i--)
        a[i] = b[i] + c[i] * 0.5f;
#pragma endscop
}

/* run: rev_read(N, a, b, c); */
void rev_read(int n, float *restrict a, const float *restrict b, const float *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = b[n - 1 - i] * c[i];
#pragma endscop
}

/* run: rev_shift(N, a, b); */
void rev_shift(int n, float *restrict a, const float *restrict b)
{
#pragma scop
    for (int i = n - 2; i >= 0; i--)
        a[i + 1] = a[i] * 0.5f + b[i];
#pragma endscop
}

/* run: skip_two(N / 2, a, b); */
void skip_two(int n, float *restrict a, const float *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = b[2 * i] + b[2 * i + 1];
#pragma endscop
}

/* run: skip_loop(N, a, b, c); */
void skip_loop(int n, float *restrict a, const float *restrict b, const float *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i += 2)
        a[i] = b[i] * c[i] + b[i];
#pragma endscop
}

/* run: skip_three(N / 3, u, v8); */
void skip_three(int n, uint8_t *restrict u, const uint8_t *restrict v)
{
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] = (uint8_t)((77 * v[3 * i] + 150 * v[3 * i + 1] + 29 * v[3 * i + 2]) >> 8);
#pragma endscop
}

/* run: skip_planes(N / 3, a, b, c, d); */
void skip_planes(int n, float *restrict a, float *restrict b, float *restrict c,
                 const float *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = d[3 * i];
        b[i] = d[3 * i + 1];
        c[i] = d[3 * i + 2];
    }
#pragma endscop
}

/* run: pair_join(N / 2, a, b, c); */
void pair_join(int n, float *restrict a, const float *restrict b, const float *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[2 * i] = b[i];
        a[2 * i + 1] = c[i];
    }
#pragma endscop
}

/* run: pair_complex(N / 2, a, b, c); */
void pair_complex(int n, float *restrict a, const float *restrict b, const float *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float re = b[2 * i] * c[2 * i] - b[2 * i + 1] * c[2 * i + 1];
        float im = b[2 * i] * c[2 * i + 1] + b[2 * i + 1] * c[2 * i];
        a[2 * i] = re;
        a[2 * i + 1] = im;
    }
#pragma endscop
}

/* run: hand_axpy(N, 1e-4f, a, b); */
void hand_axpy(int n, float s, float *restrict a, const float *restrict b)
{
#pragma scop
    for (int i = 0; i < n - 3; i += 4) {
        a[i] += s * b[i];
        a[i + 1] += s * b[i + 1];
        a[i + 2] += s * b[i + 2];
        a[i + 3] += s * b[i + 3];
    }
#pragma endscop
}

/* run: pair_luma(N / 4, u, m, m + N / 2, v8); */
void pair_luma(int n, uint8_t *restrict y, uint8_t *restrict u, uint8_t *restrict v, const uint8_t *restrict p)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[2 * i] = p[4 * i];
        u[i] = p[4 * i + 1];
        y[2 * i + 1] = p[4 * i + 2];
        v[i] = p[4 * i + 3];
    }
#pragma endscop
}

/* run: pair_unhaar(N / 2, a, b, c); */
void pair_unhaar(int n, const float *restrict a, const float *restrict b, float *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        c[2 * i] = (a[i] + b[i]) * 0.70710678f;
        c[2 * i + 1] = (a[i] - b[i]) * 0.70710678f;
    }
#pragma endscop
}

/* run: axpy_strided(N / 2, 0.5f, a, 2, b, 1); */
void axpy_strided(int n, float s, const float *a, int inca, float *b, int incb)
{
    int ia = 0, ib = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        b[ib] += s * a[ia];
        ia += inca;
        ib += incb;
    }
#pragma endscop
}
