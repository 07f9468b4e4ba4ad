void f(unsigned n, double *a) {
#pragma scop
  for (unsigned i = 0; i < n; i++)
    a[i-1+1] += 1;
#pragma endscop
}
// error: 4:7: this is unsigned and leaves its range, for example with n=1, where C goes on at the other end; declare its variables int or int64_t
