/* Values: the numbers that arrays are filled with. Inline, like element.h. */
#ifndef SQ_RUNTIME_VALUES_H
#define SQ_RUNTIME_VALUES_H
#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t sq_next(uint64_t *s) /* splitmix64, Steele, Lea and Flood 2014 */
{
    uint64_t z = (*s += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Returns a number in [0.5, 1.5) or [-1, 1), with all digits of the type, so that a product needs
 * rounding and it shows whether it was rounded before an addition. Exact in the type. */
static inline double sq_unit(uint64_t *s, int positive, int digits)
{
    double u = (double)(sq_next(s) >> (64 - digits)) / (double)((uint64_t)1 << digits);
    return positive ? 0.5 + u : 2 * u - 1;
}

/* Fills a table of eight factors of such numbers, chosen with equal frequency: up to `reach` in
 * absolute value, some near 0. A table, since a branch on random values is mispredicted half of the
 * time. */
static inline void sq_sizes_of_values(int positive, double reach, double size[8])
{
    double most = positive ? reach * 2 / 3 : reach, least = positive ? 1 / reach : 0x1p-14;
    const double all[] = {positive ? 1 : 0, 1 / reach, least, 1, 1, most, most, most};
    memcpy(size, all, sizeof all);
}
#endif
