#!/bin/sh
# .sched files: picked up beside the source for their class, foreign ones used once legal and said
# so once, broken ones refused with a place.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
gemm >gemm.sq
zero=00000000000000000000000000000000

# entry 'SIZES' 'SCRIPT': a file of class avx2 with one entry.
sched() {
    printf 'squall-sched 1\nclass avx2\n\nhash %s source %s\nkernel gemm at %s {\n    %s\n}\n' \
        $zero $zero "$1" "$2"
}

# Beside the source, only for its class; foreign because the hashes are made up.
sched '*' 'tile(i:8)' >gemm.avx2.sched
expect 0 compile gemm.sq --target=avx2 -o - -v
prints "tile(i:8)"
says "gemm.avx2.sched:5:8: warning: made for another version of 'gemm'; used"
says "    5 | kernel gemm at * {"
says "schedule: tuned, gemm.avx2.sched"
[ "$(grep -c 'another version' err)" = 1 ] || fail "said more than once"
expect 0 compile gemm.sq -o - --target=avx2 -q
silent
expect 0 compile gemm.sq -o - --target=c
says "gemm.avx2.sched: warning: tuned for target avx2, and this is compiled for target generic: not used"
says 'compile with --target=avx2, or tune with `squall tune --target=generic`'
expect 0 compile gemm.sq -o - --target=neon,openmp
says "compiled for target neon: not used"
says "--target=neon,openmp"
grep -q 'tile(i:8)' out && fail "a schedule of class avx2 used for the portable target"
# One description may be built for processors and for devices: nothing to say; two devices differ.
expect 0 compile gemm.sq -o - --target=cuda
silent
sed 's/class avx2/class sm_90/' gemm.avx2.sched >gemm.sm_90.sched
expect 0 compile gemm.sq -o - --target=avx512
grep -q 'sm_90' err && fail "a processor is told of a device's schedule"
expect 0 compile gemm.sq -o - --target=cuda,arch=sm_80
says "gemm.sm_90.sched: warning: tuned for target cuda,arch=sm_90, and this is compiled for target cuda,arch=sm_80"
rm gemm.sm_90.sched
expect 0 compile gemm.sq -o g.c --target=avx2 --require-tuned -MD
grep -q 'gemm.avx2.sched' g.d || fail "the .sched that was read is not in the depfile"

# -e is stronger; --schedule takes the same form.
expect 0 compile gemm.sq --target=avx2 -e 'order(j, i, k)' -o -
grep -q 'tile(i:8)' out && fail "-e did not replace the tuned schedule"
mv gemm.avx2.sched other.sched
expect 0 compile gemm.sq --target=avx2 --schedule=other.sched -o -
prints "tile(i:8)"

expect 1 compile gemm.sq -e 'S0.tile(i:8)' -o none.c
says "there is no transform 'S0'"
says "help: a statement stands before its calls with a colon, once: S0: tile(i:8)"

# What stands behind a null character is not ignored.
printf 'tile(i:8)\n  \000tile(j:8)' >nul.sched
expect 1 compile gemm.sq --target=avx2 --schedule=nul.sched -o none.c
says "nul.sched:2:3: error: a null character: schedules are text"
absent none.c

# The class in the file counts, whatever the file is called.
expect 2 compile gemm.sq --schedule=other.sched -o none.c
says "holds schedules for class avx2, and generic was asked for"
absent none.c
cp other.sched gemm.neon.sched
expect 0 compile gemm.sq --target=neon -o -
says "gemm.neon.sched: warning: holds schedules for class avx2"
grep -q 'tile(i:8)' out && fail "a schedule of class avx2 used for neon"
rm gemm.neon.sched

# Foreign and no longer legal: the default instead, with the reason; given by hand: refused.
sched '*' 'parallel(k)' >gemm.avx2.sched
expect 0 compile gemm.sq --target=avx2 -o -
says "not legal for this one"
expect 2 compile gemm.sq --target=avx2 -o none.c --require-tuned
absent none.c
expect 2 compile gemm.sq --target=avx2 --schedule=gemm.avx2.sched -o none.c
absent none.c

# Broken: cut off anywhere after the first word, an error with a place, nothing written.
sched '*' 'tile(i:8)' >whole
size=$(wc -c <whole)
for n in 5 12 20 40 90 110 $((size - 2)); do
    head -c "$n" whole >gemm.avx2.sched
    rc=0
    "$SQUALL" compile gemm.sq --target=avx2 -o none.c 2>err || rc=$?
    [ $rc = 1 ] || [ $rc = 0 ] || fail "cut after $n bytes: exit $rc"
    [ $rc = 0 ] || says "gemm.avx2.sched:"
    [ $rc = 0 ] || absent none.c
    rm -f none.c
done
head -c $((size - 2)) whole >gemm.avx2.sched
expect 1 compile gemm.sq --target=avx2 -o none.c
echo 'no schedule at all' >gemm.avx2.sched
expect 1 compile gemm.sq --target=avx2 -o none.c
absent none.c
printf 'squall-sched 99\nclass avx2\n' >gemm.avx2.sched
expect 63 compile gemm.sq --target=avx2 -o none.c
absent none.c

# Tuned, but for sizes that were not asked for: said, not passed over.
sched 'M=8,N=8,K=8' 'tile(i:8)' >gemm.avx2.sched
expect 0 compile gemm.sq --target=avx2 --fix=M=9,N=9,K=9 -o -
says "'gemm' was tuned for other sizes: not used"
# Another cause is not blamed on sizes: a description that was changed, constants that are parameters.
expect 0 compile gemm.sq --target=avx2 -o -
says "'gemm' was tuned before its description was changed, or for constant sizes: not used"
says "if it was tuned with --fix=M=8,N=8,K=8, give that here, too"

# Tuned at several sizes that stay parameters: one function with a schedule for each, which is said; --at chooses.
cat >pair.sq <<'K'
#include "squall.h"
kernel pair(int M, int N, f32 A[M][N]) { idx i, j; A[i][j] = A[i][j] * 2; }
K
hash=$("$SQUALL" tune pair.sq --target=generic --at=M=4,N=4 --trials=1 --store=none -q &&
    sed -n 's/^hash \([0-9a-f]*\).*/\1/p' pair.generic.sched)
two() {
    printf 'squall-sched 1\nclass avx2\n'
    printf '\nhash %s source %s\nkernel pair at M=4,N=8 {\n tile(i:4)\n}\n' $hash $zero
    printf '\nhash %s source %s\nkernel pair at M=64,N=8 {\n tile(i:64)\n}\n' $hash $zero
}
two >pair.avx2.sched
expect 0 compile pair.sq --target=avx2 -o -
prints "pair at M=4,N=8: tile(i:4)"
prints "pair at M=64,N=8: tile(i:64)"
says "'pair' has 2 schedules, at M=4,N=8, at M=64,N=8: a call takes the nearest"
expect 0 compile pair.sq --target=avx2 -o - --at=M=64
silent
prints "tile(i:64)"
expect 0 compile pair.sq --target=avx2 -o - --fix=M=64,N=8
grep -q 'vectors of sizes' err && fail "there is one for these very sizes"
prints "tile(i:64)"
expect 2 compile pair.sq --target=avx2 -o - --at=M=5
says "pair.avx2.sched has no schedule of 'pair' for these sizes"
says "the first one there is for M=4,N=8"
# The same where the model chose for another target before.
rm pair.generic.sched
for at in M=5,N=5 M=64,N=8; do
    [ $at = M=64,N=8 ] && code=0 || code=2
    expect $code compile pair.sq --targets=generic,avx2,avx512 -o sections.c --at=$at
    grep -q 'constant sizes' err && fail "it was tuned for parameters"
done
grep -q 'tile(i:64)' sections.c || fail "--at for several targets does not take the entry"

# Of several kernels, a vector with sizes that one has not is for others, where another one has all of its and no more.
{ cat pair.sq && echo 'kernel row(int N, f32 x[N]) { idx i; x[i] = x[i] * 2; }'; } >two.sq
hash=$("$SQUALL" tune two.sq --kernel=row --target=generic --at=N=4 --trials=1 --store=none -q &&
    sed -n 's/^hash \([0-9a-f]*\).*/\1/p' two.generic.sched)
{ cat pair.avx2.sched &&
    printf '\nhash %s source %s\nkernel row at N=32 {\n tile(i:8)\n}\n' "$hash" $zero; } >two.avx2.sched
expect 0 compile two.sq --target=avx2 -o - --at=M=64,N=8 --at=N=32
expect 0 compile two.sq --target=avx2 -o - --at=N=32 --at=M=64,N=8
prints "pair: tile(i:64)"
prints "row: tile(i:8)"
expect 2 compile two.sq --target=avx2 -o - --at=M=64,N=9 --at=N=32
says "1:42: error: two.avx2.sched has no schedule of 'pair'"
expect 2 compile two.sq --target=avx2 -o - --at=M=64,N=8
says "1:42: error: two.avx2.sched has no schedule of 'row'"
says "--at=M=64,N=8 has all sizes of 'row'; another --at with these and no others is for it instead"
expect 0 bench two.sq --target=generic --budget=200ms --at=M=64,N=8 --at=N=32
grep -q '^row N=32' out && ! grep -q '^row N=8' out || fail "bench: what is for pair is measured of row"

# Tuned for one thread, compiled for several: the threads would have nothing to do.
sched '*' 'tile(i:8)' >gemm.avx2.sched
expect 0 compile gemm.sq --target=avx2,openmp -o -
says "tuned for target avx2, and this is compiled for target avx2,openmp: no loop of it is parallel"
expect 0 compile gemm.sq --target=avx2,tasks -o tasks.c --header=tasks.h
says "tuned for target avx2, and this is compiled for target avx2,tasks: no loop of it is parallel"
sched '*' 'tile(i:8) parallel(i0)' >gemm.avx2.sched
expect 0 compile gemm.sq --target=avx2,openmp -o -
grep -q 'no loop' err && fail "a parallel schedule taken for a serial one"
true

# Without a tuned schedule --at says for which sizes the model chooses, as a line in the description does, and the
# head of the file says that it did.
mkdir at && cd at
cat >rows.sq <<'K'
#include "squall.h"
kernel rows(int M, int N, int K, const f32 A[M][K], const f32 B[K][N], f32 C[M][N])
{
    idx i, j, k;
    C[i][j] = sum(A[i][k] * B[k][j], k);
}
K
sed '2i #pragma squall tune M=1 N=1024 K=1024' rows.sq >line.sq
expect 0 compile rows.sq --target=avx2 -o large.c
expect 0 compile rows.sq --target=avx2 -o rows.c --at=M=1,N=1024,K=1024
expect 0 compile line.sq --target=avx2 -o line.c
grep -q -e ' --at=M=1,N=1024,K=1024 ' rows.c || fail "the command lacks --at"
for name in large rows line; do
    grep -A1 'Schedule.*:$' $name.c >$name.schedule
done
cmp -s rows.schedule line.schedule || fail "--at is not what the line is"
cmp -s rows.schedule large.schedule && fail "--at changes nothing"
expect 0 compile rows.sq --target=avx2 -o rows.c --at=M=1,N=1024,K=1024 --check
expect 64 compile rows.sq --target=avx2 -o rows.c --at=M=1
says "--at names not all sizes of 'rows'"
expect 64 compile rows.sq --target=avx2 -o rows.c --at=M=1 --at=M=1,N=1024,K=1024
says "write --at=M=...,N=...,K=..."
cd ..

# When and on what, as the file says it and not as it is now: whoever compiles it gets the same bytes, and nothing of it
# ends the comment. Lines that are the same stand once; a file without one, as above, is as good.
mkdir where && cd where
cp "$SQUALL_SOURCE/samples/gemm.sq" .
{
    sched M=8,N=8,K=8 '# tuned: 2020-02-30, Some */ processor, cc 1
    tile(i:8)'
    sched M=9,N=9,K=9 '# tuned: 2020-02-30, Some */ processor, cc 1
    tile(i:16)' | tail -n +3
    sched M=7,N=9,K=9 '# tuned: 2021-01-01, another one
    tile(i:32)' | tail -n +3
    sched M=7,N=7,K=7 'tile(i:4)' | tail -n +3
} >gemm.avx2.sched
hash=$(sed -n 's/^hash \([0-9a-f]*\) .*/\1/p' "$SQUALL_SOURCE/samples/tuned/gemm.avx2.sched" | head -n 1)
sed -i "s/^hash 0*/hash $hash/" gemm.avx2.sched
expect 0 compile gemm.sq --target=avx2 -o g.c --header=g.h
for file in g.c g.h; do
    sed -n '/^ [*] Schedule, tuned (gemm.avx2.sched):$/,/ gemm at /p' $file | sed '1d; $d' >lines
    printf ' *   # tuned: %s\n' '2020-02-30, Some *_ processor, cc 1' '2021-01-01, another one' | same - lines
done
expect 0 compile gemm.sq --target=avx2 -o g.c --header=g.h --check
cd ..
