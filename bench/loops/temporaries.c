/* Scalars that a body sets and uses, several stores in one body, and values that live on. */

/* run: temp_square(N, a, b, c); */
void temp_square(int n, float *restrict a, const float *restrict b, const float *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float t = b[i] + c[i];
        a[i] = t * t;
    }
#pragma endscop
}

/* run: temp_two(N, a, b, c); */
void temp_two(int n, float *restrict a, const float *restrict b, const float *restrict c)
{
    float sum, difference;
#pragma scop
    for (int i = 0; i < n; i++) {
        sum = b[i] + c[i];
        difference = b[i] - c[i];
        a[i] = sum * difference + sum;
    }
#pragma endscop
}

/* run: temp_outputs(N, a, b, c, d); */
void temp_outputs(int n, float *restrict a, float *restrict b, const float *restrict c,
                  const float *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float t = c[i] * d[i];
        a[i] = t + c[i];
        b[i] = t - d[i];
    }
#pragma endscop
}

/* run: temp_rotate(N, 0.8f, 0.6f, a, b); */
void temp_rotate(int n, float co, float si, float *restrict a, float *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float t = co * a[i] + si * b[i];
        b[i] = co * b[i] - si * a[i];
        a[i] = t;
    }
#pragma endscop
}

/* run: temp_swap(N, a, b); */
void temp_swap(int n, float *restrict a, float *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
#pragma endscop
}

/* run: temp_reused(N, a, b, c, d); */
void temp_reused(int n, float *restrict a, float *restrict b, const float *restrict c,
                 const float *restrict d)
{
    float t;
#pragma scop
    for (int i = 0; i < n; i++) {
        t = c[i] + d[i];
        a[i] = t * 0.5f;
        t = c[i] - d[i];
        b[i] = t * 0.25f;
    }
#pragma endscop
}

/* run: temp_complex(N, a, b, c, d, e, f); */
void temp_complex(int n, float *restrict a, float *restrict b, const float *restrict c,
                  const float *restrict d, const float *restrict e, const float *restrict f)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = c[i] * e[i] - d[i] * f[i];
        b[i] = c[i] * f[i] + d[i] * e[i];
    }
#pragma endscop
}

/* run: r[0] = live_last(N, a, b, c); */
float live_last(int n, float *restrict a, const float *restrict b, const float *restrict c)
{
    float t = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        t = b[i] * c[i];
        a[i] = t + 1.0f;
    }
#pragma endscop
    return t;
}

/* run: wrap_previous(N, a, b); */
void wrap_previous(int n, float *restrict a, const float *restrict b)
{
#pragma scop
    float previous = b[n - 1];
    for (int i = 0; i < n; i++) {
        a[i] = (b[i] + previous) * 0.5f;
        previous = b[i];
    }
#pragma endscop
}

/* run: wrap_index(N, a, b); */
void wrap_index(int n, float *restrict a, const float *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = b[i] - b[i == 0 ? n - 1 : i - 1];
#pragma endscop
}
