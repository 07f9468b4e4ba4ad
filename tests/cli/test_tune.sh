#!/bin/sh
# squall tune, bench, check: what they write, print and refuse.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
gemm >gemm.sq
own_folders
at='--fix=M=48,N=48,K=48'

# A few trials: the .sched, the store, the log; nothing on standard output, nothing left behind.
expect 0 tune gemm.sq $at --trials=6 --log=log.jsonl
[ ! -s out ] || fail "tune printed on standard output"
says "gemm M=48,N=48,K=48: "
says "6 trials in"
sched=$(ls gemm.*.sched)
grep -q '^kernel gemm at M=48,N=48,K=48 {$' "$sched" || fail "no entry in $sched"
where=$(grep -xE "    # tuned: $(date -u +%Y)-[0-9]{2}-[0-9]{2}, [^,]+.*, 1 thread, .*[0-9]+[.][0-9]+.*" "$sched") ||
    { cat "$sched"; fail "when, on what and with which compiler is not in the file"; }
expect 0 compile gemm.sq $at --machine=host -o where.c --header=where.h
for file in where.c where.h; do
    grep -A1 '^ [*] Schedule, tuned ' $file | grep -qxF " *   ${where#    }" || { head $file; fail "$file lacks: $where"; }
done
[ -s state/squall/samples.db ] || fail "no store"
[ "$(head -1 log.jsonl)" = '{"squall-log":1}' ] || fail "no version in the log"
[ "$(grep -c '"ev":"sample"' log.jsonl)" -ge 6 ] || fail "trials missing in the log"
[ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"
for member in '"search":"default"' '"seed":1,' '"machine":"' '"target":"' '"class":"' '"point":'; do
    [ "$(grep '"ev":"sample"' log.jsonl | grep -cF -- "$member")" = "$(grep -c '"ev":"sample"' log.jsonl)" ] ||
        fail "the log does not say $member of every trial"
done

# A seed and a number of trials: the same points. The log has them as they are settled, and one that comes close to the
# best is measured again, and settled behind the next.
for run in 1 2; do
    rm -f tmp/*.sched # the schedule that it had would be a trial
    expect 0 tune gemm.sq $at --trials=10 --search=random --seed=5 --store=none --out-dir=tmp --log=seed.$run
    grep -o '"point":[^]]*' seed.$run | sort >points.$run
done
same points.1 points.2
[ "$(sort -u points.1 | wc -l)" = 10 ] || fail "not ten points"
rm tmp/*.sched

# Another size joins it; the first stays; compile and bench take it.
expect 0 tune gemm.sq --fix=M=33,N=31,K=7 --trials=3 -q
silent
[ "$(grep -c '^kernel gemm at ' "$sched")" = 2 ] || fail "an entry was lost"
expect 0 compile gemm.sq $at --machine=host -o g.c -v
says "schedule: tuned, $sched"
expect 0 bench gemm.sq $at
prints "GFLOP/s"
grep -q '^  tuned ' out || fail "bench did not take the tuned one"
grep -q '^  untuned ' out || fail "bench left out the untuned one"
grep -q '^  plain loops, -O3 ' out || fail "bench left out plain loops"
prints "time over the first's (95 % interval)"
# Candidates leave the memory of a call to a file that is compiled once, and which says what compile writes.
cat >keepcc <<'EOF'
#!/bin/sh
for word; do case $word in *.c) cat "$word" >"$KEPT/${word##*/}" ;; esac; done
exec cc "$@"
EOF
chmod +x keepcc
mkdir kept
cp "$SQUALL_SOURCE/samples/gemm.sq" packs.sq
KEPT=$PWD/kept
export KEPT
expect 0 tune packs.sq --fix=M=64,N=512,K=256 --trials=4 --store=none --out-dir=tmp --cc="$PWD/keepcc"
grep -l 'squall_candidate_take(' kept/c*.c >/dev/null || fail "no candidate takes memory"
if grep -lE 'calloc|perror|#include <(stdio|stdlib|string)' kept/c*.c; then fail "a candidate has what is linked with it"; fi
expect 0 compile packs.sq --fix=M=64,N=512,K=256 --machine=host --script='tile(i:6, j:16) pack(B at top as j16) micro(i:6, j:16 | k) vectorize(j:8)' -o packs.c
memory_of() { # all but the beginning of K_give and the largest it keeps, which it is told there and the file knows here
    sed -E 's/squall_candidate|gemm/K/g; s/^static (struct K_block \*K_take)/\1/; s/(bytes <=) (most|[0-9]+);/\1;/; /K_give\(|size_t most =|^\{$|^#|^$/d' "$1" |
        sed -n '/^\/\* Blocks of memory/,/^        free(__atomic_exchange_n/p'
}
memory_of packs.c >memory.1
memory_of kept/linked.c >memory.2
grep -q 'K_kept.*ACQUIRE' memory.1 || fail "packs.c keeps no memory"
same memory.1 memory.2

# A size of 0: what shrinks from call to call does not end in numbers that take ten times as long; where
# nothing is computed there is nothing to measure.
cp "$SQUALL_SOURCE/samples/gemm.sq" scaled.sq
for k in 0 64; do
    expect 0 bench scaled.sq --fix=M=64,N=64,K=$k --budget=0.2s --json
    sed -n 's/^ *"seconds": \([0-9.e-]*\),*/\1/p' out | head -1 >seconds.$k
done
awk -v none="$(cat seconds.0)" -v some="$(cat seconds.64)" 'BEGIN { exit !(none < some) }' ||
    fail "no products take $(cat seconds.0) s, 64 of each element $(cat seconds.64) s"
for command in bench "tune --store=none --out-dir=tmp"; do
    expect 2 $command scaled.sq --fix=M=0,N=64,K=64 --budget=1s
    says "gemm M=0,N=64,K=64: the kernel writes nothing at these sizes: there is nothing to measure"
done
expect 0 bench gemm.sq $at --json
prints '"schedule": "plain loops, -O3"'

# Per cent of the peak of the target's vectors, not of the host's; of the bandwidth where bytes take
# longer, which are those of memory beyond all caches and of a cache below.
peak() { sed -n 's/.* peak \([0-9.]*\) GFLOP.*/\1/p' out; }
expect 0 bench gemm.sq --fix=M=64,N=64,K=64
own=$(peak)
expect 0 bench gemm.sq --fix=M=64,N=64,K=64 --target=generic
case $sched in # some processors do 32 bytes in two halves: there narrow vectors are as fast
*avx512*) most=0.7 ;;
*) most=1.1 ;;
esac
case $sched in
*avx*) awk -v own="$own" -v generic="$(peak)" -v most=$most 'BEGIN { exit !(generic < most * own) }' ||
    fail "a target of narrow vectors is said to be of $(peak) GFLOP/s, the host of $own" ;;
esac
cat >copy.sq <<'K'
#include "squall.h"
kernel copy(int N, const f32 A[N], f32 B[N]) { idx i; B[i] = A[i] * 2; }
K
expect 0 bench copy.sq --fix=N=1000
prints " of L1"
expect 0 show machine
l3=$(sed -n 's/^caches.* L3 \([0-9]*\) KiB.*/\1/p' out) # the whole processor's on some virtual machines
roof=memory
[ $((${l3:-0} * 1024)) -lt 320000000 ] || roof=L3
expect 0 bench copy.sq --fix=N=40000000
prints "bound by $roof at "
expect 0 bench copy.sq --fix=N=40000000 --json
prints "\"roof\": \"$roof\""
prints '"of_roof": '
prints '"gbytes_per_second": '
expect 0 tune copy.sq --fix=N=40000000 --trials=1 --store=none --out-dir=tmp
says " % of $roof bandwidth)"
rm tmp/*.sched copy.sq

# Plain loops are what a person would write, with the C library's functions.
cp "$SQUALL_SOURCE/samples/softmax.sq" .
expect 0 bench softmax.sq --fix=M=9,N=33
grep -q '^  plain loops, -O3 ' out || fail "no figure of plain loops"

# What compile takes untuned comes first, whatever the budget is.
expect 0 tune gemm.sq $at --budget=1ms --store=none --out-dir="$scratch/tmp"
says "the untuned schedule; 1 trial in"
cp gemm.sq plain.sq
expect 0 compile plain.sq $at --machine=host --emit=sched -o untuned.script
expect 0 compile plain.sq $at --machine=host --schedule="tmp/$sched" --emit=sched -o tuned.script
same untuned.script tuned.script
rm tmp/*.sched

# It is that for the sizes of --at, of which it may be another one than for the usual ones.
expect 0 tune gemm.sq --at=M=4,N=4,K=4 --trials=1 --store=none --out-dir="$scratch/tmp"
expect 0 compile plain.sq --at=M=4,N=4,K=4 --machine=host --emit=sched -o small.script
expect 0 compile plain.sq --machine=host --emit=sched -o usual.script
cmp -s small.script usual.script && fail "one schedule for all sizes: the test shows nothing"
expect 0 compile plain.sq --machine=host --schedule="tmp/$sched" --emit=sched -o tuned.script
same small.script tuned.script
rm tmp/*.sched

# Against a much faster one: exit 2; against a slower one: 0.
expect 0 compile gemm.sq --fix=M=192,N=192,K=192 --machine=host --emit=sched -o fast.script
expect 2 bench gemm.sq --fix=M=192,N=192,K=192 -e 'order(i, j, k)' --against=fast.script
says "slower than fast.script"
echo 'order(i, j, k)' >slow.script
expect 0 bench gemm.sq --fix=M=192,N=192,K=192 --against=slow.script

# --resume counts what is there; --seed and --search are taken.
expect 0 tune gemm.sq $at --trials=6 --resume
says "6 trials in"
expect 0 tune gemm.sq $at --trials=3 --search=random --seed=5 --store=none --out-dir="$scratch/tmp"
[ -e "tmp/$sched" ] || fail "--out-dir was not heeded"
rm tmp/*.sched

# The store and the .sched know a kernel again whose domains were asked about meanwhile: a triangle's.
cp "$SQUALL_SOURCE/samples/attention.sq" .
small=--fix=H=1,L=24,D=8
expect 0 tune attention.sq $small --trials=1
expect 0 show best attention.sq $small
prints "attention at H=1,L=24,D=8"
expect 0 tune attention.sq $small --trials=2 --resume
expect 0 bench attention.sq $small
grep -q '^  tuned ' out || fail "bench did not take the tuned one of attention"

# check: symbolic sizes, and given ones.
expect 0 check gemm.sq
prints "gemm: accesses in bounds, schedule legal, "
expect 0 check gemm.sq --fix=M=7,N=129,K=33 --target=generic --json
prints '"sizes": 1'

# A budget that the naive nest alone uses up: the message says so, and what would do.
expect 3 tune gemm.sq --fix=M=3072,N=3072,K=3072 --budget=100ms --store=none --out-dir="$scratch/tmp"
says "the naive nest, whose result each is compared with"
says "give --budget="
# Of three kernels each has a third: what is advised is enough for all, and more than was given.
cp gemm.sq three.sq
sed -n 's/gemm/gemm2/; 2,$p' gemm.sq >>three.sq
sed -n 's/gemm/gemm3/; 2,$p' gemm.sq >>three.sq
expect 3 tune three.sq --fix=M=3072,N=3072,K=3072 --budget=300ms --store=none --out-dir="$scratch/tmp"
advice=$(sed -n 's/.*give --budget=\([0-9]*\)s.*/\1/p' err)
[ "$advice" -ge 200 ] || fail "advises $advice s for three kernels that take a minute each"
expect 0 tune gemm.sq --fix=M=8,N=8,K=8 --budget=100ms --store=none --out-dir="$scratch/tmp"
rm tmp/*.sched

# The budget is for all that the run does: what the model takes to choose the untuned schedule counts.
cp "$SQUALL_SOURCE/samples/attention.sq" .
from=$(date +%s%N)
expect 0 tune attention.sq --at=H=2,L=64,D=64 --budget=60s --trials=1 --store=none --json --out-dir="$scratch/tmp"
json "j['t'] > 0.7e-9 * ($(date +%s%N) - $from)"
expect 0 tune gemm.sq --fix=M=8,N=8,K=8 --budget=9s --trials=1 --store=none --out-dir="$scratch/tmp"
grep -q 'tunes, for [89][.][0-9] s or 1 trial$' err || fail "one trial: $(cat err)"
rm tmp/*.sched

# Sizes at which the naive nest has no result end the search before a second candidate is tried.
for sizes in M=2000000000,N=2000000000,K=64 M=2000000,N=2000000,K=64; do
    expect 3 tune gemm.sq --at=$sizes --budget=20s --store=none --log=none.jsonl --out-dir="$scratch/tmp"
    says "no candidate can be checked at these sizes: the naive nest gave no result: its arrays have "
    says " of memory"
    says "tune at a smaller size"
    ! grep -q '"ev":"sample"' none.jsonl || fail "candidates that cannot be checked are trials"
    [ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"
done

# What is refused.
expect 64 tune gemm.sq --trials=3
says "sizes 'M', 'N', 'K' of kernel 'gemm' are not known"
says "give them with --at=M=...,N=...,K=... (they stay symbolic)"
expect 64 tune gemm.sq --at=M=4,N=4,K=4,X=5 --trials=3
says "has no size 'X'"
expect 64 tune gemm.sq $at --search=dorplet
expect 64 tune gemm.sq $at --search=raindorp
says "did you mean 'raindrop'?"
expect 64 tune gemm.sq $at -e 'tile(i:4)'
says "tune finds schedules"
expect 3 tune gemm.sq $at --trials=3 --cc=no-such-compiler
says "there is no C compiler 'no-such-compiler'"
expect 3 tune gemm.sq $at --trials=3 --target=neon
says "cannot run target 'neon'"
expect 3 tune gemm.sq $at --trials=3 --log=/no/where/log
expect 3 tune gemm.sq $at --trials=3 --store=/proc/none/x.db
says "cannot open the store"

# --verbose says why a trial failed: a compiler that takes what is built before them only.
cat >pickycc <<'C'
#!/bin/sh
case "$*" in *naive.c* | *linked.c* | *--version*) exec cc "$@" ;; esac
echo "x.c:1: error: not to my taste" >&2
exit 1
C
chmod +x pickycc
expect 3 tune gemm.sq $at --trials=2 --cc="$PWD/pickycc" --store=none --out-dir="$scratch/tmp" -v
says "1 build_failed error: not to my taste: "
says "none of 2 candidates gave a verified result"
sed -i 's/ | \*linked.c\*//' pickycc
expect 3 tune gemm.sq $at --trials=2 --cc="$PWD/pickycc" --store=none --out-dir="$scratch/tmp"
says "pickycc cannot build what candidates are linked with: error: not to my taste"

# A damaged store is an error if it was named. Otherwise it is set aside; so is a .sched that cannot be read.
{ printf 'SQLite format 3\0'; echo nonsense; } >bad.db
cp bad.db bad.copy
expect 3 tune gemm.sq $at --trials=2 --store=bad.db
says "'bad.db' is damaged"
same bad.db bad.copy
absent bad.db.bad-1
mkdir -p own/squall
cp bad.db own/squall/samples.db
XDG_STATE_HOME=$scratch/own expect 0 tune gemm.sq $at --trials=2
says "own/squall/samples.db is damaged"
same own/squall/samples.db.bad-1 bad.copy
echo nonsense >"$sched"
expect 0 tune gemm.sq $at --trials=2
says "set aside as $sched.bad-1"
says "expected 'squall-sched 1'"
[ "$(cat "$sched.bad-1")" = nonsense ] || fail "the unreadable .sched is gone"
grep -q '^kernel gemm at ' "$sched" || fail "no new .sched beside the one set aside"

# A home that cannot be written to costs the records, not the run.
rm "$sched"
XDG_STATE_HOME=/proc/none expect 0 tune gemm.sq $at --trials=2
says "the trials of this run are not recorded"
XDG_STATE_HOME=/proc/none expect 3 tune gemm.sq $at --trials=2 --resume

# What cannot be written, or is of a newer squall, is known before the search.
printf 'squall-sched 99\nclass x\n' >"$sched"
cp "$sched" newer
expect 63 tune gemm.sq $at --budget=100s
same "$sched" newer
rm "$sched"
mkdir "$sched"
expect 3 tune gemm.sq $at --budget=100s
says "cannot write '$sched': Is a directory"
rmdir "$sched"
expect 3 tune gemm.sq $at --budget=100s --out-dir=no/such/folder
says "cannot write 'no/such/folder/$sched'"
[ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"

# A harness takes as many arrays as a kernel has.
arrays=$(seq 0 199)
{
    echo '#include "squall.h"'
    echo "kernel many(int N,$(printf ' const f64 A%d[N],' $arrays) f64 B[N])"
    echo "{ idx i; B[i] = 0$(printf ' + A%d[i]' $arrays); }"
} >many.sq
expect 0 check many.sq --at N=37
prints "1 size vector as the naive nest"

# An entry tuned at sizes fits the kernel with symbolic ones, whatever assumes say of them.
cp "$SQUALL_SOURCE/samples/sgemm_ld.sq" .
expect 0 tune sgemm_ld.sq --at M=8,N=8,K=8,lda=8,ldb=8,ldc=8 --trials=1 --store=none
expect 0 compile sgemm_ld.sq --machine=host -o out.c -v
says "schedule: tuned, sgemm_ld."
