#!/bin/sh
# --single-header, --prefix, --spdx: one file to vendor, in programs of several C and C++ files; names
# that do not clash; what reads licences.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
for compiler in gcc g++ clang-19 clang++-19; do
    command -v $compiler >/dev/null || fail "$compiler is missing: run scripts/deps"
done
gemm >gemm.sq
{ gemm; scale_sq | sed 1d; } >two.sq

# One C file has the functions; C and C++ files call them; the order of includes does not matter.
cat >body.c <<'C'
#include "mine.h"
#define SQUALL_MINE_IMPLEMENTATION
#include "mine.h"
#include "mine.h"
C
cat >use.c <<'C'
#include "mine.h"
int used_in_c(void);
int used_in_c(void)
{
    float x[2] = {1, 2}, y[2];
    lib_scale(2, x, y);
    return y[1] == 4;
}
C
cat >main.cc <<'C'
#include "mine.h"
#include "mine.h"
extern "C" int used_in_c(void);
int main()
{
    float a[4] = {1, 2, 3, 4}, b[4] = {1, 0, 0, 1}, c[4];
    lib_gemm(2, 2, 2, a, b, c);
    return !(used_in_c() && c[0] == 1 && c[3] == 4 && lib_gemm_in(2, 2, -1, a, b, c, nullptr) == 1);
}
C
flags="-O1 -Wall -Wextra -Wpedantic -Wmissing-prototypes -Werror"
for target in --target=avx2,openmp --target=generic --targets=generic,avx2,avx512; do
    [ "$(uname -m)" = x86_64 ] || [ $target = --target=generic ] || continue
    expect 0 compile two.sq $target --prefix=lib_ --spdx='MIT OR Apache-2.0' --single-header=mine.h
    silent
    [ "$(sed -n 1p mine.h)" = '/* SPDX-License-Identifier: MIT OR Apache-2.0' ] || fail "the licence is not in the first line"
    [ "$(grep -c 'SPDX' mine.h)" = 1 ] || fail "the licence stands there twice"
    absent two.c
    expect 0 compile two.sq $target --prefix=lib_ --spdx='MIT OR Apache-2.0' --single-header=mine.h --check
    for cc in gcc clang-19; do
        cxx=g++ more=
        [ $cc = gcc ] || cxx=clang++-19
        [ $target = --target=avx2,openmp ] && [ $cc = gcc ] && more=-fopenmp
        # shellcheck disable=SC2086 # lists of words
        {
            $cc -std=c11 $flags $more -c body.c -o body.o || fail "$cc $target: the implementation"
            $cc -std=c11 $flags -c use.c -o use.o || fail "$cc: use.c"
            $cxx -std=c++17 -O1 -Wall -Wextra -Wpedantic -Werror main.cc use.o body.o -lm $more -o main ||
                fail "$cxx $target: main.cc"
        }
        if grep -q avx512 mine.h || [ $target = --target=generic ] || grep -q avx2 /proc/cpuinfo; then
            ./main || fail "$target: the program"
        fi
        nm -g --defined-only body.o | awk '{ print $3 }' | grep -v '^lib_' && fail "names without the prefix"
    done
done

# The command in the head makes the file again.
sed -n 's/^ \*   squall \(compile .*\)/\1/p' mine.h | head -n 1 >command
cp mine.h before.h
eval "expect 0 $(cat command)"
same mine.h before.h

# --prefix with two files: the same kernel for two sizes in one program, and --target-names.
expect 0 compile gemm.sq --fix=M=8 --prefix=small_ -o small.c --header=small.h -MD
grep -q '^small.c:' small.d || fail "the depfile"
grep -q 'small_gemm_M = 8' small.h || fail "the constant has no prefix"
expect 0 compile gemm.sq --prefix=large_ --targets=generic,avx2 --target-names -o large.c --header=large.h
gcc $flags -c small.c && gcc $flags -c large.c || fail "two gemms"
gcc -r small.o large.o -o both.o || fail "names of two gemms clash"
grep -q 'void large_gemm_avx2(' large.h || fail "names of targets have no prefix"
# A tuned schedule is found by the kernel's own name.
zero=00000000000000000000000000000000
printf 'squall-sched 1\nclass avx2\n\nhash %s source %s\nkernel gemm at * {\n    tile(i:9)\n}\n' $zero $zero >gemm.avx2.sched
expect 0 compile gemm.sq --prefix=other_ --target=avx2 -o - -q
prints "tile(i:9)"
rm gemm.avx2.sched
expect 0 compile gemm.sq --prefix=on_ --target=cuda -o gemm.cu --header=gemm_cuda.h
grep -q 'int on_gemm(' gemm_cuda.h && grep -q 'int on_gemm(' gemm.cu || fail "--prefix for a device"
expect 0 compile gemm.sq --single-header=- -MD -MF x.d -MT x
prints "SQUALL_GEMM_IMPLEMENTATION"

# refused TEXT WORDS...
refused() {
    text=$1
    shift
    expect 64 compile "$@"
    says "$text"
    absent no.h
    absent no.c
}
refused "there is no other file for them" gemm.sq --single-header=no.h -o no.c
refused "there is no other file for them" gemm.sq --single-header=no.h --header=no2.h
refused "there is no other file for them" gemm.sq --single-header=no.h --emit=src
refused "'a-b' does not begin a name of C" gemm.sq --prefix=a-b -o no.c
refused "'2' does not begin a name of C" gemm.sq --prefix=2 -o no.c
refused "is a name that the emitted text, the C library or the compiler has" gemm.sq --prefix=sq_ -o no.c
refused "begins with an underscore" gemm.sq --prefix=_x -o no.c
refused "is no licence expression" gemm.sq --spdx='MIT */' -o no.c
scale_sq | sed 's/scale/cpy/' >cpy.sq
refused "'memcpy' would be the function of kernel 'cpy', and is a name of the C library" cpy.sq --prefix=mem -o no.c
printf 'void f(int n, double *a)\n{\n#pragma scop\n    for (int i = 0; i < n; i++)\n        a[i] += 1;\n' >old.c
printf '#pragma endscop\n}\n' >>old.c
refused "--prefix is for kernels" old.c --prefix=x_ -o no.c
refused "--single-header is for kernels" old.c --single-header=no.h
refused "--spdx is for kernels" old.c --spdx=MIT -o no.c
cp gemm.sq no.sq
expect 64 compile no.sq --single-header=no.sq
says "no.sq"
same gemm.sq no.sq

# --static: header-only, in two files of one program, each calling some of the functions; beside another
# text of the same kernel.
for target in --target=generic --targets=generic,avx2 --target=avx2,openmp; do
    [ "$(uname -m)" = x86_64 ] || [ $target = --target=generic ] || continue
    expect 0 compile two.sq $target --static --single-header=only.h --spdx=MIT
    silent
    grep -q '^/\* SPDX-License-Identifier: MIT$' only.h || fail "no licence in only.h"
    for n in 1 2; do
        cat >part$n.c <<C
#include "only.h"
#include "only.h"
int part$n(void);
int part$n(void)
{
    float x[2] = {1, 2}, y[2];
    scale(2, x, y);
    return y[1] == 4 && gemm_workspace(1, 1, 1) < 1 << 20;
}
C
    done
    printf 'int part1(void); int part2(void);\nint main(void) { return !(part1() && part2()); }\n' >parts.c
    for cc in gcc clang-19; do
        # shellcheck disable=SC2086
        $cc -std=c11 $flags -Wunused part1.c part2.c parts.c -lm -o parts || fail "$cc $target: --static"
        grep -q avx2 /proc/cpuinfo || [ $target != --target=avx2,openmp ] || continue
        ./parts || fail "$target: the program of static functions"
        $cc -O1 -c part1.c -o part1.o
        [ "$(nm -g --defined-only part1.o | awk '{ print $3 }')" = part1 ] || fail "$target: a function is not static"
    done
done
expect 0 compile gemm.sq --static -o - --prefix=my_
prints "static __attribute__((unused)) void my_gemm("
refused "--header is for functions of other files" gemm.sq --static --header=no.h -o no.c
refused "--target-names is for functions of other files" gemm.sq --static --targets=generic,avx2 --target-names -o no.c
refused "--target=cuda is for files of their own" gemm.sq --static --target=cuda -o no.c
refused "--static is for kernels" old.c --static -o no.c
