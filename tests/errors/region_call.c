#include <stdio.h>
void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = 0;
        printf("%d", i);
    }
#pragma endscop
}
// error: 7:9: a call of 'printf' is no statement of a region; accepted are assignments, for, if and declarations
