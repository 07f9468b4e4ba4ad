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
grep -qx ' \*   reads   X\[7\]\[2 \* N\], I_\[small_\]' arrays.h || fail "what halves reads"
grep -qx ' \*   updates S\[7\]' arrays.h || fail "what halves updates"
grep -qxF ' *   writes  Y[N / 2 + 1]' arrays.h || fail "what halves writes"
grep -qxF ' *     Y[i] = I_[i];' arrays.h || fail "the reference has another name than the prototype"
grep -qxF ' * Takes sizes with N >= 2 && small_ >= N; for others it returns at once and changes nothing.' arrays.h ||
    fail "the sizes have other names than the prototype"
grep -q 'gaps. What it writes must not overlap another array.$' arrays.h || fail "halves may overlap"
[ "$(grep -c 'Arrays may overlap.$' arrays.h)" = 1 ] || fail "shift may not overlap"
[ "$(awk 'length > 100 && /^ \*/ && !/squall compile/' arrays.h | wc -l)" = 0 ] || fail "lines are too long"
grep -qx ' \*           c*\[3\]' arrays.h || fail "a long list is not broken"
$CC -std=c11 -Wall -Wextra -Wpedantic -Werror -c arrays.c -o arrays.o || fail "arrays.c"
expect 0 compile arrays.sq --kernel=shift --prefix=p_ -o s.c --header=s.h
grep -qx '/\* p_shift' s.h || fail "the name of the function"

# Extents as C has them, and the reference where declarations of indices share its lines.
cat >lines.sq <<'K'
#include "squall.h"
kernel one(int N, const f32 X[N], f32 Y[N]) { idx i; Y[i] = X[i] + 1; }
kernel strided(int H, int W, const f32 X[H][W], f32 Y[(H - 5) / 2 + 1][(W - 1) / 3])
{
    idx y, x; idx a,
        b; Y[y][x] = X[2 * y][3 * x];
    Y[a][b] = 2 * Y[a][b]; }
K
expect 0 compile lines.sq -o lines.c --header=lines.h
sed -n '/^\/\* [os][a-z]*$/,/writes/p' lines.h >heads
cat >want <<'K'
/* one
 *     Y[i] = X[i] + 1;
 *   reads   X[N]
 *   writes  Y[N]
/* strided
 *     Y[y][x] = X[2 * y][3 * x];
 *     Y[a][b] = 2 * Y[a][b];
 *   reads   X[H][W]
 *   writes  Y[(H + 1) / 2 - 2][(W - 1) / 3]
K
same want heads

# The sizes that a function takes and those it is made for, as it behaves: beside what goes without saying.
cat >sizes.sq <<'K'
#include "squall.h"
kernel window(int M, int N, const f32 X[M], f32 Y[N])
{
    idx i;
    assume(M >= N + 2);
    assume(N >= 64 && N <= M && N % 8 == 0);
    Y[i] = X[i] - X[i + 2];
}
kernel any(int N, f32 Y[N])
{
    idx i;
    Y[i] = 1;
}
K
expect 0 compile sizes.sq -o sizes.c --header=sizes.h
grep -qxF ' * Takes sizes with M >= N + 2; for others it returns at once and changes nothing.' sizes.h ||
    fail "the sizes that window takes"
grep -qxF ' * Is made for sizes with N >= 64 && N % 8 == 0; others take slower code.' sizes.h ||
    fail "the sizes that window is made for"
[ "$(grep -c 'sizes with' sizes.h)" = 2 ] || fail "a word about any, which takes all sizes"
cat >takes.c <<'C'
#include "sizes.h"
int main(void)
{
    float X[8] = {8, 7, 5, 4, 2, 1, 0, 0}, Y[7] = {9, 9, 9, 9, 9, 9, 9};
    window(7, 6, X, Y);
    for (int i = 0; i < 7; i++)
        if (Y[i] != 9)
            return 1;
    window(8, 6, X, Y);
    return Y[0] == 3 && Y[5] == 1 && Y[6] == 9 && window_accepts(8, 6) && !window_accepts(7, 6) ? 0 : 2;
}
C
$CC -std=c11 -O1 -Wall -Werror takes.c sizes.c -o takes -lm && ./takes || fail "window takes other sizes than the header says"
expect 0 compile sizes.sq --target=cuda,arch=sm_80 -o sizes.cu --header=cuda.h
grep -qF ' * Takes sizes with N >= 64 && M >= N + 2 && N % 8 == 0; for others it returns 1 and launches' cuda.h ||
    fail "the sizes that window takes on a device"

# What is computed stands at the prototype, comments and declarations of indices left out.
cat >said.sq <<'SQ'
#include "squall.h"
kernel said(int M, int N, const f32 X[M][N], f32 Y[M][N]) /* { */
{
    idx i, j; // no
    f32 m[M];
    m[i] = rmax(X[i][j], j);   /* the greatest */
    /* and then */
    Y[i][j] = X[i][j]
              - m[i];
}
SQ
expect 0 compile said.sq -o said.c --header=said.h
sed -n '/^\/\* said$/,/reads/p' said.h >found
cat >wanted <<'C'
/* said
 *     f32 m[M];
 *     m[i] = rmax(X[i][j], j);
 *     Y[i][j] = X[i][j]
 *               - m[i];
 *   reads   X[M][N]
C
same wanted found

# Which sizes the first choice of the model is for, where nothing says which matter.
guess='Untuned ones are for sizes of some hundreds, since no --at and no tune line says others.'
head -9 arrays.h | grep -qF " *   $guess" || fail "the header does not say what sizes were guessed"
sed 's/^kernel one/#pragma squall tune N=100\n&/' lines.sq >named.sq
for words in '--at=N=100 lines.sq --kernel=one' '--fix=N=100 lines.sq --kernel=one' 'named.sq --kernel=one' \
    '-e tile(i:8) lines.sq --kernel=one'; do
    # shellcheck disable=SC2086 # a list of words
    expect 0 compile $words -o named.c --header=named.h
    ! grep -qF "$guess" named.h || fail "sizes were guessed with $words"
done
