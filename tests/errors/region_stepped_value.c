void g(int n, int m, int o, const float *x, float *y)
{
    int k = o;
#pragma scop
    for (int i = 0; i < n; i++) {
        int c = k + 1;
        k += 2;
        for (int j = 0; j < m; j++)
            y[i*m + j] = x[c*m + j];
    }
#pragma endscop
}
// error: 9:28: subscript is not affine: it multiplies two things that both vary; accepted are sums of indices and sizes with constant factors
