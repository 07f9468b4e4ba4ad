/* Plain C loops mean what C says: every kernel of loops.sq is built twice, by the C compiler from
 * the description itself (ref_*) and by squall, and both run on the same data. Sizes include 0, 1
 * and odd ones. Linked by test_loops.sh; prints the kernels that differ. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 64 * 64 };
static double in[4][CELLS], out[2][4][CELLS];
static int failures;

static void fill(void)
{
    static unsigned long long state = 1;
    for (int a = 0; a < 4; a++)
        for (int i = 0; i < CELLS; i++) {
            state = state * 6364136223846793005ull + 1442695040888963407ull;
            in[a][i] = 0.5 + (double)(state >> 40) / (1 << 24);
        }
    for (int r = 0; r < 2; r++)
        memcpy(out[r], in, sizeof in);
}

static void compare(const char *name, int size)
{
    for (int a = 0; a < 4; a++)
        for (int i = 0; i < CELLS; i++) {
            double x = out[0][a][i], y = out[1][a][i];
            if (x == y || (isnan(x) && isnan(y)) || fabs(x - y) <= 1e-9 * (fabs(x) + 1))
                continue;
            printf("%s at size %d: array %d, element %d is %g, C says %g\n", name, size, a, i, y,
                   x);
            failures++;
            return;
        }
}

/* Kernels are called through their C types of the emitted text: plain pointers. */
#define DECLARE(name, ...)                                                                         \
    void ref_##name(__VA_ARGS__);                                                                  \
    void name(__VA_ARGS__)
#define CHECK(name, ...)                                                                           \
    do {                                                                                           \
        fill();                                                                                    \
        for (int r = 0; r < 2; r++) {                                                              \
            double *Y = out[r][0], *Z = out[r][1];                                                 \
            (void)Z;                                                                               \
            (r ? name : ref_##name)(__VA_ARGS__);                                                  \
        }                                                                                          \
        compare(#name, n);                                                                         \
    } while (0)

typedef const double *in_ptr;
typedef double *out_ptr;
DECLARE(matvec, int, int, in_ptr, in_ptr, out_ptr);
DECLARE(outer_first, int, int, in_ptr, in_ptr, out_ptr);
DECLARE(triangle, int, in_ptr, out_ptr);
DECLARE(largest, int, in_ptr, out_ptr);
DECLARE(product, int, int, in_ptr, out_ptr);
DECLARE(transpose, int, int, in_ptr, out_ptr);
DECLARE(prefix, int, in_ptr, out_ptr);
DECLARE(polynomial, int, in_ptr, in_ptr, out_ptr);
DECLARE(atax, int, int, in_ptr, in_ptr, out_ptr, out_ptr);
DECLARE(gemm_ikj, int, int, int, double, double, in_ptr, in_ptr, out_ptr);
DECLARE(trisolv, int, in_ptr, in_ptr, out_ptr);
DECLARE(lu, int, out_ptr);
DECLARE(jacobi_1d, int, int, out_ptr, out_ptr);
DECLARE(seidel, int, int, out_ptr);
DECLARE(accumulator, int, int, in_ptr, out_ptr);
DECLARE(downward, int, in_ptr, out_ptr);
DECLARE(strides, int, int, in_ptr, out_ptr);
DECLARE(choices, int, in_ptr, out_ptr);
DECLARE(bounds, int, int, in_ptr, out_ptr);
DECLARE(folding, int, in_ptr, out_ptr);
DECLARE(shortest, int, out_ptr);
DECLARE(guarded, int, in_ptr, out_ptr);
DECLARE(scalars, int, int, in_ptr, out_ptr);
DECLARE(constants, int, out_ptr);
DECLARE(integers, int, in_ptr, out_ptr);
DECLARE(written_product, int, int, int, in_ptr, in_ptr, out_ptr);
DECLARE(written_covariance, int, int, double, in_ptr, out_ptr);
DECLARE(written_partly, int, in_ptr, in_ptr, out_ptr);
DECLARE(written_twice, int, in_ptr, in_ptr, out_ptr, out_ptr);
DECLARE(written_in_turn, int, in_ptr, in_ptr, out_ptr);
DECLARE(kept_product, int, int, int, in_ptr, in_ptr, out_ptr);
DECLARE(kept_partly, int, double, in_ptr, in_ptr, out_ptr);
DECLARE(kept_apart, int, int, in_ptr, in_ptr, out_ptr, out_ptr);
DECLARE(kept_together, int, int, in_ptr, in_ptr, out_ptr);
DECLARE(kept_read, int, in_ptr, out_ptr);
DECLARE(started_again, int, in_ptr, out_ptr);
DECLARE(begun_inside, int, in_ptr, out_ptr);
DECLARE(kept_over, int, int, in_ptr, out_ptr);
DECLARE(kept_on, int, int, in_ptr, in_ptr, out_ptr);
DECLARE(kept_last, int, int, in_ptr, out_ptr);
DECLARE(shadowed, int64_t, in_ptr, out_ptr);
DECLARE(shifted, int, in_ptr, out_ptr);
DECLARE(counted_unsigned, int, int, in_ptr, out_ptr);
DECLARE(counted_to, int, in_ptr, out_ptr);
DECLARE(parted, int, in_ptr, in_ptr, out_ptr);
DECLARE(shrunk, int, in_ptr, out_ptr, out_ptr);
DECLARE(sorted, int, out_ptr);
DECLARE(greatest, int, int, in_ptr, in_ptr, out_ptr, out_ptr);

int main(void)
{
    static const int sizes[] = {0, 1, 2, 3, 7, 13, 31};
    for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); s++) {
        int n = sizes[s], m = n + 2;
        CHECK(matvec, n, m, in[0], in[1], Y);
        CHECK(outer_first, n, m, in[0], in[1], Y);
        CHECK(triangle, n, in[0], Y);
        CHECK(largest, n, in[0], Y);
        CHECK(product, n, m, in[0], Y);
        CHECK(transpose, n, m, in[0], Y);
        CHECK(prefix, n, in[0], Y);
        CHECK(polynomial, n, in[0], in[1], Y);
        CHECK(atax, n, m, in[0], in[1], Y, Z);
        CHECK(gemm_ikj, n, m, n + 1, 1.5, 0.5, in[0], in[1], Y);
        CHECK(trisolv, n, in[0], in[1], Y);
        CHECK(lu, n, Y);
        CHECK(jacobi_1d, 3, n, Y, Z);
        CHECK(seidel, 2, n, Y);
        CHECK(accumulator, n, m, in[0], Y);
        CHECK(downward, n, in[0], Y);
        CHECK(strides, n, m, in[0], Y);
        CHECK(choices, n, in[0], Y);
        CHECK(bounds, n, m, in[0], Y);
        CHECK(bounds, m, n, in[0], Y);
        CHECK(folding, n, in[0], Y);
        CHECK(shortest, n, Y);
        CHECK(guarded, n, in[0], Y);
        CHECK(scalars, n, m, in[0], Y);
        CHECK(constants, n, Y);
        CHECK(integers, n, in[0], Y);
        CHECK(written_product, n, m, n + 3, in[0], in[1], Y);
        CHECK(written_product, m, n, 0, in[0], in[1], Y);
        CHECK(written_covariance, m, n, m, in[0], Y);
        CHECK(written_partly, n, in[0], in[1], Y);
        CHECK(written_twice, n, in[0], in[1], Y, Z);
        CHECK(written_in_turn, n, in[0], in[1], Y);
        CHECK(kept_product, n, m, n + 3, in[0], in[1], Y);
        CHECK(kept_product, m, n, 0, in[0], in[1], Y);
        CHECK(kept_partly, n, m, in[0], in[1], Y);
        CHECK(kept_apart, n, m, in[0], in[1], Y, Z);
        CHECK(kept_together, n, m, in[0], in[1], Y);
        CHECK(kept_read, n, in[0], Y);
        CHECK(started_again, n, in[0], Y);
        CHECK(begun_inside, n, in[0], Y);
        CHECK(kept_over, n, m, in[0], Y);
        CHECK(kept_on, n, m, in[0], in[1], Y);
        CHECK(kept_last, n, m, in[0], Y);
        CHECK(shadowed, n, in[0], Y);
        CHECK(shifted, n, in[0], Y);
        CHECK(counted_unsigned, n, m, in[0], Y);
        CHECK(counted_to, n, in[0], Y);
        CHECK(parted, n, in[0], in[1], Y);
        CHECK(shrunk, n, in[0], Y, Z);
        CHECK(sorted, n, Y);
        CHECK(greatest, n, m, in[0], in[1], Y, Z);
    }
    return failures != 0;
}
