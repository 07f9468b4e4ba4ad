#!/bin/sh
# docs/CUDA.md: every example runs (examples.sh), every transform has one, if only to be refused, and the
# first page makes a program of pure C where there is nvcc.
doc=$SQUALL_SOURCE/docs/CUDA.md
. "$SQUALL_SOURCE/tests/docs/examples.sh"
for name in $transforms; do
    cat ./*.sh ./*.cmd | grep -q "[ '(]$name(" || complain "no example of $name"
done

. "$SQUALL_SOURCE/tests/cuda/nvcc.sh"
[ -n "$nvcc" ] || { echo "skipped: the program of the first page (no nvcc)"; exit $bad; }
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$doc" >main.c
sed -n '/^    squall compile/,/^$/s/^    //p' "$doc" | sed '/^$/,$d' | sed "s|^nvcc|\"$nvcc\"|
    s|^cc main.c gemm.o|\"$CC\" -std=c11 -Wall -Wextra -Werror -I$cuda/include main.c gemm.o -L$cuda/lib64|" >page
[ "$(wc -l <page)" = 3 ] && sh -e page >log 2>&1 || { cat page log; complain "the first page does not make a program"; }
rc=0
./main >log 2>&1 || rc=$?
# Without a device the code says so.
{ [ $rc = 0 ] && grep -q '^0, code 0' log; } || { [ $rc = 1 ] && grep -Eq 'code (35|100)' log; } ||
    { cat log; complain "main ends with $rc"; }
exit $bad
