#!/bin/sh
# Numbers that regions ask for, as BLAS has it: `if (alpha != 0)` around a product, `if (beta == 0)` before it. What stands
# under them is a nest of its own, so that the product has a register tile; what is not asked for is not touched, though
# it is no number. A number that the region changes is a value.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >old.c <<'C'
void scaled(int m, int n, int k, float alpha, float beta, const float *a, const float *b, float *c)
{
#pragma scop
    if (beta == 0) {
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++)
                c[i * n + j] = 0;
    } else {
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++)
                c[i * n + j] *= beta;
    }
    if (alpha != 0.0f)
        for (int i = 0; i < m; i++)
            for (int p = 0; p < k; p++) {
                float t = alpha * a[i * k + p];
                for (int j = 0; j < n; j++)
                    c[i * n + j] += t * b[p * n + j];
            }
#pragma endscop
}
struct filter {
    double gain, mix;
};
void mixed(const struct filter *f, int n, const double *x, double *y)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (f->mix)
            y[i] = y[i] * (1 - f->mix) + x[i] * f->mix;
        if (!f->gain)
            y[i] = 0;
        y[i] = 0. != f->gain ? y[i] * f->gain : y[i];
    }
#pragma endscop
}
float left(int n, float level, const float *x, float *y)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (level == 0)
            y[i] = x[i];
        level = x[i] - 1;
    }
#pragma endscop
    return level;
}
C
cat >main.c <<'C'
#include "show.h"
#include <math.h>
void scaled(int m, int n, int k, float alpha, float beta, const float *a, const float *b, float *c);
struct filter {
    double gain, mix;
};
void mixed(const struct filter *f, int n, const double *x, double *y);
float left(int n, float level, const float *x, float *y);
int main(void)
{
    static const int odd[] = {0, 1, 2, 3, 7, 13, 31, 33};
    static const float numbers[] = {0, -0.0f, 1, -0.5f};
    static float a[33 * 33], b[33 * 33], c[33 * 33], y[33];
    static double x[33], z[33];
    for (unsigned k = 0; k < sizeof odd / sizeof *odd; k++)
        for (int both = 0; both < 16; both++) {
            float alpha = numbers[both / 4], beta = numbers[both % 4], end[1];
            for (int i = 0; i < 33 * 33; i++) {
                a[i] = alpha == 0 ? NAN : (float)(i * 37 % 101 - 50) / 8;
                b[i] = (float)(i * 29 % 53 - 26) / 4;
                c[i] = beta == 0 ? NAN : (float)(i % 17);
            }
            for (int i = 0; i < 33; i++)
                x[i] = beta == 0 ? NAN : i * 0.25, z[i] = i - 16, y[i] = -1;
            scaled(odd[k], odd[7 - k], odd[(k + 3) % 8], alpha, beta, a, b, c);
            mixed(&(struct filter){alpha, beta}, odd[k], x, z);
            end[0] = left(odd[k], beta, b, y);
            for (int i = 0; i < 33 * 33; i++)
                c[i] = isnan(c[i]) ? 1e9f : c[i];
            SHOW(c), SHOW(z), SHOW(y), SHOW(end);
        }
    return 0;
}
C
show_h
as_before_everywhere 384

expect 0 compile old.c --target=avx2 -o new.c
grep -q 'S3.*: .*micro(i:[1-9]*, j:[0-9]* | p)' new.c || fail "the product has no register tile"
grep -q 'squall_scaled_1(.*, beta != 0, alpha != 0)' new.c || fail "what is asked for is not passed"
grep -q 'f->mix != 0' new.c || fail "a member that is asked for is not passed"
! grep -q 'level != 0' new.c || fail "a number that the region changes is no constant"
exit 0
