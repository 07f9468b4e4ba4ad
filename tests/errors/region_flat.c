void f(int n, int m, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i * n + j] = a[i * m + j];
#pragma endscop
}
// error: 5:52: the subscripts of 'a', which this region writes, have several shapes, and which elements are the same is not known
// note: 5:37: another shape
// help: accepted are several shapes of what is only read, or under conditions of sizes of which a call meets one, as in if (forward) ... else ...; else make two regions of this one
