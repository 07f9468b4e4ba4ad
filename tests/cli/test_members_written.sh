#!/bin/sh
# Regions that give members of single structs values: the file that is written computes what the file that was read
# does, also where two pointers lead to one struct or an array lies over a member.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cat >types.h <<'C'
#include <stdint.h>
typedef struct { float sum, sq; int n; } stats;
typedef struct { double x, y, z; } vec3;
typedef struct { uint8_t low, high; int32_t at; } range;
struct layer { float mean, var, scale; int n; float *w; };
struct net { struct layer in, out; int seen; };
C
cat >old.c <<'C'
#include "types.h"
void moments(stats *s, const float *x, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        s->sum += x[i];
        s->sq += x[i] * x[i];
    }
#pragma endscop
}
/* A variable, whose members are read behind the region, too. */
stats whole(const float *x, int n)
{
    stats s = {0, 5, 0};
#pragma scop
    s.sum = 0;
    s.n = n;
    for (int i = 0; i < n; i++)
        s.sum += x[i], s.sq -= x[i];
#pragma endscop
    s.sum += s.n;
    return s;
}
void centre(const vec3 *p, int n, vec3 *c)
{
#pragma scop
    c->x = c->y = c->z = 0;
    for (int i = 0; i < n; i++) {
        c->x += p[i].x;
        c->y += p[i].y;
        c->z += p[i].z;
    }
    c->x /= n;
    c->y /= n;
    c->z /= n;
#pragma endscop
}
/* What bounds the loop is a member, too, and arrays are behind another. */
void normal(struct layer *l, const float *x)
{
#pragma scop
    l->mean = 0;
    l->var = 0;
    for (int i = 0; i < l->n; i++)
        l->mean += x[i] * l->w[i];
    l->mean /= l->n;
    for (int i = 0; i < l->n; i++)
        l->var += (x[i] - l->mean) * (x[i] - l->mean) * l->scale;
#pragma endscop
}
void limits(const uint8_t *a, int n, range *r)
{
#pragma scop
    r->low = 255;
    r->high = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] < r->low)
            r->low = a[i];
        if (a[i] > r->high) {
            r->high = a[i];
            r->at = i;
        }
    }
#pragma endscop
}
/* Two pointers, which may lead to one struct. */
void both(stats *s, stats *t, const float *x, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        s->sum += x[i];
        t->sum += 2 * s->sum;
        t->n++;
    }
#pragma endscop
}
#define ADD(s, to, v) ((s)->to += (v))
#define RESET(s) do { (s)->sum = 0; (s)->sq = 1; } while (0)
void macros(stats *s, const float *x, int n)
{
#pragma scop
    RESET(s);
    for (int i = 0; i < n; i++) {
        ADD(s, sum, x[i]);
        (s)->sq += x[i];
        s->sq += 1;
    }
#pragma endscop
}
static struct net net;
static inline void note(struct layer *l, float v) { l->mean += v; }
void paths(struct net *m, const float *x, int n)
{
#pragma scop
    m->seen++;
    for (int i = 0; i < n; i++) {
        net.in.mean += x[i];
        m->out.mean -= x[i] * net.in.scale;
        note(&net.out, x[i]);
    }
#pragma endscop
}
/* Under a condition, in loops that may have no turn. */
void maybe(stats *s, const float *x, int n, int m)
{
#pragma scop
    if (m > 3)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                if (x[i * m + j] > 0)
                    s->n += 1;
#pragma endscop
}
/* A variable of the region with the name of one outside. */
float shadowed(stats s, const float *x, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float sum = x[i];
        s.sum += sum;
        s.sq = s.sum;
    }
#pragma endscop
    return s.sum * s.sq;
}
void blend(float *x, int n, stats *s)
{
    for (int k = 0; k < 3; k++) {
#pragma scop
        for (int i = 0; i < n; i++) {
            x[i] = x[i] * 0.5f + s->sum;
            s->n = i;
        }
        s->sum = x[0];
#pragma endscop
    }
}
struct net *get(void) { return &net; }
static inline void add(float *to, float v) { *to += v; }
void by_address(stats *s, const float *x, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        add(&s->sum, x[i]);
        add(&s->sq, x[i] * s->sum);
    }
#pragma endscop
}
C
show_h
cat >main.c <<'C'
#include "types.h"
#include <stddef.h>
#include <string.h>
#include "show.h"
void moments(stats *, const float *, int), centre(const vec3 *, int, vec3 *), normal(struct layer *, const float *);
void limits(const uint8_t *, int, range *), both(stats *, stats *, const float *, int), maybe(stats *, const float *, int, int);
void macros(stats *, const float *, int), paths(struct net *, const float *, int), blend(float *, int, stats *);
void by_address(stats *, const float *, int);
stats whole(const float *, int);
float shadowed(stats, const float *, int);
struct net *get(void);
int main(void)
{
    static float x[400], w[130];
    static vec3 p[129];
    static uint8_t bytes[300];
    for (int i = 0; i < 400; i++)
        x[i] = i % 7 - 3;
    for (int i = 0; i < 129; i++)
        p[i] = (vec3){i, i % 5, -i}, w[i] = i % 3;
    for (int i = 0; i < 300; i++)
        bytes[i] = i * 37 + 5;
    static const int sizes[] = {1, 2, 3, 7, 13, 31, 33, 127, 129};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int n = sizes[k];
        stats s = {1, 2, 3}, t = whole(x, n);
        vec3 c;
        struct layer l = {1, 2, 0.5f, n, w};
        range r = {1, 2, 3};
        moments(&s, x, n), SHOW(&s);
        printf("%a %a %d\n", t.sum, t.sq, t.n);
        centre(p, n, &c), show("centre", &c, sizeof c);
        normal(&l, x), printf("%a %a\n", l.mean, l.var);
        limits(bytes, n, &r), printf("%d %d %d\n", r.low, r.high, r.at);
        both(&s, &t, x, n), printf("%a %a %d %d\n", s.sum, t.sum, s.n, t.n);
        macros(&s, x, n), printf("%a %a\n", s.sum, s.sq);
        paths(get(), x, n), paths(&(struct net){.seen = 7}, x, n);
        printf("%a %a %a %d\n", get()->in.mean, get()->out.mean, get()->out.var, get()->seen);
        maybe(&s, x, 3, n), printf("%d\n", s.n);
        by_address(&s, x, n), printf("%a %a\n", s.sum, s.sq);
        printf("%a\n", shadowed(s, x, n));
        blend(x, n, &s), printf("%a %d\n", s.sum, s.n), SHOW(x);
    }
    stats s = {1, 2, 3};
    both(&s, &s, x, 9), printf("%a %d\n", s.sum, s.n); /* one struct */
    float over[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    moments((stats *)(void *)(over + 2), over, 8), SHOW(over); /* the array lies over the struct */
    blend(over, 8, (stats *)(void *)(over + 3)), SHOW(over);
    moments(&s, x, 0), maybe(&s, NULL, 0, 9), maybe(NULL, NULL, 4, 0), moments(NULL, NULL, 0);
    printf("%a %d\n", s.sum, s.n);
    return 0;
}
C
as_before_everywhere 128
expect 0 compile old.c -o new.c
grep -q 'squall_both_1_apart(squall_at_s__sum, 4, squall_at_t__sum, 4)' new.c || fail "two structs are not told apart"
! grep -q 'apart(squall_at_s__sum, 4, squall_at_s__sq, 4)' new.c || fail "two members of one struct are compared"
