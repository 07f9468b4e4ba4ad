#!/bin/sh
# Integers in lanes: bytes are computed in 16 bits where these hold everything on the way, in int
# where they do not; shifts and quotients by constants are vectors. What cannot be is left a loop.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cp "$SQUALL_SOURCE/tests/exec/bytes.sq" .

expect 0 compile bytes.sq --kernel=pixels --target=avx512 -o out.c
grep -q "u16x32 .* >> " out.c || fail "a byte's shift is not done in 32 lanes of 16 bits"
grep -q "pixels_i32x" out.c && fail "int where 16 bits are enough"
expect 0 compile bytes.sq --kernel=wide --target=avx512 -o out.c
grep -q "i32x16 .* >> " out.c || fail "17 bits in 16"
expect 0 compile bytes.sq --kernel=quotients --target=avx2 -o out.c
grep -q "i32x4 .* % " out.c || fail "no remainders in lanes"

# Points with nothing to reduce run after the others: no other may wait for one.
cat >late.sq <<'END'
#include "squall.h"
kernel late(int M, f32 A[M], inout f32 D[M])
{
    idx i, q;
    range(q, 0, i);
    A[i] = sum(1.0f, q);
    for (int a = 0; a < M; a++)
        D[a] = 0.5f * D[a % 2];
}
kernel apart(int M, const alias f32 A[M], alias f32 D[M])
{
    idx i, q;
    range(q, 0, i);
    D[i] = 0.5f * A[i / 2] + sum(A[q], q);
}
END
expect 2 compile late.sq --kernel=late -e 'fuse(S0, S1)' -o out.c
says "which would run before: the first has nothing to reduce"
expect 0 check late.sq --kernel=late --at M=7
expect 1 compile late.sq --kernel=apart -o out.c
says "some of its points have nothing to reduce"

# Rows in C loops: the exponentials are vectors, because their sum has a loop of its own.
cat >rows.sq <<'END'
#include "squall.h"
kernel rows(int M, int N, const f32 A[M][N], f32 Y[M][N])
{
    for (int i = 0; i < M; i++) {
        f32 s = 0;
        for (int j = 0; j < N; j++)
            Y[i][j] = expf(A[i][j]);
        for (int j = 0; j < N; j++)
            s += Y[i][j];
        for (int j = 0; j < N; j++)
            Y[i][j] /= s;
    }
}
END
expect 0 compile rows.sq --target=avx2 -o out.c
grep -q "fuse:min" out.c || fail "sums in the loop of what they add"
grep -q "rows_f32x8_exp(" out.c || fail "exponentials one by one"
expect 0 check rows.sq --at M=5,N=37 --target=avx2

# Windows with a stride load lanes one by one: so few are written out that a compiler is done with them soon (100 s
# before they were counted).
cat >window.sq <<'END'
#include "squall.h"
kernel window(int C, int H, int W, const f32 X[C][11 * H][11 * W], f32 Y[C][H][W])
{
    idx c, y, x, r, s;
    range(r, 0, 11);
    range(s, 0, 11);
    Y[c][y][x] = sum(X[c][11 * y + r][11 * x + s], r, s) / 121.0f;
}
END
expect 0 compile window.sq --target=avx2 -o out.c
timeout 60 "$CC" -O2 -c out.c -o out.o || fail "the compiler of a window takes a minute, or refuses it"

# What is stored with a large stride is computed point by point, in a loop that lies in one line of code: written out
# by hand it takes longer. Not where a point takes many statements.
cat >skip.c <<'END'
void skip(int n, float *restrict y, const float *restrict x, const float *restrict w)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[5 * i] = x[i] * w[i];
#pragma endscop
}
void many(int n, float *restrict y, const float *restrict x, const float *restrict w, const float *restrict v)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[5 * i] = x[i] * w[i] + v[i] * x[i + 1];
#pragma endscop
}
END
expect 0 compile skip.c --target=avx2 -o out.c
for name in skip many; do
    sed -n "/^static .*squall_${name}_1_nest(/,/^}/p" out.c | grep -q 'UNROLL_BY' && fail "$name: points are written out"
    grep -B 2 "^static .*squall_${name}_1_nest(" out.c | grep -q '"align-loops=64"' || fail "$name: the loop lies anywhere"
done
exit 0
