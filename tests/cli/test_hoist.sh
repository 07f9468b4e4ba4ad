#!/bin/sh
# Products with a factor inside of the sum, as C libraries write them: the factor is multiplied once an element, not once
# a tile, and the new file computes what the old one does. Where few loops use a value it stays.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
cat >old.c <<'C'
void gemm_nn(int M, int N, int K, float ALPHA, float *A, int lda, float *B, int ldb, float *C, int ldc)
{
    int i, j, k;
#pragma scop
    for (i = 0; i < M; ++i) {
        for (k = 0; k < K; ++k) {
            register float A_PART = ALPHA * A[i * lda + k];
            for (j = 0; j < N; ++j) {
                C[i * ldc + j] += A_PART * B[k * ldb + j];
            }
        }
    }
#pragma endscop
}
void gemm_nt(int M, int N, int K, float ALPHA, float *A, int lda, float *B, int ldb, float *C, int ldc)
{
    int i, j, k;
#pragma scop
    for (i = 0; i < M; ++i) {
        for (j = 0; j < N; ++j) {
            register float sum = 0;
            for (k = 0; k < K; ++k) {
                sum += ALPHA * A[i * lda + k] * B[j * ldb + k];
            }
            C[i * ldc + j] += sum;
        }
    }
#pragma endscop
}
void gemm_tn(int M, int N, int K, float ALPHA, float *A, int lda, float *B, int ldb, float *C, int ldc)
{
    int i, j, k;
#pragma scop
    for (i = 0; i < M; ++i) {
        for (k = 0; k < K; ++k) {
            register float A_PART = ALPHA * A[k * lda + i];
            for (j = 0; j < N; ++j) {
                C[i * ldc + j] += A_PART * B[k * ldb + j];
            }
        }
    }
#pragma endscop
}
void syrk(int n, int m, double alpha, double beta, double C[n][n], double A[n][m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            C[i][j] *= beta;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++)
                C[i][j] += alpha * A[i][k] * A[j][k];
    }
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdio.h>
typedef void gemm(int, int, int, float, float *, int, float *, int, float *, int);
gemm gemm_nn, gemm_nt, gemm_tn;
void syrk(int n, int m, double alpha, double beta, double C[n][n], double A[n][m]);
int main(void)
{
    static gemm *const all[] = {gemm_nn, gemm_nt, gemm_tn};
    static const int sizes[] = {1, 2, 3, 7, 13, 31, 33, 65};
    static float A[70 * 70], B[70 * 70], C[70 * 70];
    static double X[65 * 33], Y[65 * 65];
    unsigned hash = 1;
    for (int i = 0; i < 70 * 70; i++) /* whole numbers: sums are exact in any order */
        A[i] = (float)(i % 11 - 5), B[i] = (float)(i % 7 - 3);
    for (int f = 0; f < 3; f++)
        for (int s = 0; s < 8 * 8 * 8; s++) {
            for (int i = 0; i < 70 * 70; i++)
                C[i] = (float)(i % 5);
            all[f](sizes[s % 8], sizes[s / 8 % 8], sizes[s / 64], 3, A, 66, B, 67, C, 68);
            for (int i = 0; i < 70 * 70; i++)
                hash = hash * 31 + (unsigned)(int)C[i];
        }
    for (int n = 0; n <= 65; n += 13)
        for (int m = 0; m <= 33; m += 11) {
            for (int i = 0; i < n * m; i++)
                X[i] = i % 9 - 4;
            for (int i = 0; i < n * n; i++)
                Y[i] = i % 3;
            syrk(n, m, 2, 3, (double (*)[n])Y, (double (*)[m])X);
            for (int i = 0; i < n * n; i++)
                hash = hash * 31 + (unsigned)(int)Y[i];
        }
    printf("%u\n", hash);
    return 0;
}
C
as_before_on generic avx2 avx512
for t in generic avx2 avx512; do
    expect 0 show schedule old.c --target=$t
    for k in gemm_nn gemm_nt gemm_tn syrk; do
        grep "^$k at .*: .*hoist(S[0-9]*)" out >/dev/null || fail "$t, $k: $(cat out)"
    done
    grep -q 'fuse(S[0-9]*_A' out && fail "$t: rows of a product wait for those of its factor: $(cat out)"
done

# Few columns of a large product: no pass over the factor. Small ones fit a cache, and many columns pay for any.
expect 0 show schedule old.c --kernel=gemm_nn --target=avx2
[ "$(grep -c '^gemm_nn at ' out)" = 2 ] || fail "$(cat out)"
grep '^gemm_nn at .*N=16' out | grep -q hoist && fail "few columns are hoisted for: $(cat out)"
expect 0 compile old.c --kernel=gemm_nn --target=generic -o new.c
silent
chosen() { # M K N, number of the schedule
    sed -n '/^static inline int sq_squall_gemm_nn_1_log2/,/^}/p;/^static int sq_squall_gemm_nn_1_way/,/^}/p' new.c >way.inc
    order=$(sed -n 's/^static int sq_squall_gemm_nn_1_way(\(.*\))$/\1/p' new.c | sed 's/int64_t //g')
    printf '#include <stdint.h>\n#include <stdio.h>\n#include "way.inc"\nint main(void)\n{\n    int M = %s, K = %s, N = %s, lda = K, ldb = 100000, ldc = 3;\n    (void)M, (void)lda, (void)ldb, (void)ldc;\n    printf("%%d", sq_squall_gemm_nn_1_way(%s));\n    return 0;\n}\n' \
        $1 $2 $3 "$order" >way.c
    cc -I. -o way way.c || fail "no choice in new.c"
    [ "$(./way)" = $4 ] || fail "M=$1, K=$2, N=$3: schedule $(./way)"
}
chosen 4096 4096 4 1
chosen 4096 4096 100 1
chosen 4096 4096 200 0
chosen 1024 1024 128 1
chosen 512 512 64 0
chosen 16 16 64 0

# The user names them: the function of a region has both, and is checked with both.
at='--at=M=1,N=64,K=64,lda=64,ldb=64,ldc=64 --at=M=64,N=64,K=64,lda=64,ldb=64,ldc=64'
expect 0 compile old.c --kernel=gemm_nn --target=generic -o new.c $at
says "'gemm_nn' has 2 schedules"
chosen 1 64 64 0
chosen 65 64 64 1
expect 0 check old.c --kernel=gemm_nn --target=generic $at # --at: sizes of the check, not of its schedules
prints 'gemm_nn at M=512'
prints 'gemm_nn at M=1024'

# The multiplication by alpha is gone from the tile: no more multiplications than the value's.
"$SQUALL" compile old.c --kernel=gemm_nn --target=avx2 -o new.c 2>/dev/null || "$SQUALL" compile old.c --target=avx2 -o new.c
grep -q 'ALPHA \*' new.c || fail "nothing multiplies by ALPHA"
sed -n '/^SQ_[A-Z]* void squall_gemm_nn_1_v1_tile/,/^}/p' new.c >tile
[ -s tile ] || fail "no tile"
grep -q ALPHA tile && fail "a tile multiplies by ALPHA"

# Few uses, a band, exponentials that online() takes: as before.
cat >stay.sq <<'C'
#include "squall.h"
kernel matvec(int M, int K, f32 alpha, const f32 A[M][K], const f32 x[K], f32 y[M])
{
    idx i, k;
    y[i] = sum(alpha * A[i][k] * x[k], k);
}
kernel narrow_band(int N, const f32 w[N], const f32 X[N], f32 Y[N])
{
    idx i, k;
    range(k, max2(0, i - 2), min2(N, i + 3));
    Y[i] = sum((w[k] + 1) * X[i], k);
}
#pragma squall fp fast
kernel attention(int L, int D, const f32 Q[L][D], const f32 K[L][D], const f32 V[L][D], f32 O[L][D])
{
    f32 S[L][L], m[L], l[L];
    idx i, j, d;
    S[i][j] = sum(Q[i][d] * K[j][d], d);
    m[i] = rmax(S[i][j], j);
    l[i] = sum(expf(S[i][j] - m[i]), j);
    O[i][d] = sum(expf(S[i][j] - m[i]) * V[j][d], j) / l[i];
}
kernel three_columns(int M, int K, f32 alpha, const f32 A[M][K], const f32 B[K][3], f32 C[M][3])
{
    idx i, j, k;
    C[i][j] = sum(alpha * A[i][k] * B[k][j], k);
}
C
expect 0 show schedule stay.sq --target=avx2
grep -q hoist out && fail "hoisted: $(cat out)"

# What cannot be hoisted.
expect 2 compile stay.sq --kernel=matvec -o - -e 'hoist(S0)'
says "S0 has no operation on elements of other arrays that only some of its loops move"
expect 2 compile stay.sq --kernel=three_columns -o - -e 'hoist(S0, B)'
says "S0 has nothing of 'B' that only some of its loops move"
expect 2 compile stay.sq --kernel=three_columns -o - -e 'micro(i:2 | k) hoist(S0)'
says "write it before"
expect 2 compile stay.sq --kernel=three_columns -o - -e 'hoist(S7)'
says "S7"
cat >own.sq <<'C'
#include "squall.h"
kernel in_place(int N, inout f32 A[N][N])
{
    for (int i = 1; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = A[i][j] + 2 * A[i - 1][0];
}
C
expect 2 compile own.sq -o - -e 'hoist(S0)'
says "S0 has no operation on elements of other arrays"
cat >kept.sq <<'C'
#include "squall.h"
kernel kept(int T, int N, f32 alpha, inout f32 A[N][N], const f32 B[N][N], inout f32 C[N][N])
{
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                A[i][j] = A[i][j] + B[j][i];
        for (int i = 0; i < N; i++)
            for (int k = 0; k < N; k++)
                for (int j = 0; j < N; j++)
                    C[i][j] += alpha * A[i][k] * B[k][j];
    }
}
C
expect 2 compile kept.sq -o - -e 'hoist(S1)'
says "S1 shares C loops with other statements: write distribute(S1) before"
expect 2 compile kept.sq -o - -e 'distribute(S0 at t) hoist(S1)'
says "S1 shares the loops that distribute has kept with other statements"
