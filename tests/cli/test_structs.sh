#!/bin/sh
# Regions that read and write members of structs in arrays: the file that is written computes what the file that was
# read does, also where arrays overlap, and its optimized code runs where they do not.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cat >types.h <<'C'
#include <stddef.h>
#include <stdint.h>
struct vec { float x, y, z; };
typedef struct { struct vec pos, vel; float mass; int id; } particle;
typedef struct { uint8_t r, g, b, a; } rgba;
typedef struct { int w, h; rgba *pix; } image;
struct body { double pos[3], vel[3]; };
struct mixed { char kind; short n; union { float f; int i; } u; struct { int16_t left, right; }; double gain; };
struct grid { int id; float m[3][5]; };
struct filter { int taps; float coef[16], state[16]; };
C
cat >old.c <<'C'
#include "types.h"
/* One type, read and written. */
void drift(struct vec *p, const struct vec *v, int n, float dt)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        p[i].x += v[i].x * dt;
        p[i].y += v[i].y * dt;
        (*(p + i)).z += (v + i)->z * dt;
    }
#pragma endscop
}
/* Rows in a single struct, behind a pointer and not. */
float rows(struct grid *g, struct grid h, const float *x, int n)
{
    float sum = 0;
#pragma scop
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++)
            g->m[i][j] = g->m[i][j] * 2 + h.m[2 - i][j];
    for (int i = 0; i < n; i++)
        sum += g->m[0][0] * x[i] + g->m[1][2];
#pragma endscop
    return sum;
}
double energy(const particle *p, int n)
{
    double sum = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        sum += p[i].mass * (p[i].vel.x * p[i].vel.x + p[i].vel.y * p[i].vel.y + p[i].vel.z * p[i].vel.z) / 2;
#pragma endscop
    return sum;
}
/* Two types of one struct, both written. */
void collide(particle *p, unsigned n)
{
#pragma scop
    for (unsigned i = 0; i < n; i++) {
        if (p[i].pos.z < 0) {
            p[i].vel.z = -p[i].vel.z;
            p[i].id += 1;
        }
    }
#pragma endscop
}
/* One subscript less than the elements behind it: a stencil over structs. */
void smooth(const struct vec *a, struct vec *b, size_t n)
{
#pragma scop
    for (size_t i = 1; i + 1 < n; i++)
        b[i].y = (a[i - 1].x + a[i].y + a[i + 1].z) / 3;
#pragma endscop
}
void gray(const image *im, uint8_t *out, int stride)
{
#pragma scop
    for (int y = 0; y < im->h; y++)
        for (int x = 0; x < im->w; x++)
            out[y * stride + x] = (im->pix[y * im->w + x].r * 77 + im->pix[y * im->w + x].g * 150 + im->pix[y * im->w + x].b * 29) >> 8;
#pragma endscop
}
#define PIX(im, x, y) ((im).pix[(y) * (im).w + (x)])
void premultiply(image im)
{
#pragma scop
    for (int y = 0; y < im.h; y++)
        for (int x = 0; x < im.w; x++) {
            PIX(im, x, y).r = PIX(im, x, y).r * PIX(im, x, y).a / 255;
            PIX(im, x, y).g = PIX(im, x, y).g * PIX(im, x, y).a / 255;
            PIX(im, x, y).b = PIX(im, x, y).b * PIX(im, x, y).a / 255;
        }
#pragma endscop
}
/* Arrays in structs: a subscript of their own. */
void leap(int n, struct body p[n], double dt)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int d = 0; d < 3; d++)
            p[i].pos[d] += p[i].vel[d] * dt;
#pragma endscop
}
/* What is kept in members of structs without a name, between others of other types. */
void stereo(struct mixed *m, int n, double *out)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        out[i] = m[i].left * m[i].gain + m[i].n;
        m[i].right = m[i].left - m[i].kind;
    }
#pragma endscop
}
/* Arrays of arrays of structs, and arrays that live longer. */
static struct vec grid[20][30];
float field(int n, float by)
{
    struct vec local[2][64];
    for (int k = 0; k < 128; k++)
        local[k / 64][k % 64] = (struct vec){k, -k, 2 * k};
    float sum = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            grid[i][j].y = grid[i][j].x + by;
            grid[i][j].x = local[1][j].z;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += grid[i][j].y * local[0][j].y;
#pragma endscop
    return sum;
}
/* An array in a single struct, whose other members the region reads. */
void filter(struct filter *f, const float *x, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < f->taps; k++)
            f->state[k] = f->state[k] * 0.5f + x[i] * f->coef[k];
#pragma endscop
}
/* What a region finds behind pointers is in one array with what is beside it. */
void shift(struct vec *p, int n)
{
#pragma scop
    for (int i = 1; i < n; i++) {
        p[i].x = p[i - 1].y;
        p[i].y = p->z + i;
    }
#pragma endscop
}
/* Whole structs: a palette, a shift of elements, a copy under a condition. */
void palette(const uint8_t *index, const rgba *colors, rgba *out, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = colors[index[i]];
#pragma endscop
}
void pack(particle *to, const particle *from, int n, struct vec *v)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        const particle *p = from + 2 * i;
        if (i % 3 != 0)
            to[i] = *p;
        v[i] = to[i].pos;
        v[i].z += 1;
    }
#pragma endscop
}
C
show_h
cat >main.c <<'C'
#include "types.h"
#include <stdio.h>
#include <string.h>
void drift(struct vec *, const struct vec *, int, float), collide(particle *, unsigned), premultiply(image);
void smooth(const struct vec *, struct vec *, size_t), gray(const image *, uint8_t *, int);
void leap(int, struct body *, double), stereo(struct mixed *, int, double *), shift(struct vec *, int);
float rows(struct grid *, struct grid, const float *, int);
void filter(struct filter *, const float *, int), palette(const uint8_t *, const rgba *, rgba *, int);
void pack(particle *, const particle *, int, struct vec *);
double energy(const particle *, int);
float field(int, float);
#include "show.h"
int main(void)
{
    static struct vec p[300], v[300];
    static particle q[200];
    static rgba pix[40 * 30];
    static uint8_t out[48 * 30];
    static struct body bodies[77];
    static struct mixed mixed[91];
    static double gains[91];
    static struct filter f = {9, {1, 2, 3, -4, 5, 6, 7, 8, 9, 10}, {3, 2, 1}};
    float x[33];
    for (int i = 0; i < 300; i++)
        p[i] = (struct vec){i, i % 7, i % 11}, v[i] = (struct vec){i % 5, -i, i % 3};
    for (int i = 0; i < 200; i++)
        q[i] = (particle){{i, i, i % 9 - 4}, {i % 8, -i % 5, i % 4}, i % 6, i};
    for (int i = 0; i < 40 * 30; i++)
        pix[i] = (rgba){i * 7, i * 3, i * 5, i * 11};
    for (int i = 0; i < 77 * 6; i++)
        (&bodies[0].pos[0])[i] = i % 13;
    for (int i = 0; i < 91; i++)
        mixed[i] = (struct mixed){.kind = i % 3, .n = i, .left = i * 9, .gain = i % 7, .u = {.i = i}};
    for (int i = 0; i < 33; i++)
        x[i] = i % 5;
    drift(p, v, 300, 0.5f), SHOW(p);
    drift(p, p + 1, 200, 0.25f), SHOW(p); /* they overlap */
    printf("%a\n", energy(q, 200));
    collide(q, 200), SHOW(q);
    smooth(p, v, 300), SHOW(v);
    image im = {40, 30, pix};
    gray(&im, out, 48), SHOW(out);
    premultiply(im), SHOW(pix);
    leap(77, bodies, 0.5), SHOW(bodies);
    stereo(mixed, 91, gains), SHOW(mixed), SHOW(gains);
    printf("%a %a\n", field(20, 3), field(17, 1));
    struct grid g = {1, {{1, 2, 3}, {4, 5, 6, 7}, {8}}}, h = {2, {{3, 1}, {2, 2, 2}, {5, 4, 3, 2, 1}}};
    printf("%a\n", rows(&g, h, x, 33)), show("g", g.m, sizeof g.m);
    filter(&f, x, 33), show("f", &f, sizeof f);
    shift(p, 300), SHOW(p);
    shift(p, 1), SHOW(p);
    static rgba chosen[100];
    palette(out, pix, chosen, 100), SHOW(chosen);
    static particle few[90];
    pack(few, q, 90, v), SHOW(few), SHOW(v);
    pack(q, q, 90, v), SHOW(q); /* to itself */
    gray(&(image){0, 0, NULL}, NULL, 0);
    return 0;
}
C
as_before_everywhere 16
expect 0 compile old.c -o new.c
grep -q 'squall_drift_1_applies(n, p, v)' new.c || fail "arrays of structs are not tested"
grep -q 'squall_collide_1(n, (.*)p, (.*)p)' new.c || fail "members of two types"

# What writes bytes may write those of a pointer that others know of.
for write in 'b[i] = 1' 'b[i] += 1' 'b[i]++' '--b[i]' 'c[i] = c[i + 1]'; do
    cat >bytes.c <<C
#include "types.h"
extern struct { int n; struct vec *p; } *g;
void f(int n, uint8_t *b, rgba *c, float *o)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        $write;
        o[i] = g->p[i].x;
    }
#pragma endscop
}
C
    expect 1 compile bytes.c -o bytes_new.c
    says "the region writes bytes, which may be those of the pointer to it"
done
