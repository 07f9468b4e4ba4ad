void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) a[i * i] = 0;
#pragma endscop
}
// error: 4:35: subscript is not affine: it multiplies two things that both vary; accepted are sums of indices and sizes with constant factors
