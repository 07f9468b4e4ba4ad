#!/bin/sh
# squall compile --views: functions that take arrays as pointer, extents and strides. Whatever the layout, they compute
# what the kernel computes on dense copies, without a copy where there need be none, and change no other byte.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
strict="-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror"

cat >all.sq <<'K'
#include "squall.h"
kernel product(int M, int N, int K, f32 alpha, f32 beta, const f32 A[M][K], const f32 B[K][N], f32 C[M][N])
{
    idx i, j, k;
    C[i][j] = beta * C[i][j] + alpha * sum(A[i][k] * B[k][j], k);
}
#pragma squall parameters M N K A lda B ldb C ldc
kernel rows(int M, int N, int K, int lda, int ldb, int64_t ldc, const f64 A[M][lda], const f64 B[K][ldb], f64 C[M][ldc])
{
    idx i, j, k;
    assume(lda >= K && ldb >= N && ldc >= N);
    range(j, 0, N);
    range(k, 0, K);
    C[i][j] += sum(A[i][k] * B[k][j], k);
}
/* Extents that are no sizes, elements that are not written, a size that no extent says. */
kernel mixed(int n, int64_t m, int T, const f64 A[2 * n + 1][m], const uint8_t S[n + 3], f64 code[m], int32_t Z[n][m][3])
{
    idx i, j, l;
    range(i, 1, n);
    range(l, 0, 2);
    for (int t = 0; t < T; t++)
        code[j] = A[2 * n][j] + 1.0;
    Z[i][j][l] = (int32_t)S[i] + (int32_t)i + l;
}
kernel halved(int n, const uint8_t A[n / 2][n], f16 Y[n])
{
    idx i, j;
    assume(n >= 2);
    Y[j] = (f32)(sum((int32_t)A[i][j], i) + (int32_t)A[0][j]);
}
kernel moved(int n, aligned_to(256) const f32 X[n], aligned_to(256) f32 Y[n])
{
    idx i;
    Y[i] = X[i] + 1.0f;
}
K
cat >views.h <<'C'
/* Arrays in all layouts, with marked bytes around and between their elements. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { DENSE, GAPS, COLUMNS, TRANSPOSED, REVERSED, SPREAD, KINDS };
static int failed;
static inline void expect_at(int line, int right)
{
    if (!right) {
        printf("line %d\n", line);
        failed = 1;
    }
}
#define EXPECT(right) expect_at(__LINE__, right)
typedef struct lay {
    unsigned char *memory, *at;
    size_t bytes, size;
    int n;
    int64_t extent[3], stride[3];
} lay;
/* As small as its elements allow: a sanitizer sees what is read behind the last one. */
static inline lay lay_out(int kind, size_t size, int n, int64_t e0, int64_t e1, int64_t e2)
{
    lay l = {.size = size, .n = n, .extent = {e0, e1, e2}};
    int64_t step = kind == COLUMNS ? 3 : kind == SPREAD ? 2 : 1, before = 0, behind = 1;
    for (int x = 0; x < n; x++) {
        int d = kind == TRANSPOSED || kind == SPREAD ? x : n - 1 - x;
        l.stride[d] = kind == REVERSED ? -step : step;
        step *= l.extent[d] + (kind == GAPS ? 5 : kind == SPREAD || kind == REVERSED);
        int64_t reach = l.extent[d] > 0 ? (l.extent[d] - 1) * l.stride[d] : 0;
        before -= reach < 0 ? reach : 0;
        behind += reach > 0 ? reach : 0;
    }
    l.bytes = (size_t)(before + behind) * size;
    l.memory = malloc(l.bytes);
    memset(l.memory, 0xa5, l.bytes);
    l.at = l.memory + (size_t)before * size;
    return l;
}
/* The element, of those in row-major order. */
static inline unsigned char *element(const lay *l, int64_t i)
{
    unsigned char *at = l->at;
    for (int x = l->n - 1; x >= 0; i /= l->extent[x--])
        at += i % l->extent[x] * l->stride[x] * (int64_t)l->size;
    return at;
}
static inline int64_t count(const lay *l)
{
    int64_t n = 1;
    for (int x = 0; x < l->n; x++)
        n *= l->extent[x];
    return n;
}
static inline void fill(const lay *l, const void *dense)
{
    for (int64_t i = 0; i < count(l); i++)
        memcpy(element(l, i), (const char *)dense + (size_t)i * l->size, l->size);
}
/* Its elements are these, and all other bytes are as they were; it is freed. */
static inline int holds(lay *l, const void *dense)
{
    int right = 1;
    for (int64_t i = 0; i < count(l); i++) {
        right &= memcmp(element(l, i), (const char *)dense + (size_t)i * l->size, l->size) == 0;
        memset(element(l, i), 0xa5, l->size);
    }
    for (size_t i = 0; i < l->bytes; i++)
        right &= l->memory[i] == 0xa5;
    free(l->memory);
    return right;
}
#define VIEW1(type, l) ((type){(void *)(l).at, {(l).extent[0]}, {(l).stride[0]}})
#define VIEW2(type, l) ((type){(void *)(l).at, {(l).extent[0], (l).extent[1]}, {(l).stride[0], (l).stride[1]}})
#define VIEW3(type, l) ((type){(void *)(l).at, {(l).extent[0], (l).extent[1], (l).extent[2]}, {(l).stride[0], (l).stride[1], (l).stride[2]}})
C
cat >main.c <<'C'
#include "views.h"
#include "all.h"
enum { MOST = 129 };
static float a[MOST * MOST], b[MOST * MOST], c[MOST * MOST];
static double da[(2 * MOST + 1) * MOST], db[MOST * MOST], dc[MOST * MOST], dy[MOST];
static uint8_t u[MOST * MOST];
static uint16_t h[MOST];
static int32_t z[MOST * MOST * 3];

static void numbers(void)
{
    for (int i = 0; i < MOST * MOST; i++) {
        a[i] = (float)(i % 13 - 6), b[i] = (float)(i % 7 - 3), c[i] = (float)(i % 11);
        db[i] = (double)(i % 7 - 3), dc[i] = (double)(i % 11);
        u[i] = (uint8_t)(i * 37 % 251);
    }
    for (int i = 0; i < (2 * MOST + 1) * MOST; i++)
        da[i] = (double)(i % 17 - 8);
    for (int i = 0; i < MOST * MOST * 3; i++)
        z[i] = -i;
    for (int i = 0; i < MOST; i++)
        dy[i] = -1, h[i] = 7;
}

static void products(int kind, int m, int n, int k, int in)
{
    lay A = lay_out(kind, sizeof(float), 2, m, k, 1), B = lay_out((kind + 1) % KINDS, sizeof(float), 2, k, n, 1),
        C = lay_out((kind + 2) % KINDS, sizeof(float), 2, m, n, 1);
    numbers();
    fill(&A, a), fill(&B, b), fill(&C, c);
    squall_const_f32_2d vA = VIEW2(squall_const_f32_2d, A), vB = VIEW2(squall_const_f32_2d, B);
    squall_f32_2d vC = VIEW2(squall_f32_2d, C);
    if (in) {
        size_t bytes = product_views_workspace(vA, vB, vC);
        char *memory = malloc(bytes + 1);
        EXPECT(product_views_in(2, 3, vA, vB, vC, memory + 1) == 0);
        EXPECT(bytes < 128 || product_views_in(2, 3, vA, vB, vC, NULL) == SQUALL_VIEWS_SIZES);
        free(memory);
    } else {
        EXPECT(product_views(2, 3, vA, vB, vC) == 0);
    }
    product(m, n, k, 2, 3, a, b, c);
    EXPECT(holds(&A, a) && holds(&B, b) && holds(&C, c));
}

static void leading(int kind, int m, int n, int k)
{
    lay A = lay_out(kind, sizeof(double), 2, m, k, 1), B = lay_out((kind + 1) % KINDS, sizeof(double), 2, k, n, 1),
        C = lay_out((kind + 2) % KINDS, sizeof(double), 2, m, n, 1);
    numbers();
    fill(&A, da), fill(&B, db), fill(&C, dc);
    EXPECT(rows_views(VIEW2(squall_const_f64_2d, A), VIEW2(squall_const_f64_2d, B), VIEW2(squall_f64_2d, C)) == 0);
    rows(m, n, k, da, k, db, n, dc, n);
    EXPECT(holds(&A, da) && holds(&B, db) && holds(&C, dc));
}

static void others(int kind, int n, int m, int steps)
{
    lay A = lay_out(kind, 8, 2, 2 * n + 1, m, 1), S = lay_out((kind + 1) % KINDS, 1, 1, n + 3, 1, 1),
        Y = lay_out((kind + 2) % KINDS, 8, 1, m, 1, 1), Z = lay_out(kind, 4, 3, n, m, 3);
    numbers();
    fill(&A, da), fill(&S, u), fill(&Y, dy), fill(&Z, z);
    EXPECT(mixed_views(steps, VIEW2(squall_const_f64_2d, A), VIEW1(squall_const_u8_1d, S), VIEW1(squall_f64_1d, Y),
                       VIEW3(squall_i32_3d, Z)) == 0);
    mixed(n, m, steps, da, u, dy, z);
    EXPECT(holds(&A, da) && holds(&S, u) && holds(&Y, dy) && holds(&Z, z));
    if (n < 2)
        return;
    lay U = lay_out(kind, 1, 2, n / 2, n, 1), H = lay_out((kind + 3) % KINDS, 2, 1, n, 1, 1);
    fill(&U, u), fill(&H, h);
    EXPECT(halved_views(VIEW2(squall_const_u8_2d, U), VIEW1(squall_f16_1d, H)) == 0);
    halved(n, u, h);
    EXPECT(holds(&U, u) && holds(&H, h));
    lay X = lay_out(kind, 4, 1, n, 1, 1), W = lay_out(kind, 4, 1, n, 1, 1);
    fill(&X, a), fill(&W, c);
    EXPECT(moved_views(VIEW1(squall_const_f32_1d, X), VIEW1(squall_f32_1d, W)) == 0);
    for (int i = 0; i < n; i++)
        c[i] = a[i] + 1;
    EXPECT(holds(&X, a) && holds(&W, c));
}

/* Nothing is done, and this is returned. */
#define REFUSED(code, A, B, C)                                                                                         \
    do {                                                                                                               \
        float old[MOST];                                                                                               \
        memcpy(old, c, sizeof old);                                                                                    \
        EXPECT(product_views(2, 3, A, B, C) == (code) && memcmp(old, c, sizeof old) == 0);                             \
        EXPECT(product_views_workspace(A, B, C) == 0 && product_views_in(2, 3, A, B, C, NULL) == (code));              \
    } while (0)

static void refusals(void)
{
    numbers();
    squall_const_f32_2d A = {a, {4, 5}, {5, 1}}, B = {b, {5, 3}, {3, 1}}, bad;
    squall_f32_2d C = {c, {4, 3}, {3, 1}}, worse;
    bad = A, bad.extent[1] = 6;
    REFUSED(SQUALL_VIEWS_EXTENTS, bad, B, C);
    worse = C, worse.extent[0] = 5;
    REFUSED(SQUALL_VIEWS_EXTENTS, A, B, worse);
    bad = A, bad.extent[0] = -4, worse = C, worse.extent[0] = -4;
    REFUSED(SQUALL_VIEWS_EXTENTS, bad, B, worse);
    bad = A, bad.at = NULL;
    REFUSED(SQUALL_VIEWS_EXTENTS, bad, B, C);
    bad = A, bad.extent[0] = INT64_MAX;
    REFUSED(SQUALL_VIEWS_SIZES, bad, B, C);
    bad = A, bad.stride[0] = INT64_MIN;
    REFUSED(SQUALL_VIEWS_SIZES, bad, B, C);
    bad = A, bad.extent[0] = (int64_t)INT32_MAX + 1, bad.stride[0] = 0;
    REFUSED(SQUALL_VIEWS_SIZES, bad, B, C);
    worse = C, worse.stride[0] = 0;
    REFUSED(SQUALL_VIEWS_OVERLAP, A, B, worse);
    worse = C, worse.stride[0] = 2;
    REFUSED(SQUALL_VIEWS_OVERLAP, A, B, worse);
    worse = C, worse.stride[0] = -1;
    REFUSED(SQUALL_VIEWS_OVERLAP, A, B, worse);
    bad = A, bad.at = c + 3;
    REFUSED(SQUALL_VIEWS_OVERLAP, bad, B, C);
    bad.at = c + 12;
    EXPECT(product_views(2, 3, bad, B, C) == 0);
    bad.at = c + 11;
    REFUSED(SQUALL_VIEWS_OVERLAP, bad, B, C);

    /* Halves of a matrix, its even and its odd columns, of an odd number of them. */
    squall_const_f32_2d left = {c, {4, 5}, {11, 1}}, even = {c, {4, 5}, {11, 2}};
    squall_f32_2d right = {c + 5, {4, 3}, {11, 1}}, odd = {c + 1, {4, 3}, {11, 2}};
    EXPECT(product_views(2, 3, left, B, right) == 0 && product_views(2, 3, even, B, odd) == 0);
    odd.at = c + 2;
    REFUSED(SQUALL_VIEWS_OVERLAP, even, B, odd);
    right.at = c + 4;
    REFUSED(SQUALL_VIEWS_OVERLAP, left, B, right);

    /* What is only read may be at one place, or read twice; what has no elements is at none. */
    squall_const_f32_2d one = {a, {4, 5}, {0, 0}}, none = {NULL, {4, 0}, {0, 7}}, empty = {NULL, {0, 3}, {1, 1}};
    float ones[20];
    for (int i = 0; i < 20; i++)
        ones[i] = a[0];
    numbers();
    EXPECT(product_views(2, 3, one, B, C) == 0);
    float got[12];
    memcpy(got, c, sizeof got);
    numbers();
    product(4, 3, 5, 2, 3, ones, b, c);
    EXPECT(memcmp(got, c, sizeof got) == 0);
    EXPECT(product_views(2, 3, none, empty, C) == 0);
    for (int i = 0; i < 12; i++)
        EXPECT(c[i] == 3 * got[i]);

    /* Sizes that the description does not take; a size that an extent does not say exactly. */
    squall_const_u8_2d U = {u, {0, 1}, {1, 1}};
    squall_f16_1d H = {h, {1}, {1}};
    EXPECT(halved_views(U, H) == SQUALL_VIEWS_SIZES);
    squall_const_f64_2d D = {da, {8, 4}, {4, 1}};
    squall_f64_1d Y = {dy, {4}, {1}};
    squall_i32_3d Z = {z, {4, 4, 3}, {12, 3, 1}};
    EXPECT(mixed_views(1, D, (squall_const_u8_1d){u, {7}, {1}}, Y, Z) == SQUALL_VIEWS_EXTENTS);
    D.extent[0] = 9;
    EXPECT(mixed_views(1, D, (squall_const_u8_1d){u, {8}, {1}}, Y, Z) == SQUALL_VIEWS_EXTENTS);
    EXPECT(mixed_views(1, D, (squall_const_u8_1d){u, {7}, {1}}, Y, Z) == 0);
}

int main(void)
{
    static const int sizes[] = {1, 2, 3, 7, 13, 31, 33, 127, 129};
    for (int kind = 0; kind < KINDS; kind++)
        for (int s = 0; s < 9; s++) {
            int m = sizes[s], n = sizes[(s + 2) % 9], k = sizes[(s + 5) % 9];
            products(kind, m, n, k, s % 2);
            leading(kind, m, n, k);
            others(kind, m, n, s % 3);
        }
    refusals();
    return failed;
}
C
compiled() { # FILES: as a user compiles them
    "$CC" $strict -O2 "$@" -o main -lm || fail "$*: not compiled"
}
expect 0 compile all.sq --views --target=generic -o all.c --header=all.h
silent
head -2 all.c | grep -q -- ' --views' || fail "the command is not the one that was given"
compiled main.c all.c
./main >out || fail "views: $(cat out)"
expect 0 compile all.sq --views --target=generic -o all.c --header=all.h --check

# Nothing is read or written outside of the elements, nor is anything undefined.
if "$CC" -fsanitize=address,undefined -fno-sanitize-recover -O1 -g -std=c11 main.c all.c -o main -lm 2>err; then
    ./main >out 2>err || fail "views, sanitized: $(cat out err)"
else
    echo "no sanitizers here: views were not run with them"
fi
for target in avx2 avx512; do
    [ -r /proc/cpuinfo ] && grep -q "$target" /proc/cpuinfo || continue
    expect 0 compile all.sq --views --target=$target -o all.c --header=all.h
    compiled main.c all.c
    ./main >out || fail "views for $target: $(cat out)"
done

# Where arrays are as the kernel wants them, or have rows of any length that it takes, nothing is allocated. Memory of
# copies is kept for later calls.
cat >plain.sq <<'K'
#include "squall.h"
kernel twice(int M, int N, int ldx, int ldy, const f32 X[M][ldx], f32 Y[M][ldy])
{
    idx i, j;
    assume(ldx >= N && ldy >= N);
    range(j, 0, N);
    Y[i][j] = 2 * X[i][j];
}
kernel both(int M, int N, int ld, const f32 X[M][ld], f32 Y[M][ld], f32 first[N])
{
    idx i, j;
    assume(ld >= N && M >= 1);
    range(i, 0, M);
    range(j, 0, N);
    Y[i][j] = X[i][j];
    first[j] = X[0][j];
}
kernel padded(int M, int N, const f32 X[M][N], f32 Y[M][N])
{
    idx i, j;
    Y[i][j] = pad(X[i][j - 1], 0);
}
K
cat >kept.c <<'C'
#include "plain.h"
#include <stdio.h>
#include <stdlib.h>
static int taken;
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
static int without = 0;
void *__wrap_calloc(size_t n, size_t size)
{
    taken++;
    return without ? NULL : __real_calloc(n, size);
}
void *__wrap_malloc(size_t size)
{
    taken++;
    return __real_malloc(size);
}
static float x[64 * 64], y[64 * 64], f[64];
static int failed;
/* The call returns that and takes so many blocks of memory. */
#define CALL(call, code, blocks)                                                        \
    do {                                                                                \
        taken = 0;                                                                      \
        int got = (call);                                                               \
        if (got != (code) || taken != (blocks)) {                                       \
            printf("line %d: %d, %d blocks\n", __LINE__, got, taken);                   \
            failed = 1;                                                                 \
        }                                                                               \
    } while (0)
int main(void)
{
    squall_const_f32_2d X = {x, {7, 13}, {13, 1}}, X2 = {x, {7, 13}, {31, 1}}, X3 = {x, {7, 13}, {26, 2}}, X1 = {x, {1, 13}, {0, 1}};
    squall_f32_2d Y = {y, {7, 13}, {13, 1}}, Y2 = {y, {7, 13}, {33, 1}}, Y3 = {y, {7, 13}, {1, 7}}, Y1 = {y, {1, 13}, {-5, 1}};
    squall_f32_1d F = {f, {13}, {1}};
    for (int i = 0; i < 64 * 64; i++)
        x[i] = (float)i;
    CALL(twice_views(X, Y), 0, 0);
    CALL(twice_views(X2, Y2), 0, 0);
    failed |= y[6 * 33 + 12] != 2 * x[6 * 31 + 12] || y[13] != 2 * x[13 + 31 - 13 - 18];
    CALL(twice_views(X1, Y1), 0, 0);
    CALL(twice_views((squall_const_f32_2d){x, {7, 1}, {2, 99}}, (squall_f32_2d){y, {7, 1}, {3, -4}}), 0, 0);
    failed |= y[18] != 2 * x[12];
    CALL(padded_views(X, Y), 0, 0);
    CALL(both_views(X2, (squall_f32_2d){y, {7, 13}, {31, 1}}, F), 0, 0);
    without = 1;
    CALL(twice_views(X3, Y2), SQUALL_VIEWS_MEMORY, 1);
    without = 0;
    CALL(twice_views(X3, Y2), 0, 1);
    CALL(twice_views(X3, Y), 0, 0);
    failed |= y[6 * 13 + 12] != 2 * x[6 * 26 + 24];
    CALL(twice_views(X, Y3), 0, 0);
    failed |= y[6 + 12 * 7] != 2 * x[6 * 13 + 12];
    CALL(padded_views(X2, Y), 0, 0);
    failed |= y[6 * 13] != 0 || y[6 * 13 + 12] != x[6 * 31 + 11];
    /* One length of rows for two arrays: that of the first; the other is copied. */
    CALL(both_views(X2, Y, F), 0, 1);
    failed |= y[6 * 13 + 12] != x[6 * 31 + 12] || f[12] != x[12];
    CALL(both_views(X, Y2, F), 0, 0);
    failed |= y[6 * 33 + 12] != x[6 * 13 + 12];
    return failed;
}
C
expect 0 compile plain.sq --views --target=generic -o plain.c --header=plain.h
"$CC" $strict -O2 -Wl,--wrap=calloc,--wrap=malloc kept.c plain.c -o kept -lm || fail "kept.c: not compiled"
./kept >out || fail "memory of copies: $(cat out)"

# Two headers in one program, in C++; whatever makes the functions.
cat >two.cc <<'X'
#include "all.h"
#include "plain.h"
#include "all.h"
int main()
{
    float x[6] = {1, 2, 3, 4, 5, 6}, y[6];
    squall_const_f32_2d X{x, {2, 3}, {3, 1}};
    return TWICE(X, {y, {2, 3}, {1, 2}}) || y[3] != 10 ||
           TWICE(X, {y, {2, 2}, {1, 2}}) != SQUALL_VIEWS_EXTENTS;
}
X
made() { # how it is made: options of plain.sq beside those of its files
    expect 0 compile plain.sq --views -o plain.c --header=plain.h "$@"
    silent
    "$CC" $strict -O2 $flags -c plain.c -o plain.o || fail "$*: not compiled"
    g++ -std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Werror "-DTWICE=${prefix}twice_views" two.cc plain.o -o two $flags -lm ||
        fail "$*: not compiled in C++"
    ./two || fail "$*: wrong"
}
prefix= flags=
made --target=generic
made --targets=generic,avx2,avx512
made --targets=generic,avx2,tasks --target-names
made --target=generic,tasks
made --visibility=hidden
prefix=lib_
made --prefix=lib_ --target=generic
prefix= flags=-fopenmp
made --target=generic,openmp
for cc in clang gcc; do
    command -v $cc >/dev/null || continue
    $cc $strict -O2 -c all.c -o all.o || fail "$cc does not compile all.c"
done

# One file for all; and static functions, of which some are not called.
cat >single.c <<'C'
#define SQUALL_PLAIN_IMPLEMENTATION
#include "plain.h"
int main(void)
{
    float x[6] = {1, 2, 3, 4, 5, 6}, y[6];
    return twice_views((squall_const_f32_2d){x, {2, 3}, {3, 1}}, (squall_f32_2d){y, {2, 3}, {1, 2}}) || y[3] != 10;
}
C
for how in --target=generic --static "--static --targets=generic,avx2"; do
    rm plain.h
    expect 0 compile plain.sq --views --single-header=plain.h $how
    compiled single.c
    ./main || fail "$how: wrong"
done
expect 0 compile plain.sq --views -o alone.c
"$CC" $strict -O2 -c alone.c -o alone.o || fail "a file without a header is not compiled"

# Without a C library there is the function that works in the caller's memory.
expect 0 compile plain.sq --views --freestanding --target=generic -o plain.c --header=plain.h
"$CC" $strict -O2 -ffreestanding -c plain.c -o plain.o || fail "--freestanding: not compiled"
nm -u plain.o | awk '{ print $2 }' | grep -vxE 'memcpy|memset|_GLOBAL_OFFSET_TABLE_' && fail "plain.o calls more"
grep -q 'int twice_views(' plain.h plain.c && fail "twice_views would take memory"
grep -q 'There is no twice_views' plain.h || fail "that is not said"
cat >free.c <<'C'
#include "plain.h"
int main(void)
{
    static char memory[4096];
    float x[6] = {1, 2, 3, 4, 5, 6}, y[6];
    squall_const_f32_2d X = {x, {2, 3}, {3, 1}};
    squall_f32_2d Y = {y, {2, 3}, {1, 2}};
    return twice_views_workspace(X, Y) > sizeof memory || twice_views_in(X, Y, memory) || y[3] != 10;
}
C
"$CC" $strict -O2 free.c plain.o -o free -lm && ./free || fail "--freestanding: wrong"

# A kernel that only writes; what `check` makes of the whole text.
gemm >gemm.sq
cat >filled.sq <<'K'
#include "squall.h"
kernel filled(int N, f32 X[N]) { idx i; X[i] = 1; }
K
expect 0 compile filled.sq --views --target=generic -o filled.c
"$CC" $strict -c filled.c -o filled.o || fail "a kernel that only writes is not compiled"
expect 0 compile gemm.sq --views --target=generic -o gemm.c
expect 0 check gemm.sq --target=generic --text=gemm.c --at=M=5,N=6,K=7

# The example of docs/INTEGRATION.md: matrices that are column-major, with leading dimensions.
cat >dgemm.sq <<'K'
#include "squall.h"
kernel dgemm(int M, int N, int K, int lda, int ldb, int ldc, f64 alpha, f64 beta, const f64 A[M][lda],
             const f64 B[K][ldb], f64 C[M][ldc])
{
    idx i, j, k;
    assume(lda >= K && ldb >= N && ldc >= N);
    range(j, 0, N);
    range(k, 0, K);
    C[i][j] = beta * C[i][j] + alpha * sum(A[i][k] * B[k][j], k);
}
K
expect 0 compile dgemm.sq --views --target=generic -o dgemm.c --header=dgemm.h
doc=$SQUALL_SOURCE/docs/INTEGRATION.md
grep -qxF "$(awk '/^int dgemm_views\(/' "$doc")" dgemm.h || fail "the prototype of the document is another one"
{
    echo '#include "dgemm.h"'
    awk '/^```/ { on = 0 } /^\/\* C = alpha A B/ { on = 1 } on' "$doc"
    cat <<'C'
int column_dgemm(int, int, int, double, const double *, int, const double *, int, double, double *, int);
int main(void)
{
    static double A[7 * 9], B[9 * 5], C[8 * 5];
    int wrong = 0;
    for (int i = 0; i < 7 * 9; i++)
        A[i] = i % 5 - 2;
    for (int i = 0; i < 9 * 5; i++)
        B[i] = i % 7 - 3;
    for (int i = 0; i < 8 * 5; i++)
        C[i] = i;
    wrong |= column_dgemm(3, 5, 7, 2, A, 7, B, 9, 3, C, 8);
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 8; i++) {
            double sum = 0;
            for (int k = 0; k < 7; k++)
                sum += A[i % 3 + 7 * k] * B[k + 9 * j];
            wrong |= C[i + 8 * j] != (i < 3 ? 3.0 * (i + 8 * j) + 2 * sum : i + 8 * j);
        }
    return wrong;
}
C
} >column.c
"$CC" -std=c11 -O1 -Wall -Wextra -Werror -fsanitize=address,undefined column.c dgemm.c -o column -lm 2>err ||
    "$CC" -std=c11 -O1 -Wall -Wextra -Werror column.c dgemm.c -o column -lm || fail "column-major: not compiled"
./column || fail "column-major: wrong"

# Names of parameters that the text has itself; kernels and parameters whose names it takes.
cat >named.sq <<'K'
#include "squall.h"
kernel odd(int call, int array, int64_t bytes, f32 block, const f32 a[call][array], const f32 workspace[bytes], f32 code[call])
{
    idx i, j, k;
    code[i] = block * sum(a[i][j], j) + sum(workspace[k], k);
}
kernel none(int M, int rest, f32 complex[4][M])
{
    idx i, j;
    complex[i][j] = (f32)rest;
}
K
expect 0 compile named.sq --views --target=generic --fix=M=3 -o named.c --header=named.h
"$CC" $strict -c named.c -o named.o || fail "names of parameters meet those of the text"
echo '#include "named.h"' >named.cc
g++ -std=c++17 -Wall -Wextra -Werror -c named.cc -o named.o || fail "names of parameters in C++"
refused() { # CODE TEXT words...
    code=$1 text=$2
    shift 2
    expect "$code" compile "$@" -o no.c
    says "$text"
    absent no.c
}
cat >taken.sq <<'K'
#include "squall.h"
kernel twice(int N, const f32 X[N], f32 Y[N]) { idx i; Y[i] = X[i]; }
kernel twice_views_in(int N, const f32 X[N], f32 Y[N]) { idx i; Y[i] = X[i]; }
K
refused 1 "'twice_views_in' is, with --views, also a name that belongs to kernel 'twice'" taken.sq --views
expect 0 compile taken.sq -o taken.c
sed 's/twice_views_in/other/; s/Y/twice_views/g' taken.sq >taken2.sq
refused 1 "'twice_views' is, with --views" taken2.sq --views
sed 's/, f32 Y/, alias f32 Y/' taken.sq >alias.sq
refused 1 "arrays of 'twice' may overlap" alias.sq --views
refused 64 "arrays of CUDA are a device's" plain.sq --views --target=cuda
printf 'void f(int n, float *x)\n{\n#pragma scop\n    for (int i = 0; i < n; i++)\n        x[i] = 1;\n#pragma endscop\n}\n' >region.c
refused 64 "called by their own file alone" region.c --views
exit 0
