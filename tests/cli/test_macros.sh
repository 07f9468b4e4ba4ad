#!/bin/sh
# Regions whose macros read members of structs, as image code writes them: the file that is written computes what the
# file that was read does, and its optimized code runs. Macros that are less or more than an expression.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cat >mat.h <<'C'
typedef struct {
    int w, h, stride;
    float *data;
} mat;
typedef struct { int x, y; } cell;
#define AT(m, x, y) ((m)->data[(y) * (m)->stride + (x)])
#define PIX(im, x, y) im.data[(y)*im.w + (x)]
C
cat >old.c <<'C'
#include "mat.h"
#include <math.h>
#define W im->w
#define H (im->h)
#define IN(y, x) AT(src, x, y)
#define ROW(y, x) (IN(y, x - 1) + 2 * IN(y, x) + IN(y, (x) + 1))
#define BLUR(y, x) ((ROW(y - 1, x) + 2 * ROW(y, x) + ROW(y + 1, x)) / 16)
#define FOR_ALL(m, x, y) for (y = 0; y < (m)->h; y++) for (x = 0; x < (m)->w; x++)
#define AREA(m) ((m).w * (m).h)
#define CLAMP(v) ((v) < 0 ? 0 : (v) > 1 ? 1 : (v))
void blur(const mat *src, mat *dst)
{
#pragma scop
    for (int y = 1; y < src->h - 1; y++)
        for (int x = 1; x < src->w - 1; x++)
            AT(dst, x, y) = BLUR(y, x);
#pragma endscop
}
void curve(mat im, mat out)
{
#pragma scop
    for (int y = 0; y < im.h; y++)
        for (int x = 0; x < im.w; x++) {
            float v = PIX(im, x, y), half = 0x1p-1f;
            if (PIX(im, x, y) > half) v = 1 - PIX(im, x, y);
            PIX(out, x, y) = CLAMP(v * 2.25f) + 'A' % 3u;
        }
#pragma endscop
}
void add(mat *im, float v)
{
#pragma scop
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
            AT(im, j, i) += v;
#pragma endscop
}
void scale(mat *im, float v)
{
    int x, y;
#pragma scop
    FOR_ALL(im, x, y)
        AT(im, x, y) *= -v * - -v;
#pragma endscop
}
double total(mat im)
{
    double s = 0;
#pragma scop
    for (int i = 0; i < AREA(im); i++)
        s += im.data[i];
#pragma endscop
    return s;
}
/* Macros in functions that the region calls, and pointers as macros leave them. */
static float get(const mat *m, int x, int y) { return AT(m, x, y); }
static int area(mat m) { return m.w * m.h; }
static void set(const mat *m, int x, int y, float v)
{
    float w = fabsf(v);
    if (AT(m, x, y) > 0)
        AT(m, x, y) = w;
}
void copy(mat *a, mat b)
{
#pragma scop
    for (int y = 0; y < (*a).h; y++)
        for (int x = 0; x < a->w; x++)
            set(&b, x, y, 3 * get(a, x, y) - (&b)->data[y * b.stride + x]);
#pragma endscop
}
void raise(mat b)
{
#pragma scop
    for (int i = 0; i < area(b); i++)
        b.data[i] += 1;
#pragma endscop
}
/* Macros that are no expressions of their own: what stands beside them binds with their parts. */
#define TWICE im.w * 2
#define LESS im.w -
#define STEP(v) im.data[i] = v; im.data[i + 1] = im.data[i]
#define W2 im->w
#undef W2
#define W2 im->h
void parts(mat im, int *out)
{
#pragma scop
    for (int i = 0; i < 40; i++) {
        out[i] = i - 3 * TWICE;
        out[i + 40] = i * LESS -3;
    }
    for (int i = 0; i < 10; i++) {
        STEP(i);
    }
#pragma endscop
}
/* Macros that make a part of a statement and words of the statement itself. */
#define SAME(v) v
#define IF_BIG(m) if (i > 2) { out[i] = (m)->w; } else
#define ELSE_H else out[i] += im->h
#define DECLARED int t = im->w
#define BOTH 3, v = im->h
#define COPY(to, from) if (i > 1) (to) = (from)
void words(const mat *im, int *out, cell *a, const cell *b)
{
#pragma scop
    for (int i = 0; i < 10; i++) {
        IF_BIG(im) out[i] = 1;
        if (i > 5) out[i] += 2;
        ELSE_H;
        DECLARED, u = im->h + 7;
        int s = BOTH;
        out[i] += t * u + s * v + SAME(im)->w * '\xfe' - (SAME(im)->h + 1) / 2;
        COPY(a[i], b[i]);
        else a[i].x = 7;
    }
#pragma endscop
}
void redefined(mat *im, int *out)
{
#pragma scop
    for (int i = 0; i < W2; i++)
        out[i] = W2 + i;
#pragma endscop
}
C
cat >main.c <<'C'
#include "mat.h"
#include <stdio.h>
void blur(const mat *, mat *), curve(mat, mat), add(mat *, float), scale(mat *, float), copy(mat *, mat);
void raise(mat), parts(mat, int *), redefined(mat *, int *), words(const mat *, int *, cell *, const cell *);
double total(mat);
static float A[37 * 41], B[37 * 41], C[37 * 41];
static void show(const char *of, const float *a)
{
    double sum = 0;
    for (int i = 0; i < 37 * 41; i++)
        sum += a[i] * (i % 7 + 1);
    printf("%s %a %a %a %a\n", of, a[0], a[43], a[37 * 41 - 1], sum);
}
int main(void)
{
    int out[80];
    for (int i = 0; i < 37 * 41; i++)
        A[i] = (float)(i % 23) / 16 - 0.25f, C[i] = (float)(i % 19 - 5) / 32;
    mat a = {37, 41, 37, A}, b = {37, 41, 37, B}, c = {37, 41, 37, C}, none = {0, 0, 0, NULL};
    blur(&a, &b), show("blur", B);
    curve(a, c), show("curve", C);
    add(&a, 0.5f), show("add", A);
    scale(&b, 3), show("scale", B);
    copy(&a, c), raise(c), show("copy", C);
    printf("total %a\n", total(a));
    parts(b, out), show("parts", B);
    printf("%d %d %d %d\n", out[0], out[39], out[40], out[79]);
    cell cells[10] = {{1, 2}}, others[10] = {{3, 4}, {5, 6}, {7, 8}};
    words(&a, out, cells, others);
    for (int i = 0; i < 10; i++)
        printf("%d %d %d\n", out[i], cells[i].x, cells[i].y);
    redefined(&a, out);
    printf("%d %d\n", out[0], out[40]);
    blur(&none, NULL), copy(&none, none);
    blur(&a, &a), show("in place", A);
    return 0;
}
C
as_before_everywhere 10
expect 0 compile old.c -o new.c
grep -q 'squall_blur_1(src->h, src->w, (float \*)dst->data, dst->stride, (const float \*)src->data, src->stride)' new.c ||
    fail "the call does not pass members"
grep -q 'squall_total_1(im.w \* im.h, ' new.c || fail "a product of members that a macro writes"
grep -q '            AT(dst, x, y) = BLUR(y, x);' new.c || fail "the text as written is changed"

# Macros of several statements, do { … } while (0), are these statements; another do loop is refused.
cat >do.c <<'C'
#define ADDSUB(p, q) do { float t_ = (p); (p) = t_ + (q); (q) = t_ - (q); } while (AGAIN)
void butterflies(float *x, float *y, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        ADDSUB(x[i], y[i]);
        if (x[i] > 2)
            ADDSUB(y[i], x[i]);
    }
#pragma endscop
}
C
cat >do_main.c <<'C'
#include <stdio.h>
void butterflies(float *, float *, int);
int main(void)
{
    float x[40], y[40];
    for (int n = 0; n < 40; n += 7) {
        for (int i = 0; i < 40; i++)
            x[i] = (float)(i % 7), y[i] = (float)(i % 5);
        butterflies(x, y, n);
        for (int i = 0; i < 40; i++)
            printf("%a %a\n", x[i], y[i]);
    }
    return 0;
}
C
expect 0 compile do.c -o do_new.c -DAGAIN=0
$CC -O1 -DAGAIN=0 do.c do_main.c -o old && $CC -O1 -DAGAIN=0 do_new.c do_main.c -o new || fail "do.c does not compile"
./old >want && ./new >got && same want got
expect 1 compile do.c -o none.c '-DAGAIN=n<3'
says "a do loop is no statement of a region"

# What is no expression or statement for the text is named.
refused() { # TEXT STATEMENT
    printf '#include "mat.h"\n#define LOOP(m) while (o[i] > 0) { o[i] -= (m)->w; }\n#define OPEN(m) { int t = (m)->w\n%s\n' \
        'typedef struct { int n; float **rows; } table;' >bad.c
    printf 'void f(int n, const mat *im, const table *m, int *o)\n{\n#pragma scop\n    %s\n#pragma endscop\n}\n' "$2" >>bad.c
    expect 1 compile bad.c -o bad_new.c
    says "$1"
    absent bad_new.c
}
refused "a macro names 'im' here, and what it stands for cannot be said in the place of the macro" \
    'for (int i = 0; i < n; i++) LOOP(im);'
refused "a macro names 'im' here, and what it stands for cannot be said in the place of the macro" \
    'for (int i = 0; i < n; i++) OPEN(im); o[i] += t; }'
refused "'rows' is a pointer to pointers" 'for (int i = 0; i < m->n; i++) o[i] = m->rows[i][0];'
