#!/bin/sh
# Reductions that threads share, of what has no vectors: positions (argmax, argmin), choices, indices as
# values. A block computes a row of them and finds the first of equals; a wrong text is noticed.
. "$SQUALL_SOURCE/tests/cuda/lib.sh"
cp "$SQUALL_SOURCE"/samples/row_argmax.sq .
cat >positions.sq <<'END'
#include "squall.h"
kernel positions(int M, int N, const uint8_t X[M][N], const f16 H[M][N], int32_t p[M], int32_t q[M], f32 w[M], int32_t c[M])
{
    idx i, j;
    p[i] = argmax(X[i][j], j);
    q[i] = argmin((f32)H[i][j], j);
    w[i] = sum((f32)H[i][j] > 0.5f ? (f32)(j - 2 * i) : 0.0f, j);
    c[i] = sum(X[i][j] > 3 && X[i][j] < 90 ? 1 : 0, j);
}
END
cat >triangle.sq <<'END'
#include "squall.h"
kernel triangle(int N, const uint8_t X[N][N], int32_t p[N])
{
    idx i, j;
    range(j, 0, i + 1);
    p[i] = argmax(X[i][j], j);
}
END
for run in row_argmax:2 positions:6 triangle:2; do
    "$SQUALL" show schedule ${run%:*}.sq --target=cuda >log || complain "${run%:*} is refused"
    [ "$(grep -c 'thread(j:[1-9][0-9]*)' log)" = ${run#*:} ] || complain "${run%:*} untuned: a thread has a row"
done
# Indices have no name inside of a tile of them.
"$SQUALL" compile positions.sq --target=cuda -o x.cu -e 'S1: tile(j:64) micro(| j) order(i, j0) hold(j0) block(i) thread(j0:32)' >log 2>&1 &&
    complain "an index without a name"
grep -q 'S1: hold needs a register tile' log || complain "not what was to be refused"

if ! { [ -d "${SQUALL_SIMT:-$SQUALL_BUILD/simt}" ] && command -v g++ >/dev/null; }; then
    echo "skipped: running the texts (no g++, or the headers are not built)"
    exit $bad
fi
checked() {
    "$SQUALL" check "$@" --progress=never --target=cuda,arch=sm_80 >log 2>&1 || complain "$1 computes wrongly"
    grep -q '; 0 findings' log || complain "$1 has findings"
}
checked row_argmax.sq --at=M=1,N=0 --at=M=3,N=1 --at=M=5,N=127 --at=M=2,N=1030 --at=M=1,N=65603
checked positions.sq --at=M=1,N=0 --at=M=3,N=1 --at=M=5,N=127 --at=M=2,N=1030
checked triangle.sq --at=N=1 --at=N=37 --at=N=300
# Several rows in registers, a sum in pieces.
checked positions.sq --at=M=5,N=127 --at=M=2,N=1030 -e 'S4: micro() tile(i:2) order(i0, i, j) micro(i:2) hold(j) block(i0) thread(j:64)'
checked positions.sq --at=M=5 --fix=N=256 -e 'S3: micro() tile(j:64) order(i, j0, j) hold(j0) block(i) thread(j:64)'

# The last of equals; the next one.
"$SQUALL" compile positions.sq --target=cuda,arch=sm_80 -o good.cu
fault() {
    sed "$2" good.cu >bad.cu
    cmp -s good.cu bad.cu && complain "$1: nothing to spoil"
    "$SQUALL" check bad.cu --target=cuda,arch=sm_80 -DSQUALL_SELFTEST -DSQUALL_SIZE_M=3 -DSQUALL_SIZE_N=1000 \
        >log 2>&1 && complain "$1 was not found"
    :
}
fault "the last of equals" 's/positions_min_i64(c0_0, other)/(other != INT64_MAX \&\& (c0_0 == INT64_MAX || other > c0_0) ? other : c0_0)/'
fault "the next one" 's/= (int64_t)j\([,;]\)/= (int64_t)(j + 1)\1/'
exit $bad
