#!/bin/sh
# Regions whose loops move pointers, as signal and image code does: the file that is written computes what the file that
# was read does, and its optimized code runs. Pointers that are read later, or moved in some turns alone, are refused.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cat >old.c <<'C'
#include <stdint.h>
typedef struct { float re, im; } complex;
void convert(const int16_t *in, float *out, int w, int h, int stride)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        const int16_t *src = in + y * stride;
        float *dst = &out[y * w], gain = y;
        for (int x = 0; x < w; x++)
            *dst++ = *src++ * 0.5f + gain;
    }
#pragma endscop
}
void interleave(const float *l, const float *r, float *o, int n)
{
    int i;
#pragma scop
    for (i = 0; i < n; i++) {
        *o++ = l[i];
        *o++ = r[i];
    }
#pragma endscop
}
void gray(const uint8_t *src, uint8_t *dst, int n)
{
    int i;
#pragma scop
    for (i = 0; i < n; i++, src += 3, dst++)
        *dst = (src[0] * 77 + src[1] * 150 + src[2] * 29) >> 8;
#pragma endscop
}
/* Down, from a place in the middle, and with statements in between. */
void reverse(const float *a, float *o, int n)
{
#pragma scop
    const float *end = a + n - 1;
    for (int i = n - 1; i >= 0; i--) {
        float v = *end--;
        if (v < 0)
            *o = -v;
        else
            *o = 2 * v;
        ++o;
        o[n] = 1;
    }
#pragma endscop
}
void mix(complex *c, const complex *by, size_t n, float *power)
{
#pragma scop
    for (size_t i = 3; i < n; ++i) {
        float re = c->re * by->re - c->im * by->im;
        c->im = c->re * by->im + c->im * by->re;
        c->re = re;
        c++, by++;
        *++power = re;
    }
#pragma endscop
}
/* Before the loop and in loops of the body. */
void fir(const float *x, float *y, int n, int k, const float *h)
{
#pragma scop
    for (int from = 0; from < 2; from++) {
        const float *at = x + from;
        float first = *at, *out = y + from * n;
        for (int i = 0; i < n; i++) {
            float s = first;
            for (int j = 0; j < k; j++)
                s += at[j] * h[j];
            *out++ = s;
            at++;
        }
    }
#pragma endscop
}
/* What stands behind a step in one statement: operands of commas, variables of one declaration, what macros make. */
#define NEXT(p) (p)++, o[i] = *(p)
void commas(const float *a, float *o, int n)
{
    int i;
#pragma scop
    for (i = 0; i < n; i++, a++) {
        NEXT(a);
        o[i + n] = *a, a++, o[i + 2 * n] = *a;
    }
#pragma endscop
}
/* The head's step is done in turns that are left early, too. */
void thin(const float *a, float *o, int n)
{
#pragma scop
    for (int i = 0; i < n; i++, o++) {
        if (i % 3 == 0) continue;
        *o = a[i];
    }
#pragma endscop
}
void pairs(float *o, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        *o = 2 * i, o++, *o = 7 + i, o++;
#pragma endscop
}
void luma(const uint8_t *s, int *o, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int r = *s++, g = *s++, b = *s;
        {
            s++;
            *o++ = r - 2 * g + 3 * b + *s;
        }
    }
#pragma endscop
}
C
sed -i 's/^#include <stdint.h>$/#include <stddef.h>\n#include <stdint.h>/' old.c
show_h
cat >main.c <<'C'
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
typedef struct { float re, im; } complex;
void convert(const int16_t *, float *, int, int, int), interleave(const float *, const float *, float *, int);
void gray(const uint8_t *, uint8_t *, int), reverse(const float *, float *, int);
void mix(complex *, const complex *, size_t, float *), fir(const float *, float *, int, int, const float *);
void commas(const float *, float *, int), thin(const float *, float *, int), pairs(float *, int), luma(const uint8_t *, int *, int);
#include "show.h"
int main(void)
{
    static int16_t in[20 * 40];
    static float a[900], b[900], c[1800];
    static uint8_t pix[901], out[300];
    static int y[300];
    static complex p[100], q[100];
    for (int i = 0; i < 800; i++)
        in[i] = i * 37 % 101 - 50;
    for (int i = 0; i < 900; i++)
        pix[i] = i * 7, b[i] = i % 13 - 6;
    for (int i = 0; i < 100; i++)
        p[i] = (complex){i % 5, i % 3}, q[i] = (complex){i % 7, -i % 4};
    convert(in, a, 33, 20, 40), SHOW(a);
    interleave(a, b, c, 900), SHOW(c);
    interleave(c, c, c + 1, 90), SHOW(c); /* they overlap */
    gray(pix, out, 300), SHOW(out);
    reverse(b, c, 899), SHOW(c);
    mix(p, q, 100, a), SHOW(p), SHOW(a);
    mix(p, q, 2, a), SHOW(p), SHOW(a);
    fir(b, c, 800, 16, a), SHOW(c);
    commas(b, c, 290), SHOW(c);
    pairs(a, 400), SHOW(a);
    thin(b, c, 299), SHOW(c);
    luma(pix, y, 300), SHOW(y);
    return 0;
}
C
as_before_everywhere 10

# What is left of the pointer is read, or it is moved elsewhere, too.
refused() { # TEXT BODY [BEHIND [BEFORE]]
    printf 'void f(int n, const float *a, float *o, float *keep)\n{\n%s\n#pragma scop\n%s\n#pragma endscop\n%s\n}\n' "${4-}" \
        "$2" "${3-}" >bad.c
    expect 1 compile bad.c -o bad_new.c
    says "$1"
    absent bad_new.c
}
moves="the region moves the pointer 'o' in a way that no subscript says"
refused "$moves" '    for (int i = 0; i < n; i++) *o++ = a[i];' 'keep[0] = *o;'
refused "$moves" '    for (int i = 0; i < n; i++) if (a[i] > 0) *o++ = a[i];'
refused "$moves" '    for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) *o++ = a[i];'
refused "$moves" '    for (int i = 0; i < n; i++) { *o++ = a[i]; } for (int i = 0; i < n; i++) *o++ = a[i];'
refused "$moves" '    for (int i = 0; i < n; i++) { *o++ = a[i]; o = keep; }'
refused "$moves" '    for (int i = 0; i < n; i++) { if (i % 3 == 0) continue; *o++ = a[i]; }'
refused "$moves" '    for (int i = 0; i < n; i++) { if (a[i] > 0) { if (a[i] > 1) { continue; } } *o = 1; o++; }'
refused "$moves" '    for (int i = 0; i < n; i++) { *o++ = a[i]; for (int i = 0; i < 3; i++) o[i] = 1; }'
refused "$moves" '    for (int i = 0; i < n; i++) *o-- = a[i];'
refused "$moves" '    for (int i = 0; i < n; i++, *o++ = 1) keep[i] = a[i];'
refused "$moves" '    for (int i = 0; i < n; i++) *o++ = a[i];' '**q = 99;' 'float **q = &o;'
refused "$moves" '    for (int i = 0; i < n; i++) *o++ = a[i];' '**q.p = 99;' 'struct { float **p; } q = {&(o)};'
# C does not compute what sizeof and types are said of.
for v in 'sizeof(*o++)' '_Alignof(*o++)' '(__typeof__(*o++))i'; do
    refused "$moves" "    for (int i = 0; i < n; i++) { keep[i] = $v; *o = a[i]; }"
done
refused "$moves" '    for (int i = 0; i < n; i++) { __typeof__(*o++) v = i; *o = v; }'
refused "accepted are pointers to places of arrays" \
    '    for (int i = 0; i < n; i++) { float *p = o + i; for (int j = 0; j < n; j++) *p++ = 1; *p = 2; }'
for i in 1 2; do
    printf 'void f(int n, const float *a, float *o)\n{\n    for (int k = 0; k < n; k++) {\n#pragma scop\n%s\n#pragma endscop\n}\n}\n' \
        '    for (int i = 0; i < n; i++) *o++ = a[i];' >bad.c
done
expect 1 compile bad.c -o bad_new.c
says "$moves"

# As long as it is, the text is read once for each pointer.
{
    printf 'void f(int n, float *s, float *o, float *t, float *u)\n{\n#pragma scop\n    for (int i = 0; i < n; i++) {\n'
    i=0
    while [ $((i += 1)) -le 200 ]; do echo "        *o++ = *u++ + *t++ * *s++ - $i;"; done
    printf '    }\n#pragma endscop\n}\n'
} >long.c
expect 0 compile long.c --stop-after=scop --read-seconds="$(paced 2)"
