#!/bin/sh
# Comparisons whose outcome is known, as macros make them: in vectors they are constants, for gcc
# warns of an operand that is compared with itself. Of floats x != x asks for NaN and stays.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

cat >mode.sq <<'END'
#include "squall.h"
#define MODE 4
kernel mode(int N, const int32_t A[N], const uint8_t B[N], const f32 X[N], int32_t Y[N],
            uint8_t Z[N], f32 V[N])
{
    idx i;
    Y[i] = MODE != 4 || A[i] < 4 ? A[i] : -A[i];
    Z[i] = B[i] == B[i] ? B[i] : 7;
    V[i] = X[i] != X[i] ? 0.0f : X[i];
}
END
for target in generic avx2 avx512; do
    expect 0 compile mode.sq --target=$target -o mode.c
    "${CC:-cc}" -O1 -std=c11 -Wall -Wextra -Werror -c mode.c 2>err ||
        fail "the text for $target is not free of warnings"
done
expect 0 check mode.sq --at=N=67
