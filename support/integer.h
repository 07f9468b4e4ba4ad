/* Integer: what C's own division does not say. */
#ifndef SQ_SUPPORT_INTEGER_H
#define SQ_SUPPORT_INTEGER_H
#include <stdint.h>

/* The greatest common divisor, never negative; 0 of two zeros. */
int64_t sq_gcd(int64_t a, int64_t b);
/* a / b rounded down; b is not 0. */
int64_t sq_floor_div(int64_t a, int64_t b);
#endif
