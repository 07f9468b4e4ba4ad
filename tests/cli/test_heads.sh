#!/bin/sh
# Regions with loops whose variable has its first value already, for (; i < n; i++), among them those for the rest of a
# loop that is unrolled by hand: the file that is written computes what the file that was read does; where the variable
# is changed elsewhere, or read behind, they are refused.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cat >old.c <<'C'
#include <stddef.h>
/* What is left behind a loop by hand. */
void tail(const float *a, float *o, int n)
{
    int i = n & ~7;
#pragma scop
    for (; i < n; i++)
        o[i] = 2 * a[i];
#pragma endscop
}
float dot(const float *a, const float *b, int n)
{
    float s = 0;
    int i = 0;
#pragma scop
    for (/* from there */; i < n; ++i)
        s += a[i] * b[i];
#pragma endscop
    return s;
}
void two(float *a, const float *b, int n, int m)
{
    int i;
#pragma scop
    i = 4;
    for (; i < n; i += 2) {
        int j = 1;
        for (; j < m; j++)
            a[i * m + j] += b[j] * i;
    }
#pragma endscop
}
void down(float *a, size_t n, size_t from)
{
#pragma scop
    for (; from < n; from++) {
        if (from % 3 == 0) continue;
        a[from] = a[from] + from;
    }
    for (size_t from = 0; from < n; from++)
        a[from] *= 2;
#pragma endscop
}
/* Unrolled by hand. */
float four(const float *x, const float *y, int n)
{
    int i;
    float s = 0;
#pragma scop
    for (i = 0; i < n - 3; i += 4) {
        s += x[i] * y[i];
        s += x[i + 1] * y[i + 1];
        s += x[i + 2] * y[i + 2];
        s += x[i + 3] * y[3 + i];
    }
    for (; i < n; i++)
        s += x[i] * y[i];
#pragma endscop
    return s;
}
/* The rest does something else, and a third loop goes on from there. */
void rest(float *a, const float *b, int n, int m)
{
    int i = 2;
#pragma scop
    for (; i + 1 < n; i += 2) {
        a[i] += b[i] * i;
        a[i + 1] += b[i + 1] * (i + 1);
    }
    for (; i <= n; i++)
        a[i] -= b[i] + i;
    for (; i + 1 <= m; i += 2) {
        a[i] = 7;
        a[i + 1] = 7;
    }
#pragma endscop
}
/* In a loop, beside another that begins anew; not what the next says, by one. */
void rows(float *a, const float *b, int n, int m)
{
    int i, j;
#pragma scop
    for (j = 0; j < n; j++) {
        i = 1;
        for (; i < m - 1; i += 2) {
            a[j * m + i] = b[i] + 1;
            a[j * m + i + 1] = b[i] + 1;
        }
        for (; i < m; i++)
            a[j * m + i] *= 3;
        for (i = 0; i < m; i++)
            a[j * m + i] += b[i];
    }
#pragma endscop
}
/* All of it by threes, with a head of its own. */
void thirds(float *a, const float *b, long n)
{
    long k;
#pragma scop
    for (long i = 0; i < n; i += 3) {
        a[i] = b[i] * 2, a[i] += 1;
        a[i + 1] = b[i + 1] * 2, a[i + 1] += 1;
        a[i + 2] = b[i + 2] * 2, a[i + 2] += 1;
    }
    for (k = 0; k <= n - 2; k += 2) {
        a[k] += b[k];
        a[k + 1] += b[k + 1];
    }
    for (; k < n; ++k)
        a[k] += b[k];
#pragma endscop
}
C
show_h
cat >main.c <<'C'
#include "show.h"
void tail(const float *, float *, int), two(float *, const float *, int, int), down(float *, size_t, size_t);
void rest(float *, const float *, int, int), rows(float *, const float *, int, int), thirds(float *, const float *, long);
float dot(const float *, const float *, int), four(const float *, const float *, int);
int main(void)
{
    static float a[9000], b[900], o[900];
    for (int i = 0; i < 200; i++)
        a[i] = i % 7, b[i] = i % 5 - 2;
    static const int sizes[] = {0, 1, 2, 3, 7, 13, 31, 33, 127, 129};
    for (int k = 0; k < 10; k++) {
        int n = sizes[k];
        tail(a, o, n), SHOW(o);
        printf("%a\n", dot(a, b, n));
        two(a, b, n, 33), SHOW(a);
        down(o, n, n / 2), down(o, n, n + 3), SHOW(o);
        printf("%a\n", four(a, b, n));
        rest(o, b, n, n + k), SHOW(o);
        rows(a, b, 17, n), SHOW(a);
        thirds(o, b, n), SHOW(o);
    }
    return 0;
}
C
as_before_everywhere 89

refused() { # BODY [BEHIND [MESSAGE]]
    printf 'void f(int n, int m, float *a, int *o)\n{\n    int i = m;\n#pragma scop\n%s\n#pragma endscop\n%s\n}\n' "$1" "${2-}" >bad.c
    expect 1 compile bad.c -o bad_new.c
    says "${3-a for with an empty part is not accepted}"
    absent bad_new.c
}
refused 'for (; i < n; i++) a[i] = 1;' 'o[0] = i;'
refused 'for (; i < n; i++) a[i] = 1; o[0] = i;'
refused 'for (; i < n; i++) { a[i] = 1; i++; }'
refused 'for (int k = 0; k < m; k++) for (; i < n; i++) a[i] = k;'
refused 'i = 0; for (; i < n - 3; i += 4) a[i] = 1; for (; i < n; i++) a[i] = 2; o[0] = i;' '' \
    "this loop goes on from where another one has left 'i'"
refused 'i = 0; for (; i < n - 3; i += 4) a[i] = 1; a[0] = 2; for (; i < n; i++) a[i] = 2;' '' \
    "this loop goes on from where another one has left 'i'"
refused 'i = 0; for (; i < n - 3; i += 4) a[i] = 1; for (; i < n; i++) a[i] = 2;' 'o[0] = i;' \
    "this loop goes on from where another one has left 'i'"
refused 'for (i = 0; i < n; i += m) a[i] = 1; for (; i < n; i++) a[i] = 2;' '' ''
refused 'i = 0; a[0] = 2; for (; i < n; i++) a[i] = 1;'
refused 'i = i + 1; for (; i < n; i++) a[i] = 1;'
refused 'for (i = 0; i < n; ) { a[i] = 1; i++; }'
refused 'for (;;) { a[i] = 1; }'

# Loops unrolled by hand that do not become one with the loop for the rest: bounds without a sign, another rest, a rest
# that no head counts, a bound that is a multiple.
cat >old.c <<'C'
void wraps(unsigned n, const int *b, int *a)
{
    unsigned i;
#pragma scop
    for (i = 0; i + 1 < n; i += 2) {
        a[i] = b[i];
        a[i + 1] = b[i + 1];
    }
    for (; i < n; i++)
        a[i] = b[i];
#pragma endscop
}
void other(int n, const int *b, int *a)
{
    int i;
#pragma scop
    for (i = 0; i + 1 < n; i += 2) {
        a[i] = b[i];
        a[i + 1] = b[i + 1];
    }
    for (; i < n; i++)
        a[i] = b[i] * 2;
#pragma endscop
}
void turns(int n, const int *b, int *a)
{
    int i;
#pragma scop
    for (i = 0; i + 1 < n; i += 2) {
        a[i] = b[i];
        a[i + 1] = b[i + 1];
    }
    while (i < n) {
        a[i] = b[i];
        i++;
    }
#pragma endscop
}
void multiple(int n, const int *b, int *a)
{
    int i;
#pragma scop
    for (i = 0; i < n - n % 4; i += 4) {
        a[i] = b[i];
        a[i + 1] = b[i + 1];
        a[i + 2] = b[i + 2];
        a[i + 3] = b[i + 3];
    }
    for (; i < n; i++)
        a[i] = b[i];
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdio.h>
#include <string.h>
#include "show.h"
void wraps(unsigned, const int *, int *), other(int, const int *, int *), turns(int, const int *, int *);
void multiple(int, const int *, int *);
int main(void)
{
    static int a[400], b[400]; /* more than is taken for granted */
    for (int i = 0; i < 400; i++)
        b[i] = i % 7 + 1;
    for (int n = 0; n < 34; n++) {
        wraps((unsigned)n, b, a), SHOW(a), memset(a, 0, sizeof a);
        other(n, b, a), SHOW(a), memset(a, 0, sizeof a);
        turns(n, b, a), SHOW(a), memset(a, 0, sizeof a);
        multiple(n, b, a), SHOW(a), memset(a, 0, sizeof a);
    }
    return 0;
}
C
as_before_everywhere 133
