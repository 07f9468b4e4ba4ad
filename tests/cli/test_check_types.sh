#!/bin/sh
# squall check where numbers leave the range of float in between, or cancel: the naive nest, in double, says nothing of
# what is right there, and code that does as the text says is not wrong; code that does something else is.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

# The magnitude of a spectrum in counts: squares beyond float, as of the text itself. A filter's gain, infinity over
# infinity. A radio's level, whose product is beyond float on the way.
cat >levels.c <<'C'
#include <math.h>
void magnitude(int n, const float *re, const float *im, float *out)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float r = re[i] * 1e25f, m = im[i] * 1e25f;
        out[i] = sqrtf(r * r + m * m) * 1e-25f;
    }
#pragma endscop
}
void gain(int n, const float *x, float *y)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float p = 1e20f * x[i];
        y[i] = p * p / (1.0f + p * p);
    }
#pragma endscop
}
void level(int n, const float *x, const float *w, float *y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = (x[i] * 1e30f) * (w[i] * 1e30f) * 1e-30f;
#pragma endscop
}
C
expect 0 check levels.c --target=generic --quick

# Intersection over union of boxes, one of which has no area: the union is 0 to double, a rounding error to float.
cat >boxes.c <<'C'
typedef struct { float x, y, w, h; } box;
static float overlap(float x1, float w1, float x2, float w2)
{
    float l1 = x1 - w1 / 2, l2 = x2 - w2 / 2;
    float left = l1 > l2 ? l1 : l2;
    float r1 = x1 + w1 / 2, r2 = x2 + w2 / 2;
    float right = r1 < r2 ? r1 : r2;
    return right - left;
}
static float intersection(box a, box b)
{
    float w = overlap(a.x, a.w, b.x, b.w);
    float h = overlap(a.y, a.h, b.y, b.h);
    if (w < 0 || h < 0) return 0;
    return w * h;
}
static float iou(box a, box b)
{
    float i = intersection(a, b);
    float u = a.w * a.h + b.w * b.h - i;
    return i / u;
}
void ious(const box *a, const box *b, int n, int m, float *o)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            o[i * m + j] = iou(a[i], b[j]);
#pragma endscop
}
C
expect 0 check boxes.c --target=generic --quick

# Where nearly all of an output is infinite, faults are found all the same: another element, no number at all, one
# element more.
cat >level.sq <<'K'
#include "squall.h"
kernel level(int N, const f32 x[N], const f32 w[N], f32 y[N])
{
    idx i;
    y[i] = (x[i] * 1e30f) * (w[i] * 1e30f) * 1e-30f;
}
K
cat >level.c <<'C'
void level(int N, const float *x, const float *w, float *y)
{
    for (int i = 0; i < N; i++)
        y[i] = (x[i] * 1e30f) * (w[i] * 1e30f) * 1e-30f;
}
C
expect 0 check level.sq --target=generic --quick --text=level.c
mutant level.c 's/x\[i\]/x[N \/ 2]/'
mutant level.c 's/y\[i\] = /if (i != 5) &/' 'never written'
mutant level.c 's/^}/    y[N] = 0;\n}/' 'past the end'
found level.sq --target=generic --quick
