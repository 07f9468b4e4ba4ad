#!/bin/sh
# Index statements mean what index_main.c writes out as loops.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
source=$SQUALL_SOURCE/tests/exec
objects=
for name in $(sed -n 's/^kernel \([a-z_0-9]*\).*/\1/p' "$source/index.sq"); do
    "$SQUALL" compile "$source/index.sq" --kernel="$name" -o "$name.c"
    "$CC" -std=c11 -O2 -Wall -Wextra -Werror -c "$name.c"
    objects="$objects $name.o"
done
# shellcheck disable=SC2086
"$CC" -std=c11 -O1 -Wall -Wextra "$source/index_main.c" $objects -lm -o index
./index
