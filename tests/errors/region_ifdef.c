void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
#ifdef FAST
        a[i] = 0;
#else
        a[i] = 1;
#endif
#pragma endscop
}
// error: 5:1: this would be evaluated once, when the region is read, and not by whoever compiles the file; put the #if around regions
