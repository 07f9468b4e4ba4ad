#!/bin/sh
# Headers of one name, or of names that differ only in what no macro can hold, in one file of a program: each declares
# its functions once, and their single headers each have their source.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
gemm >gemm.sq
scale_sq >scale.sq
cc="${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror"

# calls FILES...: main.c, which uses a_gemm and b_gemm, links with these and runs.
cat >main.c <<'C'
#include "a/gemm.h"
#include "b/gemm.h"
#include "a/gemm.h"
int main(void)
{
    float a[4] = {1, 2, 3, 4}, b[4] = {1, 0, 0, 1}, c[4], d[4];
    a_gemm(2, 2, 2, a, b, c);
    b_gemm(2, 2, 2, a, b, d);
    return !(c[3] == 4 && d[3] == 4 && SQUALL_GEMM_ABI_MAJOR == 1);
}
C
calls() {
    # shellcheck disable=SC2086 # a list of words
    $cc "$@" -lm -o main 2>err || fail "cc $*"
    ./main || fail "$*: the program"
}
mkdir a b
for dir in a b; do
    expect 0 compile gemm.sq --prefix=${dir}_ -o $dir/gemm.c --header=$dir/gemm.h --visibility=default --views
done
calls main.c a/gemm.c b/gemm.c
for targets in generic generic,neon; do
    for dir in a b; do
        expect 0 compile gemm.sq --prefix=${dir}_ --single-header=$dir/gemm.h --targets=$targets
    done
    calls -DSQUALL_GEMM_IMPLEMENTATION main.c
    for dir in a b; do
        expect 0 compile gemm.sq --prefix=${dir}_ --static --single-header=$dir/gemm.h --targets=$targets
    done
    calls main.c
done

# The same macro begins the names of both: SQUALL_K_V1_H.
expect 0 compile gemm.sq -o k1.c --header=k-v1.h
expect 0 compile scale.sq -o k2.c --header=k_v1.h
printf '#include "k-v1.h"\n#include "k_v1.h"\n#include "k-v1.h"\nint main(void)\n{\n    scale(0, 0, 0);\n' >two.c
printf '    gemm(0, 0, 0, 0, 0, 0);\n    return 0;\n}\n' >>two.c
calls two.c k1.c k2.c

# Headers that declare the same may be included together, also where their functions are fixed in size.
expect 0 compile gemm.sq --fix=M=4 -o k1.c --header=k-v1.h
cp k-v1.h k_v1.h
printf '#include "k-v1.h"\n#include "k_v1.h"\nint main(void)\n{\n    return gemm_M != 4;\n}\n' >two.c
calls two.c k1.c

# Each kernel of a file has its own, which does not change with its schedule.
{ gemm; scale_sq | sed 1d; } >both.sq
expect 0 compile both.sq -o both.c --header=both.h --prefix=my_
[ "$(grep -c '^#ifndef SQUALL_BOTH_H_my_' both.h)" = 2 ] || fail "the guards of two kernels"
grep '^#ifndef SQUALL_BOTH' both.h >before
expect 0 compile both.sq -o both.c --header=both.h --prefix=my_ --target=avx2 -q
grep '^#ifndef SQUALL_BOTH' both.h >after
same before after
exit 0
