#!/bin/sh
# What follows the sums of a register tile: in registers for whole tiles, in memory for those that lack points.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

cp "$SQUALL_SOURCE/samples/gemm.sq" "$SQUALL_SOURCE/samples/conv.sq" .

# calls TEXT NUMBER: one function of a register tile, called so many times.
calls() {
    [ "$(grep -c '^ .*_tile_.*(.*);' "$1")" = "$2" ] || fail "$1: $(grep -c '^ .*_tile_.*(.*);' "$1") calls"
    [ "$(grep -c '^SQ_INLINE.*_tile_' "$1")" = 1 ] || fail "$1: several functions"
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

# A remainder that is known has a constant count of its own.
expect 0 compile gemm.sq --target=avx2 --fix=M=13,N=13,K=5 -o fixed.c
! grep -q 'sums\|whole' fixed.c || fail "known counts: $(grep 'sums\|whole' fixed.c)"

# Compilers find nothing to warn of.
grep -qw avx2 /proc/cpuinfo || exit 0
for text in six fourteen packed; do
    $CC -O2 -Wall -Wextra -Wconversion -Werror -c $text.c -o $text.o || fail "$text.c: warnings"
done
