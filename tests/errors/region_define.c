void f(int n, double *a)
{
#pragma scop
#define ONE 1
    for (int i = 0; i < n; i++)
        a[i] = ONE;
#pragma endscop
    a[0] += ONE;
}
// error: 4:1: this stands in a region, whose text may give way to a call; put it before '#pragma scop'
