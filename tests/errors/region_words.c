#include <stdint.h>
/* What other people's code has and a region has not: each is named where it stands. */
void bits(int n, int *y, const unsigned *x)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = __builtin_popcount(x[i]);
#pragma endscop
}
void rows(int n, float **y, const float *x)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[i][j] = x[i];
#pragma endscop
}
static void scale(int n, float *y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] *= 2;
#pragma endscop
}
void scales(int n, float *y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        scale(n, &y[i * n]);
#pragma endscop
}
void masked(int n, float *y, const float *x, unsigned mask)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] += x[(i + 3) & 12];
    for (int i = 0; i < n; i++)
        y[i] += x[i & mask];
#pragma endscop
}
/* The place that is read is another one after what is written before. */
static void two(int *to, const int *t)
{
    to[0] = t[0];
    to[1] = t[0] + 1;
}
void led(int n, unsigned char *x, int *y, const int *t)
{
#pragma scop
    for (int i = 0; i < n; i++)
        two(&y[2 * i], &t[x[i]]);
#pragma endscop
}
// error: 7:16: function '__builtin_popcount' is not accepted in a region; accepted are exp exp2 log log2 sqrt tanh erf sin cos fabs floor ceil round trunc rint nearbyint lround lrint pow fmax fmin and their f forms, abs isnan isinf isfinite, and functions of the file
// help: write a function of the file that counts with >>, & and +, as in v -= v >> 1 & 0x55555555
// error: 10:18: the rows of 'y' are pointers, and may lie anywhere; accepted are arrays of one piece, double A[n][m], double (*A)[m] or double *a with a[i*m + j]
// help: or a region for one row, which a variable before the region leads to, double *row = y[i];
// error: 29:9: a call of 'scale' is no statement of a region; accepted are assignments, for, if and declarations
// note: 19:1: 'scale' is not put in the place of its call: it has a region of its own, and what is called from one has none
// error: 36:19: subscript is not affine: it has an & with something else than 1, 3, 7, 15 and so on; accepted are sums of indices and sizes with constant factors
// error: 38:19: subscript is not affine: it has an & with something else than 1, 3, 7, 15 and so on; accepted are sums of indices and sizes with constant factors
// help: a mask is a number, or a name for one by #define or enum: i & 15
// error: 51:9: a call of 'two' is no statement of a region; accepted are assignments, for, if and declarations
// note: 42:26: 'two' is not put in the place of its call: memory says where a pointer leads that is passed, and it writes
