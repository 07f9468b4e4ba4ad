#!/bin/sh
# bench/layers: every kernel that its rows name is in bench/layers.sq and compiles; what it cannot do is said.
set -eu
command -v python3 >/dev/null || { echo "there is no python3"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
layers=$SQUALL_SOURCE/bench/layers

fail() {
    echo "FAILED: $*"
    exit 1
}

"$SQUALL" compile "$SQUALL_SOURCE/bench/layers.sq" --target=avx2 -o layers.c 2>err || fail "layers.sq: $(cat err)"
for kernel in $(sed -n 's/^kernel \([a-z0-9_]*\)(.*/\1/p' "$SQUALL_SOURCE/bench/layers.sq"); do
    # transposed1 and transposed2 are one row of the program.
    grep -q "\"$kernel\"\|\"${kernel%[12]}{" "$layers" || fail "no row measures $kernel"
done

if ! python3 -c 'import numpy' 2>/dev/null; then
    ! python3 "$layers" --list >out 2>err || fail "rows without numpy"
    grep -q "needs numpy" err || fail "numpy: $(cat err)"
    exit 0
fi
python3 "$layers" --list >rows 2>err || fail "--list: $(cat err)"
[ "$(sort -u rows | wc -l)" = "$(wc -l <rows)" ] || fail "two rows of one name"
! python3 "$layers" --only=none >out 2>err || fail "a row was made up"
grep -q "no row 'none'" err || fail "only: $(cat err)"
SQUALL_BUILD_DIR=$(dirname "$SQUALL") python3 "$layers" --target=generic --only=batched-4 --seconds=0.01 >out 2>err ||
    fail "batched-4: $(cat err)"
grep -q '^batched-4  *[0-9.]* us' out || fail "batched-4: $(cat out err)"
