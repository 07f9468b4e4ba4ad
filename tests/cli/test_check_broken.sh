#!/bin/sh
# squall check of text that was given and whose guards ask for less than the text was made for: a multiple of 4 where one
# of 8 is meant, say. What breaks an assumption has text of its own, and is run near what breaks none.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

block='tile(k:256, j:256, i:48) order(k0, j0, i0, j, i) pack(B at j0 as j16) micro(i:6, j:16 | k) vectorize(j:8)
    unroll(k:4)'

# wrong EDIT SIZES: block.c, as squall writes it, is right, and wrong there after the edit.
wrong() { mutant block.c "$1" "[.]c: block $2"; }

cat >block.sq <<'Q'
#include "squall.h"
kernel block(int M, int N, int K, const f32 A[M][K], const f32 B[K][N], f32 C[M][N])
{
    idx i, j, k;
    assume(M % 6 == 0 && N % 32 == 0 && K >= 3);
    C[i][j] += sum(A[i][k] * B[k][j], k);
}
Q

# Leading dimensions of BLAS, and sizes of at least 1: where the least is broken there are no products, and the slow
# text has no loop for any. Others break more: it computes products for those.
cat >blas.sq <<'Q'
#include "squall.h"
kernel sgemm(int M, int N, int K, int lda, int ldb, int ldc, f32 alpha, f32 beta, const f32 A[M][lda],
             const f32 B[K][ldb], f32 C[M][ldc])
{
    idx i, j, k;
    assume(lda >= K && ldb >= N && ldc >= N && K >= 1 && M >= 1);
    range(j, 0, N);
    range(k, 0, K);
    C[i][j] = beta * C[i][j] + alpha * sum(A[i][k] * B[k][j], k);
}
kernel sgemv(int M, int N, int lda, const f32 A[M][lda], const f32 x[N], f32 y[M])
{
    idx i, j;
    assume(lda >= N && M >= 1 && N >= 1 && N % 2 == 0);
    range(j, 0, N);
    y[i] += sum(A[i][j] * x[j], j);
}
Q
expect 0 check blas.sq --target=generic
grep -q ' 0 never ran' out || fail "sgemm: text that never ran"
expect 0 compile blas.sq --kernel=sgemm -o blas.c --target=generic
grep -q 'sgemm_fallback_nest(.*)$' blas.c || fail "sgemm: no text for other sizes"
! grep -q 'sgemm_fallback_tile' blas.c || fail "sgemm: products where there are none"
expect 0 compile blas.sq --kernel=sgemv -o blas.c --target=generic
grep -q 'sgemv_fallback_tile' blas.c || fail "sgemv: no products at an odd N"
grep -q ' return M >= 0 && N >= 0 && lda >= N;' blas.c || fail "sgemv: sizes of the slow text"

expect 0 compile block.sq -o block.c --target=avx2 -e "$block"
if ! grep -qw avx2 /proc/cpuinfo; then
    echo "what is written for AVX2 cannot run on this processor"
    exit 77
fi
expect 0 check block.sq --target=avx2 -e "$block" --text=block.c
wrong 's/M % 6 == 0 \&\&/M % 2 == 0 \&\&/' 'M='
wrong 's/M % 6 == 0 \&\&/M % 3 == 0 \&\&/' 'M='
wrong 's/N % 32 == 0;/N % 16 == 0;/' 'M=6,N=16,'
wrong 's/N % 32 == 0;/N % 16 == 0 \&\& N >= 32;/' 'M='
wrong 's/ \&\& N % 32 == 0;/;/' 'M=6,N=33,'
# Around a tile only sizes that the assumption allows are run: the next one on each side.
wrong 's/i0 + 42 >= M/i0 + 40 >= M/' 'M='
# A size below 0 is a multiple, too.
wrong 's/return M >= 0 \&\& N >= 0/return M >= 0/' 'M=.*does not refuse'
found block.sq --target=avx2 -e "$block"
