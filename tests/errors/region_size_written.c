void f(int n, double *a)
{
#pragma scop
    n = n - 1;
    for (int i = 0; i < n; i++) a[i] = 0;
#pragma endscop
}
// error: 5:25: end of the loop is not affine: 'n' is written in the region; accepted are sums of indices and sizes with constant factors
