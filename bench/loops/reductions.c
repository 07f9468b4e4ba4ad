/* Reductions to a scalar. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* run: r[0] = red_sum(N, a); */
float red_sum(int n, const float *restrict a)
{
    float s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += a[i];
#pragma endscop
    return s;
}

/* run: r[0] = red_dot(N, x, y); */
double red_dot(int n, const double *restrict x, const double *restrict y)
{
    double s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += x[i] * y[i];
#pragma endscop
    return s;
}

/* run: r[0] = red_max(N, a); */
float red_max(int n, const float *restrict a)
{
    float most = a[0];
#pragma scop
    for (int i = 1; i < n; i++)
        most = a[i] > most ? a[i] : most;
#pragma endscop
    return most;
}

/* run: r[0] = red_min_if(N, x); */
double red_min_if(int n, const double *restrict x)
{
    double least = x[0];
#pragma scop
    for (int i = 1; i < n; i++)
        if (x[i] < least)
            least = x[i];
#pragma endscop
    return least;
}

/* run: r[0] = red_product(N, g); */
float red_product(int n, const float *restrict g)
{
    float s = 1;
#pragma scop
    for (int i = 0; i < n; i++)
        s *= g[i];
#pragma endscop
    return s;
}

/* run: r[0] = red_count(N, a); */
int red_count(int n, const float *restrict a)
{
    int count = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        count += a[i] > 0.25f;
#pragma endscop
    return count;
}

/* run: r[0] = red_where(N, a); */
int red_where(int n, const float *restrict a)
{
    float most = a[0];
    int at = 0;
#pragma scop
    for (int i = 1; i < n; i++) {
        at = a[i] > most ? i : at;
        most = a[i] > most ? a[i] : most;
    }
#pragma endscop
    return at;
}

/* run: r[0] = red_distance(N, a, b); */
float red_distance(int n, const float *restrict a, const float *restrict b)
{
    float s = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        float t = a[i] - b[i];
        s += t * t;
    }
#pragma endscop
    return s;
}

/* run: r[0] = red_bytes(N, u); */
int red_bytes(int n, const uint8_t *restrict u)
{
    int s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += u[i];
#pragma endscop
    return s;
}

/* run: r[0] = red_if(N, 0.1f, a, b); */
float red_if(int n, float least, const float *restrict a, const float *restrict b)
{
    float s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] > least)
            s += b[i];
#pragma endscop
    return s;
}

/* run: red_two(N, a, b, r); */
void red_two(int n, const float *restrict a, const float *restrict b, double *restrict r)
{
    float s = 0, t = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        s += a[i];
        t += a[i] * b[i];
    }
#pragma endscop
    r[0] = s;
    r[1] = t;
}

/* run: r[0] = red_variance(N, x); */
double red_variance(int n, const double *restrict x)
{
    double mean = 0, s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        mean += x[i];
    mean /= n;
    for (int i = 0; i < n; i++)
        s += (x[i] - mean) * (x[i] - mean);
#pragma endscop
    return s;
}

/* run: r[0] = red_any(N, p, s); */
int red_any(int n, const int *restrict p, const int *restrict q)
{
    int any = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        any |= p[i] ^ q[i];
#pragma endscop
    return any;
}

/* run: r[0] = red_wide(N, a, b); */
double red_wide(int n, const float *restrict a, const float *restrict b)
{
    double s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += (double)a[i] * (double)b[i];
#pragma endscop
    return s;
}

/* run: r[0] = red_shorts(N, h, k); */
int red_shorts(int n, const int16_t *restrict h, const int16_t *restrict k)
{
    int s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += h[i] * k[i];
#pragma endscop
    return s;
}

/* run: r[0] = red_four(N, a, b); */
float red_four(int n, const float *restrict a, const float *restrict b)
{
    float s = 0;
#pragma scop
    for (int i = 0; i < n - 3; i += 4)
        s += a[i] * b[i] + a[i + 1] * b[i + 1] + a[i + 2] * b[i + 2] + a[i + 3] * b[i + 3];
#pragma endscop
    return s;
}

/* run: p[0] = red_apart(N / 4, u, v8); */
int red_apart(int n, const uint8_t *restrict u, const uint8_t *restrict v)
{
    int s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += abs(u[i] - v[i]);
#pragma endscop
    return s;
}

/* run: p[0] = red_block(u, v8, 64); */
int red_block(const uint8_t *restrict u, const uint8_t *restrict v, int stride)
{
    int s = 0;
#pragma scop
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 16; x++)
            s += abs(u[y * stride + x] - v[y * stride + x]);
#pragma endscop
    return s;
}
