#!/bin/sh
# --visibility: which functions a shared library shows, whatever flags it is compiled with; the macro that its user
# may define.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cat >two.sq <<'K'
#include "squall.h"
kernel mean(int N, int K, int ld, const f32 X[N][ld], f32 Y[N])
{
    idx i, k;
    assume(ld >= K && N % 4 == 0);
    range(k, 0, K);
    f32 t[N];
    t[i] = sum(X[i][k], k);
    Y[i] = t[i] / (f32)K + sum(X[i][k] * t[i], k);
}
kernel scale(int N, const f32 X[N], f32 Y[N])
{
    idx i;
    Y[i] = 2.f * X[i];
}
K
flags="-O1 -fPIC -Wall -Wextra -Wpedantic -Wmissing-prototypes -Werror"

# shows NAMES FILES AND FLAGS...: what a shared library of these shows, sorted and parted by blanks.
shows() {
    names=$1
    shift
    # shellcheck disable=SC2086 # a list of words
    "${CC:-cc}" $flags -shared -o lib.so "$@" 2>err || fail "cc $*"
    found=$(nm -D --defined-only lib.so | awk '{ print $3 }' | LC_ALL=C sort | tr '\n' ' ')
    [ "$found" = "${names:+$names }" ] || fail "$*: shows $found, not $names"
}
of_mean="mean mean_accepts mean_in mean_workspace"
of_scale="scale scale_in scale_workspace"
all="$of_mean $of_scale"

# Beside a header, without one, in one file; for one target and for several.
expect 0 compile two.sq -o plain.c --header=plain.h
shows "$all" plain.c
expect 0 compile two.sq -o plain.c --header=plain.h --visibility=flags
! grep -q API plain.h || fail "a macro that nobody asked for"
expect 0 compile two.sq -o shown.c --header=shown.h --visibility=default
silent
shows "$all" -fvisibility=hidden shown.c
[ "$(grep -c '^#define SQUALL_SHOWN_API' shown.h)" = 2 ] || fail "the macro is not defined once a file"
expect 0 compile two.sq -o shown.c --header=shown.h --visibility=default --check
expect 1 compile two.sq -o shown.c --header=shown.h --visibility=hidden --check
expect 0 compile two.sq -o alone.c --visibility=default
shows "$all" -fvisibility=hidden alone.c
expect 0 compile two.sq --single-header=one.h --visibility=default
printf '#define SQUALL_ONE_IMPLEMENTATION\n#include "one.h"\n' >one.c
shows "$all" -fvisibility=hidden one.c
expect 0 compile two.sq -o hidden.c --header=hidden.h --visibility=hidden
shows "" hidden.c
expect 0 compile two.sq -o each.c --header=each.h --targets=generic,neon --visibility=default
shows "mean mean_accepts mean_in mean_isa mean_workspace scale scale_in scale_isa scale_workspace" \
    -fvisibility=hidden each.c
expect 0 compile two.sq -o each.c --targets=generic,neon --kernel=scale --visibility=default
shows "scale scale_in scale_isa scale_workspace" -fvisibility=hidden each.c
for header in --header=each.h ''; do
    expect 0 compile two.sq -o each.c $header --targets=generic,neon --target-names --kernel=scale --visibility=default
    [ "$(uname -m)" = aarch64 ] ||
        shows "scale scale_generic scale_generic_in scale_generic_workspace scale_in scale_isa scale_workspace" \
            -fvisibility=hidden each.c
done

# Who defines the macro says what it is; a program in C++ and clang take the header as it is.
expect 0 compile two.sq -o hidden.c --header=hidden.h --visibility=hidden --kernel=scale
shows "$of_scale" '-DSQUALL_HIDDEN_API=__attribute__((visibility("protected")))' hidden.c
shows "$of_scale" -DSQUALL_HIDDEN_API= hidden.c
cat >main.cc <<'C'
#include "shown.h"
#include "shown.h"
int main()
{
    float x[2] = {1, 2}, y[2];
    scale(2, x, y);
    return y[1] != 4;
}
C
"${CC:-cc}" -O1 -c shown.c -o shown.o
g++ -Wall -Wextra -Wpedantic -Werror main.cc shown.o -o main 2>err || fail "C++"
./main || fail "the function computes wrongly"
if command -v clang-19 >/dev/null; then
    clang-19 -Wall -Wextra -Wpedantic -Weverything -Wno-unknown-warning-option -fsyntax-only -x c shown.h 2>err ||
        fail "clang"
fi

# The text is checked as any other; declarations for C++ and Rust go with it; launchers of a grid have it, too.
expect 0 check two.sq --text=shown.c --quick
expect 0 compile two.sq -o bound.c --header=bound.h --visibility=hidden --bindings=bound.hpp --bindings=bound.rs
printf '#include "bound.hpp"\n#include "bound.h"\n#include "bound.hpp"\n' >bound.cc
g++ -std=c++20 -Wall -Wextra -Werror -fsyntax-only bound.cc 2>err || fail "C++: bindings"
expect 0 compile two.sq -o two.cu --header=two.h --target=cuda --visibility=default
[ "$(grep -c '^SQUALL_TWO_API ' two.h)" = 13 ] || fail "CUDA: $(grep -c '^SQUALL_TWO_API ' two.h) functions of 13"
expect 0 compile two.sq -o alone.cu --target=cuda --visibility=default
grep -q '^#define SQUALL_' alone.cu || fail "CUDA: no macro"

refused() {
    says=$1
    shift
    expect 64 compile two.sq "$@"
    says "$says"
}
refused "'protected' is none of flags|default|hidden" -o no.c --visibility=protected
refused "--static makes all functions static" -o no.c --static --visibility=default
refused "--visibility=hidden hides it" -o no.c --visibility=hidden --bindings=no.py
expect 0 compile two.sq -o yes.c --visibility=default --bindings=yes.py
cat >old.c <<'C'
void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma endscop
}
C
expect 64 compile old.c -o new.c --visibility=hidden
says "--visibility is for kernels"
absent no.c
absent new.c
exit 0
