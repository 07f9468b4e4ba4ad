#!/bin/sh
# What a header says of the arrays: shapes with fixed sizes and quotients, roles, overlap, in lines that
# fit; under the names that the prototype has.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cat >arrays.sq <<'K'
#include "squall.h"
kernel halves(int M, int N, int small, f32 a, const f32 X[M][2 * N], const f32 I[small], inout f32 S[M], f32 Y[N / 2 + 1])
{
    idx i, j;
    assume(N >= 2 && small >= N);
    S[i] = S[i] + sum(X[i][j] * a, j);
    Y[i] = I[i];
}
kernel shift(int N, const alias f32 X[N], alias f32 Y[N])
{
    idx i;
    Y[i] = X[i];
}
kernel many(const f32 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa[3], const f32 bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb[3],
            const f32 cccccccccccccccccccccccccccccc[3], f64 Y[3])
{
    idx i;
    Y[i] = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa[i] + bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb[i] +
           cccccccccccccccccccccccccccccc[i];
}
K
expect 0 compile arrays.sq --fix=M=7 -o arrays.c --header=arrays.h
grep -qx ' \*   reads   X\[7\]\[2 \* N\], I_\[small\]' arrays.h || fail "what halves reads"
grep -qx ' \*   updates S\[7\]' arrays.h || fail "what halves updates"
grep -qxF ' *   writes  Y[1 + floor((N)/2)]' arrays.h || fail "what halves writes"
grep -q 'gaps. What it writes must not overlap another array.$' arrays.h || fail "halves may overlap"
[ "$(grep -c 'Arrays may overlap.$' arrays.h)" = 1 ] || fail "shift may not overlap"
[ "$(awk 'length > 100 && /^ \*/ && !/squall compile/' arrays.h | wc -l)" = 0 ] || fail "lines are too long"
grep -qx ' \*           c*\[3\]' arrays.h || fail "a long list is not broken"
$CC -std=c11 -Wall -Wextra -Wpedantic -Werror -c arrays.c -o arrays.o || fail "arrays.c"
expect 0 compile arrays.sq --kernel=shift --prefix=p_ -o s.c --header=s.h
grep -qx '/\* p_shift' s.h || fail "the name of the function"
