#!/bin/sh
# Reads beyond the ends of arrays: what no copy holds is not served by one.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

cat >clamp.sq <<'K'
#include "squall.h"
kernel clamp(int N, const f32 A[20], f32 B[N])
{
    idx i;
    B[i] = (N <= 20 ? A[i] : 0) + (N <= 30 ? clampedge(A[i - 5]) : 0);
}
K
expect 2 check clamp.sq --script='tile(i:8) pack(A at i0) micro(i:4)'
says "'A' is read with clampedge"
expect 0 check clamp.sq --script='micro(i:4)'

# An array that CUDA text calls otherwise is no less guarded.
cat >word.sq <<'K'
#include "squall.h"
kernel word(int N, f32 A[N], const f32 bool[N])
{
    idx i;
    A[i] = pad(bool[i + 1], 0);
}
K
expect 0 compile word.sq -o word.cu --target=cuda
grep -q 'i + 1 < N ? bool_' word.cu || fail "word.cu reads bool_ without a test"

# A register tile that stays away from the ends of what it reads is always whole: there is no text for
# a part of it. Turns of a loop around need their order: the border is not a nest of its own.
cat >turns.sq <<'K'
#include "squall.h"
kernel turns(int T, int N, const f32 X[T][N], inout f32 Y[N])
{
    idx i, r;
    range(r, 0, 3);
    for (int t = 0; t < T; t++)
        Y[i] = 0.5f * Y[i] + sum(pad(X[t][i + r - 1], 0), r);
}
K
expect 0 compile turns.sq --target=generic -e 'micro(i:8, r:3)' -o whole.c
grep -q 'turns_tile_i8_r3(X' whole.c || fail "whole.c has no register tile"
[ "$(grep -c 'turns_tile_i8_r3(' whole.c)" = 2 ] || fail "whole.c has a part of a tile, which never runs"
