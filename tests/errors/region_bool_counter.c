#include <stdbool.h>
void both(float a[2])
{
#pragma scop
    for (bool t = 0; t < 2; t++)
        a[t] = 1;
#pragma endscop
}
// error: 5:10: 't' counts a loop and is no integer; accepted are the types of integers
