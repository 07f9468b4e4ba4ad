void f(int n, double *a)
{
#ifdef FAST
#pragma scop
    for (int i = 0; i < n; i++) a[i] = 0;
#pragma endscop
#endif
}
// error: 1:1: every region of this file is under an #if that does not hold; are the -D options right?
