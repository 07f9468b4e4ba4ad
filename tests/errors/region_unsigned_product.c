void f(unsigned n, unsigned m, float *a)
{
#pragma scop
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j != m; j++)
            a[i * m + j] += 1;
#pragma endscop
}
// error: 6:15: subscript is not affine: this product has 32 bits and is unsigned, so it goes on at 0 past 2^32; cast one of the two to size_t; accepted are sums of indices and sizes with constant factors
