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

/* In [0.5, 1.5) or [-1, 1), of as many digits as the type holds, so that a product has to be
 * rounded: whether it was, before something was added to it, shows. Exact in the type. */
static inline double sq_unit(uint64_t *s, int positive, int digits)
{
    double u = (double)(sq_next(s) >> (64 - digits)) / (double)((uint64_t)1 << digits);
    return positive ? 0.5 + u : 2 * u - 1;
}

/* By what such numbers are multiplied, each of the eight as often: up to `reach` in absolute value, a part of
 * them near 0. A table, since a branch on what was drawn is foreseen in every second case at best. */
static inline void sq_sizes_of_values(int positive, double reach, double size[8])
{
    double most = positive ? reach * 2 / 3 : reach, least = positive ? 1 / reach : 0x1p-14;
    const double all[] = {positive ? 1 : 0, 1 / reach, least, 1, 1, most, most, most};
    memcpy(size, all, sizeof all);
}
#endif
