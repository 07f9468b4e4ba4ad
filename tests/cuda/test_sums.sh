#!/bin/sh
# Sums too few for a device's multiprocessors: taken in parts by blocks of their own, untuned, where they are long;
# right at sizes around a part, and of nothing. Short ones, many of them, and those of fp strict stay as they are.
. "$SQUALL_SOURCE/tests/cuda/lib.sh"
target=--target=cuda,arch=sm_80
cat >sums.sq <<'TEXT'
#include "squall.h"
kernel total(int N, const f32 X[N], f32 s[1])
{
    idx i;
    s[0] = sum(X[i], i);
}
kernel norm(int M, int N, const f64 X[M][N], f64 s[1])
{
    idx i, j;
    s[0] = sqrt(sum(X[i][j] * X[i][j], i, j));
}
kernel columns(int M, const f32 X[M][40], f32 s[40])
{
    idx i, j;
    s[j] = sum(X[i][j], i) / M;
}
kernel moments(int N, int H, int W, const f32 X[N][3][H][W], f32 mean[3], f32 var[3])
{
    idx n, c, y, x;
    mean[c] = sum(X[n][c][y][x], n, y, x) / (N * H * W);
    var[c] = sum((X[n][c][y][x] - mean[c]) * (X[n][c][y][x] - mean[c]), n, y, x) / (N * H * W);
}
kernel farthest(int N, const f32 X[N], f32 m[1], int32_t at[1])
{
    idx i;
    m[0] = rmax(X[i], i);
    at[0] = argmax(X[i], i);
}
kernel rows(int M, int N, const f32 X[M][N], f32 s[M])
{
    idx i, j;
    s[i] = sum(X[i][j], j);
}
#pragma squall fp strict
kernel strict(int N, const f32 X[N], f32 s[1])
{
    idx i;
    s[0] = sum(X[i], i);
}
TEXT
# untuned KERNEL [options]: its schedule, without a warning.
untuned() {
    kernel=$1
    shift
    "$SQUALL" show schedule sums.sq --kernel="$kernel" $target "$@" 2>err || complain "no schedule for $kernel"
    ! grep -v '^$' err || complain "a warning of $kernel"
}
untuned total >shown
grep -qx 'parts(S0, i:16384)' shown && grep -qx 'S0: hold(i_part) thread(i_part:1024)' shown || complain "total"
untuned total --at=N=1000000 >shown
grep -qx 'parts(S0, i:2048)' shown || complain "total of a million"
untuned norm --at=M=4096,N=4096 >shown
grep -qx 'parts(S0, i:[2-9][0-9]*)' shown && grep -q '^S0_parts: micro() hold(i) block(i_part) thread(j:' shown ||
    complain "rows of a norm together"
for kernel in norm columns moments farthest; do
    untuned $kernel >shown
    grep -q '^parts(S0, ' shown || complain "$kernel is not taken in parts"
done
untuned total --at=N=10000 >shown
! grep parts shown || complain "a short sum is taken in parts"
untuned rows >shown
! grep parts shown || complain "sums of many rows are taken in parts"
"$SQUALL" show schedule sums.sq --kernel=strict $target >shown 2>&1
! grep parts shown || complain "the order of fp strict is given up"

if ! { [ -d "${SQUALL_SIMT:-$SQUALL_BUILD/simt}" ] && command -v g++ >/dev/null; }; then
    echo "skipped: running the texts (no g++, or the headers are not built)"
    exit $bad
fi
# checked KERNEL SIZES...: right there.
checked() {
    kernel=$1
    shift
    for at; do set -- "$@" "--at=$at"; shift; done
    "$SQUALL" check sums.sq --kernel="$kernel" --progress=never $target "$@" >log 2>&1 ||
        { tail -5 log; complain "$kernel computes wrongly"; return; }
    grep -q '; 0 findings' log || complain "$kernel has findings"
}
checked total N=0 N=1 N=16384 N=16385 N=100003
checked norm M=1,N=1 M=3,N=129 M=33,N=7
checked columns M=1 M=16383 M=32771
checked moments N=1,H=1,W=1 N=3,H=5,W=33
checked farthest N=1 N=32769
exit $bad
