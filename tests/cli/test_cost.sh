#!/bin/sh
# What a compile costs, the whole process: a sample of one statement 150 ms of processor time, one
# of more, as PolyBench's are, 1 s, 500 MB at most. Commands that read no description do not load
# libclang.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
[ "$SQUALL_SANITIZED" = 0 ] || exit 77

# costs FILE LIMIT: best of a few, because the machine is shared.
costs() {
    best=999999
    for i in 1 2 3 4 5; do
        expect 0 compile "$1" --target=avx2 -o out.c --time
        ! grep -q 'isl_ctx\|still reference' err || fail "$1: objects of isl are left"
        ms=$(sed -n 's/^total *\([0-9]*\).*/\1/p' err)
        memory=$(sed -n 's/.*; \([0-9]*\) MB.*/\1/p' err)
        [ "$ms" -lt "$best" ] && best=$ms
        [ "$best" -gt "$2" ] || break
    done
    echo "$1: $best ms, $memory MB"
    [ "$best" -le "$2" ] || fail "$1 takes $best ms of processor time, more than $2"
    [ "$memory" -le 500 ] || fail "$1 takes $memory MB"
}

mkdir polybench
cp "$SQUALL_SOURCE"/samples/*.sq .
cp "$SQUALL_SOURCE"/samples/polybench/*.sq polybench
for sample in *.sq polybench/*.sq; do
    limit=150
    [ "$(tr '\n' ' ' <"$sample" | tr ';' '\n' | grep -cE '[])a-z] [-+*/]?= ')" -le 1 ] || limit=1000
    costs "$sample" $limit
done

expect 0 compile "$SQUALL_SOURCE/samples/gemm.sq" -o out.c
if command -v strace >/dev/null; then
    strace -f -e trace=openat "$SQUALL" show transforms 2>&1 >/dev/null | grep -q libclang &&
        fail "show transforms loads libclang"
fi
command -v ldd >/dev/null && ldd "$SQUALL" | grep -q libclang && fail "libclang is linked"
exit 0
