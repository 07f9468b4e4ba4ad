void f(int n, int m, double *a) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= m; j++)
    a[i*m+j] += 1;
#pragma endscop
}
// error: 5:5: 'a' is read out of bounds: for example with n=1, m=0: S0[i=0, j=0] reads a[0][0]
// help: 5:5: by its subscripts in this region 'a' has 2 dimensions, and each has to stay inside of its own, as j < n in a[i*n + j]
// error: 5:5: 'a' is written out of bounds: for example with n=1, m=0: S0[i=0, j=0] writes a[0][0]
// help: 5:5: by its subscripts in this region 'a' has 2 dimensions, and each has to stay inside of its own, as j < n in a[i*n + j]
