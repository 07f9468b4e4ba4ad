#!/bin/sh
# f16 and bf16 are converted by a device's instructions, two by two where they are neighbours. The
# library's stand-ins run: all bits of both types become f32, and f32 beside and between all of their
# values, denormals, infinities and NaN become both, as arithmetic in double has it.
. "$SQUALL_SOURCE/tests/cuda/lib.sh"
cat >halves.sq <<'END'
#include "squall.h"
kernel wide_f16(int N, const f16 X[N], f32 Y[N]) { idx i; Y[i] = (f32)X[i]; }
kernel wide_bf16(int N, const bf16 X[N], f32 Y[N]) { idx i; Y[i] = (f32)X[i]; }
kernel narrow_f16(int N, const f32 X[N], f16 Y[N]) { idx i; Y[i] = (f16)X[i]; }
kernel narrow_bf16(int N, const f32 X[N], bf16 Y[N]) { idx i; Y[i] = (bf16)X[i]; }
END
"$SQUALL" compile halves.sq --target=cuda,arch=sm_80 -o halves.cu >log 2>&1 || complain "refused"
for word in cvt.f32.f16 cvt.rn.f16x2.f32 cvt.rn.bf16x2.f32; do
    grep -q "$word" halves.cu || complain "no $word in the text"
done
cat >main.cu <<'END'
#include "halves.cu"
#include <stdio.h>
#include <stdlib.h>

enum { ALL = 65536, MOST = 6 * ALL };

/* bits: of the fraction; bias: of the exponent. */
static double value(unsigned h, int bits, int bias)
{
    int e = (h & 0x7fff) >> bits, m = h & ((1 << bits) - 1);
    double x = e == 0                          ? ldexp(m, 1 - bias - bits)
               : e == (0x7fff >> bits)         ? (m ? NAN : INFINITY)
                                               : ldexp(m + (1 << bits), e - bias - bits);
    return h & 0x8000 ? -x : x;
}

/* The nearest value that there is, of two the even one. */
static double nearest(double x, int bits, int bias)
{
    int e;
    frexp(x, &e);
    double unit = ldexp(1, (e < 2 - bias ? 2 - bias : e) - 1 - bits), r = rint(x / unit) * unit;
    return fabs(r) >= ldexp(1, bias + 1) ? copysign(INFINITY, r) : r;
}

static bool same(double a, double b)
{
    return a != a ? b != b : a == b && signbit(a) == signbit(b);
}

static int bad;
static void complain(const char *what, double got, double wanted)
{
    if (bad++ < 10)
        printf("%s: %a, not %a\n", what, got, wanted);
}

static void test(const char *name, int bits, int bias, int (*wide)(int, const uint16_t *, float *, void *),
                 int (*narrow)(int, const float *, uint16_t *, void *))
{
    uint16_t *h = (uint16_t *)malloc(MOST * sizeof *h), *dh;
    float *x = (float *)malloc(MOST * sizeof *x), *dx;
    int n = 0;
    cudaMalloc((void **)&dh, MOST * sizeof *h);
    cudaMalloc((void **)&dx, MOST * sizeof *x);
    for (int i = 0; i < ALL; i++)
        h[i] = (uint16_t)i;
    cudaMemcpy(dh, h, ALL * sizeof *h, cudaMemcpyHostToDevice);
    bad += wide(ALL, dh, dx, NULL) != 0;
    cudaMemcpy(x, dx, ALL * sizeof *x, cudaMemcpyDeviceToHost);
    for (int i = 0; i < ALL; i++)
        if (!same(x[i], value(i, bits, bias)))
            complain(name, x[i], value(i, bits, bias));
    /* Each value, what lies half way to the next, and the floats on both sides of either. */
    for (int i = 0; i < ALL; i++) {
        float v = (float)value(i, bits, bias), w = (float)value((i + 1) & 0xffff, bits, bias);
        float half = isinf(w) ? (float)(v + ldexp(copysign(1, v), bias - bits - 1)) : v / 2 + w / 2;
        float beside[] = {v, nextafterf(v, 0), nextafterf(v, INFINITY),
                          half, nextafterf(half, 0), nextafterf(half, INFINITY)};
        for (int k = 0; k < 6; k++)
            x[n++] = beside[k];
    }
    cudaMemcpy(dx, x, n * sizeof *x, cudaMemcpyHostToDevice);
    bad += narrow(n, dx, dh, NULL) != 0;
    cudaMemcpy(h, dh, n * sizeof *h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        if (!same(value(h[i], bits, bias), nearest(x[i], bits, bias)))
            complain(name, value(h[i], bits, bias), nearest(x[i], bits, bias));
}

int main(void)
{
    test("f16", 10, 15, wide_f16, narrow_f16);
    test("bf16", 7, 127, wide_bf16, narrow_bf16);
    printf("%d wrong\n", bad);
    return bad != 0;
}
END
"$SQUALL" check --target=cuda,arch=sm_80 main.cu >log 2>&1 || complain "values"
grep -q '^0 wrong' log || complain "the program did not end"

# 16 bytes of them at once, as of f32; beside f32, 8.
for at in add_f16:16:16:N=2073 to_f32:8:16:N=2073 dequantize:1:2:M=3,N=97; do
    IFS=: read -r kernel read write at <<END
$at
END
    "$SQUALL" check --target=cuda,arch=sm_80 --kernel=$kernel --at=$at \
        "$SQUALL_SOURCE/tests/cuda/operators.sq" >log 2>&1 || complain "$kernel"
    grep -q "global read, $read bytes" log && grep -q "global write, $write bytes" log ||
        complain "$kernel: no reads of $read bytes, or writes of $write"
done

[ -n "$nvcc" ] || { [ $bad = 0 ] && echo "skipped: the instructions that nvcc makes (there is none)"; exit $bad; }
for arch in sm_80 sm_90; do
    "$nvcc" -arch=$arch -ptx -DSQUALL_DEVICE_ONLY -o halves.ptx halves.cu >log 2>&1 || complain "nvcc for $arch"
    ! grep -q 'setp.*0x7f800000\|2139095040' halves.ptx || complain "$arch: integer arithmetic is left"
done
exit $bad
