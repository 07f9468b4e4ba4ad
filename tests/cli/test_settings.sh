#!/bin/sh
# Regions that give variables, members and structs a value before their loops, n = in.w / 2, out = in, and counters one
# that increments decide: the file that is written computes what the file that was read does.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cat >old.c <<'C'
#define FIRST(n, by) ((by) > 0 ? 0 : ((n) - 1) * (-(by)))
typedef struct { int w, h; float *data; } image;
/* As the reference of a BLAS has it. */
void axpy(const int n, float alpha, const float *x, const int incx, float *y, const int incy)
{
    int i, iy;
#pragma scop
    int ix = FIRST(n, incx);
    iy = FIRST(n, incy);
    for (i = 0; i < n; i++) {
        y[iy] += alpha * x[ix];
        ix += incx;
        iy += incy;
    }
#pragma endscop
}
void gemv(int m, int n, float alpha, const float *a, int lda, const float *x, int incx, float *y, int incy)
{
    int i, j;
#pragma scop
    int iy = FIRST(m, incy);
    for (i = 0; i < m; i++) {
        float sum = 0;
        int ix = FIRST(n, incx);
        for (j = 0; j < n; j++) {
            sum += x[ix] * a[lda * i + j];
            ix += incx;
        }
        y[iy] += alpha * sum;
        iy += incy;
    }
#pragma endscop
}
/* From what a parameter says. */
void from(int n, const float *x, float *y, int k, int by)
{
    int i, at;
#pragma scop
    for (i = 0, at = k; i < n; i++, at += by)
        y[at] = x[i] + y[at];
#pragma endscop
}
void behind(int n, float *y)
{
    int i;
#pragma scop
    int m = n;
    for (i = 0; i < n; i++)
        y[m++] *= 2;
#pragma endscop
}
/* The rest first. */
void copy(int n, const float *x, float *y)
{
    int i, m;
#pragma scop
    m = n % 4;
    for (i = 0; i < m; i++)
        y[i] = 2 * x[i];
    for (i = m; i + 3 < n; i += 4) {
        y[i] = 2 * x[i];
        y[i + 1] = 2 * x[i + 1];
        y[i + 2] = 2 * x[i + 2];
        y[i + 3] = 2 * x[i + 3];
    }
#pragma endscop
}
/* What is set is read behind the region, and where it is not. */
int half(image a, image *to)
{
    int i, j, rows;
    image b = a;
#pragma scop
    rows = a.h - 1;
    b.w = a.w / 2;
    b.h = rows < 3 ? rows : 3;
    for (j = 0; j < b.h; j++)
        for (i = 0; i < b.w; i++)
            a.data[j * a.w + i] = a.data[j * a.w + 2 * i] + b.w;
#pragma endscop
    *to = b;
    return rows;
}
void scale(image a, float by)
{
    int i, j;
#pragma scop
    image b = a;
    b.h = a.h / 2;
    for (j = 0; j < b.h; j++)
        for (i = 0; i < b.w; i++)
            b.data[j * b.w + i] *= by;
#pragma endscop
}
void brighter(image a, float by)
{
    image b;
#pragma scop
    b = a;
    for (int i = 0; i < b.w; i++)
        b.data[i] += by;
#pragma endscop
}
C
show_h
cat >main.c <<'C'
#include "show.h"
typedef struct { int w, h; float *data; } image;
void axpy(const int, float, const float *, const int, float *, const int), copy(int, const float *, float *);
void gemv(int, int, float, const float *, int, const float *, int, float *, int);
void from(int, const float *, float *, int, int), behind(int, float *);
int half(image, image *);
void scale(image, float), brighter(image, float);
int main(void)
{
    static float a[9000], x[900], y[900];
    for (int i = 0; i < 900; i++)
        a[i] = i % 11 - 5, x[i] = i % 7, y[i] = i % 5 - 2;
    static const int sizes[] = {0, 1, 2, 3, 7, 13, 31, 33, 65};
    for (int k = 0; k < 9; k++) {
        int n = sizes[k];
        image im = {n, k + 1, a}, to = {0};
        for (int by = -2; by < 4; by++)
            axpy(n, 0.5f, x, by ? by : 5, y, 3 - by ? 3 - by : -1), SHOW(y);
        gemv(n, k + 2, 2, a, k + 3, x, 2, y, -1), gemv(k, n, 0.25f, a, n + 1, x, -3, y, 1), SHOW(y);
        gemv(n, k, 0.5f, a, k + 3, x, 2, y, 3), gemv(k, n, 0.25f, a, n + 1, x, 1, y, 1), SHOW(y);
        copy(n, x, y), from(n, x, y, k / 2, 5), behind(n, y), SHOW(y);
        printf("%d", half(im, &to)), printf(" %d %d\n", to.w, to.h), SHOW(a);
        scale(im, 3), brighter(im, 1), SHOW(a);
    }
    return 0;
}
C
as_before_everywhere 97
# What a loop that counts down begins with is a bound made of n, no variable of its own.
cat >down.c <<'C'
void down(int t, int n, const double *restrict x, double *restrict y)
{
#pragma scop
    for (int s = 0; s < t; s++)
        for (int j = n - 1; j >= s; j--)
            y[j] += 0.25 * x[j];
#pragma endscop
}
C
expect 0 compile down.c -o down_new.c
! grep -q n___1 down_new.c || fail "the bound of a loop is a variable: $(grep -m1 n___1 down_new.c)"
refused() { # BODY MESSAGE: a region behind which t is read
    printf 'void f(int n, int m, float *a)\n{\n    int i, q, t = m;\n#pragma scop\n%s\n#pragma endscop\n    a[0] = t;\n}\n' "$1" >bad.c
    expect 1 compile bad.c -o bad_new.c
    says "$2"
    absent bad_new.c
}
# Numbers without a sign: n > 0u holds for n = -1.
refused 'q = m > 0u ? 2 : 1; for (i = 0; i < n; i++, q += 2) a[q] = 1;' "'q' is counted here"
# Messages call a variable by its own name.
refused 'q = t / 2; for (i = 0; i < n; i++) { t++; a[i] = t; } for (i = 0; i < q; i++) a[i] = 5;' \
    "'q' is written in the region"
# Structs that are set to others say why that is no statement of a region.
whole() { # BODY BEHIND WHY
    printf 'typedef struct { int w, h; float *p; } image;\nvoid f(const image *from)\n{\n    image a = *from, b;\n#pragma scop\n%s\n' "$1" >bad.c
    printf '    for (int i = 0; i < b.w; i++)\n        b.p[i] = 1;\n#pragma endscop\n    %s\n}\n' "$2" >>bad.c
    expect 1 compile bad.c -o bad_new.c
    says "bad.c:6:5: error: a region cannot write this of the struct of 'b': it becomes the same as another one, $3"
}
whole '    b = a;' 'b.p[b.w] = 2;' 'and is read behind the region'
whole '    b = a; a.w = 3;' '' 'which the region changes'
