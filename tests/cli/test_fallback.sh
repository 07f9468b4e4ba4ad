#!/bin/sh
# What the model would have and no text can be made of gives way to its next choice, the same one in
# all commands, and is told: here copies of arrays that are read backwards. A script that somebody
# gave stays an error.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

cat >back.sq <<'K'
#include "squall.h"
kernel turned(int M, int N, int K, const f32 X[K][N], const f32 A[M][K], f32 Y[M][N])
{
    idx i, j, k;
    Y[i][j] = sum(A[i][k] * X[k][N - 1 - j], k);
}

kernel filter(int F, int C, int N, const f32 X[C][N], const f32 W[F][C][9], f32 Y[F][N])
{
    idx f, c, y, r;
    Y[f][y] = sum(pad(X[c][y - r], 0) * W[f][c][r], c, r);
}
K
cat >back.c <<'K'
void turned(int M, int N, int K, float X[restrict K][N], float A[restrict M][K], float Y[restrict M][N])
{
#pragma scop
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            Y[i][j] = 0;
            for (int k = 0; k < K; k++)
                Y[i][j] += A[i][k] * X[k][N - 1 - j];
        }
#pragma endscop
}
K

passed_over() {
    says "'turned': the first choice of the model cannot be emitted: cannot pack 'X': 'X' is read backwards along 'j', whose size is no known multiple of its tile; its next one is taken: "
    ! grep -q "error\|warning" err || fail "more than a note"
}

expect 0 compile back.sq --kernel=turned --target=generic -o - --emit=sched
passed_over
cp out choice
grep -q "micro(i:" choice || fail "the next choice has no register tile"
! grep -q "pack(X" choice || fail "a copy of X"
# Taps of which a copy has all are no reason, and some of them are.
expect 0 compile back.sq --kernel=filter --target=avx2 -o filter.c
silent
grep -q 'filter: .*pack(X at .*micro(.*r:9' filter.c || fail "no copy of X: $(grep 'filter: ' filter.c)"
expect 2 compile back.sq --kernel=filter --target=avx2 -o none.c \
    -e 'tile(c:16, y:64, r:4) order(r0, c0, y0, f, y) pack(X at y0) micro(y:8 | c)'
says "cannot pack 'X': 'X' is read backwards along 'r', whose size is no known multiple of its tile"

expect 0 check back.sq --target=generic --fix=F=5,C=3 --quick
passed_over
prints "turned: accesses in bounds, schedule legal, "
prints "filter: accesses in bounds, schedule legal, "
expect 0 bench back.sq --kernel=turned --target=generic --at=M=20,N=20,K=20 --budget=10ms
passed_over
prints "untuned"
expect 0 tune back.sq --kernel=turned --target=generic --at=M=20,N=20,K=20 --trials=2 --store=none
says "'turned': the first choice of the model cannot be emitted: cannot pack 'X'"
says "2 trials"
rm back.generic.sched
expect 0 explain back.sq --kernel=turned --target=generic
passed_over
prints "compiled for generic: vectors of 4"
expect 0 show schedule back.sq --kernel=turned --target=generic
passed_over
grep -qF "$(sed 's/ *$//;1q' choice)" out || fail "another schedule is shown"

# Regions of C.
expect 0 compile back.c --target=generic -o region.c
passed_over
grep -q "Register tile" region.c || fail "no register tile in the region"
expect 0 check back.c --target=generic --quick
passed_over
expect 0 bench back.c --target=generic --at=M=20,N=20,K=20 --budget=10ms
passed_over

# What a person wrote is not exchanged.
for command in compile check bench explain; do
    where= && [ $command = compile ] && where="-o none.c"
    [ $command = bench ] && where="--at=M=20,N=20,K=20"
    expect 2 $command back.sq --kernel=turned --target=generic $where \
        -e 'tile(j:16, k:16) order(k0, j0, i, j) pack(X at j0) micro(i:2, j:8 | k)'
    says "cannot pack 'X': 'X' is read backwards along 'j'"
done
absent none.c
# Statements that may share rows one after the other, and not among threads, do not keep the model from a choice.
cat >centred.sq <<'K'
#include "squall.h"
kernel centred(int N, int M, const f64 X[N][M], f64 C[M][M])
{
    idx i, j, k;
    f64 mean[M], Z[N][M];
    mean[j] = sum(X[k][j], k) / N;
    Z[k][j] = X[k][j] - mean[j];
    range(j, i, M);
    C[i][j] = sum(Z[k][i] * Z[k][j], k);
}
K
for target in generic avx2 avx512; do
    for threads in "" ,openmp; do
        expect 0 compile centred.sq --target=$target$threads -o centred.c
        silent
    done
done
grep -q 'parallel(' centred.c || fail "no threads"
