#!/bin/sh
# Macros, structs in arrays, rows, pointers that loops move and calls in one: the file that is written computes what the
# file that was read does, also where what they lead to overlaps.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cat >old.c <<'C'
#include <stddef.h>
#include <stdint.h>
typedef struct { float x, y; } pt;
typedef struct { int n; pt *p; float w; pt in[4]; } set;
#define X(s, i) (s)->p[i].x
#define NEG(a) -a
#define SUM(s, i) X(s, i) + (s)->p[i].y
#define EL(v) v[k]
int sums(set *s, pt *q, int n)
{
#pragma scop
    for (int k = 0; k < n; k++) {
        q[k].x = 3 * SUM(s, k) - X(s, k) * (s)->w;
        q[k].y = NEG(X(s, k)) - NEG(EL(q).x);
        EL(q).x += s->in[k & 3].y;
    }
#pragma endscop
    return 0;
}
/* Subscripts that lead before the pointer. */
void offset(pt *p, int n, int off) {
    pt *q = p + 5;
#pragma scop
    for (int i = 0; i < n; i++) q[i + off].x = q[i].y - i;
#pragma endscop
}
/* Names that stand-ins would have, and macros in subscripts. */
#define i2 i
void names(pt *p, int n, float *x) {
    float p_float[3] = {1, 2, 3}; int y = 2;
#pragma scop
    for (int i = 0; i < n; i++) { p[i2].x = x[i2] + p_float[y]; p[i].y = y; }
#pragma endscop
}
/* Rows and steps by way of macros and members, also two in one block. */
typedef struct { int w, h, stride; uint8_t *data; } im;
#define ROW(m, y) ((m)->data + (y) * (m)->stride)
void invert(const im *a, im *b)
{
#pragma scop
    for (int y = 0; y < a->h; y++) {
        const uint8_t *s = ROW(a, y);
        uint8_t *d = ROW(b, y);
        for (int x = 0; x < a->w; x++)
            *d++ = 255 - *s++;
    }
#pragma endscop
}
void swap(im a)
{
#pragma scop
    for (int y = 0; y < a.h; y++) {
        uint8_t *r = &a.data[y * a.stride];
        for (int x = 0; x < a.w / 3; x++, r += 3) {
            uint8_t t = r[0];
            r[0] = r[2];
            r[2] = t;
        }
        uint8_t *first = a.data + y * a.stride;
        *first = y;
        first[1] += 1;
    }
#pragma endscop
}
void plain(const float *s, float *d, size_t n)
{
#pragma scop
    for (size_t i = 0; i < n; i++) *d++ = *s++ + 1;
#pragma endscop
}
static void add1(float *p) { *p += 1; }
static void addn(pt *p, float v) { p->x += v; p->y -= v; }
void through(float *a, pt *p, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) { add1(&a[i]); addn(&p[i], a[i]); add1(&p[i].y); }
#pragma endscop
}
C
cat >main.c <<'C'
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
typedef struct { float x, y; } pt;
typedef struct { int n; pt *p; float w; pt in[4]; } set;
typedef struct { int w, h, stride; uint8_t *data; } im;
int sums(set *, pt *, int); void offset(pt *, int, int), names(pt *, int, float *), invert(const im *, im *), swap(im), plain(const float *, float *, size_t), through(float *, pt *, int);
static void show(const void *at, size_t n) { const unsigned char *b = at; unsigned long s = 0; for (size_t i = 0; i < n; i++) s = s * 31 + b[i]; printf("%lx\n", s); }
int main(void) {
  static pt p[300], q[300]; static float f[300]; static uint8_t b1[900], b2[900];
  for (int i = 0; i < 300; i++) p[i] = (pt){i % 7, i % 5}, q[i] = (pt){i, -i}, f[i] = i % 13;
  for (int i = 0; i < 900; i++) b1[i] = i * 7;
  set s = {3, p, 0.5f, {{1, 2}, {3, 4}, {5, 6}, {7, 8}}};
  sums(&s, q, 200); show(q, sizeof q); sums(&s, p + 1, 100); show(p, sizeof p);
  offset(p, 100, 3); show(p, sizeof p); offset(p, 100, -3); show(p, sizeof p);
  names(p, 90, f); show(p, sizeof p); names(p, 50, &p[3].x); show(p, sizeof p);
  im a = {29, 30, 30, b1}, b = {29, 30, 29, b2};
  invert(&a, &b); show(b2, sizeof b2); invert(&a, &a); show(b1, sizeof b1); swap(b); show(b2, sizeof b2);
  plain(f, f + 150, 150); show(f, sizeof f); plain(f, f + 1, 20); show(f, sizeof f);
  through(f, p, 100); show(p, sizeof p); through(&p[0].x, p, 9); show(p, sizeof p);
}
C
as_before_everywhere 7
