void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) a[i - 1] = 0;
#pragma endscop
}
// error: 4:33: 'a' is written out of bounds: for example with n=1: S0[i=0] writes a[-1]
// help: 4:33: narrow the bounds of its loop, or declare the array larger
