#!/bin/sh
# Index statements mean what index_main.c writes out as loops.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
source=$SQUALL_SOURCE/tests/exec
. "$SQUALL_SOURCE/tests/targets.sh"
"$SQUALL" compile "$source/index.sq" --targets=generic,avx2,avx512 -o all.c
"$CC" -std=c11 -O2 -Wall -Wextra -Werror -c all.c
"$CC" -std=c11 -O1 -Wall -Wextra "$source/index_main.c" all.o -lm -o index
for isa in $(targets 'runs' | grep -x 'generic\|avx2\|avx512'); do
    SQUALL_ISA=$isa ./index || { echo "with $isa"; exit 1; }
done
