#!/bin/sh
# Files that are not what they should be: somebody else's, missing directories, links that lead
# nowhere, what cannot be read. Said with their names, nothing touched, nothing made.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
gemm >gemm.sq
own_folders
at='--fix=M=16,N=16,K=16'

# --store names a file of somebody else's: exit 3, and it is as it was.
echo 'buy milk' >notes.txt
cp notes.txt notes.copy
for command in "tune gemm.sq $at --trials=2" 'show best gemm.sq'; do
    expect 3 $command --store=notes.txt
    says "'notes.txt' is no database: it does not begin with 'SQLite format 3'"
    same notes.txt notes.copy
    absent notes.txt.bad-1
done
mkfifo pipe.db
expect 3 tune gemm.sq $at --trials=2 --store=pipe.db
says "'pipe.db' is no regular file"
expect 3 tune gemm.sq $at --trials=2 --store=tmp
says "'tmp' is no regular file"
: >empty.db
expect 0 tune gemm.sq $at --trials=2 --store=empty.db -q
silent
[ -s empty.db ] || fail "an empty file was not taken for a store"
rm gemm.*.sched

# Nor is a log added to a file that is none.
expect 3 tune gemm.sq $at --trials=2 --store=none --log=notes.txt
says "'notes.txt' is no log of squall"
same notes.txt notes.copy
for i in 1 2; do
    expect 0 tune gemm.sq $at --trials=1 --store=none --log=log.jsonl -q
done
[ "$(grep -c '^{"squall-log":1}$' log.jsonl)" = 1 ] || fail "the log does not go on"
[ "$(grep -c '"ev":"sample"' log.jsonl)" = 2 ] || fail "a trial is missing in the log"
expect 64 tune gemm.sq $at --trials=99999999999999999999
says "'99999999999999999999' is no whole number"
rm gemm.*.sched

# Looking makes nothing.
expect 3 show best gemm.sq $at --store=missing.db
says "cannot read 'missing.db': No such file"
absent missing.db
expect 0 show best gemm.sq $at
prints "no trials in the store"
absent state

# Missing directories are named and not made.
missing() { # NAME words...
    name=$1
    shift
    expect 3 "$@"
    says "there is no directory '$name'"
    absent "${name%%/*}"
}
missing no/such tune gemm.sq $at --trials=2 --store=no/such/x.db
missing no/such tune gemm.sq $at --trials=2 --out-dir=no/such
missing no tune gemm.sq $at --trials=2 --log=no/log
missing no/such compile gemm.sq -o no/such/g.c
missing no compile gemm.sq -o g.c --header=no/g.h
missing no compile gemm.sq -o g.c -MD -MF no/g.d
absent g.c

# What is named like a .sched and cannot be read is an error, not as if it were not there.
sched=gemm.avx2.sched
unreadable() { # WHY
    expect 3 compile gemm.sq --target=avx2 -o none.c
    says "$sched': $1"
    absent none.c
}
ln -s $sched $sched
unreadable "Too many levels of symbolic links"
ln -sfn elsewhere $sched
unreadable "it is a link to 'elsewhere', which does not exist"
rm $sched
mkdir $sched
unreadable "it is no regular file"
rmdir $sched
if [ "$(id -u)" != 0 ]; then
    : >$sched
    chmod 0 $sched
    unreadable "Permission denied"
    rm -f $sched
fi

# Nor is such a link written over, by tune or by compile.
host=$("$SQUALL" show machine --json | sed -n 's/.*"isa": "\(.*\)".*/\1/p')
ln -s elsewhere gemm.$host.sched
expect 3 tune gemm.sq $at --trials=2 --store=none
says "cannot write 'gemm.$host.sched': it is a link to 'elsewhere', which does not exist"
ln -sfn gemm.$host.sched gemm.$host.sched
expect 3 tune gemm.sq $at --trials=2 --store=none
says "Too many levels of symbolic links"
rm gemm.$host.sched
ln -s elsewhere g.c
expect 3 compile gemm.sq -o g.c --header=g.h
says "cannot write 'g.c': it is a link to 'elsewhere', which does not exist"
absent elsewhere
absent g.h
rm g.c

# A link to a file is followed; standard output and pipes are written to.
echo old >real.c
ln -s real.c g.c
expect 0 compile gemm.sq -o g.c
[ -L g.c ] && grep -q gemm real.c || fail "the link was not followed"
"$SQUALL" compile gemm.sq -o /dev/stdout | grep -q 'void gemm(' || fail "nothing on /dev/stdout"
mkfifo pipe.c
cat pipe.c >read.c &
expect 0 compile gemm.sq -o pipe.c
wait
grep -q 'void gemm(' read.c || fail "nothing came out of the pipe"
[ -p pipe.c ] || fail "the pipe was replaced"
if [ -w /dev/full ]; then
    expect 3 compile gemm.sq -o /dev/full
    says "cannot write '/dev/full': No space left on device"
fi
[ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"
