#!/bin/sh
# Signals that end a command: SIGHUP and SIGTERM as SIGINT, exit code 128 + n, no folder, no file and
# no child left. And abandoned folders are told by their lock, not by the number of a process.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
gemm >gemm.sq
own_folders
command -v flock >/dev/null || fail "flock is missing: install util-linux"
expect 0 show machine # measured once, beforehand
big='--fix=M=64,N=64,K=64'
for c in cc c++; do # compilers that take their time, so that none of the runs is over too soon
    printf '#!/bin/sh\ncase "$*" in *.c | *.c\\ * | *.cpp*) sleep 3 ;; esac\nexec %s "$@"\n' $c >slow-$c
    chmod +x slow-$c
done
slow="--cc=$PWD/slow-cc"

# A folder of a run, and what runs there.
await_folder() {
    for i in $(seq 600); do
        [ -z "$(ls tmp)" ] || return 0
        sleep 0.1
    done
    fail "no work folder: $(kill -0 $pid 2>/dev/null && echo it runs || echo it ended)"
}
children() { # processes that name it
    for p in /proc/[0-9]*; do
        cat "$p/cmdline" 2>/dev/null | tr '\0' ' ' | grep -F "$scratch/tmp" || true
    done
}

ends() { # SIGNAL CODE words...
    signal=$1 code=$2
    shift 2
    "$SQUALL" "$@" >out 2>err &
    pid=$!
    await_folder
    sleep 0.5
    kill -s "$signal" $pid
    rc=0
    wait $pid || rc=$?
    [ $rc = "$code" ] || fail "squall $* exited $rc after SIG$signal"
    grep -q error: err && fail "an error after SIG$signal"
    [ -z "$(ls tmp)" ] || fail "SIG$signal left behind: $(ls tmp)"
    sleep 0.2
    [ -z "$(children)" ] || fail "SIG$signal left running: $(children)"
}
ends HUP 129 tune gemm.sq $big --budget=60s --store=none "$slow"
ends HUP 129 bench gemm.sq $big "$slow"
ends TERM 143 bench gemm.sq $big "$slow"
ends INT 130 check gemm.sq $big "$slow"
ends HUP 129 check gemm.sq --target=cuda,arch=sm_80 "--cc=$PWD/slow-c++"

# nohup: a hangup that is ignored stays so.
(trap '' HUP; exec "$SQUALL" bench gemm.sq $big "$slow" >out 2>err) &
pid=$!
await_folder
kill -HUP $pid
sleep 0.5
kill -0 $pid || fail "an ignored SIGHUP ended it"
kill -TERM $pid
wait $pid || true

# A temporary file is gone, too: the other output is a pipe that nobody reads, the header waits.
mkfifo pipe
"$SQUALL" compile gemm.sq -o pipe --header=g.h 2>err &
pid=$!
for i in $(seq 50); do
    ls | grep -q 'g\.h\..*tmp' && break
    sleep 0.1
done
ls | grep -q 'g\.h\..*tmp' || fail "no temporary file to be seen"
kill -HUP $pid
rc=0
wait $pid || rc=$?
[ $rc = 129 ] || fail "compile exited $rc after SIGHUP"
ls | grep 'tmp$' | grep -v '^tmp$' && fail "a temporary file is left"
absent g.h

# The directory of the .sched is locked by somebody, in the end by our own parent: that is said, and
# an interrupt ends it.
mkdir locked
cp gemm.sq locked
flock locked "$SQUALL" tune locked/gemm.sq --fix=M=4,N=4,K=4 --trials=1 --store=none >out 2>err &
pid=$!
for i in $(seq 300); do
    grep -q "waiting for another process to release the lock of 'locked/'" err && break
    sleep 0.1
done
says "waiting for another process to release the lock of 'locked/'"
for p in $(cat /proc/$pid/task/$pid/children); do kill -INT "$p"; done
rc=0
wait $pid || rc=$?
[ $rc = 130 ] || fail "a run that waited for a lock exited $rc after SIGINT"
absent locked/gemm.*.sched
[ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"

# A folder whose lock somebody holds is left alone, whatever number its owner had; another is not.
mkdir tmp/squall-work-AAAAAA tmp/squall-work-BBBBBB tmp/squall-work-CCCCCC tmp/squall-1-notes
: >tmp/squall-work-AAAAAA/lock
: >tmp/squall-work-BBBBBB/lock
flock tmp/squall-work-AAAAAA/lock sleep 5 &
keeper=$!
sleep 0.3
expect 0 check gemm.sq --fix=M=4,N=4,K=4
[ -e tmp/squall-work-AAAAAA/lock ] || fail "a folder in use was removed"
absent tmp/squall-work-BBBBBB
absent tmp/squall-work-CCCCCC
[ -d tmp/squall-1-notes ] || fail "somebody else's folder was removed"
kill $keeper
wait $keeper 2>/dev/null || true
