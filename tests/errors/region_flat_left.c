void f(int n, double *t) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      t[i*n+2*j] += 1;
#pragma endscop
}
// error: 5:7: 't' is read out of bounds: for example with n=2: S0[i=0, j=1] reads t[0][2]
// help: 5:7: by its subscripts in this region 't' has 2 dimensions, and each has to stay inside of its own, as j < n in t[i*n + j]
// error: 5:7: 't' is written out of bounds: for example with n=2: S0[i=0, j=1] writes t[0][2]
// help: 5:7: by its subscripts in this region 't' has 2 dimensions, and each has to stay inside of its own, as j < n in t[i*n + j]
