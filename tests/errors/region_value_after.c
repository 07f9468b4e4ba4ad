/* A sparse product in ELLPACK: rows without entries are all that x[c] leaves. */
void ell(int n, int width, const int *restrict col, const float *restrict val, const float *restrict x,
         float *restrict y)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int k = 0; k < width; k++) {
            int c = col[k * n + i];
            y[i] += val[k * n + i] * x[c];
        }
    }
#pragma endscop
}
// error: 10:38: a subscript of 'x' is a value, and stays inside of it at no sizes at which it is read
// help: limit it, as in x < 0 ? 0 : x > n - 1 ? n - 1 : x, or by its type, as a uint8_t is; one inside of a row is a subscript of its own: before the region const float (*rows)[m] = (const float (*)[m])x, and rows[i][x] for x[i*m + x]
