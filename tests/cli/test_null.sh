#!/bin/sh
# Pointers that regions ask for: `if (da)`, `b ? b[i] : 0`, `p != NULL`. The new file computes what the old one does for
# every set of pointers that are NULL, in its optimized code: nothing behind a null pointer is touched, and none of them
# counts as an overlap. Arrays that do overlap run as written.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >old.c <<'C'
#include <stddef.h>
struct layer {
    int n;
    float *delta;
    const float *out;
};
float *memory;

void weigh(const float *a, const float *b, const float *s, int n, float *c)
{
    int i;
#pragma scop
    for (i = 0; i < n; ++i)
        c[i] = s[i] * a[i] + (1 - s[i]) * (b ? b[i] : 0);
#pragma endscop
}

void back(const float *a, const float *b, const float *s, float *da, float *db, float *ds, int n, const float *dc)
{
    int i;
#pragma scop
    for (i = 0; i < n; ++i) {
        if (da) da[i] += dc[i] * s[i];
        if (NULL != db) db[i] += dc[i] * (1 - s[i]);
        ds[i] += dc[i] * (a[i] - b[i]);
    }
#pragma endscop
}

void part(int nx, float *x, int ny, float *y, int rows, const float *out)
{
#pragma scop
    for (int j = 0; j < rows; ++j) {
        for (int i = 0; i < nx; ++i)
            if (x) x[j * nx + i] += out[j * (nx + ny) + i];
        for (int i = 0; i < ny; ++i)
            if ((void *)0 != y) y[j * ny + i] += out[j * (nx + ny) + nx + i];
    }
#pragma endscop
}

void of_layer(struct layer *l, const float *mask, int m, double *total)
{
    double sum = 0;
#pragma scop
    for (int i = 0; i < l->n; i++) {
        if (l->delta && mask == 0)
            l->delta[i] = l->out[i] * 2;
        else if (mask != NULL && mask[i] > 0 && l->delta)
            l->delta[i] += mask[i];
    }
    for (int i = 0; i < m; i++)
        sum += !mask ? 1 : mask[i];
#pragma endscop
    *total = sum;
}

static float or_one(const float *p, int i) { return p ? p[i] : 1; }

void inlined(float out[], const float *p, int n)
{
#pragma scop
    if (out)
        for (int i = 0; i < n; i++)
            out[i] = or_one(p, i) + or_one(memory, i);
#pragma endscop
}

void asked(const float *p, int n, float *to)
{
#pragma scop
    if (p == NULL)
        for (int i = 0; i < n; i++)
            to[i] = 3;
    else
        for (int i = 0; i < n; i++)
            to[i] += 4;
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdio.h>
#include <stdlib.h>
struct layer {
    int n;
    float *delta;
    const float *out;
};
extern float *memory;
void weigh(const float *, const float *, const float *, int, float *);
void back(const float *, const float *, const float *, float *, float *, float *, int, const float *);
void part(int, float *, int, float *, int, const float *);
void of_layer(struct layer *, const float *, int, double *);
void inlined(float *, const float *, int);
void asked(const float *, int, float *);

enum { MOST = 34 * 8 };
static float a[8][MOST];

static void show(const char *name)
{
    printf("%s", name);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < MOST; j++)
            printf(" %.9g", (double)a[i][j]), a[i][j] = (float)((i * 7 + j * 5) % 11 - 5) / 8;
    printf("\n");
}

/* which: bit i: pointer i is there. */
static void run(int n, int which)
{
    float *p[3];
    double total;
    for (int i = 0; i < 3; i++)
        p[i] = which >> i & 1 ? a[i] : NULL;
    weigh(a[3], p[0], a[4], n, a[5]);
    show("weigh");
    back(a[3], a[4], a[5], p[0], p[1], a[6], n, a[7]);
    show("back");
    part(n, p[0], 7, p[1], 3, a[7]);
    show("part");
    struct layer l = {n, p[0], a[5]};
    of_layer(&l, p[1], n / 2, &total);
    printf("%.17g ", total);
    show("of_layer");
    memory = p[2];
    inlined(p[0], p[1], n);
    show("inlined");
    asked(p[0], n, a[1]);
    show("asked");
}

int main(int argc, char **argv)
{
    static const int size[] = {0, 1, 2, 3, 7, 13, 31, 33};
    show("start");
    if (argc > 1) { /* overlaps: the text as written */
        back(a[3], a[4], a[5], a[0], a[0] + atoi(argv[1]), a[6], 31, a[7]);
        back(a[3], a[4], a[5], NULL, a[6] + atoi(argv[1]), a[6], 31, a[7]);
        weigh(a[3], a[5] + atoi(argv[1]), a[4], 31, a[5]);
        show("overlap");
        return 0;
    }
    for (int s = 0; s < 8; s++)
        for (int which = 0; which < 8; which++)
            run(size[s], which);
    return 0;
}
C
built old.c main.c -o old
for target in $(region_targets); do
    rebuilt "$target"
    as_before "$target" 384
    for by in 0 1 5; do
        as_before "$target" 0 $by
    done
    expect 0 check old.c --target="${target%,openmp}" --quick
done
for cc in "${CC:-cc}" clang-19; do
    ! command -v "$cc" >/dev/null ||
        "$cc" -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wno-unknown-pragmas -Werror -O1 -c new.c -o new.o 2>err || fail "$cc"
done
grep -qF 'da != 0, db != 0)' new.c || fail "the call does not pass what is asked"

expect 0 compile old.c --target=c --fix=da_given=1 --kernel=back -o new.c
grep -qF 'da_given == 1' new.c || fail "a constant that is not tested"

# What asks for something else.
cat >no.c <<'C'
void order(const float *p, const float *q, float *y, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (p < q)
            y[i] = 1;
#pragma endscop
}
C
expect 1 compile no.c -o no2.c
says 'no.c:5:13: error: '
exit 0
