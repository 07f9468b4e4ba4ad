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
refused "static void k(int N, f32 A[N]); kernel k(int N, f32 A[N]) $body" "kernel 'k' is static or inline"
refused "_Noreturn kernel k(int N, f32 A[N]) $body" "'k' has this attribute"
refused "kernel k(int N, f32 A[N] __attribute__((aligned(64)))) $body" "'A' has this attribute"
refused "kernel k(register int N, f32 A[N]) $body" "'N' is register"
refused "kernel k(int N, f32 A[N]) { idx i; _Alignas(64) f32 t[N]; t[i] = 1; A[i] = t[i]; }" \
    "'t' has this attribute"
refused "kernel k(int N, f32 A[N]) { idx i; register f32 t; t = 1; A[i] = t; }" "'t' is register"
refused "kernel k(int N, f32 A[N]) { idx i; extern f32 t; A[i] = t; }" "'t' is extern"
refused "kernel k(int N, f32 A[N]) { idx i; static _Thread_local f32 t; A[i] = t; }" "'t' is static"
refused "kernel k(int N, volatile f32 A[N]) $body" "'A' is volatile"
refused "kernel k(volatile int N, f32 A[N]) $body" "'N' is volatile"
refused "kernel k(int N, f32 A[N], _Atomic f32 x) { idx i; A[i] = x; }" "'x' is _Atomic"

# within DECLARATION TEXT WORDS: the same of a kernel that declares this and then does that.
within() { refused "kernel k(int N, f32 A[N]) { idx i; $1; $2 }" "$3"; }
use='t = 1; A[i] = t;'
each='t[i] = 1; A[i] = t[i];'
within 'register f32 t[N]' "$each" "'t' is register, and so has no address; leave that word out"
within 'static f32 t[N]' "$each" "'t' is static and would keep its values from call to call; leave that"
within 'extern f32 t[N]' "$each" "'t' is extern, and a kernel uses nothing but its parameters"
within '_Thread_local f32 t[N]' "$each" "'t' is _Thread_local, and a kernel has temporaries alone"
within '__thread f32 t' "$use" "'t' is __thread, and a kernel has temporaries alone; leave that word out"
within 'inline f32 t' "$use" "'t' is no function, and inline says nothing of it; leave that word out"
within '_Noreturn f32 t' "$use" "'t' is no function, and _Noreturn says nothing of it"
within 'f32 restrict t' "$use" "'t' is no pointer, and restrict says nothing of it"
within 'volatile f32 t' "$use" "'t' is volatile: every access to it counts"
within 'volatile f32 t[N]' "$each" "'t' is volatile: every access to it counts"
within '_Atomic f32 t' "$use" "'t' is _Atomic, and a kernel is no place where threads meet"
within '_Atomic(f32) t[N]' "$each" "'t' is _Atomic"
within 'volatile idx j' 'range(j, 0, N); A[j] = 1;' "'j' is volatile"
within 'const volatile idx j' 'A[j] = 1;' "'j' is volatile"
within 'static idx j' 'A[j] = 1;' "'j' is static"
within '__typeof__(A[0]) t[N]' "$each" "'t' has its type from typeof"
for word in volatile _Atomic; do
    within '' "for ($word int j = 0; j < N; j++) A[j] = 1;" "'j' is $word"
done
within '' 'for (static int j = 0; j < N; j++) A[j] = 1;' "'j' is static or extern, and what a loop counts"

# What says what holds anyway is read; typeof names a type and reads nothing.
for t in 'auto f32 t = 1' 'const f32 t = 1' 'f32 const t = 1' '__typeof__(A[0]) t = 1' '__auto_type t = 1.f'; do
    printf '#include "squall.h"\nkernel k(int N, f32 A[N]) { idx i; %s; A[i] = t; }\n' "$t" >kept.sq
    expect 0 compile kept.sq -o kept.c
    silent
done
printf '#include "squall.h"\nkernel k(int N, f32 A[N]) { const idx i; A[i] = 1; }\n' >kept.sq
expect 0 compile kept.sq -o kept.c
silent
within '__typeof__(A[0]) t' 'A[i] = t;' "'t' is read"

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
for word in volatile _Atomic; do
    printf 'void f(int n, double *a)\n{\n#pragma scop\nfor (%s int i = 0; i < n; i++) a[i] = 1;\n' "$word" >qualified.c
    printf '#pragma endscop\n}\n' >>qualified.c
    expect 1 compile qualified.c -o qualified_new.c
    says "qualified.c:4:6: error: 'i' is $word"
    printf 'void f(int n, double *a)\n{\n#pragma scop\nfor (int i = 0; i < n; i++) { %s double t = a[i];\n' "$word" >qualified.c
    printf 'a[i] = t; }\n#pragma endscop\n}\n' >>qualified.c
    expect 1 compile qualified.c -o qualified_new.c
    says "qualified.c:4:31: error: 't' is $word"
done
expect 0 compile region.c -o region_new.c
says "warning: this attribute of 't' holds for the text as written alone"
