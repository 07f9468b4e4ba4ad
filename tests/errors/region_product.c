void f(int n, long h, long w, double *restrict a)
{
#pragma scop
    for (int i = 0; i < h * w; i++)
        a[i] = 0;
#pragma endscop
}
// error: 4:25: end of the loop is not affine: it multiplies two things that both vary; accepted are sums of indices and sizes with constant factors
// help: write a loop for each of the two, with a[y*w + x], or give the product a name before the region: int n = h * w; and i < n
