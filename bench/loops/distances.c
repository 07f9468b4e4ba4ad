/* Dependences between iterations, symbolic distances, pointers that may overlap. */

/* run: dist_ahead(N, a, b); */
void dist_ahead(int n, float *restrict a, const float *restrict b)
{
#pragma scop
    for (int i = 0; i < n - 1; i++)
        a[i] = a[i + 1] * 0.5f + b[i];
#pragma endscop
}

/* run: dist_one(N, a, b); */
void dist_one(int n, float *restrict a, const float *restrict b)
{
#pragma scop
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] * 0.5f + b[i];
#pragma endscop
}

/* run: dist_four(N, a, b); */
void dist_four(int n, float *restrict a, const float *restrict b)
{
#pragma scop
    for (int i = 4; i < n; i++)
        a[i] = a[i - 4] * 0.5f + b[i];
#pragma endscop
}

/* run: dist_filter(N, a, b); */
void dist_filter(int n, float *restrict a, const float *restrict b)
{
#pragma scop
    float y = 0;
    for (int i = 0; i < n; i++) {
        y = 0.9f * y + 0.1f * b[i];
        a[i] = y;
    }
#pragma endscop
}

/* run: dist_prefix(N, a, b); */
void dist_prefix(int n, float *restrict a, const float *restrict b)
{
#pragma scop
    float s = 0;
    for (int i = 0; i < n; i++) {
        s += b[i];
        a[i] = s;
    }
#pragma endscop
}

/* run: dist_order(N, a, b, c, d); */
void dist_order(int n, float *restrict a, float *restrict b, const float *restrict c,
                const float *restrict d)
{
#pragma scop
    for (int i = 0; i < n - 1; i++) {
        a[i] = c[i] + d[i];
        b[i] = a[i + 1] * d[i];
    }
#pragma endscop
}

/* run: dist_split(N, a, b, c, d); */
void dist_split(int n, float *restrict a, float *restrict b, const float *restrict c,
                const float *restrict d)
{
#pragma scop
    for (int i = 1; i < n; i++) {
        a[i] = c[i] * d[i] + 1.0f;
        b[i] = b[i - 1] * 0.5f + a[i];
    }
#pragma endscop
}

/* run: dist_symbol(N / 2, N / 2, a, b); */
void dist_symbol(int n, int m, float *restrict a, const float *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i + m] * 0.5f + b[i];
#pragma endscop
}

/* run: dist_alternate(N, 4, a, b); */
void dist_alternate(int n, int steps, float *restrict a, float *restrict b)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.33333f * (a[i - 1] + a[i] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
#pragma endscop
}

/* run: dist_cross(N, a, b); */
void dist_cross(int n, float *restrict a, const float *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[n - 1 - i] * 0.5f + b[i];
#pragma endscop
}

/* run: free_add(N, a, b, c); */
void free_add(int n, float *a, const float *b, const float *c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = b[i] + c[i];
#pragma endscop
}

/* run: free_two(N, x, y, z); */
void free_two(int n, double *x, double *y, const double *z)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double t = z[i] * 0.5;
        x[i] = t + 1.0;
        y[i] = t * t;
    }
#pragma endscop
}

/* run: loops_fused(N, a, b, c, d); */
void loops_fused(int n, float *restrict a, float *restrict b, const float *restrict c,
                 const float *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = c[i] + d[i];
    for (int i = 0; i < n; i++)
        b[i] = a[i] * c[i];
#pragma endscop
}
