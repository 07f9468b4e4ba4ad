#!/bin/sh
# Partial sums pass through the output where a loop over the sum's index lies outside of the tile.
# Whatever that element held before has to be done with before the first of them: a loop that begins
# the sum anew stays outside, whether it overwrites what an earlier round left or reads it.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

cat >again.sq <<'EOF'
#include "squall.h"
kernel again(int T, int N, int M, int K, const f64 A[K][M], f64 Y[N][M])
{
    idx i, j, k;
    for (int t = 0; t < T; t++)
        Y[i][j] = sum(A[k][j], k);
}
kernel decays(int T, int N, int K, const f64 A[K][N], f64 Y[N])
{
    idx i, k;
    for (int t = 0; t < T; t++)
        Y[i] = 0.5 * Y[i] + sum(A[k][i], k);
}
kernel folded(int N, int K, const f64 A[K][N], f64 Y[N])
{
    idx k;
    for (int i = 0; i < N; i++)
        Y[i / 2] = sum(A[k][i], k);
}
EOF

# refused KERNEL SCRIPT, kept KERNEL SCRIPT: on every target the same; what is kept computes right.
refused() {
    for target in generic avx2 avx512; do
        expect 2 compile again.sq --kernel="$1" --target=$target -e "$2" -o no.c --header=no.h
        says "a dependence would be broken"
        absent no.c
    done
}
kept() {
    expect 0 check again.sq --kernel="$1" -e "$2" --quick
}
# The model's own first choice does not cut such a sum.
for target in generic avx2 avx512; do
    expect 0 compile again.sq --target=$target -o own.c --header=own.h
    [ ! -s err ] || { cat err; fail "a message"; }
done
refused again 'order(k, t, i, j)'
refused again 'order(i, k, t, j)'
refused again 'tile(t:4, k:4) order(k0, t0, t, i, j)'
refused again 'tile(t:4, k:4) order(t0, k0, t, i, j)'
refused again 'tile(k:2) order(k0, t, i) micro(j:8)'
kept again 'order(t, k, i, j)'
kept again 'order(i, t, k, j)'
kept again 'tile(t:2, k:4) order(t0, t, k0, i, j)'
refused decays 'order(k, t, i) epilogue(first)'
kept decays 'order(t, k, i) epilogue(first)'
refused folded 'order(k, i)'
kept folded 'order(i, k)'

# Of three loops over the sum one may run inside the tile: the others still begin and end it.
cat >rows.sq <<'EOF'
#include "squall.h"
kernel rows(int N, int K, const f32 A[N][K], f32 Y[N], int32_t at[N])
{
    idx i, k;
    Y[i] = sum(A[i][k], k);
    at[i] = argmin(A[i][k], k);
}
EOF
for outside in 'tile(k:6) order(k0, i, k)' 'tile(i:8, k:6) order(i0, k0, i, k)' \
    'tile(k:12) tile(k:6) order(k0, k1, i, k)'; do
    for target in generic avx2; do
        expect 0 check rows.sq -e "S0: $outside hold(k) S1: $outside hold(k)" --target=$target --quick
    done
done

# A sum that is empty: the loop over it runs once, and the tile counts no step. Of two dimensions one could be empty
# while the other is not, and of a multiple each step is whole: these points have a nest of their own.
cat >empty.sq <<'EOF'
#include "squall.h"
kernel window(int N, int F, const f32 A[N + 2][F], const f32 B[3][F], f32 C[N])
{
    idx i, r, f;
    C[i] = sum(A[i + r][f] * B[r][f], r, f) - 3;
}
kernel two(int N, int K, int L, const f32 A[N][K][L], f32 C[N])
{
    idx i, k, l;
    C[i] = sum(A[i][k][l], k, l) + 1;
}
kernel multiple(int N, int K, const f32 A[N][K], f32 C[N])
{
    assume(K % 8 == 0);
    idx i, k;
    C[i] = sum(A[i][k], k) + 1;
}
EOF
nests() # NUMBER KERNEL SCRIPT: how many its sum has
{
    expect 0 check --passes empty.sq --kernel="$2" -e "$3"
    expect 0 compile empty.sq --kernel="$2" -e "$3" -o "$2.c"
    [ "$(grep -c 'nothing to reduce' "$2.c")" = $(($1 - 1)) ] || fail "$2 under '$3': not $1 nests"
}
nests 1 window 'tile(f:8) micro(i:4, r:3 | f)'
grep -q 'f0 < window_max(F, 1)' window.c || fail 'window: the loop over f does not run once'
nests 2 two 'tile(k:4, l:4) micro(i:2 | l)'
nests 2 multiple 'tile(k:8) micro(i:2 | k)'
