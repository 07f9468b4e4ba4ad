#!/bin/sh
# Functions that put structs together member by member, change their own copies, and take what other functions return,
# add(s, mul(a, b)): the file that is written computes what the file that was read does.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >types.h <<'C'
typedef struct { float re, im; } cpx;
typedef struct { double x, y, z; } vec;
C
cat >old.c <<'C'
#include "types.h"
static cpx add(cpx a, cpx b)
{
    cpx r;
    r.re = a.re + b.re;
    r.im = a.im + b.im;
    return r;
}
static inline cpx mul(cpx a, cpx b)
{
    cpx r;
    r.re = a.re * b.re - a.im * b.im;
    r.im = a.re * b.im + a.im * b.re;
    return r;
}
static cpx conjugate(cpx a)
{
    a.im = -a.im;
    return a;
}
static cpx swapped(cpx a)
{
    float t = a.re;
    a.re = a.im;
    a.im = t;
    return a;
}
static vec scaled(vec v, double by)
{
    v.x *= by, v.y *= by;
    v.z *= by;
    return v;
}
static double dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static vec less(vec a, vec b)
{
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}
void sum(int n, const cpx *a, const cpx *b, cpx *out)
{
#pragma scop
    cpx s = {1, 2};
    for (int i = 0; i < n; i++)
        s = add(s, mul(a[i], conjugate(b[i])));
    out[0] = s;
#pragma endscop
}
/* What is stored may lie in what it is made of. */
void update(int n, const cpx *a, const cpx *b, cpx *out)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        out[i] = add(out[i], mul(mul(a[i], b[i]), add(a[i], swapped(out[i]))));
        out[i] = swapped(out[i]);
    }
#pragma endscop
}
void mirrored(int n, const vec *a, const vec *b, vec *out)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        vec d = less(a[i], scaled(b[i], 2 * dot(a[i], b[i])));
        out[i] = scaled(d, dot(less(d, b[i]), less(d, b[i])));
    }
#pragma endscop
}
/* Under a condition, and a value that is one number of another one's. */
void some(int n, const cpx *a, const cpx *b, cpx *out)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (i % 3 == 1) {
            cpx t = conjugate(mul(a[i], add(b[i], a[i])));
            out[i].re += t.im;
        } else {
            out[i] = add(conjugate(a[i]), b[i]);
        }
    }
#pragma endscop
}
C
sed -i 's/    v.x \*= by, v.y \*= by;/    v.x *= by;\n    v.y *= by;/' old.c
cat >main.c <<'C'
#include "types.h"
#include <stddef.h>
#include <stdlib.h>
#include "show.h"
void sum(int, const cpx *, const cpx *, cpx *), update(int, const cpx *, const cpx *, cpx *);
void some(int, const cpx *, const cpx *, cpx *), mirrored(int, const vec *, const vec *, vec *);
int main(int argc, char **argv)
{
    static cpx a[300], b[300], o[300];
    static vec u[300], v[300], w[300];
    static const int sizes[] = {0, 1, 2, 3, 7, 13, 31, 33, 127, 129};
    srand(argc > 1 ? (unsigned)atoi(argv[1]) : 1);
    for (int i = 0; i < 300; i++) {
        a[i] = (cpx){(rand() >> 7) % 100 / 64.f, (rand() >> 7) % 100 / 64.f - 1};
        b[i] = (cpx){(rand() >> 7) % 100 / 32.f - 1, (rand() >> 7) % 100 / 128.f}, o[i] = (cpx){i % 5, -i % 7};
        u[i] = (vec){(rand() >> 7) % 100 / 64., i % 9 - 4, 1}, v[i] = (vec){i % 3, (rand() >> 7) % 50 / 16., -1};
    }
    for (int k = 0; k < 10; k++) {
        int n = sizes[k];
        sum(n, a, b, o + k), SHOW(o);
        update(n, a, b, o), SHOW(o);
        some(n, a, b, o), SHOW(o);
        mirrored(n, u, v, w), SHOW(w);
    }
    update(90, o + 1, o, o), SHOW(o); /* they overlap */
    sum(90, o, o + 1, o + 5), SHOW(o);
    mirrored(50, w, w + 1, w), SHOW(w);
    return 0;
}
C
show_h
built old.c main.c -o old
for target in $(region_targets); do
    rebuilt "$target"
    for seed in 1 2 3; do
        as_before "$target" 40 $seed
    done
done
expect 0 check old.c --target=c --quick

# A struct with a pointer is no variable of a region.
cat >no.c <<'C'
typedef struct { int n; float *at; } view;
static float last(view v) { v.n--; return v.at[v.n]; }
void f(int n, float *x, view w)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = last(w);
#pragma endscop
}
C
expect 1 compile no.c -o no2.c
says "'last' is not put in the place of its call: it changes a struct of its own, which holds more than numbers"
exit 0
