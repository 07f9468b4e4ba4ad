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
kernel passed(int N, int M, int H, const f32 X[N + M], const f32 W[2 * H + N - 1], f32 Y[N / 2])
{
    idx i;
    assume(M >= 0 && H >= 1);
    Y[i] = X[M + i] + W[i];
}
/* Rows and planes longer than what is used of them; of a pixel's four bytes three are read. */
kernel batch(int B, int M, int N, int K, int lda, int sa, int ldc, int64_t sc, const f32 A[B][sa][lda],
             const f32 W[K][N], f32 C[B][sc][ldc])
{
    idx b, i, j, k;
    assume(lda >= K && ldc >= N && sa >= M && sc >= M);
    range(i, 0, M);
    range(j, 0, N);
    range(k, 0, K);
    C[b][i][j] = sum(A[b][i][k] * W[k][j], k);
}
kernel grey(int w, int h, int pitch, const uint8_t P[h][pitch], uint8_t G[h][w])
{
    idx x, y;
    assume(pitch >= 4 * w);
    G[y][x] = (uint8_t)(((int32_t)P[y][4 * x] + 2 * P[y][4 * x + 1] + P[y][4 * x + 2]) >> 2);
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
        EXPECT(bytes < 128 || SQUALL_VIEWS_CLASS(product_views_in(2, 3, vA, vB, vC, NULL)) == SQUALL_VIEWS_SIZES);
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

static void batches(int kind, int m, int n, int k)
{
    const int count = 1 + m % 4;
    m %= 24, n %= 24, k %= 24;
    lay A = lay_out(kind, sizeof(float), 3, count, m, k), W = lay_out((kind + 1) % KINDS, sizeof(float), 2, k, n, 1),
        C = lay_out((kind + 2) % KINDS, sizeof(float), 3, count, m, n);
    numbers();
    fill(&A, a), fill(&W, b), fill(&C, c);
    EXPECT(batch_views(VIEW3(squall_const_f32_3d, A), VIEW2(squall_const_f32_2d, W), VIEW3(squall_f32_3d, C)) == 0);
    batch(count, m, n, k, k, m, n, m, a, b, c);
    EXPECT(holds(&A, a) && holds(&W, b) && holds(&C, c));
}

/* What is used where it lies takes no memory of its own: planes whose distance is a multiple of that of rows. */
static void batches_in_place(void)
{
    enum { LDA = 9, LDC = 7 };
    const size_t least = batch_workspace(3, 4, 5, 6, LDA, 5, LDC, 6);
    squall_const_f32_3d A = {a, {3, 4, 6}, {5 * LDA, LDA, 1}};
    squall_const_f32_2d W = {b, {6, 5}, {5, 1}};
    squall_f32_3d C = {c, {3, 4, 5}, {6 * LDC, LDC, 1}};
    EXPECT(batch_views_workspace(A, W, C) == least);
    A.stride[0]++;
    EXPECT(batch_views_workspace(A, W, C) >= batch_workspace(3, 4, 5, 6, 6, 4, LDC, 6) + 3 * 4 * 6 * sizeof(float));
    A.stride[0] = 0, A.stride[1] = 6; /* one matrix for all */
    numbers();
    EXPECT(batch_views(A, W, C) == 0);
    for (int i = 0; i < 3 * 6 * LDC; i++) {
        float sum = (float)(i % 11);
        for (int p = 0; p < 6 && i / LDC % 6 < 4 && i % LDC < 5; p++)
            sum = (p ? sum : 0) + a[i / LDC % 6 * 6 + p] * b[p * 5 + i % LDC];
        EXPECT(c[i] == sum);
    }
}

/* A row may have its last byte, and more. */
static void pixels(void)
{
    uint8_t G[3 * 5];
    squall_const_u8_2d P = {u, {3, 19}, {23, 1}};
    squall_u8_2d to = {G, {3, 5}, {5, 1}};
    numbers();
    for (P.extent[1] = 19; P.extent[1] < 24; P.extent[1]++) {
        memset(G, 0, sizeof G);
        EXPECT(grey_views(P, to) == 0);
        for (int i = 0; i < 15; i++) {
            const uint8_t *p = u + i / 5 * 23 + i % 5 * 4;
            EXPECT(G[i] == (uint8_t)((p[0] + 2 * p[1] + p[2]) >> 2));
        }
    }
    P.extent[1] = 18;
    EXPECT(SQUALL_VIEWS_CLASS(grey_views(P, to)) == SQUALL_VIEWS_EXTENTS);
    EXPECT(strcmp(grey_views_error(grey_views(P, to)), "P: extent[1] is negative, or less than 4 * w - 1") == 0);
}

static int said; /* by the last refusal */

/* Which arrays it was about, and the words for it. */
#define SAID(array, other, text)                                                                                       \
    EXPECT(SQUALL_VIEWS_ARRAY(said) == (array) && SQUALL_VIEWS_OTHER(said) == (other) &&                              \
           strcmp(product_views_error(said), text) == 0)

/* Nothing is done, and this is returned. */
#define REFUSED(code, A, B, C)                                                                                         \
    do {                                                                                                               \
        float old[MOST];                                                                                               \
        memcpy(old, c, sizeof old);                                                                                    \
        int is = product_views(2, 3, A, B, C);                                                                         \
        EXPECT(SQUALL_VIEWS_CLASS(is) == (code) && memcmp(old, c, sizeof old) == 0);                                   \
        EXPECT(product_views_workspace(A, B, C) == 0 && product_views_in(2, 3, A, B, C, NULL) == is);                  \
        said = is;                                                                                                     \
    } while (0)

static void refusals(void)
{
    numbers();
    squall_const_f32_2d A = {a, {4, 5}, {5, 1}}, B = {b, {5, 3}, {3, 1}}, bad;
    squall_f32_2d C = {c, {4, 3}, {3, 1}}, worse;
    bad = A, bad.extent[1] = 6;
    REFUSED(SQUALL_VIEWS_EXTENTS, bad, B, C);
    SAID(1, 0, "B: extent[0] is negative, or not K");
    worse = C, worse.extent[0] = 5;
    REFUSED(SQUALL_VIEWS_EXTENTS, A, B, worse);
    SAID(2, 0, "C: extent[0] is negative, or not M");
    bad = A, bad.extent[0] = -4, worse = C, worse.extent[0] = -4;
    REFUSED(SQUALL_VIEWS_EXTENTS, bad, B, worse);
    SAID(0, 0, "A: extent[0] is negative");
    bad = A, bad.at = NULL;
    REFUSED(SQUALL_VIEWS_EXTENTS, bad, B, C);
    SAID(0, -1, "A has elements and is NULL");
    bad = A, bad.extent[0] = INT64_MAX;
    REFUSED(SQUALL_VIEWS_SIZES, bad, B, C);
    bad = A, bad.stride[0] = INT64_MIN;
    REFUSED(SQUALL_VIEWS_SIZES, bad, B, C);
    SAID(0, -1, "A has extents or strides beyond 2^48");
    bad = A, bad.extent[0] = (int64_t)INT32_MAX + 1, bad.stride[0] = 0;
    REFUSED(SQUALL_VIEWS_SIZES, bad, B, C);
    SAID(-1, -1, "sizes are not accepted, or there is no workspace");
    worse = C, worse.stride[0] = 0;
    REFUSED(SQUALL_VIEWS_OVERLAP, A, B, worse);
    SAID(2, -1, "elements of C overlap each other");
    worse = C, worse.stride[0] = 2;
    REFUSED(SQUALL_VIEWS_OVERLAP, A, B, worse);
    worse = C, worse.stride[0] = -1;
    REFUSED(SQUALL_VIEWS_OVERLAP, A, B, worse);
    bad = A, bad.at = c + 3;
    REFUSED(SQUALL_VIEWS_OVERLAP, bad, B, C);
    SAID(0, 2, "A and C overlap");
    EXPECT(strcmp(product_views_error(0), "no error") == 0 && strcmp(product_views_error(99), "no code of product_views") == 0);
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
    EXPECT(SQUALL_VIEWS_CLASS(halved_views(U, H)) == SQUALL_VIEWS_SIZES);
    squall_const_f64_2d D = {da, {8, 4}, {4, 1}};
    squall_f64_1d Y = {dy, {4}, {1}};
    squall_i32_3d Z = {z, {4, 4, 3}, {12, 3, 1}};
    EXPECT(SQUALL_VIEWS_CLASS(mixed_views(1, D, (squall_const_u8_1d){u, {7}, {1}}, Y, Z)) == SQUALL_VIEWS_EXTENTS);
    D.extent[0] = 9;
    EXPECT(SQUALL_VIEWS_CLASS(mixed_views(1, D, (squall_const_u8_1d){u, {8}, {1}}, Y, Z)) == SQUALL_VIEWS_EXTENTS);
    EXPECT(mixed_views(1, D, (squall_const_u8_1d){u, {7}, {1}}, Y, Z) == 0);
}

/* Extents say M and H, once N is known; what they cannot say exactly, or not at all, is refused. */
static void passes(void)
{
    numbers();
    squall_const_f32_1d X = {a, {7}, {2}}, W = {b, {8}, {1}};
    squall_f32_1d Y = {c, {2}, {1}};
    EXPECT(passed_views(5, X, W, Y) == 0 && c[0] == a[4] + b[0] && c[1] == a[6] + b[1]);
    EXPECT(SQUALL_VIEWS_CLASS(passed_views(4, X, W, Y)) == SQUALL_VIEWS_EXTENTS); /* 2 H + 3 == 8 */
    EXPECT(passed_views(7, X, (squall_const_f32_1d){b, {8}, {1}}, (squall_f32_1d){c, {3}, {1}}) == 0);
    EXPECT(SQUALL_VIEWS_CLASS(passed_views(9, X, W, (squall_f32_1d){c, {4}, {1}})) == SQUALL_VIEWS_SIZES); /* M == -2 */
    EXPECT(SQUALL_VIEWS_CLASS(passed_views(-1, X, W, (squall_f32_1d){c, {0}, {1}})) == SQUALL_VIEWS_SIZES);
    EXPECT(SQUALL_VIEWS_CLASS(passed_views(INT32_MAX, X, W, Y)) == SQUALL_VIEWS_EXTENTS);
    EXPECT(passed_views(INT32_MIN, X, W, Y) != 0);
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
            batches(kind, m, n, k);
        }
    batches_in_place();
    pixels();
    refusals();
    passes();
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
if command -v clang >/dev/null; then
    clang $strict -O2 -c all.c -o all.o || fail "clang does not compile all.c"
fi

grep -qF ' * Extents say the sizes B, M, N, K. Strides say lda, sa, ldc, sc.' all.h || fail "what strides say of planes"
grep -qF ' * Extents are A[B][M][K], C[B][M][N].' all.h || fail "extents that the shapes do not show"
grep -qF ' * Extents are P[h][4 * w - 1 or more].' all.h || fail "extents that may be more"

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

# Random layouts of four dimensions, and arrays that share memory, against what all pairs of elements say.
cat >random.sq <<'K'
#include "squall.h"
kernel four(int a, int b, int c, int d, const int16_t X[a][b][c][d], int16_t Y[a][b][c][d])
{
    idx i, j, k, l;
    Y[i][j][k][l] = X[i][j][k][l] + 1;
}
kernel two(int a, int b, int c, int d, const f32 X[a][b], int16_t Y[c][d])
{
    idx i, j;
    Y[i][j] = (int16_t)(i * 7 + j);
}
K
cat >random.c <<'C'
#include "random.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static unsigned state = 1;
static int below(int n)
{
    state = state * 1103515245 + 12345;
    return (int)((state >> 16) % (unsigned)n);
}
/* Strides for a random order of the dimensions, some backwards, with gaps; the elements from first to last. */
static int64_t lay_out(const int64_t *extent, int64_t *stride, int64_t *first)
{
    int order[4] = {0, 1, 2, 3};
    int64_t step = 1 + below(3), last = 0;
    *first = 0;
    for (int x = 3; x > 0; x--) {
        int y = below(x + 1), old = order[x];
        order[x] = order[y], order[y] = old;
    }
    for (int x = 0; x < 4; x++) {
        int at = order[x];
        stride[at] = below(3) ? step : -step;
        *(stride[at] < 0 ? first : &last) += (extent[at] - 1) * stride[at];
        step *= extent[at] + (below(2) ? below(4) : 0);
    }
    return last - *first + 1;
}
static int copies(void)
{
    squall_const_i16_4d X;
    squall_i16_4d Y;
    int64_t e[4], low[2], n[2];
    for (int x = 0; x < 4; x++)
        e[x] = 1 + below(x == below(4) ? 70 : 4);
    memcpy(X.extent, e, sizeof e), memcpy(Y.extent, e, sizeof e);
    n[0] = lay_out(e, X.stride, &low[0]), n[1] = lay_out(e, Y.stride, &low[1]);
    int16_t *x = malloc((size_t)n[0] * 2), *y = malloc((size_t)n[1] * 2), *want = malloc((size_t)n[1] * 2);
    for (int64_t i = 0; i < n[0]; i++)
        x[i] = (int16_t)below(30000);
    for (int64_t i = 0; i < n[1]; i++)
        y[i] = want[i] = (int16_t)below(30000);
    X.at = x - low[0], Y.at = y - low[1];
    for (int64_t i = 0; i < e[0] * e[1] * e[2] * e[3]; i++) {
        int64_t from = 0, to = 0, rest = i;
        for (int d = 3; d >= 0; rest /= e[d--])
            from += rest % e[d] * X.stride[d], to += rest % e[d] * Y.stride[d];
        want[to - low[1]] = (int16_t)(X.at[from] + 1);
    }
    int wrong = four_views(X, Y) != 0 || memcmp(y, want, (size_t)n[1] * 2) != 0;
    free(x), free(y), free(want);
    return wrong;
}
/* What is written has distinct elements, as the document says, and none is in X. */
static int shares(void)
{
    static char memory[8192];
    squall_const_f32_2d X = {(float *)(void *)(memory + 4096) + below(20), {1 + below(6), 1 + below(6)}, {below(41) - 20, below(41) - 20}};
    squall_i16_2d Y = {(int16_t *)(void *)(memory + 4096) + below(40), {1 + below(6), 1 + below(6)}, {below(81) - 40, below(81) - 40}};
    int overlaps = 0, equal = 0;
    int64_t s[2] = {Y.extent[0] > 1 ? llabs(Y.stride[0]) : 0, Y.extent[1] > 1 ? llabs(Y.stride[1]) : 0};
    int nested = (Y.extent[0] == 1 || s[0] > (s[1] <= s[0] ? s[1] * (Y.extent[1] - 1) : 0)) &&
                 (Y.extent[1] == 1 || s[1] > (s[0] <= s[1] ? s[0] * (Y.extent[0] - 1) : 0));
    for (int64_t i = 0; i < Y.extent[0] * Y.extent[1]; i++) {
        const char *y = (const char *)(Y.at + i / Y.extent[1] * Y.stride[0] + i % Y.extent[1] * Y.stride[1]);
        for (int64_t j = 0; j < X.extent[0] * X.extent[1]; j++) {
            const char *x = (const char *)(X.at + j / X.extent[1] * X.stride[0] + j % X.extent[1] * X.stride[1]);
            overlaps |= x < y + 2 && y < x + 4;
        }
        for (int64_t j = 0; j < i; j++)
            equal |= y == (const char *)(Y.at + j / Y.extent[1] * Y.stride[0] + j % Y.extent[1] * Y.stride[1]);
    }
    int code = two_views(X, Y);
    return SQUALL_VIEWS_CLASS(code) != (overlaps || !nested ? SQUALL_VIEWS_OVERLAP : 0) || (equal && nested);
}
int main(void)
{
    for (int i = 0; i < 3000; i++)
        if (copies() || shares()) {
            printf("case %d\n", i);
            return 1;
        }
    return 0;
}
C
expect 0 compile random.sq --views --target=generic -o random.c.c --header=random.h
"$CC" $strict -O1 -fsanitize=address,undefined -fno-sanitize-recover random.c random.c.c -o random -lm 2>err ||
    "$CC" $strict -O1 random.c random.c.c -o random -lm || fail "random layouts: not compiled"
./random >out 2>err || fail "random layouts: $(cat out)"
exit 0
