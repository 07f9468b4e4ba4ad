void f(int n, double *a)
{
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma endscop
}
// error: 5:1: '#pragma endscop' without '#pragma scop' before it
