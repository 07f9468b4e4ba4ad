void f(int n, double *a)
{
#pragma scop
    a[((((((((n - 1) * n + 1) * n + 1) * n + 1) * n + 1) * n + 1) * n + 1) * n + 1) * n + 1] = 0;
#pragma endscop
}
void g(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[(((((((i * n + i) * n + i) * n + i) * n + i) * n + i) * n + i) * n + i) * n + i] = 0;
#pragma endscop
}
void h(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[((((((((i * n + i) * n + i) * n + i) * n + i) * n + i) * n + i) * n + i) * n + i) * n + i] = 0;
#pragma endscop
}
// error: 4:5: by its subscripts in this region 'a' has more than 8 dimensions
// error: 11:9: by its subscripts in this region 'a' has more than 8 dimensions
// error: 18:9: by its subscripts in this region 'a' has more than 8 dimensions
