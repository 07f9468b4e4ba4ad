#!/bin/sh
# Link: an emitted file and its header, as a program has them, whatever the description calls its
# arrays, sizes, scalars, indices and temporaries: words of C++, macros of compilers' GNU modes and
# of the C library, names of the emitted text itself, letters outside of ASCII. What cannot be kept
# is refused by name. C and C++ callers, strict and GNU modes, gcc and clang.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

for compiler in gcc g++ clang-19 clang++-19; do
    command -v $compiler >/dev/null || fail "$compiler is missing: run scripts/deps"
done

words='and bitor compl not_eq xor class template new delete this try catch namespace operator
private friend explicit typename true bool nullptr constexpr static_assert thread_local alignof
wchar_t concept co_await linux unix i386 EOF errno stdin stdout assert I complex imaginary offsetof
va_arg setjmp signgam math_errhandling near far small interface min max y0 j1 gamma main
tile pack lanes panel buffer workspace memory entry arg row col n_i n_j l x to from step extent
outside a b c k0 i0 r_i1 f32x8 t x_ i_1 count v w s0 S0 name memory_ n0 n_x lo hi first last block
_a _mm256_add_ps SQUALL_SELFTEST v_in v_s0 v_memory K_in K_workspace
été naïve Ωmega 変数 p\u00e8re'
words="$words $(printf 'long_%.0s' 1 2 3 4 5 6 7 8 9 10)name"

# Every word in every role: a size, a scalar, an array, an index, a temporary.
set -f
set -- $words
[ $# -gt 100 ] || fail "words are missing"
echo '#include "squall.h"' >roles.sq
number=0
for size in "$@"; do
    number=$((number + 1))
    shift
    set -- "$@" "$size"
    cat >>roles.sq <<K
kernel k_$number(int $size, f32 $1, const f32 $2[$size][$size], f32 Y_[$size])
{
    idx $3, q_;
    f32 $4[$size];
    $4[$3] = sum($2[$3][q_] * $2[q_][$3], q_);
    Y_[$3] = exp($4[$3]) * $1;
}
kernel l_$number(int $size, f32 $2[$size])
{
    for (int $5 = 1; $5 < $size; $5++)
        $2[$5] += $2[$5 - 1];
}
K
done
set +f

# includes: what a program may have included before an emitted header; macros of other systems.
other=yes
includes() {
    cat <<'C'
#include <assert.h>
#include <errno.h>
#include <iso646.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef __cplusplus
#include <complex.h>
#include <stdbool.h>
#endif
C
    [ $other = no ] || cat <<'C'
#define near
#define far
#define small char
#define interface struct
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
C
}

# link NAME functions...: NAME.c and NAME.h, built and called from C and from C++.
link() {
    name=$1
    shift
    {
        includes
        echo "#include \"$name.h\""
        echo 'typedef void (*function)(void);'
        printf 'function functions[] = {'
        for f in "$@"; do printf '(function)%s, ' "$f"; done
        printf '0};\nint main(void) { return functions[0] == 0; }\n'
    } >use.c
    cp use.c use.cc
    flags='-Wall -Wextra -Wpedantic -Werror'
    for cc in "gcc -std=c11" "gcc -std=gnu17" "clang-19 -std=c11" "clang-19 -std=gnu17"; do
        openmp=-fopenmp # clang's library is not everywhere
        [ "${cc%% *}" = gcc ] || openmp=
        only= # strict modes say enough of the code
        [ "${cc##*=}" = c11 ] || only=-fsyntax-only
        $cc $flags $openmp $only -c "$name.c" -o "$name.o" || fail "$cc: $name.c"
        $cc $flags -Wno-cast-function-type use.c "$name.o" -o use -lm $openmp ||
            fail "$cc: a program that uses $name.h"
    done
    for cxx in "g++ -std=c++17" "g++ -std=gnu++17" "clang++-19 -std=c++17" "clang++-19 -std=gnu++17"
    do
        openmp=-fopenmp
        [ "${cxx%% *}" = g++ ] || openmp=
        $cxx $flags -Wno-cast-function-type use.cc "$name.o" -o use -lm $openmp ||
            fail "$cxx: a program that uses $name.h"
        ./use || fail "the program does not run"
    done
}

functions() { sed -n 's/^kernel \([^(]*\)(.*/\1/p' "$1"; }
for target in avx512,openmp; do
    expect 0 compile roles.sq --target=$target -o roles.c --header=roles.h
    silent
    link roles $(functions roles.sq)
done

# Kernels keep their names.
echo '#include "squall.h"' >kept.sq
kept='i x min max near far small interface tile pack lanes v_s0 v_memory a a_tile a_f32x4 a_f32x4_add
a_threads b b_min SQUALL_SELFTEST sin_ n_i i0 été 変数'
for name in $kept; do
    cat >>kept.sq <<K
kernel $name(int N, const f32 A[N][N], f32 Y[N])
{
    idx p, q;
    f32 t[N];
    t[p] = sum(A[p][q] * A[q][p], q);
    Y[p] = exp(t[p]) + t[0];
}
K
done
other=no
for target in avx2,openmp; do
    expect 0 compile kept.sq --target=$target -o kept.c --header=kept.h
    silent
    link kept $(functions kept.sq)
done
expect 0 check kept.sq --quick

# Parameters called as the functions of their own kernel, everywhere that these are called.
cat >hidden.sq <<'K'
#include "squall.h"
kernel k(int k_in, f32 k, const f32 k_workspace[k_in], const f32 k_naive[k_in][k_in], f32 Y[k_in])
{
    idx p, q;
    f32 k_memory[k_in];
    k_memory[p] = sum(k_naive[p][q] * k_naive[q][p], q);
    Y[p] = k_memory[p] * k + k_workspace[p] + k_memory[0];
}
kernel m(int N, const f32 m[N], f32 Y[N]) { idx p; Y[p] = m[p] * 2; }
K
expect 0 compile hidden.sq --target=avx2 -o hidden.c --header=hidden.h
link hidden k m
expect 0 check hidden.sq
expect 0 check hidden.sq --text=hidden.c
expect 0 bench hidden.sq --kernel=k --at=k_in=20
expect 0 tune hidden.sq --kernel=m --at=N=100 --trials=2 --out-dir=. --store=hidden.db
expect 0 check hidden.sq --target=cuda,arch=sm_80 --at=k_in=9,N=21

# Macros of the compiler's GNU mode, in everything that builds and runs a kernel.
cat >macros.sq <<'K'
#include "squall.h"
kernel k(int linux, const f32 unix[linux][linux], f32 errno, f32 Y[linux])
{
    idx i386, assert;
    f32 EOF[linux];
    EOF[i386] = sum(unix[i386][assert] * unix[assert][i386], assert);
    Y[i386] = EOF[i386] * errno + EOF[0];
}
K
expect 0 compile macros.sq --target=avx2 -o macros.c --header=macros.h
expect 0 check macros.sq
expect 0 check macros.sq --text=macros.c
expect 0 bench macros.sq --at=linux=20
expect 0 tune macros.sq --at=linux=20 --trials=2 --out-dir=. --store=hidden.db
expect 0 check macros.sq --target=cuda,arch=sm_80 --at=linux=9

# Names of any length, in descriptions, scripts, .sched files and what measures.
for times in 16 300; do
    long=$(printf 'long%.0s' $(seq $times))
    i=i_$long N=N_$long
    printf '#include "squall.h"\nkernel k_%s(int %s, f32 a_%s, const f32 A_%s[%s], f32 Y[%s])\n{\n' \
        $long $N $long $long $N $N >long.sq
    printf '    idx %s;\n    Y[%s] = A_%s[%s] * a_%s;\n}\n' $i $i $long $i $long >>long.sq
    expect 0 compile long.sq --target=avx2 -o long.c --header=long.h
    silent
    grep -q 'f32x8_store_parts*(Y' long.c || fail "a long name is compiled in the order written"
    link long k_$long
    expect 0 check long.sq -e "tile($i:32)"
    expect 0 tune long.sq --target=avx2 --at=$N=100 --trials=3 --out-dir=. --store=hidden.db
    expect 0 compile long.sq --target=avx2 -o long.c
    silent
    rm long.avx2.sched
done

# refused ROLE NAME: squall says which name it is.
refused() {
    case $1 in
        kernel) text="kernel $2(int N, f32 A[N]) { idx i; A[i] = 1; }" ;;
        size) text="kernel k(int $2, f32 A[$2]) { idx i; A[i] = 1; }" ;;
        array) text="kernel k(int N, f32 $2[N]) { idx i; $2[i] = 1; }" ;;
        index) text="kernel k(int N, f32 A[N]) { idx $2; A[$2] = 1; }" ;;
        temporary) text="kernel k(int N, f32 A[N]) { idx i; f32 $2[N]; $2[i] = 1; A[i] = $2[i]; }" ;;
    esac
    printf '#include "squall.h"\n%s\n' "$text" >bad.sq
    expect 1 compile bad.sq -o bad.c
    says "'$2'"
    [ "$(grep -c error: err)" = 1 ] || fail "$1 $2: more than one error"
}
for name in sq_add sq_min SQ_TARGET linux unix i386 NULL EOF errno stdin assert I complex offsetof \
    setjmp va_arg _a __x _mm256_add_ps size_t uint8_t malloc memcpy y0 gamma and class new asm typeof; do
    refused kernel $name
done
for role in size array index temporary; do
    for name in NULL malloc free memcpy size_t int64_t sq_min SQ_INLINE __x _X asm typeof; do
        refused $role $name
    done
done

# Whatever the emitted text calls its own: under the kernel's name it gives way to the description,
# and what begins as it is written before that is refused, in kernels and in regions of C.
cat >own.sq <<'K'
#include "squall.h"
kernel k(int N, const f32 A[N][N], const f16 H[N], f32 Y[N])
{
    idx p, q;
    f32 t[N];
    t[p] = sum(A[p][q] * A[q][p], q);
    Y[p] = exp(t[p]) + max2(t[0], 0.f) + H[p];
}
K
for target in generic avx2 avx512,openmp; do
    expect 0 compile own.sq --target=$target -o own.c
    cat own.c >>own.text
done
names=$(grep -oE '\bk_[A-Za-z0-9_]+' own.text | sort -u)
[ "$(echo "$names" | wc -l)" -gt 20 ] || fail "too few names of the emitted text: $names"
sed 's/N, const/N, f32 Z_[N], const/; s/Y\[N\])/Y[N]@)/; s/^}/&/' own.sq >own_names.sq
parameters= sums=
for name in $names; do
    parameters="$parameters, const f32 $name[N]"
    sums="$sums + $name[p]"
done
sed -i "s/@/$parameters/; s/^    Y.*/&\\n    Z_[p] = 0$sums;/" own_names.sq
for target in generic avx2 avx512,openmp; do
    expect 0 compile own_names.sq --target=$target -o own.c
    silent
    gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -fopenmp -c own.c || fail "parameters named $names"
done
[ "$(grep -oE '\b[sS][qQ]_[A-Za-z0-9_]+' own.text | sort -u | wc -l)" -ge 3 ] || fail "no SQ_ names"
for name in $(grep -oE '\b[sS][qQ]_[A-Za-z0-9_]+' own.text | sort -u) $(echo "$names" | sed 's/^k_/sq_/'); do
    refused array "$name"
    printf 'void f(int n, double *%s)\n{\n#pragma scop\n    for (int i = 0; i < n; i++)\n' "$name" >bad.c
    printf '        %s[i] += 1;\n#pragma endscop\n}\n' "$name" >>bad.c
    expect 1 compile bad.c -o bad_new.c
    says "'$name'"
done

# Two kernels whose functions would be one.
for name in a_in a_workspace a_accepts; do
    printf '#include "squall.h"\nkernel a(int N, f32 A[N]) { idx i; A[i] = 1; }\n' >two.sq
    printf 'kernel %s(int N, f32 A[N]) { idx i; A[i] = 1; }\n' $name >>two.sq
    expect 1 compile two.sq -o two.c
    says "'$name' is also the name of a function that belongs to kernel 'a'"
done
