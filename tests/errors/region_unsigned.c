#include <stddef.h>
void f(size_t n, double *a)
{
#pragma scop
    for (size_t i = n - 1; i < n; i--)
        a[i] = 0;
#pragma endscop
}
// error: 5:28: this is unsigned and leaves its range, for example with n=1, where C goes on at the other end; declare its variables int or int64_t
// help: a loop down to 0 that ends there is for (i = n; i-- > 0;)
