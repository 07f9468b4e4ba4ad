void f(int n, long long *a)
{
#pragma scop
    for (int i = 0; i < n; i++) a[i] = 0;
#pragma endscop
}
// error: 1:15: the elements of 'a' are long long, which C distinguishes from int64_t; declare them int64_t
