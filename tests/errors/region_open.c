void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) a[i] = 0;
}
// error: 3:1: this region has no end; write '#pragma endscop' after its last statement
