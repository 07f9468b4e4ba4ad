#!/bin/sh
# What follows the sums of a register tile: in registers for whole tiles, in memory for those that lack points.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

cp "$SQUALL_SOURCE/samples/gemm.sq" "$SQUALL_SOURCE/samples/conv.sq" .

# calls TEXT NUMBER: one function of a register tile, called so many times.
calls() {
    [ "$(grep -c '^ .*_tile_.*(.*);' "$1")" = "$2" ] || fail "$1: $(grep -c '^ .*_tile_.*(.*);' "$1") calls"
    [ "$(grep -c '^SQ_[A-Z]* .*_tile_' "$1")" = 1 ] || fail "$1: several functions"
}

# split TEXT: whole tiles have no conditions and masks, the others loop over the points that exist.
split() {
    sed -n '/^    if (whole) {/,/^    } else {/p' "$1" >whole
    sed -n '/^    if (whole) {/,/^}/p' "$1" | sed '1,/^    } else {/d' >rest
    grep -q 'SQ_UNROLL' whole || fail "$1: whole tiles are not unrolled"
    ! grep -q '_min(\|store_n\|store_parts\|_part(\|sums' whole || fail "$1: whole tiles: $(cat whole)"
    grep -q '< n_[a-z]; ' rest || fail "$1: remainders: $(cat rest)"
    ! grep -q '_min(\|_part(' rest || fail "$1: remainders: $(cat rest)"
}

# Six rows of an operand without a copy are few; fourteen have an address each only where counts are known.
expect 0 compile gemm.sq --target=avx2 -o six.c
calls six.c 1
split six.c
# Inlined in the loops around, such a function would take gcc longer; where sizes are known the call would take time.
grep -q '^SQ_OUTLINE void gemm_tile_' six.c || fail "the function for both is inlined"
expect 0 compile gemm.sq --target=avx2 --fix=M=8,N=16,K=4 -o known.c
! grep -q 'SQ_OUTLINE' known.c || fail "the function for known sizes is not inlined"
expect 0 compile gemm.sq --target=avx512 -o fourteen.c
calls fourteen.c 2
split fourteen.c
grep -q 'for (; whole && left >= ' fourteen.c || fail "remainders have unrolled steps"

# Copies have all rows. Sums that continue earlier ones are loaded the same way.
expect 0 compile conv.sq --target=avx2 --at=C=128,F=128,H=28,W=28 -o packed.c
calls packed.c 1
split packed.c
sed -n '/^    if (first == 0) {/,/^    }/p' packed.c | grep -q 'for (int64_t x = 0; x < n_x; x++)' ||
    fail "earlier sums: $(grep -A12 'first == 0' packed.c)"

# Only the factor of what C held differs between the first step of the sum and the later ones.
! grep -q 'if (first)' six.c || fail "gemm ends in two forms: $(grep -A4 'if (first)' six.c)"
[ "$(grep -c 'first ? beta : 1.0f' six.c)" = 1 ] || fail "the factor: $(grep first six.c)"
grep -q 'for (int64_t left = n_k; left > 0; left--)' six.c || fail "the steps' counter: $(grep left six.c)"

# The remainder of a sum alone has one loop for both.
cp "$SQUALL_SOURCE/samples/bmm.sq" .
expect 0 compile bmm.sq --target=avx2 -o sum.c
split sum.c
[ "$(grep -c 'store_parts(Z' rest)" = 1 ] || fail "remainders of sums: $(cat rest)"

# Something added to the sum is added once, and a factor that each element has is no factor of all.
printf '%s\n' '#include "squall.h"' 'kernel more(int M, int N, int K, f32 b, const f32 A[M][K], const f32 B[K][N],
f32 C[M][N])' '{ idx i, j, k; C[i][j] = b * C[i][j] + 2.0f * (sum(A[i][k] * B[k][j], k) + 3.0f); }' \
    'kernel each(int M, int N, int K, const f32 b[M], const f32 A[M][K], const f32 B[K][N], f32 C[M][N])' \
    '{ idx i, j, k; C[i][j] = b[i] * C[i][j] + sum(A[i][k] * B[k][j], k); }' >more.sq
for kernel in more each; do
    expect 0 compile more.sq --kernel=$kernel --target=avx2 -e 'tile(k:4) micro(i:4, j:16 | k)' -o more.c
    [ "$(grep -c 'if (first)' more.c)" = 2 ] || fail "$kernel: two forms are one: $(grep first more.c)"
done

# A remainder that is known has a constant count of its own.
expect 0 compile gemm.sq --target=avx2 --fix=M=13,N=13,K=5 -o fixed.c
! grep -q 'sums\|whole' fixed.c || fail "known counts: $(grep 'sums\|whole' fixed.c)"

# Compilers find nothing to warn of.
grep -qw avx2 /proc/cpuinfo || exit 0
for text in six fourteen packed; do
    $CC -O2 -Wall -Wextra -Wconversion -Werror -c $text.c -o $text.o || fail "$text.c: warnings"
done
