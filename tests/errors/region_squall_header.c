#include "squall.h"
void f(int n, float *x)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = 1;
#pragma endscop
}
// error: 1:10: 'squall.h' file not found
// help: leave it out: it is for descriptions, and C around a region needs nothing of squall's
