void f(int n, double (*g)(double), double *y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = g(y[i]);
#pragma endscop
}
// error: 1:15: 'g' points to a function, and what it does is not known; accepted are calls of functions of <math.h>
