void f(int n, double *a)
{
#if 1
#pragma scop
#endif
    for (int i = 0; i < n; i++) a[i] = 0;
#pragma endscop
}
// error: 5:1: the #if around '#pragma scop' ends inside the region; put '#pragma endscop' before this line
