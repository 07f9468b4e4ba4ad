#!/bin/sh
# Regions that call functions of their file: the file that is written computes what the file that was read does, where an
# assert fails too; what cannot be put in the place of a call is refused with its reason.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
here=" $(targets 'runs' | tr '\n' ' ')"
cat >image.h <<'C'
typedef struct {
    int w, h, c;
    float *data;
} image;
C
cat >calls.c <<'C'
#include "image.h"
#include <assert.h>
#include <math.h>
#define PIXEL(m, x, y, k) (m).data[(k) * (m).h * (m).w + (y) * (m).w + (x)]
#define LIMIT 0.75f

static float get(image m, int x, int y, int k)
{
    assert(x < m.w && y < m.h && k < m.c);
    return m.data[k*m.h*m.w + y*m.w + x]; /* the plane, the row, the pixel */
}
static float get_or_zero(image m, int x, int y, int k)
{
    if (x < 0 || x >= m.w || y < 0 || y >= m.h) return 0;
    if (k < 0 || k >= m.c) return 0; // outside
    return get(m, x, y, k);
}
static void set(image m, int x, int y, int k, float val)
{
    if (x < 0 || y < 0 || k < 0 || x >= m.w || y >= m.h || k >= m.c) return;
    assert(x < m.w && y < m.h && k < m.c);
    m.data[k*m.h*m.w + y*m.w + x] = val;
}
void embed(image source, image dest, int dx, int dy)
{
    int x, y, k;
#pragma scop
    for (k = 0; k < source.c; ++k)
        for (y = 0; y < source.h; ++y)
            for (x = 0; x < source.w; ++x) {
                float val = get(source, x, y, k);
                set(dest, dx + x, dy + y, k, val);
            }
#pragma endscop
}
void border(image a, image b, int by)
{
#pragma scop
    for (int k = 0; k < b.c; ++k)
        for (int y = 0; y < b.h; ++y)
            for (int x = 0; x < b.w; ++x)
                set(b, x, y, k, 2 * get_or_zero(a, x - by, y - by, k) + 1);
#pragma endscop
}
/* Without a test of its own: an assert that may fail. */
void brighten(image im, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x)
            im.data[y*im.w + x] = 1.5f * get(im, x, y, 0);
#pragma endscop
}

/* Values through locals, casts, ifs and other functions. */
static inline float clamp(float v, float lo, float hi)
{
    if (v < lo) v = lo;
    else if (v > hi)
        v = hi;
    return v;
}
static double mix(float a, float b, int t)
{
    float d = b - a;
    d *= 0.5;
    double scaled = d * t / 3;
    t += 1;
    return scaled + t;
}
static int half(int v) { return v / 2; }
static float twice(double v) { return v + v; }
void values(int n, float *a, const float *b, double *c)
{
    float local = 3;
#pragma scop
    for (int i = 0; i < n; i++) {
        c[i] = mix(b[i], local, i + 1) - twice(b[i] * 1.1);
        a[i] = clamp(b[i], -LIMIT, LIMIT) + twice(0.1);
        a[i] += half(i - 5) > 3 ? clamp(b[i] * 2, 0, 1) : -1;
    }
#pragma endscop
}

/* Loops of a function before the value that they make. */
static float dot(const float *x, const float *y, int n)
{
    float s = 0;
    int i;
    for (i = 0; i < n; i++)
        s += x[i] * y[i];
    return s;
}
static float norm(const float *x, int n)
{
    float most = 0;
    for (int i = 0; i < n; ++i) {
        float v = fabsf(x[i]);
        most = v > most ? v : most;
    }
    return most + dot(x, x, n);
}
void rows(int m, int n, float A[m][n], float *out, float *norms)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            A[i][j] *= 0.5f;
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = 1;
    for (int i = 0; i < m; i++)
        norms[i] = i;
#pragma endscop
}
void products(int m, int n, const float *A, const float *x, float *y, float *z)
{
#pragma scop
#pragma squall fp strict
    for (int i = 0; i < m; i++)
        y[i] = dot(A + i*n, x, n) + 1;
    for (int i = 0; i < m; i++) {
        float v = norm(A + i*n, n), w = 2;
        z[i] = v / w;
    }
#pragma endscop
}

/* Procedures: loops, variables of their own, others that they call; values that what they write would change. */
static void axpy(int n, float alpha, const float *x, float *y)
{
    for (int i = 0; i < n; i++)
        y[i] += alpha * x[i];
}
static void swap(float *a, int i, int j)
{
    float t = a[i];
    a[i] = a[j];
    a[j] = t;
}
static void spread(float *a, int i, float v)
{
    a[i] = v;
    a[i + 1] = v + 1;
}
static void both(int n, float *x, float *y)
{
    axpy(n, 2, x, y);
    axpy(n, y[0], x, y);
}
void procedures(int m, int n, float *A, float *x, float *y)
{
#pragma scop
#pragma squall fp strict
    for (int i = 0; i < m; i++)
        axpy(n, x[i], A + i*n, y);
    for (int i = 0; i < n / 2; i++)
        swap(y, i, n - 1 - i);
    for (int i = 0; i < m - 1; i++)
        spread(x, i, x[i]);
#pragma endscop
}
void pair(int n, float *x, float *y)
{
#pragma scop
#pragma squall fp strict
    both(n, x, y);
#pragma endscop
}

/* Pointers to structs; members of members; a macro of the function's that is given its variables. */
typedef struct { image im; float scale; } layer;
static float at(const image *m, int x, int y) { return PIXEL(*m, x, y, 0); }
static float scaled(const layer *l, int i) { return l->scale * l->im.data[i]; }
void layers(layer *l, image im, float *out)
{
    int n = im.w;
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = scaled(l, i);
#pragma endscop
    for (int i = 0; i < n; i++)
        out[i] += at(&im, i, 0);
}

/* Names: a variable of the region is called as one of the function's, and as its argument. */
static float shift(const float *a, int i, int k)
{
    int j = i + k, n = 1;
    return a[j] + n;
}
void names(int n, const float *a, float *out)
{
    int j, k;
#pragma scop
    for (k = 0; k < 3; k++)
        for (j = 0; j < n; j++)
            out[k*n + j] = shift(a, k, j);
#pragma endscop
}

/* The common spelling over several lines. */
void lines(int n, float *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        assert(n < 1000);
        a[i] =
            clamp(a[i], /* least */
                  -0.5f,
                  0.5f);
    }
#pragma endscop
}
C
cat >main.c <<'C'
#include "image.h"
#include <stdio.h>
#include <string.h>
typedef struct { image im; float scale; } layer;
void embed(image, image, int, int), border(image, image, int), brighten(image, int, int);
void values(int, float *, const float *, double *);
void products(int, int, const float *, const float *, float *, float *);
void procedures(int, int, float *, float *, float *), pair(int, float *, float *);
void layers(layer *, image, float *), names(int, const float *, float *), lines(int, float *);
static float A[4000], B[4000], C[4000], D[4000];
static double E[4000];
static unsigned state = 1;
static void fill(float *a)
{
    for (int i = 0; i < 4000; i++)
        a[i] = (float)((state = state * 1664525u + 1013904223u) >> 8) / 8388608.f - 1;
}
static void say(const char *name, const float *a)
{
    unsigned h = 2166136261u, bits;
    for (int i = 0; i < 4000; i++)
        memcpy(&bits, &a[i], 4), h = (h ^ bits) * 16777619u;
    printf("%s %08x %a\n", name, h, a[7]);
}
static void near(const char *name, const float *a, int n)
{
    for (int i = 0; i < n; i++)
        printf("%s %.4f\n", name, a[i]);
}
int main(int argc, char **argv)
{
    static const int sizes[] = {1, 2, 3, 7, 13, 31};
    (void)argv;
    fill(A), fill(B), fill(C), fill(D);
    for (int s = 0; s < 6; s++) {
        int n = sizes[s];
        image a = {n, n + 1, 3, A}, b = {n + 2, n + 3, 3, B};
        embed(a, b, 1, 2), say("embed", B);
        embed(a, b, -1, -2), say("embed", B);
        embed(a, b, n, 1), say("embed", B);
        embed(a, a, 0, 0), say("embed", A);
        border(a, b, 1), say("border", B);
        brighten(a, n - (n > 1), n), say("brighten", A);
        values(n, C, D, E), say("values", C), printf("%a %a\n", E[0], E[n - 1]);
        procedures(n, n + 1, A, C, D), near("procedures", D, n + 1), say("spread", C);
        fill(C), fill(D);
        pair(n, C, D), near("pair", D, n);
        products(n, n + 3, A, B, C, D), near("products", C, n), near("norms", D, n);
        layer l = {a, 0.5f};
        layers(&l, a, C), say("layers", C);
        names(n, A, D), say("names", D);
        lines(n, A), say("lines", A);
        fill(A), fill(B), fill(C), fill(D);
    }
    image a = {5, 4, 1, A};
    if (argc > 1) /* its assert fails */
        brighten(a, 6, 4);
    return 0;
}
C
regions=$(grep -c '#pragma scop' calls.c)
for target in generic avx2; do
    expect 0 compile calls.c -o new.c --target=$target
    [ "$(grep -c "^#line.*calls.c" new.c)" -ge "$regions" ] || fail "$target: regions are left out"
    for flags in -O0 '-O2 -Wall -Wextra -Werror -Wno-unused-parameter -Wno-unknown-pragmas'; do
        # shellcheck disable=SC2086 # a list of words
        $CC $flags -ffp-contract=off calls.c main.c -o old -lm && $CC $flags -ffp-contract=off new.c main.c -o new -lm ||
            fail "$target: $flags"
        case $here in *" $target "*) ;; *) echo "skipped: running $target" && continue ;; esac
        ./old >old.out && ./new >new.out || fail "$target: new dies"
        same old.out new.out
        for p in old new; do
            ./$p fail >$p.out 2>$p.err && fail "$p: no assert fails"
            grep -q "Assertion.*x < m.w" $p.err || fail "$p: another assert"
        done
    done
done
