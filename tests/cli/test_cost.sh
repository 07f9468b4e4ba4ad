#!/bin/sh
# What a compile costs, the whole process: a sample of one statement 150 ms of processor time, one
# of more, as PolyBench's are, 1 s, 500 MB at most. Commands that read no description do not load
# libclang.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
[ "$SQUALL_SANITIZED" = 0 ] || exit 77

# costs FILE LIMIT: best of a few, because the machine is shared.
costs() {
    most=$(paced "$2")
    best=999999
    for i in 1 2 3 4 5; do
        expect 0 compile "$1" --target=avx2 -o out.c --time
        ! grep -q 'isl_ctx\|still reference' err || fail "$1: objects of isl are left"
        ms=$(sed -n 's/^total *\([0-9]*\).*/\1/p' err)
        memory=$(sed -n 's/.*; \([0-9]*\) MB.*/\1/p' err)
        [ "$ms" -lt "$best" ] && best=$ms
        [ "$best" -gt "$most" ] || break
    done
    echo "$1: $best ms, $memory MB"
    [ "$best" -le "$most" ] || fail "$1 takes $best ms of processor time, more than $most"
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

# Sizes that are at most a number, and loops that end at one: exact answers grow with these.
for sample in adi fdtd-2d gramschmidt heat-3d ludcmp; do
    awk -v s="$(sed -n 's/^kernel [^(]*(\(int [A-Z], \)*int \([A-Z]\),.*/\2/p' polybench/$sample.sq)" \
        '{ print } /^{/ { print "    assume(" s " <= 65536);" }' polybench/$sample.sq >bounded.sq
    costs bounded.sq 1000
done
cat >ends.sq <<'SQ'
#include "squall.h"
kernel ends(f32 A[1 << 20], f32 B[1 << 20])
{
    for (int t = 0; t < 1 << 16; t++) {
        for (int i = 1; i < (1 << 20) - 1; i++)
            B[i] = A[i - 1] + A[i] + A[i + 1];
        for (int i = 1; i < (1 << 20) - 1; i++)
            A[i] = B[i - 1] + B[i] + B[i + 1];
    }
}
SQ
costs ends.sq 1000

expect 0 compile "$SQUALL_SOURCE/samples/gemm.sq" -o out.c
if command -v strace >/dev/null; then
    strace -f -e trace=openat "$SQUALL" show transforms 2>&1 >/dev/null | grep -q libclang &&
        fail "show transforms loads libclang"
fi
command -v ldd >/dev/null && ldd "$SQUALL" | grep -q libclang && fail "libclang is linked"
exit 0
