#!/bin/sh
# The programs of this folder that are right are CUDA: nvcc takes each for sm_80 and sm_90 without a
# word.
set -u
cd "$SQUALL_SOURCE/tests/simt" || exit 1
. "$SQUALL_SOURCE/tests/cuda/nvcc.sh"
[ -n "$nvcc" ] || { echo "skipped: there is no nvcc"; exit 77; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
bad=0
for file in good_*.cu count_*.cu; do
    "$nvcc" -std=c++17 -Xcompiler -Wall -gencode arch=compute_80,code=sm_80 \
        -gencode arch=compute_90,code=sm_90 -c "$file" -o "$out/object.o" >"$out/said" 2>&1 ||
        { echo "$file: not accepted"; bad=1; }
    [ ! -s "$out/said" ] || { echo "$file:"; cat "$out/said"; bad=1; }
done
exit $bad
