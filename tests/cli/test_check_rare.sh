#!/bin/sh
# squall check of faults that show at rare inputs and sizes: recurrences whose results would grow without end, maxima
# of what is summed as well, and of bytes, in long rows, sums of bytes that are large half-way, guards of padding.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

grep -qw avx2 /proc/cpuinfo || {
    echo "what is written for AVX2 cannot run on this processor"
    exit 77
}

# kernel NAME TEXT [OPTION...]: the kernel, and what squall makes of it.
kernel() {
    name=$1
    printf '#include "squall.h"\n%s\n' "$2" >$name.sq
    shift 2
    expect 0 compile $name.sq -o $name.c --target=avx2 "$@"
}

# wrong EDIT...: each makes the kernel wrong, whose script is in $script.
script=
wrong() {
    for edit; do
        mutant $name.c "$edit"
    done
    found $name.sq --target=avx2 --quick ${script:+-e "$script"}
}

kernel solve 'kernel solve(int N, const f32 L[N][N], f32 x[N])
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++)
            x[i] -= L[i][j] * x[j];
        x[i] /= L[i][i];
    }
}'
expect 0 check solve.sq --target=avx2 --quick
wrong 's/j0 += 512/j0 += 511/' 's/j0 += 512/j0 += 1024/' 's/j0 + 511 >= i/j0 + 512 >= i/'

kernel most 'kernel most(int N, const f32 X[N], const f32 W[N], f64 s[1], f32 lo[1])
{
    idx i;
    s[0] = sum((f64)X[i] * W[i], i);
    lo[0] = rmin(X[i], i);
}'
wrong 's/_all(__builtin_inff())/_all(1e6f)/'

kernel least 'kernel least(int C, int H, int W, const uint8_t I[C][H][W],
                        uint8_t O[C][(H - 3) / 2 + 1][(W - 3) / 2 + 1])
{
    idx c, y, x, r, s;
    range(r, 0, 3);
    range(s, 0, 3);
    O[c][y][x] = rmin(I[c][2 * y + r][2 * x + s], r, s);
}'
wrong 's/_all(255)/_all(254)/'

kernel place 'kernel place(int M, int N, const f32 X[M][N], int32_t best[M])
{
    idx i, j;
    best[i] = argmax(X[i][j], j);
}'
wrong 's/at_j = at_j + 1/at_j = (uint16_t)(at_j + 1)/'

kernel bytes 'kernel bytes(int M, int N, int K, f32 sc, const int8_t A[M][K], const int8_t B[K][N], int8_t Y[M][N])
{
    idx i, j, k;
    Y[i][j] = sat_int8(sc * (f32)sum((int32_t)A[i][k] * (int32_t)B[k][j], k));
}' -e 'micro(i:2, j:8 | k)'
expect 0 check bytes.sq --target=avx2 --quick -e 'micro(i:2, j:8 | k)'
script='micro(i:2, j:8 | k)'
wrong 's/_min(more, 1024)/_min(more, 1048576)/'
script=

kernel padded 'kernel padded(int C, int O, int H, int W, const f16 I[C][H][W], const f16 F[O][C][3][3], f16 R[O][H][W])
{
    idx o, c, y, x, r, s;
    range(r, 0, 3);
    range(s, 0, 3);
    R[o][y][x] = sum(pad(I[c][y + r - 1][x + s - 1], 0) * F[o][c][r][s], c, r, s);
}'
wrong 's/W >= x + 17/W >= x + 16/'
