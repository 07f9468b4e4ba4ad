/* Table: what the C files of this folder share. Arrays, sizes, types and functions stand behind
 * macros, as benchmark code has them. SHAPE says what an array is to a kernel: a parameter of
 * constant size, whatever part of it the loops run over; one of variable size; a variable of the
 * file. SINGLE makes all numbers float. */
#include <math.h>
#include <stdio.h>

#define CONSTANT 0
#define VARIABLE 1
#define FILE_SCOPE 2
#ifndef SHAPE
#define SHAPE CONSTANT
#endif

#ifdef SINGLE
typedef float number;
#define VALUE(x) x##f
#define ROOT(x) sqrtf(x)
#define EXPONENTIAL(x) expf(x)
#else
typedef double number;
#define VALUE(x) x
#define ROOT(x) sqrt(x)
#define EXPONENTIAL(x) exp(x)
#endif

#define UP(i, from, to) for (i = (from); i < (to); i++)
#define DOWN(i, from, to) for (i = (from); i >= (to); i--)

/* A parameter of extents N and M, used up to n and m. */
#if SHAPE == VARIABLE
#define VECTOR(name, N, n) number name[n]
#define MATRIX(name, N, M, n, m) number name[n][m]
#define CUBE(name, N, M, K, n, m, k) number name[n][m][k]
#define ROW(M, m) (m)
#else
#define VECTOR(name, N, n) number name[N]
#define MATRIX(name, N, M, n, m) number name[N][M]
#define CUBE(name, N, M, K, n, m, k) number name[N][M][K]
#define ROW(M, m) (M)
#endif

#if SHAPE == FILE_SCOPE
#define WITH(...)
#define PASS(...)
#else
#define WITH(...) , __VA_ARGS__
#define PASS(...) , __VA_ARGS__
#endif
#define AS(a) ((void *)(a))

/* Small numbers, the same for every shape: element i, j of an array in use. `by` is added on the
 * diagonal, which keeps divisions away from 0. */
static void fill(void *to, int rows, int columns, int row, number by)
{
    number *a = to;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            a[i * row + j] = (number)((i * 7 + j * 3) % 11 - 5) / 8 + (i == j ? by : 0);
}
#define FILL(a, n, m, M, by) fill(a, n, m, ROW(M, m), by)

static void show(const char *name, const void *from, size_t bytes)
{
    const number *a = from;
    printf("%s", name);
    for (size_t i = 0; i < bytes / sizeof *a; i++)
        printf(" %.17g", (double)a[i]);
    printf("\n");
}
#define SHOW(a) show(#a, a, sizeof a)

/* Sizes of one run: full extents, some less, hardly anything, nothing. */
typedef struct sizes {
    int n, m, k;
} sizes;
