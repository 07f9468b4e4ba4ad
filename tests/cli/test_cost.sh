#!/bin/sh
# What a compile costs: every sample within 150 ms of processor time and 150 MB, the whole process;
# commands that read no description do not load libclang.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
[ "$SQUALL_SANITIZED" = 0 ] || exit 77
limit=150

# Best of a few, because the machine is shared.
for sample in gemm conv2d; do
    best=999999
    memory=0
    for i in 1 2 3 4 5; do
        expect 0 compile "$SQUALL_SOURCE/samples/$sample.sq" --target=avx2 -o out.c --time
        ms=$(sed -n 's/^total *\([0-9]*\).*/\1/p' err)
        memory=$(sed -n 's/.*; \([0-9]*\) MB.*/\1/p' err)
        [ "$ms" -lt "$best" ] && best=$ms
    done
    echo "$sample: $best ms, $memory MB"
    [ "$best" -le $limit ] || fail "$sample takes $best ms of processor time"
    [ "$memory" -le 150 ] || fail "$sample takes $memory MB"
done

expect 0 compile "$SQUALL_SOURCE/samples/gemm.sq" -o out.c
if command -v strace >/dev/null; then
    strace -f -e trace=openat "$SQUALL" show transforms 2>&1 >/dev/null | grep -q libclang &&
        fail "show transforms loads libclang"
fi
command -v ldd >/dev/null && ldd "$SQUALL" | grep -q libclang && fail "libclang is linked"
exit 0
