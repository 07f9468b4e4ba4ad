#!/bin/sh
# Regions at the edge: numbers that leave their types, names that are taken, pragmas inside.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

# runs FILE: with the C of standard input as main, compiled from old and from new text alike.
runs() {
    cat >main.c
    for text in "$1.c" "$1_new.c"; do
        { cat "$text"; cat main.c; } >whole.c
        "$CC" -std=gnu11 -O2 -w -fsanitize=undefined -fno-sanitize-recover=undefined whole.c -o whole -lm
        ./whole >"$text.out" || fail "$text does not run"
    done
    same "$1.c.out" "$1_new.c.out"
}

# A sum that wraps around at 2^32 in C.
cat >wrap.c <<'C'
#include <stdio.h>
void ones(unsigned n, unsigned m, unsigned k, double *a)
{
#pragma scop
    for (unsigned i = 0; i < n + m + k; i++)
        a[i] += 1;
#pragma endscop
}
void thirds(unsigned n, double *a)
{
#pragma scop
    for (unsigned i = 0; i < 3 * n; i++)
        a[i] += 1;
#pragma endscop
}
C
expect 0 compile wrap.c -o wrap_new.c
runs wrap <<'C'
int main(void)
{
    static double a[64];
    ones(0x7fffffff, 0x7fffffff, 7, a);
    ones(3, 4, 5, a);
    thirds(0x55555556, a);
    thirds(7, a);
    for (int i = 0; i < 64; i++)
        printf("%g ", a[i]);
}
C

# Rows so long that the bytes of all of them are more than 2^64.
cat >long.c <<'C'
#include <stdint.h>
#include <stdio.h>
void copy(int64_t q, int64_t r, int64_t m, double *a, const double *b)
{
#pragma scop
    for (int64_t i = 0; i < q; i++)
        for (int64_t j = 0; j < r; j++)
            a[i * m + j] = b[i * m + j];
#pragma endscop
}
C
expect 0 compile long.c -o long_new.c
runs long <<'C'
int main(void)
{
    double a[40];
    for (int i = 0; i < 40; i++)
        a[i] = i;
    copy(1, 30, INT64_C(1) << 61, a + 1, a);
    for (int i = 0; i < 40; i++)
        printf("%g ", a[i]);
}
C

# The names ours would get are the file's own.
cat >taken.c <<'C'
#include <stdio.h>
static int squall_f_1(void) { return 7; }
void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma endscop
    a[0] = squall_f_1();
}
C
expect 0 compile taken.c -o taken_new.c
silent
runs taken <<'C'
int main(void)
{
    double a[9];
    f(9, a);
    for (int i = 0; i < 9; i++)
        printf("%g ", a[i]);
}
C

# What speaks to other compilers stays in the text as written, and is said to.
cat >pragmas.c <<'C'
#include <stdio.h>
void f(int n, double *a)
{
#pragma scop
#pragma GCC unroll 4
    for (int i = 0; i < n; i++)
#pragma omp simd
        for (int j = 0; j < 3; j++)
            a[i] = a[i] * 0.5 + j;
#pragma endscop
}
C
expect 0 compile pragmas.c -o pragmas_new.c
says "pragmas.c:5:1: warning: this pragma holds for the text as written alone: Squall's own loops do without it"
says "pragmas.c:7:1: warning"
runs pragmas <<'C'
int main(void)
{
    double a[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    f(9, a);
    for (int i = 0; i < 9; i++)
        printf("%g ", a[i]);
}
C

# Who may overlap whom: a length called restrict_n promises nothing, nor do types that differ in sign.
cat >apart.c <<'C'
#include <stdio.h>
enum { restrict_n = 30 };
void named(int n, double a[restrict_n], const double b[restrict_n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = b[i] + 1;
#pragma endscop
}
void signs(int n, int *a, const unsigned *b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = b[i] + 1;
#pragma endscop
}
C
expect 0 compile apart.c -o apart_new.c --target=avx2
expect 0 compile apart.c -o apart_new.c
runs apart <<'C'
int main(void)
{
    double a[31] = {0};
    int k[31] = {0};
    named(30, a + 1, a);
    signs(30, k + 1, (unsigned *)k);
    for (int i = 0; i < 31; i++)
        printf("%g %d ", a[i], k[i]);
}
C

# A cast to a narrower type is another value.
cat >narrow.c <<'C'
#include <stdio.h>
void f(int n, double *a, const double *b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = (signed char)i >= 0 ? b[i] : (int)(i * 4294967296LL) + 2;
#pragma endscop
}
C
expect 0 compile narrow.c -o narrow_new.c
runs narrow <<'C'
int main(void)
{
    static double a[300], b[300];
    for (int i = 0; i < 300; i++)
        b[i] = i + 7;
    f(300, a, b);
    for (int i = 0; i < 300; i++)
        printf("%g ", a[i]);
}
C

# Conditional groups around and before functions: ours stand where each function does.
cat >groups.c <<'C'
#if 0
int unused;
#endif
#ifdef NOPE
static void other(void) {}
#elif 1
/* Twice as much. */
#ifdef __GNUC__
__attribute__((noinline))
#endif
static void f(int n, float *restrict a, const float *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 2 * b[i];
#pragma endscop
}
#endif
#ifdef NOPE
/* Not
 * this. */
static void
#else
static int x[4] __attribute__((aligned(16))), y;
extern
#endif
void g(int n, float *restrict a, const float *restrict b);
#if 0
skipped;
#endif
#ifdef NOPE
void g(int n, double *restrict a, const double *restrict b)
#else
void g(int n, float *restrict a, const float *restrict b)
#endif
{
    x[0] = y;
#ifndef NOPE
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 3 * b[i];
#pragma endscop
#else
#pragma scop
    a[0] = 0;
#pragma endscop
#endif
}
#ifdef NOPE
#else
typedef float real;
static
#endif
float h(int n, float *restrict a, const float *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 4 * b[i];
#pragma endscop
    return (real)1;
}
int main(void)
{
    float a[3] = {0}, b[3] = {1, 2, 3};
    f(3, a, b);
    g(2, a, b);
    return a[0] == 3 && a[2] == 6 && h(1, a, b) == 1 && a[0] == 4 ? 0 : 1;
}
C
expect 0 compile groups.c -o groups_new.c
[ "$(grep -c '^static void squall_[fgh]_1(.*[^;]$' groups_new.c)" = 3 ] || fail "three functions"
"$CC" -std=gnu11 -Wall -Wextra -Werror groups_new.c -o groups || fail "they are not declared"
./groups || fail "groups"

# Counters without a sign, down to 0 and up to a value; casts that keep it.
cat >counters.c <<'C'
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
void up(unsigned m, unsigned n, double *a)
{
#pragma scop
    for (unsigned i = m; i != n; ++i)
        for (unsigned j = 0; j != i; j++)
            a[i] += j;
#pragma endscop
}
void down(unsigned n, double *a)
{
#pragma scop
    for (unsigned i = n - 1; i > 0; i--)
        a[i] += a[i - 1];
    for (size_t i = n; i != 0; i--)
        a[i - 1] += i;
#pragma endscop
}
void steps(unsigned n, double *a)
{
#pragma scop
    for (unsigned i = n; i > 0; i -= 2)
        a[i - 1] *= 2;
#pragma endscop
}
void small(uint8_t n, size_t m, double *a)
{
#pragma scop
    for (uint8_t i = 0; i < n; i++)
        a[i] += 3;
    for (int i = 0; i < (int)m; i++)
        a[i] -= 1;
    for (unsigned i = 0; m - i > 2; i++)
        a[i] -= (uint8_t)(i % 256);
#pragma endscop
}
C
expect 0 compile counters.c -o counters_new.c
runs counters <<'C'
int main(void)
{
    static double a[300];
    for (unsigned n = 1; n < 9; n++) {
        up(n / 2, n, a);
        down(n, a);
        steps(2 * n, a);
        small(n, n + 2, a);
    }
    small(255, 300, a);
    for (int i = 0; i < 300; i++)
        printf("%g ", a[i]);
}
C

# C++ by its name: the new file would be C.
for suffix in cpp cc; do
    cp counters.c counters.$suffix
    rm -f counters_new.$suffix
    expect 1 compile counters.$suffix -o counters_new.$suffix
    grep -q "regions are read and written as C, and this file is C++ by its name" err ||
        fail ".$suffix: no reason"
    [ ! -e counters_new.$suffix ] || fail ".$suffix: written"
done

# Names of the file that the emitted text has, too: locals get others, and nothing is shadowed.
cat >shadow.c <<'C'
int i, j, p1, n_i, target, dynamic, h;
double t0, c0_0, s0_0;
static double A[40][40], B[40][40], C[40][40], A_;
enum { n_j = 3, r_i1 };
typedef int left;
static void mm(int n)
{
#pragma scop
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            C[a][b] = 0.5 * C[a][b];
            for (int k = 0; k < n; k++)
                C[a][b] += A[a][k] * B[k][b];
        }
#pragma endscop
}
C
cat >shadow_main.c <<'C'
#include <stdio.h>
int main(void)
{
    for (int r = 0; r < 40; r++)
        for (int c = 0; c < 40; c++)
            A[r][c] = r + 1, B[r][c] = (left)c - 3, C[r][c] = r * c;
    mm(37);
    A_ = t0 + c0_0 + s0_0 + i + j + p1 + n_i + n_j + r_i1 + target + dynamic + h;
    for (int r = 0; r < 40; r++)
        printf("%g %g\n", C[r][r], C[39 - r][r] + A_);
}
C
cat shadow.c shadow_main.c >plain.c
${CC:-cc} -o plain plain.c && ./plain >plain.out
for target in generic avx2,openmp; do
    expect 0 compile shadow.c -o shadow_new.c --target=$target
    cat shadow_new.c shadow_main.c >shadowed.c
    ${CC:-cc} -O1 -Wall -Wextra -Wshadow -Werror -fopenmp -o shadowed shadowed.c ||
        fail "warnings in the new file, $target"
    case $target in avx2*) grep -q avx2 /proc/cpuinfo || continue ;; esac
    ./shadowed >shadowed.out
    same plain.out shadowed.out
done

# A file that another one was written from says so with #line, also behind a function and a region of it.
cat >lined.c <<'C'
#include <stdio.h>
#line 50 "a \"grammar\".y"
static int before(void) { return __LINE__; }
void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 1;
#pragma endscop
    printf("%d %s %d\n", __LINE__, __FILE__, before());
}
#line 7
int behind(void) { return __LINE__; }
C
expect 0 compile lined.c -o lined_new.c
silent
grep -q '^#line 54 "a ..grammar...y"' lined_new.c || fail "the text as written is not of line 54"
runs lined <<'C'
int main(void)
{
    double a[3];
    f(3, a);
    printf("%d %d\n", behind(), __LINE__);
}
C
grep -q '^57 a "grammar".y 50$' lined_new.c.out || fail "lines of another file"

# Digraphs, in the lines about regions as everywhere.
cat >digraph.c <<'C'
%:include <stdio.h>
void f(int n, double *a)
<%
    double t<:4:>;
%:pragma omp simd
    for (int i = 0; i < n; i++)
        a<:i:> += 1;
%:pragma scop
    for (int i = 0; i < 4; i++) <%
        t<:i:> = a<:i:> * 2;
        a<:i:> = t<:i:> + i;
    %>
%:pragma endscop
%>
C
expect 0 compile digraph.c -o digraph_new.c
grep -q 'squall_f_1(' digraph_new.c || fail "the region between digraphs is not compiled"
runs digraph <<'C'
int main(void)
{
    double a[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    f(9, a);
    for (int i = 0; i < 9; i++)
        printf("%g ", a[i]);
}
C
sed 's/^    for (int i = 0; i < 4/%:define TWO 2\n&/' digraph.c >defines.c
expect 1 compile defines.c -o defines_new.c
says "defines.c:9:1: error: this stands in a region, whose text may give way to a call; put it before '#pragma scop'"
sed '/^    for (int i = 0; i < n/,+1d' digraph.c >simd.c
expect 1 compile simd.c -o simd_new.c
says "simd.c:6:1: error: the pragma before is about the statement behind it"

# A $ in names: it is a part of them, whatever the file's own names are.
cat >dollar.c <<'C'
#include <stdio.h>
int h = 3, x = 2, $g = 1;
#define hh 3
#define yy 4
void f$g(int n, double *restrict a, const double *restrict x$h, const double *restrict x_h, const double *restrict yy$hh)
{
#pragma scop
    for (int i$ = 0; i$ < n; i$++)
        a[i$] = x$h[i$] + 2 * x_h[i$] + 3 * yy$hh[i$];
#pragma endscop
}
C
expect 0 compile dollar.c -o dollar_new.c
grep -q 'push_macro("hh")\|x_\$\|\$h_' dollar_new.c && fail "a part of a name is taken for one"
runs dollar <<'C'
int main(void)
{
    double a[9] = {0}, b[9], c[9], d[9];
    for (int i = 0; i < 9; i++)
        b[i] = i, c[i] = i * i, d[i] = 1. / (i + 1);
    f$g(9, a, b, c, d);
    for (int i = 0; i < 9; i++)
        printf("%g ", a[i]);
}
C

# Variables called like functions and variables of the emitted text.
for name in min fma fabs malloc memcpy free abort errno omp_get_thread_num workspace part begin_j left_i \
    n_fallback b_pack squall_f_1_nest squall_at_a v0 t2; do
    cat >shadow.c <<C
#include <stdio.h>
double f(int $name, double *restrict a, const double *restrict b)
{
    double sum = 0;
#pragma scop
    for (int i = 0; i < $name; i++)
        for (int j = 0; j < $name; j++)
            for (int k = 0; k < $name; k++)
                a[i * $name + j] += b[i * $name + k] * b[k * $name + j];
    for (int i = 0; i < $name; i++)
        sum += a[i] > 3 ? a[i] : b[i];
#pragma endscop
    return sum;
}
void g(int n, double *restrict $name, const double *restrict b)
{
#pragma scop
    double t[100];
    for (int i = 0; i < n; i++)
        t[i] = b[i] + $name[i];
    for (int i = 1; i < n; i++)
        $name[i] = t[i] * t[i - 1];
#pragma endscop
}
void h(int n, double *restrict a, double x)
{
#pragma scop
    for (int $name = 0; $name < n; $name++) {
        double y = a[$name] * x;
        a[$name] = y > x ? y : x;
    }
#pragma endscop
}
void l(int n, double *restrict a, double x)
{
#pragma scop
    double $name[100];
    for (int i = 0; i < n; i++)
        $name[i] = a[i] * x;
    for (int i = 1; i < n; i++)
        a[i] = $name[i] + $name[i - 1];
#pragma endscop
}
C
    expect 0 compile shadow.c -o shadow_new.c --target=avx2
    runs shadow <<'C'
int main(void)
{
    static double a[10000], b[10000];
    for (int i = 0; i < 10000; i++)
        a[i] = i % 7, b[i] = i % 5 * 0.5;
    printf("%g ", f(37, a, b));
    g(90, a, b);
    h(77, a, 0.5);
    l(88, a, 2);
    for (int i = 0; i < 1400; i++)
        printf("%g ", a[i]);
}
C
done

# Enumerators as sizes, attributes of statements, labels of the assembler, hints of other compilers.
cat >sizes.c <<'C'
#include <stdio.h>
enum { N = 32, HALF = N / 2 };
double whole[N] __asm__("whole_array");
void f(int n, double *restrict a) __asm__("the_f");
void f(int n, double *restrict a)
{
    enum { LOCAL = 8 };
    double u[LOCAL];
#pragma scop
    enum { INSIDE = HALF };
    double t[INSIDE] = {1, 2, 3};
#pragma omp parallel for collapse(1000)
    for (int i = 0; i < LOCAL; i++)
        u[i] = a[i] * 2;
    for (int i = 0; i < N; i++)
        whole[i] = i;
    for (int i = 0; i < INSIDE; i++)
        [[likely]] if (whole[i] > 3) a[i] += t[i] + u[i % LOCAL] + whole[i];
        else [[unlikely]] a[i] = t[i];
#pragma endscop
}
C
expect 0 compile sizes.c -o sizes_new.c
sed 's/\[\[[a-z]*\]\]//' sizes.c >plain.c # not every gcc knows them in C17
sed 's/\[\[[a-z]*\]\]//' sizes_new.c >plain_new.c
runs plain <<'C'
int main(void)
{
    double a[32];
    for (int i = 0; i < 32; i++)
        a[i] = i % 7;
    f(32, a);
    for (int i = 0; i < 32; i++)
        printf("%g %g ", a[i], whole[i]);
}
C
expect 1 compile sizes.c -o sizes_new.c -- -fopenmp
says "sizes.c:14:9: error: expected 1000 for loops after '#pragma omp parallel for', but found only 1"
{ echo '#include <math.h>'; sed 's/a\[i\] \* 2/sqrt(a[i])/; 1i double sqrt(double) __asm__("my_sqrt");' sizes.c; } >mine.c
expect 1 compile mine.c -o mine_new.c
says "error: function 'sqrt' is not accepted in a region"
cat >folded.sq <<'C'
#include "squall.h"
static const int N = 4;
kernel k(const f32 X[N], f32 Y[N])
{
    idx i;
    f32 t[N] = {1, 2, 3, 4};
    Y[i] = X[i] * t[i];
}
C
expect 0 compile folded.sq -o folded.c
silent
