#!/bin/sh
# What is vendored: compiles without a warning as C under every compiler that is here, as seen from
# C++ through its header, with and without threads, and says what it needs where it needs something.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
gemm >gemm.sq
cat >words.sq <<'K'
#include "squall.h"
kernel words(int template, const f32 new[template], f32 class[template])
{
    idx i;
    class[i] = new[i];
}
K
expect 0 compile words.sq -o words.c --header=words.h
strict="-std=c11 -O2 -Wall -Wextra -Werror"
$CC $strict -c words.c -o words.o || fail "a header with C++ keywords, in C"
if command -v g++ >/dev/null; then
    g++ -x c++ -fsyntax-only -Wall -Wextra -Werror words.h || fail "C++ keywords reach C++"
fi

. "$SQUALL_SOURCE/tests/targets.sh"
for target in $(targets 'arch == "" && cross == ""'); do
    expect 0 compile gemm.sq --target=$target,openmp -o p.c --header=p.h
    [ "$(uname -m)" = x86_64 ] || [ $target = generic ] || continue
    $CC $strict -c p.c -o p.o || fail "$target: $CC warns"
    $CC $strict -fopenmp -c p.c -o p.o || fail "$target: $CC warns with threads"
    for clang in clang-19 clang; do
        command -v $clang >/dev/null || continue
        $clang $strict -c p.c -o p.o || fail "$target: $clang warns"
    done
done

# clang keeps a function's instruction set from the loops it outlines: told, not left to find out.
if command -v clang-19 >/dev/null && [ "$(uname -m)" = x86_64 ]; then
    expect 0 compile gemm.sq --target=avx2,openmp -o p.c
    if echo 'int x;' | clang-19 -fopenmp -x c -c - -o /dev/null 2>/dev/null; then
        clang-19 $strict -fopenmp -c p.c -o p.o 2>err && fail "clang took the text without its flags"
        says "-mavx2 -mfma"
        clang-19 $strict -fopenmp -mavx2 -mfma -c p.c -o p.o || fail "clang with flags"
    fi
fi
