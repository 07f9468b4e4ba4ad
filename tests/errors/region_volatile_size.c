volatile int n;
void f(double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma endscop
}
// error: 1:1: 'n' is volatile: every access to it counts, and none may be moved
