#!/bin/sh
# kill -9 of tune at random moments: no finished trial is lost, no half file, and --resume goes on.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
gemm >gemm.sq
own_folders
at='--fix=M=64,N=64,K=64'
expect 0 show machine # measured once, so that the rounds below do not spend their time on it

finished() { # trials the log says are finished
    grep -c '"ev":"sample"' log.jsonl || true
}
distinct() { # points among them; every run begins with the one that compile takes untuned
    grep -o '"script":"[^"]*"' log.jsonl | sort -u | grep -c . || true
}
stored() { # trials the store holds, by a run that makes no new one
    expect 0 tune gemm.sq $at --resume --trials=1
    sed -n 's/.* \([0-9]*\) trials in .*/\1/p' err | tail -1
}

# A busy machine needs more rounds for the same number of trials: those begin to count when the untuned
# schedule and the one of the .sched file, which every run begins with, and a trial more are logged.
await_trial() { # COUNT of trials before
    for i in $(seq 300); do
        [ "$(finished)" -le "$1" ] || return 0
        sleep 0.1
    done
}
round=0
is_enough() { [ "$(distinct)" -gt 10 ] && [ "$(finished)" -gt 20 ]; }
: >log.jsonl
while [ $round -lt 20 ] || { [ $round -lt 100 ] && ! is_enough; }; do
    before=$(finished)
    "$SQUALL" tune gemm.sq $at --resume --budget=30s --log=log.jsonl -q --seed=$round 2>>kill.err &
    pid=$!
    [ $round -lt 20 ] || await_trial "$((before + 2))"
    sleep "$(awk -v r=$round 'BEGIN { srand(r); printf "%.2f", 0.1 + (0.9 + r / 20) * rand() }')"
    kill -9 $pid 2>/dev/null || true
    wait $pid 2>/dev/null || true
    round=$((round + 1))
    # What is there can be read, whole.
    for f in gemm.*.sched; do
        [ ! -e "$f" ] || expect 0 compile gemm.sq $at --schedule="$f" --machine=host -o k.c
    done
done
[ ! -s kill.err ] || { cat kill.err; fail "a killed run had something to say"; }
logged=$(finished)
kept=$(stored)
[ "$logged" -gt 20 ] || fail "only $logged trials in $round rounds"
# The log is written after the store; the best of a resumed run is measured again each time.
[ "$kept" -gt 5 ] || fail "only $kept trials were kept"
grep -o '"script":"[^"]*"' log.jsonl | sort -u >scripts
[ "$kept" -ge "$(wc -l <scripts)" ] || fail "$(wc -l <scripts) scripts logged, $kept kept"
ls gemm.*.sched >/dev/null || fail "no .sched"
# The next run clears the folders of the killed ones.
[ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"

# Ctrl-C: ends soon, keeps the best, says so by its exit code.
"$SQUALL" tune gemm.sq --fix=M=96,N=96,K=96 --budget=60s >out 2>err &
pid=$!
sleep 4
kill -INT $pid
rc=0
wait $pid || rc=$?
[ $rc = 130 ] || fail "exit code $rc after an interrupt"
grep -q 'at M=96,N=96,K=96' gemm.*.sched || fail "the best was not kept"
