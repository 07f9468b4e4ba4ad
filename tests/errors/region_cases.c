void f(int n, int m, int p, double a[p])
{
#pragma scop
    for (int i = 0; i < n && i < m; i++)
        a[p - 6 + i] = 0;
#pragma endscop
}
// error: 3:1: the accesses of this region stay inside their arrays and rows for no sizes that grow: 'm' has to stay small for one of them
// help: narrow the bounds of its loops, or declare the arrays as large as they reach
