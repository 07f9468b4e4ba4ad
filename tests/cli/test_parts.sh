#!/bin/sh
# Regions that declare structs, cpx t = a[i]: the file that is written computes what the file that was read does, also
# where elements overlap; what is done with such a struct beyond its numbers is refused.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cat >types.h <<'C'
#include <stdint.h>
typedef struct { float re, im; } cpx;
typedef struct { uint8_t r, g, b, a; } rgba;
typedef struct { double x, y, z; } vec;
typedef struct { vec at, by; float mass; int id; } body;
C
cat >old.c <<'C'
#include "types.h"
void times(cpx *a, const cpx *b, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        cpx t = a[i];
        a[i].re = t.re * b[i].re - t.im * b[i].im;
        a[i].im = t.re * b[i].im + t.im * b[i].re;
    }
#pragma endscop
}
/* A butterfly: declared without a value, several in a line. */
void butterfly(cpx *x, const cpx *w, int n)
{
#pragma scop
    for (int k = 0; k < n; k++) {
        cpx t, u = x[k];
        t.re = w[k].re * x[k + n].re - w[k].im * x[k + n].im;
        t.im = w[k].re * x[k + n].im + w[k].im * x[k + n].re;
        x[k].re = u.re + t.re, x[k].im = u.im + t.im;
        x[k + n].re = u.re - t.re, x[k + n].im = u.im - t.im;
    }
#pragma endscop
}
/* Lists, in the order of the members; numbers that nothing reads. */
void swap(rgba *p, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        rgba t = p[i], o = {t.b, t.g, t.r, 255};
        p[i] = o;
    }
#pragma endscop
}
void gray(const rgba *p, uint8_t *out, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        const rgba c = p[i];
        out[i] = (c.r * 77 + c.g * 150 + c.b * 29) >> 8;
    }
#pragma endscop
}
void cross(vec *o, const vec *a, const vec *b, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        vec p = a[i], q = b[i], r;
        r.x = p.y * q.z - p.z * q.y;
        r.y = p.z * q.x - p.x * q.z;
        r.z = p.x * q.y - p.y * q.x;
        o[i] = r;
    }
#pragma endscop
}
/* Exchanges by way of a third one; sums over turns of the loops. */
void reverse(cpx *a, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        cpx t = a[i];
        a[i] = a[2 * n - 1 - i];
        a[2 * n - 1 - i] = t;
    }
#pragma endscop
}
void sums(const cpx *a, const cpx *b, cpx *o, int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        cpx sum = {0};
        for (int j = 0; j < m; j++) {
            sum.re += a[i * m + j].re * b[j].re - a[i * m + j].im * b[j].im;
            sum.im += a[i * m + j].re * b[j].im + a[i * m + j].im * b[j].re;
        }
        o[i] = sum;
    }
#pragma endscop
}
/* Structs in structs, under a condition, by a pointer of the region; a name that hides another. */
void moved(body *p, const vec *f, int n, double dt)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        body *one = p + i, now = *one;
        vec t = f[i];
        if (i % 3 != 0) {
            double t = dt * 2;
            now.by.x += t, now.by.y -= t;
        }
        now.at.x += now.by.x * dt + t.x;
        now.at.y += now.by.y * dt + t.y;
        now.id++;
        *one = now;
    }
#pragma endscop
}
/* A literal; what the numbers before it have changed counts. */
void literals(cpx *a, rgba *p, int n, float s)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        cpx t = a[i], u;
        u = (cpx){t.im * s, -t.re};
        t = u;
        t.re += u.im;
        a[i] = (cpx){t.re, t.im};
        p[i] = (rgba){0};
        p[i].b = (uint8_t)i;
    }
#pragma endscop
}
#define MUL(o, p, q) do { cpx m = (p); (o).re = m.re * (q).re; (o).im = m.im - (q).im; } while (0)
static inline cpx conjugate(cpx v) { cpx r; r.re = v.re; r.im = -v.im; return r; }
static inline float norm(cpx v) { return v.re * v.re + v.im * v.im; }
void macros(cpx *a, const cpx *b, float *out, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        MUL(a[i], a[i], b[i]);
        cpx t = a[i];
        out[i] = norm(t) + norm(b[i]);
    }
#pragma endscop
}
/* What functions return, as a literal or by the name of a variable; what is stored may lie in what it is made of. */
static inline cpx product(cpx a, cpx b) { return (cpx){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
static cpx scaled(const cpx *a, float by) { cpx r = {a->re * by, a->im * by}; return r; }
void returned(cpx *o, const cpx *a, const cpx *b, const float *s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        cpx t = product(a[i], b[i]), u = t;
        o[i] = scaled(&a[i], s[i]);
        o[i].re += t.re;
        u = product(t, b[i]);
        o[i].im -= u.im;
    }
#pragma endscop
}
void stored(cpx *o, const cpx *a, const cpx *b, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = product(a[i], b[i]);
#pragma endscop
}
/* Values that read what they are stored to: all of them before the first is stored. */
void own(cpx *a, const cpx *b, int n)
{
#pragma scop
    for (int i = 1; i < n; i++) {
        cpx t = product(a[i], b[i]);
        t = (cpx){t.im, t.re};
        a[i] = product(a[i], t);
        if (i < 9) {
            a[i - 1] = (cpx){a[i].im, a[i - 1].re};
        }
    }
    for (int i = 0; i < n; i++)
        a[i] = (cpx){a[i].im, a[i].re};
#pragma endscop
}
C
show_h
cat >main.c <<'C'
#include "types.h"
#include <stddef.h>
#include "show.h"
void times(cpx *, const cpx *, int), butterfly(cpx *, const cpx *, int), swap(rgba *, int), reverse(cpx *, int);
void gray(const rgba *, uint8_t *, int), cross(vec *, const vec *, const vec *, int), literals(cpx *, rgba *, int, float);
void sums(const cpx *, const cpx *, cpx *, int, int), moved(body *, const vec *, int, double);
void macros(cpx *, const cpx *, float *, int), returned(cpx *, const cpx *, const cpx *, const float *, int);
void stored(cpx *, const cpx *, const cpx *, int), own(cpx *, const cpx *, int);
int main(void)
{
    static cpx a[300], b[300], o[129];
    static rgba p[129];
    static vec v[129], w[129], c[129];
    static body bodies[129];
    static float out[129];
    uint8_t bytes[129] = {0};
    for (int i = 0; i < 300; i++)
        a[i] = (cpx){i % 7, i % 5}, b[i] = (cpx){i % 3, -(i % 4)};
    for (int i = 0; i < 129; i++) {
        p[i] = (rgba){i, 3 * i, 7 * i, i / 2}, v[i] = (vec){i, i % 9, -i}, w[i] = (vec){i % 4, i, 2};
        bodies[i] = (body){v[i], w[i], i, i};
    }
    static const int sizes[] = {1, 2, 3, 7, 13, 31, 33, 127, 129};
    for (int k = 0; k < 9; k++) {
        int n = sizes[k], m = n < 13 ? n : 13;
        times(a, b, n), SHOW(a);
        butterfly(a, b, n), SHOW(a);
        swap(p, n), SHOW(p);
        gray(p, bytes, n), SHOW(bytes);
        cross(c, v, w, n), SHOW(c);
        reverse(a, n), SHOW(a);
        sums(a, b, o, m, n < 20 ? n : 20), SHOW(o);
        moved(bodies, w, n, 0.5), SHOW(bodies);
        literals(a, p, n, 3), SHOW(a), SHOW(p);
        macros(a, b, out, n), SHOW(a), SHOW(out);
        returned(o, a, b, out, n), SHOW(o), stored(o, a, b, n), SHOW(o);
        own(a, b, n), SHOW(a);
        for (int i = 0; i < 300; i++)
            a[i] = (cpx){i % 7, i % 5};
    }
    times(a, a + 1, 50), SHOW(a); /* they overlap */
    cross(v, v + 1, v, 60), SHOW(v);
    stored(a, a, b, 50), SHOW(a), stored(a, a + 1, b, 50), SHOW(a), stored(a + 1, a, b, 50), SHOW(a);
    returned(a, a, b, out, 50), SHOW(a), own(a, a, 50), SHOW(a), own(a, a + 1, 50), SHOW(a);
    return 0;
}
C
as_before_everywhere 117

# What a struct is named like stays what it is, and what nobody gave a value is named as the file has it.
cat >named.c <<'C'
#include "types.h"
int t_re;
void f(cpx *a, float *out, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        cpx t, u = a[i];
        out[i] = t.re + t_re + u.im;
    }
#pragma endscop
}
C
expect 1 compile named.c -o named_new.c
says "'t_re_' is read before it is written"

# A list that reads what its first value changes, where no block may stand.
cat >mixed.c <<'C'
#include "types.h"
void f(cpx *a, const float *x, float *out, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (x[i] > 0) a[i] = (cpx){a[i].im, a[i].re}; else a[i].re = 0;
        out[i] = (cpx){x[i], 1}.im;
    }
#pragma endscop
}
C
expect 1 compile mixed.c -o mixed_new.c
says "its value may read what it writes; accepted is that where a block may stand, if (…) { p[i] = …; }"
sed -i '/a\[i\] = /d' mixed.c
expect 1 compile mixed.c -o mixed_new.c
says "a member of what is no variable and no element is not accepted in a value"
