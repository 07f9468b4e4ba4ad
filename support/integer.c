/* Integer: see integer.h. */
#include "support/integer.h"
#include <stdlib.h>

int64_t sq_gcd(int64_t a, int64_t b)
{
    return b ? sq_gcd(b, a % b) : llabs(a);
}

int64_t sq_floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}
