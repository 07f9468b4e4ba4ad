void f(int n, double *b)
{
    double a[10];
#pragma scop
    for (int i = n; i < 0; i++) a[i] = b[0];
#pragma endscop
    b[0] = a[0];
}
// error: 5:33: 'a' is written out of bounds: for example with n=-1: S0[i=-1] writes a[-1]
// help: 5:33: narrow the bounds of its loop, or declare the array larger
