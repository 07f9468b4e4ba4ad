void f(int n, int m, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i * n + j] = a[i * m + j];
#pragma endscop
}
// error: 5:37: no shape of 'a' fits all of its subscripts in this region
// help: accepted are a[i*n + j], a[(i*n + j)*m + k] and the like, with the same sizes everywhere
