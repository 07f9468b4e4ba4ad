/* What stands in the way is said, and what to write instead. */
#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
void divided(float *o, const int8_t *q, const int8_t *w, const float *s, int n, int d)
{
#pragma scop
    for (int i = 0; i < d; i++) {
        int in = i * n;
        float v = 0;
        for (int j = 0; j <= n - 32; j += 32)
            v += s[(in + j) / 32] * q[j] * w[in + j];
        o[i] = v;
    }
#pragma endscop
}
int group;
void stepped(float *o, const float *x, int n)
{
#pragma scop
    for (int j = 0; j <= n - group; j += group)
        o[j] = x[j];
#pragma endscop
}
void remainder_of(float *a, const float *b, int n)
{
    int i = 0;
#pragma scop
    for (; i + 1 < n; i += 2) {
        a[i] = b[i];
        a[i + 1] = b[i + 1];
    }
    for (; i < n; i++)
        a[i] = b[i] + a[0] * i; a[0] = i;
#pragma endscop
}
void converted(float *o, const float *phase, const float *table, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float p = phase[i] * 1024.0f;
        int k = (int)p;
        o[i] = table[k & 1023];
    }
#pragma endscop
}
void converted_at_once(float *o, const float *phase, const float *table, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = table[(int)(phase[i] * 1024.0f) & 1023];
#pragma endscop
}
void in_place(uint8_t *p, const uint8_t t[256], int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        p[i] = t[p[0]];
#pragma endscop
}
void masked(uint8_t *o, const uint8_t *in, int n, int mask)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i & mask] = in[i];
#pragma endscop
}
void moved(uint8_t *o, const uint16_t *in, int n)
{
#pragma scop
    memset(o, 1, n);
    memcpy(o, in, n);
#pragma endscop
}
void compared(bool *r, const uint8_t *in, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        r[i] = in[i] > 3;
#pragma endscop
}
void complex_numbers(float complex *r, const float *in, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        r[i] = in[i];
#pragma endscop
}
void functions(float *r, const float *x, const float *y, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        r[i] = atan2f(x[i], y[i]);
    for (int i = 0; i < n; i++)
        r[i] = fmaf(x[i], y[i], 1);
    for (int i = 0; i < n; i++)
        r[i] = copysignf(x[i], y[i]);
    for (int i = 0; i < n; i++)
        r[i] = fmodf(x[i], y[i]);
#pragma endscop
}
// error: 14:20: subscript is not affine: it divides a product of two things that both vary; accepted are sums of indices and sizes with constant factors
// help: where the divisor divides the product, divide its factor: s[i*(n/32) + j/32] for s[(i*n + j)/32]
// error: 23:37: this step of a loop is not accepted; accepted are loops that count one variable by a constant, as in for (int i = lo; i < hi; i++) or for (i = hi; i > lo; i -= 2)
// help: a step is a number, or a name for one by #define or enum
// error: 31:5: this loop goes on from where another one has left 'i'; accepted are loops that give their variable its first value, alone change it, or follow that loop, where nothing else reads what they leave in it
// help: of a loop that is unrolled by hand and one for the rest, write one, for (i = 0; i < n; i++): squall unrolls loops itself
// error: 35:5: this loop goes on from where another one has left 'i'; accepted are loops that give their variable its first value, alone change it, or follow that loop, where nothing else reads what they leave in it
// help: of a loop that is unrolled by hand and one for the rest, write one, for (i = 0; i < n; i++): squall unrolls loops itself
// error: 44:22: subscript is not affine: 'p' is a floating-point number, and subscripts are made of integers alone; accepted are sums of indices and sizes with constant factors
// help: store the integers in an array before the region, k[i] = (int)x[i];, and read a[k[i] & 1023] in it
// error: 53:22: subscripts are made of integers alone; accepted is no conversion from floating point
// help: store the integers in an array before the region, k[i] = (int)x[i];, and read a[k[i] & 1023] in it
// error: 60:18: 'p' takes part in a subscript that is a value, and is written in this kernel; accepted are arrays that are only read
// help: write the results to another array, as in y[i] = t[x[i]], or, in one statement, to the element that said the place, as in x[i] = t[x[i]]
// error: 67:11: subscript is not affine: it has an & with something else than 1, 3, 7, 15 and so on; accepted are sums of indices and sizes with constant factors
// help: a mask is a number, or a name for one by #define or enum: i & 15
// error: 73:5: a call of 'memset' is no statement of a region; accepted are assignments, for, if and declarations
// help: write the loop, for (int i = 0; i < n; i++) a[i] = 0;
// error: 74:5: a call of 'memcpy' is no statement of a region; accepted are assignments, for, if and declarations
// help: write the loop, for (int i = 0; i < n; i++) a[i] = b[i];
// error: 77:15: 'r' is made of the type '_Bool'; accepted are float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t and uint64_t
// help: declare it uint8_t, and give it the values of comparisons, which are 0 and 1
// error: 84:22: 'r' is made of the type '_Complex float'; accepted are float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t and uint64_t
// help: declare it as an array of struct { float re, im; }, of the same memory, and write out products
// error: 95:16: function 'atan2f' is not accepted in a region; accepted are exp exp2 log log2 sqrt tanh erf sin cos fabs floor ceil round trunc rint nearbyint lround lrint pow fmax fmin and their f forms, abs isnan isinf isfinite, and functions of the file
// help: compute it in a loop of its own outside of the region
// error: 97:16: function 'fmaf' is not accepted in a region; accepted are exp exp2 log log2 sqrt tanh erf sin cos fabs floor ceil round trunc rint nearbyint lround lrint pow fmax fmin and their f forms, abs isnan isinf isfinite, and functions of the file
// help: write a*b + c, of which squall makes one instruction where the target has it
// error: 99:16: function 'copysignf' is not accepted in a region; accepted are exp exp2 log log2 sqrt tanh erf sin cos fabs floor ceil round trunc rint nearbyint lround lrint pow fmax fmin and their f forms, abs isnan isinf isfinite, and functions of the file
// help: write y < 0 ? -fabs(x) : fabs(x), which takes -0 for 0
// error: 101:16: function 'fmodf' is not accepted in a region; accepted are exp exp2 log log2 sqrt tanh erf sin cos fabs floor ceil round trunc rint nearbyint lround lrint pow fmax fmin and their f forms, abs isnan isinf isfinite, and functions of the file
// help: write x - y*trunc(x/y), which is rounded
