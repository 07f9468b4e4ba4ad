#!/bin/sh
# Arrays that are called as something in a comment of the emitted text: they are declared only where
# the code itself mentions them, so that compilers find nothing unused.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

# Nothing reads S2, and the third statement is called S2, too.
cat >unread.sq <<'END'
#include "squall.h"
kernel unread(int N, int M, int K, int8_t P[N], const uint16_t I[M + 2], const f32 X[M][3 * M + 2],
              uint16_t Y[N][K])
{
    idx i, j, k, l;
    bf16 S2[M];
    {
        range(k, 0, M);
        P[i] = sum(I[k + 2], k);
    }
    S2[k] = sum(X[M - 1 - l][l], l);
    Y[i][j] = P[i];
}
END
for target in generic avx2 avx512; do
    expect 0 compile unread.sq --target=$target -o unread.c
    says "nothing reads the temporary 'S2'"
    grep -qF '/* S2 */' unread.c || fail "no comment names the third statement: this tests nothing"
    "${CC:-cc}" -O1 -std=c11 -Wall -Wextra -Werror -c unread.c 2>err ||
        fail "the text for $target is not free of warnings"
done
