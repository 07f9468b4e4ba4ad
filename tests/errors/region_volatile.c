void f(int n, volatile double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) a[i] = 0;
#pragma endscop
}
// error: 1:15: 'a' is volatile: every access to it counts, and none may be moved
