void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) a[i] = 0;
#pragma scop
#pragma endscop
}
// error: 5:1: '#pragma scop' inside a region; write '#pragma endscop' first
