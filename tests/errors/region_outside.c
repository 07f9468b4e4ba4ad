#pragma scop
void f(int n, double *a)
{
    for (int i = 0; i < n; i++) a[i] = 0;
}
#pragma endscop
// error: 1:1: this region stands in no function of this file; a region holds statements
