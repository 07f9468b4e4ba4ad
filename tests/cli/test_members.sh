#!/bin/sh
# Regions that read members of structs and products in bounds: the file that is written computes what the file that was
# read does, also where the struct's memory is written to; what a region changes is no constant of it.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
here=" $(targets 'runs' | tr '\n' ' ')"
cat >image.h <<'C'
typedef struct {
    int w, h, c;
    float *data;
} image;
typedef struct {
    image im;
    float scale;
    unsigned char *bytes;
    int n, *counts;
    struct layer_ *next;
} layer;
struct layer_ { int n; };
C
cat >image.c <<'C'
#include "image.h"
#include <math.h>
void invert(image im, image out)
{
    int i, j, k;
#pragma scop
    for (k = 0; k < im.c; ++k)
        for (j = 0; j < im.h; ++j)
            for (i = 0; i < im.w; ++i)
                out.data[k*im.h*im.w + j*im.w + i] = 1 - im.data[k*im.h*im.w + j*im.w + i];
#pragma endscop
}
void constrain(image im)
{
    int i;
#pragma scop
    for (i = 0; i < im.w * im.h * im.c; ++i) {
        if ((im).data[i] < 0) (im.data)[i] = 0;
        if (( im ).data[i] > 1) ((im).data)[i] = 1;
    }
#pragma endscop
}
void distance(image a, image b, image dist)
{
    int i, j;
#pragma scop
    for (i = 0; i < a.c; ++i)
        for (j = 0; j < a.h*a.w; ++j)
            dist.data[j] += (a.data[i*a.w*a.h + j] - b.data[i*a.h*a.w + j]) * (a.data[i*a.h*a.w + j] - b.data[i*a.h*a.w + j]);
#pragma endscop
}
double total(const layer *l)
{
    double sum = 0;
    int i;
#pragma scop
    for (i = 0; i < l->n; i++)
        sum += l->scale * l->bytes[i];
#pragma endscop
    return sum;
}
void scaled(layer *l)
{
    int i;
#pragma scop
    for (i = 0; i < l->n; i++)
        l->im.data[i] = l->scale * l->bytes[i];
#pragma endscop
}
/* Matrices behind pointers: the loops may not come to b and c. Products of sizes beside arrays of int. */
typedef struct { int rows, cols; double *v; } mat;
void matmul(const mat *a, const mat *b, mat *c)
{
    int i, j, k;
#pragma scop
    for (i = 0; i < a->rows; i++)
        for (j = 0; j < b->cols; j++) {
            c->v[i*c->cols + j] = 0;
            for (k = 0; k < a->cols; k++)
                c->v[i*c->cols + j] += a->v[i*a->cols + k] * b->v[k*b->cols + j];
        }
#pragma endscop
}
void count(int *a, unsigned char *bytes, image im, int w, int h)
{
    int i, k;
#pragma scop
    for (k = 0; k < im.c; k++)
        for (i = 0; i < w*h; i++)
            a[k*h*w + i] = k + i;
    for (i = 0; i < im.w * im.h; i++)
        bytes[i] = 255 - bytes[i];
#pragma endscop
}
/* counts may be the memory of n itself. */
void clear(layer *l)
{
    int i;
#pragma scop
    for (i = 0; i < l->n; i++)
        l->counts[i] = 1;
#pragma endscop
}
C
cat >main.c <<'C'
#include "image.h"
#include <stdio.h>
#include <string.h>
#ifdef SECOND
#define X(f) f##_2
#else
#define X(f) f
#endif
void invert(image, image), constrain(image), distance(image, image, image), scaled(layer *), clear(layer *);
double total(const layer *);
typedef struct { int rows, cols; double *v; } mat;
void matmul(const mat *, const mat *, mat *), count(int *, unsigned char *, image, int, int);
int main(void)
{
    static float A[3 * 37 * 41], B[3 * 37 * 41], C[3 * 37 * 41], D[37 * 41];
    static unsigned char bytes[37 * 41];
    static int counts[64];
    for (int i = 0; i < 3 * 37 * 41; i++)
        A[i] = (float)(i % 23) / 7 - 1, B[i] = (float)(i % 19) / 19;
    for (int i = 0; i < 37 * 41; i++)
        bytes[i] = (unsigned char)(i * 7);
    image a = {37, 41, 3, A}, b = {37, 41, 3, B}, c = {37, 41, 3, C}, d = {37, 41, 1, D};
    layer l = {c, 0.5f, bytes, 37 * 41, counts};
    invert(a, c);
    distance(a, b, d);
    constrain(a);
    printf("%a %a %a %a\n", C[0], C[3 * 37 * 41 - 1], D[36], D[37 * 41 - 1]);
    printf("%a %a %a\n", A[22], A[23], A[3 * 37 * 41 - 1]);
    printf("%a\n", total(&l));
    scaled(&l);
    printf("%a %a\n", C[5], C[37 * 41 - 1]);
    l.n = 50;
    clear(&l);
    printf("%d %d %d\n", counts[0], counts[49], counts[50]);
    image none = {0, 41, 3, 0};
    invert(none, none), constrain(none);
    static double P[20 * 30], Q[30 * 25], R[20 * 25];
    static int many[3 * 9 * 8];
    for (int i = 0; i < 600; i++)
        P[i] = i % 7;
    for (int i = 0; i < 750; i++)
        Q[i] = i % 5;
    mat p = {20, 30, P}, q = {30, 25, Q}, r = {20, 25, R}, empty = {0, 0, NULL};
    matmul(&p, &q, &r);
    matmul(&empty, NULL, NULL);
    printf("%a %a\n", R[0], R[499]);
    count(many, bytes, a, 9, 8);
    printf("%d %d %d\n", many[71], many[215], bytes[37 * 41 - 1]);
    union { /* whose counts are the memory of n */
        layer l;
        int i[sizeof(layer) / sizeof(int) + 16];
    } s = {.l = {c, 1, bytes, 3, NULL}};
    s.l.counts = &s.l.n;
    clear(&s.l);
    printf("%d\n", s.l.n);
    return 0;
}
C
for target in generic avx2; do
    expect 0 compile image.c -o new.c --target=$target
    [ "$(grep -c '#if defined\|squall_[a-z]*_1(' new.c)" -ge 6 ] || fail "$target: regions are left out"
    for flags in -O0 '-O2 -Wall -Wextra -Werror -Wno-unused-parameter -Wno-unknown-pragmas -Wno-missing-field-initializers'; do
        # shellcheck disable=SC2086 # a list of words
        $CC $flags -ffp-contract=off image.c main.c -o old -lm && $CC $flags -ffp-contract=off new.c main.c -o new -lm ||
            fail "$target: $flags"
        case $here in *" $target "*) ;; *) echo "skipped: running $target" && continue ;; esac
        ./old >old.out && ./new >new.out || fail "$target: new dies"
        same old.out new.out
    done
done
grep -q 'squall_invert_1(im.c, im.h, im.w, (float \*)out.data, (const float \*)im.data)' new.c ||
    fail "the call does not pass members"
grep -q 'if (!(b && c && squall_matmul_1_applies(a->rows, ' new.c || fail "no test for NULL"
grep -q 'squall_count_1_applies(im.c, .*w\*h, .*im.w \* im.h' new.c || fail "products"
grep -q 'squall_clear_1_applies(l->n, &l->n, l->counts)' new.c || fail "memory of a member is not tested"
grep -q 'for (i = 0; i < im.w \* im.h \* im.c; ++i) {' new.c || fail "the text as written is changed"
expect 0 check image.c --kernel=invert --target=generic --quick --progress=never
expect 0 check image.c --kernel=distance --target=generic --quick --progress=never

# Names that others have: a macro of a header, an enumerator that ## makes, a variable inside of the region, types of
# the C library. Structs in memory under an array of their own. Products that overflow where no loop comes to them.
cat >names.h <<'C'
#define im_w 5
C
cat >names.c <<'C'
#include "names.h"
#include <stdio.h>
#define PASTE(a, b) a##_##b
typedef struct { int w, h; } sizes;
typedef union { int all[8]; sizes s; } shared;
void macro(int *d, sizes im)
{
#pragma scop
    for (int i = 0; i < im.w; i++)
        d[i] += i + 1;
#pragma endscop
}
int pasted(int *d, sizes at)
{
    enum { PASTE(at, w) = 2 };
#pragma scop
    for (int i = 0; i < at.w; i++)
        d[i] += i + 1;
#pragma endscop
    return PASTE(at, w);
}
void typed(int *d, int n)
{
    struct { int t; } size = {n};
#pragma scop
    for (int i = 0; i < size.t; i++)
        d[i] += 3;
#pragma endscop
}
void operand(int *d, int w, int h)
{
#pragma scop
    for (int i = 0; i < w*h; i++)
        d[sizeof w*h + i] = i + 1;
#pragma endscop
}
int element(int w, int v)
{
    shared u = {{0}};
    u.s.w = w;
    int *q = &u.all[0], sum = 0;
#pragma scop
    for (int i = 0; i < u.s.w; i++)
        q[i] = v;
#pragma endscop
    for (int i = 0; i < 8; i++)
        sum = 10 * sum + u.all[i];
    return sum;
}
int decayed(int w, int v)
{
    shared u = {{0}};
    u.s.w = w;
    int *q = u.all, sum = 0;
#pragma scop
    for (int i = 0; i < u.s.w; i++)
        q[i] = v;
#pragma endscop
    for (int i = 0; i < 8; i++)
        sum = 10 * sum + u.all[i];
    return sum;
}
void unreached(int *d, int w, int h, int c, int n)
{
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < w * h*c; i++)
            d[k*w*h*c + i] = i + k;
#pragma endscop
}
sizes other = {3, 1};
void outside(int *d)
{
#pragma scop
    for (int i = 0; i < other.w; i++)
        d[i] += 7;
#pragma endscop
}
void inside(int *d, int n)
{
    register sizes other = {n, 1};
#pragma scop
    for (int i = 0; i < other.w; i++)
        d[i] += 9;
#pragma endscop
}
void array(int *d, int n)
{
    sizes one[1] = {{n, 1}};
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < one->w; i++)
            d[i] += one->w;
#pragma endscop
}
int main(void)
{
    int d[64] = {0};
    macro(d, (sizes){3, 0});
    pasted(d + 8, (sizes){5, 0});
    typed(d + 16, 3);
    operand(d + 20, 2, 3);
    unreached(d, 65536, 65536, 3, 0);
    unreached(d + 44, 2, 1, 3, 2);
    outside(d);
    inside(d + 1, 4);
    array(d + 54, 3);
    for (int i = 0; i < 64; i++)
        printf("%d ", d[i]);
    printf("%d %d\n", element(6, 1), decayed(5, 1));
    return 0;
}
C
expect 0 compile names.c -o names_new.c --target=generic
[ "$(grep -c 'squall_[a-z]*_1(' names_new.c)" -ge 11 ] || fail "regions of names.c are left out"
for flags in '-O0 -fsanitize=undefined,address -fno-sanitize-recover=all' '-O2'; do
    # shellcheck disable=SC2086 # a list of words
    $CC $flags -w names.c -o old && $CC $flags -Waddress -Werror names_new.c -o new || fail "names: $flags"
    ./old >old.out && ./new >new.out || fail "names: new dies"
    same old.out new.out
done
grep -q '!__builtin_mul_overflow(w, h, &(int){0}) && !__builtin_mul_overflow(w \* h, c, &(int){0})' names_new.c ||
    fail "a product may overflow"

# A region that changes a member, or the struct, or what a product says; a member behind a pointer that the region need
# not read, or overwrites.
refused() { # WHAT BODY
    printf '#include "image.h"\nextern image other;\nvoid f(image im, layer *l, int n, int *counts)\n{\n    int i;\n#pragma scop\n%s\n#pragma endscop\n}\n' \
        "$2" >bad.c
    expect 1 compile bad.c -o bad_new.c
    absent bad_new.c
}
refused "a member is counted" '    for (i = 0; i < im.w; i++) { im.data[i] = 1; im.w = im.w - 1; }'
refused "the struct is assigned" '    for (i = 0; i < im.w; i++) { im.data[i] = 1; im = other; }'
refused "a pointer behind a pointer" '    for (i = 0; i < n; i++) counts[i] = l->next->n;'
refused "a pointer moves" '    for (i = 0; i < l->n; i++) { counts[i] = l->n; l = l + 1; }'
refused "bits" '    for (i = 0; i < im.w; i++) counts[i] = &im != 0;'
refused "a struct of the struct" '    for (i = 0; i < l->n; i++) l->im = other;'
refused "a factor by the same name" \
    '    for (i = 0; i < n*im.w; i++) counts[i] = 1;
    { int n = 2; for (i = 0; i < 5; i++) counts[n*im.w + i] = n; }'
printf '#include "image.h"\nlayer *l;\nvoid f(const char *from, char *to)\n{\n#pragma scop\n%s\n#pragma endscop\n}\n' \
    '    for (int i = 0; i < l->n; i++) to[i] = from[i];' >bad.c
expect 1 compile bad.c -o bad_new.c
printf 'void f(int *d, int n)\n{\nvolatile int w = n, h = n;\n#pragma scop\n%s\n#pragma endscop\n}\n' \
    '    for (int i = 0; i < w*h; i++) d[i] += i;' >bad.c
expect 1 compile bad.c -o bad_new.c
says "'w' is volatile"
