/* Conditions on data, and values of several widths. */
#include <stdint.h>

/* run: if_product(N, a, b, c); */
void if_product(int n, float *restrict a, const float *restrict b, const float *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (b[i] > 0)
            a[i] = b[i] * c[i];
#pragma endscop
}

/* run: if_else(N, a, b, c); */
void if_else(int n, float *restrict a, const float *restrict b, const float *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (b[i] > c[i])
            a[i] = b[i] - c[i];
        else
            a[i] = b[i] + c[i];
#pragma endscop
}

/* run: if_nested(N, a, b, c, d); */
void if_nested(int n, float *restrict a, const float *restrict b, const float *restrict c,
               const float *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = b[i] > 0 ? (c[i] > 0 ? b[i] * c[i] : b[i] + d[i]) : d[i];
#pragma endscop
}

/* run: if_byte(N, a, b, m); */
void if_byte(int n, float *restrict a, const float *restrict b, const uint8_t *restrict m)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (m[i])
            a[i] = b[i];
#pragma endscop
}

/* run: if_mask(N, a, b, m); */
void if_mask(int n, float *restrict a, const float *restrict b, const uint8_t *restrict m)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = m[i] != 0 ? b[i] * 1.5f : 0.0f;
#pragma endscop
}

/* run: if_integers(N, p, q, s); */
void if_integers(int n, int *restrict p, const int *restrict q, const int *restrict s)
{
#pragma scop
    for (int i = 0; i < n; i++)
        p[i] = q[i] < s[i] ? q[i] : s[i] - 1;
#pragma endscop
}

/* run: if_divide(N, a, b, c); */
void if_divide(int n, float *restrict a, const float *restrict b, const float *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (c[i] != 0)
            a[i] = b[i] / c[i];
#pragma endscop
}

/* run: if_double(N, x, y, q); */
void if_double(int n, double *restrict x, const double *restrict y, const int *restrict q)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = q[i] > 0 ? y[i] * 2.0 : y[i];
#pragma endscop
}

/* run: if_negate(N, a); */
void if_negate(int n, float *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] < 0)
            a[i] = -a[i];
#pragma endscop
}

/* run: if_index(N, a, b, c); */
void if_index(int n, float *restrict a, const float *restrict b, const float *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (i < n / 2)
            a[i] = b[i];
        else
            a[i] = c[i];
#pragma endscop
}

/* run: if_two(N, a, b, c, d); */
void if_two(int n, float *restrict a, float *restrict b, const float *restrict c,
            const float *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (c[i] > 0) {
            a[i] = c[i] + d[i];
            b[i] = c[i] * d[i];
        }
#pragma endscop
}

/* run: wide_bytes(N, p, u); */
void wide_bytes(int n, int *restrict p, const uint8_t *restrict u)
{
#pragma scop
    for (int i = 0; i < n; i++)
        p[i] = u[i] * 3 + 1;
#pragma endscop
}

/* run: wide_floats(N, x, a, b); */
void wide_floats(int n, double *restrict x, const float *restrict a, const float *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = (double)a[i] * (double)b[i];
#pragma endscop
}

/* run: wide_convert(N, a, q); */
void wide_convert(int n, float *restrict a, const int *restrict q)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = (float)q[i] * 0.125f;
#pragma endscop
}

/* run: wide_truncate(N, p, b); */
void wide_truncate(int n, int *restrict p, const float *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        p[i] = (int)(b[i] * 100.0f);
#pragma endscop
}

/* run: wide_average(N, u, v8, m); */
void wide_average(int n, uint8_t *restrict u, const uint8_t *restrict v, const uint8_t *restrict m)
{
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] = (uint8_t)((v[i] + m[i] + 1) >> 1);
#pragma endscop
}

/* run: wide_saturate(N, h, k); */
void wide_saturate(int n, int16_t *restrict h, const int16_t *restrict k)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int t = 3 * k[i];
        h[i] = (int16_t)(t > 32767 ? 32767 : t < -32768 ? -32768 : t);
    }
#pragma endscop
}

/* run: wide_pixel(N, a, u); */
void wide_pixel(int n, float *restrict a, const uint8_t *restrict u)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = (float)u[i] / 255.0f - 0.5f;
#pragma endscop
}

/* run: wide_table(N, m, u, v8); */
void wide_table(int n, const uint8_t *restrict table, const uint8_t *restrict u, uint8_t *restrict v)
{
#pragma scop
    for (int i = 0; i < n; i++)
        v[i] = table[u[i]];
#pragma endscop
}

/* run: wide_levels(N, m, u, a); */
void wide_levels(int n, const uint8_t *restrict table, const uint8_t *restrict u, float *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = (float)table[u[i]] * 0.5f;
#pragma endscop
}

/* run: if_floor(N / 3, (float(*)[3])a, (const float(*)[3])b, 0.01f, 0.0f); */
void if_floor(int n, float (*restrict p)[3], const float (*restrict v)[3], float dt, float floor)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        p[i][0] += v[i][0] * dt;
        p[i][1] += v[i][1] * dt;
        p[i][2] += v[i][2] * dt;
        if (p[i][1] < floor)
            p[i][1] = floor;
    }
#pragma endscop
}

/* run: if_nearest(500, 8, (const float(*)[2])a, (const float(*)[2])b, p); */
void if_nearest(int n, int k, const float (*a)[2], const float (*b)[2], int *p)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float best = 1e30f;
        int at = 0;
        for (int j = 0; j < k; j++) {
            float x = a[i][0] - b[j][0], y = a[i][1] - b[j][1];
            float d = x * x + y * y;
            if (d < best) {
                best = d;
                at = j;
            }
        }
        p[i] = at;
    }
#pragma endscop
}
