#!/bin/sh
# Indices as values: the first vector of a row is made of the index, the others of that one, for any factor of it.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cat >values.sq <<'Q'
#include "squall.h"
kernel ramp(int N, f32 s, f32 A[N])
{
    idx i;
    A[i] = s * (f32)i;
}
kernel squares(int N, const int32_t Q[N], int32_t P[N])
{
    idx i;
    P[i] = (int32_t)i * (int32_t)i + Q[i];
}
kernel far(int N, int M, const int64_t Q[N], int64_t P[N])
{
    idx i;
    P[i] = (int64_t)(M - 3 * i) ^ Q[i];
}
kernel plane(int H, int W, f32 A[H][W])
{
    idx y, x;
    A[y][x] = (f32)(2 * x + 5 * y) * 0.25f;
}
kernel upper(int N, const f32 A[N][N], f32 B[N][N])
{
    idx i, j;
    B[i][j] = i <= j ? A[i][j] : 0.5f * A[i][j];
}
kernel weighted(int M, int N, const f32 A[M][N], f32 B[M])
{
    idx i, j;
    B[i] = sum((f32)j * A[i][j], j);
}
Q
expect 0 compile values.sq --kernel=squares --target=avx2 -o squares.c
sed -n '/Register tile: [0-9][0-9] i\./,/^}/p' squares.c >tile.c
[ "$(grep -c "all((int32_t)from_i)" tile.c)" = 1 ] || fail "the index goes to all lanes more than once"
grep -q "all((int32_t)(8 \* v))" tile.c || fail "no constants are added"
# A tile of one vector has none.
expect 0 compile values.sq --kernel=squares --target=avx2 -e 'micro(i:8) vectorize(i:8)' -o squares.c
! grep -q "8 \* v" squares.c || fail "a constant for one vector"
for target in generic avx2 avx512; do
    expect 0 check values.sq --target=$target --passes
done
expect 0 check values.sq --target=avx2 --quick
for script in 'micro(x:24, y:2) vectorize(x:8)' 'micro(y:16, x:3) vectorize(y:8)'; do
    expect 0 check values.sq --kernel=plane --target=avx2 -e "$script" --quick
done
exit 0
