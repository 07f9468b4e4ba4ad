#include <math.h>
void f(int n, float *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = fmaxf(a[i], 0);
#pragma endscop
}
// error: 6:16: function 'fmaxf' is not accepted in a region; accepted are exp exp2 log log2 sqrt tanh erf sin cos fabs floor ceil pow and their f forms, of <math.h>
// help: write x > y ? x : y, which is y where x is NaN; fmaxf is x where y is
