#!/bin/sh
# bench/dispatch: a function of a file for several targets takes at most 5 ns a call more than that of a file for one.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() {
    echo "FAILED: $*"
    exit 1
}

SQUALL_BUILD_DIR=$(dirname "$SQUALL")
export SQUALL_BUILD_DIR
"$SQUALL_SOURCE/bench/dispatch" >out 2>err || fail "exit $?: $(cat err)"
grep -q '^generic  *one target [0-9.]* ns, several [0-9.]* ns, -*[0-9.]* ns more$' out || fail "no row of generic: $(cat out)"
awk '$(NF - 2) > 5 { bad = 1 } END { exit bad }' out || fail "more than 5 ns: $(cat out)"
! "$SQUALL_SOURCE/bench/dispatch" --none 2>err || fail "an option that there is not"
grep -q 'bench/dispatch' err || fail "usage: $(cat err)"
