#!/bin/sh
# Subscripts that are values, T[X[i]]: on a GPU as well, in regions as C has them, and what is wrong in such a text
# is found. tests/exec/indirect.sq has the lanes of processors, tests/errors/indirect_*.sq what is refused.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
kernels=$SQUALL_SOURCE/tests/exec/indirect.sq

for kernel in rows_of codes permuted half_rows; do
    expect 0 check "$kernels" --kernel=$kernel --target=cuda,arch=sm_80 --quick
    prints "$kernel: accesses in bounds"
done

# An array of places may be written in place.
cat >in_place.sq <<'K'
#include "squall.h"
kernel in_place(int M, int N, inout int32_t P[M][N], const int32_t T[64])
{
    idx i, j;
    P[i][j] = T[P[i][j] & 63] - T[P[i][j] >> 7 & 63];
}
K
for target in cuda,arch=sm_80 $(targets 'runs && arch == ""'); do
    expect 0 check in_place.sq --target="$target" --quick
    prints "in_place: accesses in bounds"
done

# In lanes together, looked up in registers, lane by lane, without lanes.
holds() { # KERNEL TARGET TEXT
    expect 0 compile "$kernels" --kernel="$1" --target="$2" -o t.c
    grep -qF "$3" t.c || fail "$1 on $2: no $3"
}
holds rows_of avx2 'rows_of_f32x8_load(E + '
holds codes avx2 'f32x8_lookup('
holds codes avx512 '_lookup('
holds curve avx2 'f32x8_indexed('
holds codes generic '(codes_f32x4){T['
holds bytes_through generic '] = T[X['

# A text without a limit, with another one, from the wrong row, beside the table.
wrong() { # KERNEL TARGET EDIT...
    of=$1 on=$2
    shift 2
    expect 0 compile "$kernels" --kernel="$of" --target="$on" -o t.c
    for edit; do
        mutant t.c "$edit" ': (wrong|crashed): '
    done
    found "$kernels" --kernel="$of" --target="$on" --quick
}
wrong rows_of generic 's/_max_i32(t\([0-9]*\), k\([0-9]*\))/_max_i32(t\1, k\2) * 0/' \
    's/_min_i32(\([^,]*\), k\([0-9]*\))/_min_i32(\1, k\2 + 1)/'
wrong codes avx2 's/_all(15)/_all(7)/' 's/_all(4)/_all(5)/'
wrong group_codes generic 's/uint32_t)28/uint32_t)29/g'
wrong bytes_through generic 's/T\[X\[i\]\]/T[X[i] ? X[i] - 1 : 0]/'

# Regions: tables behind pointers and as variables, with limits of their own; gcc's result is the reference.
cat >tables.c <<'C'
#include <stdint.h>
#include <stdio.h>

static const float codes[16] = {-1, -.7f, -.5f, -.4f, -.3f, -.2f, -.1f, 0, .1f, .2f, .3f, .4f, .5f, .6f, .7f, 1};

void through(int n, const uint8_t *x, const uint8_t *t, uint8_t *y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = t[x[i]];
#pragma endscop
}

void dequantised(int n, const uint8_t *restrict q, float s, float *restrict y)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[2 * i] = codes[q[i] & 15] * s;
        y[2 * i + 1] = codes[q[i] >> 4] * s;
    }
#pragma endscop
}

void rows(int n, int d, int v, const int *restrict id, const float e[restrict v][d], float y[restrict n][d])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++)
            y[i][j] = e[id[i] < 0 ? 0 : id[i] > v - 1 ? v - 1 : id[i]][j];
#pragma endscop
}

void colours(int n, const uint8_t *restrict at, const uint8_t (*restrict palette)[3], uint8_t *restrict rgb)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            rgb[3 * i + c] = palette[at[i]][c];
#pragma endscop
}

/* For n >= 1: other sizes leave nothing to read. */
void limited(int m, int n, const int *x, const float *t, float *y)
{
#pragma scop
    for (int i = 0; i < m; i++)
        y[i] = t[x[i] < 0 ? 0 : x[i] > n - 1 ? n - 1 : x[i]];
#pragma endscop
}

int main(void)
{
    static float few[5] = {3, 1, 4, 1, 5}, found[101];
    static uint8_t x[1000], t[256], y[1000], rgb[3000], palette[256][3];
    static float out[2000], e[37][19], picked[101][19];
    static int id[101];
    unsigned long sum = 0;
    for (int i = 0; i < 1000; i++)
        x[i] = (uint8_t)(i * 37 + i / 7);
    for (int i = 0; i < 256; i++)
        t[i] = (uint8_t)(255 - i * 3), palette[i][0] = t[i], palette[i][1] = (uint8_t)i, palette[i][2] = 7;
    for (int i = 0; i < 37 * 19; i++)
        e[i / 19][i % 19] = (float)(i % 91);
    for (int i = 0; i < 101; i++)
        id[i] = i * 5 % 53 - 8;
    through(1000, x, t, y);
    dequantised(1000, x, .5f, out);
    rows(101, 19, 37, id, e, picked);
    colours(1000, x, palette, rgb);
    limited(101, 5, id, few, found);
    for (int i = 0; i < 101; i++)
        sum = sum * 31 + (unsigned long)found[i];
    for (int i = 0; i < 1000; i++)
        sum = sum * 31 + y[i];
    for (int i = 0; i < 2000; i++)
        sum = sum * 31 + (unsigned long)(out[i] * 100 + 100);
    for (int i = 0; i < 101 * 19; i++)
        sum = sum * 31 + (unsigned long)picked[i / 19][i % 19];
    for (int i = 0; i < 3000; i++)
        sum = sum * 31 + rgb[i];
    printf("%lu\n", sum);
}
C
"$CC" -O1 -w tables.c -o plain -lm
for target in generic avx2 avx512; do
    expect 0 compile tables.c --target="$target" -o tuned.c
    "$CC" -O1 -Wall -Wextra -Werror -Wno-unknown-pragmas tuned.c -o tuned -lm
    targets 'runs && arch == ""' | grep -qx "$target" || continue
    [ "$(./tuned)" = "$(./plain)" ] || fail "regions on $target compute something else"
done

# Assumes without which a place would lie outside are needed; others are for speed alone.
cat >assumed.sq <<'K'
#include "squall.h"
kernel assumed(int N, int K, int V, const int32_t X[N], const f32 T[V], f32 Y[N])
{
    assume(V >= 1 && K >= 1);
    assume(K <= V);
    assume(N >= 64);
    idx i;
    Y[i] = T[min2(max2(X[i], 0), K - 1)];
}
kernel wrapped(int N, int V, const uint32_t X[N], const f32 T[V], f32 Y[N])
{
    assume(V >= 1);
    assume(N >= 64);
    idx i;
    Y[i] = T[X[i] % V];
}
K
cat >accepts.c <<'C'
#include "assumed.h"

int main(void)
{
    return !assumed_accepts(5, 6, 6) || assumed_accepts(5, 7, 6) || assumed_accepts(100, 7, 6) ||
           assumed_accepts(5, 0, 6) || !wrapped_accepts(5, 1) || wrapped_accepts(5, 0) || !wrapped_accepts(100, 3);
}
C
expect 0 compile assumed.sq -o assumed.c --header=assumed.h
"$CC" -O1 accepts.c assumed.c -o accepts -lm
./accepts || fail "assumes that a place needs are not those that are tested"
