void f(int n, float *a, const float *x)
{
    int k = 0;
    for (int t = 0; t < 3; t++) {
#pragma scop
        for (int i = 0; i < n; i++) {
            a[k] = x[i];
            k += 1;
        }
#pragma endscop
    }
}
// error: 7:15: subscript is not affine: 'k' is written in the region; accepted are sums of indices and sizes with constant factors
