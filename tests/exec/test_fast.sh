#!/bin/sh
# Functions of our own keep their digits under -ffast-math, with every compiler there is.
set -eu
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
source=$SQUALL_SOURCE/tests/exec
for name in exp log; do
    "$SQUALL" compile "$source/math.sq" --kernel=do_$name -DT=f32 '-DF(name)=name##f' \
        --target=generic -e 'micro(i:16)' -o $name.c
done
for cc in "$CC" gcc clang-14 clang-19; do
    command -v "$cc" >/dev/null 2>&1 || continue
    for name in exp log; do
        "$cc" -std=c11 -O2 -ffast-math -w -c $name.c
    done
    "$CC" -O1 "$source/fast_main.c" exp.o log.o -lm -o fast
    ./fast || { echo "with $cc"; exit 1; }
done
