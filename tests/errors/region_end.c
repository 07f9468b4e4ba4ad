void f(int n, double *a)
{
    for (int i = 0; i < n; i++) a[i] = 0;
#pragma endscop
}
#pragma scop
#pragma endscop
// error: 4:1: '#pragma endscop' without '#pragma scop' before it
