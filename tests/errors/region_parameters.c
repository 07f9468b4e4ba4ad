void f(int n, double *a)
{
#pragma squall parameters a n
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma endscop
}
// error: 3:16: the function of a region is called by the new file alone, which passes what the region uses: it has no order that callers know
