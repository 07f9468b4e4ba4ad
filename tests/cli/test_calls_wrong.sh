#!/bin/sh
# Programs with functions whose calls in a region are more, or something else, than their text with the arguments in it:
# macros around calls, effects in values, several calls in one statement, types that wrap, macros that came later,
# asserts that are none. Each is refused, or computes what it did, without a new warning.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cat >cases <<'C'
//// refused row_length
static void put(int n, double a[n][n], int i, int j, double v) { a[i][j] = v; }
void f(int n, double (*d)[n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            put(n, d, i, j, 10 * i + j);
#pragma endscop
}
int main(void)
{
    static double d[8][8];
    f(3, (double (*)[5])d);
    return 0;
}

//// same asserts_of_declarators
#include <assert.h>
#include <stdio.h>
static double get(const double *a, int i, int n) { assert(i < n); return a[i]; }
static double a1(double x) { return x + 1; }
static double a2(double x) { return a1(x) * 2; }
void f(int n, const double *restrict a, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double r = get(a, i, n), g = get(a, n - 1 - i, n);
        d[i] = a2(r) + a2(1) - (i > 2 ? get(a, i, n) : g);
    }
#pragma endscop
}
int main(void)
{
    double a[9] = {3, 1, 4, 1, 5, 9, 2, 6, 5}, d[9];
    f(9, a, d);
    for (int i = 0; i < 9; i++)
        printf("%g\n", d[i]);
    return 0;
}

//// refused assert_own
#include <stdlib.h>
#define assert(c) ((c) ? (void)0 : exit(3))
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        { assert(i < 2); d[i] = 1; }
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// same assert_own_counts
static int bad;
#define assert(c) do { if (!(c)) bad++; } while (0)
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        { assert(i < 2); d[i] = 1; }
#pragma endscop
    d[0] = bad;
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// refused assert_sizeof
#include <assert.h>
static double get(const double p[8], int i) { assert(sizeof p == 64); return p[i]; }
static double table[8] = {1, 2, 3};
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        d[i] = get(table, i);
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// refused crash_condition
static int count(const int *x, int n) { int s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    if (count(k, n) > 0)
    for (int i = 0; i < n; i++)
        d[i] = 1;
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// refused effect_dropped
static int bump(int *p, int i) { return p[i] += 1; }
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        { bump(k, i); d[i] = 1; }
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// refused effect_dropped_argument
static int set(int *p, int i) { return p[i] = 7; }
static int second(int x, int y) { return y; }
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        d[i] = second(set(k, i), 4);
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// refused effect_dropped_condition
static int set(int *p, int i) { if (p[i] = i) return 3; return 4; }
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        { set(k, i); d[i] = 1; }
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// refused effect_dropped_empty_if
static void h(int *p, double *q, int i) { if (p[i]++ > 3) ; else ; q[i] = 1; }
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        h(k, d, i);
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// refused effect_dropped_step
static int bump(int *p, int i) { return p[i]++; }
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        { bump(k, i); d[i] = 1; }
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// same float16
static float h(float x) { _Float16 t = x; return t; }
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        d[i] = h(d[i] / 3);
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// refused macro_evaluates_twice
#define TWICE(x) ((x) + (x))
static int bump(int *p, int i) { p[i] += 1; return p[i]; }
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        d[i] = TWICE(bump(k, i));
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// refused macro_later
static int scale = 2;
static int h(int x) { return x * scale; }
#define scale 5
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        k[i] = h(k[i]);
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// refused macro_later_assert
#include <assert.h>
static int limit = 2;
static void put(double *p, int i) { assert(i < limit); p[i] = 1; }
#define limit 50
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        put(d, i);
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// refused macro_later_function
#include <math.h>
static double h(double x) { return fabs(x); }
#define fabs(x) ((x) * 3)
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        d[i] = h(d[i]);
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// refused macro_later_type
static double h(double x) { return (float)(x / 3); }
#define float double
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        d[i] = h(d[i]);
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %a\n", k[i], d[i]);
    return 0;
}

//// refused macro_line
#define HERE __LINE__
static int h(int x) { return x * HERE; }
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        k[i] = h(k[i]);
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// refused macro_prefix
static int get(const int *p, int i) { return p[i]; }
#define get_safe(p, i, n) ((i) < (n) ? get(p, i) : -1)
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        d[i] = get_safe(k, i, 2);
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// refused macro_prefix_helper
static int get(const int *p, int i) { return p[i]; }
#define get_twice(p, i) (2 * get(p, i))
static int g(const int *p, int i) { return get_twice(p, i) + 1; }
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        d[i] = g(k, i);
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// refused macro_same_name
static int get(const int *p, int i) { return p[i]; }
#define get(p, i) (2 * get(p, i))
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        d[i] = get(k, i);
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// refused macro_statement
static void put(double *p, int i, double v) { p[i] = v; }
#define put_if(p, i, v) if ((i) > 1) put(p, i, v)
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        put_if(d, i, k[i]);
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// same narrow_compound
static int sum(unsigned char x, unsigned char y) { x += y; return x; }
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        k[i] = sum(k[i], k[i]);
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// same narrow_step
static int next(unsigned char x) { x++; return x; }
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        k[i] = next(255 - i);
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// same plain_and

void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (i > 1 && k[i] > 0)
            d[i] = 1;
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// same plain_name_v
void f(int n, int *restrict k, const unsigned char *restrict v)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            k[i] = 1.0f <= v[j] ? 1L : 5;
#pragma endscop
}
int main(void) { int k[4]; unsigned char v[4] = {0, 1, 2, 3}; f(4, k, v); return k[0] - 1; }

//// refused pointer_type
static int byte(const void *p, int i) { const unsigned char *q = p; return q[i]; }
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        k[i] = byte(d, i);
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// refused pointer_type_sign
static int get(const void *p, int i) { const signed char *q = p; return q[i]; }
void f(int n, int *restrict k, const unsigned char *restrict u)
{
#pragma scop
    for (int i = 0; i < n; i++)
        k[i] = get(u, i);
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8] = {0}; unsigned char u[8];
    for (int i = 0; i < 8; i++) k[i] = 0, u[i] = 200 + i;
    f(4, k, u);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// refused two_calls
static int bump(int *p, int i) { p[i] += 1; return p[i]; }
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        d[i] = bump(k, i) + bump(k, i);
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// refused two_calls_arguments
static int mix(int x, int y) { return x + y; }
static int bump(int *p, int i) { p[i] += 1; return p[i]; }
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        d[i] = mix(bump(k, i), bump(k, i));
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// refused two_calls_global
static int g;
static int set(int x) { g = x; return g; }
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        d[i] = set(3 * i) - set(i);
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%g\n", d[i] < 0 ? -d[i] : d[i]);
    return 0;
}

//// refused two_calls_helper
static int bump(int *p, int i) { p[i] += 1; return p[i]; }
static int twice(int *p, int i) { return bump(p, i) + bump(p, i); }
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        d[i] = twice(k, i);
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// refused unspecified_order
static int bump(int *p, int i) { p[i] += 1; return p[i]; }
void f(int n, int *restrict k, double *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        d[i] = k[i] + bump(k, i);
#pragma endscop
}
#include <stdio.h>
int main(void)
{
    int k[8]; double d[8];
    for (int i = 0; i < 8; i++) k[i] = 200 + i, d[i] = i;
    f(4, k, d);
    for (int i = 0; i < 4; i++) printf("%d %g\n", k[i], d[i]);
    return 0;
}

//// same warning_unused
static double h(double x) { return x + 1; }
static double X[10], Y[10];
void f(double *d)
{
#pragma scop
    for (int i = 0; i < 10; i++)
        X[i] = h(Y[i]);
#pragma endscop
    d[0] = X[1];
}
#include <stdio.h>
int main(void)
{
    double d[1]; int k[4] = {0};
    
    f(d);
    printf("%g %d\n", d[0], k[0]);
    return 0;
}
C
awk '/^\/\/\/\/ / { file = $3 ".c"; print $2, $3 >"list"; next } { print >file }' cases
warnings='-Wall -Wextra -Wno-unknown-pragmas -Wno-parentheses -Wno-empty-body -Wno-unused-parameter'
while read -r kind name; do
    if [ "$kind" = refused ]; then
        expect 1 compile "$name.c" -o new.c
        grep -q "a region cannot call\|is no statement of a region\|this is no statement" err || fail "$name: $(cat err)"
        continue
    fi
    expect 0 compile "$name.c" -o new.c
    # shellcheck disable=SC2086 # a list of words
    $CC -O1 -ffp-contract=off -w "$name.c" -o old -lm && $CC -O1 -ffp-contract=off $warnings new.c -o new -lm 2>said ||
        fail "$name does not compile"
    [ ! -s said ] || { cat said; fail "$name: a warning"; }
    ./old >old.out || true
    ./new >new.out || true
    same old.out new.out
done <list
[ "$(wc -l <list)" = 34 ] || fail "cases are missing"
