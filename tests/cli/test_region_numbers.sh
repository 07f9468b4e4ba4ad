#!/bin/sh
# INFINITY, NAN, FLT_MAX and the like, and isnan, isinf and isfinite, in regions to the bit, and with abs in kernels.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cat >old.c <<'C'
#include <float.h>
#include <math.h>
void constants(int n, const float *x, float *y, double *z)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = x[i] > 3 ? INFINITY : x[i] < -3 ? -INFINITY : x[i] * x[i] + 0.1f * x[i];
        y[i] += x[i] > 2 ? FLT_MAX : x[i] > 1 ? NAN : FLT_EPSILON;
        z[i] = (x[i] > 1 ? HUGE_VALF : -DBL_MAX) + (x[i] < 0 ? (double)NAN : HUGE_VAL);
        z[i] = fmin(z[i], NAN) + fmax(NAN, x[i]);
    }
#pragma endscop
}
void most(int n, const float *x, float *y)
{
#pragma scop
    y[0] = -INFINITY;
    for (int i = 0; i < n; i++)
        if (x[i] > y[0])
            y[0] = x[i];
#pragma endscop
}
void kinds(int n, const float *x, const double *d, float *y, int *k)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = isnan(x[i]) ? 0 : x[i];
        k[i] = isinf(d[i]) + 4 * isinf(x[i]) + 16 * isnan(d[i]);
        if (isfinite(x[i]))
            y[i] += 1;
        if (isinf(x[i]) && !isnan(d[i]))
            k[i] += 100;
        else if (!isfinite(d[i]))
            k[i] += 200;
    }
#pragma endscop
}
C
cat >main.c <<'C'
#include <float.h>
#include <math.h>
#include <stdio.h>
void constants(int, const float *, float *, double *), most(int, const float *, float *);
void kinds(int, const float *, const double *, float *, int *);
int main(void)
{
    static const double some[] = {0,         -0.0, 1.5,     2.5,      7,           -9,    INFINITY,
                                  -INFINITY, NAN,  FLT_MAX, -FLT_MAX, FLT_MIN / 4, 1e-300};
    static float x[64], y[64];
    static double d[64], z[64];
    static int k[64];
    for (int n = 0; n < 64; n++) {
        for (int i = 0; i < n; i++)
            d[i] = some[(i * 5 + n) % 13], x[i] = (float)some[(i + n) % 13];
        constants(n, x, y, z);
        for (int i = 0; i < n; i++)
            printf("%a %a ", y[i], z[i]);
        most(n, x, y);
        printf("%a\n", y[0]);
        kinds(n, x, d, y, k);
        for (int i = 0; i < n; i++)
            printf("%a %d ", y[i], k[i]);
    }
    return 0;
}
C
as_before_everywhere 192

# In kernels, with <math.h> and <stdlib.h> and without.
kernels() {
    cat <<'SQ'
kernel kinds(int N, const f32 X[N], const f64 D[N], f32 Y[N], int32_t K[N])
{
    idx i;
    Y[i] = isnan(X[i]) ? 0.f : isfinite(D[i]) ? X[i] : 1.f;
    K[i] = isinf(D[i]) + 4 * isinf(X[i]) + 16 * isnan(D[i]);
}
kernel sizes(int N, const int32_t X[N], const int8_t B[N], const int64_t L[N], int32_t Y[N], int64_t Z[N], int32_t S[1])
{
    idx i;
    Y[i] = abs(X[i] % 1000) + abs(B[i]) + abs(i - 5);
    Z[i] = labs(L[i] / 4) + llabs(L[i] % 9);
    S[0] = abs(sum(X[i] % 100, i));
}
SQ
}
{ echo '#include "squall.h"' && kernels; } >plain.sq
{ printf '#include "squall.h"\n#include <math.h>\n#include <stdlib.h>\n' && kernels; } >with.sq
{ printf '#include <math.h>\n#include <stdlib.h>\n#include "squall.h"\n' && kernels; } >before.sq
expect 0 check plain.sq --quick --progress=never
for file in plain with before; do
    expect 0 compile $file.sq -o $file.c
    silent
    sed '/kernels of\|^ \*\|\.sq/d' $file.c >$file.text
done
same plain.text with.text
same plain.text before.text
