/* Ulp: how far a result is from the exact value, in units in the last place. `real` is f32, or f64 where
 * F64 is defined, `wide` a type whose functions stand for exact values. */
#ifndef SQ_TESTS_ULP_H
#define SQ_TESTS_ULP_H
#include <math.h>

#ifdef F64
typedef double real;
typedef long double wide;
#define W(name) name##l
enum { DIGITS = 53, LEAST = -1022 };
#else
typedef float real;
typedef double wide;
#define W(name) name
enum { DIGITS = 24, LEAST = -126 };
#endif

static inline wide wide_sigmoid(wide x)
{
    return x < 0 ? W(exp)(x) / (1 + W(exp)(x)) : 1 / (1 + W(exp)(-x));
}

static inline wide wide_rsqrt(wide x)
{
    return 1 / W(sqrt)(x);
}

/* Distance in units in the last place of the exact value; infinite where one is special. */
static inline double distance(real y, wide exact)
{
    real rounded = (real)exact;
    int e;
    if (isnan(exact) || isnan(y))
        return isnan(exact) && isnan(y) ? 0 : INFINITY;
    if ((exact == 0 || y == 0) && !signbit(exact) != !signbit(y))
        return INFINITY;
    if (isinf(rounded) || isinf(y)) {
        if (rounded == y)
            return 0;
        if (isinf(exact)) /* else the type's largest number may be as near */
            return INFINITY;
    }
    W(frexp)(exact, &e);
    e = e - 1 < LEAST ? LEAST + 1 : e;
    wide from = isinf(y) ? W(copysign)(W(ldexp)(1, 2 - LEAST), y) : y;
    return (double)(W(fabs)(from - exact) / W(ldexp)(1, e - DIGITS));
}
#endif
