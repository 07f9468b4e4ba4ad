#!/bin/sh
# The scripts that rewrite expectations leave them alone if the tool does not run.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
mkdir tests samples
cp -r "$SQUALL_SOURCE/tests/errors" "$SQUALL_SOURCE/tests/golden" tests
cp "$SQUALL_SOURCE"/samples/*.sq samples
cp -r tests before
for kind in errors golden; do
    rc=0
    SQUALL=./nowhere SQUALL_SOURCE=$scratch sh tests/$kind/test_$kind.sh --update >out 2>&1 || rc=$?
    [ $rc = 1 ] || fail "test_$kind.sh --update exits $rc without a tool"
    prints "does not run: name it with an absolute path"
    diff -r tests before || fail "test_$kind.sh --update changed expectations"
done
