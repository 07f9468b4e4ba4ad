#!/bin/sh
# Declared: what stands around the names of a description is honoured or refused, never dropped
# without a word; parameters that nothing uses are named.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

# refused TEXT WORDS: a description of that text is refused with these words, once.
refused() {
    printf '#include "squall.h"\n%s\n' "$1" >bad.sq
    expect 1 compile bad.sq -o bad.c --header=bad.h
    says "$2"
    [ "$(grep -c error: err)" = 1 ] || fail "more than one error: $1"
    absent bad.c
}
body='{ idx i; A[i] = 1; }'
refused "static kernel k(int N, f32 A[N]) $body" "kernel 'k' is static or inline"
refused "static inline kernel k(int N, f32 A[N]) $body" "kernel 'k' is static or inline"
refused "inline kernel k(int N, f32 A[N]) $body" "kernel 'k' is static or inline"
refused "kernel k(int N, f32 A[N], ...) $body" "kernel 'k' takes '...'"
for attribute in 'visibility("hidden")' noinline cold 'section("s")' deprecated constructor \
    'aligned(64)' 'target("avx2")' weak; do
    refused "__attribute__(($attribute)) kernel k(int N, f32 A[N]) $body" "'k' has this attribute"
done
refused "_Noreturn kernel k(int N, f32 A[N]) $body" "'k' has this attribute"
refused "kernel k(int N, f32 A[N] __attribute__((aligned(64)))) $body" "'A' has this attribute"
refused "kernel k(register int N, f32 A[N]) $body" "'N' is register"
refused "kernel k(int N, f32 A[N]) { idx i; _Alignas(64) f32 t[N]; t[i] = 1; A[i] = t[i]; }" \
    "'t' has this attribute"
refused "kernel k(int N, f32 A[N]) { idx i; register f32 t; t = 1; A[i] = t; }" "'t' is register"
refused "kernel k(int N, f32 A[N]) { idx i; extern f32 t; A[i] = t; }" "'t' is extern"
refused "kernel k(int N, f32 A[N]) { idx i; static _Thread_local f32 t; A[i] = t; }" "'t' is static"
refused "kernel k(int N, volatile f32 A[N]) $body" "'A' is volatile"

# extern, const, restrict and static sizes say what holds of every kernel.
cat >kept.sq <<'K'
#include "squall.h"
extern kernel k(const int N, const f32 A[static restrict N], f32 Y[restrict N])
{
    idx i;
    Y[i] = A[i] + 1;
}
K
expect 0 compile kept.sq -o kept.c --header=kept.h
silent
grep -q '^void k(int N, const float \*A, float \*Y);' kept.h || grep -q ' k(int N, ' kept.h ||
    fail "the header of kept.sq"

cat >unused.sq <<'K'
#include "squall.h"
kernel k(int N, int M, f32 scale, const f32 B[M][N], f32 A[N])
{
    idx i;
    A[i] = 1;
}
K
expect 0 compile unused.sq -o unused.c --header=unused.h
says "unused.sq:2:24: warning: parameter 'scale' is not used; it stays"
says "unused.sq:2:35: warning: parameter 'B' is not used"
grep -q 'int N, int M, float scale, const float \*B' unused.h || fail "a parameter has left the header"
[ "$(grep -c warning: err)" = 2 ] || fail "warnings for parameters that are used"

# In a region the text as written keeps its attributes, and Squall says that its loops do not.
cat >region.c <<'C'
void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double t __attribute__((aligned(32))) = a[i];
        a[i] = t * t;
    }
#pragma endscop
}
C
expect 0 compile region.c -o region_new.c
says "warning: this attribute of 't' holds for the text as written alone"
