/* Nests of loops. */

/* run: nest_transpose(M, A, B); */
void nest_transpose(int m, float A[restrict m][m], float B[restrict m][m])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            A[i][j] = B[j][i];
#pragma endscop
}

/* run: nest_cross(M, A, B); */
void nest_cross(int m, float A[restrict m][m], float B[restrict m][m])
{
#pragma scop
    for (int i = 1; i < m - 1; i++)
        for (int j = 1; j < m - 1; j++)
            A[i][j] = 0.2f * (B[i][j] + B[i - 1][j] + B[i + 1][j] + B[i][j - 1] + B[i][j + 1]);
#pragma endscop
}

/* run: nest_blur(M, A, B); */
void nest_blur(int m, float A[restrict m][m], float B[restrict m][m])
{
#pragma scop
    for (int i = 1; i < m - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            float s = 0;
            for (int y = -1; y <= 1; y++)
                for (int x = -1; x <= 1; x++)
                    s += B[i + y][j + x];
            A[i][j] = s / 9.0f;
        }
#pragma endscop
}

/* run: nest_rows(M, a, A, b); */
void nest_rows(int m, float *restrict a, float A[restrict m][m], const float *restrict b)
{
#pragma scop
    for (int i = 0; i < m; i++) {
        float s = 0;
        for (int j = 0; j < m; j++)
            s += A[i][j] * b[j];
        a[i] = s;
    }
#pragma endscop
}

/* run: nest_columns(M, a, A, b); */
void nest_columns(int m, float *restrict a, float A[restrict m][m], const float *restrict b)
{
#pragma scop
    for (int i = 0; i < m; i++) {
        a[i] = 0;
        for (int j = 0; j < m; j++)
            a[i] += A[j][i] * b[j];
    }
#pragma endscop
}

/* run: nest_product(M, 0.5f, A, B, C); */
void nest_product(int m, float alpha, float A[restrict m][m], float B[restrict m][m],
                  float C[restrict m][m])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            A[i][j] = 0;
    for (int i = 0; i < m; i++)
        for (int k = 0; k < m; k++) {
            float t = alpha * B[i][k];
            for (int j = 0; j < m; j++)
                A[i][j] += t * C[k][j];
        }
#pragma endscop
}

/* run: nest_triangle(M, A, B, b); */
void nest_triangle(int m, float A[restrict m][m], float B[restrict m][m], const float *restrict b)
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++)
            A[i][j] = B[i][j] * b[j];
#pragma endscop
}

/* run: nest_solve(M, a, B, b); */
void nest_solve(int m, float *restrict a, float B[restrict m][m], const float *restrict b)
{
#pragma scop
    for (int i = 0; i < m; i++) {
        float s = b[i];
        for (int j = 0; j < i; j++)
            s -= 0.01f * B[i][j] * a[j];
        a[i] = s;
    }
#pragma endscop
}

/* run: nest_sums(M, a, A); */
void nest_sums(int m, float *restrict a, float A[restrict m][m])
{
#pragma scop
    for (int j = 0; j < m; j++)
        a[j] = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            a[j] += A[i][j];
#pragma endscop
}

/* run: nest_points(N / 3, (float (*)[3])a, (float (*)[3])b, 0.5f); */
void nest_points(int n, float (*restrict a)[3], float (*restrict b)[3], float s)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            a[i][k] = b[i][k] * s + 1.0f;
#pragma endscop
}

/* run: nest_lengths(N / 3, a, (float (*)[3])b); */
void nest_lengths(int n, float *restrict a, float (*restrict b)[3])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = 0; k < 3; k++)
            s += b[i][k] * b[i][k];
        a[i] = s;
    }
#pragma endscop
}

/* run: nest_gather(N, a, b, g, index); */
void nest_gather(int n, float *restrict a, const float *restrict b, const float *restrict g,
                 const int *restrict index)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = b[index[i]] + g[i];
#pragma endscop
}

/* run: nest_wave(M, A, B); */
void nest_wave(int m, float A[restrict m][m], float B[restrict m][m])
{
#pragma scop
    for (int i = 1; i < m; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = 0.4f * (A[i - 1][j] + A[i][j - 1]) + B[i][j];
#pragma endscop
}

/* run: nest_down(M, A, B); */
void nest_down(int m, float A[restrict m][m], float B[restrict m][m])
{
#pragma scop
    for (int j = 0; j < m; j++)
        for (int i = 1; i < m; i++)
            A[i][j] = 0.5f * A[i - 1][j] + B[i][j];
#pragma endscop
}

/* run: nest_across(M, A, B); */
void nest_across(int m, float A[restrict m][m], float B[restrict m][m])
{
#pragma scop
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++)
            A[i][j] = B[i][j] * 2.0f + 1.0f;
#pragma endscop
}

/* run: nest_filter(N - 8, a, b, g); */
void nest_filter(int n, float *restrict a, const float *restrict b, const float *restrict taps)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = 0; k < 8; k++)
            s += b[i + k] * taps[k];
        a[i] = s;
    }
#pragma endscop
}

/* run: nest_syrk(M / 2, A, B); */
void nest_syrk(int m, float A[restrict m][m], float B[restrict m][m])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++) {
            A[i][j] = 0;
            for (int k = 0; k < m; k++)
                A[i][j] += B[i][k] * B[j][k];
        }
#pragma endscop
}

/* run: nest_plane(N / 2, (void *)c, (void *)a, (void *)b); */
void nest_plane(int n, const float turn[2][2], const float (*restrict from)[2], float (*restrict to)[2])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int r = 0; r < 2; r++) {
            float s = 0;
            for (int c = 0; c < 2; c++)
                s += turn[r][c] * from[i][c];
            to[i][r] = s;
        }
#pragma endscop
}
