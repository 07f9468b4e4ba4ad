void f(int n, const int *idx, double *h) {
#pragma scop
  for (int i = 0; i < n; i++)
    h[idx[i]]++;
#pragma endscop
}
// error: 4:7: subscript is not affine: it reads an array, so what it is depends on values; accepted are sums of indices and sizes with constant factors
// help: leave this loop as it is, outside of the region
