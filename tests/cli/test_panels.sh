#!/bin/sh
# The memory of packed panels: no untuned schedule has more than 8 MiB of them, shared ones and those
# of one thread together, 16 MiB where all sizes are constants; panels of statements one after the
# other lie at the same place; a script may have more, and explain tells how many bytes. Samples
# are tests/host/test_link.sh's.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
most=8388608
fitted=16777216

# panels HEADER: bytes shared and of one thread; with temporaries the header names a function.
panels() {
    sed -n 's/.*works in \([0-9]*\) bytes.*/\1/p; s/.* bytes, \([0-9]*\) more for each.*/\1/p' "$1" |
        awk '{ n += $1 } END { print n + 0 }'
}

# within LIMIT FILE OPTIONS...
within() {
    limit=$1
    shift
    expect 0 compile "$@" -o k.c --header=k.h
    bytes=$(panels k.h)
    [ "$bytes" -le "$limit" ] || fail "$*: $bytes bytes of panels"
    [ "$bytes" = 0 ] || packed=$((packed + 1))
}

packed=0
for target in avx2 avx512,openmp; do
    for file in "$SQUALL_SOURCE"/samples/polybench/*.sq; do
        within $most "$file" --target=$target
    done
done
[ "$packed" -ge 4 ] || fail "$packed kernels have panels"

# Ten convolutions: each has 1 MB, one after the other.
{
    printf '#include "squall.h"\nkernel ten(int H, int W, const f32 I[64][H][W]'
    for i in 0 1 2 3 4 5 6 7 8 9; do
        printf ', const f32 G%d[64][64][3][3], f32 O%d[64][H][W]' $i $i
    done
    printf ')\n{\n    idx f, y, x, c, r, s;\n'
    for i in 0 1 2 3 4 5 6 7 8 9; do
        echo "    O$i[f][y][x] = sum(pad(I[c][y + r - 1][x + s - 1], 0.f) * G$i[f][c][r][s], c, r, s);"
    done
    echo '}'
} >ten.sq
within $most ten.sq --target=avx2
[ "$bytes" -gt 262144 ] || fail "ten convolutions have $bytes bytes of panels"

# Constant sizes.
conv=$SQUALL_SOURCE/samples/conv2d.sq
largest=0
for target in avx2 avx512; do
    for n in 512 1024; do
        within $fitted "$conv" --target=$target --fix=N=1,C=$n,F=$n,H=14,W=14
        [ "$bytes" -le "$largest" ] || largest=$bytes
    done
done
[ "$largest" -gt $most ] || fail "conv2d has $largest bytes of panels at most"

# A script has what it asks for.
gemm >gemm.sq
script='tile(j:4096, k:1024) micro(i:6, j:16 | k) vectorize(j:8) order(j0, k0, j, i) pack(B at k0 as j16)'
expect 0 compile gemm.sq --target=avx2 -e "$script" -o k.c --header=k.h
bytes=$(panels k.h)
[ "$bytes" -ge $((4096 * 1024 * 4)) ] || fail "a panel of 16 MiB has $bytes bytes"
expect 0 explain gemm.sq --target=avx2 -e "$script"
prints "panels of packs: $bytes bytes; untuned schedules have $most at most"
expect 0 explain gemm.sq --target=avx2,openmp -e "$script parallel(j0)" --json
prints "\"thread_bytes\": $((bytes - 64))"
expect 0 explain gemm.sq --target=generic -e 'tile(i:8)'
if grep -q 'panels' out; then fail "panels without packs"; fi

# Reads that one copy cannot serve: a dimension that tells them apart is named, where there is one.
crossed() {
    printf '#include "squall.h"\nkernel crossed(const f32 A[32][32], f32 Y[32])\n' >crossed.sq
    printf '{\n    idx i, k;\n    Y[i] = %s;\n}\n' "$1" >>crossed.sq
    expect 2 compile crossed.sq --target=avx2 -e 'tile(i:16) pack(A at i0 as i4) micro(i:4)' -o k.c
    says "unlike subscripts, and one copy serves only those that differ by constants: $2"
}
crossed 'A[i][0] + A[0][i]' 'make two statements of it, or leave the array where it is'
crossed 'sum(A[i][0] * A[k][i], k)' 'name a dimension of the ones meant, as in `as k16`'
