#!/bin/sh
# Temporaries of C loops: their values go into the statements that read them, where that is right and
# no loss; explain says which and why not; scripts by hand start from the statements as written.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

cat >loops.c <<'C'
#include <math.h>
void square(int n, float *restrict a, const float *restrict b, const float *restrict c, const float *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float s = b[i] + c[i] * d[i];
        a[i] = s * s;
    }
#pragma endscop
}
void product(int n, float alpha, float A[restrict n][n], float B[restrict n][n], float C[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            float t = alpha * A[i][k];
            for (int j = 0; j < n; j++)
                C[i][j] += t * B[k][j];
        }
#pragma endscop
}
float kept(int n, float *restrict a, float *restrict b, float *restrict c, const float *restrict d)
{
    float last = 0, carry = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        float t = a[i], u = sqrtf(d[i]);
        a[i] = c[i];
        c[i] = t;
        b[i] = u * u;
        a[i] = a[i] + u;
        last = b[i];
        carry = carry + last;
        float v = c[i];
        if (i == 0)
            v = 3;
        b[i] = v;
    }
#pragma endscop
    return last + carry;
}
C

# What a scalar keeps in one loop becomes a tile, a hoisted factor the product that it was.
expect 0 compile loops.c --target=avx2 --kernel=square --dump=apply --stop-after=apply
prints "square: inline(S0) micro(i:"
expect 0 compile loops.c --target=avx2 --kernel=product --dump=apply --stop-after=apply
grep -q '^product at .*: inline(S0) distribute(S1) hoist' out || fail "the factor stays inside: $(cat out)"
grep -q 'micro(i:[0-9]*, j:[0-9]* | k)' out || fail "the product has no register tile"
expect 0 show space loops.c --kernel=product --fix=n=200
prints "  S1.rows "

# What cannot be inlined is an array of registers, where the whole loop is one tile.
cat >tile.c <<'C'
#include <math.h>
void swap(int n, float *restrict a, float *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
#pragma endscop
}
void flip(int n, float *restrict a)
{
#pragma scop
    for (int i = 0; i < n / 2; i++) {
        float t = a[i];
        a[i] = a[n - 1 - i];
        a[n - 1 - i] = t;
    }
#pragma endscop
}
void back(int n, float *restrict a, const float *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float t = b[n - 1 - i];
        a[i] = t * t;
    }
#pragma endscop
}
void unit(int n, float *restrict a, float *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float x = a[i] * 2, r = sqrtf(x * x + b[i] * b[i]);
        a[i] = x / r;
        b[i] = b[i] / r;
    }
#pragma endscop
}
C
expect 0 compile tile.c --target=avx2 --dump=apply -o tiled.c
prints "swap: expand(S0) distribute(S0) fuse(S0, S1, S2) micro(i:"
prints "flip: # every loop in written order" # lanes that run backwards gain nothing
prints "back: # every loop in written order"
grep -q 'load_back(&b' tiled.c || fail "back is no vector"
prints "unit: inline(S0) expand(S1) distribute(S1) fuse(S1, S2, S3) micro(i:"
! grep -q 'malloc\|calloc' tiled.c || fail "what registers hold has memory"
expect 0 check tile.c --target=avx2
expect 0 check tile.c --target=c
expect 0 explain tile.c --target=avx2
prints "writes 't'; compiled for avx2: vectors of 8; not inlined: S0 reads a, and S1 writes it before"
prints "not inlined: S1 would read backwards in vectors, which gains nothing"

# As many as one call names.
{
    printf '#include <math.h>\nvoid many(int n, float *restrict a, float *restrict b, const float *restrict c)\n'
    printf '{\n#pragma scop\n    for (int i = 0; i < n; i++) {\n'
    sum=0 difference=0
    for t in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36; do
        printf '        float t%d = sqrtf(c[i] * c[i] + %d);\n' $t $t
        sum="$sum + t$t" difference="$difference - t$t"
    done
    printf '        a[i] = %s;\n        b[i] = %s;\n    }\n#pragma endscop\n}\n' "$sum" "$difference"
} >many.c
expect 0 compile many.c --target=avx2 --dump=apply -o many_tiled.c
prints "many: expand(S0, S1, "
! grep -q 'malloc\|calloc' many_tiled.c || fail "what registers hold has memory"

expect 0 explain loops.c --target=avx2
prints "S0: line 6, writes 's'; computed where S1 reads it"
prints "S1: line 7, writes 'a'; compiled for avx2: vectors of 8"
prints "S0: line 16, writes 't'; computed where S1 reads it"
for why in \
    "writes 't'; compiled for avx2: vectors of 8; not inlined: S0 reads a, and S2 writes it before" \
    "not inlined: 'sqrt' would be computed more than once" \
    "not inlined: the value of last that S6 writes last is read after the region" \
    "not inlined: S7 reads elements of carry after it has written them itself" \
    "not inlined: S10 reads what S8 wrote to v at some instances, and at others not: for example with n=1: S10[i=0]"; do
    prints "$why"
done
expect 0 explain loops.c --target=avx2 --kernel=square --json
json 'j["kernels"][0]["statements"][0]["forward"] == {"can": True, "why": "computed where S1 reads it"}'
json '"forward" not in j["kernels"][0]["statements"][1]'

# A script by hand has the statements as written, and may forward them itself.
expect 0 compile loops.c --kernel=square -e 'auto()' --dump=apply --stop-after=apply
prints "square: auto("
expect 0 explain loops.c --kernel=square -e 'auto()' --target=avx2
prints "S0: line 6, writes 's'; compiled for avx2: vectors of 8"
expect 0 compile loops.c --kernel=square -e 'inline(S0) micro(i:8)' --dump=apply --stop-after=apply
prints "square: inline(S0) micro(i:8)"
expect 1 compile loops.c --kernel=square -e 'inline(S0) S0: micro(i:8)' -o none.c
says "there is no statement 'S0' any more: a call before has put it into the statements that read it"
expect 2 compile loops.c --kernel=square -e 'inline(S0) fuse(S0, S1)' -o none.c
says "'S0' is no statement any more"
expect 2 compile loops.c --kernel=kept -e 'inline(S0)' -o none.c
says "inline refused: S0 reads a, and S2 writes it before the value is used for the last time"
absent none.c

# The values are those of the text as written: types of few bits round, integers wrap around.
cat >types.sq <<'K'
#include "squall.h"
kernel halves(int N, const f16 H[N], f32 X[N])
{
    for (int i = 0; i < N; i++) {
        f16 h = H[i] * 3 + 1;
        f16 g = h * 0.001f;
        X[i] = h + g;
    }
}
kernel types(int N, const f32 F[N], const uint8_t U[N], const f64 D[N], f32 X[N], f64 Y[N],
             int32_t Z[N], int16_t W[N])
{
    for (int i = 0; i < N; i++) {
        uint8_t u = U[i] * 3 + 100;
        f32 f = D[i] * 0.3;
        f64 d = F[i];
        X[i] = u * f;
        Y[i] = f * d + D[i];
        Z[i] = u + U[i];
        W[i] = u * u * 5;
    }
}
kernel exact(int N, f32 alpha, const f32 A[N][N], const f32 B[N][N], f32 C[N][N])
{
#pragma squall fp strict
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) {
            f32 t = alpha * A[i][k];
            for (int j = 0; j < N; j++)
                C[i][j] = C[i][j] + (t * B[k][j] + t);
        }
}
K
for target in c avx2; do
    expect 0 compile types.sq --target=$target --dump=apply --stop-after=apply
    prints "halves: inline(S0, S1)"
    prints "types: inline(S0, S1, S2)"
    prints "exact: inline(S0)"
    expect 0 check types.sq --target=$target
done
