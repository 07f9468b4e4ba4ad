#!/bin/sh
# squall check: a block counts as unreachable only where it is. Texts as other people write them, with
# blocks at sizes whose arrays are too large to be tried: lines that end in `reachable` have to be said, lines that
# end in `never` have to be proven.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

cat >copy.sq <<'K'
#include "squall.h"
kernel copy(int M, int N, const f32 X[M][M], const f32 A[N], f32 B[N])
{
    idx i;
    assume(M >= 1);
    B[i] = A[i] + X[0][0];
}
K

# whole NAME: standard input in front of a copy by hand that calls every function cN(M, N, B) of it.
whole() {
    { printf '#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n'
      cat
      printf 'void copy(int M, int N, const float *X, const float *A, float *B)\n{\n'
    } >"$1.c"
    sed -n 's/^static void \(c[0-9]*\)(.*/    \1(M, N, B);/p' "$1.c" >calls
    { cat calls
      printf '    for (int64_t i = 0; i < N; i++) B[i] = A[i] + X[0];\n}\n'
    } >>"$1.c"
}

# judge NAME: what check says of the lines is what stands behind them.
judge() {
    expect 2 check copy.sq --text="$1.c" --json
    grep -n 'reachable \*/$' "$1.c" | cut -d: -f1 | sort >wanted
    sed -n '/"never_ran"/,$s/.*"line": \([0-9]*\),/\1/p' out | sort -u >found
    cmp -s wanted found && return
    for line in $(comm -23 wanted found); do sed -n "${line}s/^/proven: /p" "$1.c"; done
    for line in $(comm -13 wanted found); do sed -n "${line}s/^/not proven: /p" "$1.c"; done
    fail "$1.c: not what stands there"
}

# What is affine, and does not overflow for any size.
whole text <<'C'
static inline int64_t copy_min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t copy_max(int64_t a, int64_t b) { return a > b ? a : b; }
static inline int64_t copy_floord(int64_t n, int64_t d) { return n >= 0 ? n / d : -((-n + d - 1) / d); }
__attribute__((noipa)) static void odd(float *B, int64_t i, int64_t n, int one)
{
    if (i + 16 > n + 16 || one > 1) B[0] = 1; /* never */
}
static void c0(int M, int N, float *B)
{
    for (int64_t i = 0; i < N; i += 16) {
        const int64_t n = copy_min(N - i, 16);
        if (n < 1 || n > 16 || i % 16 != 0 || copy_max(n, 3) < 3) B[0] = 1; /* never */
        if (copy_floord(0 - i, 16) * 16 != 0 - i) B[0] = 1; /* never */
        odd(B, i, N, M == 3);
    }
}

/* Numbers of C have an end. */
static void c1(int M, int N, float *B)
{
    (void)N;
    if (M * 65536 < 0) B[0] = 1; /* reachable */
    if (M + 2147450000 < 0) B[0] = 1; /* reachable */
    const int64_t far = M * 562949953421312;
    if (far < 0) B[0] = 1; /* reachable */
    const int bytes = M * (int64_t)65536;
    if (bytes < 0) B[0] = 1; /* reachable */
    if ((int)(M * (int64_t)65536) < 0) B[0] = 1; /* reachable */
}
static void part(float *B, int bytes)
{
    if (bytes < 0) B[0] = 1; /* reachable */
}
static void c2(int M, int N, float *B)
{
    (void)N;
    part(B, M * (int64_t)65536);
    for (int i = 5; i < M + 1000000000; i += 1073741824)
        if (i < 0 && M > 100000) B[0] = 1; /* reachable */
}
static void c3(int M, int N, float *B)
{
    (void)N;
    unsigned int u = M;
    unsigned char low = M;
    short half = M;
    unsigned int int_u = 3;
    unsigned long int wide = M;
    if (u - 100000 > 5 && M == 50000) B[0] = 1; /* reachable */
    if (low == 0 && M == 51200) B[0] = 1; /* reachable */
    if (half < 0) B[0] = 1; /* reachable */
    if (int_u - 4 > 4 && M == 50000) B[0] = 1; /* reachable */
    if (wide - 100000 > 5 && M == 50000) B[0] = 1; /* reachable */
    if (M - 100000u > 5 && M == 50000) B[0] = 1; /* reachable */
    if (M == 0100000 && M < 32769) B[0] = 1; /* reachable */
}

/* Operators bind as C says. */
static void c4(int M, int N, float *B)
{
    (void)N;
    if (!M == 0 && M == 123457) B[0] = 1; /* reachable */
    if ((123456 < M) == 1) B[0] = 1; /* reachable */
    if (123456 < M < 2 && M > 123456) B[0] = 1; /* reachable */
    if (M == 123457 || (M < 0 && M > 0)) B[0] = 1; /* reachable */
    if ((M < 0, M == 123457)) B[0] = 1; /* reachable */
    if (M < 0 ? M : M == 123457) B[0] = 1; /* reachable */
    if (M == 123457 && (M & 1)) B[0] = 1; /* reachable */
}

/* Names that are not what they look like. */
static int64_t n = 123457;
static void set(int64_t *p, int64_t to)
{
    *p = to;
}
static void c5(int M, int N, float *B)
{
    (void)N;
    int64_t a = 5, b = 5, c = 5, d = 5, e = 5, f = 5, g = 5;
    set(&(a), M);
    if (a != 5 && M > 123456) B[0] = 1; /* reachable */
    (b) = M;
    if (b > 123456) B[0] = 1; /* reachable */
    c <<= M > 123456;
    if (c != 5) B[0] = 1; /* reachable */
    ++d, d -= M < 123456;
    if (d != 5) B[0] = 1; /* reachable */
    __asm__("mov %1, %0" : "=r"(e) : "r"((int64_t)M));
    if (e > 123456) B[0] = 1; /* reachable */
    int64_t *const q = M < 0 ? NULL : &f;
    *q += M > 123456;
    if (f != 5) B[0] = 1; /* reachable */
    if ((g = M) > 123456 && g != 5) B[0] = 1; /* reachable */
    { int64_t n = 5; set(&n, 6); }
    if (n == M) B[0] = 1; /* reachable */
    { const int64_t n = 5; (void)n; }
    if (n != 5 && n == M) B[0] = 1; /* reachable */
}
static void c6(int M, int N, float *B)
{
    (void)N;
    const int64_t x = 3;
    for (int i = 0; i < 1; i++) {
        float y = M, x = y;
        if (x > 123456) B[0] = 1; /* reachable */
    }
    for (unsigned x = M; x > 1; x = 0)
        if (x > 123456) B[0] = 1; /* reachable */
    {
        struct { int64_t v; } *const s = &(__typeof__(*s)){M}, *x = s;
        if (x->v > 123456) B[0] = 1; /* reachable */
    }
    {
        int64_t a = 1, x = M;
        if (x - a > 123456) B[0] = 1; /* reachable */
    }
    (void)x;
}
static int asked(int64_t i, int64_t n, float *B) /* before the loop's condition holds */
{
    if (i >= n && n > 123456) B[0] = 1; /* reachable */
    return 1;
}
static void c7(int M, int N, float *B)
{
    (void)N;
    for (int64_t i = 0; i < 10; i++) {
        i += i == 5 ? M > 123456 ? 100 : 0 : 0; /* reachable */
        if (i > 20) B[0] = 1; /* reachable */
    }
    for (int64_t i = 0; i < 10; i += 2, i += M > 123456)
        if (i == 3) B[0] = 1; /* reachable */
    for (int64_t i = 0; i < 10; i -= -(M > 123456) - 2)
        if (i == 3) B[0] = 1; /* reachable */
    for (int64_t i = 0, j = i; j < 1 && i < 10; i++)
        if (j != i && M > 123456) B[0] = 1; /* reachable */
    for (int64_t i = 0; (i < 10 && M >= 0) || (i < 20 && M > 123456); i += 5) /* reachable */
        if (i > 12) B[0] = 1; /* reachable */
    for (int64_t i = 0; asked(i, M, B) && i < M; i++)
        (void)i;
}

/* Other ways to a place than its braces. */
static void c8(int M, int N, float *B)
{
    (void)N;
    int64_t zero = 0;
    void *const to = M > 123456 ? &&inside : &&outside; /* reachable */
    goto *to;
    if (zero == 1) {
    inside: /* reachable */
        B[0] = 1;
        if (zero < 1) B[0] = 1; /* reachable */
    }
outside:
    return;
}

/* Helpers that are not what they are called. */
static inline int64_t own_min(int64_t a, int64_t b) { return a > b ? a : b; }
static inline int32_t small_max(int32_t a, int32_t b) { return a > b ? a : b; }
static inline int64_t bits_floord(int64_t n, int64_t d) { return n / d; }
static int64_t least(int64_t a, int64_t b) { return a + b; }
__attribute__((noipa)) static int64_t opaque(int64_t x) { return x; }
static void c9(int M, int N, float *B)
{
    (void)N;
    const int64_t far = opaque(M);
    if (own_min(M, 10) > 123456) B[0] = 1; /* reachable */
    if (small_max(opaque(far) * 2147483648, -5) < 0 && M > 123456) B[0] = 1; /* reachable */
    if (bits_floord(-M, 7) * 7 > -M && M > 123456) B[0] = 1; /* reachable */
    int64_t (*copy_min)(int64_t, int64_t) = least;
    if (copy_min(M, 10) > 123456) B[0] = 1; /* reachable */
}

/* Functions that a table names, and calls from within with sizes of their own. */
static void shown(int M, float *B)
{
    if (M > 123456) B[0] = 1; /* reachable */
}
static void (*const table[])(int, float *) = {shown};
static void c10(int M, int N, float *B)
{
    table[opaque(N) < 0](M, B);
}
C
judge text

# What a compiler makes of accesses out of bounds, of promises and of what C leaves undefined is no
# proof: a fault is to run, not to vanish.
whole promises <<'C'
static int few[4], mode;
__attribute__((noipa)) static int64_t opaque(int64_t x) { return x; }
static void c0(int M, int N, float *B)
{
    int most = 0;
    for (int i = 0; i < M && M > 123456; i++) { /* reachable */
        few[i] = N;
        most = i;
        if (i == 7) B[0] = 1; /* reachable */
    }
    if (most > 4) B[0] = 1; /* reachable */
}
static void c1(int M, int N, float *B)
{
    (void)N;
    (void)(M < 123456 || (__builtin_unreachable(), 0)); /* reachable */
    if (M >= 123456) B[0] = 1; /* reachable */
}
__attribute__((noreturn, noipa)) static void stop(int64_t x) /* reachable */
{
    (void)opaque(x);
}
static void c2(int M, int N, float *B)
{
    (void)N;
    M < 123456 ? (void)0 : stop(M); /* reachable */
    if (M >= 123456) B[0] = 1; /* reachable */
}
static void add(float *restrict x, const float *restrict y, int M)
{
    const float old = *y;
    *x = old + (M > 123456);
    if (*y != old) *x = 1; /* reachable */
}
static void c3(int M, int N, float *B)
{
    static float cell;
    (void)N;
    (void)B;
    add(&cell, &cell, M);
}
static void c4(int M, int N, float *B)
{
    (void)N;
    const float *line = __builtin_assume_aligned(B + opaque(M > 123456), 64);
    if (((uintptr_t)line & 63) == 4) B[0] = 1; /* reachable */
}
static void c5(int M, int N, float *B)
{
    (void)N;
    char *const from = (char *)B, *const to = from + (uint64_t)opaque(M) * 281474976710656;
    if (to < from) B[0] = 1; /* reachable */
}
void copy_mode(int to)
{
    mode = to;
}
static void c6(int M, int N, float *B)
{
    (void)N;
    if (mode == 3 && M >= 0) B[0] = 1; /* reachable */
}
static void c7(int M, int N, float *B)
{
    (void)N;
    int unset;
    if (M < 123456) unset = 1; /* reachable */
    if (unset != 1) B[0] = 1; /* reachable */
}
__attribute__((const)) static int64_t next(int64_t x) /* reachable */
{
    static int64_t n;
    n += opaque(x) > 123456;
    return n;
}
static void c8(int M, int N, float *B)
{
    (void)N;
    if (next(M) != next(M)) B[0] = 1; /* reachable */
}
[[ gnu::const ]] static int64_t again(int64_t x) /* reachable */
{
    static int64_t n;
    n += opaque(x) > 123456;
    return n;
}
static void c9(int M, int N, float *B)
{
    (void)N;
    if (again(M) != again(M)) B[0] = 1; /* reachable */
#ifdef __OPTIMIZE__
    if (M == 123457) B[0] = 1; /* reachable */
#endif
}
C
judge promises

# What a loop in steps leaves to the one behind it, where nothing else changes what is left.
whole rest <<'C'
__attribute__((noipa)) static void fours(float *B, int64_t n)
{
    int64_t left = n;
    for (; left >= 4; left -= 4) {
        B[0] += 1;
    }
    for (; left > 0; left--) { /* never */
        B[0] += 1;
    }
}
static void c0(int M, int N, float *B)
{
    (void)M;
    for (int64_t i = 0; i < N; i += 2)
        fours(B, 2 * i + 4);
}
__attribute__((noipa)) static void fives(float *B, int64_t n)
{
    int64_t left = n;
    for (; left >= 4; left -= 4) {
        B[0] += 1;
    }
    for (; left > 0; left--) { /* reachable */
        B[0] += 1;
    }
}
static void c1(int M, int N, float *B)
{
    for (int64_t i = 0; i < N; i += 2)
        fives(B, 2 * i + (M > 200000 ? 5 : 4)); /* reachable */
}
__attribute__((noipa)) static void changed(float *B, int64_t n, int M)
{
    int64_t left = n;
    for (; left >= 4; left -= 4) {
        if (M > 200000) left++; /* reachable */
    }
    for (; left > 0; left--) { /* reachable */
        B[0] += 1;
    }
}
__attribute__((noipa)) static void ended(float *B, int64_t n, int M)
{
    int64_t left = n;
    for (; left >= 4; left -= 4) {
        if (M > 200000) break; /* reachable */
    }
    for (; left > 0; left--) { /* reachable */
        B[0] += 1;
    }
}
static void c2(int M, int N, float *B)
{
    for (int64_t i = 0; i < N; i += 2) {
        changed(B, 2 * i + 4, M);
        ended(B, 2 * i + 4, M);
    }
}
__attribute__((noipa)) static void few(float *B, int64_t n)
{
    int64_t left = n;
    for (; left >= 4; left -= 4) { /* never */
        for (int step = 0; step < 4; step++) { /* never */
            B[0] += 1;
        }
    }
    for (; left > 0; left--) {
        B[0] += 1;
    }
}
__attribute__((noipa)) static void enough(float *B, int64_t n)
{
    int64_t left = n;
    for (; left >= 4; left -= 4) { /* reachable */
        B[0] += 1;
    }
}
__attribute__((noipa)) static void refilled(float *B, int64_t n, int M)
{
    int64_t left = n;
    if (M > 200000) left += 7; /* reachable */
    for (; left >= 4; left -= 4) { /* reachable */
        B[0] += 1;
    }
}
__attribute__((noipa)) static void eights(float *B, int64_t n)
{
    int64_t left = n;
    for (; left >= 8; left -= 8) {
        B[0] += 1;
    }
    for (; left >= 4; left -= 4) { /* never */
        B[0] += 1;
    }
    for (; left > 0; left--) {
        B[0] += 1;
    }
}
static void c4(int M, int N, float *B)
{
    (void)M;
    for (int64_t i = 0; i < N; i += 4)
        eights(B, 2 * i + 3);
}
static void c3(int M, int N, float *B)
{
    for (int64_t i = 0; i < N; i += 3) {
        few(B, N - i < 3 ? N - i : 3);
        enough(B, M > 200000 ? 4 : 3); /* reachable */
        refilled(B, 3, M);
    }
}
C
judge rest

# Names that change, or whose address is taken, behind operators that leave what they are; a label in front of what a
# loop repeats; copies of threads, which do not begin with what the text says.
whole veils <<'C'
static void c0(int M, int N, float *B)
{
    (void)N;
    int n = 3;
    int *p = __extension__ &n;
    *p = M;
    if (n > 200000) B[0] = 1; /* reachable */
}
static void c1(int M, int N, float *B)
{
    (void)N;
    int n = 3;
    (__extension__ n) = M;
    if (n > 200000) B[0] = 1; /* reachable */
}
static void c2(int M, int N, float *B)
{
    (void)N;
    int n = 3;
    _Generic(0, default: n) = M;
    if (n > 200000) B[0] = 1; /* reachable */
}
static void c3(int M, int N, float *B)
{
    (void)N;
    int n = 3;
    __builtin_choose_expr(1, n, 0) = M;
    if (n > 200000) B[0] = 1; /* reachable */
}
static void c4(int M, int N, float *B)
{
    int64_t q = M > 200000;
    for (int64_t q = 5; q < N + 5; q++)
again: __attribute__((unused));
    if (q == 1) B[0] = 1; /* reachable */
}
static void c5(int M, int N, float *B)
{
    (void)N;
    int m = 0;
#pragma omp parallel for reduction(min : m)
    for (int i = 0; i < 4; i++) {
        if (m > M) /* reachable */
            B[0] = 1;
    }
}
C
judge veils

# Sizes: 15,000 blocks, and 10 MB behind the preprocessor.
{ printf '#include <stdint.h>\n#include <string.h>\n'
  printf '#define R(x) x x x x x x x x x x\n#define WIDE (void)"%0100d";\n' 0
  printf 'void copy(int M, int N, const float *X, const float *A, float *B)\n{\n    R(R(R(R(R(WIDE)))))\n'
  awk 'BEGIN { for (i = 0; i < 7500; i++) printf "    if (0 * M == %d) B[0] = %d;\n", i + 1, i }'
  printf '    for (int64_t i = 0; i < N; i++) B[i] = A[i] + X[0];\n}\n'
} >large.c
expect 0 check copy.sq --text=large.c
prints "15002 blocks, "
prints ", 0 never ran"

# An `else` behind a line marker, which the preprocessor writes in place of long comments, is the if's.
whole marker <<'C'
__attribute__((noipa)) static int64_t opaque(int64_t a) { return a; }
__attribute__((noipa)) static void f(int64_t M, int N, float *B)
{
    const int64_t i = 5;
    B[0] += (float)(i - 5);
    for (int64_t i = M - 1; i < M; i++)
        if (opaque(i) < 0)
            B[0] = 0; /* never true, and not proven; reachable */
        /* a
         * long
         * comment
         * of
         * more
         * than
         * eight
         * lines
         * here */
        else if (i > 200000)
            B[0] = 1; /* reachable */
}
static void c0(int M, int N, float *B) { if (N > 0) f(M, N, B); }
C
expect 2 check copy.sq --text=marker.c
grep -q 'if (i > 200000)' err || fail "it is said to be unreachable"

# Threads tell each other what no thread alone would find.
whole threads <<'C'
static void c0(int M, int N, float *B)
{
    int turn = 0;
#pragma omp parallel num_threads(2)
    {
        int mine;
#pragma omp critical
        mine = turn++;
        if (mine > 40) {
            B[0] = 1;
        }
    }
}
C
expect 2 check copy.sq --text=threads.c --target=host,openmp
grep -q 'if (mine > 40)' err || fail "it is said to be unreachable"

# Where no case is taken, no block says so.
whole cases <<'C'
static void c0(int M, int N, float *B)
{
    switch (M > 200000) { case 0: B[0] = 0; }
}
C
expect 3 check copy.sq --text=cases.c
says "a switch in it has no default"

# Letters that ASCII lacks are letters.
sed 's/copy/größe/' copy.sq >letters.sq
expect 0 check letters.sq
prints ', 0 never ran'
