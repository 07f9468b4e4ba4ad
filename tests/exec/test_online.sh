#!/bin/sh
# Attention and softmax by tiles (online) against double, at magnitudes where exp overflows.
set -eu
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
source=$SQUALL_SOURCE/tests/exec
for tile in 1 8 16; do
    "$SQUALL" compile "$SQUALL_SOURCE/samples/attention.sq" --target=generic -o attention.c \
        -e "inline(S2) online(S1, j:$tile) S4: tile(i:4) S1: tile(i:4) S0: tile(i:4) S3: tile(i:4)
            S1_exp: tile(i:4) S0: order(h, i0, jt, i) S1: order(h, i0, jt, i) S1_exp: order(h, i0,
            jt, i) micro(j:8) S3: order(h, i0, jt, i) S4: order(h, i0, jt, i) micro(i:4, d:4 | j)"
    "$SQUALL" compile "$source/online.sq" --kernel=soft --target=generic -o soft.c \
        -e "inline(S1) online(S0, j:$tile) S0: micro(| j) vectorize(j:8) S2: micro(| j)"
    "$SQUALL" compile "$source/online.sq" --kernel=log_sum --target=generic -o log_sum.c \
        -e "online(S0, j:$tile) S0_exp: micro(j:8)"
    "$CC" -O1 -Wall -Werror "$source/online_main.c" attention.c soft.c log_sum.c -lm -o online
    ./online || { echo "with tiles of $tile"; exit 1; }
done
if "$SQUALL" compile "$source/online.sq" --kernel=everything -o x.c -e 'S1: pack(most at top)' 2>err
then echo "a copy of a single value was made"; exit 1; fi
grep -q 'most is a single value' err || { cat err; exit 1; }
