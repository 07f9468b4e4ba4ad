void f(int n, unsigned long long *a)
{
#pragma scop
    for (int i = 0; i < n; i++) a[i] = 0;
#pragma endscop
}
// error: 1:15: the elements of 'a' are unsigned long long, which C distinguishes from uint64_t; declare them uint64_t
